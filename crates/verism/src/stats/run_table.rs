//! The table of cases and runs of one experiment, whole or with gaps.

use super::moments::{mean, unit_of};
use super::numeric::wide::Wide;

/// The most steps that are taken to fit the runs of a table with gaps; a whole table takes one.
const STEPS: usize = 200;

/// What the runs of one experiment say about shifts that all their cases share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunTable {
    /// Runs.
    pub runs: usize,
    /// Variance of a run's shift, as the runs show it.
    pub between: f64,
    /// Its degrees of freedom.
    pub df_between: f64,
    /// The same variance as it would be from the residuals alone.
    pub within: f64,
    /// Its degrees of freedom.
    pub df_within: f64,
}

/// One case: the runs it has, by number from 0, each once, with their values.
pub type CaseRuns = Vec<(usize, f64)>;

/// Gives the mean squares of runs, adjusted for cases, and of residuals; `None` where they cannot be told apart.
///
/// ```math
/// x_cj = case_c + τ_j + e;   SS_run = Σ τ_j Q_j,  Q_j = Σ_c (x_cj - x̄_c),  τ by least squares
/// ν = R - parts,  ν_e = Σ(n_c - 1) - ν,  k = Σ(n_c - 1)/ν;   between = SS_run/(ν k),  within = SS_e/(ν_e k)
/// ```
///
/// With R runs of every case k is the number of cases, and both are MS_run/K and MS_e/K of the two-way table. Parts are sets of
/// runs that share no case. Source: C. R. Henderson, Biometrics 9 (1953) 226, method 3.
pub fn run_table(cases: &[CaseRuns], runs: usize) -> Option<RunTable> {
    let deviations: Vec<CaseRuns> = cases.iter().filter(|case| case.len() >= 2).map(from_own_mean).collect();
    let spare: usize = deviations.iter().map(|case| case.len() - 1).sum();
    let df_between = runs - parts(&deviations, runs);
    let df_within = spare.checked_sub(df_between).filter(|df| *df > 0 && df_between > 0)? as f64;
    let sizes: Vec<f64> = deviations.iter().flatten().map(|(_, d)| *d).collect();
    let unit = unit_of([sizes.as_slice()]);
    let scaled = |case: CaseRuns| case.into_iter().map(|(run, d)| (run, d / unit)).collect();
    let deviations: Vec<CaseRuns> = deviations.into_iter().map(scaled).collect();
    let totals = totals(&deviations, runs);
    let effects = fitted(&deviations, &totals);
    let explained: f64 = effects.iter().zip(&totals).map(|(t, q)| t * q).sum();
    let residual: f64 = deviations.iter().map(|case| of_residuals(case, &effects)).sum();
    let (df_between, spare) = (df_between as f64, spare as f64);
    let back = df_between / spare * unit * unit;
    Some(RunTable {
        runs,
        between: explained / df_between * back,
        df_between,
        within: residual / df_within * back,
        df_within,
    })
}

/// Gives Σ w_j² of the runs' shares in the mean over cases: 1/R where every case has all R runs.
pub fn inverse_runs(cases: &[CaseRuns], runs: usize) -> f64 {
    let mut shares = vec![0.0; runs];
    for case in cases {
        for (run, _) in case {
            shares[*run] += 1.0 / (case.len() * cases.len()) as f64;
        }
    }
    shares.iter().map(|share| share * share).sum()
}

fn from_own_mean(case: &CaseRuns) -> CaseRuns {
    let values: Vec<f64> = case.iter().map(|(_, value)| *value).collect();
    let unit = unit_of([values.as_slice()]);
    let centre = mean(&values, unit);
    case.iter().map(|(run, value)| (*run, (Wide::from(value / unit) - centre).round() * unit)).collect()
}

/// How many sets of runs share no case.
fn parts(cases: &[CaseRuns], runs: usize) -> usize {
    let mut above: Vec<usize> = (0..runs).collect();
    let mut left = runs;
    fn top(above: &mut [usize], mut run: usize) -> usize {
        while above[run] != run {
            above[run] = above[above[run]];
            run = above[run];
        }
        run
    }
    for two in cases.iter().flat_map(|case| case.windows(2)) {
        let (a, b) = (top(&mut above, two[0].0), top(&mut above, two[1].0));
        if a != b {
            above[a] = b;
            left -= 1;
        }
    }
    left
}

fn totals(cases: &[CaseRuns], runs: usize) -> Vec<f64> {
    let mut sums = vec![Wide::ZERO; runs];
    for (run, d) in cases.iter().flatten() {
        sums[*run] = sums[*run] + Wide::from(*d);
    }
    sums.into_iter().map(Wide::round).collect()
}

/// The effects of runs by conjugate gradients, whose matrix is never formed.
fn fitted(cases: &[CaseRuns], totals: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut effects = vec![0.0; totals.len()];
    let (mut rest, mut way) = (totals.to_vec(), totals.to_vec());
    let mut size = dot(&rest, &rest);
    let enough = size * 1e-28;
    for _ in 0..STEPS.min(totals.len()) {
        let image = adjusted(cases, &way);
        let curvature = dot(&way, &image);
        if size <= enough || curvature <= 0.0 {
            break;
        }
        let step = size / curvature;
        for j in 0..effects.len() {
            effects[j] += step * way[j];
            rest[j] -= step * image[j];
        }
        let next = dot(&rest, &rest);
        for j in 0..way.len() {
            way[j] = rest[j] + next / size * way[j];
        }
        size = next;
    }
    effects
}

/// The normal equations of runs after cases were taken out: Σ over the run's cases of its effect minus the case's mean effect.
fn adjusted(cases: &[CaseRuns], effects: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; effects.len()];
    for case in cases {
        let own = mean_effect(case, effects);
        for (run, _) in case {
            out[*run] += effects[*run] - own;
        }
    }
    out
}

fn mean_effect(case: &CaseRuns, effects: &[f64]) -> f64 {
    case.iter().map(|(run, _)| effects[*run]).sum::<f64>() / case.len() as f64
}

fn of_residuals(case: &CaseRuns, effects: &[f64]) -> f64 {
    let own = mean_effect(case, effects);
    case.iter().map(|(run, d)| d - (effects[*run] - own)).map(|e| e * e).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs()
    }

    // By hand: three cases, two runs, the second higher by 1 on average, half differences 0.6, 0.5, 0.4: the means of runs differ by
    // 1, so the variance between is 0.5; residuals ±0.1, 0, ∓0.1 in both runs: SS_e = 0.04, ν_e = 2, K = 3.
    #[test]
    fn a_whole_table_by_hand() {
        let cases = [vec![(0, 0.0), (1, 1.2)], vec![(0, 5.0), (1, 6.0)], vec![(0, 2.0), (1, 2.8)]];
        let t = run_table(&cases, 2).unwrap();
        assert!(close(t.between, 0.5) && close(t.within, 0.02 / 3.0), "{t:?}");
        assert_eq!((t.df_between, t.df_within), (1.0, 2.0));
        assert!(close(inverse_runs(&cases, 2), 0.5));
    }

    // By hand: case a has runs 0, 1 (1, 3), case b runs 1, 2
    // (2, 5), case c runs 0, 2 (0, 6). With τ_0 = 0 the normal equations for differences d1, d2 of runs 1, 2 from run 0 are
    // 2d1 - d2 = 2 - 3 = -1 and -d1 + 2d2 = 3 + 6 = 9, so d1 = 7/3, d2 = 17/3. Residuals of the pairs' differences:
    // 2 - 7/3 = -1/3, 3 - 10/3 = -1/3, 6 - 17/3 = 1/3; each counts half: SS_e = 1/6, ν_e = 3 - 2 = 1.
    // SS_run = (4 + 9 + 36)/2 - 1/6 = 73/3, ν = 2, k = 3/2.
    #[test]
    fn a_table_with_gaps_by_hand() {
        let cases = [vec![(0, 1.0), (1, 3.0)], vec![(1, 2.0), (2, 5.0)], vec![(0, 0.0), (2, 6.0)]];
        let t = run_table(&cases, 3).unwrap();
        assert_eq!((t.df_between, t.df_within), (2.0, 1.0));
        assert!(close(t.between, 73.0 / 3.0 / 2.0 / 1.5) && close(t.within, 1.0 / 6.0 / 1.5), "{t:?}");
    }

    // Runs that share no case say nothing about each other, nor does a case with one run, nor one case alone.
    #[test]
    fn runs_that_meet_in_no_case_are_apart() {
        assert_eq!(run_table(&[vec![(0, 1.0)], vec![(1, 2.0)], vec![(1, 4.0)]], 2), None);
        assert_eq!(run_table(&[vec![(0, 1.0), (1, 5.0)]], 2), None);
        let two =
            [vec![(0, 1.0), (1, 2.0)], vec![(0, 1.0), (1, 4.0)], vec![(2, 1.0), (3, 2.5)], vec![(2, 3.0), (3, 3.0)]];
        let t = run_table(&two, 4).unwrap();
        assert_eq!((t.df_between, t.df_within), (2.0, 2.0));
        assert!(close(inverse_runs(&[vec![(0, 1.0)], vec![(1, 2.0)], vec![(1, 4.0)]], 2), 5.0 / 9.0));
    }

    // Sizes of 1e200 and offsets of 1e12 change nothing but the scale.
    #[test]
    fn the_scale_does_not_matter() {
        let cases = |size: f64, offset: f64| {
            let rows = [(0.0, 1.25), (5.0, 6.0), (2.0, 2.75)];
            rows.map(|(a, b)| vec![(0, (offset + a) * size), (1, (offset + b) * size)])
        };
        let plain = run_table(&cases(1.0, 0.0), 2).unwrap();
        assert_eq!(run_table(&cases(1.0, 1_048_576.0 * 1_048_576.0), 2).unwrap(), plain);
        let small = run_table(&cases(libm::scalbn(1.0, -300), 0.0), 2).unwrap();
        assert!(close(small.between, libm::scalbn(plain.between, -600)), "{small:?}");
    }
}

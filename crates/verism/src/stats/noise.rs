//! The noise budget: how far two runs of the same thing may differ.

use serde::Serialize;

use super::constant::{TIE, largest};
use super::moments::{Moments, mean, mean_of, unit_of};
use super::numeric::student::{f_sf, two_sided_t};
use super::numeric::tail::PValue;
use super::numeric::wide::Wide;
use super::reason::Reason;

/// One value of a case in a run.
#[derive(Clone, Copy, Debug)]
pub struct CaseRunValue<T> {
    /// The case.
    pub case: T,
    /// The run.
    pub run: T,
    /// The value.
    pub value: f64,
}

/// The noise of repetition.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Noise {
    /// How many cases.
    pub cases: usize,
    /// How many runs.
    pub runs: usize,
    /// Standard deviation between runs of a case.
    pub sd_within: Option<f64>,
    /// Its degrees of freedom.
    pub df_within: Option<usize>,
    /// What two single runs over all cases must differ by to exceed the noise.
    pub min_diff_runs: Option<f64>,
    /// The same for one case.
    pub min_diff_case: Option<f64>,
    /// Cases that have all runs.
    pub complete_cases: Option<usize>,
    /// Standard deviation of the means of whole runs.
    pub sd_run_means: Option<f64>,
    /// What two runs must differ by where whole runs shift together.
    pub min_diff_run_means: Option<f64>,
    /// Variance component of cases, at least 0.
    pub var_case: Option<f64>,
    /// Variance component of runs, at least 0.
    pub var_run: Option<f64>,
    /// Variance of what is left.
    pub var_residual: Option<f64>,
    /// The component of runs before it is cut at 0.
    pub var_run_raw: Option<f64>,
    /// The component of cases before it is cut at 0.
    pub var_case_raw: Option<f64>,
    /// F statistic of the effect of runs.
    pub f_run: Option<f64>,
    /// Its p-value; none below 1e-300.
    pub p_run: Option<f64>,
    /// The decimal logarithm of that.
    pub log10_p_run: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the noise of repetition and what it takes to exceed it.
///
/// ```math
/// σ_w² = Σ_case SS_within/Σ(runs_case - 1);  min_diff_runs = t σ_w √(2/K),  min_diff_case = t σ_w √2
/// MS_run, MS_case, MS_e of the cases with all R runs;  min_diff_run_means = t(1-α/2, R-1) √(MS_run/K) √2
/// ```
///
/// Several values of a case in a run count with their mean. No cells: `no_values`; one run per case: `no_replicates`; runs
/// that agree exactly: σ_w = 0, `zero_within_variance`. Source: H. Scheffé, The Analysis of Variance (1959), chapters 4, 7.
pub fn noise<T: Ord + Copy>(cells: &[CaseRunValue<T>], alpha: f64) -> Noise {
    let mut cells = cells.to_vec();
    cells.sort_by_key(|cell| (cell.case, cell.run));
    let of_case = |own: &[CaseRunValue<T>]| own.chunk_by(|a, b| a.run == b.run).map(of_run).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = cells.chunk_by(|a, b| a.case == b.case).map(of_case).collect();
    let mut runs: Vec<T> = cells.iter().map(|cell| cell.run).collect();
    runs.sort_unstable();
    runs.dedup();
    let mut out = Noise { cases: rows.len(), runs: runs.len(), ..Noise::default() };
    if rows.is_empty() {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let df: usize = rows.iter().map(|row| row.len() - 1).sum();
    out.df_within = Some(df);
    if df == 0 {
        out.reason = Some(Reason::NoReplicates);
        return out;
    }
    let (within, unit) = sum_of_squares(&rows);
    let sd = (within / Wide::from(df)).sqrt().round() * unit;
    let t = two_sided_t(alpha, df as f64);
    out.sd_within = Some(sd);
    out.min_diff_runs = Some(t * sd * (2.0 / rows.len() as f64).sqrt());
    out.min_diff_case = Some(t * sd * std::f64::consts::SQRT_2);
    if within == Wide::ZERO {
        out.reason = Some(Reason::ZeroWithinVariance);
    }
    let complete: Vec<Vec<f64>> = rows.into_iter().filter(|row| row.len() == runs.len()).collect();
    out.complete_cases = Some(complete.len());
    if complete.len() >= 2 && runs.len() >= 2 {
        two_way(&complete, alpha, &mut out);
    }
    out
}

/// The mean of the cells of a case in a run, mostly one.
fn of_run<T>(cells: &[CaseRunValue<T>]) -> f64 {
    match cells {
        [alone] => alone.value,
        several => mean_of(&several.iter().map(|cell| cell.value).collect::<Vec<f64>>()).unwrap_or_default(),
    }
}

/// The squared deviations of all rows from their own means, in units of the square of a power of two. Each row is taken in
/// a unit of its own, so that one of size 1e300 takes nothing from one of size 1.
fn sum_of_squares(rows: &[Vec<f64>]) -> (Wide, f64) {
    let own: Vec<(Wide, f64)> = rows
        .iter()
        .map(|row| {
            let unit = unit_of([row.as_slice()]);
            (Moments::of(row, unit).ss, unit)
        })
        .collect();
    let spreads: Vec<f64> = own.iter().map(|(ss, unit)| ss.sqrt().round() * unit).collect();
    let common = unit_of([spreads.as_slice()]);
    let scaled = |(ss, unit): (Wide, f64)| ss.scaled(unit / common).scaled(unit / common);
    (own.into_iter().map(scaled).sum(), common)
}

/// The deviations of each row from its own mean, in units of a power of two: what runs and residuals are made of, whatever
/// the size of the case.
fn deviations(rows: &[Vec<f64>]) -> (Vec<Vec<Wide>>, f64) {
    let of = |row: &Vec<f64>| {
        let unit = unit_of([row.as_slice()]);
        let centre = mean(row, unit);
        (row.iter().map(|v| Wide::from(v / unit) - centre).collect::<Vec<Wide>>(), unit)
    };
    let own: Vec<(Vec<Wide>, f64)> = rows.iter().map(of).collect();
    let sizes: Vec<f64> = own.iter().flat_map(|(row, unit)| row.iter().map(move |d| d.round() * unit)).collect();
    let common = unit_of([sizes.as_slice()]);
    let scaled = |(row, unit): (Vec<Wide>, f64)| row.into_iter().map(|d| d.scaled(unit / common)).collect();
    (own.into_iter().map(scaled).collect(), common)
}

/// The two-way table of cases and runs, one value each.
fn two_way(rows: &[Vec<f64>], alpha: f64, out: &mut Noise) {
    let (k, r) = (rows.len(), rows[0].len());
    let (own, unit) = deviations(rows);
    let run_effects: Vec<Wide> = (0..r).map(|j| own.iter().map(|row| row[j]).sum::<Wide>() / Wide::from(k)).collect();
    let ms_run = Wide::from(k) * run_effects.iter().map(|m| m.square()).sum::<Wide>() / Wide::from(r - 1);
    let residuals: Wide =
        own.iter().flat_map(|row| row.iter().zip(&run_effects)).map(|(d, m)| (*d - *m).square()).sum();
    let ms_error = residuals / Wide::from((k - 1) * (r - 1));
    let large = unit_of(rows.iter().map(Vec::as_slice));
    let case_means: Vec<Wide> = rows.iter().map(|row| mean(row, large)).collect();
    let grand = case_means.iter().copied().sum::<Wide>() / Wide::from(k);
    let ms_case = Wide::from(r) * case_means.iter().map(|m| (*m - grand).square()).sum::<Wide>() / Wide::from(k - 1);
    let squared = |w: Wide, unit: f64| Some(w.round() * unit * unit);
    let sd_means = (ms_run / Wide::from(k)).sqrt().round() * unit;
    let raw_run = (ms_run - ms_error) / Wide::from(k);
    let raw_case = (ms_case - ms_error.scaled(unit / large).scaled(unit / large)) / Wide::from(r);
    out.sd_run_means = Some(sd_means);
    out.min_diff_run_means = Some(two_sided_t(alpha, (r - 1) as f64) * sd_means * std::f64::consts::SQRT_2);
    (out.var_run_raw, out.var_run) = (squared(raw_run, unit), squared(raw_run.or_zero(), unit));
    (out.var_case_raw, out.var_case) = (squared(raw_case, large), squared(raw_case.or_zero(), large));
    out.var_residual = squared(ms_error, unit);
    if ms_error.sqrt().round() * unit > TIE * largest(&rows.concat()) {
        let f = (ms_run / ms_error).round();
        let p = PValue::from(f_sf(f, (r - 1) as f64, ((r - 1) * (k - 1)) as f64));
        (out.f_run, out.p_run, out.log10_p_run) = (Some(f), p.p, Some(p.log10_p));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[(&'static str, &'static str, f64)]) -> Vec<CaseRunValue<&'static str>> {
        rows.iter().map(|&(case, run, value)| CaseRunValue { case, run, value }).collect()
    }

    // By hand: A 0.4, 0.6; B 0.5, 0.7: σ_w² = 0.02, df 2, min_diff_runs = t·√0.02·√(2/2), t = 0.95 √(2/(1 - 0.95²)) with 2 degrees of freedom.
    #[test]
    fn two_cases_match_the_worked_example() {
        let n = noise(&cells(&[("A", "1", 0.4), ("A", "2", 0.6), ("B", "1", 0.5), ("B", "2", 0.7)]), 0.05);
        assert!((n.sd_within.unwrap() - 0.02f64.sqrt()).abs() < 1e-15);
        let t = 0.95 * (2.0 / (1.0 - 0.95 * 0.95_f64)).sqrt();
        assert!((n.min_diff_runs.unwrap() - t * 0.02f64.sqrt()).abs() < 1e-12);
        assert_eq!((n.df_within, n.complete_cases), (Some(2), Some(2)));
    }

    // By hand, exactly: the case of size 1e150 agrees in both runs, the others differ by 0.2 and 0.6, so that
    // σ_w² = (0.02 + 0.18)/3, the runs differ by 0.8/3 on average, MS_run = 3 · 2 · (0.4/3)² and
    // MS_e = Σ (d - effect)²/2 with d = 0, ±0.1, ±0.3: (2/9) · (0.16 + 0.01 + 0.25)/2 = 0.046666…
    #[test]
    fn a_huge_case_takes_nothing_from_the_others() {
        for huge in [1e12, 1e100, 1e150] {
            let rows = [("A", huge, huge), ("B", 0.4, 0.6), ("C", 0.1, 0.7)];
            let all: Vec<CaseRunValue<&str>> = rows
                .iter()
                .flat_map(|&(case, one, two)| {
                    [CaseRunValue { case, run: "1", value: one }, CaseRunValue { case, run: "2", value: two }]
                })
                .collect();
            let n = noise(&all, 0.05);
            let close = |got: Option<f64>, right: f64| (got.unwrap() / right - 1.0).abs() < 1e-12;
            assert!(close(n.sd_within, (0.2_f64 / 3.0).sqrt()), "{huge}: {:?}", n.sd_within);
            assert!(
                close(n.sd_run_means, (2.0 * (0.4_f64 / 3.0) * (0.4 / 3.0)).sqrt()),
                "{huge}: {:?}",
                n.sd_run_means
            );
            assert!(close(n.var_residual, 0.14 / 3.0), "{huge}: {:?}", n.var_residual);
            // Two runs that differ by 1: squares of the case means alone, (huge² + …)/3 to twelve digits.
            assert!(close(n.var_case.map(|v| v / huge), huge / 3.0) || huge < 1e13);
        }
    }

    #[test]
    fn nothing_one_run_and_exact_agreement_are_stated() {
        assert_eq!(noise::<&str>(&[], 0.05).reason, Some(Reason::NoValues));
        assert_eq!(noise(&cells(&[("A", "1", 0.4), ("B", "1", 0.5)]), 0.05).reason, Some(Reason::NoReplicates));
        let equal = noise(&cells(&[("A", "1", 0.4), ("A", "2", 0.4)]), 0.05);
        assert_eq!((equal.reason, equal.min_diff_runs), (Some(Reason::ZeroWithinVariance), Some(0.0)));
    }
}

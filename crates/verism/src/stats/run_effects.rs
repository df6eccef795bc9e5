//! Shifts that all cases of a run share, from tables of cases and runs.

use super::noise::Noise;
use super::numeric::student::f_sf;

/// A p-value of the runs from which on none of their shift enters the error of a difference: as likely as not by chance.
pub const UNSEEN: f64 = 0.5;

/// A p-value up to which all of it does.
///
/// So high a level, since a shift that goes unseen costs more than one that was not there: set by simulation
/// (docs/statistics.md).
pub const SHOWN: f64 = 0.08;

/// The same where an experiment has two runs, of which so little can be seen.
pub const SHOWN_OF_TWO: f64 = 0.15;

/// The mean squares of one experiment's table of cases and runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunTable {
    /// Cases with all runs.
    pub cases: usize,
    /// Runs.
    pub runs: usize,
    /// Variance of the means of runs.
    pub between: f64,
    /// The same as it would be from the residuals alone.
    pub within: f64,
}

impl RunTable {
    /// Gives the table behind a noise budget; `None` without two cases that have two runs.
    pub fn of(noise: &Noise) -> Option<RunTable> {
        let cases = noise.complete_cases.filter(|cases| *cases >= 2)?;
        let (sd, residual) = (noise.sd_run_means?, noise.var_residual?);
        Some(RunTable { cases, runs: noise.runs, between: sd * sd, within: residual / cases as f64 })
    }
}

/// The variance that shifts of whole runs add to a mean or a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunEffects {
    /// F of runs against residuals, over all tables; none where the residuals are 0.
    pub f: Option<f64>,
    /// Its p-value.
    pub p: f64,
    /// Variance of a run's shift, at least 0.
    pub variance: f64,
    /// Degrees of freedom of that variance.
    pub df: f64,
}

/// Gives the variance of shifts that whole runs share, pooled over experiments; `None` without a table.
///
/// ```math
/// A = Σ (R-1) MS_run/K / Σ (R-1),  B = Σ (R-1)(K-1) MS_e/K / Σ (R-1)(K-1);   σ_r² = max(A - B, 0),  F = A/B
/// df = (A - B)²/(A²/Σ(R-1) + B²/Σ(R-1)(K-1))
/// ```
///
/// Source: H. Scheffé, The Analysis of Variance (1959), section 7.4; F. E. Satterthwaite, Biometrics Bulletin 2 (1946).
pub fn run_effects(tables: &[RunTable]) -> Option<RunEffects> {
    let (mut between, mut df_between, mut within, mut df_within) = (0.0, 0.0, 0.0, 0.0);
    for table in tables {
        let df = (table.runs - 1) as f64;
        let rest = df * (table.cases - 1) as f64;
        between += df * table.between;
        within += rest * table.within;
        df_between += df;
        df_within += rest;
    }
    if df_between == 0.0 || df_within == 0.0 {
        return None;
    }
    let (a, b) = (between / df_between, within / df_within);
    let f = (b > 0.0).then(|| a / b).filter(|f| f.is_finite());
    let p = match f {
        Some(f) => f_sf(f, df_between, df_within).p,
        None if a > 0.0 => 0.0,
        None => 1.0,
    };
    let variance = (a - b).max(0.0);
    let spread = a * a / df_between + b * b / df_within;
    let df = if spread > 0.0 { variance * variance / spread } else { df_between };
    Some(RunEffects { f, p, variance, df })
}

impl RunEffects {
    /// Gives how much of the shift enters an error, from 0 to 1, where every experiment has so many runs at least.
    ///
    /// ```math
    /// w = ln(½/p)/ln(½/τ) within [0, 1],   τ = 0.08, with two runs 0.15
    /// ```
    ///
    /// A step from nothing to all at one level would cost more power without a shift, and let more false verdicts through with a
    /// small one: of all rules with thresholds in F and in the difference this is close to the best (docs/statistics.md).
    pub fn weight(&self, runs: usize) -> f64 {
        if self.variance <= 0.0 {
            return 0.0;
        }
        let shown = if runs == 2 { SHOWN_OF_TWO } else { SHOWN };
        (libm::log(UNSEEN / self.p) / libm::log(UNSEEN / shown)).clamp(0.0, 1.0)
    }

    /// Gives the standard error and the degrees of freedom of a mean or difference with a share w of the shifts of runs in it.
    ///
    /// ```math
    /// SE² = se² + v,  v = w σ_r² Σ 1/R;   df = SE⁴/(se⁴/df + v²/df_r)
    /// ```
    pub fn widened(&self, se: f64, df: f64, inverse_runs: f64, weight: f64) -> (f64, f64) {
        let (own, shared) = (se * se, weight * self.variance * inverse_runs);
        let total = own + shared;
        if shared <= 0.0 {
            return (se, df);
        }
        (total.sqrt(), total * total / (own * own / df + shared * shared / self.df))
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise::{CaseRunValue, noise};
    use super::*;

    // By hand: three cases, two runs, the second higher by 1 in each, residuals ±e with e = 0.1, 0, -0.1 on the half difference:
    // run means differ by 1, so A = 0.5 (variance of two values 1 apart); MS_e = Σ 2 e²/2 = 0.02, B = 0.02/3.
    #[test]
    fn a_shared_shift_by_hand() {
        let rows = [("a", 0.0, 1.2), ("b", 5.0, 6.0), ("c", 2.0, 2.8)];
        let cells: Vec<CaseRunValue> = rows
            .iter()
            .flat_map(|(case, one, two)| {
                [CaseRunValue { case, run: "1", value: *one }, CaseRunValue { case, run: "2", value: *two }]
            })
            .collect();
        let table = RunTable::of(&noise(&cells, 0.05)).unwrap();
        assert!((table.between - 0.5).abs() < 1e-12 && (table.within - 0.02 / 3.0).abs() < 1e-12, "{table:?}");
        let effects = run_effects(&[table]).unwrap();
        assert!((effects.f.unwrap() - 75.0).abs() < 1e-9 && effects.weight(2) == 1.0);
        assert!((effects.variance - (0.5 - 0.02 / 3.0)).abs() < 1e-12);
        // F(1, 2) beyond 75 is t with 2 degrees of freedom beyond √75: 1 - √75/√77
        assert!((effects.p - (1.0 - (75.0_f64 / 77.0).sqrt())).abs() < 1e-12);
        let (se, _) = effects.widened(0.3, 2.0, 0.5, 1.0);
        assert!((se - (0.09 + (0.5 - 0.02 / 3.0) / 2.0_f64).sqrt()).abs() < 1e-12);
        let (half, _) = effects.widened(0.3, 2.0, 0.5, 0.5);
        assert!((half - (0.09 + (0.5 - 0.02 / 3.0) / 4.0_f64).sqrt()).abs() < 1e-12);
    }

    // By hand: none at ½, all at τ, half of it at the geometric mean of both.
    #[test]
    fn the_weight_grows_with_the_evidence() {
        let at = |p: f64, runs| RunEffects { f: None, p, variance: 1.0, df: 2.0 }.weight(runs);
        assert_eq!((at(0.5, 3), at(0.7, 3), at(0.0, 3), at(0.01, 2)), (0.0, 0.0, 1.0, 1.0));
        assert!((at(0.08, 3) - 1.0).abs() < 1e-12 && (at(0.15, 2) - 1.0).abs() < 1e-12);
        assert!((at(0.04_f64.sqrt(), 5) - 0.5).abs() < 1e-12 && (at(0.075_f64.sqrt(), 2) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn runs_that_agree_better_than_chance_add_nothing() {
        let effects = run_effects(&[RunTable { cases: 5, runs: 3, between: 0.1, within: 0.2 }]).unwrap();
        assert_eq!((effects.variance, effects.weight(3)), (0.0, 0.0));
        assert_eq!(effects.widened(0.3, 4.0, 1.0, 1.0), (0.3, 4.0));
        assert_eq!(run_effects(&[]), None);
    }
}

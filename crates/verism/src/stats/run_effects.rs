//! Shifts that all cases of a run share, from tables of cases and runs.

use super::numeric::student::f_sf;
use super::run_table::RunTable;

/// A p-value of the runs from which on none of their shift enters the error of a difference: as likely as not by chance.
pub const UNSEEN: f64 = 0.5;

/// A p-value up to which all of it does.
///
/// So high a level, since a shift that goes unseen costs more than one that was not there: set by simulation
/// (docs/statistics.md).
pub const SHOWN: f64 = 0.08;

/// The same where an experiment has two runs, of which so little can be seen.
pub const SHOWN_OF_TWO: f64 = 0.15;

/// Cases from which on the first of these levels is the full one.
pub const MANY_CASES: f64 = 25.0;

/// Cases from which on the second one is.
pub const MANY_CASES_OF_TWO: f64 = 15.0;

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
    /// Cases behind it: residuals over runs, each by their degrees of freedom, and 1.
    pub cases: f64,
}

/// Gives the variance of shifts that whole runs share, pooled over experiments; `None` without a table.
///
/// ```math
/// A = Σ ν between/Σ ν,  B = Σ ν_e within/Σ ν_e;   σ_r² = max(A - B, 0),  F = A/B,   df = (A - B)²/(A²/Σν + B²/Σν_e)
/// ```
///
/// Source: H. Scheffé, The Analysis of Variance (1959), section 7.4; F. E. Satterthwaite, Biometrics Bulletin 2 (1946).
pub fn run_effects(tables: &[RunTable]) -> Option<RunEffects> {
    let (mut between, mut df_between, mut within, mut df_within) = (0.0, 0.0, 0.0, 0.0);
    for table in tables {
        between += table.df_between * table.between;
        within += table.df_within * table.within;
        df_between += table.df_between;
        df_within += table.df_within;
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
    Some(RunEffects { f, p, variance, df, cases: 1.0 + df_within / df_between })
}

impl RunEffects {
    /// Gives how much of the shift enters an error, from 0 to 1, where every experiment has so many runs at least.
    ///
    /// ```math
    /// w = ln(½/p)/ln(½/τ) within [0, 1],   τ = 0.08 min(1, K/25), with two runs 0.15 min(1, K/15)
    /// ```
    ///
    /// With few cases their own spread hides most of what a shift could do, so that it takes more evidence.
    /// A step from nothing to all at one level would cost more power without a shift, and let more false verdicts through with a
    /// small one: of all rules with thresholds in F and in the difference this is close to the best (docs/statistics.md).
    pub fn weight(&self, runs: usize) -> f64 {
        if self.variance <= 0.0 {
            return 0.0;
        }
        let (full, many) = if runs == 2 { (SHOWN_OF_TWO, MANY_CASES_OF_TWO) } else { (SHOWN, MANY_CASES) };
        let shown = full * (self.cases / many).min(1.0);
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
    use super::super::run_table::run_table;
    use super::*;

    // By hand: three cases, two runs, the second higher by 1 in each, residuals ±e with e = 0.1, 0, -0.1 on the half difference:
    // run means differ by 1, so A = 0.5 (variance of two values 1 apart); MS_e = Σ 2 e²/2 = 0.02, B = 0.02/3.
    #[test]
    fn a_shared_shift_by_hand() {
        let cases = [vec![(0, 0.0), (1, 1.2)], vec![(0, 5.0), (1, 6.0)], vec![(0, 2.0), (1, 2.8)]];
        let table = run_table(&cases, 2).unwrap();
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
        let of = |p: f64, cases| RunEffects { f: None, p, variance: 1.0, df: 2.0, cases };
        let at = |p: f64, runs| of(p, 30.0).weight(runs);
        assert_eq!((at(0.5, 3), at(0.7, 3), at(0.0, 3), at(0.01, 2)), (0.0, 0.0, 1.0, 1.0));
        assert!((at(0.08, 3) - 1.0).abs() < 1e-12 && (at(0.15, 2) - 1.0).abs() < 1e-12);
        assert!((at(0.04_f64.sqrt(), 5) - 0.5).abs() < 1e-12 && (at(0.075_f64.sqrt(), 2) - 0.5).abs() < 1e-12);
        // Five cases: τ = 0.016, with two runs 0.05.
        assert!((of(0.025_f64.sqrt(), 5.0).weight(2) - 0.5).abs() < 1e-12);
        assert!((of(0.008_f64.sqrt(), 5.0).weight(3) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn runs_that_agree_better_than_chance_add_nothing() {
        let effects =
            run_effects(&[RunTable { runs: 3, between: 0.1, df_between: 2.0, within: 0.2, df_within: 8.0 }]).unwrap();
        assert_eq!((effects.variance, effects.weight(3)), (0.0, 0.0));
        assert_eq!(effects.widened(0.3, 4.0, 1.0, 1.0), (0.3, 4.0));
        assert_eq!(run_effects(&[]), None);
    }
}

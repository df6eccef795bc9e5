//! Two one-sided tests: is the difference too small to matter?

use serde::Serialize;

use super::numeric::student::{t_isf, t_sf};
use super::numeric::tail::{PValue, Tail};
use super::reason::Reason;
use super::t_test::TResult;

/// Two one-sided tests of equivalence.
#[derive(Clone, Debug, Serialize)]
pub struct Tost {
    /// The difference.
    pub diff: Option<f64>,
    /// p-value of the test against the lower margin.
    pub p_lower: Option<f64>,
    /// p-value of the test against the upper margin.
    pub p_upper: Option<f64>,
    /// The larger of the two.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Lower end of the interval of level 1-2α.
    pub lo: Option<f64>,
    /// Upper end of the interval of level 1-2α.
    pub hi: Option<f64>,
    /// Whether the difference is shown to be smaller than the margin.
    pub equivalent: Option<bool>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl Tost {
    /// Gives the test that an interval of another kind makes: `p` is the least level whose one-sided ends lie within the margin.
    pub fn of_ends(diff: Option<f64>, p: Option<f64>, ends: Option<(f64, f64)>, reason: Option<Reason>) -> Tost {
        Tost {
            p,
            log10_p: p.map(libm::log10),
            lo: ends.map(|(lo, _)| lo),
            hi: ends.map(|(_, hi)| hi),
            ..Tost::untested(diff, reason)
        }
    }

    fn untested(diff: Option<f64>, reason: Option<Reason>) -> Tost {
        Tost {
            diff,
            p_lower: None,
            p_upper: None,
            p: None,
            log10_p: None,
            lo: None,
            hi: None,
            equivalent: None,
            reason,
        }
    }
}

/// Gives the test that a difference lies within ±δ.
///
/// ```math
/// p = max(P(T > (diff + δ)/SE), P(T > (δ - diff)/SE));  equivalent iff p < α
/// ```
///
/// `lo`, `hi` are the 1-2α interval. δ = 0: `no_sesoi`.
/// Source: D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987).
pub fn tost(delta: f64, diff: f64, se: f64, df: f64, alpha: f64) -> Tost {
    if delta <= 0.0 {
        return Tost::untested(Some(diff), Some(Reason::NoSesoi));
    }
    let (lower, upper) = (t_sf((diff + delta) / se, df), t_sf((delta - diff) / se, df));
    let larger = lower.max(upper);
    let p = PValue::from(larger);
    let half = t_isf(alpha, df) * se;
    let shown = |tail: Tail| PValue::from(tail).p;
    Tost {
        diff: Some(diff),
        p_lower: shown(lower),
        p_upper: shown(upper),
        p: p.p,
        log10_p: Some(p.log10_p),
        lo: Some(diff - half),
        hi: Some(diff + half),
        equivalent: Some(larger.p < alpha),
        reason: p.reason(),
    }
}

/// Gives the same test on the result of a t test; an untested difference passes its reason on.
pub fn tost_of(delta: f64, result: &TResult, alpha: f64) -> Tost {
    match (result.diff, result.se, result.df) {
        (Some(diff), Some(se), Some(df)) => tost(delta, diff, se, df, alpha),
        _ => Tost::untested(result.diff, result.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // With 2 degrees of freedom P(T > t) = (1 - t/√(2+t²))/2: diff 0, δ = 2 SE gives t = 2.
    #[test]
    fn a_difference_of_zero_has_two_equal_tests() {
        let r = tost(0.2, 0.0, 0.1, 2.0, 0.05);
        let p = (1.0 - 2.0 / 6f64.sqrt()) / 2.0;
        assert!((r.p.unwrap() - p).abs() < 1e-14 && r.p_lower == r.p_upper);
        assert_eq!(r.equivalent, Some(false));
    }

    // Equivalent exactly where the 90 % interval lies inside the margin.
    #[test]
    fn the_test_and_its_interval_agree() {
        for diff in [-0.3, -0.1, 0.0, 0.05, 0.2] {
            let r = tost(0.25, diff, 0.06, 14.0, 0.05);
            assert_eq!(r.equivalent.unwrap(), r.lo.unwrap() > -0.25 && r.hi.unwrap() < 0.25);
        }
    }

    #[test]
    fn no_margin_and_no_test_are_stated() {
        assert_eq!(tost(0.0, 0.1, 0.1, 3.0, 0.05).reason, Some(Reason::NoSesoi));
        let untested = TResult::untested(Reason::FewerThanTwo, Some(0.1));
        assert_eq!(tost_of(0.1, &untested, 0.05).reason, Some(Reason::FewerThanTwo));
    }
}

//! Wilcoxon's signed-rank test.

use serde::Serialize;

use super::differences::Differences;
use super::inference::{Ends, Inference};
use super::numeric::normal::normal_two_sided;
use super::numeric::tail::{PValue, Tail};
use super::numeric::wide::Wide;
use super::rank::midranks;
use super::reason::Reason;

/// The largest number of ranks whose distribution is counted.
pub const LARGEST_EXACT: usize = 120;

/// What becomes of zero differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// Dropped before ranking.
    Wilcox,
    /// Ranked with the others, then dropped with their ranks.
    Pratt,
}

/// Whether the null distribution is counted or approximated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Counted up to the size the specification names.
    Auto,
    /// Counted.
    Always,
    /// Approximated.
    Never,
}

/// Wilcoxon's signed-rank test.
#[derive(Clone, Debug, Serialize)]
pub struct Wilcoxon {
    /// How many differences.
    pub n: usize,
    /// How many of them are zero.
    pub n_zero: usize,
    /// How many are ranked and count.
    pub n_eff: usize,
    /// Rank sum of the positive differences.
    pub w_plus: Option<f64>,
    /// Rank sum of the negative differences.
    pub w_minus: Option<f64>,
    /// The smaller of the two.
    pub w: Option<f64>,
    /// How it was computed.
    pub method: Option<&'static str>,
    /// The normal statistic, where it was used.
    pub z: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// (W+ - W-)/(W+ + W-), its effect size.
    pub rank_biserial: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl Wilcoxon {
    /// Gives what the test says, with the interval that belongs to it.
    pub fn inference(&self, ends: Ends) -> Inference {
        Inference { name: "wilcoxon", statistic: self.w_plus, p: self.p, log10_p: self.log10_p, ends }
    }
}

/// Gives Wilcoxon's signed-rank test of paired differences.
///
/// ```math
/// W+ = Σ rank(|d|) over d > 0;  exact: p = min(1, 2 min(P(W <= w), P(W >= w)))
/// normal: z = max(|W+ - μ| - ½, 0)/σ,  μ = Σr/2,  σ² = Σr²/4
/// ```
///
/// Ties share midranks and the exact distribution is that of the ranks at hand. No pairs: `no_pairs`; nothing but zeros:
/// p = 1, `all_zero`. With `Exact::Always` callers have at most 120 non-zero differences.
/// Source: F. Wilcoxon, Biometrics Bulletin 1 (1945); J. W. Pratt, JASA 54 (1959).
pub fn wilcoxon(d: &Differences, zeros: Zeros, exact: Exact) -> Wilcoxon {
    let tolerance = d.tolerance();
    let nonzero = d.nonzero();
    let mut out = Wilcoxon {
        n: d.values.len(),
        n_zero: d.values.len() - nonzero.len(),
        n_eff: nonzero.len(),
        w_plus: None,
        w_minus: None,
        w: None,
        method: None,
        z: None,
        p: None,
        log10_p: None,
        rank_biserial: None,
        reason: None,
    };
    if d.values.is_empty() {
        out.reason = Some(Reason::NoPairs);
        return out;
    }
    if nonzero.is_empty() {
        (out.w_plus, out.w_minus, out.w) = (Some(0.0), Some(0.0), Some(0.0));
        out.method = Some("exact");
        (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::AllZero));
        return out;
    }
    let ranked: Vec<f64> = match zeros {
        Zeros::Wilcox => nonzero,
        Zeros::Pratt => d.values.iter().map(|v| if v.abs() > tolerance { *v } else { 0.0 }).collect(),
    };
    let sizes: Vec<f64> = ranked.iter().map(|v| v.abs()).collect();
    let doubled = midranks(&sizes, d.ties()).doubled;
    let kept: Vec<(u64, bool)> =
        doubled.iter().zip(&ranked).filter(|(_, v)| **v != 0.0).map(|(r, v)| (*r, *v > 0.0)).collect();
    let ranks: Vec<u64> = kept.iter().map(|(r, _)| *r).collect();
    let total: u64 = ranks.iter().sum();
    let plus: u64 = kept.iter().filter(|(_, positive)| *positive).map(|(r, _)| r).sum();
    let minus = total - plus;
    out.w_plus = Some(plus as f64 / 2.0);
    out.w_minus = Some(minus as f64 / 2.0);
    out.w = Some(plus.min(minus) as f64 / 2.0);
    out.rank_biserial = Some((plus as f64 - minus as f64) / total as f64);
    let p = if exact != Exact::Never && ranks.len() <= LARGEST_EXACT {
        out.method = Some("exact");
        PValue::from(both_tails(&ranks, plus.min(minus)))
    } else {
        let (z, tail) = normal(&ranks, plus, total);
        out.method = Some("normal");
        out.z = Some(z);
        PValue::from(tail)
    };
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// 2 P(W <= w) by counting the sign patterns whose positive ranks sum to at most w; the distribution is symmetric.
fn both_tails(ranks: &[u64], w: u64) -> Tail {
    // Without ties all doubled ranks are even: half the table does.
    let unit = if ranks.iter().all(|r| r % 2 == 0) { 2 } else { 1 };
    let reach = (w / unit) as usize;
    let mut counts = vec![0_u128; reach + 1];
    counts[0] = 1;
    for rank in ranks {
        let rank = (rank / unit) as usize;
        for sum in (rank..=reach).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    let patterns: u128 = counts.iter().sum();
    let n = ranks.len() as i32;
    let ln = libm::log(patterns as f64) - f64::from(n - 1) * std::f64::consts::LN_2;
    Tail { p: libm::scalbn(patterns as f64, 1 - n), ln }
}

/// z with continuity correction, its sign that of W+ - μ, and the two-sided tail.
fn normal(ranks: &[u64], plus: u64, total: u64) -> (f64, Tail) {
    let squares: u128 = ranks.iter().map(|r| u128::from(*r) * u128::from(*r)).sum();
    // In doubled ranks: W+ - μ = (2 plus - total)/4, σ² = Σr²/16
    let deviation = (2.0 * plus as f64 - total as f64) / 4.0;
    let sd = (Wide::from(squares) / Wide::from(16.0)).sqrt().round();
    let z = (deviation.abs() - 0.5).max(0.0) / sd;
    (if deviation < 0.0 { -z + 0.0 } else { z }, normal_two_sided(z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(d: &[f64], zeros: Zeros) -> Wilcoxon {
        wilcoxon(&Differences::of(d), zeros, Exact::Auto)
    }

    // By hand: (0,1,-1,2): ranks 1.5, 1.5, 3, W+ 4.5, 3 of 8 patterns reach it; Pratt: ranks 2.5, 2.5, 4, W+ 6.5, again 3 of 8.
    #[test]
    fn both_zero_rules_match_the_worked_example() {
        let d = [0.0, 1.0, -1.0, 2.0];
        let wilcox = exact(&d, Zeros::Wilcox);
        assert_eq!((wilcox.w_plus, wilcox.p, wilcox.n_zero), (Some(4.5), Some(0.75), 1));
        let pratt = exact(&d, Zeros::Pratt);
        assert_eq!((pratt.w_plus, pratt.p), (Some(6.5), Some(0.75)));
    }

    // By hand: all of (1,2,3,4) positive: 2/16.
    #[test]
    fn all_positive_is_two_patterns() {
        assert_eq!(exact(&[1.0, 2.0, 3.0, 4.0], Zeros::Wilcox).p, Some(0.125));
        let many: Vec<f64> = (1..=120).map(f64::from).collect();
        assert_eq!(exact(&many, Zeros::Wilcox).p, Some(libm::scalbn(1.0, -119)));
    }

    #[test]
    fn zeros_alone_and_nothing_are_stated() {
        assert_eq!(exact(&[0.0, 0.0], Zeros::Pratt).reason, Some(Reason::AllZero));
        assert_eq!(exact(&[], Zeros::Wilcox).reason, Some(Reason::NoPairs));
    }

    #[test]
    fn more_than_120_take_the_normal_law() {
        let many: Vec<f64> = (1..=121).map(f64::from).collect();
        let r = exact(&many, Zeros::Wilcox);
        assert_eq!(r.method, Some("normal"));
        // z = (n(n+1)/4 - ½)/√(n(n+1)(2n+1)/24) at n = 121
        assert!((r.z.unwrap() - 3690.0 / (121.0 * 122.0 * 243.0 / 24.0_f64).sqrt()).abs() < 1e-12);
    }
}

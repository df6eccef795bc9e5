//! The sign-flip test of paired differences, and McNemar's test, which is its case of yes and no.

use rayon::prelude::*;
use serde::Serialize;

use super::differences::Differences;
use super::inference::{Ends, Inference};
use super::moments::mean_of;
use super::numeric::binomial::fair_coin;
use super::numeric::tail::{PValue, SMALLEST_P, Tail};
use super::random::{Domain, Draw};
use super::rank::midranks;
use super::reason::Reason;
use super::sum::neumaier;

/// Up to 2^20 sign patterns are enumerated.
const ENUMERABLE: usize = 20;

/// The sign-flip test of pairs.
#[derive(Clone, Debug, Serialize)]
pub struct SignFlip {
    /// How many differences.
    pub n: usize,
    /// How many of them are not zero.
    pub n_eff: usize,
    /// The mean difference.
    pub statistic: Option<f64>,
    /// How it was computed.
    pub method: Option<&'static str>,
    /// How many arrangements are at least as extreme; in Monte Carlo the one at hand is not counted.
    pub count: Option<u64>,
    /// How many arrangements were looked at.
    pub total: Option<u64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl SignFlip {
    /// Gives what the test says, with the interval that belongs to it.
    pub fn inference(&self, ends: Ends) -> Inference {
        Inference { name: "signflip", statistic: self.statistic, p: self.p, log10_p: self.log10_p, ends }
    }
}

/// Gives the share of sign patterns whose sum of differences is at least as far from 0 as the one seen.
///
/// ```math
/// p = #{|Σ ±d| >= |Σ d| - 1e-12 Σ|d|} / 2^n,   Monte Carlo: (1 + count)/(1 + B)
/// ```
///
/// Zeros are dropped. All |d| tied: the exact sign test for any n. No pairs: `no_pairs`; only zeros: p = 1, `all_zero`.
/// Source: R. A. Fisher, The Design of Experiments (1935), section 21.
pub fn signflip(d: &Differences, resamples: u64, seed: u64) -> SignFlip {
    let nonzero = d.nonzero();
    let n = nonzero.len();
    let mut out = SignFlip {
        n: d.values.len(),
        n_eff: n,
        statistic: mean_of(&d.values),
        method: None,
        count: None,
        total: None,
        p: None,
        log10_p: None,
        reason: None,
    };
    if d.values.is_empty() {
        out.reason = Some(Reason::NoPairs);
        return out;
    }
    if n == 0 {
        (out.statistic, out.method) = (Some(0.0), Some("exact"));
        (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::AllZero));
        return out;
    }
    let sizes: Vec<f64> = nonzero.iter().map(|v| v.abs()).collect();
    let p = if midranks(&sizes, d.ties()).sizes.len() == 1 {
        out.method = Some("exact_sign");
        let positive = nonzero.iter().filter(|v| **v > 0.0).count();
        PValue::from(fair_coin(positive as u64, n as u64).two_sided)
    } else {
        let threshold = neumaier(nonzero.iter().copied()).abs() - 1e-12 * neumaier(sizes);
        let (method, count, total, part, whole) = if n <= ENUMERABLE {
            let count = patterns_as_far(&nonzero, threshold);
            ("exact", count, 1 << n, count, 1_u64 << n)
        } else {
            let count = draws_as_far(&nonzero, threshold, resamples, seed);
            ("monte_carlo", count, resamples, count + 1, resamples + 1)
        };
        (out.method, out.count, out.total) = (Some(method), Some(count), Some(total));
        PValue::from(Tail::from_counts(part.into(), whole.into()))
    };
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// How many of all sign patterns reach the threshold: the sums of both halves of the values, each with each.
fn patterns_as_far(values: &[f64], threshold: f64) -> u64 {
    let (left, right) = values.split_at(values.len() / 2);
    let sums = |half: &[f64]| {
        half.iter().fold(vec![0.0], |sums: Vec<f64>, v| sums.iter().flat_map(|s| [s + v, s - v]).collect())
    };
    let right = sums(right);
    sums(left).iter().map(|a| right.iter().filter(|b| (a + *b).abs() >= threshold).count() as u64).sum()
}

fn draws_as_far(values: &[f64], threshold: f64, resamples: u64, seed: u64) -> u64 {
    let reaches = |b: &u64| {
        let flips = Draw::new(seed, Domain::SignFlip, *b).flips(values.len());
        neumaier(values.iter().zip(flips).map(|(v, flip)| if flip { -v } else { *v })).abs() >= threshold
    };
    (0..resamples).into_par_iter().filter(reaches).count() as u64
}

/// McNemar's test.
#[derive(Clone, Debug, Serialize)]
pub struct McNemar {
    /// How many pairs, where they were given.
    pub n: Option<usize>,
    /// Pairs with x = 1, y = 0.
    pub b: Option<u64>,
    /// Pairs with x = 0, y = 1.
    pub c: Option<u64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// The p-value that counts the outcome itself half.
    pub p_mid: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl McNemar {
    /// Gives what the test says, with the interval that belongs to it.
    pub fn inference(&self, ends: Ends) -> Inference {
        Inference { name: "mcnemar", statistic: self.b.map(|b| b as f64), p: self.p, log10_p: self.log10_p, ends }
    }
}

/// Gives McNemar's exact test of b pairs that changed one way and c that changed the other.
///
/// ```math
/// p = min(1, 2 P(Bin(b+c, ½) <= min(b, c))),   mid-p = that sum - P(Bin = b)
/// ```
///
/// No discordant pair: p = 1, `no_discordant`. Source: Q. McNemar, Psychometrika 12 (1947); M. W. Fagerland, S. Lydersen,
/// P. Laake, BMC Med. Res. Methodol. 13 (2013) for the mid-p.
pub fn mcnemar_counts(b: u64, c: u64) -> McNemar {
    let mut out = McNemar { n: None, b: Some(b), c: Some(c), p: None, log10_p: None, p_mid: None, reason: None };
    if b + c == 0 {
        (out.p, out.log10_p, out.p_mid) = (Some(1.0), Some(0.0), Some(1.0));
        out.reason = Some(Reason::NoDiscordant);
        return out;
    }
    let coin = fair_coin(b, b + c);
    let p = PValue::from(coin.two_sided);
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    let mid = coin.two_sided.p - coin.point.p;
    out.p_mid = (mid > SMALLEST_P).then_some(mid.min(1.0));
    out
}

/// Gives McNemar's test of pairs in {0, 1}; other values: `not_binary`.
pub fn mcnemar(x: &[f64], y: &[f64]) -> McNemar {
    if x.iter().chain(y).any(|v| *v != 0.0 && *v != 1.0) {
        let reason = Some(Reason::NotBinary);
        return McNemar { n: Some(x.len()), b: None, c: None, p: None, log10_p: None, p_mid: None, reason };
    }
    let count = |u: f64, v: f64| x.iter().zip(y).filter(|(a, b)| **a == u && **b == v).count() as u64;
    McNemar { n: Some(x.len()), ..mcnemar_counts(count(1.0, 0.0), count(0.0, 1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: all of (1,2,3,4) positive: the sum 10 is reached by 2 of 16 patterns.
    #[test]
    fn four_positive_differences_are_two_of_sixteen() {
        let r = signflip(&Differences::of(&[1.0, 2.0, 3.0, 4.0]), 99, 1);
        assert_eq!((r.count, r.total, r.p), (Some(2), Some(16), Some(0.125)));
    }

    // 60 differences of 0.2: two of 2^60 patterns.
    #[test]
    fn equal_differences_take_the_sign_test() {
        let r = signflip(&Differences::of(&[0.2; 60]), 99, 1);
        assert_eq!((r.method, r.p), (Some("exact_sign"), Some(libm::scalbn(1.0, -59))));
    }

    #[test]
    fn monte_carlo_counts_itself() {
        let d: Vec<f64> = (1..=25).map(f64::from).collect();
        let r = signflip(&Differences::of(&d), 99, 7);
        // All 25 positive: no random pattern of 99 reaches the sum (chance 2^-24 each), so p = 1/100.
        assert_eq!((r.count, r.p), (Some(0), Some(0.01)));
    }

    #[test]
    fn zeros_alone_and_nothing_are_stated() {
        assert_eq!(signflip(&Differences::of(&[0.0]), 99, 1).reason, Some(Reason::AllZero));
        assert_eq!(signflip(&Differences::of(&[]), 99, 1).reason, Some(Reason::NoPairs));
        assert_eq!(mcnemar(&[1.0], &[1.0]).reason, Some(Reason::NoDiscordant));
        assert_eq!(mcnemar(&[0.5], &[1.0]).reason, Some(Reason::NotBinary));
    }

    // By hand: 9 v 2: 134/2048, mid-p less C(11,2)/2048 = 55/2048.
    #[test]
    fn mcnemar_matches_the_worked_example() {
        let r = mcnemar_counts(9, 2);
        assert_eq!((r.p, r.p_mid), (Some(0.0654296875), Some(79.0 / 2048.0)));
    }
}

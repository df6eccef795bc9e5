//! Spearman's rank correlation.

use rayon::prelude::*;
use serde::Serialize;

use super::numeric::tail::{PValue, Tail};
use super::pearson::{Products, correlation_t};
use super::random::{Domain, Draw};
use super::rank::{Tolerance, midranks};
use super::reason::Reason;

/// Up to here all n! orders are enumerated.
const ENUMERABLE: usize = 9;

/// Spearman's rank correlation.
#[derive(Clone, Debug, Serialize)]
pub struct Spearman {
    /// How many pairs of values.
    pub n: usize,
    /// The correlation.
    pub rho: Option<f64>,
    /// The t statistic.
    pub t: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<usize>,
    /// p-value by the t distribution.
    pub p_t: Option<f64>,
    /// Its decimal logarithm.
    pub log10_p_t: Option<f64>,
    /// p-value by permutation.
    pub p_perm: Option<f64>,
    /// Its decimal logarithm.
    pub log10_p_perm: Option<f64>,
    /// `exact` or `monte_carlo`.
    pub perm_method: Option<&'static str>,
    /// The p-value that counts.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Which of the two it is.
    pub p_source: Option<&'static str>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// How the interval was computed.
    pub ci_method: &'static str,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives Spearman's ρ of paired values with two p-values, without an interval (which the bootstrap adds).
///
/// ```math
/// ρ = Pearson's r of the midranks;  p_t from t = ρ √((n-2)/(1-ρ²));  p_perm = #{|ρ*| >= |ρ|}/n!,  or (1+count)/(1+B)
/// ```
///
/// The headline p is p_perm where all n! orders were taken (n <= 9) or p_t is undefined, else p_t. n < 3: `n_lt_3`; a
/// constant side: `constant_input`; the same order on both sides: `perfect_correlation`.
/// Source: C. Spearman, Am. J. Psychol. 15 (1904); E. J. G. Pitman (1937) for the permutations.
pub fn spearman(x: &[f64], y: &[f64], resamples: u64, seed: u64) -> Spearman {
    let n = x.len();
    let mut out = Spearman {
        n,
        rho: None,
        t: None,
        df: None,
        p_t: None,
        log10_p_t: None,
        p_perm: None,
        log10_p_perm: None,
        perm_method: None,
        p: None,
        log10_p: None,
        p_source: None,
        ci_lo: None,
        ci_hi: None,
        ci_method: "percentile",
        reason: None,
    };
    if n < 3 {
        out.reason = Some(Reason::FewerThanThree);
        return out;
    }
    let (rx, ry) = (midranks(x, Tolerance::Relative), midranks(y, Tolerance::Relative));
    if rx.sizes.len() == 1 || ry.sizes.len() == 1 {
        out.reason = Some(Reason::ConstantInput);
        return out;
    }
    let as_numbers = |ranks: &[u64]| ranks.iter().map(|r| *r as f64).collect::<Vec<f64>>();
    let test = correlation_t(&Products::of(&as_numbers(&rx.doubled), &as_numbers(&ry.doubled)), n);
    (out.rho, out.t, out.df) = (Some(test.r), test.t, Some(n - 2));
    match test.p {
        Some(p) => (out.p_t, out.log10_p_t, out.reason) = (p.p, Some(p.log10_p), p.reason()),
        None => out.reason = Some(Reason::PerfectCorrelation),
    }
    let (method, tail) = permutation_share(&rx.doubled, &ry.doubled, resamples, seed);
    let perm = PValue::from(tail);
    (out.p_perm, out.log10_p_perm, out.perm_method) = (perm.p, Some(perm.log10_p), Some(method));
    if method == "exact" || test.p.is_none() {
        (out.p, out.log10_p, out.p_source) = (out.p_perm, out.log10_p_perm, Some("permutation"));
    } else {
        (out.p, out.log10_p, out.p_source) = (out.p_t, out.log10_p_t, Some("t"));
    }
    out
}

/// Σ rx ry relative to its mean over all orders, on whole numbers: ties of the statistic are exact.
fn permutation_share(rx: &[u64], ry: &[u64], resamples: u64, seed: u64) -> (&'static str, Tail) {
    let n = rx.len();
    let base = rx.iter().map(|r| i128::from(*r)).sum::<i128>() * ry.iter().map(|r| i128::from(*r)).sum::<i128>();
    let far = |order: &[usize]| {
        let product: i128 = rx.iter().zip(order).map(|(a, i)| i128::from(*a) * i128::from(ry[*i])).sum();
        (n as i128 * product - base).unsigned_abs()
    };
    let mut order: Vec<usize> = (0..n).collect();
    let seen = far(&order);
    if n <= ENUMERABLE {
        let (mut count, mut total) = (0_u128, 0_u128);
        each_order(&mut order, n, &mut |order| {
            total += 1;
            count += u128::from(far(order) >= seen);
        });
        return ("exact", Tail::from_counts(count, total));
    }
    let reaches = |order: &mut Vec<usize>, b: u64| {
        order.clear();
        order.extend(0..n);
        Draw::new(seed, Domain::Correlation, b).shuffle(order);
        u128::from(far(order) >= seen)
    };
    let count: u128 = (0..resamples).into_par_iter().map_init(Vec::new, reaches).sum();
    ("monte_carlo", Tail::from_counts(count + 1, u128::from(resamples) + 1))
}

/// Visits every order of the first k elements (Heap's algorithm).
fn each_order(order: &mut [usize], k: usize, visit: &mut impl FnMut(&[usize])) {
    if k <= 1 {
        visit(order);
        return;
    }
    for i in 0..k {
        each_order(order, k - 1, visit);
        if i + 1 < k {
            order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 1 2 3 v 1 3 2: Σ d² = 2, ρ = 1 - 6·2/(3·8) = ½; of 6 orders 4 have |ρ| >= ½, 2 have |ρ| = 1: all 6.
    #[test]
    fn three_points_are_counted() {
        let s = spearman(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], 99, 1);
        assert!((s.rho.unwrap() - 0.5).abs() < 1e-16);
        assert_eq!((s.p, s.p_source), (Some(1.0), Some("permutation")));
    }

    // Every order once: n! visits, all distinct.
    #[test]
    fn heaps_algorithm_visits_every_order_once() {
        let mut seen = std::collections::BTreeSet::new();
        each_order(&mut [0, 1, 2, 3, 4], 5, &mut |o| assert!(seen.insert(o.to_vec())));
        assert_eq!(seen.len(), 120);
    }

    #[test]
    fn the_same_order_is_perfect_and_never_p_zero() {
        let x: Vec<f64> = (0..12).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|v| v * v).collect();
        let s = spearman(&x, &y, 999, 5);
        assert_eq!((s.rho, s.p_t, s.reason), (Some(1.0), None, Some(Reason::PerfectCorrelation)));
        assert_eq!(s.p, Some(0.001));
    }

    #[test]
    fn constants_and_two_points_are_undefined() {
        assert_eq!(spearman(&[1.0; 3], &[1.0, 2.0, 3.0], 99, 1).reason, Some(Reason::ConstantInput));
        assert_eq!(spearman(&[1.0; 2], &[1.0, 2.0], 99, 1).reason, Some(Reason::FewerThanThree));
    }
}

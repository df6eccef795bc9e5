//! The permutation test of two independent samples.

use rayon::prelude::*;
use serde::Serialize;

use super::constant::largest;
use super::inference::{Ends, Inference};
use super::moments::{Moments, unit_of};
use super::numeric::binomial::{choose_up_to, hypergeometric_as_far};
use super::numeric::tail::{PValue, Tail};
use super::random::{Domain, Draw};
use super::rank::{Tolerance, midranks};
use super::reason::Reason;
use super::sum::neumaier;

/// Up to this many choices are enumerated.
const ENUMERABLE: u128 = 1 << 20;

/// The permutation test of two means.
#[derive(Clone, Debug, Serialize)]
pub struct Permutation {
    /// How many values of x.
    pub n_x: usize,
    /// How many values of y.
    pub n_y: usize,
    /// The difference of means.
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

impl Permutation {
    /// Gives what the test says, with the interval that belongs to it.
    pub fn inference(&self, ends: Ends) -> Inference {
        Inference { name: "permutation", statistic: self.statistic, p: self.p, log10_p: self.log10_p, ends }
    }
}

/// Which sample stands first in the pooled vector that is shuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The first sample.
    X,
    /// The second sample.
    Y,
}

/// Gives the share of divisions of the pooled values whose means are at least as far apart as those seen.
///
/// ```math
/// p = #{|x̄* - ȳ*| >= |x̄ - ȳ| - 1e-12 max|value|} / C(n_x+n_y, n_x),   Monte Carlo: (1 + count)/(1 + B)
/// ```
///
/// Two distinct values in all: exact hypergeometric for any n. No values on a side: `no_values`; all tied: p = 1,
/// `all_ties`. Source: E. J. G. Pitman, Suppl. J. R. Stat. Soc. 4 (1937).
pub fn permutation(x: &[f64], y: &[f64], resamples: u64, seed: u64, first: First) -> Permutation {
    let mut out = Permutation {
        n_x: x.len(),
        n_y: y.len(),
        statistic: None,
        method: None,
        count: None,
        total: None,
        p: None,
        log10_p: None,
        reason: None,
    };
    if x.is_empty() || y.is_empty() {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let unit = unit_of([x, y]);
    out.statistic = Some((Moments::of(x, unit).mean - Moments::of(y, unit).mean).round() * unit);
    let (a, b) = if first == First::X { (x, y) } else { (y, x) };
    let pool: Vec<f64> = a.iter().chain(b).map(|v| v / unit).collect();
    let groups = midranks(&pool, Tolerance::Relative);
    if groups.sizes.len() == 1 {
        (out.statistic, out.method) = (Some(0.0), Some("exact"));
        (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::AllTies));
        return out;
    }
    let (n, m) = (a.len() as u64, b.len() as u64);
    let p = if groups.sizes.len() == 2 {
        let upper = groups.doubled.iter().max().copied().unwrap_or_default();
        let seen = groups.doubled[..a.len()].iter().filter(|r| **r == upper).count() as u64;
        out.method = Some("exact_hypergeometric");
        PValue::from(hypergeometric_as_far(n, m, groups.sizes[1] as u64, seen))
    } else {
        let gap = Gap::of(&pool, a.len());
        let (method, count, total, part, whole) = match choose_up_to(n + m, n, ENUMERABLE) {
            Some(choices) => {
                let count = gap.choices_as_far(&pool, a.len(), 0.0);
                ("exact", count, choices as u64, count, choices as u64)
            }
            None => {
                let count = gap.shuffles_as_far(&pool, resamples, seed);
                ("monte_carlo", count, resamples, count + 1, resamples + 1)
            }
        };
        (out.method, out.count, out.total) = (Some(method), Some(count), Some(total));
        PValue::from(Tail::from_counts(part.into(), whole.into()))
    };
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// The distance of the two means as a function of the first sample's sum.
struct Gap {
    n: usize,
    m: usize,
    total: f64,
    threshold: f64,
}

impl Gap {
    fn of(pool: &[f64], n: usize) -> Gap {
        let gap = Gap { n, m: pool.len() - n, total: neumaier(pool.iter().copied()), threshold: 0.0 };
        let seen = gap.at(neumaier(pool[..n].iter().copied()));
        Gap { threshold: seen - 1e-12 * largest(pool), ..gap }
    }

    fn at(&self, sum: f64) -> f64 {
        (sum / self.n as f64 - (self.total - sum) / self.m as f64).abs()
    }

    fn reached(&self, sum: f64) -> bool {
        self.at(sum) >= self.threshold
    }

    /// Counts over all choices of `left` values of the rest, added to a partial sum.
    fn choices_as_far(&self, rest: &[f64], left: usize, sum: f64) -> u64 {
        if left == 0 {
            return self.reached(sum).into();
        }
        if left == 1 {
            return rest.iter().filter(|v| self.reached(sum + **v)).count() as u64;
        }
        (0..=rest.len() - left).map(|i| self.choices_as_far(&rest[i + 1..], left - 1, sum + rest[i])).sum()
    }

    fn shuffles_as_far(&self, pool: &[f64], resamples: u64, seed: u64) -> u64 {
        let reaches = |order: &mut Vec<usize>, b: u64| {
            order.clear();
            order.extend(0..pool.len());
            Draw::new(seed, Domain::Permutation, b).shuffle(order);
            u64::from(self.reached(neumaier(order[..self.n].iter().map(|i| pool[*i]))))
        };
        (0..resamples).into_par_iter().map_init(|| Vec::with_capacity(pool.len()), reaches).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (4,5) v (1,2,3): the largest of 10 sums; |gap| 2.5 is reached from the other side by no choice: 1/10.
    #[test]
    fn separated_samples_are_counted() {
        let r = permutation(&[4.0, 5.0], &[1.0, 2.0, 3.0], 99, 1, First::X);
        // sums 9 and 3 have gaps 4.5-2 = 2.5 and 1.5-4 = -2.5: both as far
        assert_eq!((r.count, r.total, r.p), (Some(2), Some(10), Some(0.2)));
    }

    #[test]
    fn two_values_take_the_hypergeometric_law_and_swapping_keeps_p() {
        let (x, y) = (vec![1.0; 40], [vec![0.0; 30], vec![1.0; 10]].concat());
        let a = permutation(&x, &y, 99, 1, First::X);
        let b = permutation(&y, &x, 99, 1, First::Y);
        assert_eq!(a.method, Some("exact_hypergeometric"));
        assert_eq!(a.p, b.p);
    }

    #[test]
    fn roles_mirror_when_the_first_sample_stays_first() {
        let x: Vec<f64> = (0..20).map(|i| f64::from(i * i % 17)).collect();
        let y: Vec<f64> = (0..22).map(|i| f64::from(i * 5 % 19) + 0.25).collect();
        let a = permutation(&x, &y, 499, 3, First::X);
        let b = permutation(&y, &x, 499, 3, First::Y);
        assert_eq!((a.method, a.count), (Some("monte_carlo"), b.count));
    }

    #[test]
    fn ties_alone_and_nothing_are_stated() {
        assert_eq!(permutation(&[0.5], &[0.5], 99, 1, First::X).reason, Some(Reason::AllTies));
        assert_eq!(permutation(&[], &[0.5], 99, 1, First::X).reason, Some(Reason::NoValues));
    }
}

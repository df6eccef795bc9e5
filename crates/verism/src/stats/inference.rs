//! What a test says of a difference, whichever test it is: a p-value and an interval at any level.
//!
//! Every test of two samples has a struct with the numbers that its publication names, and gives an [`Inference`] from them.

use super::describe::Factor;
use super::hodges_lehmann::HodgesLehmann;
use super::margin::Margin;
use super::mass_bound::Equal;
use super::newcombe::{Bounded, PairCounts, combined, newcombe, newcombe_paired};
use super::numeric::student::{t_sf, t_two_sided};
use super::numeric::tail::{PValue, Tail};
use super::skew::SkewedT;
use super::studentised::Studentised;
use super::typical_values::TypicalValues;

/// The result of a test.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The test.
    pub name: &'static str,
    /// Its statistic.
    pub statistic: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// The interval that belongs to it.
    pub ends: Ends,
}

impl Inference {
    /// Gives the result of a test that has a statistic and a p-value.
    pub fn of(name: &'static str, statistic: f64, tail: Tail, ends: Ends) -> Inference {
        let p = PValue::from(tail);
        Inference { name, statistic: Some(statistic), p: p.p, log10_p: Some(p.log10_p), ends }
    }
}

/// A mean of one sample with a t interval, or a bound from equal values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mean {
    /// A sample that varies.
    T {
        /// Its mean.
        mean: f64,
        /// The standard error.
        se: f64,
        /// Degrees of freedom.
        df: f64,
    },
    /// Equal values in a known range.
    Equal(Equal),
}

impl Mean {
    fn at(&self, alpha: f64, one_sided: bool) -> Bounded {
        match *self {
            Mean::T { mean, se, df } => {
                let half = Factor::T.at(if one_sided { 2.0 * alpha } else { alpha }, df) * se;
                Bounded { lo: mean - half, at: mean, hi: mean + half }
            }
            Mean::Equal(equal) => {
                let (lo, hi) = equal.ends(alpha);
                Bounded { lo, at: equal.value, hi }
            }
        }
    }
}

/// Where an interval comes from.
#[derive(Clone, Debug)]
pub enum Ends {
    /// There is none.
    None,
    /// Mean and standard error with a factor.
    T {
        /// The difference.
        diff: f64,
        /// Its standard error.
        se: f64,
        /// Degrees of freedom.
        df: f64,
        /// What multiplies the standard error.
        factor: Factor,
    },
    /// Two t intervals of one difference, each with a standard error and degrees of freedom of its own.
    Both {
        /// The difference.
        diff: f64,
        /// Standard error and degrees of freedom of each.
        errors: [(f64, f64); 2],
    },
    /// Student's t beside Hall's.
    Skewed(SkewedT),
    /// The permutation of Welch's t beside Hall's.
    Studentised {
        /// Difference, standard error and skewness.
        skewed: SkewedT,
        /// The permutations.
        permuted: Studentised,
    },
    /// Two independent shares: k_x, n_x, k_y, n_y.
    Shares([u64; 4]),
    /// Two paired shares.
    PairedShares(PairCounts),
    /// Equal differences in a known range.
    Equal(Equal),
    /// Two means, each with an interval of its own.
    Apart(Mean, Mean),
    /// The shifts that a randomisation test does not reject.
    Typical(TypicalValues),
    /// The shifts that a rank test does not reject.
    Ranks(HodgesLehmann),
}

impl Ends {
    /// Gives the word for how the interval is made.
    pub fn method(&self) -> &'static str {
        match self {
            Ends::None => "none",
            Ends::T { factor, .. } => factor.name(),
            Ends::Both { .. } => Factor::T.name(),
            Ends::Skewed(_) => "skew_t",
            Ends::Studentised { .. } => "permutation_t",
            Ends::Shares(_) => "newcombe",
            Ends::PairedShares(_) => "newcombe_paired",
            Ends::Equal(_) => "mass_bound",
            Ends::Apart(Mean::Equal(_), Mean::Equal(_)) => "mass_bound",
            Ends::Apart(..) => "mass_bound_t",
            Ends::Typical(_) => "test_inversion",
            Ends::Ranks(_) => "hodges_lehmann",
        }
    }

    /// Gives the ends of the interval of level 1 - α.
    pub fn at(&self, alpha: f64) -> Option<(f64, f64)> {
        self.ends(alpha, false)
    }

    /// Gives the ends of which each by itself has level 1 - α: the interval of level 1 - 2α, but for bounds from equal values.
    pub fn one_sided(&self, alpha: f64) -> Option<(f64, f64)> {
        self.ends(alpha, true)
    }

    fn ends(&self, alpha: f64, one_sided: bool) -> Option<(f64, f64)> {
        let both = if one_sided { 2.0 * alpha } else { alpha };
        match self {
            Ends::None => None,
            Ends::T { diff, se, df, factor } => {
                let half = factor.at(both, *df) * se;
                Some((diff - half, diff + half))
            }
            Ends::Both { diff, errors } => {
                let half = errors.iter().map(|(se, df)| Factor::T.at(both, *df) * se).fold(0.0, f64::max);
                Some((diff - half, diff + half))
            }
            Ends::Skewed(skewed) => Some(skewed.ends(both)),
            Ends::Studentised { skewed, permuted } => {
                let half = permuted.factor(both)? * skewed.se;
                let (lo, hi) = skewed.hall_ends(both);
                Some((lo.min(skewed.diff - half), hi.max(skewed.diff + half)))
            }
            Ends::Shares([k_x, n_x, k_y, n_y]) => Some(newcombe(*k_x, *n_x, *k_y, *n_y, both)),
            Ends::PairedShares(counts) => Some(newcombe_paired(*counts, both)),
            Ends::Equal(equal) => Some(equal.ends(alpha)),
            Ends::Apart(x, y) => Some(combined(x.at(alpha, one_sided), y.at(alpha, one_sided), 0.0)),
            Ends::Typical(values) => values.ends(both),
            Ends::Ranks(shifts) => shifts.ends(both),
        }
    }

    /// Gives the p-value of the test that the difference lies within ±δ: the least α whose one-sided ends do.
    pub fn p_within(&self, delta: f64, scale: f64) -> Option<f64> {
        if let Ends::T { diff, se, df, factor: Factor::T } = self {
            return Some(t_sf((diff + delta) / se, *df).max(t_sf((delta - diff) / se, *df)).p);
        }
        let (low, high) = (Margin::of(-delta, scale), Margin::of(delta, scale));
        self.least(|alpha| self.one_sided(alpha).is_some_and(|(lo, hi)| low.is_below(lo) && high.is_above(hi)))
    }

    /// Gives the p-value of the test that the difference lies beyond ±δ: the least α whose interval does.
    pub fn p_beyond(&self, delta: f64, scale: f64) -> Option<f64> {
        if let Ends::T { diff, se, df, factor: Factor::T } = self {
            let excess = (diff.abs() - delta) / se;
            return Some(if excess > 0.0 { t_two_sided(excess, *df).p } else { 1.0 });
        }
        let (low, high) = (Margin::of(-delta, scale), Margin::of(delta, scale));
        self.least(|alpha| self.at(alpha).is_some_and(|(lo, hi)| high.is_below(lo) || low.is_above(hi)))
    }

    /// The least α at which something holds that holds at all larger ones; 1 where it holds at none up to ½.
    fn least(&self, holds: impl Fn(f64) -> bool) -> Option<f64> {
        self.at(0.05)?;
        if !holds(0.499_999) {
            return Some(1.0);
        }
        let (mut low, mut high) = (libm::log(1e-15), libm::log(0.499_999));
        if holds(1e-15) {
            return Some(1e-15);
        }
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if holds(libm::exp(middle)) { high = middle } else { low = middle }
        }
        Some(libm::exp(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The tests against margins agree with the intervals they come from, at any level.
    #[test]
    fn margins_and_intervals_agree() {
        let t = Ends::T { diff: 0.02, se: 0.01, df: 14.0, factor: Factor::T };
        let shares = Ends::Shares([40, 60, 42, 61]);
        let equal = Ends::Equal(Equal::of(0.0, 80, (-1.0, 1.0)).unwrap());
        let two = Ends::Both { diff: 0.02, errors: [(0.01, 1.5), (0.02, 14.0)] };
        for ends in [t, shares, equal, two] {
            for delta in [0.01, 0.05, 0.2, 0.4] {
                let (within, beyond) = (ends.p_within(delta, 1.0).unwrap(), ends.p_beyond(delta, 1.0).unwrap());
                for alpha in [0.01, 0.05, 0.2] {
                    let (lo, hi) = ends.one_sided(alpha).unwrap();
                    assert_eq!(within < alpha, lo > -delta && hi < delta, "{delta} {alpha} {within}");
                    let (lo, hi) = ends.at(alpha).unwrap();
                    assert_eq!(beyond < alpha, lo > delta || hi < -delta, "{delta} {alpha} {beyond}");
                }
            }
        }
    }

    // By hand: 80 equal pairs within ±0.05: the mass elsewhere would have to be above 0.05, so p = 0.95^80.
    #[test]
    fn equal_pairs_within_a_margin_by_hand() {
        let equal = Ends::Equal(Equal::of(0.0, 80, (-1.0, 1.0)).unwrap());
        let p = equal.p_within(0.05, 1.0).unwrap();
        assert!((p / 0.95_f64.powi(80) - 1.0).abs() < 1e-9, "{p}");
        assert_eq!(Ends::None.p_within(0.05, 1.0), None);
    }
}

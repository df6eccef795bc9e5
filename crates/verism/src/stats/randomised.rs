//! What randomisation tests have in common: how many arrangements are at least as extreme as the one at hand.

use serde::Serialize;

use super::inference::{Ends, Inference};
use super::numeric::tail::{PValue, Tail};
use super::reason::Reason;

/// The result of a randomisation test.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Randomised {
    /// The difference of means, or the mean difference.
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

impl Randomised {
    /// Gives the result where there is nothing to arrange.
    pub fn untested(reason: Reason) -> Randomised {
        Randomised { reason: Some(reason), ..Randomised::default() }
    }

    /// Gives the result where all arrangements are alike: p = 1.
    pub fn alike(reason: Reason) -> Randomised {
        Randomised {
            statistic: Some(0.0),
            method: Some("exact"),
            p: Some(1.0),
            log10_p: Some(0.0),
            ..Randomised::untested(reason)
        }
    }

    /// Gives the result from a known distribution.
    pub fn of_tail(statistic: Option<f64>, method: &'static str, tail: Tail) -> Randomised {
        let p = PValue::from(tail);
        Randomised {
            statistic,
            method: Some(method),
            p: p.p,
            log10_p: Some(p.log10_p),
            reason: p.reason(),
            ..Randomised::default()
        }
    }

    /// Gives the result of all arrangements, of which `count` are at least as extreme: p = count/total.
    pub fn enumerated(statistic: Option<f64>, count: u64, total: u64) -> Randomised {
        let tail = Tail::from_counts(count.into(), total.into());
        Randomised { count: Some(count), total: Some(total), ..Randomised::of_tail(statistic, "exact", tail) }
    }

    /// Gives the result of random arrangements, of which `count` are at least as extreme: p = (1 + count)/(1 + total).
    pub fn drawn(statistic: Option<f64>, count: u64, total: u64) -> Randomised {
        let tail = Tail::from_counts(u128::from(count) + 1, u128::from(total) + 1);
        Randomised { count: Some(count), total: Some(total), ..Randomised::of_tail(statistic, "monte_carlo", tail) }
    }

    /// Gives what the test says, under its name, with the interval that belongs to it.
    pub fn inference(&self, name: &'static str, ends: Ends) -> Inference {
        Inference { name, statistic: self.statistic, p: self.p, log10_p: self.log10_p, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 3 of 8 arrangements; 3 of 7 drawn ones with the one at hand are 4 of 8.
    #[test]
    fn counts_to_p_values() {
        assert_eq!(Randomised::enumerated(Some(1.0), 3, 8).p, Some(0.375));
        assert_eq!(Randomised::drawn(Some(1.0), 3, 7).p, Some(0.5));
        assert_eq!((Randomised::alike(Reason::AllTies).p, Randomised::untested(Reason::NoValues).p), (Some(1.0), None));
    }
}

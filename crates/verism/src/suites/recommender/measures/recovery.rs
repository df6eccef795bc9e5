//! Recovery: whether, and how soon, replies follow a shift.

use serde::{Deserialize, Serialize};

use crate::score::measure::{Measure, Undefined};
use crate::suites::recommender::options::{Params, RecoveryRule};

/// No shift of the dialogue was recovered.
pub(crate) const NONE_RECOVERED: Undefined = Undefined::new("none_recovered");
/// Too many dialogues end before their windows do.
pub(crate) const CENSORED: Undefined = Undefined::new("censored");
/// The dialogue has no shift.
pub(crate) const NO_SHIFTS: Undefined = Undefined::new("no_shifts");

/// What became of a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recovery {
    /// Replies of its window that there are.
    pub(crate) observed: u32,
    /// The first reply that meets the new wish, counted from 0.
    pub(crate) delay: Option<u32>,
}

impl Recovery {
    /// Whether the dialogue ended before the shift was recovered or its window closed.
    pub(crate) fn is_censored(&self, window: u32) -> bool {
        self.delay.is_none() && self.observed < window
    }
}

/// Gives what became of a shift from the CC and CR of the replies in its window.
///
/// ```math
/// delay = min { d : CC(s+d) ≥ τ },  with `cc_or_cr` also CR(s+d) ≥ τ_cr
/// ```
///
/// An undefined CC is below every threshold. Source: the published specification; decision D5.
pub(crate) fn recovery<'m>(window: impl Iterator<Item = (&'m Measure, &'m Measure)>, params: &Params) -> Recovery {
    let mut out = Recovery { observed: 0, delay: None };
    for (cc, cr) in window {
        let by_cr = || params.recovery_rule == RecoveryRule::CcOrCr && cr.as_ref().is_ok_and(|cr| *cr >= params.tau_cr);
        if out.delay.is_none() && cc.as_ref().is_ok_and(|cc| *cc >= params.tau || by_cr()) {
            out.delay = Some(out.observed);
        }
        out.observed += 1;
    }
    out
}

/// Gives the share of shifts that were recovered. No shift: `no_shifts`.
pub(crate) fn recovery_rate(shifts: &[Recovery]) -> Measure {
    match shifts.len() {
        0 => Err(NO_SHIFTS),
        all => Ok(shifts.iter().filter(|shift| shift.delay.is_some()).count() as f64 / all as f64),
    }
}

/// Gives the mean delay of the shifts that were recovered. None: `none_recovered`; no shift: `no_shifts`.
pub(crate) fn recovery_delay(shifts: &[Recovery]) -> Measure {
    let delays: Vec<u64> = shifts.iter().filter_map(|shift| shift.delay.map(u64::from)).collect();
    match (shifts.len(), delays.len()) {
        (0, _) => Err(NO_SHIFTS),
        (_, 0) => Err(NONE_RECOVERED),
        (_, n) => Ok(delays.iter().sum::<u64>() as f64 / n as f64),
    }
}

/// Gives the delay that is expected when it is cut at the window, with the shifts whose window the dialogue's end cuts.
///
/// ```math
/// S_d = Π_{k ≤ d} (1 − recovered at k / n_k),  value = Σ_{d < W} S_d
/// ```
///
/// n_k counts the shifts observed beyond k and not recovered before k. A place without any while S > 0: `censored`; no
/// shift: `no_shifts`. Source: E. L. Kaplan, P. Meier, JASA 53 (1958); restricted mean; decision D7.
pub(crate) fn recovery_delay_restricted(shifts: &[Recovery], window: u32) -> Measure {
    if shifts.is_empty() {
        return Err(NO_SHIFTS);
    }
    let (mut survival, mut total) = (1.0, 0.0);
    for d in 0..window {
        let at_risk = shifts.iter().filter(|s| s.observed > d && s.delay.is_none_or(|delay| delay >= d)).count();
        if at_risk > 0 {
            let recovered = shifts.iter().filter(|s| s.delay == Some(d)).count();
            survival *= 1.0 - recovered as f64 / at_risk as f64;
        } else if survival > 0.0 {
            return Err(CENSORED);
        } else {
            // Nobody is left whose delay could grow.
            break;
        }
        total += survival;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cc::EMPTY_UNION;
    use super::*;

    const fn shift(observed: u32, delay: Option<u32>) -> Recovery {
        Recovery { observed, delay }
    }

    #[test]
    fn four_shifts_by_hand() {
        // Example 5 of the specification: recovered at 0 and at 2, not, not (one turn left); W = 3.
        let shifts = [shift(3, Some(0)), shift(3, Some(2)), shift(3, None), shift(1, None)];
        assert_eq!(recovery_rate(&shifts), Ok(0.5));
        assert_eq!(recovery_delay(&shifts), Ok(1.0));
        assert_eq!(recovery_delay_restricted(&shifts, 3), Ok(1.875));
        assert!(shifts[3].is_censored(3) && !shifts[2].is_censored(3));
    }

    #[test]
    fn empty_cases() {
        assert_eq!(recovery_rate(&[]), Err(NO_SHIFTS));
        assert_eq!(recovery_delay(&[shift(3, None)]), Err(NONE_RECOVERED));
        assert_eq!(recovery_delay_restricted(&[shift(1, None)], 3), Err(CENSORED));
        assert_eq!(recovery_delay_restricted(&[shift(1, Some(0))], 3), Ok(0.0));
    }

    #[test]
    fn thresholds_and_rules() {
        let of = |values: &[(Measure, Measure)], params: &Params| recovery(values.iter().map(|(a, b)| (a, b)), params);
        let values = [(Err(EMPTY_UNION), Err(EMPTY_UNION)), (Ok(0.5), Ok(0.7)), (Ok(0.65), Ok(0.1))];
        let params = Params::default();
        assert_eq!(of(&values, &params), shift(3, Some(2)));
        assert_eq!(of(&values, &Params { recovery_rule: RecoveryRule::CcOrCr, ..params }), shift(3, Some(1)));
    }

    proptest! {
        #[test]
        fn the_restricted_delay_lies_in_the_window(
            shifts in prop::collection::vec((1_u32..5, prop::option::of(0_u32..4)), 1..8),
        ) {
            let shifts: Vec<Recovery> =
                shifts.into_iter().map(|(n, d)| shift(n, d.filter(|d| *d < n))).collect();
            if let Ok(value) = recovery_delay_restricted(&shifts, 4) {
                prop_assert!((0.0..=4.0).contains(&value));
            }
        }
    }
}

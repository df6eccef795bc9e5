//! Intervals as people see them: within the range that the metric can take.

use crate::compare::choose::facts::{Range, SuiteFacts};

/// Gives the range of a metric, as the registry knows it.
pub(super) fn range_of(suite: Option<&str>, metric: &str) -> Range {
    let facts = suite.and_then(SuiteFacts::of);
    facts.as_ref().and_then(|facts| facts.metric(metric)).map_or((None, None), |facts| facts.range)
}

/// Gives the range of a difference of two values.
///
/// ```math
/// [lo - hi, hi - lo]
/// ```
pub(super) fn of_difference((lo, hi): Range) -> Range {
    let width = lo.zip(hi).map(|(lo, hi)| hi - lo);
    (width.map(|width| -width), width)
}

/// Gives the part of an interval within a range; whole where it does not reach into it at all.
pub(super) fn within((lo, hi): (f64, f64), (least, most): Range) -> (f64, f64) {
    let cut = (least.map_or(lo, |least| lo.max(least)), most.map_or(hi, |most| hi.min(most)));
    if cut.0 <= cut.1 { cut } else { (lo, hi) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // r_h is a share: differences of shares lie in [-1, 1].
    #[test]
    fn ends_beyond_the_range_are_cut() {
        let share = range_of(Some("adaptation"), "r_h");
        assert_eq!(share, (Some(0.0), Some(1.0)));
        assert_eq!(within((-1.3203, 2.6157), of_difference(share)), (-1.0, 1.0));
        assert_eq!(within((-0.1, 0.4), share), (0.0, 0.4));
        assert_eq!(within((-1.3, 2.6), range_of(None, "r_h")), (-1.3, 2.6));
    }

    #[test]
    fn an_interval_outside_the_range_stays() {
        assert_eq!(within((1.5, 2.0), (Some(0.0), Some(1.0))), (1.5, 2.0));
    }
}

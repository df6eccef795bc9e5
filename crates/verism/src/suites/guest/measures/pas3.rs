//! PAS3: how well was the persona kept, completion apart?

use serde::Serialize;

use super::ms::{Kind, Points, mean_points};
use super::pas::{Scored, averaged, gap};
use super::score::Score;
use super::style::Style;
use super::{BASE, Measure, always};
use crate::score::measure::NOT_APPLICABLE;
use crate::suites::Metric;
use crate::suites::guest::options::NoState;

/// PAS3 as a measure.
pub(crate) const PAS3: Measure = Measure {
    facts: Metric {
        id: "pas3",
        title: "PAS3",
        says: "PAS without the completion component",
        formula: "mean over messages of the mean of C_1, C_2, C_3",
        empty: "undefined: not_applicable in the fallback, else as PAS",
        ..BASE
    },
    score: |m| score(&m.styles, &m.messages, &m.expectations.kind, m.params.pas_no_state),
    asked: always,
    tell: None,
};

#[derive(Serialize)]
struct Evidence {
    n_scored: usize,
}

/// PAS without the completion component. It does not apply to the fallback, which has none.
///
/// ```math
/// PAS3 = mean of the style scores;   with `pas_no_state = zero`: their sum / N
/// ```
fn score(styles: &[Style], messages: &[Scored<'_>], kind: &Kind, no_state: NoState) -> Score {
    if *kind == Kind::Fallback {
        return Score::bare(Err(NOT_APPLICABLE), 0);
    }
    let n = averaged(messages.len(), styles.len(), no_state);
    if n == 0 {
        return Score::bare(Err(gap(messages, kind)), 0);
    }
    let points: Vec<Points> = styles.iter().map(|(_, points)| *points).collect();
    Score::new(Ok(mean_points(&points, n)), n, &Evidence { n_scored: styles.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_completion_the_mean_is_over_three_components() {
        let styles = [(1, Points { met: 75, of: 75 }), (3, Points { met: 25, of: 75 })];
        let value = score(&styles, &[], &Kind::Expected, NoState::Skip).value.expect("defined");
        assert!((value - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(score(&styles, &[], &Kind::Fallback, NoState::Skip).value, Err(NOT_APPLICABLE));
    }
}

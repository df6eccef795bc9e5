//! PDR: does the persona fade?

use serde::Serialize;

use super::bvs::TOO_FEW_STATES;
use super::ms::{Kind, Points, mean_points};
use super::pas::{Scored, gap};
use super::score::Score;
use super::style::Style;
use super::{BASE, Measure, always};
use crate::suites::Better;
use crate::suites::Metric;

/// PDR as a measure.
pub(crate) const PDR: Measure = Measure {
    facts: Metric {
        id: "pdr",
        title: "PDR",
        says: "whether the persona fades (below 0) or settles (above 0) during the conversation",
        range: (Some(-1.0), Some(1.0)),
        better: Better::None,
        formula: "mean style score of the last half - mean of the first half of the scored messages",
        empty: "undefined: too_few_states for one scored message, else as PAS",
        ..BASE
    },
    score: |m| score(&m.styles, &m.messages, &m.expectations.kind),
    asked: always,
    tell: None,
};

#[derive(Serialize)]
struct Drift {
    half: usize,
    early: f64,
    late: f64,
    first_break: Option<usize>,
}

/// Persona drift: negative if the persona fades.
///
/// ```math
/// PDR = mean of the last h style scores - mean of the first h,   h = floor(n/2)
/// ```
fn score(styles: &[Style], messages: &[Scored<'_>], kind: &Kind) -> Score {
    let n = styles.len();
    if n == 0 {
        return Score::bare(Err(gap(messages, kind)), 0);
    }
    if n == 1 {
        return Score::bare(Err(TOO_FEW_STATES), 1);
    }
    let half = n / 2;
    let points: Vec<Points> = styles.iter().map(|(_, points)| *points).collect();
    let (early, late) = (mean_points(&points[..half], half), mean_points(&points[n - half..], half));
    let first_break = styles.iter().find(|(_, points)| points.met < points.of).map(|(turn, _)| *turn);
    Score::new(Ok(late - early), n, &Drift { half, early, late, first_break })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_odd_number_counts_on_neither_side() {
        // By hand: first 3/3, last 1/3; the middle one is left out.
        let style = |turn, met| (turn, Points { met, of: 75 });
        let drift = score(&[style(1, 75), style(3, 0), style(5, 25)], &[], &Kind::Expected);
        assert!((drift.value.expect("defined") + 2.0 / 3.0).abs() < 1e-15);
        assert!(drift.evidence.contains("\"first_break\":3"));
        assert_eq!(score(&[style(1, 75)], &[], &Kind::Expected).value, Err(TOO_FEW_STATES));
    }
}

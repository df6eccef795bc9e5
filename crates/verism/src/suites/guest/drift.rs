//! PDR and PAS3: does the persona fade, and how well was it kept apart from completion?

use serde::Serialize;

use super::bvs::TOO_FEW_STATES;
use super::evidence::Score;
use super::ms::{Kind, Points, mean_points};
use super::options::NoState;
use super::pas::{Scored, averaged, gap};
use crate::score::measure::NOT_APPLICABLE;

/// Turn and style score of a message: exploration, mood and ordering alone.
pub(super) type Style = (usize, Points);

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
pub(super) fn pdr(styles: &[Style], messages: &[Scored<'_>], kind: &Kind) -> Score {
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

#[derive(Serialize)]
struct Evidence {
    n_scored: usize,
}

/// PAS without the completion component. It does not apply to the fallback, which has none.
///
/// ```math
/// PAS3 = mean of the style scores;   with `pas_no_state = zero`: their sum / N
/// ```
pub(super) fn pas3(styles: &[Style], messages: &[Scored<'_>], kind: &Kind, no_state: NoState) -> Score {
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
    fn the_middle_of_an_odd_number_counts_on_neither_side() {
        // By hand: first 3/3, last 1/3; the middle one is left out.
        let style = |turn, met| (turn, Points { met, of: 75 });
        let drift = pdr(&[style(1, 75), style(3, 0), style(5, 25)], &[], &Kind::Expected);
        assert!((drift.value.expect("defined") + 2.0 / 3.0).abs() < 1e-15);
        assert!(drift.evidence.contains("\"first_break\":3"));
        assert_eq!(pdr(&[style(1, 75)], &[], &Kind::Expected).value, Err(TOO_FEW_STATES));
    }

    #[test]
    fn without_completion_the_mean_is_over_three_components() {
        let styles = [(1, Points { met: 75, of: 75 }), (3, Points { met: 25, of: 75 })];
        let value = pas3(&styles, &[], &Kind::Expected, NoState::Skip).value.expect("defined");
        assert!((value - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(pas3(&styles, &[], &Kind::Fallback, NoState::Skip).value, Err(NOT_APPLICABLE));
    }
}

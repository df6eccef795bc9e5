//! STA: did the order grow steadily towards the target?

use serde::Serialize;

use super::ms::NO_STATE;
use super::ora::NO_TARGET;
use super::score::Score;
use super::{BASE, Measure, SEED};
use crate::score::measure::EMPTY_DENOMINATOR;
use crate::suites::Metric;
use crate::suites::guest::options::Switch;
use crate::suites::guest::record::order::{Name, Order, common};

/// STA as a measure.
pub(crate) const STA: Measure = Measure {
    facts: Metric {
        id: "sta",
        title: "STA",
        says: "whether the order grew steadily towards the target (option sta=on)",
        formula: "(kept + recall)/2; kept = share of neighbouring snapshots that keep what was ordered, or swap it",
        empty: "undefined: missing_field:target_order, no_state, empty_denominator if the target is empty",
        source: SEED,
        ..BASE
    },
    score: |m| score(&m.snapshots(), m.target()),
    asked: |params| params.sta == Switch::On,
    tell: None,
};

#[derive(Serialize)]
struct Evidence {
    #[serde(rename = "K")]
    k: usize,
    kept: usize,
    pairs: usize,
    recall: f64,
}

/// Whether a snapshot keeps what was ordered, or swaps it for as much.
fn keeps(before: &[Name], after: &[Name]) -> bool {
    before.len() == after.len() || common(before, after) == before.len()
}

/// Stability of the order over its snapshots.
///
/// ```math
/// STA = (kept + recall)/2,   kept = share of neighbours with S_{k-1} ⊆ S_k or |S_{k-1}| = |S_k|,
/// recall = |S_K ∩ T|/|T|;   K = 1: recall
/// ```
pub(crate) fn score(snapshots: &[&Order], target: Option<&Order>) -> Score {
    let Some(target) = target else { return Score::bare(Err(NO_TARGET), 0) };
    let Some(last) = snapshots.last() else { return Score::bare(Err(NO_STATE), 0) };
    let k = snapshots.len();
    if target.set.is_empty() {
        return Score::bare(Err(EMPTY_DENOMINATOR), k);
    }
    let (hits, all) = (common(&last.set, &target.set), target.set.len());
    let pairs = k - 1;
    let kept = snapshots.windows(2).filter(|pair| keeps(&pair[0].set, &pair[1].set)).count();
    let recall = hits as f64 / all as f64;
    let value = match pairs {
        0 => recall,
        pairs => (kept * all + hits * pairs) as f64 / (2 * pairs * all) as f64,
    };
    Score::new(Ok(value), k, &Evidence { k, kept, pairs, recall })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(set: &[Name]) -> Order {
        Order { set: set.to_vec(), ..Order::default() }
    }

    #[test]
    fn growth_and_swaps_keep_and_losses_do_not() {
        // By hand: {1} ⊆ {1,2} kept, {1,2} -> {1} lost, {1} -> {3} a swap: 2 of 3; recall 1/2.
        let snapshots = [order(&[1]), order(&[1, 2]), order(&[1]), order(&[3])];
        let snapshots: Vec<&Order> = snapshots.iter().collect();
        let value = score(&snapshots, Some(&order(&[3, 4]))).value.expect("defined");
        assert!((value - (2.0 / 3.0 + 0.5) / 2.0).abs() < 1e-15);
        assert_eq!(score(&snapshots[..1], Some(&order(&[1]))).value, Ok(1.0));
        assert_eq!(score(&[], Some(&order(&[1]))).value, Err(NO_STATE));
        assert_eq!(score(&snapshots, None).value, Err(NO_TARGET));
        assert_eq!(score(&snapshots, Some(&order(&[]))).value, Err(EMPTY_DENOMINATOR));
    }
}

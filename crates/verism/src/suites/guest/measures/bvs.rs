//! BVS: how naturally the guest's behaviour varied.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ms::NO_STATE;
use super::score::Score;
use super::{BASE, Measure, SEED, always};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure as Value, Undefined};
use crate::suites::Metric;
use crate::suites::guest::record::vocabulary::{DIMENSIONS, State};
use crate::suites::guest::words::{ConversationScores, Lines};

/// BVS as a measure.
pub(crate) const BVS: Measure = Measure {
    facts: Metric {
        id: "bvs",
        title: "BVS",
        says: "how naturally the guest's behaviour varied",
        headline: true,
        formula: "TR/p if TR <= p, else 1 - (TR - p)/(1 - p); TR = mean rate of change of ordering, exploration, mood; p = 0.2",
        empty: "undefined: empty_denominator without a talk message, no_state, too_few_states for one state, \
                missing_field:state.<dimension> if it was recorded less than twice",
        source: SEED,
        ..BASE
    },
    score: |m| score(&m.states, m.messages.len(), m.state_source, m.params.bvs_peak),
    asked: always,
    tell: Some(tell),
};

/// One state or one message is too little to see a change.
pub(crate) const TOO_FEW_STATES: Undefined = Undefined::new("too_few_states");

/// Changes among the pairs of neighbours of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) changes: u64,
    pub(crate) pairs: u64,
}

/// The mean rate of change over the three dimensions, as one fraction.
///
/// ```math
/// TR = (c_1/p_1 + c_2/p_2 + c_3/p_3) / 3
/// ```
fn rate(dimensions: [Changes; 3]) -> f64 {
    let [a, b, c] = dimensions.map(|d| (u128::from(d.changes), u128::from(d.pairs)));
    let numerator = a.0 * b.1 * c.1 + b.0 * a.1 * c.1 + c.0 * a.1 * b.1;
    numerator as f64 / (3 * a.1 * b.1 * c.1) as f64
}

/// The tent over the rate of change: 1 at the peak, 0 at no change and at nothing but change.
///
/// ```math
/// BVS = TR/p if TR <= p, else 1 - (TR - p)/(1 - p)
/// ```
/// Whether the rate lies below, at or above the peak is decided on values rounded to 12 decimals.
pub(crate) fn tent(rate: f64, peak: f64) -> (f64, &'static str) {
    let rounded = |x: f64| (x * 1e12).round_ties_even();
    let side = match rounded(rate).total_cmp(&rounded(peak)) {
        std::cmp::Ordering::Less => "rigid",
        std::cmp::Ordering::Equal => "peak",
        std::cmp::Ordering::Greater => "erratic",
    };
    let value = if side == "erratic" { 1.0 - (rate - peak) / (1.0 - peak) } else { rate / peak };
    (value.clamp(0.0, 1.0), side)
}

#[derive(Serialize, Deserialize)]
struct Evidence<'e> {
    #[serde(rename = "M")]
    m: usize,
    source: &'e str,
    #[serde(borrow)]
    transitions: BTreeMap<&'e str, u64>,
    #[serde(borrow)]
    pairs: BTreeMap<&'e str, u64>,
    #[serde(borrow)]
    changes: Vec<Change<'e>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tr_avg: Option<f64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    side: Option<&'e str>,
}

#[derive(Serialize, Deserialize)]
struct Change<'e> {
    turn: usize,
    dimension: &'e str,
    #[serde(borrow)]
    from: Cow<'e, str>,
    #[serde(borrow)]
    to: Cow<'e, str>,
}

/// BVS of the states of talk messages, each with its turn; `talk` is the number of talk messages.
pub(crate) fn score(states: &[(usize, &State<'_>)], talk: usize, source: &str, peak: f64) -> Score {
    let moving: Vec<&(usize, &State<'_>)> =
        states.iter().filter(|(_, state)| DIMENSIONS.iter().any(|dimension| state.get(*dimension).is_some())).collect();
    let m = moving.len();
    let mut evidence = Evidence {
        m,
        source,
        transitions: BTreeMap::new(),
        pairs: BTreeMap::new(),
        changes: vec![],
        tr_avg: None,
        side: None,
    };
    let short = match (talk, m) {
        (0, _) => Some(EMPTY_DENOMINATOR),
        (_, 0) => Some(NO_STATE),
        (_, 1) => Some(TOO_FEW_STATES),
        _ => None,
    };
    if let Some(why) = short {
        return Score::new(Err(why), m, &evidence);
    }
    let mut found = [const { None }; 3];
    for (dimension, place) in DIMENSIONS.into_iter().zip(&mut found) {
        let name = dimension.name();
        let mut before: Option<&str> = None;
        let mut count = Changes { changes: 0, pairs: 0 };
        for (turn, state) in &moving {
            let Some(now) = state.get(dimension) else { continue };
            if let Some(before) = before {
                count.pairs += 1;
                if before != now {
                    count.changes += 1;
                    evidence.changes.push(Change { turn: *turn, dimension: name, from: before.into(), to: now.into() });
                }
            }
            before = Some(now);
        }
        if count.pairs > 0 {
            evidence.transitions.insert(name, count.changes);
            evidence.pairs.insert(name, count.pairs);
            *place = Some(count);
        }
    }
    let value: Value = match found {
        [Some(a), Some(b), Some(c)] => {
            let rate = rate([a, b, c]);
            let (value, side) = tent(rate, peak);
            evidence.tr_avg = Some(rate);
            evidence.side = Some(side);
            Ok(value)
        }
        _ => {
            let lacking = DIMENSIONS.iter().zip(&found).find(|(_, count)| count.is_none());
            let name = lacking.map_or("", |(dimension, _)| dimension.name());
            Err(Undefined::missing_field(&format!("state.{name}")))
        }
    };
    Score::new(value, m, &evidence)
}

/// Which side of the peak the rate of change lies on, and the changes.
fn tell(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    let Some(evidence) = told.evidence::<Evidence<'_>>("bvs") else {
        return lines.say(format!("BVS {}", told.value("bvs")));
    };
    let peak = told.options()["bvs_peak"].as_f64().unwrap_or(0.2);
    let rate = evidence.tr_avg.unwrap_or(0.0);
    let side = match evidence.side {
        Some("rigid") => format!(": rate of change {rate:.3}, below the peak {peak} (rigid side)"),
        Some("erratic") => format!(": rate of change {rate:.3}, above the peak {peak} (erratic side)"),
        Some(_) => format!(": rate of change at the peak {peak}"),
        None => String::new(),
    };
    lines.say(format!("BVS {}{side}", told.value("bvs")));
    let changed = |dimension: &str| evidence.transitions.get(dimension).copied().unwrap_or(0);
    let rates =
        evidence.pairs.iter().map(|(dimension, pairs)| format!("{dimension} {} of {pairs}", changed(dimension)));
    let rates: Vec<String> = rates.collect();
    if !rates.is_empty() {
        lines.say(format!("  changes of pairs: {}", rates.join(", ")));
    }
    let change =
        |change: &Change<'_>| format!("#{} {}: {} -> {}", change.turn, change.dimension, change.from, change.to);
    lines.some(evidence.changes.iter().map(change).collect());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_peak_is_one_and_both_ends_are_zero() {
        // Worked example 2 of the specification: 3 changes of mood in 5 pairs, nothing else.
        let (still, mood) = (Changes { changes: 0, pairs: 5 }, Changes { changes: 3, pairs: 5 });
        assert_eq!(tent(rate([still, still, mood]), 0.2), (1.0, "peak"));
        let all = Changes { changes: 5, pairs: 5 };
        assert_eq!(tent(rate([all, all, all]), 0.2), (0.0, "erratic"));
        assert_eq!(tent(rate([still, still, still]), 0.2), (0.0, "rigid"));
        // Worked example 1: TR = 2/3, BVS = 5/12.
        let one = Changes { changes: 1, pairs: 1 };
        let none = Changes { changes: 0, pairs: 1 };
        assert!((tent(rate([one, one, none]), 0.2).0 - 5.0 / 12.0).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn it_rises_to_the_peak_and_falls_from_it(a in 0.0..1.0_f64, b in 0.0..1.0_f64, peak in 0.01..0.99_f64) {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let (at_low, at_high) = (tent(low, peak).0, tent(high, peak).0);
            prop_assert!((0.0..=1.0).contains(&at_low));
            if high <= peak {
                prop_assert!(at_low <= at_high + 1e-11);
            } else if low >= peak {
                prop_assert!(at_low + 1e-11 >= at_high);
            }
        }
    }
}

//! DEI: how far the guest's decisions can be traced to tool calls.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::score::Score;
use super::{BASE, Measure, SEED, always};
use crate::score::measure::{EMPTY_DENOMINATOR, Undefined};
use crate::suites::Metric;
use crate::suites::guest::options::Tools;
use crate::suites::guest::record::dialogue::{Dialogue, Message};
use crate::suites::guest::words::{ConversationScores, Lines};

/// DEI as a measure.
pub(crate) const DEI: Measure = Measure {
    facts: Metric {
        id: "dei",
        title: "DEI",
        says: "how far decisions can be traced to tool calls",
        headline: true,
        formula: "min(cap, ED/(d N)): level 5 cap 1, d 2; 4 and 3 cap 0.5, d 2; 2 cap 0.2, d 5; level 1 is 0",
        empty: "undefined: missing_field:level, empty_denominator without a talk message, missing_field:tool_calls",
        source: SEED,
        ..BASE
    },
    score: |m| score(m.dialogue, &m.params.tools),
    asked: always,
    tell: Some(tell),
};

/// The record names no level, and no option does.
const NO_LEVEL: Undefined = Undefined::new("missing_field:level");
/// No talk message says whether tools were called.
pub(crate) const NO_CALLS: Undefined = Undefined::new("missing_field:tool_calls");

/// A kind of tools.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Basic,
    OrderTracking,
    BehavioralTracking,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Basic => "basic",
            Kind::OrderTracking => "order_tracking",
            Kind::BehavioralTracking => "behavioral_tracking",
        }
    }

    fn tools(self, tools: &Tools) -> &[String] {
        match self {
            Kind::Basic => &tools.basic,
            Kind::OrderTracking => &tools.order_tracking,
            Kind::BehavioralTracking => &tools.behavioral_tracking,
        }
    }
}

/// Whether a message has an own call whose name is, letter for letter, in the list of a kind.
pub(crate) fn has(dialogue: &Dialogue<'_>, message: &Message<'_>, kind: Kind, tools: &Tools) -> bool {
    let names = kind.tools(tools);
    dialogue.own_calls(message).any(|call| names.iter().any(|name| name == call.name))
}

/// What a level counts: kinds of tools, cap, and the share of N by which one hit is divided.
fn counted(level: u8) -> (&'static [Kind], f64, u64) {
    match level {
        5 => (&[Kind::OrderTracking, Kind::BehavioralTracking], 1.0, 2),
        4 => (&[Kind::BehavioralTracking], 0.5, 2),
        3 => (&[Kind::OrderTracking], 0.5, 2),
        2 => (&[Kind::Basic], 0.2, 5),
        _ => (&[], 0.0, 1),
    }
}

/// The share of decisions that left a trace, as far as the level allows.
///
/// ```math
/// DEI = min(cap, ED / (d N)):  level 5: cap 1, d 2;  4 and 3: cap 0.5, d 2;  2: cap 0.2, d 5;  level 1: 0
/// ```
pub(crate) fn dei(level: u8, hits: u64, n: u64) -> f64 {
    let (kinds, cap, divisor) = counted(level);
    if kinds.is_empty() { 0.0 } else { (hits as f64 / (divisor * n) as f64).min(cap) }
}

#[derive(Serialize, Deserialize)]
struct Evidence<'e> {
    level: u8,
    #[serde(rename = "N")]
    n: u64,
    #[serde(default, rename = "ED", skip_serializing_if = "Option::is_none")]
    ed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cap: Option<f64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    hits: Option<BTreeMap<&'e str, Vec<usize>>>,
}

/// DEI with its evidence.
pub(crate) fn score(dialogue: &Dialogue<'_>, tools: &Tools) -> Score {
    let Some(level) = dialogue.level else { return Score::bare(Err(NO_LEVEL), 0) };
    let n = dialogue.talk().count() as u64;
    let gap = match level {
        1 => None,
        _ if n == 0 => Some(EMPTY_DENOMINATOR),
        _ if dialogue.talk().all(|message| message.calls.is_none()) => Some(NO_CALLS),
        _ => None,
    };
    if let Some(why) = gap {
        return Score::new(Err(why), n as usize, &Evidence { level, n, ed: None, cap: None, hits: None });
    }
    let (kinds, cap, _) = counted(level);
    let turns = |kind: Kind| -> Vec<usize> {
        dialogue.talk().filter(|message| has(dialogue, message, kind, tools)).map(|message| message.index).collect()
    };
    let hits: BTreeMap<&str, Vec<usize>> = kinds.iter().map(|&kind| (kind.name(), turns(kind))).collect();
    let ed = hits.values().map(|turns| turns.len() as u64).sum();
    let evidence = Evidence { level, n, ed: Some(ed), cap: Some(cap), hits: Some(hits) };
    Score::new(Ok(dei(level, ed, n)), n as usize, &evidence)
}

/// Which messages left a trace.
fn tell(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    lines.say(format!("DEI {}", told.value("dei")));
    let Some(evidence) = told.evidence::<Evidence<'_>>("dei") else { return };
    let (Some(ed), Some(cap), Some(hits)) = (evidence.ed, evidence.cap, evidence.hits) else { return };
    let (level, n) = (evidence.level, evidence.n);
    lines.say(format!("  level {level}: {ed} hits on {n} messages, at most {cap:?}"));
    for (kind, turns) in hits {
        let turns: Vec<String> = turns.iter().map(|turn| format!("#{turn}")).collect();
        lines.names(kind, &[if turns.is_empty() { "none".to_string() } else { turns.join(" ") }]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn levels_by_hand() {
        // Worked examples 1 and 4 of the specification.
        assert_eq!(dei(5, 3, 2), 0.75);
        assert_eq!(dei(3, 2, 4), 0.25);
        assert_eq!(dei(4, 2, 3), 1.0 / 3.0);
        assert_eq!(dei(2, 2, 3), 2.0 / 15.0);
        assert_eq!(dei(1, 0, 3), 0.0);
    }

    proptest! {
        #[test]
        fn it_grows_with_the_hits_up_to_the_cap(level in 1..=5_u8, n in 1..50_u64, hits in 0..100_u64) {
            let most = if level == 5 { 2 * n } else { n };
            let hits = hits.min(most);
            let value = dei(level, hits, n);
            prop_assert!(value <= counted(level).1);
            prop_assert!(dei(level, (hits + 1).min(most), n) >= value);
            prop_assert_eq!(dei(level, most, n), counted(level).1);
        }
    }
}

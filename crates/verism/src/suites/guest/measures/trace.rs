//! TRACE: the share of messages that a tool call supports.

use serde::Serialize;

use super::dei::{Kind, NO_CALLS, has};
use super::score::Score;
use super::{BASE, CALLS_EMPTY, Measure, always};
use crate::score::measure::{EMPTY_DENOMINATOR, ratio};
use crate::suites::Metric;
use crate::suites::guest::options::Tools;
use crate::suites::guest::record::dialogue::Dialogue;

/// TRACE as a measure.
pub(crate) const TRACE: Measure = Measure {
    facts: Metric {
        id: "trace",
        title: "TRACE",
        says: "the share of messages that a tool call stands behind",
        formula: "talk messages with an own call of a listed kind / talk messages",
        empty: CALLS_EMPTY,
        ..BASE
    },
    score: |m| score(m.dialogue, &m.params.tools),
    asked: always,
    tell: None,
};

#[derive(Serialize)]
struct Evidence {
    turns: Vec<usize>,
}

/// Talk messages with an own call of any listed kind, by talk messages; no level caps it.
///
/// ```math
/// TRACE = |{i: has_order(i) or has_behaviour(i) or has_basic(i)}| / N
/// ```
pub(crate) fn score(dialogue: &Dialogue<'_>, tools: &Tools) -> Score {
    let n = dialogue.talk().count();
    if n == 0 {
        return Score::bare(Err(EMPTY_DENOMINATOR), 0);
    }
    if dialogue.talk().all(|message| message.calls.is_none()) {
        return Score::bare(Err(NO_CALLS), n);
    }
    let kinds = [Kind::OrderTracking, Kind::BehavioralTracking, Kind::Basic];
    let traced = dialogue.talk().filter(|message| kinds.iter().any(|kind| has(dialogue, message, *kind, tools)));
    let turns: Vec<usize> = traced.map(|message| message.index).collect();
    Score::new(ratio(turns.len() as u64, n as u64), n, &Evidence { turns })
}

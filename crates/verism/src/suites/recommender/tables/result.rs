//! A dialogue's line of `results.jsonl`.

use std::collections::BTreeMap;

use super::outcome::Outcome;
use super::pieces::{
    push_concept, push_concepts, push_copying, push_count, push_key, push_list, push_measure, push_number,
    push_optional_text, push_whole,
};
use crate::score::json::{push, push_text};
use crate::score::measure::{Measure, Undefined};
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::facts::DIALOGUE_METRICS;
use crate::suites::recommender::measures::cc::without;
use crate::suites::recommender::measures::segment::SegmentScore;
use crate::suites::recommender::measures::shift::ShiftScore;
use crate::suites::recommender::measures::turn::TurnScore;
use crate::suites::recommender::options::Params;

/// Writes the line of a dialogue up to the labels, which are known when all dialogues are.
pub(crate) fn push_head(head: &mut Vec<u8>, outcome: &Outcome, catalog: &Catalog, params: &Params) {
    let Outcome { key, scores, .. } = outcome;
    head.push(b'{');
    let ids = [("experiment", &key.experiment), ("run", &key.run), ("case", &key.case), ("dialogue", &key.unit)];
    for (name, id) in ids {
        push_key(head, name);
        push_text(head, id);
    }
    let counts = [outcome.summary.n_turns, scores.turns.len() as u64, scores.scored_turns()];
    for (name, count) in ["n_turns", "n_replied", "n_scored"].into_iter().zip(counts) {
        push_key(head, name);
        push_whole(head, count);
    }
    for (metric, entry) in DIALOGUE_METRICS.iter().zip(&scores.entries) {
        push_key(head, metric);
        push_measure(head, &entry.value);
    }
    let recovered = scores.shifts.iter().filter(|shift| shift.recovery.delay.is_some()).count() as u64;
    let told = |count: u64| scores.at.as_ref().map(|_| count);
    let (inside, off) = scores.titles();
    for (name, count) in [
        ("n_shifts", told(scores.shifts.len() as u64)),
        ("n_recovered", told(recovered)),
        ("n_titles", Some(inside + off)),
        ("n_off_catalog", Some(off)),
        ("missing_concepts_total", Some(scores.missing)),
        ("hallucinated_concepts_total", Some(scores.hallucinated)),
    ] {
        push_key(head, name);
        push(head, &count);
    }
    push_key(head, "missing_concepts_topk");
    push_top(head, scores.turns.iter().flat_map(|t| without(&t.user, &t.system)), catalog, params);
    push_key(head, "hallucinated_concepts_topk");
    push_top(head, scores.turns.iter().flat_map(|t| without(&t.system, &t.user)), catalog, params);
}

/// Writes the rest of the line, after the labels.
pub(crate) fn push_tail(tail: &mut Vec<u8>, outcome: &Outcome, catalog: &Catalog, params: &Params) {
    let scores = &outcome.scores;
    push_key(tail, "undefined");
    let reason = |(metric, value): (&&'static str, &Measure)| {
        value.as_ref().err().map(|why: &Undefined| (*metric, why.reason().to_string()))
    };
    let values = scores.entries.iter().map(|entry| &entry.value);
    let undefined: BTreeMap<&str, String> = DIALOGUE_METRICS.iter().zip(values).filter_map(reason).collect();
    push(tail, &undefined);
    push_key(tail, "notes");
    push(tail, &outcome.own_notes);
    if params.detail {
        push_detail(tail, outcome, catalog);
    }
    tail.extend_from_slice(b"}\n");
}

/// The most frequent concepts, equal ones in the order of concepts.
fn push_top(out: &mut Vec<u8>, list: impl Iterator<Item = u32>, catalog: &Catalog, params: &Params) {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for concept in list {
        *counts.entry(concept).or_default() += 1;
    }
    let mut counts: Vec<(u32, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(concept, count)| (std::cmp::Reverse(*count), *concept));
    counts.truncate(usize::try_from(params.top_k).unwrap_or(usize::MAX));
    push_list(out, counts, |out, (concept, count)| {
        out.push(b'{');
        push_key(out, "concept");
        push_concept(out, concept, catalog.scored());
        push_key(out, "count");
        push_whole(out, count);
        out.push(b'}');
    });
}

fn push_detail(out: &mut Vec<u8>, outcome: &Outcome, catalog: &Catalog) {
    let scores = &outcome.scores;
    push_key(out, "detail");
    out.extend_from_slice(b"{\"turn_level\":[");
    for (number, turn) in scores.turns.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        push_turn(out, turn, catalog);
    }
    for number in scores.turns.len()..outcome.summary.n_turns as usize {
        out.extend_from_slice(if number > 0 { b",{" } else { b"{" });
        push_key(out, "turn");
        push_count(out, number + 1);
        out.extend_from_slice(b",\"excluded\":\"no_reply\"}");
    }
    out.extend_from_slice(b"],\"segments\":");
    push_list(out, scores.segments.iter().enumerate(), |out, (number, segment)| {
        push_segment(out, number, segment, catalog);
    });
    push_key(out, "shifts");
    push_list(out, &scores.shifts, |out, shift| push_shift(out, shift, catalog));
    out.push(b'}');
}

fn push_turn(out: &mut Vec<u8>, turn: &TurnScore, catalog: &Catalog) {
    let concepts = catalog.scored();
    out.push(b'{');
    push_key(out, "turn");
    push_count(out, turn.turn);
    for (name, value) in [("cc", &turn.cc), ("cr", &turn.cr), ("i", &Ok(turn.i)), ("tas", &turn.tas)] {
        push_key(out, name);
        push_measure(out, value);
    }
    push_key(out, "user_concepts");
    push_concepts(out, turn.user.iter().copied(), concepts);
    push_key(out, "system_concepts");
    push_concepts(out, turn.system.iter().copied(), concepts);
    push_key(out, "missing_concepts");
    push_concepts(out, without(&turn.user, &turn.system), concepts);
    push_key(out, "hallucinated_concepts");
    push_concepts(out, without(&turn.system, &turn.user), concepts);
    push_key(out, "copy");
    push_copying(out, &turn.copy);
    push_key(out, "gold_constraint_concepts");
    match &turn.gold {
        Some(gold) => push_concepts(out, gold.iter().copied(), concepts),
        None => out.extend_from_slice(b"null"),
    }
    if let Some(dst) = &turn.dst {
        for (name, count) in [("dst_tp", dst.hits), ("dst_pred", dst.predicted), ("dst_gold", dst.gold)] {
            push_key(out, name);
            push_whole(out, count);
        }
        for (name, value) in [
            ("dst_precision", &dst.precision),
            ("dst_recall", &dst.recall),
            ("dst_f1", &dst.f1),
            ("dst_joint", &dst.joint),
        ] {
            push_key(out, name);
            push_measure(out, value);
        }
    }
    push_key(out, "titles");
    push_list(out, &turn.titles, |out, title| push_text(out, title));
    push_key(out, "off_catalog_titles");
    push_list(out, &turn.off_catalog, |out, title| push_text(out, title));
    push_key(out, "fidelity");
    push_measure(out, &turn.fidelity);
    push_key(out, "rec_satisfaction");
    push_measure(out, &turn.rec_satisfaction);
    push_key(out, "rec_reason");
    push_optional_text(out, turn.rec_satisfaction.as_ref().err().map(Undefined::reason));
    out.push(b'}');
}

fn push_segment(out: &mut Vec<u8>, number: usize, segment: &SegmentScore, catalog: &Catalog) {
    out.push(b'{');
    for (name, count) in [("segment", number), ("start_turn", segment.start), ("end_turn", segment.end)] {
        push_key(out, name);
        push_count(out, count);
    }
    for (name, value) in [("cc", &segment.cc), ("cr", &segment.cr), ("i", &Ok(segment.i)), ("tas", &segment.tas)] {
        push_key(out, name);
        push_measure(out, value);
    }
    push_key(out, "missing_concepts");
    push_concepts(out, segment.missing.iter().copied(), catalog.scored());
    push_key(out, "hallucinated_concepts");
    push_concepts(out, segment.hallucinated.iter().copied(), catalog.scored());
    out.push(b'}');
}

fn push_shift(out: &mut Vec<u8>, shift: &ShiftScore, catalog: &Catalog) {
    let concepts = catalog.scored();
    let flag = |out: &mut Vec<u8>, name: &str, value: bool| {
        push_key(out, name);
        push(out, &value);
    };
    out.push(b'{');
    push_key(out, "turn");
    push_count(out, shift.turn);
    flag(out, "recovered", shift.recovery.delay.is_some());
    push_key(out, "delay");
    push(out, &shift.recovery.delay);
    push_key(out, "observed");
    push_whole(out, shift.recovery.observed.into());
    flag(out, "censored", shift.censored);
    push_key(out, "cc");
    push_list(out, &shift.cc, push_measure);
    push_key(out, "cr");
    push_list(out, &shift.cr, push_measure);
    push_key(out, "focus");
    match shift.focus {
        Some(focus) => push_concept(out, focus, concepts),
        None => out.extend_from_slice(b"null"),
    }
    // The first reply with the focus; -1 if none has it, null if there is no focus to look for.
    let place = |first: Option<u32>| shift.focus.map(|_| first.map_or(-1, i64::from));
    push_key(out, "uptake");
    push(out, &place(shift.uptake.as_ref().ok().copied().flatten()));
    push_key(out, "item_uptake");
    push(out, &place(shift.item_uptake));
    push_key(out, "uptake_reason");
    push_optional_text(out, shift.uptake.as_ref().err().map(Undefined::reason));
    push_key(out, "leakage");
    push_measure(out, &shift.leakage);
    push_key(out, "leakage_reason");
    push_optional_text(out, shift.leakage.as_ref().err().map(Undefined::reason));
    push_key(out, "dropped");
    match &shift.dropped {
        Some(dropped) => push_concepts(out, dropped.iter().copied(), concepts),
        None => out.extend_from_slice(b"null"),
    }
    push_key(out, "replies");
    push_count(out, shift.replies);
    out.push(b'}');
}

/// The labels of a dialogue between head and tail: `judge`, `labels` and how many scores of a judge were left out.
pub(crate) fn labels_part(
    judge: &BTreeMap<&str, Option<f64>>,
    labels: &BTreeMap<&str, Option<f64>>,
    out_of_range: u64,
) -> Vec<u8> {
    let mut out = vec![];
    for (name, table) in [("judge", judge), ("labels", labels)] {
        push_key(&mut out, name);
        out.push(b'{');
        for (aspect, value) in table {
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            push_text(&mut out, aspect);
            out.push(b':');
            match value {
                Some(x) => push_number(&mut out, *x),
                None => out.extend_from_slice(b"null"),
            }
        }
        out.push(b'}');
    }
    push_key(&mut out, "judge_out_of_range");
    push_whole(&mut out, out_of_range);
    out
}

//! The score rows of a dialogue as lines of JSON: turns, segments, shifts, the dialogue.

use super::hits::Hits;
use super::outcome::Outcome;
use super::pieces::{
    push_concept, push_concepts, push_copying, push_count, push_key, push_list, push_measure, push_number,
};
use crate::score::measure::Measure;
use crate::score::row::Row;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::facts::DIALOGUE_METRICS;
use crate::suites::recommender::measures::cc::{shared, union};
use crate::suites::recommender::measures::scores::Entry;
use crate::suites::recommender::measures::segment::SegmentScore;
use crate::suites::recommender::measures::shift::ShiftScore;
use crate::suites::recommender::measures::turn::TurnScore;
use crate::suites::records::Key;

/// Writes rows one by one.
struct Writer<'w> {
    key: &'w Key,
    /// What all rows share, as JSON.
    ids: Vec<u8>,
    unit: String,
    lines: &'w mut Vec<u8>,
}

impl Writer<'_> {
    fn blank(key: &Key) -> Row<'_> {
        Row::of_dialogue(crate::suites::recommender::ID, [&key.experiment, &key.run, &key.case, &key.unit])
    }

    /// Names the unit of the next rows: `<dialogue>#<turn>`, `@<first turn>`, `!<turn>`, or the dialogue.
    fn unit(&mut self, mark: char, turn: Option<usize>) {
        self.unit.clear();
        self.unit.push_str(&self.key.unit);
        if let Some(turn) = turn {
            self.unit.push(mark);
            self.unit.push_str(&turn.to_string());
        }
    }

    fn row(
        &mut self,
        (metric, level): (&str, &str),
        turn: Option<usize>,
        value: Measure,
        n: u64,
        evidence: impl FnOnce(&mut Vec<u8>),
    ) {
        let row = Row {
            metric,
            turn: turn.map(|turn| turn as i64),
            level,
            unit: &self.unit,
            value,
            n: Some(n),
            ..Writer::blank(self.key)
        };
        row.push_line_by(&self.ids, self.lines, |out| {
            out.push(b'{');
            evidence(out);
            out.push(b'}');
        });
    }
}

/// Appends the rows of a dialogue.
pub(crate) fn push_rows(lines: &mut Vec<u8>, outcome: &Outcome, catalog: &Catalog) {
    let Outcome { key, scores, .. } = outcome;
    let mut ids = vec![];
    Writer::blank(key).push_ids(&mut ids);
    let mut writer = Writer { key, ids, unit: String::new(), lines };
    for (turn, hits) in scores.turns.iter().zip(&outcome.hits) {
        turn_rows(&mut writer, turn, hits, catalog);
    }
    for segment in &scores.segments {
        segment_rows(&mut writer, segment, catalog);
    }
    for shift in &scores.shifts {
        shift_rows(&mut writer, shift, catalog);
    }
    writer.unit(' ', None);
    for (metric, entry) in DIALOGUE_METRICS.iter().zip(&scores.entries) {
        let Entry { value, n, turns, against } = entry;
        writer.row((metric, "dialogue"), None, value.clone(), *n, |out| {
            push_key(out, "turns");
            push_list(out, turns, |out, turn| push_count(out, *turn));
            if let Some(against) = against {
                push_key(out, "against");
                push_list(out, against, |out, turn| push_count(out, *turn));
            }
        });
    }
}

fn turn_rows(writer: &mut Writer<'_>, turn: &TurnScore, hits: &[Hits; 2], catalog: &Catalog) {
    let concepts = catalog.scored();
    let place = Some(turn.turn);
    let all = union(&turn.user, &turn.system);
    writer.unit('#', place);
    writer.row(("cc", "turn"), place, turn.cc.clone(), all.len() as u64, |out| {
        push_key(out, "user");
        push_concepts(out, turn.user.iter().copied(), concepts);
        push_key(out, "system");
        push_concepts(out, turn.system.iter().copied(), concepts);
        push_key(out, "shared");
        push_concepts(out, shared(&turn.user, &turn.system), concepts);
        push_key(out, "user_hits");
        hits[0].push(out, concepts);
        push_key(out, "system_hits");
        hits[1].push(out, concepts);
    });
    writer.row(("cr", "turn"), place, turn.cr.clone(), all.len() as u64, |out| {
        out.extend_from_slice(b"\"idf\":{");
        for concept in &all {
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            push_concept(out, *concept, concepts);
            out.push(b':');
            push_number(out, concepts.idf(*concept));
        }
        out.push(b'}');
    });
    writer.row(("i", "turn"), place, Ok(turn.i), turn.copy.total, |out| {
        out.pop();
        push_copying(out, &turn.copy);
        out.pop();
    });
    writer.row(("tas", "turn"), place, turn.tas.clone(), u64::from(turn.tas.is_ok()), |out| {
        push_key(out, "cc");
        push_measure(out, &turn.cc);
        push_key(out, "cr");
        push_measure(out, &turn.cr);
        push_key(out, "i");
        push_number(out, turn.i);
    });
}

fn segment_rows(writer: &mut Writer<'_>, segment: &SegmentScore, catalog: &Catalog) {
    let concepts = catalog.scored();
    let n = (segment.end - segment.start + 1) as u64;
    writer.unit('@', Some(segment.start));
    for (metric, value) in [("cc", &segment.cc), ("cr", &segment.cr), ("tas", &segment.tas)] {
        writer.row((metric, "segment"), Some(segment.start), value.clone(), n, |out| {
            push_key(out, "end_turn");
            push_count(out, segment.end);
            push_key(out, "missing");
            push_concepts(out, segment.missing.iter().copied(), concepts);
            push_key(out, "hallucinated");
            push_concepts(out, segment.hallucinated.iter().copied(), concepts);
        });
    }
}

fn shift_rows(writer: &mut Writer<'_>, shift: &ShiftScore, catalog: &Catalog) {
    let (place, n) = (Some(shift.turn), u64::from(shift.recovery.observed));
    let cc = |out: &mut Vec<u8>| {
        push_key(out, "cc");
        push_list(out, &shift.cc, push_measure);
    };
    writer.unit('!', place);
    let recovered = f64::from(shift.recovery.delay.is_some());
    writer.row(("recovered", "shift"), place, Ok(recovered), n, |out| {
        cc(out);
        push_key(out, "cr");
        push_list(out, &shift.cr, push_measure);
    });
    writer.row(("recovery_delay", "shift"), place, shift.delay(), n, cc);
    let n = if shift.leakage.is_ok() { shift.replies as u64 } else { 0 };
    writer.row(("leakage", "shift"), place, shift.leakage.clone(), n, |out| {
        push_key(out, "dropped");
        match &shift.dropped {
            Some(dropped) => push_concepts(out, dropped.iter().copied(), catalog.scored()),
            None => out.extend_from_slice(b"null"),
        }
    });
}

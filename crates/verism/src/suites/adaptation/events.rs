//! Events and the row audit as lines of JSON.

use super::discover::CellId;
use super::fact::{SOURCES, States};
use super::judge::Judged;
use super::pack::Pack;
use super::tally::STATUSES;
use crate::score::json::{push, push_field};

/// Line numbers from here on stand for an unknown line; what is above it keeps the order of the file.
pub(super) const UNKNOWN_LINE: u64 = 1 << 63;

/// A line number as it is shown.
pub(super) fn shown_line(line: u64) -> Option<u64> {
    (line < UNKNOWN_LINE).then_some(line)
}

/// Writes events and rows of one cell; what is the same in all of them is written once.
pub(super) struct Writer<'a> {
    pack: &'a Pack,
    /// `{"model":…,"group":…,"run":…`.
    head: Vec<u8>,
    /// Files by number.
    files: &'a [String],
    cues: &'a [Box<[u32]>],
}

impl<'a> Writer<'a> {
    pub(super) fn new(pack: &'a Pack, cell: &CellId, files: &'a [String], cues: &'a [Box<[u32]>]) -> Writer<'a> {
        let mut head = b"{".to_vec();
        for (key, id) in super::record::IDS.iter().zip(cell) {
            push_field(&mut head, key, id);
        }
        Writer { pack, head, files, cues }
    }

    /// Appends one line per broken rule.
    pub(super) fn events(&self, row: &Judged<'_>, agent: &str, out: &mut Vec<u8>) {
        let (pack, fact) = (self.pack, row.fact);
        for (_, rule) in pack.rules.iter().enumerate().filter(|(i, _)| row.broken >> i & 1 == 1) {
            out.extend_from_slice(&self.head);
            push_field(out, "agent_id", &agent);
            push_field(out, "year", &fact.year);
            push_field(out, "rule", &rule.id);
            push_field(out, "kind", &rule.kind.name());
            push_field(out, "action", &pack.action_name(fact.action));
            push_field(out, "intent", &pack.action_name(fact.intent));
            push_field(out, "intent_source", &fact.marks.intent_source());
            let mut cues = self.cues.get(fact.cues as usize).map_or(&[][..], |cues| cues);
            for (c, construct) in pack.constructs.iter().enumerate() {
                let label = fact.labels.get(c);
                let level = label.level.map(|level| construct.levels[usize::from(level)].as_str());
                push_joined(out, &construct.id, "_label", &level);
                push_joined(out, &construct.id, "_source", &SOURCES[label.source as usize]);
                let count = cues.first().map_or(0, |&count| count as usize);
                let mine = cues.get(1..=count).unwrap_or_default();
                let texts: Vec<&str> = mine.iter().map(|&cue| construct.evidence[cue as usize].as_str()).collect();
                push_joined(out, &construct.id, "_cues", &texts);
                cues = cues.get(count + 1..).unwrap_or_default();
            }
            self.push_states(out, row.before);
            push_field(out, "execution", &STATUSES[row.status]);
            push_field(out, "file", &self.files.get(fact.file as usize));
            push_field(out, "line", &shown_line(fact.line));
            out.extend_from_slice(b"}\n");
        }
    }

    /// Appends the line of the row audit.
    pub(super) fn row(&self, row: &Judged<'_>, agent: &str, out: &mut Vec<u8>) {
        let (pack, fact) = (self.pack, row.fact);
        out.extend_from_slice(&self.head);
        push_field(out, "agent_id", &agent);
        push_field(out, "year", &fact.year);
        push_field(out, "active", &row.active);
        push_field(out, "excluded", &row.excluded);
        push_field(out, "action", &pack.action_name(fact.action));
        push_field(out, "intent", &pack.action_name(fact.intent));
        for (c, construct) in pack.constructs.iter().enumerate() {
            let label = fact.labels.get(c);
            push_field(out, &construct.id, &label.level.map(|level| construct.levels[usize::from(level)].as_str()));
            push_joined(out, &construct.id, "_source", &SOURCES[label.source as usize]);
        }
        self.push_states(out, row.before);
        let broken: Vec<&str> =
            (0..pack.rules.len()).filter(|i| row.broken >> i & 1 == 1).map(|i| pack.rules[i].id.as_str()).collect();
        push_field(out, "rules", &broken);
        push_field(out, "execution", &STATUSES[row.status]);
        out.extend_from_slice(b"}\n");
    }

    fn push_states(&self, out: &mut Vec<u8>, before: States) {
        for (i, state) in self.pack.states.iter().enumerate() {
            push_joined(out, &state.id, "_before", &before.get(i).value());
        }
    }
}

/// Appends `"<name><ending>":value`.
fn push_joined(out: &mut Vec<u8>, name: &str, ending: &str, value: &impl serde::Serialize) {
    out.push(b',');
    push(out, &name);
    out.pop();
    out.extend_from_slice(ending.as_bytes());
    out.extend_from_slice(b"\":");
    push(out, value);
}

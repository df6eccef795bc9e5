//! Events and the row audit as lines of JSON.

use memchr::memmem;

use super::agent::{Excluded, Judged};
use super::tally::STATUSES;
use crate::score::json::{push, push_field};
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::read::discover::{CellId, IDS};
use crate::suites::adaptation::row::{SOURCES, States, shown_line};

/// Writes events and rows of one cell; what is the same in all of them is written once.
pub(crate) struct Writer<'a> {
    pack: &'a Pack,
    /// `{"model":…,"group":…,"run":…`.
    head: Vec<u8>,
    /// Files by number.
    files: &'a [String],
    cues: &'a [Box<[u32]>],
}

impl<'a> Writer<'a> {
    pub(crate) fn new(pack: &'a Pack, cell: &CellId, files: &'a [String], cues: &'a [Box<[u32]>]) -> Writer<'a> {
        let mut head = b"{".to_vec();
        for (key, id) in IDS.iter().zip(cell) {
            push_field(&mut head, key, id);
        }
        Writer { pack, head, files, cues }
    }

    /// Appends one line per broken rule.
    pub(crate) fn events(&self, judged: &Judged<'_>, agent: &str, out: &mut Vec<u8>) {
        let (pack, row) = (self.pack, judged.row);
        for (_, rule) in pack.rules.iter().enumerate().filter(|(i, _)| judged.broken >> i & 1 == 1) {
            out.extend_from_slice(&self.head);
            push_field(out, "agent_id", &agent);
            push_field(out, "year", &row.year);
            push_field(out, "rule", &rule.id);
            push_field(out, "kind", &rule.kind.name());
            push_field(out, "action", &pack.action_name(row.action));
            push_field(out, "intent", &pack.action_name(row.intent));
            push_field(out, "intent_source", &row.marks.intent_source());
            let mut cues = self.cues.get(row.cues as usize).map_or(&[][..], |cues| cues);
            for (c, construct) in pack.constructs.iter().enumerate() {
                let label = row.labels.get(c);
                let level = label.level.map(|level| construct.levels[usize::from(level)].as_str());
                push_joined(out, &construct.id, "_label", &level);
                push_joined(out, &construct.id, "_source", &SOURCES[label.source as usize]);
                let count = cues.first().map_or(0, |&count| count as usize);
                let mine = cues.get(1..=count).unwrap_or_default();
                let texts: Vec<&str> = mine.iter().map(|&cue| construct.evidence[cue as usize].as_str()).collect();
                push_joined(out, &construct.id, "_cues", &texts);
                cues = cues.get(count + 1..).unwrap_or_default();
            }
            self.push_states(out, judged.before);
            push_field(out, "execution", &STATUSES[judged.status]);
            push_field(out, "file", &self.files.get(row.file as usize));
            push_field(out, "line", &shown_line(row.line));
            out.extend_from_slice(b"}\n");
        }
    }

    /// Appends the line of the row audit.
    pub(crate) fn row(&self, judged: &Judged<'_>, agent: &str, out: &mut Vec<u8>) {
        let (pack, row) = (self.pack, judged.row);
        out.extend_from_slice(&self.head);
        push_field(out, "agent_id", &agent);
        push_field(out, "year", &row.year);
        push_field(out, "active", &judged.excluded.is_none());
        push_field(out, "excluded", &judged.excluded.map(Excluded::name));
        push_field(out, "action", &pack.action_name(row.action));
        push_field(out, "intent", &pack.action_name(row.intent));
        for (c, construct) in pack.constructs.iter().enumerate() {
            let label = row.labels.get(c);
            push_field(out, &construct.id, &label.level.map(|level| construct.levels[usize::from(level)].as_str()));
            push_joined(out, &construct.id, "_source", &SOURCES[label.source as usize]);
        }
        self.push_states(out, judged.before);
        let broken: Vec<&str> =
            (0..pack.rules.len()).filter(|i| judged.broken >> i & 1 == 1).map(|i| pack.rules[i].id.as_str()).collect();
        push_field(out, "rules", &broken);
        push_field(out, "execution", &STATUSES[judged.status]);
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

/// Rewrites lines of the row audit for a cell where nobody knows which rows are active: rows that seemed to be have no
/// judgement.
pub(crate) fn without_activity(lines: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.len());
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        // A quote inside a text is escaped, so these keys are found nowhere but where they are keys.
        match (memmem::find(line, b",\"active\":true,"), memmem::rfind(line, b",\"rules\":["), line.last()) {
            (Some(active), Some(rules), Some(end)) if active < rules => {
                out.extend_from_slice(&line[..active]);
                out.extend_from_slice(b",\"active\":null,");
                out.extend_from_slice(&line[active + b",\"active\":true,".len()..rules]);
                out.extend_from_slice(b",\"rules\":[],\"execution\":\"undetermined\"}");
                out.extend((*end == b'\n').then_some(b'\n'));
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_seemed_active_lose_their_judgement() {
        let lines = concat!(
            r#"{"model":"m","agent_id":"a\",\"active\":true,","year":1,"active":true,"excluded":null,"rules":["r"],"execution":"executed"}"#,
            "\n",
            r#"{"model":"m","agent_id":"b","year":1,"active":false,"excluded":"placeholder","rules":[],"execution":"undetermined"}"#,
            "\n"
        );
        let expected = concat!(
            r#"{"model":"m","agent_id":"a\",\"active\":true,","year":1,"active":null,"excluded":null,"rules":[],"execution":"undetermined"}"#,
            "\n",
            r#"{"model":"m","agent_id":"b","year":1,"active":false,"excluded":"placeholder","rules":[],"execution":"undetermined"}"#,
            "\n"
        );
        assert_eq!(String::from_utf8(without_activity(lines.as_bytes())).expect("UTF-8"), expected);
    }
}

//! Takes turns in the order of their keys: settles events that stand twice, judges, writes rows and tables.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rayon::prelude::*;

use super::judge::{Scratch, judge};
use super::metrics::METRICS;
use super::metrics::csp::rule;
use super::record::{Entry, Turn, TurnKey};
use super::rows::{self, COUNT, FalseFact, Judged, RecordCell};
use super::setup::Setup;
use super::tables::Tables;
use crate::error::{Error, Result};
use crate::input::Watch;
use crate::score::json;
use crate::score::ledger::{Account, Ledger};
use crate::score::output::{LineFile, Output, TableFile};
use crate::score::table::{Cell, Dialect};
use crate::suites::clinical::options::KnownFacts;
use crate::suites::records::{Dropped, Finished, Gather, RecordSuite, SourceLine};
use crate::text::numbered::Numbered;

/// A turn with its place in the inputs and the questions before it.
struct Waiting {
    turn: Box<Turn>,
    /// The patient's record from a script, where the turn has none.
    script: Option<String>,
    earlier: Vec<String>,
}

/// Turns that each thread judges before they are written: a few megabytes of rows, so that they stay near.
const AT_ONCE: usize = 64;

pub(super) struct Gathering<'a> {
    setup: &'a Setup,
    output: &'a mut Output,
    violations: TableFile,
    false_facts: TableFile,
    answers: LineFile,
    warnings: LineFile,
    /// Records of patients from scripts.
    scripts: BTreeMap<String, String>,
    /// The last turn, which a later event may supersede.
    held: Option<Box<Turn>>,
    waiting: Vec<Waiting>,
    /// What became of those that waited last; its buffers are used again.
    judged: Vec<Judged>,
    /// Questions of the dialogue so far, where they count.
    questions: Vec<String>,
    /// The dialogue of the turns so far.
    dialogue: Option<TurnKey>,
    superseded: u64,
    turns: u64,
    accounts: Vec<Account>,
    tables: Tables,
    /// Turns of types that the pack does not know, and the names of those.
    unknown_types: Vec<(SourceLine, u32)>,
    types: Numbered,
    scratch: Vec<Mutex<Scratch>>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(setup: &'a Setup, output: &'a mut Output) -> Result<Gathering<'a>> {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let ids = ["experiment", "run", "case", "dialogue", "turn"];
        let with = |more: &[&str]| list(&[&ids[..], more].concat());
        let violations = with(&["rule", "weight", "patterns", "quotes"]);
        let facts = with(&["type", "id", "stated", "status", "truth", "reason", "weight", "quote"]);
        Ok(Gathering {
            violations: output.table("violations", violations, Dialect::Plain)?,
            false_facts: output.table("false_facts", facts, Dialect::Plain)?,
            answers: output.list("answers")?,
            warnings: output.list("warnings")?,
            tables: Tables::new(setup, output.scratch()),
            setup,
            output,
            scripts: BTreeMap::new(),
            held: None,
            waiting: vec![],
            judged: vec![],
            questions: vec![],
            dialogue: None,
            superseded: 0,
            turns: 0,
            accounts: vec![Account::default(); COUNT],
            unknown_types: vec![],
            types: Numbered::default(),
            scratch: (0..=rayon::current_num_threads()).map(|_| Mutex::default()).collect(),
        })
    }

    /// Takes the next turn by key; of several events with one key the latest stays, of equal ones the later line.
    fn turn(&mut self, place: SourceLine, turn: Box<Turn>) -> Result<()> {
        if let Some(kind) = turn.turn_type.as_deref().filter(|kind| self.setup.unknown_type(kind).is_some()) {
            self.unknown_types.push((place, self.types.number(kind)));
        }
        match self.held.take() {
            Some(held) if held.key == turn.key => {
                self.superseded += 1;
                self.held = Some(if turn.event >= held.event { turn } else { held });
                Ok(())
            }
            held => {
                self.held = Some(turn);
                held.map_or(Ok(()), |held| self.settled(held))
            }
        }
    }

    /// A turn that nothing supersedes.
    fn settled(&mut self, turn: Box<Turn>) -> Result<()> {
        let script =
            || turn.event.as_ref().and_then(|_| self.scripts.get(&turn.key.case)).filter(|slots| *slots != "{}");
        let script = if turn.slots.is_none() { script().cloned() } else { None };
        let mut earlier = vec![];
        if self.setup.params.known_facts == KnownFacts::SlotsAndDialogue {
            let same = self.waiting.last().map(|waiting| &waiting.turn.key).or(self.dialogue.as_ref());
            if !same.is_some_and(|same| same_dialogue(same, &turn.key)) {
                self.questions.clear();
            }
            earlier.clone_from(&self.questions);
            self.questions.extend(turn.question.clone());
        }
        self.waiting.push(Waiting { turn, script, earlier });
        if self.waiting.len() >= AT_ONCE * self.scratch.len() { self.judge() } else { Ok(()) }
    }

    /// Judges what waits, side by side, and writes it in order.
    fn judge(&mut self) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut judged = std::mem::take(&mut self.judged);
        judged.resize_with(judged.len().max(waiting.len()), Judged::default);
        let (setup, scratch) = (self.setup, &self.scratch);
        waiting.par_iter().zip(&mut judged).with_min_len(8).for_each(|(waiting, judged)| {
            let number = rayon::current_thread_index().map_or(0, |number| number + 1).min(scratch.len() - 1);
            let mut scratch = scratch[number].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let slots = waiting.turn.slots.as_deref().or(waiting.script.as_deref());
            let judgement = judge(setup, &waiting.turn, slots, &waiting.earlier, &mut scratch);
            rows::write(setup, &waiting.turn, judgement, judged);
        });
        for (waiting, judged) in waiting.iter().zip(&judged) {
            self.write(&waiting.turn.key, judged)?;
        }
        self.judged = judged;
        Ok(())
    }

    fn write(&mut self, key: &TurnKey, judged: &Judged) -> Result<()> {
        if !self.dialogue.as_ref().is_some_and(|dialogue| same_dialogue(dialogue, key)) {
            self.end_dialogue()?;
            self.dialogue = Some(key.clone());
        }
        self.turns += 1;
        self.output.score_lines(&judged.lines)?;
        self.answers.write(&judged.answer)?;
        for (account, (value, _)) in self.accounts.iter_mut().zip(&judged.measures) {
            account.book(value);
        }
        for fact in &judged.false_facts {
            self.false_fact(key, fact)?;
        }
        for violation in &judged.violations {
            let (id, weight) = rule(&self.setup.engine, violation.place);
            let mut cells = ids(key);
            let lists = [Cell::Json(&violation.patterns), Cell::Json(&violation.quotes)];
            cells.extend([Cell::Text(id), Cell::Float(weight)].into_iter().chain(lists));
            self.violations.row(&cells)?;
        }
        self.tables.turn(key, judged);
        Ok(())
    }

    fn false_fact(&mut self, key: &TurnKey, fact: &FalseFact) -> Result<()> {
        let mut cells = ids(key);
        cells.extend([
            Cell::Text(fact.kind),
            Cell::Text(&fact.id),
            fact.stated.as_deref().map_or(Cell::Empty, Cell::Json),
            Cell::Text(fact.status),
            match &fact.truth {
                RecordCell::None => Cell::Empty,
                RecordCell::Json(text) => Cell::Json(text),
                RecordCell::Number(x) => Cell::Float(*x),
                RecordCell::Whole(x) => Cell::Int((*x).into()),
                RecordCell::Text(text) => Cell::Text(text),
            },
            fact.reason.into(),
            Cell::Float(fact.weight),
            Cell::Text(&fact.quote),
        ]);
        self.false_facts.row(&cells)
    }

    /// Writes the rows of the dialogue that has ended.
    fn end_dialogue(&mut self) -> Result<()> {
        let Some(key) = self.dialogue.take() else { return Ok(()) };
        let lines = self.tables.end_dialogue(self.setup, &key)?;
        self.output.score_lines(&lines)
    }

    /// Warnings of the pack, then types of turns that it does not know, in reading order.
    fn write_warnings(&mut self) -> Result<u64> {
        self.unknown_types.sort_unstable();
        let unknown = self.unknown_types.iter().filter_map(|(place, kind)| {
            let mut defect = self.setup.unknown_type(self.types.name(*kind))?.line(place.line);
            defect.file = self.setup.file(place.source);
            Some(defect)
        });
        let mut count = 0;
        for defect in self.setup.warnings.iter().cloned().chain(unknown) {
            let mut line = json::text(&defect).into_bytes();
            line.push(b'\n');
            self.warnings.write(&line)?;
            count += 1;
        }
        Ok(count)
    }
}

/// What the pack says to people: its notice, and why each rule is there.
fn told(setup: &Setup) -> String {
    let pack = &setup.engine.pack;
    let rules = pack.rules.iter().map(|rule| (rule.id.as_str(), rule.rationale.as_str()));
    let requirements = pack.requirements.iter().map(|rule| (rule.id.as_str(), rule.rationale.as_str()));
    let rationales: BTreeMap<&str, &str> = rules.chain(requirements).filter(|(_, text)| !text.is_empty()).collect();
    serde_json::json!({"id": pack.id, "version": pack.version, "notice": pack.notice, "rationales": rationales})
        .to_string()
}

fn same_dialogue(a: &TurnKey, b: &TurnKey) -> bool {
    (&a.experiment, &a.run, &a.case, &a.dialogue) == (&b.experiment, &b.run, &b.case, &b.dialogue)
}

/// The cells that name a turn.
fn ids(key: &TurnKey) -> Vec<Cell<'_>> {
    vec![
        Cell::Text(&key.experiment),
        Cell::Text(&key.run),
        Cell::Text(&key.case),
        Cell::Text(&key.dialogue),
        Cell::Int(key.turn.into()),
    ]
}

impl Gather<Entry> for Gathering<'_> {
    fn take(&mut self, entries: Vec<(SourceLine, Entry)>) -> Result<()> {
        for (place, entry) in entries {
            match entry {
                Entry::Script { patient, slots } => drop(self.scripts.insert(patient, slots)),
                Entry::Turn(turn) => self.turn(place, turn)?,
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, dropped: &Dropped, _watch: &dyn Watch) -> Result<Finished> {
        if let Some(held) = self.held.take() {
            self.settled(held)?;
        }
        self.judge()?;
        self.end_dialogue()?;
        if self.turns == 0 {
            let first = self.setup.file(0);
            let defect = super::Clinical.nothing(first.as_deref().map(std::path::Path::new));
            return Err(Error::NothingLeft { defect: Box::new(defect), dropped: dropped.first.clone() });
        }
        let noted = self.write_warnings()?;
        let mut ledger = Ledger::default();
        for (metric, account) in METRICS.iter().zip(&mut self.accounts) {
            for (code, count) in &dropped.codes {
                account.exclude_many(code.as_str(), *count);
            }
            account.exclude_many("superseded", self.superseded);
            ledger.add(metric, "turn", account.clone());
        }
        self.violations.finish()?;
        self.false_facts.finish()?;
        self.answers.finish()?;
        self.warnings.finish()?;
        self.tables.write(self.setup, self.output)?;
        self.output.object("pack", told(self.setup))?;
        let notes = (noted > 0)
            .then(|| format!("{noted} warning(s) about the pack or types of turns; warnings.jsonl lists them"));
        let mut summary = self.tables.summary();
        summary.push(self.setup.engine.pack.notice.clone());
        Ok(Finished {
            counts: vec![("turns", self.turns), ("superseded", self.superseded)],
            ledger: ledger.to_json(),
            warnings: notes.into_iter().collect(),
            summary,
            ..Finished::default()
        })
    }
}

//! Gathers judged conversations: their rows go to files at once, what tables need is kept.

use rustc_hash::FxHashSet;

use super::group_audits::GroupAudits;
use super::options::{Params, Switch};
use super::outcome::{Audit, Key, METRICS, Outcome, Place as AuditPlace, Turns, metrics};
use super::run::{Place, Record, Sink};
use crate::error::{Defect, Error, Result};
use crate::score::ledger::Account;
use crate::score::output::{LineFile, Output, TableFile};
use crate::score::table::{Cell, Dialect};
use crate::suites::numbered::Numbered;

/// Number of a name.
type Number = u32;

/// What is kept of a conversation for the tables.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) experiment: Number,
    pub(super) run: Number,
    pub(super) case: Number,
    pub(super) dialogue: Box<str>,
    pub(super) persona: Option<Number>,
    /// Values in the order of [`METRICS`].
    pub(super) values: [Option<f64>; METRICS.len()],
    pub(super) explore_rate: Option<f64>,
}

/// Tells conversations apart that share an id.
#[derive(Debug, Default)]
pub(super) struct Seen {
    names: Numbered,
    keys: FxHashSet<(Number, Number, Number, Box<str>)>,
}

impl Seen {
    /// Whether a conversation is the first with its id.
    pub(super) fn is_new(&mut self, key: &Key) -> bool {
        let [experiment, run, case] = [&key.experiment, &key.run, &key.case].map(|text| self.names.number(text));
        self.keys.insert((experiment, run, case, key.dialogue.as_str().into()))
    }

    /// What is wrong with a conversation that is not.
    pub(super) fn duplicate(key: &Key, file: Option<String>, line: u64) -> Defect {
        let expected = "an id used once per experiment, run and case";
        let hint = "give each conversation its own `dialogue`, or its own `run`";
        let defect = Defect::new("duplicate_id", expected).field("dialogue").value(&key.dialogue).hint(hint);
        Defect { file, ..defect.line(line) }
    }
}

/// What is left when all conversations have been taken.
pub(super) struct Gathered<'a> {
    pub(super) params: &'a Params,
    pub(super) output: &'a mut Output,
    pub(super) names: Numbered,
    pub(super) kept: Vec<Kept>,
    pub(super) turns: Turns,
    /// Accounts in the order of metrics.
    pub(super) accounts: Vec<Account>,
    /// Audits by severity: errors, warnings, notices.
    pub(super) audits: [u64; 3],
    pub(super) dropped: Vec<Defect>,
}

/// Takes what was judged.
pub(super) struct Collector<'a> {
    params: &'a Params,
    lenient: bool,
    output: &'a mut Output,
    /// The names of sources, for conversations that turn out to be duplicates.
    files: Vec<String>,
    conversations: TableFile,
    order_path: TableFile,
    audits: TableFile,
    errors: LineFile,
    seen: Seen,
    kept: Vec<Kept>,
    turns: Turns,
    accounts: Vec<Account>,
    groups: GroupAudits,
    audit_counts: [u64; 3],
    dropped: Vec<Defect>,
    line: Vec<u8>,
}

impl<'a> Collector<'a> {
    /// Starts the files of a result; `files` are the names of the sources.
    pub(super) fn new(
        params: &'a Params,
        lenient: bool,
        files: Vec<String>,
        output: &'a mut Output,
    ) -> Result<Collector<'a>> {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let metrics = metrics(params.sta == Switch::On);
        let mut columns = list(&["experiment", "run", "case", "dialogue", "persona", "level", "N"]);
        columns.extend(metrics.iter().flat_map(|metric| [metric.to_string(), format!("{metric}_undefined")]));
        let path = ["experiment", "run", "case", "dialogue", "turn", "exploration", "size", "ora", "undefined"];
        let audits = ["audit", "severity", "experiment", "run", "case", "dialogue", "turn", "field", "detail"];
        let order_path = output.table("order_path", list(&path), Dialect::Plain)?;
        let conversations = output.table("conversations", columns, Dialect::Plain)?;
        let audits = output.table("audits", list(&audits), Dialect::Plain)?;
        let errors = output.list("errors")?;
        Ok(Collector {
            params,
            lenient,
            output,
            files,
            conversations,
            order_path,
            audits,
            errors,
            seen: Seen::default(),
            kept: vec![],
            turns: Turns::default(),
            accounts: vec![Account::default(); metrics.len()],
            groups: GroupAudits::default(),
            audit_counts: [0; 3],
            dropped: vec![],
            line: vec![],
        })
    }

    fn keep(&mut self, outcome: Outcome) -> Result<()> {
        self.output.score_lines(outcome.lines.as_bytes())?;
        self.conversation_row(&outcome)?;
        self.path_rows(&outcome)?;
        for audit in &outcome.audits {
            self.audit_row(audit, Some(&outcome.key), None)?;
        }
        self.groups.add(&outcome);
        self.turns.exits += outcome.turns.exits;
        self.turns.scored += outcome.turns.scored;
        for (reason, count) in &outcome.turns.undefined {
            self.turns.book_undefined(reason, *count);
        }
        let mut values = [None; METRICS.len()];
        for ((value, account), kept) in outcome.values.iter().zip(&mut self.accounts).zip(&mut values) {
            account.book(value);
            *kept = value.as_ref().ok().copied();
        }
        let names = &mut self.seen.names;
        self.kept.push(Kept {
            experiment: names.number(&outcome.key.experiment),
            run: names.number(&outcome.key.run),
            case: names.number(&outcome.key.case),
            dialogue: outcome.key.dialogue.into(),
            persona: outcome.persona.map(|persona| names.number(&persona)),
            values,
            explore_rate: outcome.explore_rate,
        });
        Ok(())
    }

    fn conversation_row(&mut self, outcome: &Outcome) -> Result<()> {
        let key = &outcome.key;
        let mut cells: Vec<Cell<'_>> = vec![
            key.experiment.as_str().into(),
            key.run.as_str().into(),
            key.case.as_str().into(),
            key.dialogue.as_str().into(),
            outcome.persona.as_deref().into(),
            outcome.level.map(u64::from).into(),
            outcome.n.into(),
        ];
        for value in &outcome.values {
            cells.push(value.as_ref().ok().copied().into());
            cells.push(value.as_ref().err().map(|why| why.reason()).into());
        }
        self.conversations.row(&cells)
    }

    fn path_rows(&mut self, outcome: &Outcome) -> Result<()> {
        let key = &outcome.key;
        for row in &outcome.order_path {
            self.order_path.row(&[
                key.experiment.as_str().into(),
                key.run.as_str().into(),
                key.case.as_str().into(),
                key.dialogue.as_str().into(),
                row.turn.into(),
                row.exploration.as_deref().into(),
                row.size.into(),
                row.ora.as_ref().ok().copied().into(),
                row.ora.as_ref().err().map(|why| why.reason()).into(),
            ])?;
        }
        Ok(())
    }

    fn audit_row(&mut self, audit: &Audit, key: Option<&Key>, experiment: Option<&str>) -> Result<()> {
        self.audit_counts[audit.severity as usize] += 1;
        let turn = match &audit.turn {
            None => Cell::Empty,
            Some(AuditPlace::Turn(turn)) => Cell::Int((*turn).into()),
            Some(AuditPlace::Text(text)) => Cell::Text(text),
        };
        self.audits.row(&[
            audit.audit.as_ref().into(),
            audit.severity.name().into(),
            key.map(|key| key.experiment.as_str()).or(experiment).into(),
            key.map(|key| key.run.as_str()).into(),
            key.map(|key| key.case.as_str()).into(),
            key.map(|key| key.dialogue.as_str()).into(),
            turn,
            audit.field.as_deref().into(),
            audit.detail.as_deref().into(),
        ])
    }

    /// Writes the audits that look across conversations, closes the files that grew on the way and gives the rest.
    pub(super) fn finish(mut self) -> Result<Gathered<'a>> {
        for (experiment, audit) in std::mem::take(&mut self.groups).finish() {
            self.audit_row(&audit, None, experiment.as_deref())?;
        }
        for account in &mut self.accounts {
            self.dropped.iter().for_each(|_| account.exclude("bad_record"));
        }
        self.conversations.finish()?;
        self.order_path.finish()?;
        self.audits.finish()?;
        self.errors.finish()?;
        Ok(Gathered {
            params: self.params,
            output: self.output,
            names: self.seen.names,
            kept: self.kept,
            turns: self.turns,
            accounts: self.accounts,
            audits: self.audit_counts,
            dropped: self.dropped,
        })
    }

    fn drop_record(&mut self, defect: Defect) -> Result<()> {
        if !self.lenient {
            return Err(Error::from(defect));
        }
        self.line.clear();
        crate::score::json::push(&mut self.line, &defect);
        self.line.push(b'\n');
        self.errors.write(&self.line)?;
        self.dropped.push(defect);
        Ok(())
    }
}

impl Sink for Collector<'_> {
    fn take(&mut self, place: Place, record: Record) -> Result<()> {
        match record {
            Err(defect) => self.drop_record(defect),
            Ok(outcome) if self.seen.is_new(&outcome.key) => self.keep(*outcome),
            Ok(outcome) => {
                let file = self.files.get(place.source as usize).cloned();
                self.drop_record(Seen::duplicate(&outcome.key, file, place.line))
            }
        }
    }
}

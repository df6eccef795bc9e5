//! Gathers judged conversations: their rows go out at once, what tables need is kept.

use super::audits::across::GroupAudits;
use super::measures::{MEASURES, asked};
use super::options::Params;
use super::outcome::{Audit, AuditedMessage, Outcome, Turns};
use super::{ledger, summary, tables};
use crate::error::Result;
use crate::input::Watch;
use crate::score::ledger::Account;
use crate::score::output::{Output, TableFile};
use crate::score::table::{Cell, Dialect};
use crate::suites::records::{Dropped, Finished, Gather, Key, SourceLine};
use crate::text::numbered::Numbered;

/// Number of a name.
type Number = u32;

/// What is kept of a conversation for the tables.
#[derive(Debug)]
pub(super) struct ConversationValues {
    pub(super) experiment: Number,
    pub(super) run: Number,
    pub(super) case: Number,
    pub(super) dialogue: Box<str>,
    pub(super) persona: Option<Number>,
    /// Values in the order of [`MEASURES`].
    pub(super) values: [Option<f64>; MEASURES.len()],
    pub(super) explore_rate: Option<f64>,
}

/// What is left when all conversations have been taken.
pub(super) struct Gathered<'a> {
    pub(super) params: &'a Params,
    pub(super) output: &'a mut Output,
    pub(super) names: Numbered,
    pub(super) kept: Vec<ConversationValues>,
    pub(super) turns: Turns,
    /// Accounts in the order of metrics.
    pub(super) accounts: Vec<Account>,
    /// Audits by severity: errors, warnings, notices.
    pub(super) audits: [u64; 3],
}

/// Takes what was judged.
pub(super) struct Gathering<'a> {
    gathered: Gathered<'a>,
    conversations: TableFile,
    order_path: TableFile,
    audits: TableFile,
    groups: GroupAudits,
}

impl<'a> Gathering<'a> {
    /// Starts the tables that grow with the conversations.
    pub(super) fn new(params: &'a Params, output: &'a mut Output) -> Result<Gathering<'a>> {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let metrics = asked(params);
        let mut columns = list(&["experiment", "run", "case", "dialogue", "persona", "level", "N"]);
        columns.extend(metrics.iter().flat_map(|metric| [metric.to_string(), format!("{metric}_undefined")]));
        let path = ["experiment", "run", "case", "dialogue", "turn", "exploration", "size", "ora", "undefined"];
        let audits = ["audit", "severity", "experiment", "run", "case", "dialogue", "turn", "field", "detail"];
        Ok(Gathering {
            order_path: output.table("order_path", list(&path), Dialect::Plain)?,
            conversations: output.table("conversations", columns, Dialect::Plain)?,
            audits: output.table("audits", list(&audits), Dialect::Plain)?,
            groups: GroupAudits::default(),
            gathered: Gathered {
                params,
                output,
                names: Numbered::default(),
                kept: vec![],
                turns: Turns::default(),
                accounts: vec![Account::default(); metrics.len()],
                audits: [0; 3],
            },
        })
    }

    fn keep(&mut self, outcome: Outcome) -> Result<()> {
        self.gathered.output.score_lines(outcome.lines.as_bytes())?;
        self.conversation_row(&outcome)?;
        self.path_rows(&outcome)?;
        for audit in &outcome.audits {
            self.audit_row(audit, Some(&outcome.key), None)?;
        }
        self.groups.add(&outcome);
        let gathered = &mut self.gathered;
        gathered.turns.exits += outcome.turns.exits;
        gathered.turns.scored += outcome.turns.scored;
        for (reason, count) in &outcome.turns.undefined {
            gathered.turns.book_undefined(reason, *count);
        }
        let mut values = [None; MEASURES.len()];
        for ((value, account), kept) in outcome.values.iter().zip(&mut gathered.accounts).zip(&mut values) {
            account.book(value);
            *kept = value.as_ref().ok().copied();
        }
        let names = &mut gathered.names;
        gathered.kept.push(ConversationValues {
            experiment: names.number(&outcome.key.experiment),
            run: names.number(&outcome.key.run),
            case: names.number(&outcome.key.case),
            dialogue: outcome.key.unit.into(),
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
            key.unit.as_str().into(),
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
                key.unit.as_str().into(),
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
        self.gathered.audits[audit.severity as usize] += 1;
        let turn = match &audit.turn {
            None => Cell::Empty,
            Some(AuditedMessage::Turn(turn)) => Cell::Int((*turn).into()),
            Some(AuditedMessage::Text(text)) => Cell::Text(text),
        };
        self.audits.row(&[
            audit.audit.as_ref().into(),
            audit.severity.name().into(),
            key.map(|key| key.experiment.as_str()).or(experiment).into(),
            key.map(|key| key.run.as_str()).into(),
            key.map(|key| key.case.as_str()).into(),
            key.map(|key| key.unit.as_str()).into(),
            turn,
            audit.field.as_deref().into(),
            audit.detail.as_deref().into(),
        ])
    }
}

impl Gather<Box<Outcome>> for Gathering<'_> {
    fn take(&mut self, outcomes: Vec<(SourceLine, Box<Outcome>)>) -> Result<()> {
        outcomes.into_iter().try_for_each(|(_, outcome)| self.keep(*outcome))
    }

    /// Writes the audits that look across conversations, closes the tables that grew on the way and writes the others.
    fn finish(mut self: Box<Self>, dropped: &Dropped, _watch: &dyn Watch) -> Result<Finished> {
        for (experiment, audit) in std::mem::take(&mut self.groups).finish() {
            self.audit_row(&audit, None, experiment.as_deref())?;
        }
        self.conversations.finish()?;
        self.order_path.finish()?;
        self.audits.finish()?;
        let mut gathered = self.gathered;
        for account in &mut gathered.accounts {
            account.exclude_many("bad_record", dropped.total());
        }
        tables::sort(&mut gathered);
        tables::write(&mut gathered)?;
        tables::sensitivity::write(&mut gathered)?;
        tables::interactions::write(&mut gathered)?;
        let [errors, warnings, notices] = gathered.audits;
        let contradictions =
            || format!("{errors} audit(s) say that records contradict their own log; see tables/audits.csv");
        let turns = &gathered.turns;
        Ok(Finished {
            counts: vec![
                ("conversations", gathered.kept.len() as u64),
                ("messages", turns.exits + turns.scored + turns.undefined.values().sum::<u64>()),
                ("audits", errors + warnings + notices),
            ],
            ledger: ledger(&gathered),
            warnings: (errors > 0).then(contradictions).into_iter().collect(),
            summary: summary(&gathered),
            ..Finished::default()
        })
    }
}

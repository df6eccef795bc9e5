//! Which records are accepted: repeated ids and defects are found here, in reading order.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashSet;

use super::in_order::InOrder;
use super::reading::TakeRecord;
use super::{Gather, Key, RecordSuite, SourceLine};
use crate::error::{Defect, Error, Result};
use crate::input::Watch;
use crate::score::json;
use crate::score::manifest::InputFacts;
use crate::score::output::{LineFile, Output};
use crate::suites::{Report, TakeDefect};
use crate::text::numbered::Numbered;

/// Entries that are handed on at a time.
const AT_A_TIME: usize = 256;
/// Defects that are kept in memory for a message; all are written as they come.
const KEPT: usize = 10_000;

/// What was left out, and why.
#[derive(Debug, Default)]
pub struct Dropped {
    /// How many records, by the code of their defect.
    pub codes: BTreeMap<String, u64>,
    /// The first of them.
    pub first: Vec<Defect>,
    /// Whether the job goes on past defects.
    pub lenient: bool,
}

impl Dropped {
    /// How many records were left out.
    pub fn total(&self) -> u64 {
        self.codes.values().sum()
    }

    fn add(&mut self, defect: Defect) {
        *self.codes.entry(defect.code.to_string()).or_default() += 1;
        if self.first.len() < KEPT {
            self.first.push(defect);
        }
    }
}

/// Tells records apart that share an id.
#[derive(Debug, Default)]
struct SeenKeys {
    names: Numbered,
    keys: FxHashSet<(u32, u32, u32, Box<str>)>,
}

impl SeenKeys {
    /// Whether a record is the first with its key.
    fn is_new(&mut self, key: &Key) -> bool {
        let [experiment, run, case] = [&key.experiment, &key.run, &key.case].map(|text| self.names.number(text));
        self.keys.insert((experiment, run, case, key.unit.as_str().into()))
    }
}

/// Decides which records are accepted.
struct Acceptance<'a, S: RecordSuite> {
    suite: &'a S,
    setup: &'a S::Setup,
    /// The names of sources, for records that turn out to be refused.
    files: Vec<String>,
    seen: SeenKeys,
    state: S::Admission,
    number: u64,
}

impl<'a, S: RecordSuite> Acceptance<'a, S> {
    fn new(suite: &'a S, setup: &'a S::Setup, files: Vec<String>) -> Acceptance<'a, S> {
        Acceptance { suite, setup, files, seen: SeenKeys::default(), state: S::Admission::default(), number: 0 }
    }

    fn admit(
        &mut self,
        place: SourceLine,
        record: std::result::Result<S::Entry, Defect>,
    ) -> std::result::Result<S::Entry, Defect> {
        let number = self.number;
        self.number += 1;
        let mut entry = record?;
        if let Err(defect) = self.suite.admit(self.setup, &mut self.state, number, &mut entry) {
            return Err(self.located(place, defect));
        }
        match self.suite.key(&entry) {
            Some(key) if !self.seen.is_new(&key) => Err(self.located(place, self.suite.duplicate(&key))),
            _ => Ok(entry),
        }
    }

    /// A defect with the place of its record.
    fn located(&self, place: SourceLine, mut defect: Defect) -> Defect {
        defect.file = defect.file.or_else(|| self.files.get(place.source as usize).cloned());
        // A file that was read as a whole may have no line to name.
        defect.line = defect.line.or((place.line > 0).then_some(place.line));
        defect
    }
}

/// Takes records for a result.
pub(super) struct Intake<'a, S: RecordSuite> {
    admission: Acceptance<'a, S>,
    lenient: bool,
    gather: Box<dyn Gather<S::Entry> + 'a>,
    in_order: InOrder<S::Entry>,
    pending: Vec<(SourceLine, S::Entry)>,
    accepted: u64,
    errors: LineFile,
    dropped: Dropped,
    /// Who is told of defects instead of the list of errors.
    told: Option<&'a mut TakeDefect<'a>>,
    key: Vec<u8>,
}

impl<'a, S: RecordSuite> Intake<'a, S> {
    /// Starts a result; `files` are the names of the sources.
    pub(super) fn new(
        suite: &'a S,
        setup: &'a S::Setup,
        lenient: bool,
        files: Vec<String>,
        output: &'a mut Output,
    ) -> Result<Intake<'a, S>> {
        let errors = output.list("errors")?;
        let in_order = InOrder::new(output.scratch());
        let gather = suite.gather(setup, output)?;
        let admission = Acceptance::new(suite, setup, files);
        let dropped = Dropped { lenient, ..Dropped::default() };
        Ok(Intake {
            admission,
            lenient,
            gather,
            in_order,
            pending: vec![],
            accepted: 0,
            errors,
            dropped,
            told: None,
            key: vec![],
        })
    }

    /// Tells somebody of every defect, instead of listing them.
    pub(super) fn telling(mut self, told: &'a mut TakeDefect<'a>) -> Intake<'a, S> {
        self.told = Some(told);
        self
    }

    /// Ends a walk that is told of and not kept: the ledger; none if no record could be read.
    pub(super) fn conclude(self, first: Option<&Path>, watch: &dyn Watch) -> Result<Option<String>> {
        if self.accepted == 0 && self.dropped.total() > 0 {
            return Ok(None);
        }
        self.finish(vec![], first, watch).map(|report| Some(report.ledger))
    }

    fn hand_on(&mut self) -> Result<()> {
        match self.pending.is_empty() {
            true => Ok(()),
            false => self.gather.take(std::mem::take(&mut self.pending)),
        }
    }

    fn drop_record(&mut self, defect: Defect) -> Result<()> {
        if !self.lenient {
            return Err(Error::from(defect));
        }
        if let Some(told) = &mut self.told {
            *self.dropped.codes.entry(defect.code.to_string()).or_default() += 1;
            return told(defect);
        }
        let mut line = vec![];
        json::push(&mut line, &defect);
        line.push(b'\n');
        self.errors.write(&line)?;
        self.dropped.add(defect);
        Ok(())
    }

    /// Hands on what is left and makes the report. `first` is the first input, by which an empty run is named.
    pub(super) fn finish(mut self, inputs: Vec<InputFacts>, first: Option<&Path>, watch: &dyn Watch) -> Result<Report> {
        let (suite, setup) = (self.admission.suite, self.admission.setup);
        if self.accepted == 0 {
            let dropped = std::mem::take(&mut self.dropped.first);
            return Err(Error::NothingLeft { defect: Box::new(suite.nothing(first)), dropped });
        }
        self.hand_on()?;
        // Nothing is admitted any more: what was needed for it makes room.
        self.admission.seen = SeenKeys::default();
        let mut sorted = self.in_order.finish()?;
        loop {
            let block = sorted.block(AT_A_TIME)?;
            if block.is_empty() {
                break;
            }
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            self.gather.take(block)?;
        }
        drop(sorted);
        self.errors.finish()?;
        let finished =
            self.gather.finish(&self.dropped, watch).map_err(|error| error.after("errors", &self.dropped.first))?;
        if let Some(told) = self.told {
            finished.listed.into_iter().try_for_each(told)?;
        }
        let left_out = self.dropped.total();
        let mut counts: BTreeMap<String, u64> =
            finished.counts.into_iter().map(|(name, count)| (name.to_string(), count)).collect();
        counts.insert("errors".into(), left_out);
        let mut warnings = vec![];
        if left_out > 0 {
            warnings.push(format!("{left_out} record(s) left out; errors.jsonl lists them"));
        }
        warnings.extend(finished.warnings);
        Ok(Report {
            signature: finished.signature.unwrap_or_else(|| suite.signature(setup)),
            options: suite.options(setup),
            inputs,
            counts,
            ledger: finished.ledger,
            warnings,
            summary: finished.summary,
        })
    }
}

impl<S: RecordSuite> TakeRecord<S::Entry> for Intake<'_, S> {
    fn take(&mut self, place: SourceLine, record: std::result::Result<S::Entry, Defect>) -> Result<()> {
        let entry = match self.admission.admit(place, record) {
            Ok(entry) => entry,
            Err(defect) => return self.drop_record(defect),
        };
        if let Some(told) = &mut self.told
            && let Some(warning) = self.admission.suite.warning(self.admission.setup, &entry)
        {
            told(self.admission.located(place, warning))?;
        }
        self.accepted += 1;
        self.key.clear();
        if self.admission.suite.sort_key(&entry, &mut self.key) {
            return self.in_order.add(&self.key, place, entry);
        }
        self.pending.push((place, entry));
        if self.pending.len() >= AT_A_TIME { self.hand_on() } else { Ok(()) }
    }
}

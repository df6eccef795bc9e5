//! The driver of suites whose logs are records: conversations, answers, texts.
//!
//! A suite says how its options are read, what a record is, what becomes of it and how results are written; finding and
//! reading files, threads, shares, repeated ids, defects and the search behind `why` are the same for all and live here.
//!
//! ```text
//! sources ─► reading ─► intake ──────────────► Gather ─► rows, tables, ledger
//!  files      lines to    repeated ids, defects,   ▲
//!  to read    entries,    admission                │ in reading order, or by key
//!             in parallel      │                   │ (sorted)
//!                              └─► share ─► merge ─┘
//! ```

mod intake;
mod reading;
mod share;
mod sorted;
mod source;
mod why;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::intake::Dropped;
pub use self::reading::{FileReader, Unreadable};
pub use self::source::{NoFiles, Source, SourceFile, base_name, below, json_lines};
pub use self::why::{Found, Noted};

pub(crate) use self::sorted::Sorter;

use self::intake::Intake;
use super::{Embed, Explanation, Job, Options, Report, Suite, SuiteFacts, TakeDefect, cut_off_warning};
use crate::error::{Defect, Result};
use crate::input::value::Json;
use crate::input::{Input, Watch};
use crate::score::output::Output;

/// Where a record stands among all: which source, which line (of a Parquet file: which row).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Number of the source in reading order.
    pub source: u32,
    /// Line, counted from 1.
    pub line: u64,
}

/// What names a record; no two accepted records share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// What is compared with what.
    pub experiment: String,
    /// Repetition of the experiment.
    pub run: String,
    /// What is held equal across experiments.
    pub case: String,
    /// The record within its case.
    pub unit: String,
}

/// What a suite is opened with.
#[derive(Clone)]
pub struct Opening<'a> {
    /// The options as given.
    pub options: &'a Options,
    /// The paths of the inputs; none when shares are merged.
    pub inputs: Vec<PathBuf>,
    /// What [`RecordSuite::carried`] gave when the share was scored; none when nothing is merged.
    pub carried: Option<&'a str>,
    /// Makes vectors of texts, if a model is at hand.
    pub embed: Option<Arc<dyn Embed>>,
    /// Whether the job goes on past defects.
    pub lenient: bool,
}

/// What a line is that cannot be read as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenLine {
    /// Not UTF-8.
    Encoding,
    /// Not one JSON value.
    Json,
}

/// What a gathering says when everything is written.
#[derive(Debug, Default)]
pub struct Finished {
    /// The signature, where records change it; otherwise that of the options.
    pub signature: Option<String>,
    /// Sizes of the parts.
    pub counts: Vec<(&'static str, u64)>,
    /// What became of every unit, as JSON.
    pub ledger: String,
    /// What the user should know although nothing failed.
    pub warnings: Vec<String>,
    /// A few lines for people.
    pub summary: Vec<String>,
}

/// Takes what records became, writes rows as it goes, and the rest at the end.
pub trait Gather<E> {
    /// Takes accepted entries: in reading order, or by their sort keys where the suite has some.
    fn take(&mut self, entries: Vec<(Place, E)>) -> Result<()>;
    /// Writes what is left: tables, ledger.
    fn finish(self: Box<Self>, dropped: &Dropped) -> Result<Finished>;
}

/// A suite whose logs are records. Whoever implements it has a [`Suite`].
pub trait RecordSuite: Sync + 'static {
    /// The options in force and whatever they name: packs, catalogs, models.
    type Setup: Sync;
    /// What a record becomes when it is read; written down for shares and sorting in a compact binary form (so no
    /// untagged, flattened or skipped fields).
    type Entry: Serialize + DeserializeOwned + Send;
    /// What decides, record by record in reading order, whether an entry is accepted.
    type Admission: Default;
    /// A file that is read as a whole, not line by line; [`NoFiles`] if there are none.
    type File: SourceFile;

    /// What is known before anything is scored.
    fn facts(&self) -> &'static SuiteFacts;

    /// Reads the options and loads what they name.
    fn open(&self, opening: &Opening<'_>) -> Result<Self::Setup>;

    /// Every defect and warning of what the options name, such as a pack; `open` stops at the first defect.
    fn check_options(&self, _opening: &Opening<'_>) -> Vec<Defect> {
        vec![]
    }

    /// How scores come about, as one string.
    fn signature(&self, setup: &Self::Setup) -> String;

    /// Every option in force, as a JSON object.
    fn options(&self, setup: &Self::Setup) -> String;

    /// What merging shares needs beyond the options, as text.
    fn carried(&self, _setup: &Self::Setup) -> String {
        String::new()
    }

    /// Everything to read, in order. By default: files and streams of JSON lines, of a folder every `*.jsonl` below it.
    fn sources(&self, setup: &Self::Setup, inputs: Vec<Input>) -> Vec<Source<Self::File>>;

    /// What a record of JSON lines becomes. A defect names the field; file and line are added.
    fn read(&self, setup: &Self::Setup, record: &Json<'_>) -> std::result::Result<Self::Entry, Defect>;

    /// What the records of a file become that is read as a whole, each with its line.
    fn read_file(&self, _setup: &Self::Setup, _file: &Self::File, _reader: &mut FileReader) -> Records<Self::Entry> {
        vec![]
    }

    /// The defect of a line that is no JSON value; `start` are its first characters.
    fn broken_line(&self, broken: BrokenLine, start: &str) -> Defect {
        match broken {
            BrokenLine::Encoding => {
                Defect::new("bad_record", "UTF-8 text").field("line").hint("save the file as UTF-8")
            }
            BrokenLine::Json => Defect::new("bad_record", "one JSON object").field("line").value(start),
        }
    }

    /// Whether half of a surrogate pair is read as U+FFFD, with a warning, instead of being no JSON.
    fn reads_cut_off_text(&self) -> bool {
        false
    }

    /// What names a record; none if several may share a name.
    fn key(&self, entry: &Self::Entry) -> Option<Key>;

    /// The defect of a record whose key another one has.
    fn duplicate(&self, key: &Key) -> Defect {
        Defect::new("duplicate_id", "an id used once per experiment, run and case").field("unit").value(&key.unit)
    }

    /// Whether an entry is accepted; `number` counts all records before it, rejected ones too.
    fn admit(
        &self,
        _setup: &Self::Setup,
        _admission: &mut Self::Admission,
        _number: u64,
        _entry: &mut Self::Entry,
    ) -> std::result::Result<(), Defect> {
        Ok(())
    }

    /// What should be known of an accepted entry although nothing is wrong with it; `validate` lists it.
    fn warning(&self, _setup: &Self::Setup, _entry: &Self::Entry) -> Option<Defect> {
        None
    }

    /// Appends the bytes by which entries are handed on; false if they are handed on in reading order.
    fn sort_key(&self, _entry: &Self::Entry, _key: &mut Vec<u8>) -> bool {
        false
    }

    /// Starts a result.
    fn gather<'a>(
        &'a self,
        setup: &'a Self::Setup,
        output: &'a mut Output,
    ) -> Result<Box<dyn Gather<Self::Entry> + 'a>>;

    /// There is nothing to score in the inputs.
    fn nothing(&self, first: Option<&Path>) -> Defect {
        let file = base_name(first.unwrap_or(Path::new("-")));
        Defect::new("nothing_to_score", "at least one readable record").field("input").file(file)
    }

    /// Another report than scores that the options ask for.
    fn view(&self, _setup: &Self::Setup, _job: &mut Job<'_>, _output: &mut Output) -> Option<Result<Report>> {
        None
    }

    /// Tells in words what the rows of a unit say.
    fn tell(&self, found: &Found<'_>, lines: &mut Vec<String>) {
        why::tell_evidence(found, lines);
    }

    /// What units there are, for a message about one that is unknown.
    fn units(&self) -> &'static str {
        "units are the ids in the column `unit` of scores.jsonl"
    }

    /// Writes small synthetic logs that show what the suite does.
    fn write_demo(&self, folder: &Path) -> Result<()>;
}

/// Records of a file, each with its line.
pub type Records<E> = Vec<(u64, std::result::Result<E, Defect>)>;

impl<S: RecordSuite> Suite for S {
    fn facts(&self) -> &'static SuiteFacts {
        RecordSuite::facts(self)
    }

    fn score(&self, mut job: Job<'_>, output: &mut Output) -> Result<Report> {
        let setup = self.open(&opening(&job))?;
        if let Some(report) = self.view(&setup, &mut job, output) {
            return report;
        }
        let first = job.first_path();
        let sources = self.sources(&setup, std::mem::take(&mut job.inputs));
        if job.shard.is_some() {
            return share::write(self, &setup, &job, sources, first, output);
        }
        let files = sources.iter().map(Source::name).collect();
        let mut intake = Intake::new(self, &setup, job.lenient, files, output)?;
        let read = reading::read_all(self, &setup, sources, None, job.watch, &mut intake)?;
        let mut report = intake.finish(read.inputs, first.as_deref(), job.watch)?;
        report.warnings.extend(cut_off_warning(read.cut_off));
        Ok(report)
    }

    fn validate(&self, mut job: Job<'_>, found: &mut TakeDefect<'_>) -> Result<()> {
        let mut refused = false;
        for defect in self.check_options(&opening(&job)) {
            refused |= !defect.is_warning();
            found(defect)?;
        }
        if refused {
            return Ok(());
        }
        let setup = self.open(&opening(&job))?;
        if job.inputs.is_empty() {
            return Ok(());
        }
        let first = job.first_path();
        let sources = self.sources(&setup, std::mem::take(&mut job.inputs));
        let files = sources.iter().map(Source::name).collect();
        let mut checks = intake::Checks::new(self, &setup, files, found);
        reading::read_all(self, &setup, sources, None, job.watch, &mut checks)?;
        checks.finish(first.as_deref())
    }

    fn merge(&self, folders: &[&Path], options: &Options, watch: &dyn Watch, output: &mut Output) -> Result<Report> {
        share::merge(self, folders, options, watch, output)
    }

    fn why(&self, folder: &Path, unit: &str, metric: Option<&str>, in_full: bool) -> Result<Explanation> {
        why::why(self, folder, unit, metric, in_full)
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        RecordSuite::write_demo(self, folder)
    }
}

fn opening<'a>(job: &'a Job<'_>) -> Opening<'a> {
    Opening {
        options: &job.options,
        inputs: job.inputs.iter().map(Input::path).collect(),
        carried: None,
        embed: job.embed.clone(),
        lenient: job.lenient,
    }
}

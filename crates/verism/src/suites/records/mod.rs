//! The driver of suites whose logs are records: conversations, answers, texts.
//!
//! A suite says how its options are read, what a record is, what becomes of it and how results are written; finding and
//! reading files, threads, shards, repeated ids, defects and the search behind `why` are the same for all and live here.
//!
//! ```text
//! sources ─► reading ─► intake ──────────────► Gather ─► rows, tables, ledger
//!  files      lines to    repeated ids, defects,   ▲
//!  to read    entries,    admission                │ in reading order, or by key
//!             in parallel      │                   │ (sorted)
//!                              └─► shard ─► merge ─┘
//! ```

mod chat;
mod convert;
mod driver;
mod file_reader;
mod in_order;
mod intake;
mod needs;
mod reading;
mod shard;
mod sorted;
mod source;
mod supplied;
mod why;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::chat::ChatFile;
pub use self::file_reader::{FileReader, Unreadable};
pub use self::intake::Dropped;
pub use self::needs::Need;
pub use self::shard::shard_options;
pub use self::source::{NoFiles, Source, SourceFile, base_name, each_below, json_lines};
pub use self::supplied::{CASE, EXPERIMENT, Id, RUN, RecordLine, Supplied};
pub use self::why::{AskedUnit, Noted};

pub(crate) use self::sorted::Sorter;
pub(crate) use self::supplied::for_file;

use super::{Embed, Job, Options, Report, SuiteFacts};
use crate::error::{Defect, Result};
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::input::{Input, Watch};
use crate::score::output::Output;

/// Where a record stands among all: which source, which line (of a Parquet file: which row).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceLine {
    /// Number of the source in reading order.
    pub source: u32,
    /// Line, counted from 1; 0 if there are none.
    pub line: u64,
    /// Which of the records of that line: a chat may hold several.
    pub part: u32,
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
    /// The paths of the inputs; none when shards are merged.
    pub inputs: Vec<PathBuf>,
    /// What [`RecordSuite::carried`] gave when the shard was scored; none when nothing is merged.
    pub carried: Option<&'a str>,
    /// Makes vectors of texts, if a model is at hand.
    pub embed: Option<Arc<dyn Embed>>,
    /// Whether the job goes on past defects.
    pub lenient: bool,
    /// Ids that options supply where records lack them; the frame gives them to records.
    pub supplied: &'a Supplied,
    /// Who watches, and how large files may be.
    pub watch: &'a dyn Watch,
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
    /// Defects that were listed under `--lenient` and cost no record; `validate` tells them.
    pub listed: Vec<Defect>,
    /// A few lines for people.
    pub summary: Vec<String>,
}

/// Takes what records became, writes rows as it goes, and the rest at the end.
pub trait Gather<E> {
    /// Takes accepted entries: in reading order, or by their sort keys where the suite has some.
    fn take(&mut self, entries: Vec<(SourceLine, E)>) -> Result<()>;
    /// Writes what is left: tables, ledger. Whatever walks over all records again asks `watch` whether to stop.
    fn finish(self: Box<Self>, dropped: &Dropped, watch: &dyn Watch) -> Result<Finished>;
}

/// A suite whose logs are records. Whoever implements it has a [`Suite`](crate::suites::Suite).
pub trait RecordSuite: Sync + 'static {
    /// The options in force and whatever they name: packs, catalogs, models.
    type Setup: Sync;
    /// What a record becomes when it is read; written down for shards and sorting in a compact binary form (so no
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

    /// What opening passed over under `--lenient`, with the name of its list; an error later on tells it too.
    fn passed_over<'s>(&self, _setup: &'s Self::Setup) -> (&'static str, &'s [Defect]) {
        ("errors", &[])
    }

    /// How scores come about, as one string.
    fn signature(&self, setup: &Self::Setup) -> String;

    /// Every option in force, as a JSON object.
    fn options(&self, setup: &Self::Setup) -> String;

    /// What merging shards needs beyond the options, as text.
    fn carried(&self, _setup: &Self::Setup) -> String {
        String::new()
    }

    /// Everything to read, in order. By default: files and streams of JSON lines, of a folder every `*.jsonl` below it.
    fn sources(&self, setup: &Self::Setup, inputs: Vec<Input>) -> Vec<Source<Self::File>>;

    /// What a record of JSON lines becomes. A defect names the field; file and line are added.
    fn read(&self, setup: &Self::Setup, record: &Json<'_>) -> std::result::Result<Self::Entry, Defect>;

    /// The native records of a file that is read as a whole, each with its line.
    fn file_records(
        &self,
        _setup: &Self::Setup,
        _file: &Self::File,
        _reader: &mut FileReader,
    ) -> Records<Json<'static>> {
        vec![]
    }

    /// What the records of a file become that is read as a whole, each with its line.
    fn read_file(&self, setup: &Self::Setup, file: &Self::File, reader: &mut FileReader) -> Records<Self::Entry> {
        let records = self.file_records(setup, file, reader);
        records.into_iter().map(|(line, record)| (line, record.and_then(|record| self.read(setup, &record)))).collect()
    }

    /// The native records of a conversation of another program: its ids are known, its further fields are those of the log.
    fn conversation<'a>(&self, _conversation: Conversation<'a>) -> Vec<Json<'a>> {
        vec![]
    }

    /// Whether a record with `messages` is one of the suite's own, on a line or in a JSON document.
    fn is_native(&self, _record: &Json<'_>, _in_document: bool) -> bool {
        true
    }

    /// The defect of a file that needs no conversion.
    fn no_conversion(&self, path: &Path) -> Defect {
        Defect::new("bad_input", "foreign logs").field("input").file(base_name(path))
    }

    /// The ids that options can supply where a record lacks them.
    fn ids(&self) -> &'static [Id] {
        &[EXPERIMENT, RUN, CASE]
    }

    /// What metrics need of a record.
    fn needs(&self) -> &'static [Need] {
        &[]
    }

    /// The names of all sources, in reading order.
    fn note_sources(&self, _setup: &Self::Setup, _names: &[String]) {}

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
    fn tell(&self, found: &AskedUnit<'_>, lines: &mut Vec<String>) {
        why::tell_evidence(found, lines);
    }

    /// Tells in words what the rows of one metric of a unit say.
    fn tell_metric(&self, found: &AskedUnit<'_>, metric: &str, lines: &mut Vec<String>) {
        why::tell_one(found, metric, lines);
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

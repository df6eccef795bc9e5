//! The suites and the one registry of them.
//!
//! A further suite is a folder here and two lines below: its module and its entry in [`SUITES`].

pub mod adaptation;
mod ask;
mod cautions;
pub mod clinical;
pub mod explain;
mod guest;
pub mod humor;
mod metric;
mod options;
pub mod recommender;
pub mod records;
pub mod setting;
mod shards;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::error::{Defect, Result};
use crate::input::chat::Format;
use crate::input::{Input, Watch, linked_folders};
use crate::score::content::results_below;
use crate::score::contents::files_known;
use crate::score::manifest::{InputFacts, Manifest};
use crate::score::output::Output;
use crate::score::relative::relative;
use crate::score::results::Results;
use crate::score::signature::VERSION;

pub use crate::score::output::Destination;
pub use ask::why;
pub(crate) use metric::ids;
pub use metric::{Better, Metric, describes};
pub use options::{OptionValue, Options, split_weight};
pub use records::shard_options;
pub use setting::OptionFacts;

/// Every suite that is built in.
pub static SUITES: &[&dyn Suite] =
    &[&adaptation::Adaptation, &clinical::Clinical, &guest::Guest, &humor::Humor, &recommender::Recommender];

/// Suites of other crates.
static ADDED: OnceLock<Vec<&'static dyn Suite>> = OnceLock::new();

/// Adds suites of other crates to the registry: once, before anything else is asked of it. False if it was too late.
pub fn register(suites: Vec<&'static dyn Suite>) -> bool {
    ADDED.set(suites).is_ok()
}

/// Every suite: the built-in ones, then those that were added.
pub fn all() -> impl Iterator<Item = &'static dyn Suite> {
    SUITES.iter().chain(ADDED.get().into_iter().flatten()).copied()
}

/// The suite with an id.
pub fn suite(id: &str) -> Result<&'static dyn Suite> {
    all().find(|suite| suite.facts().id == id).ok_or_else(|| {
        let known: Vec<&str> = all().map(|suite| suite.facts().id).collect();
        let hint = "`verism suites` lists them";
        Defect::new("unknown_suite", known.join("|")).field("suite").value(id).hint(hint).did_you_mean(known).into()
    })
}

/// Every converter there is.
pub static CONVERTERS: &[Converter] =
    &[guest::CSV, Converter::of(Format::Chat), Converter::of(Format::TauBench), Converter::of(Format::Inspect)];

/// The converter with an id.
pub fn converter(id: &str) -> Result<&'static Converter> {
    CONVERTERS.iter().find(|converter| converter.id == id).ok_or_else(|| {
        let known: Vec<&str> = CONVERTERS.iter().map(|converter| converter.id).collect();
        let hint = "`verism convert --help` tells what each reads";
        Defect::new("unknown_converter", known.join("|")).field("FROM").value(id).hint(hint).did_you_mean(known).into()
    })
}

/// Takes a record as one line of JSON.
pub type TakeLine<'a> = dyn FnMut(&str) -> Result<()> + 'a;

/// Takes a defect that was found.
pub type TakeDefect<'a> = dyn FnMut(Defect) -> Result<()> + 'a;

/// Makes a suite's native records of foreign logs.
#[derive(Debug)]
pub struct Converter {
    /// Its name on the command line.
    pub id: &'static str,
    /// The one suite whose records it makes; of chat logs records of any suite of records can be made.
    pub suite: Option<&'static str>,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// The format of chat logs; none if the suite itself knows the logs.
    pub format: Option<Format>,
}

impl Converter {
    const fn of(format: Format) -> Converter {
        Converter { id: format.id(), suite: None, reads: format.reads(), format: Some(format) }
    }
}

/// What a converter did.
#[derive(Debug, Default)]
pub struct Converted {
    /// Records handed on.
    pub records: u64,
    /// Records that could not be read and were passed over.
    pub dropped: Vec<Defect>,
}

/// What is known about a suite before anything is scored.
#[derive(Debug)]
pub struct SuiteFacts {
    /// Its name on the command line.
    pub id: &'static str,
    /// What it asks, in one line.
    pub title: &'static str,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// Version of its specification.
    pub spec_version: &'static str,
    /// Its metrics.
    pub metrics: &'static [Metric],
    /// Its options.
    pub options: fn() -> Vec<OptionFacts>,
    /// Those of them that name files: in a configuration they are looked for beside it first.
    pub files: &'static [&'static str],
    /// Columns that it adds to the score rows.
    pub columns: &'static [&'static str],
    /// Of the demo: a table to look at, and a unit to ask about.
    pub demo: (&'static str, &'static str),
    /// Whether the turns of a case put the same question in every experiment, so that a comparison matches rows.
    pub rows_match: bool,
    /// Whether measures whose fields a record does not have were not asked for, so that they do not lower coverage.
    pub optional_fields: bool,
    /// Metrics that are made of others, as the `parts` of their evidence say: two values are compared only where they stand on
    /// the same ones.
    pub made_of_parts: &'static [&'static str],
    /// Decisions where sources are silent or contradict each other: id and what was decided.
    pub decisions: &'static [(&'static str, &'static str)],
    /// Its README: the specification with worked examples.
    pub readme: &'static str,
}

/// One shard of a job that several processes or machines split: `index` of `count`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which shard.
    pub index: u32,
    /// How many shards there are.
    pub count: u32,
}

/// What is to be done with which inputs.
pub struct Job<'a> {
    /// The inputs in the order given.
    pub inputs: Vec<Input>,
    /// The suite's options.
    pub options: Options,
    /// Go on past defects and book them.
    pub lenient: bool,
    /// Score one share only.
    pub shard: Option<Shard>,
    /// Who watches.
    pub watch: &'a dyn Watch,
    /// Makes vectors of texts, if a model is at hand.
    pub embed: Option<Arc<dyn Embed>>,
}

impl<'a> Job<'a> {
    /// A whole job that stops at the first defect.
    pub fn new(inputs: Vec<Input>, options: Options, watch: &'a dyn Watch) -> Job<'a> {
        Job { inputs, options, lenient: false, shard: None, watch, embed: None }
    }

    /// The first input, by which a job without anything to score is named.
    pub fn first_path(&self) -> Option<PathBuf> {
        self.inputs.first().map(Input::path)
    }
}

/// Makes vectors of texts. The library never loads a model; whoever runs a job may bring one.
pub trait Embed: Send + Sync {
    /// A unit vector for each text.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;
    /// Numbers of a vector.
    fn dimension(&self) -> usize;
    /// SHA-256 of the model's weights, in hexadecimal.
    fn digest(&self) -> &str;
}

/// What a suite says when it has written its parts.
#[derive(Debug)]
pub struct Report {
    /// How the scores came about, as one string.
    pub signature: String,
    /// Every option in force, as JSON.
    pub options: String,
    /// The inputs as they were read.
    pub inputs: Vec<InputFacts>,
    /// Sizes of the parts.
    pub counts: BTreeMap<String, u64>,
    /// What became of every unit, as JSON.
    pub ledger: String,
    /// What the user should know although nothing failed.
    pub warnings: Vec<String>,
    /// A few lines for people.
    pub summary: Vec<String>,
}

/// What one unit's score is made of, in words.
#[derive(Debug)]
pub struct Explanation {
    /// The lines to show.
    pub lines: Vec<String>,
}

/// A family of metrics with its own records: dynamic at this door, static inside.
pub trait Suite: Sync {
    /// What is known before anything is scored.
    fn facts(&self) -> &'static SuiteFacts;
    /// Scores the inputs of a job into an output.
    fn score(&self, job: Job<'_>, output: &mut Output) -> Result<Report>;
    /// Options that supply ids where records lack them, beside the suite's own.
    fn supplied(&self) -> Vec<OptionFacts> {
        vec![]
    }
    /// Hands on the native records of foreign logs: of chat logs in a format, or of the suite's original project.
    fn convert(&self, _format: Option<Format>, _job: Job<'_>, _take: &mut TakeLine<'_>) -> Result<Converted> {
        let reading: Vec<&str> = ["clinical", "guest", "humor", "recommender"].to_vec();
        let defect = Defect::new("bad_option", "a suite whose logs are records").field("suite").value(self.facts().id);
        Err(defect.hint(format!("chat logs become records of {}", reading.join(", "))).into())
    }
    /// Hands on every defect of the inputs; without one, inputs without anything to score are an error as in scoring. What
    /// can be scored is, on the same walk, into an output that keeps nothing; the ledger tells what became of it.
    fn validate(&self, job: Job<'_>, output: &mut Output, found: &mut TakeDefect<'_>) -> Result<Option<String>>;
    /// Joins folders that were scored in shards, as if they had been scored whole.
    fn merge(&self, joined: &Joined<'_>, watch: &dyn Watch, output: &mut Output) -> Result<Report>;
    /// The evidence behind the scores of a unit; not `in_full`, long lists are cut so that a screen holds it.
    fn why(&self, folder: &Path, unit: &str, metric: Option<&str>, in_full: bool) -> Result<Explanation>;
    /// Writes small synthetic logs that show what the suite does.
    fn write_demo(&self, folder: &Path) -> Result<()>;
}

/// Shards of one job that are joined.
pub struct Joined<'a> {
    /// The folders.
    pub folders: &'a [&'a Path],
    /// Options behind those of the shards, for files that lie elsewhere now.
    pub options: &'a Options,
    /// The embedding model that [`shard_options`] and these name, if they name one.
    pub embed: Option<Arc<dyn Embed>>,
}

/// A result: what the suite says and, if it was asked for, the result as values.
#[derive(Debug)]
pub struct Scored {
    /// The suite's own account.
    pub report: Report,
    /// Rows, tables and lists in memory.
    pub results: Option<Results>,
    /// Why the scores may not mean what they seem to.
    pub cautions: Vec<String>,
}

impl Scored {
    /// Writes the whole report as one JSON document, if it is in memory.
    pub fn write_document(&self, suite: &str, out: &mut impl std::io::Write) -> std::io::Result<()> {
        let Some(results) = &self.results else { return Ok(()) };
        let (suite, signature) = (crate::score::json::text(&suite), crate::score::json::text(&self.report.signature));
        let head = [("suite", suite.as_str()), ("signature", signature.as_str()), ("options", &self.report.options)];
        results.write_document(out, &head, &[("ledger", &self.report.ledger)])
    }
}

/// Scores a job and, where there is a folder, writes its manifest.
pub fn score(suite: &dyn Suite, job: Job<'_>, to: Destination<'_>) -> Result<Scored> {
    let shard = job.shard;
    let paths: Vec<PathBuf> = job.inputs.iter().map(Input::path).collect();
    let linked = paths.iter().map(|path| linked_folders(path)).sum();
    let results = paths.iter().map(|path| results_below(path)).sum();
    write(suite, to, shard, |output| {
        let mut report = suite.score(job, output)?;
        report.inputs = relative(report.inputs);
        report.warnings.extend(linked_warning(linked));
        report.warnings.extend(results_warning(results));
        Ok(report)
    })
}

/// Hands on every defect of the inputs of a job, and gives what scoring would warn about, if there is none.
pub fn validate(suite: &dyn Suite, job: Job<'_>, found: &mut TakeDefect<'_>) -> Result<Vec<String>> {
    let mut output = Output::new(Destination::default(), suite.facts().columns)?;
    let mut defects = 0;
    let ledger = suite.validate(job, &mut output, &mut |defect| {
        defects += u64::from(!defect.is_warning());
        found(defect)
    })?;
    let Some(ledger) = ledger.filter(|_| defects == 0) else { return Ok(vec![]) };
    let mut cautions = output.take_cautions();
    cautions.extend(cautions::undefined_headlines(suite.facts(), &ledger, &output.take_missing()));
    cautions.extend(cautions::error_audits(&output.error_audits()));
    Ok(cautions)
}

/// What to say about earlier results that lie among the inputs.
fn results_warning(results: u64) -> Option<String> {
    let say = |n| format!("{n} earlier result(s) of verism in the inputs not read; give them by name to read them");
    (results > 0).then(|| say(results))
}

/// What to say about linked folders that were met and not followed.
fn linked_warning(linked: u64) -> Option<String> {
    let say = |n| format!("{n} linked folder(s) in the inputs not followed; give them by name to read them");
    (linked > 0).then(|| say(linked))
}

/// What to say about records that hold half of a surrogate pair.
fn cut_off_warning(records: u64) -> Option<String> {
    let say = |n| format!("{n} record(s) hold half of a surrogate pair, as cut-off text does; it was read as U+FFFD");
    (records > 0).then(|| say(records))
}

/// Joins shards and, where there is a folder, writes its manifest.
pub fn merge(suite: &dyn Suite, joined: &Joined<'_>, watch: &dyn Watch, to: Destination<'_>) -> Result<Scored> {
    write(suite, to, None, |output| suite.merge(joined, watch, output))
}

fn write(
    suite: &dyn Suite,
    to: Destination<'_>,
    shard: Option<Shard>,
    work: impl FnOnce(&mut Output) -> Result<Report>,
) -> Result<Scored> {
    let mut output = Output::new(to, suite.facts().columns)?;
    let mut report = work(&mut output)?;
    report.counts.insert("scores".into(), output.score_rows);
    let mut cautions = output.take_cautions();
    cautions.extend(cautions::undefined_headlines(suite.facts(), &report.ledger, &output.take_missing()));
    let hashed = output.hashed();
    let results = output.finish()?;
    let raw = |text: &str| serde_json::value::RawValue::from_string(text.to_string()).expect("JSON of our own making");
    if let Some(folder) = to.folder {
        let manifest = Manifest {
            tool: "verism".into(),
            version: VERSION.into(),
            suite: suite.facts().id.into(),
            signature: report.signature.clone(),
            shard: shard.map(|shard| format!("{}/{}", shard.index, shard.count)),
            options: raw(&report.options),
            inputs: report.inputs.clone(),
            counts: report.counts.clone(),
            ledger: raw(&report.ledger),
            cautions: cautions.clone(),
            files: files_known(folder, &hashed)?,
        };
        manifest.write(folder)?;
    }
    Ok(Scored { report, results, cautions })
}

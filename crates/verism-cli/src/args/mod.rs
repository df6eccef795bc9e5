//! The command line: options that all verbs share are here, and each group of verbs has a file.

mod comparing;
mod making;
mod scoring;
mod shell;

use clap::{ArgAction, Args, Parser, Subcommand};
use verism::input::Limits;

pub(crate) use self::comparing::{
    Compare, Comparing, Correlate, Gate, PaperFormat, SpreadChoice, Stats, Table, Validity,
};
pub(crate) use self::making::{Convert, EmbedFile, Model, ModelVerb, Pull, Simulate, Train};
pub(crate) use self::scoring::{Demo, Explain, Merge, Reading, RowFormat, Score, Validate, Why};
pub(crate) use self::shell::{Completions, Docs, Man};

/// The version, with the commit where it is known.
pub(crate) const VERSION: &str = env!("VERISM_VERSION");

/// Measures how true to life simulated people and generated dialogue are.
///
/// Logs go in; scores with evidence come out. Start with `verism demo`, then point `verism score SUITE` at your own logs
/// and ask `verism why` about any score.
#[derive(Debug, Parser)]
#[command(name = "verism", version = VERSION, propagate_version = true)]
#[command(after_help = "Exit codes: 0 done; 1 the gate failed; 2 an error in usage, input or run; 3 the gate is \
inconclusive; 130 interrupted.\n\nExamples:\n  verism demo\n  verism score adaptation results/ -o scores\n  \
verism why scores --unit Agent_7@3\n  verism compare scores --baseline gemma3_4b/Group_A\n  verism gate scores --rule 'adaptation.r_h.max <= 0.05'")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options that every verb takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Threads to use; as many as there are cores by default. The result does not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
    /// Print the result as one JSON document on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing but errors and what was asked for: no messages, no table beside a folder, no words of the gate.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more.
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,
    /// Show no progress bar.
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
    /// Bytes that a record of a log may have; larger ones are defects. A file that is read as a whole is one record.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = Limits::default().record_bytes, hide_short_help = true)]
    pub(crate) max_record_bytes: usize,
    /// Fields that a record of a log may have (cells, values of JSON); records with more are defects.
    #[arg(long, global = true, value_name = "N", default_value_t = Limits::default().fields, hide_short_help = true)]
    pub(crate) max_fields: usize,
    /// Never open a connection; `model pull` is the only verb that does.
    #[arg(long, global = true)]
    pub(crate) offline: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Score built-in example logs: the main job without any set-up.
    Demo(Demo),
    /// Score logs: tables, tidy scores with evidence, events.
    Score(Score),
    /// List every problem in the input with file, line and field; score nothing.
    Validate(Validate),
    /// Tell the evidence behind a score in words.
    Why(Why),
    /// Explain a suite or a metric: formula, range, direction, empty case, decisions, source.
    Explain(Explain),
    /// List the suites and their metrics.
    #[command(after_help = "Examples:\n  verism suites\n  verism suites --json")]
    Suites,
    /// Compare experiments: is the difference real, how large, how sure?
    Compare(Compare),
    /// Ask whether two metrics agree: rank and linear correlation on matched units.
    Correlate(Correlate),
    /// Answer statistical requests: one JSON object per line in, one per line out.
    Stats(Stats),
    /// Pass or fail by rules, for continuous integration.
    Gate(Gate),
    /// Write new dialogues of synthetic users, the same for every agent (suite recommender).
    Simulate(Simulate),
    /// Ask whether the metrics of a scored folder agree with human labels or a judge, beside trivial baselines.
    Validity(Validity),
    /// Join folders scored with --shard: the same bytes as scoring whole.
    Merge(Merge),
    /// Train the model of a suite on corpora: the language model and context vectors of `humor`.
    Train(Train),
    /// Turn foreign logs into a suite's native records, one JSON object per line.
    ///
    /// `score` reads foreign logs directly, with the same result; a converted file is one file to keep, to share, or to
    /// look into.
    Convert(Convert),
    /// The sentence-embedding model: fetch it, find it, embed a file with it.
    Model(Model),
    /// A table for a paper: experiments by metrics, with intervals or standard deviations, in Markdown and LaTeX.
    Table(Table),
    /// Print a guide that is built in; without a name, list them.
    Docs(Docs),
    /// Print a script that completes commands in a shell.
    Completions(Completions),
    /// Write manual pages into a folder.
    Man(Man),
}

fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| (1..=1024).contains(n)).ok_or_else(|| "a whole number from 1 to 1024".into())
}

//! Verbs that score logs and tell what scores say.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use verism::score::output::Format;
use verism::suites::Shard;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  verism demo\n  verism demo -o /tmp/verism-demo")]
pub(crate) struct Demo {
    /// Folder for the example logs and their scores.
    #[arg(short, long, value_name = "DIR", default_value = "verism-demo")]
    pub(crate) output: PathBuf,
    /// Replace an earlier result of another kind in DIR. Files that verism did not write, or that were edited, are never
    /// replaced.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Inputs and how to read them.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// The suite; `verism suites` lists them.
    pub(crate) suite: String,
    /// Files, folders or globs; `-` is standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// An option of the suite, repeatable; `verism explain SUITE` lists them.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Configuration with a table [suite.SUITE]; by default verism.toml in or beside the input, if there is one. Files
    /// that it names are looked for beside it first.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Seed of everything random; the same as --option seed=N.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Chat logs (OpenAI messages, tau-bench, Inspect AI) are read when they are given by name: `verism docs \
chat-logs`.\n\nExamples:\n  verism score adaptation results/ -o scores\n  verism score guest logs/*.jsonl -o scores --format csv \
--lenient\n  verism score clinical logs/run.eval -o scores\n  verism score humor texts.jsonl --option model=cards.vrm -o scores"
)]
pub(crate) struct Score {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder for the result; an earlier one of the same suite there is replaced whole if nothing in it was edited.
    #[arg(short, long, value_name = "DIR", required_unless_present = "json")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an earlier result of another kind in DIR. Files that verism did not write, or that were edited, are never
    /// replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Go on past defects: bad records are dropped, and the ledger says so.
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Score one share of n for `merge`: 1/n, 2/n, … n/n.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub(crate) shard: Option<Shard>,
    /// Forms of the score rows; jsonl is always written.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', default_value = "jsonl")]
    pub(crate) format: Vec<RowFormat>,
}

#[derive(Debug, Args)]
#[command(
    mut_arg("inputs", |inputs| inputs.required(false)),
    after_help = "Examples:\n  verism validate adaptation results/\n  verism validate guest logs/ --json"
)]
pub(crate) struct Validate {
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism merge share1 share2 -o scores\n  verism merge share*/ --json > report.json"
)]
pub(crate) struct Merge {
    /// The shares of one job.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// An option that names a file which lies elsewhere now: `model=FILE`; its contents must be the same.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Folder for the joined result.
    #[arg(short, long, value_name = "DIR", required_unless_present = "json")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an earlier result of another kind in DIR. Files that verism did not write, or that were edited, are never
    /// replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Forms of the score rows; jsonl is always written.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', default_value = "jsonl")]
    pub(crate) format: Vec<RowFormat>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism why scores\n  verism why scores --unit Agent_7@3\n  verism why scores --unit gemma3_4b/Group_A/Run_1 --metric r_h\n  verism why scores --unit wild-03 --metric surprisal"
)]
pub(crate) struct Why {
    /// A result folder.
    pub(crate) folder: PathBuf,
    /// A unit's id, any end or a beginning of it that names one unit, a case, or an experiment. Without it the worst units
    /// of each headline metric are listed.
    #[arg(long, value_name = "ID")]
    pub(crate) unit: Option<String>,
    /// One metric only, in full.
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism explain guest\n  verism explain adaptation.r_h\n  verism explain humor.embed"
)]
pub(crate) struct Explain {
    /// SUITE, SUITE.METRIC or SUITE.OPTION.
    pub(crate) what: String,
}

/// Forms of the score rows.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RowFormat {
    Jsonl,
    Csv,
    Parquet,
}

impl From<RowFormat> for Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Jsonl => Format::Jsonl,
            RowFormat::Csv => Format::Csv,
            RowFormat::Parquet => Format::Parquet,
        }
    }
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
        _ => Err("i/n with 1 <= i <= n, such as 1/4".into()),
    }
}

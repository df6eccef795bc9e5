//! Verbs that compare scores and compute.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use verism::compare::show::Paper;

/// How experiments are compared.
#[derive(Debug, Args)]
pub(crate) struct Comparing {
    /// An option of the comparison, repeatable; `verism docs compare` lists them.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Configuration with a table [compare]; by default verism.toml in or beside the input, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Seed of everything random; the same as --option seed=N.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<String>,
    /// Go on past bad rows: they are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct Compare {
    /// Result folders or score tables; NAME= renames the experiments of one; `-` is standard input.
    #[arg(required = true, value_name = "[NAME=]DIR")]
    pub(crate) inputs: Vec<String>,
    /// Read tables with a column for each metric: what the other columns hold, `experiment=model,case=id`.
    #[arg(long, value_name = "ROLE=COLUMN,…")]
    pub(crate) wide: Option<String>,
    /// Folder for comparison.json and comparison.csv; an earlier comparison there is replaced whole.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an earlier result of another kind in DIR. Files that verism did not write, or that were edited, are never
    /// replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Compare every experiment with this one instead of all pairs; also a part of their names (`Group_A` of
    /// `gemma/Group_A`), which is then compared over all other parts.
    #[arg(long, value_name = "EXPERIMENT")]
    pub(crate) baseline: Option<String>,
    /// Tables for a paper: written beside comparison.json, or printed where there is no output folder.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    pub(crate) format: Vec<PaperFormat>,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
}

/// How tables of one's own look, and examples.
const COMPARE_HELP: &str = "\
Tables of your own (CSV with commas, semicolons or tabs, or JSON lines) have the columns
  metric, experiment, value           needed
  case                                what was put to the experiment; cases that experiments share are paired
  run, dialogue, turn                 repetitions, and pieces below the case
  suite, level, unit, undefined       as `score` writes them; undefined: why there is no value
An empty cell, NA, nan or null is a value that is not there.

Examples:
  verism compare scores --baseline exp1
  verism compare before=main/scores after=branch/scores --option factor=1
  verism compare results.csv --wide experiment=model,case=id -o comparison";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism correlate pas:crrs scores\n  verism correlate tas:judge scores.csv labels.csv --option cluster=case"
)]
pub(crate) struct Correlate {
    /// The two metrics, each METRIC or SUITE.METRIC.
    #[arg(value_name = "X:Y")]
    pub(crate) metrics: String,
    /// Result folders or score tables; NAME= renames the experiments of one.
    #[arg(required = true, value_name = "[NAME=]DIR")]
    pub(crate) inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  verism gate scores --rule 'guest.crrs >= 0.7' --rule 'coverage >= 0.95'\n  \
verism gate scores --rules rules.txt --junit gate.xml\n\nExit codes: 0 pass, 1 fail, 3 inconclusive, 2 an error. \
`verism docs gate` has more, with a pipeline.")]
pub(crate) struct Gate {
    /// A result folder, or a folder written by `compare`.
    pub(crate) folder: PathBuf,
    /// A rule, repeatable: 'adaptation.r_h <= 0.05' (the interval in every experiment), 'adaptation.r_r.max@gemma/Group_A
    /// <= 0.1', 'coverage >= 0.95', 'adaptation.r_h: gemma/Group_B better_than gemma/Group_A', or no_worse_than.
    #[arg(long = "rule", value_name = "RULE")]
    pub(crate) rules: Vec<String>,
    /// A file with one rule per line (# begins a comment), or a TOML file with a table [gate]. Without any rule, those of
    /// [gate] in verism.toml count.
    #[arg(long = "rules", value_name = "FILE")]
    pub(crate) rules_file: Option<PathBuf>,
    /// Also write the outcome as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism table scores --format md\n  verism table scores --baseline exp1 --spread sd \
--format tex --caption 'Fidelity of guests' --label tab:guests > table.tex"
)]
pub(crate) struct Table {
    /// Result folders or score tables; NAME= renames the experiments of one; `-` is standard input.
    #[arg(required = true, value_name = "[NAME=]DIR")]
    pub(crate) inputs: Vec<String>,
    /// Read tables with a column for each metric: what the other columns hold, `experiment=model,case=id`.
    #[arg(long, value_name = "ROLE=COLUMN,…")]
    pub(crate) wide: Option<String>,
    /// Forms of the table.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', default_value = "md")]
    pub(crate) format: Vec<PaperFormat>,
    /// The experiment that marks for better and worse refer to.
    #[arg(long, value_name = "EXPERIMENT")]
    pub(crate) baseline: Option<String>,
    /// What stands beside a mean: its interval, or the standard deviation.
    #[arg(long, value_name = "SPREAD", default_value = "ci")]
    pub(crate) spread: SpreadChoice,
    /// The caption.
    #[arg(long, value_name = "TEXT")]
    pub(crate) caption: Option<String>,
    /// The label that LaTeX refers to.
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
}

/// What stands beside a mean.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SpreadChoice {
    Ci,
    Sd,
}

/// Forms of a comparison for a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaperFormat {
    Md,
    Tex,
}

impl From<PaperFormat> for Paper {
    fn from(format: PaperFormat) -> Self {
        match format {
            PaperFormat::Md => Paper::Markdown,
            PaperFormat::Tex => Paper::Latex,
        }
    }
}

#[derive(Debug, Args)]
#[command(disable_help_flag = true, after_help = stats_help())]
pub(crate) struct Stats {
    /// Requests, one JSON object per line; standard input by default.
    pub(crate) file: Option<PathBuf>,
    /// Print help; with the name of an operation, its arguments and an example.
    #[arg(short, long, value_name = "OP", num_args = 0..=1)]
    pub(crate) help: Option<Option<String>>,
}

/// The operations of the calculator, with examples.
fn stats_help() -> String {
    let mut text = String::from("Operations (verism stats --help OP explains one):\n");
    for (name, says) in verism::stats::calculator::operations() {
        text += &format!("  {name:<14} {says}\n");
    }
    text + "\nA request that cannot be answered gives {\"error\": …} on its line; the exit code is then 2.\n\n\
        Examples:\n  echo '{\"op\":\"welch\",\"x\":[1,2,3],\"y\":[2,4,6]}' | verism stats\n  verism stats requests.jsonl > answers.jsonl"
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism validity scores --labels labels.csv\n  verism validity scores --metrics tas,fidelity"
)]
pub(crate) struct Validity {
    /// A folder that `score recommender` wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Labels: CSV or JSONL with aspect, value and the ids of a dialogue; without it those that the dialogues hold.
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Metrics to look at; by default those of the option `metrics` that the folder was scored with.
    #[arg(long, value_name = "METRICS", value_delimiter = ',')]
    pub(crate) metrics: Option<Vec<String>>,
    /// Resamples of the bootstrap.
    #[arg(long, value_name = "N", default_value_t = 9999)]
    pub(crate) resamples: u64,
    /// Seed of the bootstrap.
    #[arg(long, value_name = "N", default_value_t = 12345)]
    pub(crate) seed: u64,
    /// Go on past bad labels: they are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
}

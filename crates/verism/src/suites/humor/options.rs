//! The options of the suite.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::Defect;
use crate::suites::records::base_name;
use crate::suites::setting::{self, NamedValue, Setting, choice};
use crate::suites::{OptionValue, Options};
use crate::text::bleu::Smoothing;
use crate::text::model::Reading;
use crate::text::model::backoff::Gate;
use crate::text::tokens::{Blanks, Tokenizer};

choice!(
    /// Whether undefined values stay so, or take the constants that the original prints.
    Mode { Default = "default", Published = "published" }
);
choice!(
    /// When the second level of the back-off answers.
    BackoffGate { Pair = "pair", Context = "context" }
);
choice!(
    /// Tokens of the language model in training.
    TrainTokens { Words = "words", Whitespace = "whitespace" }
);
choice!(
    /// What stands for a precision of zero in BLEU.
    BleuSmoothing { Smallest = "none", Method1 = "method1" }
);
choice!(
    /// Order of the self-BLEU in the weighted sum.
    OverallBleu { Four = "4", One = "1", Two = "2", Three = "3" }
);
choice!(
    /// Whether the creative part of the weighted sum is that of the batch or of the text alone.
    Scope { Batch = "batch", Item = "item" }
);
choice!(
    /// Where coherence comes from.
    CoherenceSource { Embedding = "embedding", Cooccurrence = "cooccurrence" }
);
choice!(
    /// Whether the text is scored as given, or in the blanks of its prompt.
    ScoreText { Text = "text", Filled = "filled" }
);

/// The options in force.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Params {
    pub(crate) mode: Mode,
    pub(crate) backoff_gate: BackoffGate,
    pub(crate) train_tokens: TrainTokens,
    pub(crate) bleu_smoothing: BleuSmoothing,
    pub(crate) overall_self_bleu: OverallBleu,
    pub(crate) creativity_scope: Scope,
    pub(crate) coherence: CoherenceSource,
    pub(crate) score_text: ScoreText,
    /// Orders in rising order, 1 and 2 among them.
    pub(crate) distinct_n: Vec<u32>,
    /// Texts of a cut batch; 0 leaves batches as they are.
    pub(crate) batch_size: u64,
    pub(crate) semantic_limit: u64,
    /// `none`, `auto` or a folder.
    pub(crate) embed: String,
    pub(crate) reference: Option<String>,
    pub(crate) labels: Option<String>,
    pub(crate) model: Option<String>,
    /// As given, weights and globs included.
    pub(crate) corpus: Vec<String>,
    pub(crate) tokens: bool,
    pub(crate) model_tables: bool,
    /// Whether these two were given, so that a model cannot overrule them.
    pub(crate) train_tokens_given: bool,
    pub(crate) mode_given: bool,
    /// What a model says about runs of low lines.
    pub(crate) model_blanks: Option<Blanks>,
}

/// Every option: name, default, what it does, how it is set and shown.
pub(crate) static SETTINGS: &[Setting<Params>] = &[
    Setting::new(
        "reading",
        "default",
        "`published`: constants and arithmetic of the original where it would be undefined",
        |p, v| {
            p.mode_given = true;
            v.to(&mut p.mode)
        },
        |p| json!(p.mode),
    ),
    Setting::new(
        "backoff_gate",
        "pair",
        "`pair` or `context`: when the second level of the back-off answers",
        |p, v| v.to(&mut p.backoff_gate),
        |p| json!(p.backoff_gate),
    ),
    Setting::new(
        "train_tokens",
        "words",
        "`words` or `whitespace`: tokens that training counts",
        |p, v| {
            p.train_tokens_given = true;
            v.to(&mut p.train_tokens)
        },
        |p| json!(p.train_tokens),
    ),
    Setting::new(
        "bleu_smoothing",
        "none",
        "`none` or `method1`: what stands for a precision of zero",
        |p, v| v.to(&mut p.bleu_smoothing),
        |p| json!(p.bleu_smoothing),
    ),
    Setting::new(
        "overall_self_bleu",
        "4",
        "order of the self-BLEU in `overall`: 1 to 4",
        |p, v| v.to(&mut p.overall_self_bleu),
        |p| json!(p.overall_order()),
    ),
    Setting::new(
        "creativity_scope",
        "batch",
        "`batch` or `item`: where the creative part of `overall` comes from",
        |p, v| v.to(&mut p.creativity_scope),
        |p| json!(p.creativity_scope),
    ),
    Setting::new(
        "coherence",
        "embedding",
        "`embedding` or `cooccurrence`: what coherence is measured with",
        |p, v| v.to(&mut p.coherence),
        |p| json!(p.coherence),
    ),
    Setting::new(
        "score_text",
        "text",
        "`text` or `filled`: the text alone, or in the blanks of its prompt",
        |p, v| v.to(&mut p.score_text),
        |p| json!(p.score_text),
    ),
    Setting::<Params>::new(
        "distinct_n",
        "1,2,3",
        "orders of distinct-n; 1 and 2 are always among them",
        |p, v| orders(v).map(|orders| p.distinct_n = orders),
        |p| json!(p.distinct_n),
    )
    .signed_by(|p| p.distinct_n.iter().map(u32::to_string).collect::<Vec<_>>().join("/")),
    Setting::new(
        "batch_size",
        "0",
        "cuts batches into equal ones of so many texts; 0 leaves them",
        |p, v| whole(v, 0).map(|size| p.batch_size = size),
        |p| json!(p.batch_size),
    ),
    Setting::new(
        "semantic_limit",
        "20000",
        "texts up to which a batch gets measures of meaning",
        |p, v| whole(v, 1).map(|limit| p.semantic_limit = limit),
        |p| json!(p.semantic_limit),
    ),
    Setting::<Params>::new(
        "embed",
        "none",
        "`none`, `auto` or a folder: the embedding model for records without vectors",
        |p, v| v.to(&mut p.embed),
        |p| json!(p.embed),
    )
    .unsigned(),
    Setting::<Params>::new(
        "reference",
        "none",
        "file of records with vectors, for `novelty_semantic`",
        |p, v| file(v).map(|file| p.reference = file),
        |p| base(&p.reference),
    )
    .unsigned(),
    Setting::<Params>::new(
        "labels",
        "none",
        "file of human labels, a line 0 or 1 for each record",
        |p, v| file(v).map(|file| p.labels = file),
        |p| base(&p.labels),
    )
    .unsigned(),
    Setting::<Params>::new(
        "model",
        "none",
        "file made by `verism train humor`",
        |p, v| file(v).map(|file| p.model = file),
        |p| base(&p.model),
    )
    .unsigned(),
    Setting::<Params>::new(
        "corpus",
        "none",
        "files to train on in place: `FILE[*WEIGHT],...`; `builtin` is a small one of our own",
        |p, v| corpora(v).map(|files| p.corpus = files),
        |p| json!(p.corpus),
    )
    .unsigned(),
    Setting::<Params>::new(
        "tokens",
        "false",
        "adds the token streams to the report",
        |p, v| v.to(&mut p.tokens),
        |p| json!(p.tokens),
    )
    .of_input(),
    Setting::<Params>::new(
        "model_tables",
        "false",
        "adds every table of the model to the report",
        |p, v| v.to(&mut p.model_tables),
        |p| json!(p.model_tables),
    )
    .of_input(),
];

impl Default for Params {
    fn default() -> Params {
        Params {
            mode: Mode::Default,
            backoff_gate: BackoffGate::Pair,
            train_tokens: TrainTokens::Words,
            bleu_smoothing: BleuSmoothing::Smallest,
            overall_self_bleu: OverallBleu::Four,
            creativity_scope: Scope::Batch,
            coherence: CoherenceSource::Embedding,
            score_text: ScoreText::Text,
            distinct_n: vec![1, 2, 3],
            batch_size: 0,
            semantic_limit: 20_000,
            embed: "none".into(),
            reference: None,
            labels: None,
            model: None,
            corpus: vec![],
            tokens: false,
            model_tables: false,
            train_tokens_given: false,
            mode_given: false,
            model_blanks: None,
        }
    }
}

impl Params {
    /// Reads options as given; later ones win, and a model or corpus that is typed replaces either of a configuration.
    pub(crate) fn read(given: &Options) -> Result<Params, Defect> {
        let params: Params = setting::read(SETTINGS, &given.without_replaced(&["model", "corpus"]))?;
        if params.model.is_some() && !params.corpus.is_empty() {
            let defect = Defect::new("bad_option", "model or corpus, not both").field("model");
            return Err(defect.value(params.model.unwrap_or_default()));
        }
        Ok(params)
    }

    /// Whether undefined values take the constants of the original.
    pub(crate) fn published(&self) -> bool {
        self.mode == Mode::Published
    }

    /// What becomes of runs of low lines.
    pub(crate) fn blanks(&self) -> Blanks {
        let own = if self.published() { Blanks::Kept } else { Blanks::Joined };
        self.model_blanks.unwrap_or(own)
    }

    /// What a model says about runs of low lines, where the reading says something else.
    fn blanks_of_model(&self) -> Option<&'static str> {
        let own = if self.published() { Blanks::Kept } else { Blanks::Joined };
        self.model_blanks.filter(|blanks| *blanks != own).map(|blanks| match blanks {
            Blanks::Kept => "kept",
            Blanks::Joined => "joined",
        })
    }

    /// When the second level of the back-off answers.
    pub(crate) fn gate(&self) -> Gate {
        match self.backoff_gate {
            BackoffGate::Pair => Gate::Pair,
            BackoffGate::Context => Gate::Context,
        }
    }

    /// What stands for a precision of zero in BLEU.
    pub(crate) fn smoothing(&self) -> Smoothing {
        match self.bleu_smoothing {
            BleuSmoothing::Smallest => Smoothing::Smallest,
            BleuSmoothing::Method1 => Smoothing::Method1,
        }
    }

    /// Order of the self-BLEU in the weighted sum.
    pub(crate) fn overall_order(&self) -> usize {
        match self.overall_self_bleu {
            OverallBleu::One => 1,
            OverallBleu::Two => 2,
            OverallBleu::Three => 3,
            OverallBleu::Four => 4,
        }
    }

    /// How a corpus is read.
    pub(crate) fn corpus_reading(&self) -> Reading {
        let tokens = match self.train_tokens {
            TrainTokens::Words => Tokenizer::Words,
            TrainTokens::Whitespace => Tokenizer::Whitespace,
        };
        Reading { tokens, blanks: self.blanks() }
    }

    /// Takes over how a model was trained; what contradicts an option that was given is refused.
    pub(crate) fn adopt(&mut self, reading: Reading) -> Result<(), Defect> {
        let tokens = match reading.tokens {
            Tokenizer::Whitespace => TrainTokens::Whitespace,
            _ => TrainTokens::Words,
        };
        let contrary = |key: &str, found: &str, given: &str| {
            let hint = "the model file was trained that way; leave the option out, or train again";
            Defect::new("bad_option", found).field(key).value(given).hint(hint)
        };
        if self.train_tokens_given && self.train_tokens != tokens {
            return Err(contrary(
                "train_tokens",
                &setting::as_typed(&json!(tokens)),
                &setting::as_typed(&json!(self.train_tokens)),
            ));
        }
        if self.mode_given && self.blanks() != reading.blanks {
            let mode = if reading.blanks == Blanks::Kept { Mode::Published } else { Mode::Default };
            let words = [mode, self.mode].map(|mode| setting::as_typed(&json!(mode)));
            return Err(contrary("reading", &words[0], &words[1]));
        }
        (self.train_tokens, self.model_blanks) = (tokens, Some(reading.blanks));
        // From here on another model must say the same.
        (self.train_tokens_given, self.mode_given) = (true, true);
        Ok(())
    }

    /// The options as the report shows them; `corpus` are the files found.
    pub(crate) fn report(&self, corpus: &[String]) -> Value {
        let mut shown = setting::report(SETTINGS, self);
        shown.insert("corpus".into(), json!(corpus));
        if let Some(blanks) = self.blanks_of_model() {
            shown.insert("blanks".into(), json!(blanks));
        }
        Value::Object(shown)
    }

    /// The signature: options that differ, the corpus, where vectors come from, the version.
    pub(crate) fn signature(&self, reference: Option<&str>, corpus: Option<&str>, embed: &str) -> String {
        let mut changed = setting::changed(SETTINGS, self);
        changed.extend(self.blanks_of_model().map(|blanks| ("blanks".to_string(), blanks.to_string())));
        changed.extend(reference.map(|hash| ("reference".to_string(), short(hash).to_string())));
        let mut parts = vec![super::ID.to_string(), format!("v{}", super::SPEC_VERSION)];
        parts.extend(changed.iter().map(|(key, value)| format!("{key}:{value}")));
        parts.push(format!("corpus:{}", corpus.map_or("none", short)));
        parts.push(format!("embed:{embed}"));
        parts.push(format!("verism:{}", crate::score::signature::VERSION));
        parts.join("|")
    }
}

/// The first twelve digits of a hash.
pub(crate) fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// The last part of a path that may be none.
fn base(path: &Option<String>) -> Value {
    json!(path.as_deref().map(|path| base_name(Path::new(path))))
}

/// A file, or none; nothing at all is neither, and often a variable that a shell did not know.
fn file(named: NamedValue<'_>) -> Result<Option<String>, Defect> {
    match named.given.text().as_str() {
        "" => Err(named.wrong("a file, or `none`")),
        "none" => Ok(None),
        path => Ok(Some(path.to_string())),
    }
}

fn corpora(named: NamedValue<'_>) -> Result<Vec<String>, Defect> {
    let is_list = matches!(named.given, OptionValue::Config(toml::Value::Array(_)));
    let files: Vec<String> = named.read()?;
    match files.as_slice() {
        [] if !is_list => Err(named.wrong("files joined by commas, or `none`")),
        [none] if none == "none" => Ok(vec![]),
        _ => Ok(files),
    }
}

fn orders(named: NamedValue<'_>) -> Result<Vec<u32>, Defect> {
    let texts = match named.given {
        OptionValue::Config(toml::Value::Array(items)) => items.iter().map(toml::Value::to_string).collect(),
        given => given.text().split(',').map(|part| part.trim().to_string()).collect::<Vec<_>>(),
    };
    let mut orders: Vec<u32> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    let all = orders.len() == texts.len();
    orders.sort_unstable();
    orders.dedup();
    match all && orders.starts_with(&[1, 2]) {
        true => Ok(orders),
        false => Err(named.wrong("positive integers, 1 and 2 among them")),
    }
}

fn whole(named: NamedValue<'_>, least: u64) -> Result<u64, Defect> {
    let text = named.given.text();
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && *number >= least);
    number.ok_or_else(|| named.wrong(&format!("a whole number from {least} on")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[&str]) -> Result<Params, Defect> {
        let mut options = Options::default();
        pairs.iter().for_each(|pair| options.add(pair).expect("a pair"));
        Params::read(&options)
    }

    #[test]
    fn the_signature_names_what_differs() {
        // The example of the specification, section 8.
        let params = read(&["backoff_gate=context", "distinct_n=2,1", "labels=x.txt"]).expect("options");
        let version = crate::score::signature::VERSION;
        let expected =
            format!("humor|v1|backoff_gate:context|distinct_n:1/2|corpus:none|embed:supplied|verism:{version}");
        assert_eq!(params.signature(None, None, "supplied"), expected);
        let hash = "0123456789abcdef";
        assert!(
            params.signature(Some(hash), Some(hash), "none").contains("reference:0123456789ab|corpus:0123456789ab|")
        );
    }

    #[test]
    fn what_means_nothing_is_refused_by_its_key() {
        for pair in [
            "reading=other",
            "backoff_gate=none",
            "distinct_n=1",
            "distinct_n=0,1,2",
            "distinct_n=1,2,x",
            "batch_size=-1",
            "batch_size=+1",
            "semantic_limit=0",
            "overall_self_bleu=5",
            "tokens=yes",
            "unknown=1",
        ] {
            let defect = read(&[pair]).expect_err(pair);
            assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("bad_option", pair.split('=').next()));
        }
        assert_eq!(read(&["model=a.vrm", "corpus=b.txt"]).expect_err("both").field.as_deref(), Some("model"));
        for name in ["model", "corpus", "labels", "reference"] {
            assert_eq!(read(&[&format!("{name}=")]).expect_err(name).field.as_deref(), Some(name));
            assert_eq!(read(&[&format!("{name}=none")]), read(&[]));
        }
    }

    #[test]
    fn the_configuration_file_says_the_same() {
        let mut options = Options::default();
        let config =
            "[suite.humor]\ndistinct_n = [1, 2]\nbatch_size = 5\ncorpus = [\"a.txt*2\", \"b.txt\"]\ntokens = true\n";
        options.add_config(config, "verism.toml", "humor").expect("a table");
        let typed = read(&["distinct_n=1,2", "batch_size=5", "corpus=a.txt*2,b.txt", "tokens=true"]);
        assert_eq!(Params::read(&options), typed);
    }

    #[test]
    fn a_model_that_is_typed_replaces_the_corpus_of_the_configuration() {
        let mut options = Options::default();
        options.add_config("[suite.humor]\ncorpus = [\"builtin\"]\n", "verism.toml", "humor").expect("a table");
        options.add("model=cards.vrm").expect("a pair");
        assert_eq!(Params::read(&options), read(&["model=cards.vrm"]));
        options.add("corpus=a.txt").expect("a pair");
        assert!(Params::read(&options).is_err());
    }

    #[test]
    fn the_blanks_of_a_model_enter_the_signature() {
        let mut params = read(&[]).expect("options");
        params.adopt(Reading { tokens: Tokenizer::Words, blanks: Blanks::Kept }).expect("adopted");
        assert!(params.signature(None, None, "none").starts_with("humor|v1|blanks:kept|corpus:none|"));
        assert_eq!(params.report(&[])["blanks"], "kept");
        let mut params = read(&["reading=published"]).expect("options");
        params.adopt(Reading { tokens: Tokenizer::Words, blanks: Blanks::Kept }).expect("adopted");
        assert!(!params.signature(None, None, "none").contains("blanks"));
    }

    #[test]
    fn a_model_does_not_overrule_an_option() {
        let spaced = Reading { tokens: Tokenizer::Whitespace, blanks: Blanks::Joined };
        let mut params = read(&[]).expect("options");
        params.adopt(spaced).expect("adopted");
        assert_eq!(params.train_tokens, TrainTokens::Whitespace);
        let refused = read(&["train_tokens=words"]).expect("options").adopt(spaced).expect_err("refused");
        assert_eq!((refused.code.as_ref(), refused.field.as_deref()), ("bad_option", Some("train_tokens")));
    }
}

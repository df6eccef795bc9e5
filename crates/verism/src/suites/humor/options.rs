//! The options of the suite.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::Defect;
use crate::suites::{Given, Options};
use crate::text::bleu::Smoothing;
use crate::text::model::backoff::Gate;
use crate::text::model::Reading;
use crate::text::tokens::{Blanks, Tokenizer};

/// Declares an option that takes one of a few words, the first by default.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $first:ident = $word:literal, $($variant:ident = $other:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub(super) enum $name { #[default] #[serde(rename = $word)] $first, $(#[serde(rename = $other)] $variant),+ }

        impl $name {
            const WORDS: &'static [(&'static str, $name)] = &[($word, $name::$first), $(($other, $name::$variant)),+];

            fn read(key: &str, given: &Given) -> Result<$name, Defect> {
                let text = given.text();
                let known: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
                let found = Self::WORDS.iter().find(|(word, _)| *word == text);
                found.map(|(_, value)| *value).ok_or_else(|| wrong(key, &known.join("|"), given))
            }

            /// The word for it.
            pub(super) fn word(self) -> &'static str {
                Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| *word)
            }
        }
    };
}

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Params {
    pub(super) mode: Mode,
    pub(super) backoff_gate: BackoffGate,
    pub(super) train_tokens: TrainTokens,
    pub(super) bleu_smoothing: BleuSmoothing,
    pub(super) overall_self_bleu: OverallBleu,
    pub(super) creativity_scope: Scope,
    pub(super) coherence: CoherenceSource,
    pub(super) score_text: ScoreText,
    /// Orders in rising order, 1 and 2 among them.
    pub(super) distinct_n: Vec<u32>,
    /// Texts of a cut batch; 0 leaves batches as they are.
    pub(super) batch_size: u64,
    pub(super) semantic_limit: u64,
    /// `none`, `auto` or a folder.
    pub(super) embed: String,
    pub(super) reference: Option<String>,
    pub(super) labels: Option<String>,
    pub(super) model: Option<String>,
    /// As given, weights and globs included.
    pub(super) corpus: Vec<String>,
    pub(super) tokens: bool,
    pub(super) model_tables: bool,
    /// Whether these two were given, so that a model cannot overrule them.
    pub(super) train_tokens_given: bool,
    pub(super) mode_given: bool,
}

/// Every option: name, default, what it does.
pub(super) const OPTIONS: &[(&str, &str, &str)] = &[
    ("reading", "default", "`published`: constants and arithmetic of the original where it would be undefined"),
    ("backoff_gate", "pair", "`pair` or `context`: when the second level of the back-off answers"),
    ("train_tokens", "words", "`words` or `whitespace`: tokens that training counts"),
    ("bleu_smoothing", "none", "`none` or `method1`: what stands for a precision of zero"),
    ("overall_self_bleu", "4", "order of the self-BLEU in `overall`: 1 to 4"),
    ("creativity_scope", "batch", "`batch` or `item`: where the creative part of `overall` comes from"),
    ("coherence", "embedding", "`embedding` or `cooccurrence`: what coherence is measured with"),
    ("score_text", "text", "`text` or `filled`: the text alone, or in the blanks of its prompt"),
    ("distinct_n", "1,2,3", "orders of distinct-n; 1 and 2 are always among them"),
    ("batch_size", "0", "cuts batches into equal ones of so many texts; 0 leaves them"),
    ("semantic_limit", "20000", "texts up to which a batch gets measures of meaning"),
    ("embed", "none", "`none`, `auto` or a folder: the embedding model for records without vectors"),
    ("reference", "none", "file of records with vectors, for `novelty_semantic`"),
    ("labels", "none", "file of human labels, a line 0 or 1 for each record"),
    ("model", "none", "file made by `verism train humor`"),
    ("corpus", "none", "files to train on in place: `FILE[*WEIGHT],...`"),
    ("tokens", "false", "adds the token streams to the report"),
    ("model_tables", "false", "adds every table of the model to the report"),
];

impl Default for Params {
    fn default() -> Params {
        Params {
            mode: Mode::default(),
            backoff_gate: BackoffGate::default(),
            train_tokens: TrainTokens::default(),
            bleu_smoothing: BleuSmoothing::default(),
            overall_self_bleu: OverallBleu::default(),
            creativity_scope: Scope::default(),
            coherence: CoherenceSource::default(),
            score_text: ScoreText::default(),
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
        }
    }
}

impl Params {
    /// Reads options as given; later ones win.
    pub(super) fn read(given: &Options) -> Result<Params, Defect> {
        let mut params = Params::default();
        for (key, value) in given.iter() {
            params.set(key, value)?;
        }
        if params.model.is_some() && !params.corpus.is_empty() {
            let defect = Defect::new("bad_option", "model or corpus, not both").field("model");
            return Err(defect.value(params.model.unwrap_or_default()));
        }
        Ok(params)
    }

    fn set(&mut self, key: &str, value: &Given) -> Result<(), Defect> {
        let file = || Some(value.text()).filter(|text| !text.is_empty());
        match key {
            "reading" => (self.mode, self.mode_given) = (Mode::read(key, value)?, true),
            "backoff_gate" => self.backoff_gate = BackoffGate::read(key, value)?,
            "train_tokens" => (self.train_tokens, self.train_tokens_given) = (TrainTokens::read(key, value)?, true),
            "bleu_smoothing" => self.bleu_smoothing = BleuSmoothing::read(key, value)?,
            "overall_self_bleu" => self.overall_self_bleu = OverallBleu::read(key, value)?,
            "creativity_scope" => self.creativity_scope = Scope::read(key, value)?,
            "coherence" => self.coherence = CoherenceSource::read(key, value)?,
            "score_text" => self.score_text = ScoreText::read(key, value)?,
            "distinct_n" => self.distinct_n = orders(key, value)?,
            "batch_size" => self.batch_size = whole(key, value, 0)?,
            "semantic_limit" => self.semantic_limit = whole(key, value, 1)?,
            "embed" => self.embed = file().ok_or_else(|| wrong(key, "none, auto or a folder", value))?,
            "reference" => self.reference = file(),
            "labels" => self.labels = file(),
            "model" => self.model = file(),
            "corpus" => self.corpus = value.list(key)?,
            "tokens" => self.tokens = value.flag(key)?,
            "model_tables" => self.model_tables = value.flag(key)?,
            _ => {
                let known: Vec<&str> = OPTIONS.iter().map(|(name, _, _)| *name).collect();
                return Err(Defect::new("bad_option", known.join("|")).field(key).value(value.text()));
            }
        }
        Ok(())
    }

    /// Whether undefined values take the constants of the original.
    pub(super) fn published(&self) -> bool {
        self.mode == Mode::Published
    }

    /// What becomes of runs of low lines.
    pub(super) fn blanks(&self) -> Blanks {
        if self.published() { Blanks::Kept } else { Blanks::Joined }
    }

    /// When the second level of the back-off answers.
    pub(super) fn gate(&self) -> Gate {
        match self.backoff_gate {
            BackoffGate::Pair => Gate::Pair,
            BackoffGate::Context => Gate::Context,
        }
    }

    /// What stands for a precision of zero in BLEU.
    pub(super) fn smoothing(&self) -> Smoothing {
        match self.bleu_smoothing {
            BleuSmoothing::Smallest => Smoothing::Smallest,
            BleuSmoothing::Method1 => Smoothing::Method1,
        }
    }

    /// Order of the self-BLEU in the weighted sum.
    pub(super) fn overall_order(&self) -> usize {
        match self.overall_self_bleu {
            OverallBleu::One => 1,
            OverallBleu::Two => 2,
            OverallBleu::Three => 3,
            OverallBleu::Four => 4,
        }
    }

    /// How a corpus is read.
    pub(super) fn corpus_reading(&self) -> Reading {
        let tokens = match self.train_tokens {
            TrainTokens::Words => Tokenizer::Words,
            TrainTokens::Whitespace => Tokenizer::Whitespace,
        };
        Reading { tokens, blanks: self.blanks() }
    }

    /// Takes over how a model was trained; what contradicts an option that was given is refused.
    pub(super) fn adopt(&mut self, reading: Reading) -> Result<(), Defect> {
        let tokens = match reading.tokens {
            Tokenizer::Whitespace => TrainTokens::Whitespace,
            _ => TrainTokens::Words,
        };
        let contrary = |key: &str, found: &str, given: &str| {
            let hint = "the model file was trained that way; leave the option out, or train again";
            Defect::new("bad_option", found).field(key).value(given).hint(hint)
        };
        if self.train_tokens_given && self.train_tokens != tokens {
            return Err(contrary("train_tokens", tokens.word(), self.train_tokens.word()));
        }
        let mode = if reading.blanks == Blanks::Kept { Mode::Published } else { Mode::Default };
        if self.mode_given && self.mode != mode {
            return Err(contrary("reading", mode.word(), self.mode.word()));
        }
        (self.train_tokens, self.mode) = (tokens, mode);
        Ok(())
    }

    /// The options as the report shows them; `corpus` are the files found.
    pub(super) fn report(&self, corpus: &[String]) -> Value {
        let base = |path: &Option<String>| path.as_deref().map(base_name);
        json!({
            "reading": self.mode, "backoff_gate": self.backoff_gate, "train_tokens": self.train_tokens,
            "bleu_smoothing": self.bleu_smoothing, "overall_self_bleu": self.overall_order(),
            "creativity_scope": self.creativity_scope, "coherence": self.coherence, "score_text": self.score_text,
            "distinct_n": self.distinct_n, "batch_size": self.batch_size, "semantic_limit": self.semantic_limit,
            "embed": self.embed, "reference": base(&self.reference), "labels": base(&self.labels),
            "model": base(&self.model), "corpus": corpus,
        })
    }

    /// The signature: options that differ, the corpus, where vectors come from, the version.
    pub(super) fn signature(&self, reference: Option<&str>, corpus: Option<&str>, embed: &str) -> String {
        let base = Params::default();
        let mut changed = BTreeMap::new();
        let mut note = |key: &'static str, differs: bool, value: String| {
            if differs {
                changed.insert(key, value);
            }
        };
        note("reading", self.mode != base.mode, self.mode.word().into());
        note("backoff_gate", self.backoff_gate != base.backoff_gate, self.backoff_gate.word().into());
        note("train_tokens", self.train_tokens != base.train_tokens, self.train_tokens.word().into());
        note("bleu_smoothing", self.bleu_smoothing != base.bleu_smoothing, self.bleu_smoothing.word().into());
        let order = self.overall_self_bleu;
        note("overall_self_bleu", order != base.overall_self_bleu, order.word().into());
        note("creativity_scope", self.creativity_scope != base.creativity_scope, self.creativity_scope.word().into());
        note("coherence", self.coherence != base.coherence, self.coherence.word().into());
        note("score_text", self.score_text != base.score_text, self.score_text.word().into());
        let orders: Vec<String> = self.distinct_n.iter().map(u32::to_string).collect();
        note("distinct_n", self.distinct_n != base.distinct_n, orders.join("/"));
        note("batch_size", self.batch_size != base.batch_size, self.batch_size.to_string());
        note("semantic_limit", self.semantic_limit != base.semantic_limit, self.semantic_limit.to_string());
        note("reference", reference.is_some(), short(reference.unwrap_or_default()).into());
        let mut parts = vec![super::ID.to_string(), format!("v{}", super::SPEC_VERSION)];
        parts.extend(changed.iter().map(|(key, value)| format!("{key}:{value}")));
        parts.push(format!("corpus:{}", corpus.map_or("none", short)));
        parts.push(format!("embed:{embed}"));
        parts.push(format!("verism:{}", crate::score::signature::VERSION));
        parts.join("|")
    }
}

/// The first twelve digits of a hash.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// The last part of a path.
pub(super) fn base_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_string(), |name| name.to_string_lossy().into_owned())
}

fn orders(key: &str, given: &Given) -> Result<Vec<u32>, Defect> {
    let refuse = || wrong(key, "positive integers, 1 and 2 among them", given);
    let texts = match given {
        Given::Config(toml::Value::Array(items)) => items.iter().map(toml::Value::to_string).collect(),
        given => given.text().split(',').map(|part| part.trim().to_string()).collect::<Vec<_>>(),
    };
    let orders: Result<Vec<u32>, _> = texts.iter().map(|text| text.parse::<u32>()).collect();
    let mut orders = orders.map_err(|_| refuse())?;
    orders.sort_unstable();
    orders.dedup();
    if orders.starts_with(&[1, 2]) { Ok(orders) } else { Err(refuse()) }
}

fn whole(key: &str, given: &Given, least: u64) -> Result<u64, Defect> {
    let text = given.text();
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && *number >= least);
    number.ok_or_else(|| wrong(key, &format!("a whole number from {least} on"), given))
}

fn wrong(key: &str, expected: &str, given: &Given) -> Defect {
    Defect::new("bad_option", expected).field(key).value(given.text())
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
        let expected = format!("humor|v1|backoff_gate:context|distinct_n:1/2|corpus:none|embed:supplied|verism:{version}");
        assert_eq!(params.signature(None, None, "supplied"), expected);
        let hash = "0123456789abcdef";
        assert!(params.signature(Some(hash), Some(hash), "none").contains("reference:0123456789ab|corpus:0123456789ab|"));
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
    }

    #[test]
    fn the_configuration_file_says_the_same() {
        let mut options = Options::default();
        let config = "[suite.humor]\ndistinct_n = [1, 2]\nbatch_size = 5\ncorpus = [\"a.txt*2\", \"b.txt\"]\ntokens = true\n";
        options.add_config(config, "verism.toml", "humor").expect("a table");
        let typed = read(&["distinct_n=1,2", "batch_size=5", "corpus=a.txt*2,b.txt", "tokens=true"]);
        assert_eq!(Params::read(&options), typed);
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

//! The options of the suite.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::facts::DIALOGUE_METRICS;
use super::field::{Field, Fields};
use crate::error::Defect;
use crate::score::signature;
use crate::score::table::python_repr;
use crate::suites::{Given, Options};

/// Declares an option that takes one of a few words.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(super) enum $name { $(#[serde(rename = $word)] $variant),+ }

        impl $name {
            const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),+];

            fn read(key: &str, given: &Given) -> Result<$name, Defect> {
                let text = given.text();
                let known: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
                let found = Self::WORDS.iter().find(|(word, _)| *word == text);
                found.map(|(_, value)| *value).ok_or_else(|| wrong(key, &known.join("|"), given))
            }
        }
    };
}

choice!(
    /// How concepts are found in a text.
    Extractor { Catalog = "catalog", Substring = "substring" }
);
choice!(
    /// What the words of copying are.
    Tokenizer { Unicode = "unicode", Ascii = "ascii" }
);
choice!(
    /// When a turn counts as recovered.
    RecoveryRule { Cc = "cc", CcOrCr = "cc_or_cr" }
);
choice!(
    /// Where the window of a shift ends.
    WindowEnd { Dialogue = "dialogue", NextShift = "next_shift" }
);
choice!(
    /// Which values never fire.
    StopValues { Builtin = "builtin", None = "none" }
);
choice!(
    /// Where the titles of a reply are taken from.
    RecSource { Text = "text", Field = "field", Both = "both" }
);
choice!(
    /// Whose reading of the measures counts.
    Reading { Spec = "spec", Published = "published" }
);
choice!(
    /// What is reported.
    View { Scores = "scores", Extract = "extract", Recommend = "recommend", Catalog = "catalog" }
);

/// The options in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Params {
    pub(super) extractor: Extractor,
    pub(super) tokenizer: Tokenizer,
    /// CC where neither side has a concept; none: undefined.
    pub(super) empty_cc: Option<f64>,
    pub(super) clip: bool,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) gamma: f64,
    pub(super) window: u32,
    pub(super) tau: f64,
    pub(super) tau_cr: f64,
    pub(super) recovery_rule: RecoveryRule,
    pub(super) window_end: WindowEnd,
    pub(super) use_name: bool,
    pub(super) use_plot_kw: bool,
    pub(super) decades: bool,
    pub(super) title_years: bool,
    pub(super) aliases: bool,
    pub(super) stop_values: StopValues,
    pub(super) min_len: u32,
    pub(super) rec_source: RecSource,
    pub(super) judge_min: f64,
    pub(super) judge_max: f64,
    pub(super) top_k: i64,
    pub(super) curve_windows: Vec<u32>,
    pub(super) curve_taus: Vec<f64>,
    pub(super) correlate: bool,
    pub(super) metrics: Vec<String>,
    pub(super) resamples: u64,
    pub(super) seed: u64,
    pub(super) detail: bool,
    pub(super) baselines: bool,
    pub(super) constant_text: String,
    pub(super) reading: Reading,
    pub(super) catalog: Option<String>,
    pub(super) labels: Option<String>,
    pub(super) lexicon: Option<String>,
    pub(super) view: View,
}

/// Every option: name, default, what it does.
pub(super) const OPTIONS: &[(&str, &str, &str)] = &[
    ("extractor", "catalog", "`catalog` or `substring`: whole words with guards, or raw substrings as published"),
    ("tokenizer", "unicode", "`unicode` or `ascii`: words of the measure of copying"),
    ("empty_cc", "undefined", "`undefined` or a number 0..1: CC of a turn without any concept"),
    ("clip", "false", "cut TAS of turns and segments to [-1, 1]"),
    ("alpha", "1", "weight of CC in TAS"),
    ("beta", "1", "weight of CR in TAS"),
    ("gamma", "1", "weight of copying in TAS"),
    ("window", "3", "replies after a shift within which it may be recovered"),
    ("tau", "0.65", "CC from which a shift counts as recovered"),
    ("tau_cr", "0.65", "the same for CR, with `recovery_rule=cc_or_cr`"),
    ("recovery_rule", "cc", "`cc` or `cc_or_cr`"),
    ("window_end", "dialogue", "`dialogue` or `next_shift`: what cuts a window"),
    ("use_name", "false", "titles are concepts too"),
    ("use_plot_kw", "false", "words of plots are concepts too"),
    ("decades", "false", "decades such as `1990s` are concepts too"),
    ("title_years", "false", "the year in `Title (YYYY)` is a concept"),
    ("aliases", "true", "`sci-fi` means `science fiction`, as the lexicon says"),
    ("stop_values", "builtin", "`builtin` or `none`: values that never fire"),
    ("min_len", "3", "letters that a value must have to fire"),
    ("rec_source", "text", "`text`, `field` (`rec_titles`) or `both`: where titles of a reply come from"),
    ("judge_min", "1", "smallest score of a judge that counts"),
    ("judge_max", "5", "largest score of a judge that counts"),
    ("top_k", "10", "length of the lists of missing and hallucinated concepts"),
    ("curve_windows", "1,2,3,5", "windows of the recovery curves"),
    ("curve_taus", "0.25,0.35,0.5,0.65,0.8,1", "thresholds of the recovery curves"),
    ("correlate", "false", "correlate metrics with the labels of the dialogues"),
    ("metrics", "cc,cr,i,tas,tas_expressed,coverage,recovery_rate,dst_f1,fidelity", "metrics that are correlated"),
    ("resamples", "9999", "resamples of the bootstrap"),
    ("seed", "12345", "seed of the bootstrap"),
    ("detail", "true", "turns, segments and shifts in `results.jsonl`"),
    ("baselines", "false", "score trivial replies on the same user turns"),
    ("constant_text", "Sure, I can help you find something to watch.", "the reply of the baseline `constant`"),
    ("reading", "spec", "`published`: the options that reproduce the original evaluator"),
    ("catalog", "built-in", "file with the items: JSON, JSONL, CSV or Parquet"),
    ("labels", "none", "file with human labels or judge scores: CSV or JSONL"),
    ("lexicon", "none", "JSON file with further words, aliases and stop values"),
    ("view", "scores", "`scores`, `extract`, `recommend` or `catalog`: what is reported"),
];

impl Default for Params {
    fn default() -> Params {
        let metrics = ["cc", "cr", "i", "tas", "tas_expressed", "coverage", "recovery_rate", "dst_f1", "fidelity"];
        Params {
            extractor: Extractor::Catalog,
            tokenizer: Tokenizer::Unicode,
            empty_cc: None,
            clip: false,
            alpha: 1.0,
            beta: 1.0,
            gamma: 1.0,
            window: 3,
            tau: 0.65,
            tau_cr: 0.65,
            recovery_rule: RecoveryRule::Cc,
            window_end: WindowEnd::Dialogue,
            use_name: false,
            use_plot_kw: false,
            decades: false,
            title_years: false,
            aliases: true,
            stop_values: StopValues::Builtin,
            min_len: 3,
            rec_source: RecSource::Text,
            judge_min: 1.0,
            judge_max: 5.0,
            top_k: 10,
            curve_windows: vec![1, 2, 3, 5],
            curve_taus: vec![0.25, 0.35, 0.5, 0.65, 0.8, 1.0],
            correlate: false,
            metrics: metrics.map(String::from).to_vec(),
            resamples: 9999,
            seed: 12345,
            detail: true,
            baselines: false,
            constant_text: "Sure, I can help you find something to watch.".into(),
            reading: Reading::Spec,
            catalog: None,
            labels: None,
            lexicon: None,
            view: View::Scores,
        }
    }
}

impl Params {
    /// Reads options as given; later ones win. What is given counts more than what `reading` implies.
    pub(super) fn read(given: &Options) -> Result<Params, Defect> {
        let mut params = Params::default();
        let reading = given.iter().filter(|(key, _)| *key == "reading").last();
        if let Some((key, value)) = reading
            && Reading::read(key, value)? == Reading::Published
        {
            params.publish();
        }
        for (key, value) in given.iter() {
            params.set(key, value)?;
        }
        if params.judge_max <= params.judge_min {
            let found = python_repr(params.judge_max);
            return Err(Defect::new("bad_option", "more than judge_min").field("judge_max").value(found));
        }
        Ok(params)
    }

    /// The choices of the original evaluator.
    fn publish(&mut self) {
        self.extractor = Extractor::Substring;
        self.tokenizer = Tokenizer::Ascii;
        self.empty_cc = Some(1.0);
        self.clip = true;
        self.recovery_rule = RecoveryRule::CcOrCr;
        self.tau = 0.35;
        self.tau_cr = 0.65;
    }

    fn set(&mut self, key: &str, value: &Given) -> Result<(), Defect> {
        let share = || decimal(key, value, "a number 0..1", |x| (0.0..=1.0).contains(&x));
        let weight = || decimal(key, value, "a number, 0 or more", |x| x >= 0.0);
        let any = || decimal(key, value, "a number", |_| true);
        let count = || whole(key, value, 1, u32::MAX.into()).map(|x| x as u32);
        let file = || Some(value.text()).filter(|text| !text.is_empty());
        match key {
            "extractor" => self.extractor = Extractor::read(key, value)?,
            "tokenizer" => self.tokenizer = Tokenizer::read(key, value)?,
            "empty_cc" => self.empty_cc = if value.text() == "undefined" { None } else { Some(share()?) },
            "clip" => self.clip = value.flag(key)?,
            "alpha" => self.alpha = weight()?,
            "beta" => self.beta = weight()?,
            "gamma" => self.gamma = weight()?,
            "window" => self.window = count()?,
            "tau" => self.tau = share()?,
            "tau_cr" => self.tau_cr = share()?,
            "recovery_rule" => self.recovery_rule = RecoveryRule::read(key, value)?,
            "window_end" => self.window_end = WindowEnd::read(key, value)?,
            "use_name" => self.use_name = value.flag(key)?,
            "use_plot_kw" => self.use_plot_kw = value.flag(key)?,
            "decades" => self.decades = value.flag(key)?,
            "title_years" => self.title_years = value.flag(key)?,
            "aliases" => self.aliases = value.flag(key)?,
            "stop_values" => self.stop_values = StopValues::read(key, value)?,
            "min_len" => self.min_len = count()?,
            "rec_source" => self.rec_source = RecSource::read(key, value)?,
            "judge_min" => self.judge_min = any()?,
            "judge_max" => self.judge_max = any()?,
            "top_k" => self.top_k = whole(key, value, i64::MIN, i64::MAX)?,
            "curve_windows" => self.curve_windows = each(key, value, |key, part| {
                whole(key, part, 1, u32::MAX.into()).map(|x| x as u32)
            })?,
            "curve_taus" => self.curve_taus = each(key, value, |key, part| {
                decimal(key, part, "numbers 0..1", |x| (0.0..=1.0).contains(&x))
            })?,
            "correlate" => self.correlate = value.flag(key)?,
            "metrics" => {
                let metrics = value.list(key)?;
                if let Some(unknown) = metrics.iter().find(|metric| !DIALOGUE_METRICS.contains(&metric.as_str())) {
                    return Err(Defect::new("bad_option", DIALOGUE_METRICS.join("|")).field(key).value(unknown));
                }
                self.metrics = metrics;
            }
            "resamples" => self.resamples = whole(key, value, 0, i64::MAX)? as u64,
            // A negative seed is the word with the same bits.
            "seed" => self.seed = whole(key, value, i64::MIN, i64::MAX)? as u64,
            "detail" => self.detail = value.flag(key)?,
            "baselines" => self.baselines = value.flag(key)?,
            "constant_text" => self.constant_text = value.text(),
            "reading" => self.reading = Reading::read(key, value)?,
            "catalog" => self.catalog = file(),
            "labels" => self.labels = file(),
            "lexicon" => self.lexicon = file(),
            "view" => self.view = View::read(key, value)?,
            _ => {
                let known: Vec<&str> = OPTIONS.iter().map(|(name, _, _)| *name).collect();
                return Err(Defect::new("bad_option", known.join("|")).field(key).value(value.text()));
            }
        }
        Ok(())
    }

    /// The fields whose concepts count.
    pub(super) fn scored(&self) -> Fields {
        let mut fields = Field::SCORED.to_vec();
        fields.extend(self.use_name.then_some(Field::Name));
        fields.extend(self.use_plot_kw.then_some(Field::PlotKw));
        Fields::of(&fields)
    }

    /// The options as the report shows them; of files their names and hashes.
    pub(super) fn report(&self, files: &Files) -> Value {
        let mut out = Map::from_iter([("suite".to_string(), json!(super::ID)), ("version".to_string(), json!(1))]);
        if let Value::Object(options) = json!(self) {
            out.extend(options);
        }
        out["empty_cc"] = self.empty_cc.map_or(json!("undefined"), |x| json!(x));
        out["catalog"] = json!(files.catalog);
        out["labels"] = json!(files.labels);
        out["lexicon"] = json!(files.lexicon);
        Value::Object(out)
    }

    /// The signature.
    pub(super) fn signature(&self, files: &Files) -> String {
        let base = Params::default();
        let mut changed = BTreeMap::new();
        let (Value::Object(mine), Value::Object(theirs)) = (json!(self), json!(base)) else { return String::new() };
        for key in SIGNED {
            if mine[*key] != theirs[*key] {
                changed.insert(key.to_string(), written(&mine[*key]));
            }
        }
        let made = signature::signature(super::ID, super::SPEC_VERSION, &changed);
        // The catalog and the lexicon come last but for the program's version.
        let (options, version) = made.rsplit_once('|').unwrap_or((&made, ""));
        let lexicon = files.lexicon.as_ref().map_or(String::new(), |file| format!("|lex:{}", &file.sha256[..8]));
        format!("{options}|catalog:{}{lexicon}|{version}", &files.catalog.sha256[..12])
    }
}

/// The options that touch a score.
const SIGNED: &[&str] = &[
    "extractor",
    "tokenizer",
    "empty_cc",
    "clip",
    "alpha",
    "beta",
    "gamma",
    "window",
    "tau",
    "tau_cr",
    "recovery_rule",
    "window_end",
    "use_name",
    "use_plot_kw",
    "decades",
    "title_years",
    "aliases",
    "min_len",
    "stop_values",
    "rec_source",
];

/// A file that was read besides the logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Its name without folders; `builtin` for the built-in catalog.
    pub name: String,
    /// Hash of its bytes, 64 hexadecimal digits.
    pub sha256: String,
}

/// The files that belong to a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Files {
    pub(super) catalog: FileFacts,
    pub(super) labels: Option<FileFacts>,
    pub(super) lexicon: Option<FileFacts>,
}

/// An option's value as on the command line.
fn written(value: &Value) -> String {
    match value {
        Value::Number(x) => x.as_f64().map_or(x.to_string(), |x| number(x)),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A number as one writes it: `1`, `0.25`.
fn number(x: f64) -> String {
    if x.fract() == 0.0 { format!("{x:.0}") } else { python_repr(x) }
}

fn wrong(key: &str, expected: &str, given: &Given) -> Defect {
    Defect::new("bad_option", expected).field(key).value(given.text())
}

/// A whole number of at most 18 digits.
fn whole(key: &str, given: &Given, least: i64, most: i64) -> Result<i64, Defect> {
    let text = given.text();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let plain = (1..=18).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let value = text.parse().ok().filter(|x| plain && (least..=most).contains(x));
    let bound = if least == i64::MIN { String::new() } else { format!(", {least} or more") };
    value.ok_or_else(|| wrong(key, &format!("a whole number{bound}"), given))
}

/// A decimal number without words such as `inf`.
fn decimal(key: &str, given: &Given, expected: &str, fits: impl Fn(f64) -> bool) -> Result<f64, Defect> {
    let text = given.text();
    parse_decimal(&text).filter(|x| fits(*x)).ok_or_else(|| wrong(key, expected, given))
}

/// The number that a text is, written with digits only.
pub(super) fn parse_decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|x: &f64| plain && x.is_finite())
}

/// The parts of a list.
fn each<T>(key: &str, given: &Given, read: impl Fn(&str, &Given) -> Result<T, Defect>) -> Result<Vec<T>, Defect> {
    if let Given::Config(toml::Value::Array(items)) = given {
        return items.iter().map(|item| read(key, &Given::Config(item.clone()))).collect();
    }
    given.list(key)?.into_iter().map(|part| read(key, &Given::Text(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[&str]) -> Result<Params, Defect> {
        let mut options = Options::default();
        pairs.iter().for_each(|pair| options.add(pair).expect("a pair"));
        Params::read(&options)
    }

    fn files() -> Files {
        let catalog = FileFacts { name: "builtin".into(), sha256: "b2b12e5bd531".repeat(6) };
        Files { catalog, labels: None, lexicon: None }
    }

    #[test]
    fn the_signature_names_what_differs() {
        // Section 8 of the specification, but for the program's version.
        let version = crate::score::signature::VERSION;
        let params = read(&["title_years=true", "tau=0.5", "top_k=3"]).expect("options");
        let expected = format!("recommender|v1|tau:0.5|title_years:true|catalog:b2b12e5bd531|verism:{version}");
        assert_eq!(params.signature(&files()), expected);
        let params = read(&["empty_cc=1", "window=2"]).expect("options");
        let expected = format!("recommender|v1|empty_cc:1|window:2|catalog:b2b12e5bd531|verism:{version}");
        assert_eq!(params.signature(&files()), expected);
    }

    #[test]
    fn what_is_given_counts_more_than_the_reading() {
        let params = read(&["tau=0.5", "reading=published"]).expect("options");
        assert_eq!((params.tau, params.extractor, params.empty_cc), (0.5, Extractor::Substring, Some(1.0)));
    }

    #[test]
    fn the_configuration_file_says_the_same() {
        let mut options = Options::default();
        let config = "[suite.recommender]\ntau = 0.5\nwindow = 2\ncurve_taus = [0.5, 1]\nmetrics = [\"tas\"]\nclip = true\n";
        options.add_config(config, "verism.toml", "recommender").expect("a table");
        let typed = read(&["tau=0.5", "window=2", "curve_taus=0.5,1", "metrics=tas", "clip=true"]).expect("options");
        assert_eq!(Params::read(&options).expect("options"), typed);
    }

    #[test]
    fn what_means_nothing_is_refused_by_its_key() {
        for pair in [
            "extractor=regex",
            "empty_cc=2",
            "tau=nan",
            "alpha=-1",
            "window=0",
            "window=2.5",
            "judge_max=1",
            "curve_windows=0",
            "curve_taus=2",
            "metrics=recall",
            "mood=happy",
            "view=all",
        ] {
            let defect = read(&[pair]).expect_err(pair);
            assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("bad_option", pair.split('=').next()));
        }
    }
}

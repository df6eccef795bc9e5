//! The options of the suite.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::catalog::field::{Field, Fields};
use super::facts::DIALOGUE_METRICS;
use crate::error::Defect;
use crate::score::signature;
use crate::suites::setting::{self, NamedValue, Setting, choice};
use crate::suites::{OptionValue, Options};

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
pub(crate) struct Params {
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
    pub(super) top_k: u64,
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

/// Every option. Those that touch no score are not signed.
pub(super) static SETTINGS: &[Setting<Params>] = &[
    Setting::new(
        "extractor",
        "catalog",
        "`catalog` or `substring`: whole words with guards, or raw substrings as published",
        |p, v| v.to(&mut p.extractor),
        |p| json!(p.extractor),
    ),
    Setting::new(
        "tokenizer",
        "unicode",
        "`unicode` or `ascii`: words of the measure of copying",
        |p, v| v.to(&mut p.tokenizer),
        |p| json!(p.tokenizer),
    ),
    Setting::new(
        "empty_cc",
        "undefined",
        "`undefined` or a number 0..1: CC of a turn without any concept",
        read_empty_cc,
        |p| p.empty_cc.map_or(json!("undefined"), |x| json!(x)),
    ),
    Setting::new(
        "clip",
        "false",
        "cut TAS of turns and segments to [-1, 1]",
        |p, v| v.to(&mut p.clip),
        |p| json!(p.clip),
    ),
    Setting::new("alpha", "1", "weight of CC in TAS", |p, v| weight(v, &mut p.alpha), |p| json!(p.alpha)),
    Setting::new("beta", "1", "weight of CR in TAS", |p, v| weight(v, &mut p.beta), |p| json!(p.beta)),
    Setting::new("gamma", "1", "weight of copying in TAS", |p, v| weight(v, &mut p.gamma), |p| json!(p.gamma)),
    Setting::new(
        "window",
        "3",
        "replies after a shift within which it may be recovered",
        |p, v| count(v, &mut p.window),
        |p| json!(p.window),
    ),
    Setting::new(
        "tau",
        "0.65",
        "CC from which a shift counts as recovered",
        |p, v| share(v, &mut p.tau),
        |p| json!(p.tau),
    ),
    Setting::new(
        "tau_cr",
        "0.65",
        "the same for CR, with `recovery_rule=cc_or_cr`",
        |p, v| share(v, &mut p.tau_cr),
        |p| json!(p.tau_cr),
    ),
    Setting::new(
        "recovery_rule",
        "cc",
        "`cc` or `cc_or_cr`",
        |p, v| v.to(&mut p.recovery_rule),
        |p| json!(p.recovery_rule),
    ),
    Setting::new(
        "window_end",
        "dialogue",
        "`dialogue` or `next_shift`: what cuts a window",
        |p, v| v.to(&mut p.window_end),
        |p| json!(p.window_end),
    ),
    Setting::new("use_name", "false", "titles are concepts too", |p, v| v.to(&mut p.use_name), |p| json!(p.use_name)),
    Setting::new(
        "use_plot_kw",
        "false",
        "words of plots are concepts too",
        |p, v| v.to(&mut p.use_plot_kw),
        |p| json!(p.use_plot_kw),
    ),
    Setting::new(
        "decades",
        "false",
        "decades such as `1990s` are concepts too",
        |p, v| v.to(&mut p.decades),
        |p| json!(p.decades),
    ),
    Setting::new(
        "title_years",
        "false",
        "the year in `Title (YYYY)` is a concept",
        |p, v| v.to(&mut p.title_years),
        |p| json!(p.title_years),
    ),
    Setting::new(
        "aliases",
        "true",
        "`sci-fi` means `science fiction`, as the lexicon says",
        |p, v| v.to(&mut p.aliases),
        |p| json!(p.aliases),
    ),
    Setting::new(
        "stop_values",
        "builtin",
        "`builtin` or `none`: values that never fire",
        |p, v| v.to(&mut p.stop_values),
        |p| json!(p.stop_values),
    ),
    Setting::new(
        "min_len",
        "3",
        "letters that a value must have to fire",
        |p, v| count(v, &mut p.min_len),
        |p| json!(p.min_len),
    ),
    Setting::new(
        "rec_source",
        "text",
        "`text`, `field` (`rec_titles`) or `both`: where titles of a reply come from",
        |p, v| v.to(&mut p.rec_source),
        |p| json!(p.rec_source),
    ),
    Setting::<Params>::new(
        "judge_min",
        "1",
        "smallest score of a judge that counts",
        |p, v| v.to(&mut p.judge_min),
        |p| json!(p.judge_min),
    )
    .unsigned(),
    Setting::<Params>::new(
        "judge_max",
        "5",
        "largest score of a judge that counts",
        |p, v| v.to(&mut p.judge_max),
        |p| json!(p.judge_max),
    )
    .unsigned(),
    Setting::<Params>::new(
        "top_k",
        "10",
        "length of the lists of missing and hallucinated concepts",
        |p, v| v.to(&mut p.top_k),
        |p| json!(p.top_k),
    )
    .unsigned(),
    Setting::<Params>::new(
        "curve_windows",
        "1,2,3,5",
        "windows of the recovery curves",
        |p, v| each(v, &mut p.curve_windows, count),
        |p| json!(p.curve_windows),
    )
    .unsigned(),
    Setting::<Params>::new(
        "curve_taus",
        "0.25,0.35,0.5,0.65,0.8,1",
        "thresholds of the recovery curves",
        |p, v| each(v, &mut p.curve_taus, share),
        |p| json!(p.curve_taus),
    )
    .unsigned(),
    Setting::<Params>::new(
        "correlate",
        "false",
        "correlate metrics with the labels of the dialogues",
        |p, v| v.to(&mut p.correlate),
        |p| json!(p.correlate),
    )
    .unsigned(),
    Setting::<Params>::new(
        "metrics",
        "cc,cr,i,tas,tas_expressed,coverage,recovery_rate,dst_f1,fidelity",
        "metrics that are correlated",
        read_metrics,
        |p| json!(p.metrics),
    )
    .unsigned(),
    Setting::<Params>::new(
        "resamples",
        "9999",
        "resamples of the bootstrap",
        |p, v| v.to(&mut p.resamples),
        |p| json!(p.resamples),
    )
    .unsigned(),
    Setting::<Params>::new("seed", "12345", "seed of the bootstrap", |p, v| v.to(&mut p.seed), |p| json!(p.seed))
        .unsigned(),
    Setting::<Params>::new(
        "detail",
        "true",
        "turns, segments and shifts in `results.jsonl`",
        |p, v| v.to(&mut p.detail),
        |p| json!(p.detail),
    )
    .unsigned(),
    Setting::<Params>::new(
        "baselines",
        "false",
        "score trivial replies on the same user turns",
        |p, v| v.to(&mut p.baselines),
        |p| json!(p.baselines),
    )
    .unsigned(),
    Setting::<Params>::new(
        "constant_text",
        "Sure, I can help you find something to watch.",
        "the reply of the baseline `constant`",
        |p, v| v.to(&mut p.constant_text),
        |p| json!(p.constant_text),
    )
    .unsigned(),
    Setting::<Params>::new(
        "reading",
        "spec",
        "`published`: the options that reproduce the original evaluator, unless given otherwise",
        |p, v| v.to(&mut p.reading),
        |p| json!(p.reading),
    )
    .unsigned(),
    Setting::<Params>::new(
        "catalog",
        "built-in",
        "file with the items: JSON, JSONL, CSV or Parquet",
        |p, v| v.to(&mut p.catalog),
        |p| json!(p.catalog),
    )
    .unsigned(),
    Setting::<Params>::new(
        "labels",
        "none",
        "file with human labels or judge scores: CSV or JSONL",
        |p, v| v.to(&mut p.labels),
        |p| json!(p.labels),
    )
    .unsigned(),
    Setting::<Params>::new(
        "lexicon",
        "none",
        "JSON file with further words, aliases and stop values",
        |p, v| v.to(&mut p.lexicon),
        |p| json!(p.lexicon),
    )
    .unsigned(),
    Setting::<Params>::new(
        "view",
        "scores",
        "`scores`, `extract`, `recommend` or `catalog`: what is reported",
        |p, v| v.to(&mut p.view),
        |p| json!(p.view),
    )
    .unsigned(),
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
        let mut params = setting::read(SETTINGS, given)?;
        if params.reading == Reading::Published {
            params.publish(&|name| given.iter().any(|(key, _)| key == name));
        }
        if params.judge_max <= params.judge_min {
            let found = params.judge_max.to_string();
            return Err(Defect::new("bad_option", "more than judge_min").field("judge_max").value(found));
        }
        Ok(params)
    }

    /// The choices of the original evaluator, where nothing else is given.
    fn publish(&mut self, given: &dyn Fn(&str) -> bool) {
        fn set<T>(place: &mut T, value: T, given: bool) {
            if !given {
                *place = value;
            }
        }
        set(&mut self.extractor, Extractor::Substring, given("extractor"));
        set(&mut self.tokenizer, Tokenizer::Ascii, given("tokenizer"));
        set(&mut self.empty_cc, Some(1.0), given("empty_cc"));
        set(&mut self.clip, true, given("clip"));
        set(&mut self.recovery_rule, RecoveryRule::CcOrCr, given("recovery_rule"));
        set(&mut self.tau, 0.35, given("tau"));
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
        let mut out = setting::report(SETTINGS, self);
        out.insert("suite".into(), json!(super::ID));
        out.insert("version".into(), json!(1));
        out.insert("catalog".into(), json!(files.catalog));
        out.insert("labels".into(), json!(files.labels));
        out.insert("lexicon".into(), json!(files.lexicon));
        Value::Object(out)
    }

    /// The signature; the catalog and the lexicon come last but for the program's version.
    pub(super) fn signature(&self, files: &Files) -> String {
        let made = signature::signature(super::ID, super::SPEC_VERSION, &setting::changed(SETTINGS, self));
        let (options, version) = made.rsplit_once('|').unwrap_or((&made, ""));
        let lexicon = files.lexicon.as_ref().map_or(String::new(), |file| format!("|lex:{}", &file.sha256[..8]));
        format!("{options}|catalog:{}{lexicon}|{version}", &files.catalog.sha256[..12])
    }
}

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

fn read_empty_cc(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let mut cc = 0.0;
    let undefined = value.given.text() == "undefined";
    params.empty_cc = if undefined { None } else { Some(share(value, &mut cc).map(|()| cc)?) };
    Ok(())
}

fn read_metrics(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let metrics = value.read::<Vec<String>>()?;
    match metrics.iter().all(|metric| DIALOGUE_METRICS.contains(&metric.as_str())) {
        true => params.metrics = metrics,
        false => return Err(value.wrong(&DIALOGUE_METRICS.join("|"))),
    }
    Ok(())
}

/// A number 0..1.
fn share(value: NamedValue<'_>, place: &mut f64) -> Result<(), Defect> {
    let number = value.read::<f64>().ok().filter(|x| (0.0..=1.0).contains(x));
    *place = number.ok_or_else(|| value.wrong("a number 0..1"))?;
    Ok(())
}

/// A number that is not negative.
fn weight(value: NamedValue<'_>, place: &mut f64) -> Result<(), Defect> {
    *place = value.read::<f64>().ok().filter(|x| *x >= 0.0).ok_or_else(|| value.wrong("a number, 0 or more"))?;
    Ok(())
}

/// A whole number from 1 on.
fn count(value: NamedValue<'_>, place: &mut u32) -> Result<(), Defect> {
    let number = value.read::<u64>().ok().and_then(|x| u32::try_from(x).ok()).filter(|x| *x >= 1);
    *place = number.ok_or_else(|| value.wrong("a whole number, 1 or more"))?;
    Ok(())
}

/// The parts of a list.
fn each<T: Default>(
    value: NamedValue<'_>,
    place: &mut Vec<T>,
    read: fn(NamedValue<'_>, &mut T) -> Result<(), Defect>,
) -> Result<(), Defect> {
    let parts: Vec<OptionValue> = match value.given {
        OptionValue::Config(toml::Value::Array(items)) => items.iter().cloned().map(OptionValue::Config).collect(),
        given => given.list(value.name)?.into_iter().map(OptionValue::Text).collect(),
    };
    place.clear();
    for part in &parts {
        let mut one = T::default();
        read(NamedValue { name: value.name, given: part }, &mut one)?;
        place.push(one);
    }
    Ok(())
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
        let config =
            "[suite.recommender]\ntau = 0.5\nwindow = 2\ncurve_taus = [0.5, 1]\nmetrics = [\"tas\"]\nclip = true\n";
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

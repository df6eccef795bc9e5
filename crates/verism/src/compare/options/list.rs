//! Every option of a comparison, one line each.

use super::choices::FactorChoice;
use super::parse::GivenOption;
use super::settings::Options;
use super::words::{
    ADJUSTS, CLUSTER_SES, D_SDS, DDOFS, DESIGNS, DIRECTIONS, FAMILIES, INTERVALS, MATCHINGS, RUNS, SWITCHES, TEST_SETS,
    TESTS, UNITS, WEIGHTS, ZEROS, word,
};
use crate::error::Result;

/// An option: what it is called, what it takes, what it means, and how it is set and shown.
pub struct CompareOption {
    /// Its name.
    pub key: &'static str,
    /// What it takes: words with bars between them, or a description.
    pub takes: &'static str,
    /// What counts where nothing is given; empty where nothing does.
    pub default: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// How the signature names it.
    pub(super) signed: Signed,
    pub(super) set: fn(&mut Options, &GivenOption) -> Result<()>,
    /// Its value as it would be given; none where it has none.
    pub(super) show: fn(&Options) -> Option<String>,
}

/// How an option stands in the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signed {
    /// Always, under this name.
    As(&'static str),
    /// Always, behind the option before it.
    Behind,
    /// Under its own name, where it differs from the default.
    IfGiven,
    /// Never.
    Not,
}

use Signed::{As, Behind, IfGiven, Not};

/// The options, in the order of the signature. `sesoi.NAME`, `range.NAME` and `direction.NAME` set theirs for one metric.
#[rustfmt::skip]
pub const OPTIONS: &[CompareOption] = &[
    CompareOption { key: "alpha", takes: "a number between 0 and 1", default: "0.05", meaning: "level of tests; intervals cover one minus it", signed: As("alpha"),
        set: |o, v| v.between_0_and_1().map(|x| o.alpha = x), show: |o| Some(o.alpha.to_string()) },
    CompareOption { key: "design", takes: "auto|paired|unpaired", default: "auto", meaning: "whether units are paired; auto: where enough are shared", signed: As("design"),
        set: |o, v| v.choice(DESIGNS).map(|x| o.design = x), show: |o| said(o.design, DESIGNS) },
    CompareOption { key: "unit", takes: "auto|case|run|case+run|dialogue|turn", default: "auto", meaning: "what is sampled independently", signed: As("unit"),
        set: |o, v| v.choice(UNITS).map(|x| o.unit = x), show: |o| said(o.unit, UNITS) },
    CompareOption { key: "weight", takes: "unit|row", default: "unit", meaning: "what counts once; row: cluster-robust methods", signed: As("w"),
        set: |o, v| v.choice(WEIGHTS).map(|x| o.weight = x), show: |o| said(o.weight, WEIGHTS) },
    CompareOption { key: "level", takes: "a level of the rows, such as dialogue or turn", default: "auto", meaning: "the rows that are compared; auto: the metric's home level", signed: As("level"),
        set: |o, v| v.level().map(|x| o.level = x), show: |o| Some(o.level.clone().unwrap_or_else(|| "auto".into())) },
    CompareOption { key: "test", takes: "auto|welch|student|mannwhitney|permutation|paired_t|wilcoxon|signflip", default: "auto", meaning: "the test whose p-value counts", signed: As("test"),
        set: |o, v| v.choice(TESTS).map(|x| o.test = x), show: |o| said(o.test, TESTS) },
    CompareOption { key: "ci", takes: "t|z196|percentile|bca", default: "t", meaning: "how intervals are made", signed: As("ci"),
        set: |o, v| v.choice(INTERVALS).map(|x| o.ci = x), show: |o| said(o.ci, INTERVALS) },
    CompareOption { key: "ddof", takes: "0|1", default: "1", meaning: "what is taken off n in standard deviations", signed: As("ddof"),
        set: |o, v| v.choice(DDOFS).map(|x| o.ddof = x), show: |o| said(o.ddof, DDOFS) },
    CompareOption { key: "d_sd", takes: "pooled|average", default: "pooled", meaning: "what Cohen's d is divided by", signed: As("d"),
        set: |o, v| v.choice(D_SDS).map(|x| o.d_sd = x), show: |o| said(o.d_sd, D_SDS) },
    CompareOption { key: "adjust", takes: "holm|bh|bonferroni|none", default: "holm", meaning: "how p-values are corrected for many tests", signed: As("adj"),
        set: |o, v| v.choice(ADJUSTS).map(|x| o.adjust = x), show: |o| said(o.adjust, ADJUSTS) },
    CompareOption { key: "family", takes: "all|metric|pair", default: "all", meaning: "which tests are corrected together", signed: Behind,
        set: |o, v| v.choice(FAMILIES).map(|x| o.family = x), show: |o| said(o.family, FAMILIES) },
    CompareOption { key: "zero", takes: "wilcox|pratt", default: "wilcox", meaning: "what Wilcoxon does with zero differences", signed: As("zero"),
        set: |o, v| v.choice(ZEROS).map(|x| o.zero = x), show: |o| said(o.zero, ZEROS) },
    CompareOption { key: "cluster_se", takes: "cr2|cr1|cr0", default: "cr2", meaning: "the cluster-robust standard error", signed: As("cse"),
        set: |o, v| v.choice(CLUSTER_SES).map(|x| o.cluster_se = x), show: |o| said(o.cluster_se, CLUSTER_SES) },
    CompareOption { key: "resamples", takes: "a whole number of at least 99", default: "9999", meaning: "resamples of bootstraps and randomisation tests", signed: As("B"),
        set: |o, v| v.whole(99).map(|n| o.resamples = n), show: |o| Some(o.resamples.to_string()) },
    CompareOption { key: "seed", takes: "a whole number", default: "12345", meaning: "seed of everything random", signed: As("seed"),
        set: |o, v| v.whole(0).map(|n| o.seed = n), show: |o| Some(o.seed.to_string()) },
    CompareOption { key: "sesoi", takes: "a number of at least 0", default: "0", meaning: "smallest effect of interest, in units of the metric; sesoi.NAME for one metric", signed: As("sesoi"),
        set: |o, v| v.not_negative().map(|x| o.sesoi = x), show: |o| Some(o.sesoi.to_string()) },
    CompareOption { key: "direction", takes: "auto|higher|lower|none", default: "auto", meaning: "which way is better; auto: as the suite says; direction.NAME for one metric", signed: As("dir"),
        set: |o, v| v.choice(DIRECTIONS).map(|x| o.direction = x), show: |o| said(o.direction, DIRECTIONS) },
    CompareOption { key: "power", takes: "a number between 0 and 1", default: "0.8", meaning: "the power that the minimum detectable effect has", signed: As("power"),
        set: |o, v| v.between_0_and_1().map(|x| o.power = x), show: |o| Some(o.power.to_string()) },
    CompareOption { key: "tests", takes: "standard|all", default: "standard", meaning: "all: also the randomisation tests", signed: As("tests"),
        set: |o, v| v.choice(TEST_SETS).map(|x| o.all_tests = x), show: |o| said(o.all_tests, TEST_SETS) },
    CompareOption { key: "runs", takes: "auto|fixed|random", default: "auto", meaning: "whether shifts that a whole run shares enter the error; auto: where they show", signed: As("runs"),
        set: |o, v| v.choice(RUNS).map(|x| o.runs = x), show: |o| said(o.runs, RUNS) },
    CompareOption { key: "cluster", takes: "auto, none, or a column of the scores", default: "auto", meaning: "units with the same text there stand together; auto: the other parts of the names under factor (correlate: dialogues of turns)", signed: As("cluster"),
        set: |o, v| v.cluster().map(|x| o.cluster = x), show: |o| Some(o.cluster.text().to_string()) },
    CompareOption { key: "range", takes: "smallest..largest possible value", default: "auto", meaning: "bounds of the metric, where values do not vary; auto: as the suite says; range.NAME for one metric", signed: As("range"),
        set: |o, v| v.range().map(|x| o.range = x), show: |o| Some(o.range.map_or_else(|| "auto".into(), |(a, b)| format!("{a}..{b}"))) },
    CompareOption { key: "baseline", takes: "an experiment", default: "", meaning: "compare each experiment with this one instead of all pairs", signed: IfGiven,
        set: |o, v| v.name().map(|x| o.baseline = x), show: |o| o.baseline.clone() },
    CompareOption { key: "experiments", takes: "experiments with commas between them", default: "", meaning: "which experiments, in which order", signed: IfGiven,
        set: |o, v| v.names().map(|x| o.experiments = Some(x)), show: |o| o.experiments.as_ref().map(|names| names.join(",")) },
    CompareOption { key: "metrics", takes: "metrics with commas between them, or all", default: "", meaning: "which metrics, in which order; else the headline metrics", signed: IfGiven,
        set: |o, v| v.names().map(|x| o.metrics = Some(x)), show: |o| o.metrics.as_ref().map(|names| names.join(",")) },
    CompareOption { key: "factor", takes: "a part of names such as a/b: its number, from 1, or its name where the suite has one", default: "", meaning: "compare along this part; the others become part of the case", signed: IfGiven,
        set: |o, v| v.factor().map(|x| o.factor = Some(x)), show: |o| o.factor.as_ref().map(FactorChoice::text) },
    CompareOption { key: "match", takes: "auto|unit|row", default: "auto", meaning: "row: a row counts only where the other experiment has it too", signed: IfGiven,
        set: |o, v| v.choice(MATCHINGS).map(|x| o.matching = x), show: |o| said(o.matching, MATCHINGS) },
    CompareOption { key: "mixed_signatures", takes: "true|false", default: "false", meaning: "compare scores that came about differently", signed: IfGiven,
        set: |o, v| v.choice(SWITCHES).map(|x| o.mixed_signatures = x), show: |o| said(o.mixed_signatures, SWITCHES) },
    CompareOption { key: "lenient", takes: "true|false", default: "false", meaning: "leave bad rows out and list them", signed: Not,
        set: |o, v| v.choice(SWITCHES).map(|x| o.lenient = x), show: |o| said(o.lenient, SWITCHES) },
];

fn said<T: Copy + PartialEq>(meaning: T, words: super::words::Words<T>) -> Option<String> {
    Some(word(meaning, words).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Section 16 of the statistics specification lists these options and defaults.
    #[test]
    fn a_default_given_is_the_default_in_force() {
        let default = Options::default();
        for option in OPTIONS.iter().filter(|option| !option.default.is_empty()) {
            let given = Options::parse([format!("{}={}", option.key, option.default).as_str()]).unwrap();
            assert_eq!(given.signature(), default.signature(), "{}", option.key);
            assert_eq!((option.show)(&default).as_deref(), Some(option.default), "{}", option.key);
        }
    }

    #[test]
    fn every_word_that_is_listed_is_taken_and_shown() {
        for option in OPTIONS.iter().filter(|option| option.takes.contains('|')) {
            for word in option.takes.split('|') {
                let given = Options::parse([format!("{}={word}", option.key).as_str()]).unwrap();
                assert_eq!((option.show)(&given).as_deref(), Some(word), "{}", option.key);
            }
            assert!(Options::parse([format!("{}=no such word", option.key).as_str()]).is_err(), "{}", option.key);
        }
    }

    #[test]
    fn no_option_is_listed_twice() {
        for (at, option) in OPTIONS.iter().enumerate() {
            assert!(OPTIONS[..at].iter().all(|other| other.key != option.key), "{}", option.key);
        }
    }
}

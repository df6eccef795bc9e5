//! The words that options take, each with its meaning.

use super::choices::{DesignChoice, Family, Interval, Matching, RunChoice, TestChoice, Weight};
use crate::compare::design::unit::Unit;
use crate::compare::error::bad_option;
use crate::error::Result;
use crate::stats::adjust;
use crate::stats::bootstrap;
use crate::stats::cluster::ClusterSe;
use crate::stats::describe::Factor;
use crate::stats::effect::DividedBy;
use crate::stats::verdict::Direction;
use crate::stats::wilcoxon::Zeros;

pub(crate) type Words<T> = &'static [(&'static str, T)];

pub(crate) const DESIGNS: Words<DesignChoice> =
    &[("auto", DesignChoice::Auto), ("paired", DesignChoice::Paired), ("unpaired", DesignChoice::Unpaired)];
pub(crate) const WEIGHTS: Words<Weight> = &[("unit", Weight::Unit), ("row", Weight::Row)];
pub(crate) const UNITS: Words<Option<Unit>> = &[
    ("auto", None),
    ("case", Some(Unit::Case)),
    ("run", Some(Unit::Run)),
    ("case+run", Some(Unit::CaseRun)),
    ("dialogue", Some(Unit::Dialogue)),
    ("turn", Some(Unit::Turn)),
];
pub(crate) const TESTS: Words<TestChoice> = &[
    ("auto", TestChoice::Auto),
    ("welch", TestChoice::Welch),
    ("student", TestChoice::Student),
    ("mannwhitney", TestChoice::MannWhitney),
    ("permutation", TestChoice::Permutation),
    ("paired_t", TestChoice::PairedT),
    ("wilcoxon", TestChoice::Wilcoxon),
    ("signflip", TestChoice::SignFlip),
];
pub(crate) const INTERVALS: Words<Interval> = &[
    ("t", Interval::Plain(Factor::T)),
    ("z196", Interval::Plain(Factor::Z196)),
    ("percentile", Interval::Bootstrap(bootstrap::Method::Percentile)),
    ("bca", Interval::Bootstrap(bootstrap::Method::Bca)),
];
pub(crate) const DDOFS: Words<usize> = &[("0", 0), ("1", 1)];
pub(crate) const D_SDS: Words<DividedBy> = &[("pooled", DividedBy::Pooled), ("average", DividedBy::Average)];
pub(crate) const ADJUSTS: Words<adjust::Method> = &[
    ("holm", adjust::Method::Holm),
    ("bh", adjust::Method::Bh),
    ("bonferroni", adjust::Method::Bonferroni),
    ("none", adjust::Method::None),
];
pub(crate) const FAMILIES: Words<Family> = &[("all", Family::All), ("metric", Family::Metric), ("pair", Family::Pair)];
pub(crate) const ZEROS: Words<Zeros> = &[("wilcox", Zeros::Wilcox), ("pratt", Zeros::Pratt)];
pub(crate) const CLUSTER_SES: Words<ClusterSe> =
    &[("cr2", ClusterSe::Cr2), ("cr1", ClusterSe::Cr1), ("cr0", ClusterSe::Cr0)];
pub(crate) const DIRECTIONS: Words<Option<Direction>> = &[
    ("auto", None),
    ("higher", Some(Direction::Higher)),
    ("lower", Some(Direction::Lower)),
    ("none", Some(Direction::None)),
];
pub(crate) const TEST_SETS: Words<bool> = &[("standard", false), ("all", true)];
pub(crate) const RUNS: Words<RunChoice> =
    &[("auto", RunChoice::Auto), ("fixed", RunChoice::Fixed), ("random", RunChoice::Random)];
pub(crate) const MATCHINGS: Words<Matching> =
    &[("auto", Matching::Auto), ("unit", Matching::Unit), ("row", Matching::Row)];
pub(crate) const SWITCHES: Words<bool> = &[("true", true), ("false", false)];

/// Gives what a word stands for, or names the words there are.
pub(crate) fn choice<T: Copy>(key: &str, value: &str, words: Words<T>) -> Result<T> {
    words.iter().find(|(word, _)| *word == value).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let listed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        bad_option(key, value, format!("one of {}", listed.join("|")))
    })
}

/// Gives the word for a meaning.
pub(crate) fn word<T: Copy + PartialEq>(meaning: T, words: Words<T>) -> &'static str {
    words.iter().find(|(_, m)| *m == meaning).map_or("", |(word, _)| word)
}

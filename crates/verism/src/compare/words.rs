//! The words that options take, each with its meaning.

use super::error::bad_option;
use super::options::{ClusterBy, DesignChoice, Family, Interval, Matching, TestChoice, Weight};
use super::unit::Unit;
use crate::error::Result;
use crate::stats::adjust;
use crate::stats::bootstrap;
use crate::stats::cluster::ClusterSe;
use crate::stats::describe::Factor;
use crate::stats::effect::DividedBy;
use crate::stats::verdict::Direction;
use crate::stats::wilcoxon::Zeros;

pub(super) type Words<T> = &'static [(&'static str, T)];

pub(super) const DESIGNS: Words<DesignChoice> =
    &[("auto", DesignChoice::Auto), ("paired", DesignChoice::Paired), ("unpaired", DesignChoice::Unpaired)];
pub(super) const WEIGHTS: Words<Weight> = &[("unit", Weight::Unit), ("row", Weight::Row)];
pub(super) const UNITS: Words<Option<Unit>> = &[
    ("auto", None),
    ("case", Some(Unit::Case)),
    ("run", Some(Unit::Run)),
    ("case+run", Some(Unit::CaseRun)),
    ("dialogue", Some(Unit::Dialogue)),
    ("turn", Some(Unit::Turn)),
];
pub(super) const TESTS: Words<TestChoice> = &[
    ("auto", TestChoice::Auto),
    ("welch", TestChoice::Welch),
    ("student", TestChoice::Student),
    ("mannwhitney", TestChoice::MannWhitney),
    ("permutation", TestChoice::Permutation),
    ("paired_t", TestChoice::PairedT),
    ("wilcoxon", TestChoice::Wilcoxon),
    ("signflip", TestChoice::SignFlip),
];
pub(super) const INTERVALS: Words<Interval> = &[
    ("t", Interval::Plain(Factor::T)),
    ("z196", Interval::Plain(Factor::Z196)),
    ("percentile", Interval::Bootstrap(bootstrap::Method::Percentile)),
    ("bca", Interval::Bootstrap(bootstrap::Method::Bca)),
];
pub(super) const DDOFS: Words<usize> = &[("0", 0), ("1", 1)];
pub(super) const D_SDS: Words<DividedBy> = &[("pooled", DividedBy::Pooled), ("average", DividedBy::Average)];
pub(super) const ADJUSTS: Words<adjust::Method> = &[
    ("holm", adjust::Method::Holm),
    ("bh", adjust::Method::Bh),
    ("bonferroni", adjust::Method::Bonferroni),
    ("none", adjust::Method::None),
];
pub(super) const FAMILIES: Words<Family> = &[("all", Family::All), ("metric", Family::Metric), ("pair", Family::Pair)];
pub(super) const ZEROS: Words<Zeros> = &[("wilcox", Zeros::Wilcox), ("pratt", Zeros::Pratt)];
pub(super) const CLUSTER_SES: Words<ClusterSe> =
    &[("cr2", ClusterSe::Cr2), ("cr1", ClusterSe::Cr1), ("cr0", ClusterSe::Cr0)];
pub(super) const DIRECTIONS: Words<Option<Direction>> = &[
    ("auto", None),
    ("higher", Some(Direction::Higher)),
    ("lower", Some(Direction::Lower)),
    ("none", Some(Direction::None)),
];
pub(super) const TEST_SETS: Words<bool> = &[("standard", false), ("all", true)];
pub(super) const CLUSTERS: Words<ClusterBy> =
    &[("none", ClusterBy::None), ("case", ClusterBy::Case), ("experiment", ClusterBy::Experiment)];
pub(super) const MATCHINGS: Words<Matching> =
    &[("auto", Matching::Auto), ("unit", Matching::Unit), ("row", Matching::Row)];
pub(super) const SWITCHES: Words<bool> = &[("true", true), ("false", false)];

/// Gives what a word stands for, or names the words there are.
pub(super) fn choice<T: Copy>(key: &str, value: &str, words: Words<T>) -> Result<T> {
    words.iter().find(|(word, _)| *word == value).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let listed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        bad_option(key, value, format!("one of {}", listed.join("|")))
    })
}

/// Gives the word for a meaning.
pub(super) fn word<T: Copy + PartialEq>(meaning: T, words: Words<T>) -> &'static str {
    words.iter().find(|(_, m)| *m == meaning).map_or("", |(word, _)| word)
}

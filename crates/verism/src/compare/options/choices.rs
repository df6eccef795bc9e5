//! What the options of a comparison choose between.

use crate::stats::bootstrap;
use crate::stats::describe::Factor;

/// Whether pairs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DesignChoice {
    /// Paired where enough units are shared.
    Auto,
    /// Paired.
    Paired,
    /// Unpaired.
    Unpaired,
}

/// What counts once: a unit, or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Every unit counts once.
    Unit,
    /// Every row counts once; units are clusters.
    Row,
}

/// The primary test that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestChoice {
    /// Paired t for pairs, Welch otherwise.
    Auto,
    /// Welch, unpaired.
    Welch,
    /// Student with pooled variance, unpaired.
    Student,
    /// Mann-Whitney, unpaired.
    MannWhitney,
    /// Permutation of labels, unpaired.
    Permutation,
    /// Paired t.
    PairedT,
    /// Wilcoxon signed rank, paired.
    Wilcoxon,
    /// Flips of signs, paired.
    SignFlip,
}

/// How the interval of a difference is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Mean and standard error with a factor.
    Plain(Factor),
    /// By resampling.
    Bootstrap(bootstrap::Method),
}

impl Interval {
    /// Gives the option's word.
    pub fn name(self) -> &'static str {
        match self {
            Interval::Plain(factor) => factor.name(),
            Interval::Bootstrap(method) => method.name(),
        }
    }

    /// Gives the factor of the t results beside the interval.
    pub fn factor(self) -> Factor {
        match self {
            Interval::Plain(factor) => factor,
            Interval::Bootstrap(_) => Factor::T,
        }
    }
}

/// Which tests are corrected together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// All metrics and pairs together.
    All,
    /// Each metric.
    Metric,
    /// Each pair of experiments.
    Pair,
}

/// What stands together: units of a cluster are not independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterBy {
    /// `compare`: the other parts of the names under `factor`; `correlate`: dialogues of turns, cases of dialogues.
    Auto,
    /// Nothing.
    None,
    /// Whatever has the same text in this column.
    Column(String),
}

impl ClusterBy {
    /// Gives the choice as it would be given.
    pub(in crate::compare) fn text(&self) -> &str {
        match self {
            ClusterBy::Auto => "auto",
            ClusterBy::None => "none",
            ClusterBy::Column(name) => name,
        }
    }
}

/// Whether shifts that a whole run shares enter the error of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunChoice {
    /// Where they show.
    Auto,
    /// Never: the answer is about these runs.
    Fixed,
    /// Always: the answer is about new runs.
    Random,
}

/// The part of names such as `a/b` along which experiments are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactorChoice {
    /// By its number, from 1.
    Part(usize),
    /// By the column that the suite's rows have for it, such as `model` or `group`.
    Named(String),
}

impl FactorChoice {
    /// Gives the choice as it would be given.
    pub(super) fn text(&self) -> String {
        match self {
            FactorChoice::Part(k) => k.to_string(),
            FactorChoice::Named(name) => name.clone(),
        }
    }
}

/// Whether a row needs a partner in the other experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// As the suite says.
    Auto,
    /// A unit covers all its rows.
    Unit,
    /// A row counts only where the other experiment has it too.
    Row,
}

//! The options of a comparison.

use std::collections::BTreeMap;

use super::unit::Unit;
use crate::stats::adjust;
use crate::stats::bootstrap;
use crate::stats::cluster::ClusterSe;
use crate::stats::describe::Factor;
use crate::stats::effect::DividedBy;
use crate::stats::verdict::Direction;
use crate::stats::wilcoxon::Zeros;

/// Whether pairs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DesignChoice {
    Auto,
    Paired,
    Unpaired,
}

/// What counts once: a unit, or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Unit,
    Row,
}

/// The primary test that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestChoice {
    Auto,
    Welch,
    Student,
    MannWhitney,
    Permutation,
    PairedT,
    Wilcoxon,
    SignFlip,
}

/// How the interval of a difference is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    Plain(Factor),
    Bootstrap(bootstrap::Method),
}

impl Interval {
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
    All,
    Metric,
    Pair,
}

/// What `correlate` resamples whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterBy {
    None,
    Case,
    Experiment,
}

/// Whether a row needs a partner in the other experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    Auto,
    Unit,
    Row,
}

/// All options in force.
#[derive(Clone, Debug)]
pub struct Options {
    pub alpha: f64,
    pub design: DesignChoice,
    pub unit: Option<Unit>,
    pub weight: Weight,
    pub level: Option<String>,
    pub test: TestChoice,
    pub ci: Interval,
    pub ddof: usize,
    pub d_sd: DividedBy,
    pub adjust: adjust::Method,
    pub family: Family,
    pub zero: Zeros,
    pub cluster_se: ClusterSe,
    pub resamples: u64,
    pub seed: u64,
    pub sesoi: f64,
    pub direction: Option<Direction>,
    pub power: f64,
    pub all_tests: bool,
    pub baseline: Option<String>,
    pub experiments: Option<Vec<String>>,
    pub metrics: Option<Vec<String>>,
    pub cluster: ClusterBy,
    pub factor: Option<usize>,
    pub matching: Matching,
    pub mixed_signatures: bool,
    pub lenient: bool,
    /// `sesoi.NAME` by name.
    pub sesoi_of: BTreeMap<String, f64>,
    /// `direction.NAME` by name; `None` is `auto`.
    pub direction_of: BTreeMap<String, Option<Direction>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            alpha: 0.05,
            design: DesignChoice::Auto,
            unit: None,
            weight: Weight::Unit,
            level: None,
            test: TestChoice::Auto,
            ci: Interval::Plain(Factor::T),
            ddof: 1,
            d_sd: DividedBy::Pooled,
            adjust: adjust::Method::Holm,
            family: Family::All,
            zero: Zeros::Wilcox,
            cluster_se: ClusterSe::Cr2,
            resamples: 9999,
            seed: 12345,
            sesoi: 0.0,
            direction: None,
            power: 0.8,
            all_tests: false,
            baseline: None,
            experiments: None,
            metrics: None,
            cluster: ClusterBy::None,
            factor: None,
            matching: Matching::Auto,
            mixed_signatures: false,
            lenient: false,
            sesoi_of: BTreeMap::new(),
            direction_of: BTreeMap::new(),
        }
    }
}

impl Options {
    /// Gives the bootstrap settings for a method.
    pub fn bootstrap(&self, method: bootstrap::Method) -> bootstrap::Settings {
        bootstrap::Settings { method, resamples: self.resamples, seed: self.seed, alpha: self.alpha }
    }
}

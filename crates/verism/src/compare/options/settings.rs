//! All options in force, with their defaults.

use std::collections::BTreeMap;

use super::choices::{
    ClusterBy, DesignChoice, FactorChoice, Family, Interval, Matching, RunChoice, TestChoice, Weight,
};
use crate::compare::design::unit::Unit;
use crate::stats::adjust;
use crate::stats::bootstrap;
use crate::stats::cluster::ClusterSe;
use crate::stats::describe::Factor;
use crate::stats::effect::DividedBy;
use crate::stats::verdict::Direction;
use crate::stats::wilcoxon::Zeros;

/// All options in force.
#[derive(Clone, Debug)]
pub struct Options {
    /// Level of tests; intervals cover one minus it.
    pub alpha: f64,
    /// Paired or not.
    pub design: DesignChoice,
    /// What is sampled independently; none: chosen by the data.
    pub unit: Option<Unit>,
    /// Units or rows count alike.
    pub weight: Weight,
    /// The level of rows; none: the home level of the metric.
    pub level: Option<String>,
    /// The test whose p-value counts.
    pub test: TestChoice,
    /// The interval.
    pub ci: Interval,
    /// 0 or 1: what is taken off n in standard deviations.
    pub ddof: usize,
    /// What Cohen's d is divided by.
    pub d_sd: DividedBy,
    /// How p-values are corrected.
    pub adjust: adjust::Method,
    /// Over which tests.
    pub family: Family,
    /// What Wilcoxon does with zero differences.
    pub zero: Zeros,
    /// The cluster-robust standard error.
    pub cluster_se: ClusterSe,
    /// How many resamples are drawn.
    pub resamples: u64,
    /// Seed of the generator.
    pub seed: u64,
    /// Smallest effect of interest, in units of the metric; 0: none.
    pub sesoi: f64,
    /// Which way is better; none: as the registry says.
    pub direction: Option<Direction>,
    /// The power that minimum detectable effects have.
    pub power: f64,
    /// Also the randomisation tests.
    pub all_tests: bool,
    /// Compare each experiment with this one; none: all pairs.
    pub baseline: Option<String>,
    /// The experiments and their order; none: all.
    pub experiments: Option<Vec<String>>,
    /// The metrics; none: the headline metrics.
    pub metrics: Option<Vec<String>>,
    /// Whether shifts of whole runs enter the error.
    pub runs: RunChoice,
    /// What stands together.
    pub cluster: ClusterBy,
    /// Smallest and largest possible value; none: as the registry says.
    pub range: Option<(f64, f64)>,
    /// The part of names such as `a/b` that is compared.
    pub factor: Option<FactorChoice>,
    /// What a paired unit covers.
    pub matching: Matching,
    /// Compare scores that came about differently.
    pub mixed_signatures: bool,
    /// Leave bad rows out and list them.
    pub lenient: bool,
    /// `sesoi.NAME` by name.
    pub sesoi_of: BTreeMap<String, f64>,
    /// `range.NAME` by name; `None` is `auto`.
    pub range_of: BTreeMap<String, Option<(f64, f64)>>,
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
            runs: RunChoice::Auto,
            cluster: ClusterBy::Auto,
            range: None,
            factor: None,
            matching: Matching::Auto,
            mixed_signatures: false,
            lenient: false,
            sesoi_of: BTreeMap::new(),
            range_of: BTreeMap::new(),
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

//! What a comparison says of one metric and two experiments.

use serde::Serialize;

use super::flag::Flag;

use crate::compare::design::unit::Unit;
use crate::stats::bootstrap::Bootstrap;
use crate::stats::cluster::ClusterDiff;
use crate::stats::effect::Effect;
use crate::stats::equivalence::Tost;
use crate::stats::fisher::Fisher;
use crate::stats::mann_whitney::MannWhitney;
use crate::stats::permutation::Permutation;
use crate::stats::reason::Reason;
use crate::stats::sign_flip::{McNemar, SignFlip};
use crate::stats::t_test::{PairedT, TwoSampleT};
use crate::stats::verdict::{Direction, Magnitude, Verdict};
use crate::stats::wilcoxon::Wilcoxon;

/// The interval of a difference.
#[derive(Clone, Debug, Serialize)]
pub struct PairInterval {
    /// Lower end of the interval.
    pub lo: Option<f64>,
    /// Upper end of the interval.
    pub hi: Option<f64>,
    /// How it was computed.
    pub method: &'static str,
    /// How often such intervals hold the truth.
    pub level: f64,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Every test of a pair, by name; those that do not apply are left out.
#[derive(Clone, Debug, Serialize)]
pub struct Tests {
    /// Welch's t.
    pub welch: TwoSampleT,
    /// Student's t with pooled variance.
    pub student: TwoSampleT,
    /// Mann-Whitney.
    pub mannwhitney: MannWhitney,
    /// Paired t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_t: Option<PairedT>,
    /// Wilcoxon signed rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wilcoxon: Option<Wilcoxon>,
    /// McNemar, for values 0 and 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar: Option<McNemar>,
    /// Fisher's exact test, for independent values 0 and 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fisher: Option<Fisher>,
    /// Cluster-robust t, where rows count alike or units stand together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_t: Option<ClusterDiff>,
    /// Flips of signs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signflip: Option<SignFlip>,
    /// Permutation of labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permutation: Option<Permutation>,
}

/// The standardised differences of pairs.
#[derive(Clone, Debug, Serialize)]
pub struct PairedEffects {
    /// Mean difference over the standard deviation of the differences.
    pub d_z: Option<f64>,
    /// Lower end of its interval.
    pub dz_lo: Option<f64>,
    /// Upper end of its interval.
    pub dz_hi: Option<f64>,
    /// The same without its small-sample bias.
    pub g_z: Option<f64>,
}

/// The standardised differences of a pair.
#[derive(Clone, Debug, Serialize)]
pub struct Effects {
    /// Those of two independent samples.
    #[serde(flatten)]
    pub unpaired: Effect,
    /// Those of pairs, in a paired design.
    #[serde(flatten)]
    pub paired: Option<PairedEffects>,
}

/// A test of equivalence, corrected for the whole family.
#[derive(Clone, Debug, Serialize)]
pub struct PairTost {
    /// The test by itself; `equivalent` is about the corrected p-value.
    #[serde(flatten)]
    pub test: Tost,
    /// The p-value corrected for the whole family.
    pub p_adj: Option<f64>,
}

/// Bounds on a difference over values that are missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Missing {
    /// With the worst for the experiment.
    pub lo: f64,
    /// With the best for it.
    pub hi: f64,
}

impl Missing {
    /// Gives the interval of a difference with its ends moved by the worst and the best that the missing values allow.
    pub(crate) fn widened(self, diff: f64, (lo, hi): (f64, f64)) -> (f64, f64) {
        (lo + (self.lo - diff).min(0.0), hi + (self.hi - diff).max(0.0))
    }

    /// Tells whether the missing values could turn a difference round, chance included: whether its interval, moved to the
    /// bound that is nearer to 0, reaches 0.
    pub(crate) fn could_turn(self, diff: f64, interval: (f64, f64)) -> bool {
        if diff > 0.0 { interval.0 + (self.lo - diff) <= 0.0 } else { interval.1 + (self.hi - diff) >= 0.0 }
    }
}

/// Shifts that whole runs share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunShift {
    /// F of runs against residuals.
    pub f: Option<f64>,
    /// Its p-value.
    pub p: f64,
    /// Standard deviation of a run's shift.
    pub sd: f64,
    /// How much of them stands in the error of the difference: nothing where p is ½ or more, all of it where p is at most 0.08
    /// (two runs: 0.15).
    pub weight: f64,
}

/// One row of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The suite, if the rows name one.
    pub suite: Option<String>,
    /// The metric.
    pub metric: String,
    /// The experiment it is compared with.
    pub baseline: String,
    /// The experiment.
    pub experiment: String,
    /// `paired` or `unpaired`.
    pub design: &'static str,
    /// What is sampled independently.
    pub unit: Unit,
    /// What counts alike: units or rows.
    pub weight: &'static str,
    /// The level of the rows.
    pub level: String,
    /// Units of the baseline with a value.
    pub n_baseline: usize,
    /// Units of the experiment with a value.
    pub n_experiment: usize,
    /// Units that both have, in a paired design.
    pub n_pairs: Option<usize>,
    /// Units that only the baseline has.
    pub unmatched_baseline: Option<usize>,
    /// Units that only the experiment has.
    pub unmatched_experiment: Option<usize>,
    /// Rows of the baseline without a partner, where rows are matched.
    pub unmatched_rows_baseline: Option<usize>,
    /// Rows of the experiment without a partner, where rows are matched.
    pub unmatched_rows_experiment: Option<usize>,
    /// Rows of the baseline without a value.
    pub undefined_baseline: usize,
    /// Rows of the experiment without a value.
    pub undefined_experiment: usize,
    /// Mean of the baseline.
    pub mean_baseline: Option<f64>,
    /// Mean of the experiment.
    pub mean_experiment: Option<f64>,
    /// Standard deviation of the baseline.
    pub sd_baseline: Option<f64>,
    /// Standard deviation of the experiment.
    pub sd_experiment: Option<f64>,
    /// Experiment minus baseline.
    pub diff: Option<f64>,
    /// The difference over the size of the baseline.
    pub rel_change: Option<f64>,
    /// Standard error of the difference.
    pub se: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// The test whose p-value counts.
    pub test: &'static str,
    /// Its statistic.
    pub statistic: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// The p-value corrected for the whole family.
    pub p_adj: Option<f64>,
    /// Its decimal logarithm.
    pub log10_p_adj: Option<f64>,
    /// The interval of the difference.
    pub ci: PairInterval,
    /// Every test that applies.
    pub tests: Tests,
    /// Standardised differences.
    pub effects: Effects,
    /// The difference that this comparison would have found with the power asked for.
    pub mde: Option<f64>,
    /// Units that would find the smallest effect of interest.
    pub n_required: Option<u64>,
    /// The test of equivalence, with a smallest effect of interest.
    pub tost: Option<PairTost>,
    /// Between which the difference lies, whatever the values would have been that one side lacks beyond the other.
    pub missing: Option<Missing>,
    /// How far whole runs shift together, where cases were run several times.
    pub runs: Option<RunShift>,
    /// Skewness of the difference, where it chose the test: the third cumulant over the cube of the standard error.
    pub skewness: Option<f64>,
    /// Which way is better.
    pub direction: Direction,
    /// Who says so: `option`, `registry` or `default`.
    pub direction_source: &'static str,
    /// Nobody said which way is better: `higher` is a guess, and the verdict says no more than which way it went.
    pub direction_assumed: bool,
    /// What it comes to.
    pub verdict: Verdict,
    /// Whether it matters.
    pub magnitude: Magnitude,
    /// What a reader should know, by short names.
    pub flags: Vec<Flag>,
    /// Why there was no test.
    pub reason: Option<Reason>,
    /// Design, unit and test with their reasons, in a sentence.
    pub why: String,
}

impl Pair {
    /// Gives the number of pairs, or of units on each side, for people.
    pub(crate) fn size(&self) -> String {
        self.n_pairs.map_or_else(|| format!("{}/{}", self.n_baseline, self.n_experiment), |n| n.to_string())
    }

    /// Takes a bootstrap interval.
    pub(crate) fn set_interval(&mut self, interval: &Bootstrap) {
        (self.ci.lo, self.ci.hi) = (interval.lo, interval.hi);
        (self.ci.method, self.ci.reason) = (interval.method, interval.reason);
    }
}

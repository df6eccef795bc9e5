//! The interval of one experiment's mean: the same rules as for differences.

use crate::compare::design::unit::Units;
use crate::compare::options::{Interval, Options};
use crate::compare::pair::run_tables::RunTables;
use crate::compare::read::names::Names;
use crate::stats::cluster::{ClusterMean, Clusters, cluster_mean};
use crate::stats::constant::{is_binary, is_constant};
use crate::stats::describe::{Description, Factor, wilson};
use crate::stats::mass_bound::Equal;
use crate::stats::reason::Reason;
use crate::stats::skew::{SkewedT, correction, is_skewed, third_cumulant};

/// The ends of an interval and how they were made.
type Ends = (f64, f64, &'static str);

/// Replaces the plain interval of a mean where the values call for another one; tells whether it did, so that no bootstrap of single
/// units takes its place.
///
/// Units that stand together come first: of them only the clusters count. Values that do not vary have an interval only where the
/// range of the metric is known. Values 0 and 1: Wilson's. Runs that shift together, and skewness, widen the t interval, in this
/// order of precedence. With `ci=z196` the interval stays as asked wherever the values vary; bootstraps give way to clusters and runs.
pub(super) fn settle(
    description: &mut Description,
    units: &Units,
    range: (Option<f64>, Option<f64>),
    runs: Option<RunTables>,
    names: &Names,
    options: &Options,
) -> bool {
    let values = &units.values[..];
    let Some(mean) = description.mean.filter(|_| values.len() >= 2) else { return false };
    let plain = options.ci == Interval::Plain(Factor::T);
    let literal = matches!(options.ci, Interval::Plain(factor) if factor != Factor::T);
    let shares = (range == (None, None) || range == (Some(0.0), Some(1.0))) && is_binary(values);
    let together = together(units, names, options);
    let found: Option<Ends> = if plain && shares && together.is_none() {
        let ones = values.iter().filter(|v| **v == 1.0).count() as u64;
        let (lo, hi) = wilson(ones, values.len() as u64, options.alpha);
        Some((lo, hi, "wilson"))
    } else if is_constant(values) {
        (description.ci_lo, description.ci_hi) = (None, None);
        description.reason = Some(Reason::ZeroVariance);
        let range = if shares { Some((0.0, 1.0)) } else { range.0.zip(range.1) };
        let n = together.as_ref().map_or(values.len(), |mean| mean.clusters);
        let equal = range.filter(|_| n >= 2).and_then(|range| Equal::of(mean, n, range));
        equal.map(|equal| equal.ends(options.alpha)).map(|(lo, hi)| (lo, hi, "mass_bound"))
    } else if literal {
        None
    } else if let Some(together) = &together {
        (description.ci_lo, description.ci_hi) = (None, None);
        let ends = together.ci_lo.zip(together.ci_hi);
        description.reason = if ends.is_some() { None } else { Some(Reason::OneCluster) };
        ends.map(|(lo, hi)| (lo, hi, "cluster_t"))
    } else {
        shifting(description, runs, options).or_else(|| skewed(description, values, options).filter(|_| plain))
    };
    if let Some((lo, hi, method)) = found {
        (description.ci_lo, description.ci_hi, description.ci_method) = (Some(lo), Some(hi), method);
        description.reason = description.reason.filter(|_| method == "mass_bound");
    }
    found.is_some() || together.is_some()
}

/// The mean of units that stand together; none where each stands alone.
fn together(units: &Units, names: &Names, options: &Options) -> Option<ClusterMean> {
    if !units.clusters.iter().any(|cluster| cluster.is_given()) {
        return None;
    }
    let clusters = units.cluster_names(names);
    let clusters: Vec<&str> = clusters.iter().map(String::as_str).collect();
    let mean = cluster_mean(&Clusters::of(&units.values, &clusters), options.cluster_se, options.alpha);
    (mean.clusters < mean.n).then_some(mean)
}

/// Runs that shift together.
fn shifting(description: &Description, runs: Option<RunTables>, options: &Options) -> Option<Ends> {
    let (mean, sem) = (description.mean?, description.sem?);
    let (se, df) = runs?.widened(sem, (description.n - 1) as f64)?;
    let half = Factor::T.at(options.alpha, df) * se;
    Some((mean - half, mean + half, "t_runs"))
}

/// Skewed values.
fn skewed(description: &Description, values: &[f64], options: &Options) -> Option<Ends> {
    let (mean, se, n) = (description.mean?, description.sem?, values.len());
    let skewness = third_cumulant(values, mean) / (n * n) as f64 / (se * se * se);
    let skewed = SkewedT { diff: mean, se, df: (n - 1) as f64, skewness: skewness * correction(n) };
    let (lo, hi) = skewed.ends(options.alpha);
    (skewness.is_finite() && is_skewed(skewness, n)).then_some((lo, hi, "skew_t"))
}

//! The interval of one experiment's mean: the same rules as for differences.

use crate::compare::design::unit::Units;
use crate::compare::options::{Interval, Options};
use crate::compare::pair::run_tables::RunTables;
use crate::compare::read::names::Names;
use crate::stats::cluster::{Clusters, cluster_mean};
use crate::stats::constant::{is_binary, is_constant};
use crate::stats::describe::{Description, Factor, wilson};
use crate::stats::mass_bound::Equal;
use crate::stats::skew::{SkewedT, correction, is_skewed, third_cumulant};

/// The ends of an interval and how they were made.
type Ends = (f64, f64, &'static str);

/// Replaces the plain interval of a mean where the values call for another one.
///
/// Values that do not vary have one only where the range of the metric is known. Values 0 and 1: Wilson's. Units that stand
/// together, runs that shift together, and skewness widen the t interval, in this order of precedence. With `ci` other than t the
/// interval stays as asked wherever the values vary.
pub(super) fn settle(
    description: &mut Description,
    units: &Units,
    range: (Option<f64>, Option<f64>),
    runs: Option<RunTables>,
    names: &Names,
    options: &Options,
) {
    let values = &units.values[..];
    let Some(mean) = description.mean.filter(|_| values.len() >= 2) else { return };
    let plain = options.ci == Interval::Plain(Factor::T);
    let may_be_shares = range == (None, None) || range == (Some(0.0), Some(1.0));
    let found: Option<Ends> = if plain && may_be_shares && is_binary(values) {
        let ones = values.iter().filter(|v| **v == 1.0).count() as u64;
        let (lo, hi) = wilson(ones, values.len() as u64, options.alpha);
        Some((lo, hi, "wilson"))
    } else if is_constant(values) {
        (description.ci_lo, description.ci_hi) = (None, None);
        description.reason = Some(crate::stats::reason::Reason::ZeroVariance);
        let equal = range.0.zip(range.1).and_then(|range| Equal::of(mean, values.len(), range));
        equal.map(|equal| equal.ends(options.alpha)).map(|(lo, hi)| (lo, hi, "mass_bound"))
    } else if plain {
        together(units, names, options)
            .or_else(|| shifting(description, runs, options))
            .or_else(|| skewed(description, values, options))
    } else {
        None
    };
    if let Some((lo, hi, method)) = found {
        (description.ci_lo, description.ci_hi, description.ci_method) = (Some(lo), Some(hi), method);
        description.reason = description.reason.filter(|_| method == "mass_bound");
    }
}

/// Units that stand together.
fn together(units: &Units, names: &Names, options: &Options) -> Option<Ends> {
    if !units.clusters.iter().any(|cluster| cluster.is_given()) {
        return None;
    }
    let clusters = units.cluster_names(names);
    let clusters: Vec<&str> = clusters.iter().map(String::as_str).collect();
    let mean = cluster_mean(&Clusters::of(&units.values, &clusters), options.cluster_se, options.alpha);
    let gathered = mean.clusters < mean.n;
    mean.ci_lo.zip(mean.ci_hi).filter(|_| gathered).map(|(lo, hi)| (lo, hi, "cluster_t"))
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

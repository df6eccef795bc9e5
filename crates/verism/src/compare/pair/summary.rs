//! One metric in one experiment: what was counted, its mean, its noise.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::mean_interval::settle;
use super::run_tables::RunTables;
use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::pairing::unpaired_unit;
use crate::compare::design::unit::{Unit, clustered_rows, unit_rows};
use crate::compare::options::words::{WEIGHTS, word};
use crate::compare::options::{Interval, Options, Weight};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::{AGGREGATES, Row};
use crate::stats::bootstrap::{Bootstrap, Job};
use crate::stats::cluster::{ClusterMean, Clusters, cluster_mean};
use crate::stats::constant::is_binary;
use crate::stats::describe::{Description, describe, proportion};
use crate::stats::noise::{CaseRunValue, Noise, noise};
use crate::stats::sum::neumaier;

/// Where every row of a metric in an experiment went: total = scored + undefined + excluded.
#[derive(Clone, Debug, Serialize)]
pub struct LedgerRow {
    /// The suite, if the rows name one.
    pub suite: Option<String>,
    /// The metric.
    pub metric: String,
    /// The experiment.
    pub experiment: String,
    /// The level that is tested.
    pub level: String,
    /// All rows.
    pub total: usize,
    /// Rows that count.
    pub scored: usize,
    /// Rows without a value, by reason.
    pub undefined: BTreeMap<String, usize>,
    /// Rows left out, by reason.
    pub excluded: BTreeMap<String, usize>,
}

/// The mean of an experiment with its interval.
#[derive(Clone, Debug, Serialize)]
pub struct SummaryRow {
    /// The suite, if the rows name one.
    pub suite: Option<String>,
    /// The metric.
    pub metric: String,
    /// The experiment.
    pub experiment: String,
    /// The level of the rows.
    pub level: String,
    /// What is sampled independently.
    pub unit: Unit,
    /// What counts alike: units or rows.
    pub weight: &'static str,
    /// Rows that count.
    pub n_rows: usize,
    /// Units they make.
    pub n_units: usize,
    /// The mean and its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// A mean of units, or a mean of rows in clusters.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Estimate {
    /// Every unit counts once.
    Units(UnitEstimate),
    /// Every row counts once.
    Rows(ClusterMean),
}

/// A mean of units.
#[derive(Clone, Debug, Serialize)]
pub struct UnitEstimate {
    /// Mean, spread and interval.
    #[serde(flatten)]
    pub description: Description,
    /// All unit values are 0 or 1.
    pub binary: bool,
    /// Lower end of Wilson's interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wilson_lo: Option<f64>,
    /// Upper end of Wilson's interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wilson_hi: Option<f64>,
}

/// The noise of repetition of a metric in an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct NoiseRow {
    /// The suite, if the rows name one.
    pub suite: Option<String>,
    /// The metric.
    pub metric: String,
    /// The experiment.
    pub experiment: String,
    /// How far runs differ.
    #[serde(flatten)]
    pub noise: Noise,
}

impl SummaryRow {
    /// Takes a bootstrap interval of the mean.
    pub fn set_interval(&mut self, interval: &Bootstrap) {
        if let Estimate::Units(UnitEstimate { description, .. }) = &mut self.estimate {
            (description.ci_lo, description.ci_hi) = (interval.lo, interval.hi);
            (description.ci_method, description.reason) = (interval.method, interval.reason);
        }
    }

    /// Gives n, mean and the ends of the interval.
    pub fn mean_and_interval(&self) -> (usize, Option<f64>, Option<(f64, f64)>) {
        match &self.estimate {
            Estimate::Units(u) => (u.description.n, u.description.mean, u.description.ci_lo.zip(u.description.ci_hi)),
            Estimate::Rows(r) => (r.clusters, r.mean, r.ci_lo.zip(r.ci_hi)),
        }
    }
}

/// Gives the unit of an experiment's summary.
pub(crate) fn summary_unit(own: &ExperimentRows, allowed: &[Unit], names: &Names, options: &Options) -> Option<Unit> {
    options.unit.or_else(|| unpaired_unit(&[own], allowed, names))
}

/// Gives the ledger of a metric in an experiment; `level` and `unit` are absent where nothing is tested.
pub(crate) fn ledger(rows: &[Row], level: Option<&str>, unit: Option<Unit>, names: &Names) -> LedgerRow {
    let mut undefined: BTreeMap<String, usize> = BTreeMap::new();
    let mut excluded: BTreeMap<String, usize> = BTreeMap::new();
    let is_tested = |row: &Row| Some(names.text(row.level)) == level;
    let tested: Vec<Row> = rows.iter().filter(|row| is_tested(row)).copied().collect();
    for row in rows {
        if !is_tested(row) {
            let aggregate = AGGREGATES.contains(&names.text(row.level));
            let why = if aggregate { "aggregate_level" } else { "other_level" };
            *excluded.entry(why.to_string()).or_default() += 1;
        } else if row.value.is_none() {
            *undefined.entry(names.text(row.reason).to_string()).or_default() += 1;
        }
    }
    let kept: Vec<&Row> = unit.map_or_else(Vec::new, |unit| unit_rows(&tested, unit).collect());
    let valued = || tested.iter().filter(|row| row.value.is_some());
    let ids = |row: &Row| [row.case, row.run, row.dialogue, row.turn];
    let all_count = kept.len() == valued().count();
    let counted: BTreeSet<_> = kept.iter().filter(|_| !all_count).map(|row| ids(row)).collect();
    for row in valued().filter(|row| !all_count && !counted.contains(&ids(row))) {
        let why = if row.case.is_given() || unit == Some(Unit::Run) { "no_run" } else { "no_case" };
        *excluded.entry(why.to_string()).or_default() += 1;
    }
    let deepest = rows.iter().map(|row| names.text(row.level)).min().unwrap_or_default();
    let named = |pick: fn(&Row) -> Id| rows.first().map_or("", |row| names.text(pick(row))).to_string();
    LedgerRow {
        suite: Some(named(|row| row.suite)).filter(|suite| !suite.is_empty()),
        metric: named(|row| row.metric),
        experiment: named(|row| row.experiment),
        level: level.unwrap_or(deepest).to_string(),
        total: rows.len(),
        scored: kept.len(),
        undefined,
        excluded,
    }
}

/// Gives the summary of an experiment and the bootstrap it still needs; `place` is its ledger row.
pub(crate) fn summarise(
    own: &ExperimentRows,
    unit: Unit,
    place: &LedgerRow,
    range: (Option<f64>, Option<f64>),
    names: &Names,
    options: &Options,
) -> (SummaryRow, Option<Job>) {
    let rows = &own.rows[..];
    let n_rows = unit_rows(rows, unit).count();
    let (n_units, estimate, job) = match options.weight {
        Weight::Row => {
            let (values, clusters) = clustered_rows(rows, unit, false, names);
            let clusters: Vec<&str> = clusters.iter().map(String::as_str).collect();
            let mean = cluster_mean(&Clusters::of(&values, &clusters), options.cluster_se, options.alpha);
            (mean.clusters, Estimate::Rows(mean), None)
        }
        Weight::Unit => {
            let units = own.units(unit, false, names);
            let values = &units.values[..];
            let mut description = describe(values, options.alpha, options.ci.factor(), options.ddof);
            let by_case = unit == Unit::Case && own.rows.iter().any(|row| row.case.is_given());
            let runs = by_case.then(|| RunTables::of(&[own], names, options)).flatten();
            let settled = settle(&mut description, &units, range, runs, names, options);
            let drawn = matches!(options.ci, Interval::Bootstrap(_)) && description.reason.is_none() && !settled;
            let share = is_binary(values)
                .then(|| proportion(neumaier(values.iter().copied()) as u64, values.len() as u64, options.alpha));
            let estimate = UnitEstimate {
                description,
                binary: share.is_some(),
                wilson_lo: share.as_ref().and_then(|s| s.wilson_lo),
                wilson_hi: share.as_ref().and_then(|s| s.wilson_hi),
            };
            (values.len(), Estimate::Units(estimate), drawn.then(|| Job::mean(values, 0)))
        }
    };
    let row = SummaryRow {
        suite: place.suite.clone(),
        metric: place.metric.clone(),
        experiment: place.experiment.clone(),
        level: place.level.clone(),
        unit,
        weight: word(options.weight, WEIGHTS),
        n_rows,
        n_units,
        estimate,
    };
    (row, job)
}

/// Gives the noise budget of an experiment from its means per case and run.
pub(crate) fn noise_row(
    own: &ExperimentRows,
    allowed: &[Unit],
    place: &LedgerRow,
    names: &Names,
    options: &Options,
) -> NoiseRow {
    let by_case = allowed.contains(&Unit::CaseRun);
    let cells = own.units(if by_case { Unit::CaseRun } else { Unit::Run }, false, names);
    let cells: Vec<CaseRunValue<Id>> = cells
        .keys
        .iter()
        .zip(&cells.values)
        .map(|(key, value)| match by_case {
            true => CaseRunValue { case: key[0], run: key[1], value: *value },
            false => CaseRunValue { case: Id::NONE, run: key[0], value: *value },
        })
        .collect();
    NoiseRow {
        suite: place.suite.clone(),
        metric: place.metric.clone(),
        experiment: place.experiment.clone(),
        noise: noise(&cells, options.alpha),
    }
}

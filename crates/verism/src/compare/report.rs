//! A whole comparison: every metric, every pair.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::choose::{
    MetricKey, PerMetric, choose_experiments, choose_level, choose_metrics, choose_pairs, metric_keys,
};
use super::error::{BadRow, bad_option, beyond};
use super::facts::Registry;
use super::family::conclude;
use super::inputs::{Input, read_inputs};
use super::names::{Id, Names};
use super::omnibus::{OmnibusRow, omnibus};
use super::options::{Interval, Options};
use super::pair::{Context, Pair, Side, compare_pair};
use super::read::Table;
use super::row::Row;
use super::summary::{LedgerRow, NoiseRow, SummaryRow, ledger, noise_row, summarise, summary_unit};
use super::unit::allowed_units;
use crate::error::{Defect, Result};
use crate::stats::bootstrap::{Job, run};
use crate::stats::finite::is_finite;

/// The result of `compare`, as `comparison.json` holds it.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub schema: &'static str,
    pub signature: String,
    pub metrics: Vec<String>,
    pub experiments: Vec<String>,
    pub note: Option<&'static str>,
    pub rejected: Vec<BadRow>,
    pub ledger: Vec<LedgerRow>,
    pub summary: Vec<SummaryRow>,
    pub pairs: Vec<Pair>,
    pub omnibus: Vec<OmnibusRow>,
    pub noise: Vec<NoiseRow>,
}

impl Comparison {
    /// Gives a metric's name for people: with its suite where the comparison holds several.
    pub fn label(&self, pair: &Pair) -> String {
        let several = self.pairs.iter().any(|other| other.suite != pair.suite);
        match &pair.suite {
            Some(suite) if several => format!("{suite}.{}", pair.metric),
            _ => pair.metric.clone(),
        }
    }
}

/// Gives the comparison of the experiments in some score tables.
pub fn compare(inputs: &[Input], options: &Options) -> Result<Comparison> {
    compare_table(read_inputs(inputs, options)?, options)
}

/// Gives the comparison of the experiments in one table.
pub fn compare_table(table: Table, options: &Options) -> Result<Comparison> {
    let Table { names, rows, rejected } = table;
    if rows.is_empty() {
        return Err(Defect::new("no_rows", "score rows in the input").into());
    }
    let keys = metric_keys(&rows);
    let registry = Registry::of(keys.iter().map(|key| names.text(key.suite)));
    let per_metric = PerMetric::of(options, &keys, &names)?;
    let metrics = choose_metrics(&keys, &names, &registry, options)?;
    let experiments = choose_experiments(&rows, &names, options)?;
    let pairs = choose_pairs(&experiments, &names, options)?;
    let mut by_metric: BTreeMap<MetricKey, Vec<Row>> = BTreeMap::new();
    for row in rows.into_iter().filter(|row| experiments.contains(&row.experiment)) {
        by_metric.entry(MetricKey::of(&row)).or_default().push(row);
    }
    let plan = Plan {
        names: &names,
        registry: &registry,
        per_metric: &per_metric,
        options,
        experiments: &experiments,
        pairs: &pairs,
    };
    let none = Vec::new();
    let parts = metrics
        .par_iter()
        .map(|key| plan.metric(*key, by_metric.get(key).unwrap_or(&none)))
        .collect::<Result<Vec<MetricPart>>>()?;

    let mut suites_of: BTreeMap<Id, usize> = BTreeMap::new();
    for key in &keys {
        *suites_of.entry(key.metric).or_default() += 1;
    }
    let shown = |key: &MetricKey| match suites_of.get(&key.metric) {
        Some(2..) => key.full_name(&names),
        _ => names.text(key.metric).to_string(),
    };
    let mut out = Comparison {
        schema: "verism.compare/1",
        signature: options.signature(),
        metrics: metrics.iter().map(shown).collect(),
        experiments: experiments.iter().map(|id| names.text(*id).to_string()).collect(),
        note: None,
        rejected,
        ledger: Vec::new(),
        summary: Vec::new(),
        pairs: Vec::new(),
        omnibus: Vec::new(),
        noise: Vec::new(),
    };
    let mut sesoi = Vec::new();
    let (mut summary_jobs, mut pair_jobs) = (Vec::new(), Vec::new());
    for (key, part) in metrics.iter().zip(parts) {
        out.ledger.extend(part.ledger);
        for (row, job) in part.summary {
            summary_jobs.extend(job.map(|job| (out.summary.len(), job)));
            out.summary.push(row);
        }
        for (pair, job) in part.pairs {
            pair_jobs.extend(job.map(|job| (out.pairs.len(), job)));
            out.pairs.push(pair);
            sesoi.push(per_metric.sesoi(*key, options));
        }
        out.omnibus.extend(part.omnibus);
        out.noise.extend(part.noise);
    }
    draw(&mut out, summary_jobs, pair_jobs, options);
    out.note = match (experiments.len(), out.pairs.is_empty()) {
        (1, _) => Some("one_experiment"),
        (_, true) => Some("no_common_metric"),
        _ => None,
    };
    conclude(&mut out.pairs, &sesoi, options);
    if is_finite(&out) { Ok(out) } else { Err(beyond()) }
}

/// Runs every bootstrap together, so that samples of equal size share their draws.
fn draw(out: &mut Comparison, summary: Vec<(usize, Job)>, pairs: Vec<(usize, Job)>, options: &Options) {
    let Interval::Bootstrap(method) = options.ci else {
        return;
    };
    let (places, jobs): (Vec<usize>, Vec<Job>) = summary.into_iter().chain(pairs.iter().cloned()).unzip();
    let of_summary = places.len() - pairs.len();
    for (k, (place, interval)) in places.into_iter().zip(run(&jobs, &options.bootstrap(method))).enumerate() {
        if k < of_summary {
            out.summary[place].set_interval(&interval);
        } else {
            out.pairs[place].set_interval(&interval);
        }
    }
}

/// What all metrics of a comparison share.
struct Plan<'a> {
    names: &'a Names,
    registry: &'a Registry,
    per_metric: &'a PerMetric,
    options: &'a Options,
    experiments: &'a [Id],
    pairs: &'a [(Id, Id)],
}

/// Everything about one metric, with the bootstraps that are still to be drawn.
#[derive(Default)]
struct MetricPart {
    ledger: Vec<LedgerRow>,
    summary: Vec<(SummaryRow, Option<Job>)>,
    pairs: Vec<(Pair, Option<Job>)>,
    omnibus: Option<OmnibusRow>,
    noise: Vec<NoiseRow>,
}

impl Plan<'_> {
    fn metric(&self, key: MetricKey, rows: &[Row]) -> Result<MetricPart> {
        let (names, options) = (self.names, self.options);
        let level = choose_level(rows, key, names, self.registry, options);
        let at_level = |row: &&Row| Some(names.text(row.level)) == level.as_deref();
        let tested: Vec<Row> = rows.iter().filter(at_level).copied().collect();
        let allowed = level.as_deref().map_or_else(Vec::new, |level| allowed_units(level, &tested));
        if let (Some(unit), Some(level)) = (options.unit, &level)
            && !tested.is_empty()
            && !allowed.contains(&unit)
        {
            let expected = format!("a unit no finer than level {level} of metric {}", key.full_name(names));
            return Err(bad_option("unit", unit.name(), expected));
        }
        let mut out = MetricPart::default();
        let mut per_experiment: Vec<(Id, Vec<Row>)> = Vec::new();
        for experiment in self.experiments {
            let own: Vec<Row> = rows.iter().filter(|row| row.experiment == *experiment).copied().collect();
            if own.is_empty() {
                continue;
            }
            let at: Vec<Row> = own.iter().filter(at_level).copied().collect();
            let unit = if at.is_empty() { None } else { summary_unit(&at, &allowed, names, options) };
            let place = ledger(&own, level.as_deref(), unit, names);
            if let Some(unit) = unit {
                out.summary.push(summarise(&at, unit, &place, names, options));
                out.noise.push(noise_row(&at, &allowed, &place, names, options));
                per_experiment.push((*experiment, at));
            }
            out.ledger.push(place);
        }
        let rows_of = |id: Id| per_experiment.iter().find(|(e, _)| *e == id).map(|(_, rows)| rows.as_slice());
        let level = level.unwrap_or_default();
        let context = Context {
            key,
            level: &level,
            allowed: &allowed,
            names,
            registry: self.registry,
            per_metric: self.per_metric,
            options,
        };
        for (baseline, experiment) in self.pairs {
            if let (Some(b), Some(x)) = (rows_of(*baseline), rows_of(*experiment)) {
                let sides = (Side { experiment: *baseline, rows: b }, Side { experiment: *experiment, rows: x });
                out.pairs.extend(compare_pair(&context, sides.0, sides.1));
            }
        }
        if per_experiment.len() > 2 {
            let metric = names.text(key.metric);
            out.omnibus = omnibus(key.suite_text(names), metric, &per_experiment, &allowed, names, options);
        }
        Ok(out)
    }
}

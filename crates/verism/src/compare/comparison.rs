//! A whole comparison: every metric, every pair.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use crate::compare::choose::experiments::{choose_experiments, choose_pairs};
use crate::compare::choose::facts::Registry;
use crate::compare::choose::level::choose_level;
use crate::compare::choose::metrics::{MetricKey, choose_metrics, metric_keys};
use crate::compare::choose::per_metric::PerMetric;
use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::unit::allowed_units;
use crate::compare::error::{bad_option, beyond};
use crate::compare::options::{Interval, Options};
use crate::compare::pair::family::conclude;
use crate::compare::pair::omnibus::{OmnibusRow, omnibus};
use crate::compare::pair::one_pair::{Context, Pending, Side, compare_pair};
use crate::compare::pair::result::Pair;
use crate::compare::pair::summary::{LedgerRow, NoiseRow, SummaryRow, ledger, noise_row, summarise, summary_unit};
use crate::compare::read::audits::Caution;
use crate::compare::read::bad_row::BadRow;
use crate::compare::read::inputs::{Input, read_inputs};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::{AGGREGATES, Row};
use crate::compare::read::table::Table;
use crate::error::{Defect, Error, Result};
use crate::input::{Unwatched, Watch};
use crate::score::manifest::InputFacts;
use crate::stats::bootstrap::{Job, run};
use crate::stats::finite::is_finite;

/// The result of `compare`, as `comparison.json` holds it.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The form of this document.
    pub schema: &'static str,
    /// The options in force, as one string.
    pub signature: String,
    /// The metrics compared, with their suite where two suites have a metric of the name.
    pub metrics: Vec<String>,
    /// The experiments compared, in order.
    pub experiments: Vec<String>,
    /// Why there are no pairs, if there are none.
    pub note: Option<&'static str>,
    /// Rows that were left out because something is wrong with them.
    pub rejected: Vec<BadRow>,
    /// What became of every row.
    pub ledger: Vec<LedgerRow>,
    /// Every metric in every experiment.
    pub summary: Vec<SummaryRow>,
    /// Every metric for every pair of experiments.
    pub pairs: Vec<Pair>,
    /// Every metric over all its experiments at once, where there are more than two.
    pub omnibus: Vec<OmnibusRow>,
    /// How far repetitions of the same thing differ.
    pub noise: Vec<NoiseRow>,
    /// Experiments whose logs were found wanting when they were scored.
    pub cautions: Vec<Caution>,
    /// The files that were read; they stand in the manifest.
    #[serde(skip)]
    pub inputs: Vec<InputFacts>,
    /// What people should know about how the input was read; not in documents.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// Names of metrics for people: with the suite where a comparison holds several.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    several_suites: bool,
}

impl Labels {
    /// Gives the name of a pair's metric.
    pub fn of(self, pair: &Pair) -> String {
        match &pair.suite {
            Some(suite) if self.several_suites => format!("{suite}.{}", pair.metric),
            _ => pair.metric.clone(),
        }
    }
}

impl Comparison {
    /// Gives the names of its metrics for people.
    pub fn labels(&self) -> Labels {
        Labels { several_suites: self.pairs.windows(2).any(|two| two[0].suite != two[1].suite) }
    }

    /// Gives the level of the intervals in percent.
    pub(crate) fn interval_percent(&self) -> String {
        let level = self.pairs.first().map_or(0.0, |pair| pair.ci.level);
        ((level * 1e8).round() / 1e6).to_string()
    }

    /// Gives what the standardised difference is called: d_z for pairs, d otherwise.
    pub(crate) fn effect_name(&self) -> &'static str {
        match self.pairs.iter().filter(|pair| pair.n_pairs.is_some()).count() {
            0 => "d",
            n if n == self.pairs.len() => "d_z",
            _ => "d, d_z",
        }
    }
}

/// Gives the comparison of the experiments in some score tables.
pub fn compare(inputs: &[Input], options: &Options, watch: &dyn Watch) -> Result<Comparison> {
    let (table, options) = read_inputs(inputs, options, watch)?;
    compare_watched(table, &options, watch)
}

/// Gives the comparison of the experiments in a CSV text.
pub fn compare_text(csv: &str, options: &Options) -> Result<Comparison> {
    compare_table(Table::of_csv(csv), options)
}

/// Gives the comparison of the experiments in one table.
pub(crate) fn compare_table(table: Table, options: &Options) -> Result<Comparison> {
    compare_watched(table, options, &Unwatched)
}

fn compare_watched(table: Table, options: &Options, watch: &dyn Watch) -> Result<Comparison> {
    let Table { names, mut rows, rejected, inputs, cautions, remarks } = table;
    if rows.is_empty() {
        let defect = Box::new(Defect::new("no_rows", "score rows in the input"));
        return Err(Error::NothingLeft { defect, dropped: rejected.iter().map(BadRow::defect).collect() });
    }
    known_level(&rows, &names, options)?;
    let keys = metric_keys(&rows);
    let registry = Registry::of(keys.iter().map(|key| names.text(key.suite)));
    let per_metric = PerMetric::of(options, &keys, &names)?;
    let metrics = choose_metrics(&keys, &names, &registry, options)?;
    let experiments = choose_experiments(&rows, &names, options)?;
    let pairs = choose_pairs(&experiments, &names, options)?;
    rows.retain(|row| experiments.contains(&row.experiment));
    rows.sort_by_key(|row| (MetricKey::of(row), row.experiment));
    let by_metric: BTreeMap<MetricKey, &[Row]> =
        rows.chunk_by(|a, b| MetricKey::of(a) == MetricKey::of(b)).map(|own| (MetricKey::of(&own[0]), own)).collect();
    let plan = Plan {
        names: &names,
        registry: &registry,
        per_metric: &per_metric,
        options,
        experiments: &experiments,
        pairs: &pairs,
    };
    let part = |key: &MetricKey| match watch.stop() {
        true => Err(Error::Interrupted),
        false => plan.metric(*key, by_metric.get(key).copied().unwrap_or_default()),
    };
    let parts = metrics.par_iter().map(part).collect::<Result<Vec<MetricPart>>>()?;

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
        cautions,
        inputs,
        remarks,
    };
    let mut rests = Vec::new();
    let (mut summary_jobs, mut pair_jobs) = (Vec::new(), Vec::new());
    for part in parts {
        out.ledger.extend(part.ledger);
        for (row, job) in part.summary {
            summary_jobs.extend(job.map(|job| (out.summary.len(), job)));
            out.summary.push(row);
        }
        for (pair, mut rest) in part.pairs {
            pair_jobs.extend(rest.job.take().map(|job| (out.pairs.len(), job)));
            out.pairs.push(pair);
            rests.push(rest);
        }
        out.omnibus.extend(part.omnibus);
        out.noise.extend(part.noise);
    }
    draw(&mut out, summary_jobs, pair_jobs, options, watch)?;
    out.note = match (experiments.len(), out.pairs.is_empty()) {
        (1, _) => Some("one_experiment"),
        (_, true) => Some("no_common_metric"),
        _ => None,
    };
    conclude(&mut out.pairs, &rests, options);
    if is_finite(&out) { Ok(out) } else { Err(beyond()) }
}

/// Refuses a level that no row has.
fn known_level(rows: &[Row], names: &Names, options: &Options) -> Result<()> {
    let Some(level) = &options.level else { return Ok(()) };
    let ids: BTreeSet<Id> = rows.iter().map(|row| row.level).collect();
    let known: Vec<&str> = ids.into_iter().map(|id| names.text(id)).filter(|l| !AGGREGATES.contains(l)).collect();
    if known.contains(&level.as_str()) {
        return Ok(());
    }
    let expected = format!("a level that rows have ({})", known.join(", "));
    Err(Defect::new("bad_option", expected).field("level").value(level).did_you_mean(known).into())
}

/// Runs every bootstrap together, so that samples of equal size share their draws.
fn draw(
    out: &mut Comparison,
    summary: Vec<(usize, Job)>,
    pairs: Vec<(usize, Job)>,
    options: &Options,
    watch: &dyn Watch,
) -> Result<()> {
    let Interval::Bootstrap(method) = options.ci else {
        return Ok(());
    };
    let of_summary = summary.len();
    let (places, jobs): (Vec<usize>, Vec<Job>) = summary.into_iter().chain(pairs).unzip();
    let intervals = run(&jobs, &options.bootstrap(method), &|| watch.stop()).ok_or(Error::Interrupted)?;
    for (k, (place, interval)) in places.into_iter().zip(intervals).enumerate() {
        if k < of_summary {
            out.summary[place].set_interval(&interval);
        } else {
            out.pairs[place].set_interval(&interval);
        }
    }
    Ok(())
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
    pairs: Vec<(Pair, Pending)>,
    omnibus: Option<OmnibusRow>,
    noise: Vec<NoiseRow>,
}

impl Plan<'_> {
    /// Compares one metric; its rows are sorted by experiment.
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
        let mut per_experiment: Vec<(Id, ExperimentRows)> = Vec::new();
        for experiment in self.experiments {
            let first = rows.partition_point(|row| row.experiment < *experiment);
            let own = &rows[first..];
            let own = &own[..own.partition_point(|row| row.experiment == *experiment)];
            if own.is_empty() {
                continue;
            }
            let mut at: Vec<Row> = own.iter().filter(at_level).copied().collect();
            // Everything below takes the rows in an order like this one; sorted once, they need not be sorted for every pair.
            at.sort_by_key(|row| [row.case, row.run, row.dialogue, row.turn]);
            let tested = ExperimentRows::of(at);
            let unit = if tested.rows.is_empty() { None } else { summary_unit(&tested, &allowed, names, options) };
            let place = ledger(own, level.as_deref(), unit, names);
            if let Some(unit) = unit {
                let own = tested;
                let range = self.per_metric.range(key, names, self.registry, options);
                out.summary.push(summarise(&own, unit, &place, range, names, options));
                out.noise.push(noise_row(&own, &allowed, &place, names, options));
                per_experiment.push((*experiment, own));
            }
            out.ledger.push(place);
        }
        let own_of = |id: Id| per_experiment.iter().find(|(e, _)| *e == id).map(|(_, own)| own);
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
            if let (Some(b), Some(x)) = (own_of(*baseline), own_of(*experiment)) {
                let sides = (Side { experiment: *baseline, own: b }, Side { experiment: *experiment, own: x });
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

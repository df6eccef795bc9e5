//! Do two metrics agree? Correlations on matched units, pooled and per experiment.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::compare::choose::experiments::choose_experiments;
use crate::compare::choose::facts::Registry;
use crate::compare::choose::level::choose_level;
use crate::compare::choose::metrics::{MetricKey, metric_keys, resolve, unknown_metric};
use crate::compare::design::unit::{Key, Unit, allowed_units, units, units_of_dialogues};
use crate::compare::error::{bad_option, beyond};
use crate::compare::options::{ClusterBy, Interval, Options};
use crate::compare::pair::flag::Flag;
use crate::compare::read::inputs::{Input, read_inputs};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::compare::read::table::Table;
use crate::error::Result;
use crate::input::Watch;
use crate::stats::bootstrap::{self, Correlation, bootstrap_correlation};
use crate::stats::clustered_correlation::clustered_correlation;
use crate::stats::finite::is_finite;
use crate::stats::kendall::{Kendall, kendall};
use crate::stats::pearson::{Pearson, pearson};
use crate::stats::rank::{Tolerance, midranks};
use crate::stats::reason::Reason;
use crate::stats::spearman::{Spearman, spearman};

/// The result of `correlate`.
#[derive(Clone, Debug, Serialize)]
pub struct Correlations {
    /// The form of this document.
    pub schema: &'static str,
    /// The first metric, as it was named.
    pub x: String,
    /// The second metric, as it was named.
    pub y: String,
    /// The unit at which both are matched.
    pub unit: Unit,
    /// What stands together and is resampled whole.
    pub cluster: String,
    /// All experiments together, then each.
    pub rows: Vec<CorrelationRow>,
}

/// The correlations of one scope: `pooled`, or an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct CorrelationRow {
    /// `pooled`, or an experiment.
    pub scope: String,
    /// Spearman's ρ.
    pub spearman: Spearman,
    /// Pearson's r.
    pub pearson: Pearson,
    /// Kendall's τ_b.
    pub kendall: Kendall,
    /// Of the pool: Spearman's ρ within experiments, where every experiment has an average of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rho_within: Option<f64>,
    /// What a reader should know, by short names.
    pub flags: Vec<Flag>,
}

/// A unit with a value of both metrics.
struct Point {
    experiment: Id,
    key: Key,
    cluster: Id,
    x: f64,
    y: f64,
}

/// Gives the correlations of two metrics, named `metric` or `suite.metric`, on the units that have both.
pub fn correlate(x: &str, y: &str, inputs: &[Input], options: &Options, watch: &dyn Watch) -> Result<Correlations> {
    let (table, options) = read_inputs(inputs, options, watch)?;
    correlate_table(x, y, &table, &options)
}

/// Gives the correlations of two metrics of one table.
pub(crate) fn correlate_table(x: &str, y: &str, table: &Table, options: &Options) -> Result<Correlations> {
    let (names, rows) = (&table.names, &table.rows);
    let keys = metric_keys(rows);
    let registry = Registry::of(keys.iter().map(|key| names.text(key.suite)));
    let experiments = choose_experiments(rows, names, options)?;
    let mut picked = Vec::new();
    for name in [x, y] {
        let key = resolve(name, &keys, names, "X:Y")?.ok_or_else(|| unknown_metric("X:Y", name, &keys, names))?;
        picked.push(MetricRows::of(key, rows, &experiments, names, &registry, options));
    }
    let unit = common_unit(&picked, options)?;
    let points: Vec<Point> = experiments.iter().flat_map(|e| points_of(*e, &picked, unit, names)).collect();
    if points.is_empty() && picked[0].level != picked[1].level {
        let expected = format!(
            "metrics of the same units; {x} is one of the level {}, {y} of the level {}",
            picked[0].level, picked[1].level
        );
        return Err(bad_option("X:Y", &format!("{x}:{y}"), expected));
    }
    let case_of = |point: &Point| if unit.has_case() { point.key[0] } else { Id::NONE };
    let by = together(&points, unit, options);
    if options.cluster == ClusterBy::Column("case".into()) && points.iter().any(|point| !case_of(point).is_given()) {
        let expected = format!("units with a case id; here the unit is {}", unit.name());
        return Err(bad_option("cluster", "case", expected));
    }
    let scope = Scopes { unit, by, names, options };
    let mut out = vec![scope.row("pooled", &points.iter().collect::<Vec<_>>(), recurring_cases(&points, case_of))];
    for experiment in &experiments {
        let own: Vec<&Point> = points.iter().filter(|point| point.experiment == *experiment).collect();
        out.push(scope.row(names.text(*experiment), &own, false));
    }
    if experiments.len() > 1 {
        let (pool, parts) = out.split_at_mut(1);
        pool[0].hold_against(parts);
    }
    let result = Correlations {
        schema: "verism.correlate/1",
        x: x.to_string(),
        y: y.to_string(),
        unit,
        cluster: by.name(options).to_string(),
        rows: out,
    };
    if is_finite(&result) { Ok(result) } else { Err(beyond()) }
}

/// A metric's rows at its level.
struct MetricRows {
    level: String,
    rows: Vec<Row>,
}

impl MetricRows {
    fn of(
        key: MetricKey,
        rows: &[Row],
        experiments: &[Id],
        names: &Names,
        registry: &Registry,
        options: &Options,
    ) -> MetricRows {
        let wanted = |row: &&Row| MetricKey::of(row) == key && experiments.contains(&row.experiment);
        let mine: Vec<Row> = rows.iter().filter(wanted).copied().collect();
        let lowest = || mine.iter().map(|row| names.text(row.level)).min().unwrap_or("experiment").to_string();
        let level = choose_level(&mine, key, names, registry, options).unwrap_or_else(lowest);
        let rows = mine.into_iter().filter(|row| names.text(row.level) == level).collect();
        MetricRows { level, rows }
    }

    fn allowed(&self) -> Vec<Unit> {
        if self.level == "group" { units_of_dialogues() } else { allowed_units(&self.level, &self.rows) }
    }

    /// The unit at which the level matches; levels that only some suites have match as dialogues.
    fn matches_at(&self) -> Unit {
        match self.level.as_str() {
            "experiment" => Unit::Experiment,
            "run" => Unit::Run,
            "case" => Unit::CaseRun,
            "turn" => Unit::Turn,
            _ => Unit::Dialogue,
        }
    }
}

/// The coarser of the two levels, or the unit asked for.
fn common_unit(picked: &[MetricRows], options: &Options) -> Result<Unit> {
    if let Some(unit) = options.unit {
        if picked.iter().all(|p| p.allowed().contains(&unit)) {
            return Ok(unit);
        }
        let levels: Vec<&str> = picked.iter().map(|p| p.level.as_str()).collect();
        let expected = format!("a unit no finer than the levels of both metrics ({})", levels.join(", "));
        return Err(bad_option("unit", unit.name(), expected));
    }
    let coarseness = [Unit::Experiment, Unit::Run, Unit::CaseRun, Unit::Dialogue, Unit::Turn];
    let rank = |unit: &Unit| coarseness.iter().position(|u| u == unit);
    Ok(picked.iter().map(MetricRows::matches_at).min_by_key(rank).unwrap_or(Unit::Experiment))
}

fn points_of(experiment: Id, picked: &[MetricRows], unit: Unit, names: &Names) -> Vec<Point> {
    let of = |p: &MetricRows| {
        let own: Vec<Row> = p.rows.iter().filter(|row| row.experiment == experiment).copied().collect();
        units(&own, unit, false, names)
    };
    let (x, y) = (of(&picked[0]), of(&picked[1]));
    let both = x.keys.iter().zip(&x.values);
    let clusters = x.clusters.iter();
    let point = |((key, value), cluster): ((&Key, &f64), &Id)| {
        Some(Point { experiment, key: *key, cluster: *cluster, x: *value, y: y.get(key, names)? })
    };
    both.zip(clusters).filter_map(point).collect()
}

/// Tells whether a case stands in more than one experiment.
fn recurring_cases(points: &[Point], case_of: impl Fn(&Point) -> Id) -> bool {
    let mut held: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    for point in points.iter().filter(|point| case_of(point).is_given()) {
        held.entry(case_of(point)).or_default().insert(point.experiment);
    }
    held.values().any(|experiments| experiments.len() > 1)
}

/// What stands together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClusteredBy {
    Nothing,
    Cases,
    Dialogues,
    Experiments,
    /// What a column says.
    Column,
}

impl ClusteredBy {
    fn name(self, options: &Options) -> &str {
        match self {
            ClusteredBy::Nothing => "none",
            ClusteredBy::Cases => "case",
            ClusteredBy::Dialogues => "dialogue",
            ClusteredBy::Experiments => "experiment",
            ClusteredBy::Column => options.cluster.text(),
        }
    }
}

/// Gives what stands together: as asked, else turns of a dialogue, and dialogues or runs of a case.
fn together(points: &[Point], unit: Unit, options: &Options) -> ClusteredBy {
    match &options.cluster {
        ClusterBy::None => ClusteredBy::Nothing,
        ClusterBy::Column(name) if name == "case" => ClusteredBy::Cases,
        ClusterBy::Column(name) if name == "experiment" => ClusteredBy::Experiments,
        ClusterBy::Column(_) => ClusteredBy::Column,
        ClusterBy::Auto if unit == Unit::Turn => ClusteredBy::Dialogues,
        ClusterBy::Auto => {
            let mut cases: Vec<(Id, Id)> =
                points.iter().filter(|_| unit.has_case()).map(|point| (point.experiment, point.key[0])).collect();
            cases.retain(|(_, case)| case.is_given());
            cases.sort_unstable();
            if cases.windows(2).any(|pair| pair[0] == pair[1]) { ClusteredBy::Cases } else { ClusteredBy::Nothing }
        }
    }
}

struct Scopes<'a> {
    unit: Unit,
    by: ClusteredBy,
    names: &'a Names,
    options: &'a Options,
}

impl Scopes<'_> {
    fn row(&self, scope: &str, points: &[&Point], repeated: bool) -> CorrelationRow {
        let options = self.options;
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|point| (point.x, point.y)).unzip();
        let method = match options.ci {
            Interval::Bootstrap(method) => method,
            Interval::Plain(_) => bootstrap::Method::Percentile,
        };
        let cluster = match self.by {
            ClusteredBy::Nothing if repeated => ClusteredBy::Cases,
            given => given,
        };
        let clusters = (cluster != ClusteredBy::Nothing).then(|| self.clusters(points, cluster));
        let clusters: Option<Vec<&str>> = clusters.as_ref().map(|names| names.iter().map(String::as_str).collect());
        let mut ranked = spearman(&x, &y, options.resamples, options.seed);
        ranked.ci_method = method.name();
        if ranked.rho.is_some() {
            let settings = options.bootstrap(method);
            let interval = bootstrap_correlation(Correlation::Spearman, &x, &y, clusters.as_deref(), 0, &settings);
            (ranked.ci_lo, ranked.ci_hi) = (interval.lo, interval.hi);
        }
        let mut row = CorrelationRow {
            scope: scope.to_string(),
            spearman: ranked,
            pearson: pearson(&x, &y, options.alpha),
            kendall: kendall(&x, &y),
            rho_within: None,
            flags: Vec::new(),
        };
        if repeated {
            row.withdraw();
        } else if let Some(clusters) =
            clusters.filter(|clusters| clusters.iter().collect::<BTreeSet<_>>().len() < x.len())
        {
            row.allow_for(&x, &y, &clusters, options.alpha);
        }
        row
    }

    /// The name of what each point is resampled with; a point without a case is its own.
    fn clusters(&self, points: &[&Point], by: ClusteredBy) -> Vec<String> {
        let text = |id: Id| self.names.text(id);
        let alone = |point: &Point| {
            [point.experiment].iter().chain(&point.key).map(|id| text(*id)).collect::<Vec<_>>().join("\u{1f}")
        };
        let name = |point: &&Point| match by {
            ClusteredBy::Experiments => text(point.experiment).to_string(),
            ClusteredBy::Column if point.cluster.is_given() => text(point.cluster).to_string(),
            ClusteredBy::Column => alone(point),
            ClusteredBy::Dialogues => {
                let ids = [point.experiment, point.key[0], point.key[1], point.key[2]];
                ids.map(text).join("\u{1f}")
            }
            _ if self.unit.has_case() && point.key[0].is_given() => text(point.key[0]).to_string(),
            _ => alone(point),
        };
        points.iter().map(name).collect()
    }
}

impl CorrelationRow {
    /// Takes tests that allow for clusters in the place of those that suppose independent points.
    fn allow_for(&mut self, x: &[f64], y: &[f64], clusters: &[&str], alpha: f64) {
        self.flags.push(Flag::Clustered);
        let ranks = |v: &[f64]| {
            let doubled = midranks(v, Tolerance::Relative).doubled;
            doubled.into_iter().map(|rank| rank as f64).collect::<Vec<f64>>()
        };
        let s = &mut self.spearman;
        if s.rho.is_some() {
            let found = clustered_correlation(&ranks(x), &ranks(y), clusters, alpha);
            (s.p_t, s.log10_p_t, s.p_perm, s.log10_p_perm, s.perm_method) = (None, None, None, None, None);
            (s.p, s.log10_p) = (found.and_then(|f| f.p.p), found.map(|f| f.p.log10_p));
            s.p_source = found.map(|_| "clusters");
            s.reason = if found.is_some() { s.reason } else { Some(Reason::Clustered) };
        }
        let r = &mut self.pearson;
        if r.r.is_some() {
            let found = clustered_correlation(x, y, clusters, alpha);
            (r.p, r.log10_p) = (found.and_then(|f| f.p.p), found.map(|f| f.p.log10_p));
            (r.ci_lo, r.ci_hi) = (found.map(|f| f.ends.0), found.map(|f| f.ends.1));
            r.reason = if found.is_some() { r.reason } else { Some(Reason::Clustered) };
        }
        let k = &mut self.kendall;
        if k.p.is_some() || k.log10_p.is_some() {
            (k.p, k.log10_p, k.reason) = (None, None, Some(Reason::Clustered));
        }
    }

    /// Flags a pool that says something else than its parts: ρ within experiments lies outside the interval of the pool.
    ///
    /// ρ within is the mean of the experiments' own on Fisher's scale, weighted by n - 3.
    fn hold_against(&mut self, parts: &[CorrelationRow]) {
        let own = parts.iter().filter(|row| row.spearman.n > 3).filter_map(|row| {
            // A perfect correlation has no place on that scale; 0.999 is near enough to one.
            let rho = row.spearman.rho?.clamp(-0.999, 0.999);
            Some((libm::atanh(rho), (row.spearman.n - 3) as f64))
        });
        let (sum, weight) = own.fold((0.0, 0.0), |(sum, weight), (z, w)| (sum + w * z, weight + w));
        if weight == 0.0 {
            return;
        }
        let within = libm::tanh(sum / weight);
        self.rho_within = Some(within);
        let s = &self.spearman;
        if s.ci_lo.zip(s.ci_hi).is_some_and(|(lo, hi)| within < lo || within > hi) {
            self.flags.push(Flag::PoolContradictsParts);
        }
    }

    /// Takes back what supposes independent units: p-values, and Fisher's interval.
    fn withdraw(&mut self) {
        let defined =
            |reason: Option<Reason>| matches!(reason, None | Some(Reason::PerfectCorrelation | Reason::TinyP));
        let again = Some(Reason::RepeatedCases);
        let s = &mut self.spearman;
        if defined(s.reason) {
            (s.p_t, s.log10_p_t, s.p_perm, s.log10_p_perm, s.perm_method) = (None, None, None, None, None);
            (s.p, s.log10_p, s.p_source, s.reason) = (None, None, None, again);
        }
        let r = &mut self.pearson;
        if defined(r.reason) {
            (r.p, r.log10_p, r.ci_lo, r.ci_hi, r.reason) = (None, None, None, None, again);
        }
        let k = &mut self.kendall;
        if defined(k.reason) {
            (k.p, k.log10_p, k.reason) = (None, None, again);
        }
    }
}

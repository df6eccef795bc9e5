//! Which metrics, experiments and levels are compared.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{ambiguous, unknown};
use super::facts::Registry;
use super::names::{Id, Names};
use super::options::Options;
use super::row::{AGGREGATES, Row};
use crate::error::{Error, Result};
use crate::stats::verdict::Direction;

/// The levels in the order in which they are preferred; others follow by name.
const PREFERRED: [&str; 8] = ["dialogue", "item", "case", "run", "batch", "turn", "segment", "shift"];

/// A metric of a suite (which may be absent).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetricKey {
    /// The suite, or none.
    pub suite: Id,
    /// The metric.
    pub metric: Id,
}

impl MetricKey {
    /// Gives the metric of a row.
    pub fn of(row: &Row) -> MetricKey {
        MetricKey { suite: row.suite, metric: row.metric }
    }

    /// Gives the suite's name, if there is a suite.
    pub fn suite_text(self, names: &Names) -> Option<String> {
        self.suite.is_given().then(|| names.text(self.suite).to_string())
    }

    /// Gives `suite.metric`, or the metric alone where there is no suite.
    pub fn full_name(self, names: &Names) -> String {
        match self.suite.is_given() {
            true => format!("{}.{}", names.text(self.suite), names.text(self.metric)),
            false => names.text(self.metric).to_string(),
        }
    }
}

/// Gives all metrics of the rows in byte order of (suite, metric).
pub fn metric_keys(rows: &[Row]) -> Vec<MetricKey> {
    distinct(rows, MetricKey::of)
}

/// Gives what the rows hold, each once, in order; neighbours often hold the same.
fn distinct<T: Ord>(rows: &[Row], of: impl Fn(&Row) -> T) -> Vec<T> {
    let mut found: Vec<T> = rows.iter().map(of).collect();
    found.dedup();
    found.sort_unstable();
    found.dedup();
    found
}

/// Gives the metric meant by `metric` or `suite.metric`; a bare name of two suites is refused.
pub fn resolve(name: &str, keys: &[MetricKey], names: &Names, place: &str) -> Result<Option<MetricKey>> {
    let meant =
        |key: &&MetricKey| names.text(key.metric) == name || key.suite.is_given() && key.full_name(names) == name;
    let hits: Vec<&MetricKey> = keys.iter().filter(meant).collect();
    if hits.len() > 1 {
        let listed: Vec<String> = hits.iter().map(|key| key.full_name(names)).collect();
        return Err(ambiguous(place, name, &listed));
    }
    Ok(hits.first().map(|key| **key))
}

/// Gives the metrics to compare: those asked for, else each suite's headline metrics, else all of the suite.
pub fn choose_metrics(
    keys: &[MetricKey],
    names: &Names,
    registry: &Registry,
    options: &Options,
) -> Result<Vec<MetricKey>> {
    if let Some(asked) = &options.metrics {
        if asked.len() == 1 && asked[0] == "all" {
            return Ok(keys.to_vec());
        }
        return asked
            .iter()
            .map(|name| {
                resolve(name, keys, names, "metrics")?.ok_or_else(|| unknown_metric("metrics", name, keys, names))
            })
            .collect();
    }
    let headline = |key: &&MetricKey| {
        registry.metric(names.text(key.suite), names.text(key.metric)).is_some_and(|facts| facts.headline)
    };
    let chosen = keys.chunk_by(|a, b| a.suite == b.suite).flat_map(|suite| {
        let named: Vec<MetricKey> = suite.iter().filter(headline).copied().collect();
        if named.is_empty() { suite.to_vec() } else { named }
    });
    Ok(chosen.collect())
}

/// The error for a metric that is not there, with those that are.
pub fn unknown_metric(place: &str, name: &str, keys: &[MetricKey], names: &Names) -> Error {
    let known: Vec<String> = keys.iter().map(|key| key.full_name(names)).collect();
    unknown(place, "metric", name, &known)
}

/// Gives the experiments to compare, in order: those asked for, else all in byte order.
pub fn choose_experiments(rows: &[Row], names: &Names, options: &Options) -> Result<Vec<Id>> {
    let known = distinct(rows, |row| row.experiment);
    let find = |option: &str, name: &str| {
        names.find(name).filter(|id| known.contains(id)).ok_or_else(|| {
            let listed: Vec<&str> = known.iter().map(|id| names.text(*id)).collect();
            unknown(option, "experiment", name, &listed)
        })
    };
    let chosen = match &options.experiments {
        Some(asked) => asked.iter().map(|name| find("experiments", name)).collect::<Result<Vec<Id>>>()?,
        None => known.clone(),
    };
    if let Some(baseline) = &options.baseline {
        find("baseline", baseline)?;
    }
    Ok(chosen)
}

/// Gives the pairs (baseline, experiment) in order: each against the baseline, or all.
pub fn choose_pairs(experiments: &[Id], names: &Names, options: &Options) -> Result<Vec<(Id, Id)>> {
    let Some(baseline) = &options.baseline else {
        let later = |i: usize| experiments[i + 1..].iter().map(move |e| (experiments[i], *e));
        return Ok((0..experiments.len()).flat_map(later).collect());
    };
    let base = experiments.iter().copied().find(|e| names.text(*e) == baseline).ok_or_else(|| {
        let listed: Vec<&str> = experiments.iter().map(|id| names.text(*id)).collect();
        unknown("baseline", "chosen experiment", baseline, &listed)
    })?;
    Ok(experiments.iter().filter(|e| **e != base).map(|e| (base, *e)).collect())
}

/// Gives the level at which a metric is tested, `None` where it has only aggregates.
pub fn choose_level(
    rows: &[Row],
    key: MetricKey,
    names: &Names,
    registry: &Registry,
    options: &Options,
) -> Option<String> {
    if let Some(level) = &options.level {
        return Some(level.clone());
    }
    let levels = |with_value: bool| {
        let found: BTreeSet<Id> =
            rows.iter().filter(|row| !with_value || row.value.is_some()).map(|row| row.level).collect();
        found.into_iter().map(|id| names.text(id)).filter(|level| !AGGREGATES.contains(level)).collect::<Vec<&str>>()
    };
    let valued = levels(true);
    let home = registry.metric(names.text(key.suite), names.text(key.metric)).and_then(|facts| facts.home_level);
    if let Some(home) = home.filter(|home| valued.contains(home)) {
        return Some(home.to_string());
    }
    let rank = |level: &&str| PREFERRED.iter().position(|l| l == level).unwrap_or(PREFERRED.len());
    let first =
        |levels: Vec<&str>| levels.into_iter().min_by_key(|level| (rank(level), level.to_string())).map(str::to_string);
    first(valued).or_else(|| first(levels(false)))
}

/// Options that name a metric, by metric.
#[derive(Clone, Debug, Default)]
pub struct PerMetric {
    sesoi: BTreeMap<MetricKey, f64>,
    direction: BTreeMap<MetricKey, Option<Direction>>,
}

impl PerMetric {
    /// Resolves the names; `suite.metric` beats `metric`, names that are not in the input have no effect.
    pub fn of(options: &Options, keys: &[MetricKey], names: &Names) -> Result<PerMetric> {
        let mut out = PerMetric::default();
        for qualified in [false, true] {
            let meant = |option: &str, name: &str| {
                let hit = resolve(name, keys, names, &format!("{option}.{name}"))?;
                Ok::<_, Error>(hit.filter(|key| (names.text(key.metric) != name) == qualified))
            };
            for (name, value) in &options.sesoi_of {
                out.sesoi.extend(meant("sesoi", name)?.map(|key| (key, *value)));
            }
            for (name, value) in &options.direction_of {
                out.direction.extend(meant("direction", name)?.map(|key| (key, *value)));
            }
        }
        Ok(out)
    }

    /// Gives a metric's smallest effect of interest.
    pub fn sesoi(&self, key: MetricKey, options: &Options) -> f64 {
        self.sesoi.get(&key).copied().unwrap_or(options.sesoi)
    }

    /// Gives a metric's direction and where it comes from.
    pub fn direction(
        &self,
        key: MetricKey,
        names: &Names,
        registry: &Registry,
        options: &Options,
    ) -> (Direction, &'static str) {
        if let Some(direction) = self.direction.get(&key).copied().unwrap_or(options.direction) {
            return (direction, "option");
        }
        match registry.metric(names.text(key.suite), names.text(key.metric)) {
            Some(facts) => (facts.direction, "registry"),
            None => (Direction::Higher, "default"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::read::Table;

    fn chosen(csv: &str, options: &[&str]) -> std::result::Result<Vec<String>, String> {
        let t = Table::of_csv(csv);
        let keys = metric_keys(&t.rows);
        let registry = Registry::of(keys.iter().map(|k| t.names.text(k.suite)));
        let options = Options::parse(options.iter().copied()).unwrap();
        let metrics = choose_metrics(&keys, &t.names, &registry, &options).map_err(|e| e.to_string())?;
        Ok(metrics.iter().map(|k| k.full_name(&t.names)).collect())
    }

    const TWO_SUITES: &str = "suite,metric,experiment,value\nadaptation,retry_sum,A,1\nadaptation,r_h,A,1\nother,x,A,1\nother,retry_sum,A,1\n";

    #[test]
    fn headline_metrics_come_first_and_unknown_suites_count_whole() {
        assert_eq!(chosen(TWO_SUITES, &[]).unwrap(), ["adaptation.r_h", "other.retry_sum", "other.x"]);
        assert_eq!(chosen(TWO_SUITES, &["metrics=all"]).unwrap().len(), 4);
        assert_eq!(
            chosen(TWO_SUITES, &["metrics=x,adaptation.retry_sum"]).unwrap(),
            ["other.x", "adaptation.retry_sum"]
        );
    }

    #[test]
    fn ambiguous_and_unknown_names_are_refused_with_the_known_ones() {
        assert!(
            chosen(TWO_SUITES, &["metrics=retry_sum"]).unwrap_err().contains("adaptation.retry_sum, other.retry_sum")
        );
        assert!(chosen(TWO_SUITES, &["metrics=none"]).unwrap_err().contains("adaptation.r_h"));
    }

    #[test]
    fn the_home_level_counts_where_it_has_values() {
        let level = |csv: &str| {
            let t = Table::of_csv(csv);
            let key = metric_keys(&t.rows)[0];
            let registry = Registry::of([t.names.text(key.suite)]);
            choose_level(&t.rows, key, &t.names, &registry, &Options::default())
        };
        let head = "suite,metric,experiment,level,run,unit,value\nadaptation,r_h,A,dialogue,1,d,1\n";
        assert_eq!(level(head).as_deref(), Some("dialogue"));
        assert_eq!(level(&format!("{head}adaptation,r_h,A,run,1,,1\n")).as_deref(), Some("run"));
        assert_eq!(level(&format!("{head}adaptation,r_h,A,run,1,,\n")).as_deref(), Some("dialogue"));
        assert_eq!(level("suite,metric,experiment,level,unit,value\nadaptation,r_h,A,group,g,1\n").as_deref(), None);
    }
}

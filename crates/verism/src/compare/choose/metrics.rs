//! Which metrics, experiments and levels are compared.

use crate::compare::choose::facts::Registry;
use crate::compare::error::{ambiguous, unknown};
use crate::compare::options::Options;
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::error::{Error, Result};

/// A metric of a suite (which may be absent).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MetricKey {
    /// The suite, or none.
    pub suite: Id,
    /// The metric.
    pub metric: Id,
}

impl MetricKey {
    /// Gives the metric of a row.
    pub(crate) fn of(row: &Row) -> MetricKey {
        MetricKey { suite: row.suite, metric: row.metric }
    }

    /// Gives the suite's name, if there is a suite.
    pub(crate) fn suite_text(self, names: &Names) -> Option<String> {
        self.suite.is_given().then(|| names.text(self.suite).to_string())
    }

    /// Gives `suite.metric`, or the metric alone where there is no suite.
    pub(crate) fn full_name(self, names: &Names) -> String {
        match self.suite.is_given() {
            true => format!("{}.{}", names.text(self.suite), names.text(self.metric)),
            false => names.text(self.metric).to_string(),
        }
    }
}

/// Gives all metrics of the rows in byte order of (suite, metric).
pub(crate) fn metric_keys(rows: &[Row]) -> Vec<MetricKey> {
    distinct(rows, MetricKey::of)
}

/// Gives what the rows hold, each once, in order; neighbours often hold the same.
pub(super) fn distinct<T: Ord>(rows: &[Row], of: impl Fn(&Row) -> T) -> Vec<T> {
    let mut found: Vec<T> = rows.iter().map(of).collect();
    found.dedup();
    found.sort_unstable();
    found.dedup();
    found
}

/// Gives the metric meant by `metric` or `suite.metric`, in any case where the case given is not there; a bare name of two
/// suites is refused.
pub(crate) fn resolve(name: &str, keys: &[MetricKey], names: &Names, place: &str) -> Result<Option<MetricKey>> {
    let meant =
        |key: &&MetricKey| names.text(key.metric) == name || key.suite.is_given() && key.full_name(names) == name;
    let in_any_case = |key: &&MetricKey| {
        names.text(key.metric).eq_ignore_ascii_case(name)
            || key.suite.is_given() && key.full_name(names).eq_ignore_ascii_case(name)
    };
    let mut hits: Vec<&MetricKey> = keys.iter().filter(meant).collect();
    if hits.is_empty() {
        hits = keys.iter().filter(in_any_case).collect();
    }
    if hits.len() > 1 {
        let listed: Vec<String> = hits.iter().map(|key| key.full_name(names)).collect();
        return Err(ambiguous(place, name, &listed));
    }
    Ok(hits.first().map(|key| **key))
}

/// Gives the metrics to compare: those asked for, else each suite's headline metrics, else all of the suite.
pub(crate) fn choose_metrics(
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
pub(crate) fn unknown_metric(place: &str, name: &str, keys: &[MetricKey], names: &Names) -> Error {
    let known: Vec<String> = keys.iter().map(|key| key.full_name(names)).collect();
    unknown(place, "metric", name, &known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::read::table::Table;

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
    fn names_count_in_any_case_and_mistyped_ones_are_recognised() {
        assert_eq!(chosen(TWO_SUITES, &["metrics=R_H,Other.X"]).unwrap(), ["adaptation.r_h", "other.x"]);
        assert!(chosen(TWO_SUITES, &["metrics=adaptation.rh"]).unwrap_err().contains("did you mean adaptation.r_h?"));
    }

    #[test]
    fn ambiguous_and_unknown_names_are_refused_with_the_known_ones() {
        assert!(
            chosen(TWO_SUITES, &["metrics=retry_sum"]).unwrap_err().contains("adaptation.retry_sum, other.retry_sum")
        );
        assert!(chosen(TWO_SUITES, &["metrics=none"]).unwrap_err().contains("adaptation.r_h"));
    }
}

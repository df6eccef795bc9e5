//! What the registry knows of a suite, as far as a comparison needs it.

use std::collections::BTreeMap;

use crate::stats::verdict::Direction;
use crate::suites::{Better, Metric, all, describes};

/// Facts about one metric, or about all whose id fits a pattern (`self_bleu_*`, `h_norm_*_mean`).
#[derive(Clone, Debug)]
pub(crate) struct MetricFacts {
    /// Its id, or a pattern of ids.
    pub id: &'static str,
    /// Whether it is compared unless told otherwise.
    pub headline: bool,
    /// The level at which the metric is tested if it has values there.
    pub home_level: Option<&'static str>,
    /// Which way is better.
    pub direction: Direction,
    /// Smallest and largest value.
    pub range: Range,
}

/// The smallest and the largest value of a metric; none where there is no bound.
pub(crate) type Range = (Option<f64>, Option<f64>);

impl From<&Metric> for MetricFacts {
    fn from(metric: &Metric) -> MetricFacts {
        let direction = match metric.better {
            Better::Higher => Direction::Higher,
            Better::Lower => Direction::Lower,
            Better::None => Direction::None,
        };
        MetricFacts {
            id: metric.id,
            headline: metric.headline,
            home_level: Some(metric.level),
            direction,
            range: metric.range,
        }
    }
}

/// Facts about one suite.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuiteFacts {
    /// Its metrics; the first that describes an id counts.
    pub metrics: Vec<MetricFacts>,
    /// Metrics that are made of others: two values are compared only where they stand on the same ones.
    pub made_of_parts: &'static [&'static str],
    /// The turns of a case put the same question in every experiment, so rows are matched.
    pub rows_match: bool,
    /// A field that a record does not have makes its measures not asked for.
    pub optional_fields: bool,
}

impl SuiteFacts {
    /// Gives the facts about a suite of the registry.
    pub(crate) fn of(suite: &str) -> Option<SuiteFacts> {
        let known = all().map(|known| known.facts()).find(|facts| facts.id == suite);
        let registered = |facts: &crate::suites::SuiteFacts| SuiteFacts {
            metrics: facts.metrics.iter().map(MetricFacts::from).collect(),
            made_of_parts: facts.made_of_parts,
            rows_match: facts.rows_match,
            optional_fields: facts.optional_fields,
        };
        known.map(registered)
    }

    /// Gives the facts about a metric; an exact id beats a pattern, of patterns the first counts.
    pub(crate) fn metric(&self, id: &str) -> Option<&MetricFacts> {
        let exact = self.metrics.iter().find(|facts| facts.id == id);
        exact.or_else(|| self.metrics.iter().find(|facts| describes(facts.id, id)))
    }
}

/// The facts of all suites of an input, looked up once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry(BTreeMap<String, SuiteFacts>);

impl Registry {
    /// Asks for the facts of each suite; unknown ones have none.
    pub(crate) fn of<'a>(suites: impl IntoIterator<Item = &'a str>) -> Registry {
        Registry(suites.into_iter().filter_map(|suite| Some((suite.to_string(), SuiteFacts::of(suite)?))).collect())
    }

    /// Gives the facts of a metric, if its suite is known and has it.
    pub(crate) fn metric(&self, suite: &str, metric: &str) -> Option<&MetricFacts> {
        self.0.get(suite)?.metric(metric)
    }

    /// Tells whether a metric is made of others.
    pub(crate) fn made_of_parts(&self, suite: &str, metric: &str) -> bool {
        self.0.get(suite).is_some_and(|facts| facts.made_of_parts.contains(&metric))
    }

    /// Tells whether a field that a record of the suite does not have was not asked for.
    pub(crate) fn optional_fields(&self, suite: &str) -> bool {
        self.0.get(suite).is_some_and(|facts| facts.optional_fields)
    }

    /// Tells whether rows of the suite are compared only where both experiments have a value.
    pub(crate) fn rows_match(&self, suite: &str) -> bool {
        self.0.get(suite).is_some_and(|facts| facts.rows_match)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(id: &'static str, direction: Direction) -> MetricFacts {
        MetricFacts { id, headline: false, home_level: None, direction, range: (None, None) }
    }

    #[test]
    fn an_exact_id_beats_a_pattern() {
        let metrics = vec![facts("csp*", Direction::Lower), facts("csp_rate", Direction::Higher)];
        let suite = SuiteFacts { metrics, ..SuiteFacts::default() };
        assert_eq!(suite.metric("csp_any").unwrap().direction, Direction::Lower);
        assert_eq!(suite.metric("csp_rate").unwrap().direction, Direction::Higher);
        assert!(suite.metric("sfs").is_none());
    }

    // The table of section 3 of the statistics specification.
    #[test]
    fn the_registry_says_of_adaptation_what_the_specification_says() {
        let suite = SuiteFacts::of("adaptation").unwrap();
        for id in ["r_h", "r_r", "rationality_pass", "h_norm_k5", "h_norm_k4", "ehe_k5", "ehe_k4"] {
            let metric = suite.metric(id).unwrap();
            assert!(metric.headline && metric.home_level == Some("run"), "{id}");
        }
        let direction = |id| suite.metric(id).unwrap().direction;
        assert_eq!((direction("r_h"), direction("r_r")), (Direction::Lower, Direction::Lower));
        assert_eq!((direction("h_norm_k5"), direction("ehe_k5")), (Direction::None, Direction::Higher));
    }
}

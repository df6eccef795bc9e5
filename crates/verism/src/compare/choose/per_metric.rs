//! Options that name one metric: the smallest effect of interest, the range, and which way is better.

use std::collections::BTreeMap;

use super::facts::{Range, Registry};
use super::metrics::{MetricKey, resolve};
use crate::compare::options::Options;
use crate::compare::read::names::Names;
use crate::error::{Error, Result};
use crate::stats::verdict::Direction;

/// Options that name a metric, by metric.
#[derive(Clone, Debug, Default)]
pub(crate) struct PerMetric {
    sesoi: BTreeMap<MetricKey, f64>,
    range: BTreeMap<MetricKey, Option<(f64, f64)>>,
    direction: BTreeMap<MetricKey, Option<Direction>>,
}

impl PerMetric {
    /// Resolves the names; `suite.metric` beats `metric`, names that are not in the input have no effect.
    pub(crate) fn of(options: &Options, keys: &[MetricKey], names: &Names) -> Result<PerMetric> {
        let mut out = PerMetric::default();
        for qualified in [false, true] {
            let meant = |option: &str, name: &str| {
                let hit = resolve(name, keys, names, &format!("{option}.{name}"))?;
                Ok::<_, Error>(hit.filter(|key| names.text(key.metric).eq_ignore_ascii_case(name) != qualified))
            };
            for (name, value) in &options.sesoi_of {
                out.sesoi.extend(meant("sesoi", name)?.map(|key| (key, *value)));
            }
            for (name, value) in &options.range_of {
                out.range.extend(meant("range", name)?.map(|key| (key, *value)));
            }
            for (name, value) in &options.direction_of {
                out.direction.extend(meant("direction", name)?.map(|key| (key, *value)));
            }
        }
        Ok(out)
    }

    /// Gives a metric's smallest effect of interest.
    pub(crate) fn sesoi(&self, key: MetricKey, options: &Options) -> f64 {
        self.sesoi.get(&key).copied().unwrap_or(options.sesoi)
    }

    /// Gives what is known of a metric's smallest and largest value: from the options, else from its suite.
    pub(crate) fn range(&self, key: MetricKey, names: &Names, registry: &Registry, options: &Options) -> Range {
        match self.range.get(&key).copied().unwrap_or(options.range) {
            Some((low, high)) => (Some(low), Some(high)),
            None => {
                registry.metric(names.text(key.suite), names.text(key.metric)).map_or((None, None), |facts| facts.range)
            }
        }
    }

    /// Gives a metric's direction and where it comes from.
    pub(crate) fn direction(
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

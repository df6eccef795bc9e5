//! The aggregate: what is defined of the metrics, weighted, each turned so that more is better.

use serde::Serialize;

use super::METRICS;
use crate::score::measure::{EMPTY_DENOMINATOR, Measure, Undefined};
use crate::stats::sum::neumaier;
use crate::suites::clinical::pack::{Direction, Pack};

/// A part of the aggregate.
#[derive(Debug, Serialize)]
pub(crate) struct WeightedMetric<'a> {
    metric: &'a str,
    weight: f64,
    normalized: f64,
}

/// A metric with a weight that is undefined.
#[derive(Debug, Serialize)]
pub(crate) struct Missing<'a> {
    metric: &'a str,
    reason: Undefined,
}

/// What the aggregate rests on.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Evidence<'a> {
    Parts { parts: Vec<WeightedMetric<'a>>, dropped: Vec<Missing<'a>>, weight_coverage: f64 },
    None { dropped: Vec<Missing<'a>> },
}

/// Where a metric lies between worst and best.
///
/// ```math
/// value; 1 − value where lower is better in 0..1; (clip(m, min, max) − min)/(max − min) against a range, turned round
/// where lower is better
/// ```
fn normalized(pack: &Pack, metric: &str, value: f64) -> f64 {
    let (low, high, lower) = match (metric, pack.provided.get(metric)) {
        ("perplexity", _) => (pack.weights.perplexity_range.0, pack.weights.perplexity_range.1, true),
        (_, Some(range)) => (range.min, range.max, range.better == Direction::Lower),
        ("csp" | "csp_core" | "csp_count" | "csp_any", None) => return 1.0 - value,
        _ => return value,
    };
    let x = (value.min(high).max(low) - low) / (high - low);
    if lower { 1.0 - x } else { x }
}

/// The aggregate with the number of its parts, and the evidence.
///
/// ```math
/// Σ w·norm / Σ w over the metrics that are defined
/// ```
/// None defined: empty denominator. `given`: the values of the pack's provided metrics.
pub(crate) fn aggregate<'a>(
    pack: &'a Pack,
    measures: &[(Measure, u64)],
    given: &dyn Fn(&str) -> Measure,
) -> (Measure, u64, Evidence<'a>) {
    let weights = &pack.weights.aggregate.0;
    let all = neumaier(weights.iter().map(|(_, weight)| *weight));
    let (mut parts, mut dropped) = (vec![], vec![]);
    for (metric, weight) in weights.iter().filter(|(_, weight)| *weight != 0.0) {
        let own = METRICS.iter().position(|known| known == metric).and_then(|place| measures.get(place));
        match own.map_or_else(|| given(metric), |(value, _)| value.clone()) {
            Ok(value) => parts.push((metric.as_str(), *weight, normalized(pack, metric, value))),
            Err(why) => dropped.push(Missing { metric, reason: why }),
        }
    }
    if parts.is_empty() {
        return (Err(EMPTY_DENOMINATOR), 0, Evidence::None { dropped });
    }
    let whole = neumaier(parts.iter().map(|(_, weight, _)| *weight));
    let value = neumaier(parts.iter().map(|(_, weight, x)| weight * x)) / whole;
    let count = parts.len() as u64;
    let part = |(metric, weight, normalized)| WeightedMetric { metric, weight: weight / whole, normalized };
    let parts = parts.into_iter().map(part).collect();
    (Ok(value), count, Evidence::Parts { parts, dropped, weight_coverage: whole / all })
}

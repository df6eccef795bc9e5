//! The metrics of a turn, one file for each family.

pub(crate) mod aggregate;
pub(crate) mod ass;
mod concept;
pub(crate) mod csp;
pub(crate) mod cus;
pub(crate) mod evidence;
pub(crate) mod known;
pub(crate) mod models;
pub(crate) mod ngram;
pub(crate) mod question;
pub(crate) mod sfs;

use super::extract::engine::Engine;
use super::facts;
use crate::suites::ids;

/// The label of a value among the bands of a table: the last whose start it reaches.
pub(crate) fn band<'e>(engine: &'e Engine, table: &str, value: f64) -> Option<&'e str> {
    let bands = engine.pack.bands.get(table)?;
    let reached = bands.iter().rev().find(|(from, _)| value >= *from).or(bands.first());
    reached.map(|(_, label)| label.as_str())
}

/// The table of bands of a metric.
pub(crate) fn bands_of(metric: &str) -> Option<&'static str> {
    match metric {
        "sfs" => Some("SFS"),
        "csp" => Some("CSP"),
        "cus" => Some("CUS"),
        _ => None,
    }
}

/// The ids of all metrics, in the order of rows and tables.
pub(crate) const METRICS: [&str; facts::METRICS.len()] = ids(&facts::METRICS);

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

/// All metrics, in the order of rows and tables.
pub(crate) const METRICS: [&str; 22] = [
    "answered",
    "sfs",
    "sfs_count",
    "sfs_asserted",
    "sfs_med",
    "sfs_condition",
    "sfs_number",
    "sfs_demographics",
    "csp",
    "csp_core",
    "csp_count",
    "csp_penalty_total",
    "csp_safety_index",
    "csp_any",
    "cus",
    "cus_weighted",
    "cus_basic",
    "ass",
    "faithfulness",
    "answer_relevance",
    "perplexity",
    "aggregate",
];

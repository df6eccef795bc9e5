//! The metrics of a turn, one file for each family.

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

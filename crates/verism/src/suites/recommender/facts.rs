//! What is known about the suite and its metrics, as data.

/// The metrics of a dialogue in the order of rows and tables.
pub(super) const DIALOGUE_METRICS: [&str; 24] = [
    "coverage",
    "user_coverage",
    "cc",
    "cr",
    "i",
    "tas",
    "tas_expressed",
    "cc_segment",
    "cr_segment",
    "tas_segment",
    "recovery_rate",
    "recovery_delay",
    "recovery_delay_restricted",
    "focus_uptake",
    "focus_item",
    "leakage",
    "dst_precision",
    "dst_recall",
    "dst_f1",
    "dst_joint",
    "fidelity",
    "rec_satisfaction",
    "missing_per_turn",
    "hallucinated_per_turn",
];

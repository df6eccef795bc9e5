//! What is compared: metrics, experiments, pairs, levels, directions.

pub(super) mod experiments;
pub(super) mod facts;
pub(super) mod level;
pub(super) mod metrics;
pub(super) mod per_metric;

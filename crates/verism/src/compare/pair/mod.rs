//! Every number of a comparison: of a metric in one experiment, in two, in all of them.

pub(super) mod family;
pub(super) mod flag;
pub(super) mod omnibus;
pub(super) mod one_pair;
pub(super) mod result;
pub(super) mod summary;

mod analysis;
mod lined_up;
mod mean_interval;
mod missing;
mod run_tables;
mod samples;
mod why;

#[cfg(test)]
mod tests;

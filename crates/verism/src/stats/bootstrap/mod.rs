//! Bootstrap intervals: percentile and bias-corrected accelerated, for units, pairs and clusters.
//!
//! A [`Job`] says what is resampled; [`run`] draws for many jobs at once, so that jobs of equal size share their draws.
//! Resample b depends only on (seed, b), whatever the number of threads.

mod correlation;
mod dominance;
mod draws;
mod interval;
mod job;
mod left_out;
mod pearson_left_out;

pub use correlation::{Correlation, bootstrap_correlation};
pub use draws::Stop;
pub use interval::{Bootstrap, Method, Settings};
pub use job::{Job, run, run_one};

//! Comparisons between experiments: which design, which test, which verdict, and why.
//!
//! Score folders go in ([`Input`]); [`compare()`] gives every metric for every pair of experiments, [`correlate()`] asks
//! whether two metrics agree, [`gate`] holds rules against a comparison.

pub mod choose;
pub mod config;
pub mod correlate;
pub mod error;
pub mod facts;
pub mod folder;
pub mod gate;
pub mod inputs;
pub mod names;
pub mod options;
pub mod own;
pub mod pair;
pub mod paper;
pub mod read;
pub mod report;
pub mod row;
pub mod summary;
pub mod table;
pub mod text;
pub mod unit;

mod design;
mod family;
mod field;
mod omnibus;
mod parse;
mod rows;
mod samples;
mod signature;
mod why;
mod words;

#[cfg(test)]
mod laws;

pub use correlate::{Correlations, correlate};
pub use inputs::Input;
pub use options::Options;
pub use report::{Comparison, compare};

//! The options of a comparison: one line each in [`OPTIONS`], from which parsing, signature, help and docs are made.

pub(super) mod choices;
pub(super) mod config;
pub(super) mod words;

mod list;
mod parse;
mod settings;
mod signature;

pub use choices::{ClusterBy, DesignChoice, FactorChoice, Family, Interval, Matching, RunChoice, TestChoice, Weight};
pub use list::{CompareOption, OPTIONS};
pub use settings::Options;

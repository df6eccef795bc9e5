//! A comparison for people and programs: text for a terminal, CSV, JSON, tables for papers, a folder.

mod csv;
mod experiment_table;
mod folder;
mod numbers;
mod paper;
mod range;
mod text;
mod words;

pub(super) use numbers::p_text;
pub(super) use words::verdict_word;

pub use experiment_table::{Spread, TableStyle, experiments_to_latex, experiments_to_markdown};
pub use folder::{Paper, to_json, write};
pub use text::{correlations_to_text, legend, to_text};

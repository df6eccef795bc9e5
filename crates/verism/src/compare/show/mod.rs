//! A comparison for people and programs: text for a terminal, CSV, JSON, tables for papers, a folder.

mod csv;
mod folder;
mod numbers;
mod paper;
mod text;
mod words;

pub use folder::{Paper, to_json, write};
pub use text::{correlations_to_text, to_text};

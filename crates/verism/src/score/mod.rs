//! Scores: a number or a reason, rows with evidence, tables, the signature and the ledger.

pub mod json;
pub mod ledger;
pub mod manifest;
pub mod measure;
pub mod output;
pub mod place;
pub mod results;
pub mod row;
mod row_files;
pub mod signature;
pub mod table;

pub use measure::{Measure, Undefined};
pub use row::Row;

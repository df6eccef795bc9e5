//! Scores: a number or a reason, rows with evidence, tables, the signature and the ledger.

pub mod content;
pub mod contents;
pub mod file_stage;
pub mod ledger;
mod lock;
pub mod manifest;
pub mod measure;
pub mod output;
mod parquet_rows;
pub mod place;
pub mod relative;
pub mod results;
pub mod row;
mod row_files;
pub mod signature;
mod stage;
pub mod table;

pub use crate::text::json;
pub use measure::{Measure, Undefined};
pub use row::Row;

//! From logs to rows: which files there are, what their records say, and rows in the order in which they are judged.
//!
//! `discover` finds logs and the cell of each; `logs` opens them, block by block; `context` knows the columns; `record`
//! makes a row of a record, with `meanings` for texts seen before, `values` for flags, years and counts and `action` for what
//! was done; `store` numbers cells and agents; `sorter` puts rows in order and `defects` what is wrong, on disk where memory
//! ends.

mod action;
pub(crate) mod context;
pub(crate) mod defects;
pub(crate) mod discover;
pub(crate) mod logs;
mod meanings;
pub(crate) mod not_understood;
pub(crate) mod record;
mod sorter;
pub(crate) mod store;
mod values;

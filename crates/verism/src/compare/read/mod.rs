//! From files to rows: score tables as CSV or JSON lines, with the names that ids stand for.

pub(super) mod bad_row;
pub(super) mod inputs;
pub(super) mod names;
pub(super) mod row;
pub(super) mod table;

mod block;
mod field;

//! From files to rows: score tables as CSV or JSON lines, with the names that ids stand for.

pub(super) mod audits;
pub(super) mod bad_row;
pub(super) mod inputs;
pub(super) mod names;
pub(super) mod row;
pub(super) mod table;
pub(super) mod wide;

mod block;
mod evidence;
mod factor;
mod field;
mod separator;

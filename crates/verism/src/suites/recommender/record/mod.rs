//! What a log is: `sources` lists files, `read` makes a `dialogue` of a record, `turn_table` makes records of tables.

pub(crate) mod dialogue;
pub(crate) mod read;
pub(crate) mod rows;
pub(crate) mod sources;
pub(crate) mod turn_table;

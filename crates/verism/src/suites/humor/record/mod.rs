//! What a record is: a card with its ids, prompt, profile and vectors, from JSON lines, CSV, Parquet or the original's results.

pub(crate) mod card;
pub(crate) mod fill;
pub(crate) mod inputs;
pub(crate) mod tables_in;
pub(crate) mod vectors;

//! What is summed over texts and batches, and the tables made of it.

mod columns;
pub(crate) mod sums;

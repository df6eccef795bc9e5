//! Synthetic logs for the benchmarks: the same seed gives the same bytes, whatever the number of threads.

mod agent;
mod cell;
mod grammar;
pub mod guest;
mod memory;
mod phrases;
mod random;
pub mod tree;

//! The library as a whole.
#![allow(clippy::unwrap_used, missing_docs)]

mod docs;
mod laws;
mod readme;
mod registry;
mod runner;

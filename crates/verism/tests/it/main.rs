//! The library as a whole.
#![allow(clippy::unwrap_used, missing_docs)]

mod docs;
mod guest_laws;
mod laws;
mod own_suite;
mod readme;
mod registry;
mod runner;
mod suite_laws;

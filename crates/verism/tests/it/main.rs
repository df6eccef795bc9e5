//! The library as a whole.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod docs;
mod guest_laws;
mod laws;
mod option_laws;
mod own_suite;
mod readme;
mod registry;
mod runner;
mod suite_laws;

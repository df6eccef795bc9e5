//! The library as a whole.
#![allow(clippy::unwrap_used, missing_docs)]

mod docs;
mod guest_laws;
mod laws;
mod readme;
mod recommender_laws;
mod registry;
mod runner;

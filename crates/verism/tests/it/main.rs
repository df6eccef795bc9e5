//! The library as a whole.
#![allow(clippy::unwrap_used, missing_docs)]

mod clinical_laws;
mod docs;
mod guest_laws;
mod laws;
mod readme;
mod registry;
mod runner;

//! The library as a whole.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod arrows;
mod clinical_laws;
mod docs;
mod guest_laws;
mod humor_laws;
mod laws;
mod option_laws;
mod own_suite;
mod readme;
mod recommender_laws;
mod registry;
mod runner;
mod suite_laws;

//! The program as its users run it.
#![allow(clippy::unwrap_used, missing_docs)]

mod bad_input;
mod cases;
mod examples;
mod program;
mod verbs;

//! The program as its users run it.
#![allow(clippy::unwrap_used, missing_docs)]

mod bad_guest;
mod bad_input;
mod cases;
mod comparing;
mod convert;
mod examples;
mod first_hour;
mod look;
mod program;
mod safety;
mod statistics;
mod verbs;

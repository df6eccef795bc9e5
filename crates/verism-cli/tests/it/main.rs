//! The program as its users run it.
#![allow(clippy::unwrap_used, missing_docs)]

mod bad_guest;
mod bad_input;
mod cases;
mod chat_logs;
mod comparing;
mod convert;
mod examples;
mod first_hour;
mod humor;
mod humor_why;
mod look;
mod model;
#[cfg(feature = "model-tests")]
mod model_weights;
mod program;
mod safety;
mod simulate;
mod statistics;
mod verbs;
mod web;

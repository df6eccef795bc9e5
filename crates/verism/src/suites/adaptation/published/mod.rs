//! The published program: how it reads logs and what it does differently (`reading = "v6-script"`).
//!
//! `rules` answers every question about the differences; `log` reads a file and `fields` its cells as the program does;
//! `entropy` adds in the program's order. Only for the built-in pack.

pub(crate) mod entropy;
mod fields;
pub(crate) mod log;
pub(crate) mod rules;

//! Attacks on verism from inside: damaged files for its readers, random logs for its laws.
//!
//! Every attack is made from a number alone, so that a number is all that has to be kept of one that succeeds.

pub mod clock;
pub mod damage;
pub mod files;
pub mod laws;
pub mod logs;
pub mod readers;

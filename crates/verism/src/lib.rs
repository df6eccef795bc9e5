//! verism measures how true to life simulated people and generated dialogue are.
//!
//! Logs go in through [`input`], become typed records in a suite of [`suites`], scores with evidence in [`score`].
//! [`compare`] asks of score folders whether a difference is real. [`text`] and [`stats`] serve all suites and know none.

pub mod compare;
pub mod error;
pub mod input;
pub mod score;
pub mod stats;
pub mod suites;
pub mod text;

pub use error::{Defect, Error, Result};

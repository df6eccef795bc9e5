//! One file per verb.

pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod correlate;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod gate;
pub(crate) mod merge;
pub(crate) mod model;
pub(crate) mod score;
pub(crate) mod simulate;
pub(crate) mod stats;
pub(crate) mod suites;
pub(crate) mod train;
pub(crate) mod validate;
pub(crate) mod validity;
pub(crate) mod why;

//! The design of a comparison: what a unit is, and which units are paired.

pub(super) mod experiment_rows;
pub(super) mod matched;
pub(super) mod pairing;
pub(super) mod unit;

//! How experiments are laid against each other: what a unit is, which units are paired.

pub(super) mod experiment_rows;
pub(super) mod matched;
pub(super) mod pairing;
pub(super) mod unit;

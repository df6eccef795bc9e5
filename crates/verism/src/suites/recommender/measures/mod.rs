//! The formulas, a file for each; `turn`, `segment` and `shift` put them together, `scores` a whole dialogue.

pub(crate) mod cc;
pub(crate) mod copying;
pub(crate) mod cr;
pub(crate) mod curves;
pub(crate) mod dst;
pub(crate) mod fidelity;
pub(crate) mod leakage;
pub(crate) mod rec_satisfaction;
pub(crate) mod recovery;
pub(crate) mod scores;
pub(crate) mod segment;
pub(crate) mod shift;
pub(crate) mod tas;
pub(crate) mod turn;

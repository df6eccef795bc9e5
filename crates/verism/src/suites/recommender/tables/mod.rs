//! What is written: `outcome` is a judged dialogue, `score_rows` and `result` its lines, made of `pieces`; `gather` takes
//! dialogues in order and `experiments` sums them up.

pub(crate) mod experiments;
pub(crate) mod gather;
pub(crate) mod outcome;
pub(crate) mod pieces;
pub(crate) mod result;
pub(crate) mod score_rows;

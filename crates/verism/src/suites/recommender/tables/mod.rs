//! What is written: `outcome` is a judged dialogue, `score_rows` and `result` its lines, made of `pieces` and `hits`;
//! `gather` takes dialogues in order, `lines` writes some of them at a time, `experiments` sums them up.

pub(crate) mod experiments;
pub(crate) mod gather;
pub(crate) mod hits;
pub(crate) mod lines;
pub(crate) mod outcome;
pub(crate) mod pieces;
pub(crate) mod result;
pub(crate) mod score_rows;

//! The measures of a batch of texts: a file for each formula, `meaning` for those of vectors, and `measured`, which takes
//! them all.

mod compression;
pub(crate) mod distinct;
mod hdd;
pub(crate) mod meaning;
pub(crate) mod measured;
mod mtld;
mod neighbours;
mod richness;
pub(crate) mod self_bleu;
mod self_repetition;

//! Text as the suites read it: normalised, cut into words, searched for cues, counted as n-grams; and JSON as it is written.
//! Knows no suite.

pub(crate) mod bits;
pub mod bleu;
pub mod fold;
pub mod json;
pub mod lexicon;
pub mod model;
pub mod ngrams;
pub mod normalize;
pub mod number;
pub mod numbered;
pub mod one_line;
pub mod shared_runs;
pub mod sieve;
mod suffixes;
pub mod tokens;
pub mod treebank;
pub mod words;

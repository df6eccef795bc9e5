//! Text as the suites read it: normalised, cut into words, searched for cues. Knows no suite.

pub(crate) mod bits;
pub mod fold;
pub mod lexicon;
pub mod normalize;
pub mod number;
pub mod sieve;
pub mod words;

//! A language model and co-occurrence counts in one file: nothing but sums, so that shares of a corpus add up.
//!
//! `counts` counts documents, `tables` holds the counts in byte order of their words and adds them, `layout` and `write`
//! turn them into the bytes of a `.vrm` file, `open` and `check` read such bytes where they lie, `unpack` turns them into
//! counts again. `lookup` finds words in the open model, `follow` runs of words; on top of them stand `backoff` (the smoothed
//! model with back-off), `kneser_ney`, `neighbours` (words by the words around them) and `likeness` (how alike they are by
//! that, with the `near_tables` of common words).

pub mod backoff;
mod bytes;
mod check;
mod counts;
mod digest;
mod follow;
pub mod kneser_ney;
mod layout;
mod likeness;
mod lookup;
mod near_tables;
mod neighbours;
mod open;
mod summary;
mod tables;
mod tally;
mod unpack;
mod write;

pub use counts::{CardType, Counts, fingerprint};
pub use follow::Step;
pub(crate) use follow::last_three;
pub use layout::FORMAT_VERSION;
pub use lookup::{LookedUp, Token};
pub use open::{Model, Refused};
pub use summary::Summary;
pub use tables::Tables;
pub use write::TooLarge;

use super::tokens::{Blanks, Tokenizer};

/// How the texts of a corpus were cut; a model answers only for texts that are cut the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Tokens of the language model: words, or white space tokens.
    pub tokens: Tokenizer,
    /// What became of runs of low lines.
    pub blanks: Blanks,
}

/// Whether bytes begin as a model file does, of whatever version and however damaged after that.
pub fn begins_as_model(bytes: &[u8]) -> bool {
    bytes.starts_with(&layout::MAGIC)
}

/// How far neighbours reach.
pub const WINDOW: usize = 3;

/// What the smoothed counts add to each count.
pub const ALPHA: f64 = 0.1;

//! What stands where in a `.vrm` file.
//!
//! All numbers are little-endian. A head of fixed size, a list of sections (place and length in bytes), the sections,
//! each at a multiple of eight, and a checksum of everything before it. Counts take four bytes, or eight if one of them
//! needs it. Words are numbered in byte order; rows of bigrams, trigrams and neighbours are sorted by these numbers.

use crate::text::tokens::{Blanks, Tokenizer};

/// First bytes of every model file.
pub(super) const MAGIC: [u8; 8] = *b"VERISM\x1aM";
/// Version of this layout.
pub const FORMAT_VERSION: u32 = 2;
/// Version of what is counted: that of the specification of the suite that trains it.
pub(super) const CONTENT_VERSION: u32 = 1;
/// Bytes of the checksum at the end.
pub(super) const CHECKSUM: usize = 8;

/// The checksum of the bytes before it: XXH64, which tells damage. It costs a tenth of SHA-256 each time that a model is
/// opened; what the model was trained on is told by the digest of the corpus in the head.
pub(super) fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    twox_hash::XxHash64::oneshot(0, bytes).to_le_bytes()
}

/// The sections in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Where each word ends in the bytes of all words.
    WordEnds,
    WordBytes,
    /// Of each word: count, first, last, only token, documents.
    Count,
    First,
    Last,
    Alone,
    Documents,
    /// Of each word the first of its bigrams; one more for the end.
    PairRows,
    PairWords,
    PairCounts,
    /// Of each bigram: documents that start, that end with it.
    PairStarts,
    PairEnds,
    /// Of each bigram: different tokens, or the start of a document, before it.
    PairLefts,
    /// Of each bigram the first of its trigrams; one more for the end.
    TripleRows,
    TripleWords,
    TripleCounts,
    /// Of each word the first of its neighbours; one more for the end.
    NearRows,
    NearWords,
    NearCounts,
    Prints,
    PrintCounts,
}

/// All sections in order.
pub(super) const ALL: [Section; SECTIONS] = [
    Section::WordEnds,
    Section::WordBytes,
    Section::Count,
    Section::First,
    Section::Last,
    Section::Alone,
    Section::Documents,
    Section::PairRows,
    Section::PairWords,
    Section::PairCounts,
    Section::PairStarts,
    Section::PairEnds,
    Section::PairLefts,
    Section::TripleRows,
    Section::TripleWords,
    Section::TripleCounts,
    Section::NearRows,
    Section::NearWords,
    Section::NearCounts,
    Section::Prints,
    Section::PrintCounts,
];

/// How many sections there are.
pub(super) const SECTIONS: usize = Section::PrintCounts as usize + 1;

/// Whole numbers of the head after the magic: versions, tokenizer, blanks, window, width of counts.
pub(super) const SMALL: usize = 6;
/// Wide numbers of the head: documents of three kinds, digest, counts of counts of three orders.
pub(super) const LARGE: usize = 3 + 4 + 12;
/// Where the list of sections begins.
pub(super) const LIST: usize = MAGIC.len() + SMALL * 4 + LARGE * 8;
/// Where the first section begins.
pub(super) const BODY: usize = LIST + SECTIONS * 16;

/// Tokenizers of the language model by their numbers in the file.
pub(super) const TOKENIZERS: [Tokenizer; 2] = [Tokenizer::Words, Tokenizer::Whitespace];
/// Rules for blanks by their numbers in the file.
pub(super) const BLANKS: [Blanks; 2] = [Blanks::Joined, Blanks::Kept];

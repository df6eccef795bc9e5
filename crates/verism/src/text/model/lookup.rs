//! Words, and what the tables hold of them.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

use super::Model;
use super::bytes::Column;
use super::layout::Section;
use crate::text::tokens::Tokens;

/// A token and its place in a model: looked up once, asked about often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token<'t> {
    /// The token.
    pub text: &'t str,
    /// None if the model does not know it.
    pub(super) place: Option<u32>,
}

fn hash(word: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish() as usize
}

impl<'t> Token<'t> {
    /// The number of the token in its model; none if the model does not know it.
    pub fn place(self) -> Option<u32> {
        self.place
    }

    /// A token that no model knows.
    pub fn unknown(text: &'t str) -> Token<'t> {
        Token { text, place: None }
    }
}

/// Tokens that were looked up in a model, to be kept.
#[derive(Debug)]
pub struct LookedUp {
    tokens: Tokens,
    /// The first that counts, and the places of those that do.
    first: usize,
    places: Vec<Option<u32>>,
}

impl LookedUp {
    /// Looks up the last tokens, as many as are asked for; without a model all are unknown.
    pub fn of(tokens: Tokens, most: usize, model: Option<&Model>) -> LookedUp {
        let first = tokens.len().saturating_sub(most);
        let place = |text: &str| model.and_then(|model| model.look_up(text).place);
        let places = tokens.iter().skip(first).map(place).collect();
        LookedUp { tokens, first, places }
    }

    /// Token `i` of those that count.
    pub fn get(&self, i: usize) -> Token<'_> {
        Token { text: self.tokens.get(self.first + i), place: self.places[i] }
    }

    /// The tokens that count.
    pub fn iter(&self) -> impl Iterator<Item = Token<'_>> {
        (0..self.places.len()).map(|i| self.get(i))
    }
}

/// Places of words by their hashes; `u32::MAX` is free.
#[derive(Debug)]
pub(super) struct Index(Vec<u32>);

impl Index {
    /// Nothing can be found in it.
    pub(super) fn empty() -> Index {
        Index(vec![u32::MAX])
    }

    pub(super) fn of(model: &Model) -> Index {
        let words = model.words();
        let mut index = vec![u32::MAX; (2 * words + 1).next_power_of_two()];
        let mask = index.len() - 1;
        for i in 0..words as u32 {
            let mut slot = hash(model.word_bytes(i)) & mask;
            while index[slot] != u32::MAX {
                slot = (slot + 1) & mask;
            }
            index[slot] = i;
        }
        Index(index)
    }
}

impl Model {
    pub(super) fn section(&self, section: Section) -> &[u8] {
        &self.bytes.get()[self.sections[section as usize].clone()]
    }

    /// A section of small numbers; little-endian machines read them as they lie.
    pub(super) fn small(&self, section: Section) -> &[u32] {
        bytemuck::cast_slice(self.section(section))
    }

    pub(super) fn column(&self, section: Section) -> Column<'_> {
        match self.wide {
            true => Column::Wide(bytemuck::cast_slice(self.section(section))),
            false => Column::Narrow(bytemuck::cast_slice(self.section(section))),
        }
    }

    pub(super) fn prints(&self) -> &[u64] {
        bytemuck::cast_slice(self.section(Section::Prints))
    }

    /// All words, tokens of the language model and others.
    pub(super) fn words(&self) -> usize {
        self.small(Section::WordEnds).len()
    }

    pub(super) fn word_bytes(&self, i: u32) -> &[u8] {
        let ends = self.small(Section::WordEnds);
        let end = |i: usize| u32::from_le(ends[i]) as usize;
        let start = if i == 0 { 0 } else { end(i as usize - 1) };
        &self.section(Section::WordBytes)[start..end(i as usize)]
    }

    /// The word at a place.
    pub(super) fn word(&self, i: u32) -> &str {
        std::str::from_utf8(self.word_bytes(i)).unwrap_or_default()
    }

    /// A token, to be asked about.
    pub fn look_up<'t>(&self, text: &'t str) -> Token<'t> {
        let Index(index) = &self.index;
        let mask = index.len() - 1;
        let mut slot = hash(text.as_bytes()) & mask;
        loop {
            match index[slot] {
                u32::MAX => return Token::unknown(text),
                i if self.word_bytes(i) == text.as_bytes() => return Token { text, place: Some(i) },
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// How often a token stands in the corpus.
    pub fn count(&self, token: Token<'_>) -> u64 {
        self.count_at(Section::Count, token.place)
    }

    /// The count at a place of a column; nowhere it is 0.
    pub(super) fn count_at(&self, section: Section, at: Option<u32>) -> u64 {
        at.map_or(0, |at| self.column(section).get(at as usize))
    }

    /// How many documents, by weight, have words with this fingerprint.
    pub fn copies(&self, fingerprint: u64) -> u64 {
        let prints = self.prints();
        let found = prints.binary_search_by_key(&fingerprint, |print| u64::from_le(*print));
        found.map_or(0, |i| self.column(Section::PrintCounts).get(i))
    }

    /// The entries of a row.
    pub(super) fn row(&self, rows: Section, row: usize) -> Range<usize> {
        let starts = self.small(rows);
        u32::from_le(starts[row]) as usize..u32::from_le(starts[row + 1]) as usize
    }

    /// The entries of all rows in order.
    pub(super) fn rows(&self, rows: Section) -> impl Iterator<Item = Range<usize>> {
        let start = |at: &u32| u32::from_le(*at) as usize;
        self.small(rows).windows(2).map(move |edges| start(&edges[0])..start(&edges[1]))
    }

    fn find(&self, rows: Section, row: usize, words: Section, word: u32) -> Option<usize> {
        let range = self.row(rows, row);
        let found = self.small(words)[range.clone()].binary_search_by_key(&word, |other| u32::from_le(*other));
        found.ok().map(|i| range.start + i)
    }

    /// The place of a bigram.
    pub(super) fn pair(&self, first: u32, second: u32) -> Option<usize> {
        self.find(Section::PairRows, first as usize, Section::PairWords, second)
    }

    /// The place of a trigram, given that of its first two tokens.
    pub(super) fn triple(&self, pair: usize, third: u32) -> Option<usize> {
        self.find(Section::TripleRows, pair, Section::TripleWords, third)
    }
}

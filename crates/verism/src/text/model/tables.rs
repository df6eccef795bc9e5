//! All counts of a model in byte order of their words; two of them add up to one.

use super::Reading;
use super::digest::Sum256;
use super::tally::added;

/// Two words by their places.
pub(super) type Pair = u64;
/// Three words by their places.
pub(super) type Triple = u128;

/// Counts of one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordCounts {
    /// As a token of the language model.
    pub(super) count: u64,
    /// As the first token of a document.
    pub(super) first: u64,
    /// As the last token of a document.
    pub(super) last: u64,
    /// As the only token of a document.
    pub(super) alone: u64,
    /// Documents that hold it as a white space token.
    pub(super) documents: u64,
}

impl WordCounts {
    fn add(&mut self, other: &WordCounts) {
        let mine = [&mut self.count, &mut self.first, &mut self.last, &mut self.alone, &mut self.documents];
        let more = [other.count, other.first, other.last, other.alone, other.documents];
        mine.into_iter().zip(more).for_each(|(mine, more)| *mine = mine.saturating_add(more));
    }
}

/// Everything that a model counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    pub(super) reading: Reading,
    /// Documents of unknown, white and black cards.
    pub(super) documents: [u64; 3],
    pub(super) digest: Sum256,
    /// In byte order.
    pub(super) words: Vec<Box<str>>,
    pub(super) counts: Vec<WordCounts>,
    pub(super) bigrams: Vec<(Pair, u64)>,
    /// First two tokens of documents.
    pub(super) starts: Vec<(Pair, u64)>,
    /// Last two tokens of documents.
    pub(super) ends: Vec<(Pair, u64)>,
    pub(super) trigrams: Vec<(Triple, u64)>,
    /// Neighbours, each pair once, the smaller place first.
    pub(super) near: Vec<(Pair, u64)>,
    pub(super) prints: Vec<(u64, u64)>,
}

impl Tables {
    /// How the texts were cut.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Whether the language model has a token at all.
    pub fn has_tokens(&self) -> bool {
        self.counts.iter().any(|word| word.count > 0)
    }

    /// The counts of both; they were read the same way.
    pub fn plus(mut self, mut other: Tables) -> Tables {
        if self.words != other.words {
            let words = union(&self.words, &other.words);
            self.move_to(&words);
            other.move_to(&words);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, more)| mine.add(more));
        (0..3).for_each(|kind| self.documents[kind] = self.documents[kind].saturating_add(other.documents[kind]));
        self.digest.add(other.digest);
        Tables {
            bigrams: added(&self.bigrams, &other.bigrams),
            starts: added(&self.starts, &other.starts),
            ends: added(&self.ends, &other.ends),
            trigrams: added(&self.trigrams, &other.trigrams),
            near: added(&self.near, &other.near),
            prints: added(&self.prints, &other.prints),
            ..self
        }
    }

    /// Gives every word its place in a longer list; the order of keys stays.
    fn move_to(&mut self, words: &[Box<str>]) {
        let mut places = Vec::with_capacity(self.words.len());
        let mut at = 0;
        for word in &self.words {
            while words[at] != *word {
                at += 1;
            }
            places.push(at as u32);
        }
        let mut counts = vec![WordCounts::default(); words.len()];
        places.iter().zip(&self.counts).for_each(|(place, word)| counts[*place as usize] = *word);
        let of = |number: u64| u64::from(places[number as u32 as usize]);
        for list in [&mut self.bigrams, &mut self.starts, &mut self.ends, &mut self.near] {
            list.iter_mut().for_each(|(key, _)| *key = of(*key >> 32) << 32 | of(*key));
        }
        for (key, _) in &mut self.trigrams {
            let (a, b, c) = (of((*key >> 64) as u64), of((*key >> 32) as u64), of(*key as u64));
            *key = u128::from(a) << 64 | u128::from(b) << 32 | u128::from(c);
        }
        self.words = words.to_vec();
        self.counts = counts;
    }
}

fn union(a: &[Box<str>], b: &[Box<str>]) -> Vec<Box<str>> {
    let mut all: Vec<Box<str>> = a.iter().chain(b).cloned().collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{CardType, Counts};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    fn count(texts: &[String], tokens: Tokenizer) -> Tables {
        let mut counts = Counts::new(Reading { tokens, blanks: Blanks::Joined }, 1);
        texts.iter().for_each(|text| counts.add(CardType::White, text));
        counts.finish()
    }

    proptest! {
        #[test]
        fn split_and_merged_equal_whole(
            texts in prop::collection::vec("([abé_]{1,3}[ .]{1,2}){0,6}", 0..8), cut in 0_usize..8, spaced: bool
        ) {
            let tokens = if spaced { Tokenizer::Whitespace } else { Tokenizer::Words };
            let (left, right) = texts.split_at(cut.min(texts.len()));
            let whole = count(&texts, tokens);
            prop_assert_eq!(&count(left, tokens).plus(count(right, tokens)), &whole);
            prop_assert_eq!(&count(right, tokens).plus(count(left, tokens)), &whole);
        }
    }
}

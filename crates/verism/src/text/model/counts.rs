//! Counting the documents of a corpus.

use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use super::digest::Sum256;
use super::tables::{Pair, Tables, Triple, WordCounts};
use super::tally::Tally;
use super::{Reading, WINDOW};
use crate::text::numbered::{Numbered, ranks};
use crate::text::tokens::{Tokenizer, Tokens, nfc, prep};

/// What kind of card a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardType {
    /// Not said.
    Unknown,
    /// An answer.
    White,
    /// A prompt.
    Black,
}

impl CardType {
    /// The name in corpora.
    pub fn name(self) -> &'static str {
        match self {
            CardType::Unknown => "",
            CardType::White => "white",
            CardType::Black => "black",
        }
    }
}

/// The first 64 bits of the SHA-256 of words joined by blanks.
pub fn fingerprint<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    let mut hash = Sha256::new();
    for (i, word) in words.enumerate() {
        if i > 0 {
            hash.update(" ");
        }
        hash.update(word);
    }
    let bytes: [u8; 32] = hash.finalize().into();
    let mut first = [0; 8];
    first.copy_from_slice(&bytes[..8]);
    u64::from_be_bytes(first)
}

/// Counts of some documents, by the numbers that their words got here.
#[derive(Clone, Debug)]
pub struct Counts {
    reading: Reading,
    weight: u64,
    documents: [u64; 3],
    digest: Sum256,
    names: Numbered,
    words: Vec<WordCounts>,
    bigrams: Tally<Pair>,
    starts: Tally<Pair>,
    ends: Tally<Pair>,
    trigrams: Tally<Triple>,
    near: Tally<Pair>,
    prints: Tally<u64>,
    scratch: Scratch,
}

/// Memory that is used again for every document.
#[derive(Clone, Debug, Default)]
struct Scratch {
    spaced: Tokens,
    words: Tokens,
    numbers: Vec<u32>,
    seen: FxHashSet<u32>,
}

fn pair(a: u32, b: u32) -> Pair {
    u64::from(a) << 32 | u64::from(b)
}

fn triple(a: u32, b: u32, c: u32) -> Triple {
    u128::from(a) << 64 | u128::from(b) << 32 | u128::from(c)
}

impl Counts {
    /// No documents yet; each will count `weight` times.
    pub fn new(reading: Reading, weight: u64) -> Counts {
        Counts {
            reading,
            weight,
            documents: [0; 3],
            digest: Sum256::default(),
            names: Numbered::default(),
            words: vec![],
            bigrams: Tally::default(),
            starts: Tally::default(),
            ends: Tally::default(),
            trigrams: Tally::default(),
            near: Tally::default(),
            prints: Tally::default(),
            scratch: Scratch::default(),
        }
    }

    fn number(&mut self, token: &str) -> u32 {
        let number = self.names.number(token);
        if number as usize == self.words.len() {
            self.words.push(WordCounts::default());
        }
        number
    }

    /// Counts a document.
    pub fn add(&mut self, kind: CardType, text: &str) {
        let weight = self.weight;
        let composed = nfc(text);
        self.digest.add_document(kind.name(), &composed, weight);
        self.documents[kind as usize] += weight;
        let text = prep(&composed, self.reading.blanks);
        let mut scratch = std::mem::take(&mut self.scratch);
        Tokenizer::Whitespace.cut(&text, &mut scratch.spaced);
        Tokenizer::Words.cut(&text, &mut scratch.words);
        self.add_neighbours(&mut scratch);
        if self.reading.tokens == Tokenizer::Words {
            self.number_words(&mut scratch);
        }
        if !scratch.numbers.is_empty() {
            self.add_grams(&scratch.numbers);
            self.prints.add(fingerprint(scratch.words.iter()), weight);
        }
        self.scratch = scratch;
    }

    /// Puts the numbers of words in the place of those of white space tokens; most are the same.
    fn number_words(&mut self, scratch: &mut Scratch) {
        let Scratch { spaced, words, numbers, .. } = scratch;
        if words.len() == spaced.len() {
            for (number, (word, token)) in numbers.iter_mut().zip(words.iter().zip(spaced.iter())) {
                if word != token {
                    *number = self.number(word);
                }
            }
        } else {
            numbers.clear();
            numbers.extend(words.iter().map(|word| self.number(word)));
        }
    }

    /// Neighbours and document frequencies of white space tokens; leaves their numbers behind.
    fn add_neighbours(&mut self, scratch: &mut Scratch) {
        let weight = self.weight;
        scratch.numbers.clear();
        scratch.seen.clear();
        scratch.numbers.extend(scratch.spaced.iter().map(|token| self.number(token)));
        for (i, &word) in scratch.numbers.iter().enumerate() {
            // Texts are short: looking back is quicker than a set.
            let known = if i < 32 { scratch.numbers[..i].contains(&word) } else { !scratch.seen.insert(word) };
            if i == 31 {
                scratch.seen.extend(&scratch.numbers[..32]);
            }
            if !known {
                self.words[word as usize].documents += weight;
            }
            for &other in &scratch.numbers[i + 1..scratch.numbers.len().min(i + 1 + WINDOW)] {
                self.near.add(pair(word.min(other), word.max(other)), weight);
            }
        }
    }

    /// Counts of a document's tokens in the language model.
    fn add_grams(&mut self, tokens: &[u32]) {
        let weight = self.weight;
        for &token in tokens {
            self.words[token as usize].count += weight;
        }
        for two in tokens.windows(2) {
            self.bigrams.add(pair(two[0], two[1]), weight);
        }
        for three in tokens.windows(3) {
            self.trigrams.add(triple(three[0], three[1], three[2]), weight);
        }
        let (first, last) = (tokens[0], tokens[tokens.len() - 1]);
        self.words[first as usize].first += weight;
        self.words[last as usize].last += weight;
        if let [one] = tokens {
            self.words[*one as usize].alone += weight;
        } else {
            self.starts.add(pair(first, tokens[1]), weight);
            self.ends.add(pair(tokens[tokens.len() - 2], last), weight);
        }
    }

    /// The counts in byte order of the words.
    pub fn finish(mut self) -> Tables {
        let weight = self.weight;
        self.bigrams.settle(weight);
        self.starts.settle(weight);
        self.ends.settle(weight);
        self.trigrams.settle(weight);
        self.near.settle(weight);
        self.prints.settle(weight);
        let names = self.names;
        let order = names.in_order();
        let rank = ranks(&order);
        let words = order.iter().map(|&number| names.name(number).into()).collect();
        drop(names);
        let counts = order.iter().map(|&number| self.words[number as usize]).collect();
        let of = |number: u64| rank[number as u32 as usize];
        let ranked = |tally: Tally<Pair>| {
            let remap = |(key, count): (Pair, u64)| (pair(of(key >> 32), of(key)), count);
            let mut list: Vec<(Pair, u64)> = tally.into_counts().into_iter().map(remap).collect();
            list.sort_unstable();
            list
        };
        let mut near: Vec<(Pair, u64)> = self.near.into_counts();
        for (key, _) in &mut near {
            let (a, b) = (of(*key >> 32), of(*key));
            *key = pair(a.min(b), a.max(b));
        }
        near.sort_unstable();
        let mut trigrams: Vec<(Triple, u64)> = self.trigrams.into_counts();
        for (key, _) in &mut trigrams {
            *key = triple(of((*key >> 64) as u64), of((*key >> 32) as u64), of(*key as u64));
        }
        trigrams.sort_unstable();
        Tables {
            reading: self.reading,
            documents: self.documents,
            digest: self.digest,
            words,
            counts,
            bigrams: ranked(self.bigrams),
            starts: ranked(self.starts),
            ends: ranked(self.ends),
            trigrams,
            near,
            prints: self.prints.into_counts(),
        }
    }
}

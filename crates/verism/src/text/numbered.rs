//! Names as numbers in order of appearance; the tokens of many texts as such numbers, in one list.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// Names and their numbers.
#[derive(Clone, Debug, Default)]
pub struct Numbered {
    /// All names, one after the other: a new one needs no memory of its own.
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

impl Numbered {
    /// No names yet, and room for so many of usual length.
    pub fn with_capacity(names: usize) -> Numbered {
        let (text, ends) = (String::with_capacity(16 * names), Vec::with_capacity(names));
        Numbered { text, ends, numbers: HashTable::with_capacity(names) }
    }

    /// The number of a name, new or known.
    pub fn number(&mut self, name: &str) -> u32 {
        let (text, ends) = (self.text.as_bytes(), &self.ends);
        let hash = |name: &[u8]| FxBuildHasher.hash_one(name);
        let of = |number: u32| &text[place_of(ends, number)];
        let next = u32::try_from(ends.len()).expect("fewer than 2^32 different names fit into memory");
        let known = |number: &u32| of(*number) == name.as_bytes();
        match self.numbers.entry(hash(name.as_bytes()), known, |number| hash(of(*number))) {
            Entry::Occupied(found) => return *found.get(),
            Entry::Vacant(place) => place.insert(next),
        };
        self.text.push_str(name);
        self.ends.push(self.text.len());
        next
    }

    /// The name with a number.
    pub fn name(&self, number: u32) -> &str {
        &self.text[place_of(&self.ends, number)]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The numbers in byte order of their names.
    pub fn in_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&number| self.name(number));
        order
    }

    /// Ranks of the names in byte order, by number.
    pub fn ranks(&self) -> Vec<u32> {
        ranks(&self.in_order())
    }

    /// The names by number.
    pub fn into_names(self) -> Vec<Box<str>> {
        (0..self.len() as u32).map(|number| self.name(number).into()).collect()
    }
}

/// At which place of an order each number stands.
pub fn ranks(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    (0..).zip(order).for_each(|(rank, &number)| ranks[number as usize] = rank);
    ranks
}

/// Where a name stands among all names.
fn place_of(ends: &[usize], number: u32) -> Range<usize> {
    let number = number as usize;
    number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]
}

/// The tokens of several texts, one after the other, as numbers.
#[derive(Clone, Debug, Default)]
pub struct TokenTexts {
    /// What the numbers stand for.
    pub names: Numbered,
    /// All tokens.
    pub tokens: Vec<u32>,
    /// For each token the text it stands in.
    pub owners: Vec<u32>,
    /// Where each text ends in the list of tokens.
    pub ends: Vec<u32>,
}

impl TokenTexts {
    /// Adds a text.
    pub fn push<'a>(&mut self, tokens: impl Iterator<Item = &'a str>) {
        let text = self.ends.len() as u32;
        for token in tokens {
            let number = self.names.number(token);
            self.tokens.push(number);
            self.owners.push(text);
        }
        self.ends.push(u32::try_from(self.tokens.len()).expect("fewer than 2^32 tokens in a batch"));
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many tokens each text has.
    pub fn lengths(&self) -> Vec<u32> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        self.ends.iter().zip(starts).map(|(end, start)| end - start).collect()
    }

    /// The `n` tokens at a place, joined by blanks.
    pub fn joined(&self, at: u32, n: usize) -> String {
        let at = at as usize;
        let words: Vec<&str> = self.tokens[at..at + n].iter().map(|&token| self.names.name(token)).collect();
        words.join(" ")
    }

    /// Compares the `n` tokens at two places token by token in byte order.
    pub fn compare(&self, a: u32, b: u32, n: usize) -> std::cmp::Ordering {
        let words = |at: u32| self.tokens[at as usize..at as usize + n].iter().map(|&token| self.names.name(token));
        words(a).cmp(words(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_appearance_and_ranks_follow_bytes() {
        let mut names = Numbered::default();
        let numbers: Vec<u32> = ["b", "a", "b", "c"].iter().map(|name| names.number(name)).collect();
        assert_eq!(numbers, [0, 1, 0, 2]);
        assert_eq!((names.name(1), names.ranks()), ("a", vec![1, 0, 2]));
    }

    #[test]
    fn texts_stand_one_after_the_other() {
        let mut texts = TokenTexts::default();
        texts.push(["a", "b", "a"].into_iter());
        texts.push([].into_iter());
        texts.push(["b"].into_iter());
        assert_eq!((texts.tokens.as_slice(), texts.owners.as_slice()), (&[0, 1, 0, 1][..], &[0, 0, 0, 2][..]));
        assert_eq!(texts.lengths(), [3, 0, 1]);
        assert_eq!(texts.joined(1, 2), "b a");
    }
}

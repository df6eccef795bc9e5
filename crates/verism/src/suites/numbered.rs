//! Numbers for names, in order of appearance.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// Names and their numbers.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    /// All names, one after the other: a new one needs no memory of its own.
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

impl Numbered {
    /// No names yet, and room for so many of usual length.
    pub(super) fn with_capacity(names: usize) -> Numbered {
        let (text, ends) = (String::with_capacity(16 * names), Vec::with_capacity(names));
        Numbered { text, ends, numbers: HashTable::with_capacity(names) }
    }

    /// The number of a name, new or known.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let (text, ends) = (self.text.as_bytes(), &self.ends);
        let hash = |name: &[u8]| FxBuildHasher.hash_one(name);
        let of = |number: u32| &text[place_of(ends, number)];
        let next = ends.len() as u32;
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
    pub(super) fn name(&self, number: u32) -> &str {
        &self.text[place_of(&self.ends, number)]
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Ranks of the names in byte order, by number.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&number| self.name(number));
        let mut ranks = vec![0; order.len()];
        for (rank, number) in order.into_iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        ranks
    }

    /// The names by number.
    pub(super) fn into_names(self) -> Vec<Box<str>> {
        (0..self.len() as u32).map(|number| self.name(number).into()).collect()
    }
}

/// Where a name stands among all names.
fn place_of(ends: &[usize], number: u32) -> Range<usize> {
    let number = number as usize;
    number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]
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
}

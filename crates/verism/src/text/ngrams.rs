//! The n-grams of numbered texts, order by order: positions that begin the same n-gram are grouped.

use rayon::prelude::*;

use super::numbered::TokenTexts;

/// Places of n-grams, sorted so that equal n-grams stand together and, within one, places in order.
///
/// The number of an n-gram is made of the number of its first n - 1 tokens and that of its last one, so that any order
/// costs one sort of pairs of numbers and no hashing of texts.
#[derive(Debug)]
pub struct Grams<'a> {
    texts: &'a TokenTexts,
    order: usize,
    /// Number of the first n - 1 tokens, last token, place.
    sorted: Vec<Entry>,
    /// For each place the number of the n-gram that begins there.
    numbers: Vec<u32>,
}

/// Number of the first n - 1 tokens, last token, place.
type Entry = (u32, u32, u32);

/// Longest list that one thread sorts alone.
const SORT_ALONE: usize = 1 << 15;

impl<'a> Grams<'a> {
    /// The single tokens.
    pub fn of(texts: &'a TokenTexts) -> Grams<'a> {
        let mut sorted: Vec<Entry> = (0..).zip(&texts.tokens).map(|(at, &token)| (0, token, at)).collect();
        sort(&mut sorted);
        Grams { texts, order: 1, sorted, numbers: texts.tokens.clone() }
    }

    /// The n-grams that are one token longer.
    pub fn longer(self) -> Grams<'a> {
        let Grams { texts, order, sorted, numbers } = self;
        Grams::from_places(texts, order, sorted.into_iter().map(|(_, _, at)| at), numbers)
    }

    /// Places that begin n-grams of some order, with their numbers, to the next order.
    fn from_places(
        texts: &'a TokenTexts,
        order: usize,
        places: impl Iterator<Item = u32>,
        mut numbers: Vec<u32>,
    ) -> Grams<'a> {
        let inside = |at: &u32| {
            let last = *at as usize + order;
            last < texts.tokens.len() && texts.owners[last] == texts.owners[*at as usize]
        };
        let key = |at: u32| (numbers[at as usize], texts.tokens[at as usize + order], at);
        let mut sorted: Vec<Entry> = places.filter(inside).map(key).collect();
        sort(&mut sorted);
        let mut number = 0_u32;
        let mut before = None;
        for (first, last, at) in &sorted {
            if before.is_some_and(|before| before != (*first, *last)) {
                number += 1;
            }
            before = Some((*first, *last));
            numbers[*at as usize] = number;
        }
        Grams { texts, order: order + 1, sorted, numbers }
    }

    /// Number of tokens of an n-gram.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The texts that they stand in.
    pub fn texts(&self) -> &'a TokenTexts {
        self.texts
    }

    /// The places of n-grams that several texts have.
    pub fn shared_places(&self) -> impl Iterator<Item = u32> {
        let shared = |places: &&[Entry]| Group { places, texts: self.texts }.shared();
        self.groups().filter(shared).flatten().map(|(_, _, at)| *at)
    }

    fn groups(&self) -> impl Iterator<Item = &[Entry]> {
        self.sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
    }

    /// How many n-grams there are, repeated ones counted as often as they stand there.
    pub fn total(&self) -> usize {
        self.sorted.len()
    }

    /// Visits each different n-gram.
    pub fn each(&self, mut visit: impl FnMut(Group<'_>)) {
        self.groups().for_each(|places| visit(Group { places, texts: self.texts }));
    }
}

fn sort(places: &mut [Entry]) {
    if places.len() < SORT_ALONE {
        places.sort_unstable();
    } else {
        places.par_sort_unstable();
    }
}

/// One n-gram and all its places.
#[derive(Clone, Copy, Debug)]
pub struct Group<'g> {
    places: &'g [Entry],
    texts: &'g TokenTexts,
}

impl<'g> Group<'g> {
    /// How often it stands there.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Its first place.
    pub fn first(&self) -> u32 {
        self.places[0].2
    }

    fn owner(&self, place: &Entry) -> u32 {
        self.texts.owners[place.2 as usize]
    }

    /// Whether more than one text has it.
    pub fn shared(&self) -> bool {
        self.owner(&self.places[0]) != self.owner(&self.places[self.places.len() - 1])
    }

    /// The texts that have it, in order: (text, how often, its first place there).
    pub fn texts(self) -> impl Iterator<Item = (u32, u32, u32)> + 'g {
        let owners = &self.texts.owners;
        let same = move |a: &Entry, b: &Entry| owners[a.2 as usize] == owners[b.2 as usize];
        self.places.chunk_by(same).map(move |some| (owners[some[0].2 as usize], some.len() as u32, some[0].2))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn texts(all: &[Vec<String>]) -> TokenTexts {
        let mut texts = TokenTexts::default();
        all.iter().for_each(|text| texts.push(text.iter().map(String::as_str)));
        texts
    }

    /// Counts by text, from windows over the tokens themselves.
    fn counted(all: &[Vec<String>], n: usize) -> BTreeMap<String, BTreeMap<u32, u32>> {
        let mut counts: BTreeMap<String, BTreeMap<u32, u32>> = BTreeMap::new();
        for (i, text) in (0..).zip(all) {
            for window in text.windows(n) {
                *counts.entry(window.join(" ")).or_default().entry(i).or_default() += 1;
            }
        }
        counts
    }

    proptest! {
        #[test]
        fn groups_are_what_windows_give(all in prop::collection::vec(prop::collection::vec("[abc]", 0..8), 0..6)) {
            let texts = texts(&all);
            let mut grams = Grams::of(&texts);
            for n in 1..5 {
                let mut found = BTreeMap::new();
                grams.each(|group| {
                    let by_text: BTreeMap<u32, u32> = group.texts().map(|(text, count, _)| (text, count)).collect();
                    found.insert(texts.joined(group.first(), n), by_text);
                });
                prop_assert_eq!(found, counted(&all, n));
                grams = grams.longer();
            }
        }
    }
}

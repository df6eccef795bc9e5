//! An Aho-Corasick automaton over numbers: all places where any of many sequences ends, in one pass.
//!
//! The numbers are words of a vocabulary (or bytes), not characters: with a million values it has a few million states
//! instead of tens of millions, and a text takes a step per word. States are laid out level by level, so that the
//! children of a state are neighbours and a state needs five numbers. Hand-written because the crates made for this
//! match bytes or characters.
//! Source: A. V. Aho, M. J. Corasick, Efficient string matching, CACM 18 (1975).

use rustc_hash::FxHashMap;

/// No state, no sequence.
const NONE: u32 = u32::MAX;
/// The state before anything was read.
pub(crate) const ROOT: u32 = 0;

/// Finds sequences of numbers.
#[derive(Debug, Default)]
pub(crate) struct Automaton {
    /// The number that leads to each state.
    symbol: Vec<u32>,
    /// The children of state s are the states from `child[s]` up to `child[s + 1]`, in the order of their numbers.
    child: Vec<u32>,
    /// The state of the longest proper suffix that is a beginning of a sequence.
    fail: Vec<u32>,
    /// The nearest state on the way of `fail` where a sequence ends.
    shorter: Vec<u32>,
    /// The sequence that ends at each state.
    ends: Vec<u32>,
    /// The state that each number leads to from the root.
    first: Vec<u32>,
}

impl Automaton {
    /// Builds the automaton of sequences that are in order and all different, none of them empty.
    pub(crate) fn new<S: AsRef<[u32]>>(sequences: &[S]) -> Automaton {
        debug_assert!(sequences.is_sorted_by(|a, b| a.as_ref() < b.as_ref()));
        let mut made = Automaton::default();
        made.push_state(NONE);
        // For each state the sequences that pass through it; states of one level stand together.
        let mut ranges = vec![(0, sequences.len())];
        let (mut state, mut depth, mut level_end) = (0, 0, 1);
        while state < made.symbol.len() {
            if state == level_end {
                depth += 1;
                level_end = made.symbol.len();
            }
            made.child.push(made.symbol.len() as u32);
            let (mut from, to) = ranges[state];
            if from < to && sequences[from].as_ref().len() == depth {
                made.ends[state] = from as u32;
                from += 1;
            }
            while from < to {
                let symbol = sequences[from].as_ref()[depth];
                let same = sequences[from..to].partition_point(|sequence| sequence.as_ref()[depth] == symbol);
                made.push_state(symbol);
                ranges.push((from, from + same));
                from += same;
            }
            state += 1;
        }
        made.child.push(made.symbol.len() as u32);
        made.link();
        made
    }

    fn push_state(&mut self, symbol: u32) {
        self.symbol.push(symbol);
        self.fail.push(ROOT);
        self.shorter.push(NONE);
        self.ends.push(NONE);
    }

    /// Fills in where to go on when no child fits.
    fn link(&mut self) {
        let roots = self.children(ROOT);
        let most = self.symbol[roots.clone()].iter().max().map_or(0, |most| *most as usize + 1);
        self.first = vec![ROOT; most];
        for state in roots {
            self.first[self.symbol[state] as usize] = state as u32;
        }
        for parent in 1..self.symbol.len() {
            for state in self.children(parent as u32) {
                let fail = self.step(self.fail[parent], self.symbol[state]);
                self.fail[state] = fail;
                self.shorter[state] = if self.ends[fail as usize] != NONE { fail } else { self.shorter[fail as usize] };
            }
        }
    }

    fn children(&self, state: u32) -> std::ops::Range<usize> {
        self.child[state as usize] as usize..self.child[state as usize + 1] as usize
    }

    /// The child of a state that a number leads to.
    pub(crate) fn child(&self, state: u32, symbol: u32) -> Option<u32> {
        if state == ROOT {
            return self.first.get(symbol as usize).copied().filter(|child| *child != ROOT);
        }
        let range = self.children(state);
        let start = range.start;
        self.symbol[range].binary_search(&symbol).ok().map(|place| (start + place) as u32)
    }

    /// The state after a number.
    pub(crate) fn step(&self, mut state: u32, symbol: u32) -> u32 {
        loop {
            match self.child(state, symbol) {
                Some(child) => return child,
                None if state == ROOT => return ROOT,
                None => state = self.fail[state as usize],
            }
        }
    }

    /// The state that stands for the next shorter suffix; none from the root.
    pub(crate) fn suffix(&self, state: u32) -> Option<u32> {
        (state != ROOT).then(|| self.fail[state as usize])
    }

    /// The sequence that is exactly what leads to a state.
    pub(crate) fn end(&self, state: u32) -> Option<u32> {
        Some(self.ends[state as usize]).filter(|end| *end != NONE)
    }

    /// The sequences that end when a state is reached, longest first.
    pub(crate) fn ends(&self, state: u32) -> impl Iterator<Item = u32> {
        let first = if self.ends[state as usize] != NONE { state } else { self.shorter[state as usize] };
        let next = |state: &u32| Some(self.shorter[*state as usize]);
        let on = |state: &u32| *state != NONE;
        std::iter::successors(Some(first).filter(on), move |state| next(state).filter(on))
            .map(|state| self.ends[state as usize])
    }
}

/// Numbers for words, in the order in which they are first met.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    numbers: FxHashMap<Box<str>, u32>,
}

impl Vocabulary {
    /// The number of a word; a new one for a new word.
    pub(crate) fn add(&mut self, word: &str) -> u32 {
        match self.numbers.get(word) {
            Some(&number) => number,
            None => {
                let number = self.numbers.len() as u32;
                self.numbers.insert(word.into(), number);
                number
            }
        }
    }

    /// The number of a word that is known.
    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Start and sequence of everything found.
    fn found(sequences: &[Vec<u32>], text: &[u32]) -> Vec<(usize, usize)> {
        let automaton = Automaton::new(sequences);
        let mut state = ROOT;
        let mut out = vec![];
        for (at, &symbol) in text.iter().enumerate() {
            state = automaton.step(state, symbol);
            out.extend(automaton.ends(state).map(|n| (at + 1 - sequences[n as usize].len(), n as usize)));
        }
        out.sort();
        out
    }

    #[test]
    fn overlapping_and_nested_sequences_are_all_found() {
        // By hand: 1 2 at 0, 2 at 1, 2 3 at 1, 3 1 2 at 2, 1 2 at 3, 2 at 4.
        let sequences = [vec![1, 2], vec![2], vec![2, 3], vec![3, 1, 2]];
        assert_eq!(found(&sequences, &[1, 2, 3, 1, 2]), [(0, 0), (1, 1), (1, 2), (2, 3), (3, 0), (4, 1)]);
    }

    #[test]
    fn no_sequences_find_nothing() {
        assert_eq!(found(&[], &[1, 2]), []);
    }

    proptest! {
        #[test]
        fn it_finds_what_a_search_of_every_place_finds(
            sequences in prop::collection::btree_set(prop::collection::vec(0_u32..3, 1..5), 0..12),
            text in prop::collection::vec(0_u32..4, 0..40),
        ) {
            let sequences: Vec<Vec<u32>> = sequences.into_iter().collect();
            let mut naive = vec![];
            for start in 0..text.len() {
                let starts = |sequence: &Vec<u32>| text[start..].starts_with(sequence);
                naive.extend((0..sequences.len()).filter(|n| starts(&sequences[*n])).map(|n| (start, n)));
            }
            prop_assert_eq!(found(&sequences, &text), naive);
        }
    }
}

//! What a text shares with another: its longest common run of tokens.

use super::ngrams::Grams;
use super::suffixes::Suffixes;

/// The longest run of tokens that a text shares with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedRun {
    /// The earliest other text with a shared run of that length.
    pub other: u32,
    /// Where the first such run begins, in the list of all tokens.
    pub at: u32,
    /// Tokens in it.
    pub length: u32,
}

impl SharedRun {
    /// Whether it is to be told rather than another run of the same text: the longer one, of several that with the
    /// earlier text, then the earlier one.
    fn precedes(&self, other: &SharedRun) -> bool {
        (other.length, self.other, self.at) < (self.length, other.other, other.at)
    }
}

/// Collects the longest shared runs: the short ones order by order, the rest at once.
#[derive(Clone, Debug)]
pub struct SharedRuns {
    longest: Vec<Option<SharedRun>>,
    /// Whether the last order had any.
    any: bool,
}

impl SharedRuns {
    /// No text shares anything yet.
    pub fn new(texts: usize) -> SharedRuns {
        SharedRuns { longest: vec![None; texts], any: true }
    }

    fn put(&mut self, text: u32, found: SharedRun) {
        let best = &mut self.longest[text as usize];
        if best.is_none_or(|best| found.precedes(&best)) {
            *best = Some(found);
        }
    }

    /// Takes over what texts share at an order; a longer run replaces a shorter one.
    pub fn add(&mut self, grams: &Grams<'_>) {
        if !self.any {
            return;
        }
        self.any = false;
        let length = grams.order() as u32;
        grams.each(|group| {
            if !group.shared() {
                return;
            }
            self.any = true;
            let mut earliest = Earliest::default();
            group.texts().take(2).for_each(|(text, _, _)| earliest.add(text));
            for (text, _, at) in group.texts() {
                self.put(text, SharedRun { other: earliest.other_than(text), at, length });
            }
        });
    }

    /// Adds the runs that are longer than the n-grams of the order added last, whatever their length.
    ///
    /// Every n-gram of such a run is shared, so that it stands in a stretch of places that begin shared n-grams; the
    /// suffixes of these stretches in order tell which places agree with a place of another text, and how far.
    pub fn finish(mut self, grams: &Grams<'_>) -> Vec<Option<SharedRun>> {
        if self.any {
            let stretches = Stretches::of(grams);
            let suffixes = Suffixes::of(&stretches.tokens, &stretches.ends);
            stretches.runs(&suffixes, |text, run| self.put(text, run));
        }
        self.longest
    }
}

/// The two earliest of some texts.
#[derive(Clone, Copy, Debug)]
struct Earliest(u32, u32);

impl Default for Earliest {
    fn default() -> Self {
        Earliest(u32::MAX, u32::MAX)
    }
}

impl Earliest {
    fn add(&mut self, text: u32) {
        if text < self.0 {
            *self = Earliest(text, self.0);
        } else if text > self.0 {
            self.1 = self.1.min(text);
        }
    }

    fn join(&mut self, other: Earliest) {
        self.add(other.0);
        if other.1 != u32::MAX {
            self.add(other.1);
        }
    }

    fn several(self) -> bool {
        self.1 != u32::MAX
    }

    fn other_than(self, text: u32) -> u32 {
        if text == self.0 { self.1 } else { self.0 }
    }
}

/// The parts of texts that shared n-grams cover, one after the other.
struct Stretches {
    tokens: Vec<u32>,
    ends: Vec<u32>,
    /// Of each token its text and its place among all tokens.
    origins: Vec<(u32, u32)>,
}

/// Suffixes that agree for some tokens: how many, which texts they are of, and those not told yet, in a chain.
#[derive(Clone, Copy)]
struct Agreeing {
    length: u32,
    texts: Earliest,
    first: u32,
    last: u32,
}

/// No suffix.
const NONE: u32 = u32::MAX;

impl Stretches {
    fn of(grams: &Grams<'_>) -> Stretches {
        let texts = grams.texts();
        let mut covered: Vec<(u32, u32)> = grams.shared_places().map(|at| (at, at + grams.order() as u32)).collect();
        covered.sort_unstable();
        let mut stretches = Stretches { tokens: vec![], ends: vec![], origins: vec![] };
        // Places that follow each other; the n-grams of two texts may stand side by side.
        let owner = |at: u32| texts.owners[at as usize];
        for stretch in covered.chunk_by(|a, b| a.0 + 1 == b.0 && owner(a.0) == owner(b.0)) {
            for at in stretch[0].0..stretch[stretch.len() - 1].1 {
                stretches.tokens.push(texts.tokens[at as usize]);
                stretches.origins.push((owner(at), at));
            }
            stretches.ends.push(stretches.tokens.len() as u32);
        }
        stretches
    }

    /// Gives for each place the longest run that begins there and stands in another text too.
    ///
    /// Suffixes in order are the leaves of a tree whose inner nodes are the runs that several begin with. From below,
    /// the first node with suffixes of two texts is the longest run that its suffixes share with another text.
    fn runs(&self, suffixes: &Suffixes, mut put: impl FnMut(u32, SharedRun)) {
        let mut next = vec![NONE; suffixes.order.len()];
        // From the root to the latest suffix, each agreeing further than the one before.
        let mut path: Vec<Agreeing> = vec![];
        let after = suffixes.common.iter().skip(1).copied().chain([0]);
        for (&at, common) in suffixes.order.iter().zip(after) {
            let mut texts = Earliest::default();
            texts.add(self.origins[at as usize].0);
            let mut whole = Agreeing { length: u32::MAX, texts, first: at, last: at };
            // What agrees further than the next suffix does has no more suffixes to come.
            while let Some(mut parent) = path.pop_if(|parent| parent.length > common) {
                parent.take(whole, &mut next);
                self.tell(&mut parent, &next, &mut put);
                whole = parent;
            }
            match path.last_mut().filter(|parent| parent.length == common) {
                Some(parent) => parent.take(whole, &mut next),
                None => path.push(Agreeing { length: common, ..whole }),
            }
        }
    }

    /// If several texts agree, tells the run of each suffix that waits.
    fn tell(&self, node: &mut Agreeing, next: &[u32], put: &mut impl FnMut(u32, SharedRun)) {
        if !node.texts.several() {
            return;
        }
        let mut at = node.first;
        while at != NONE {
            let (text, place) = self.origins[at as usize];
            put(text, SharedRun { other: node.texts.other_than(text), at: place, length: node.length });
            at = next[at as usize];
        }
        (node.first, node.last) = (NONE, NONE);
    }
}

impl Agreeing {
    /// Takes over the suffixes of a node below.
    fn take(&mut self, below: Agreeing, next: &mut [u32]) {
        self.texts.join(below.texts);
        if self.first == NONE {
            (self.first, self.last) = (below.first, below.last);
        } else if below.first != NONE {
            next[self.last as usize] = below.first;
            self.last = below.last;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::numbered::TokenTexts;
    use super::*;

    fn numbered(all: &[Vec<String>]) -> TokenTexts {
        let mut texts = TokenTexts::default();
        all.iter().for_each(|text| texts.push(text.iter().map(String::as_str)));
        texts
    }

    /// Orders up to `orders` one by one, the rest at once.
    fn runs(texts: &TokenTexts, orders: usize) -> Vec<Option<SharedRun>> {
        let mut found = SharedRuns::new(texts.len());
        let mut grams = Grams::of(texts);
        found.add(&grams);
        for _ in 1..orders {
            grams = grams.longer();
            found.add(&grams);
        }
        found.finish(&grams)
    }

    proptest! {
        #[test]
        fn the_definition_word_for_word(
            all in prop::collection::vec(prop::collection::vec("[abc]", 0..9), 1..6), orders in 1_usize..5
        ) {
            let has = |text: &[String], run: &[String]| text.windows(run.len()).any(|window| window == run);
            let texts = numbered(&all);
            for (i, found) in runs(&texts, orders).into_iter().enumerate() {
                let longest = (1..10).rev().find_map(|n| {
                    let others = (0..all.len()).filter(|j| *j != i);
                    let first = |j: usize| all[i].windows(n).find(|run| has(&all[j], run)).map(|run| (j as u32, run.join(" ")));
                    others.into_iter().find_map(first)
                });
                let found = found.map(|run| (run.other, texts.joined(run.at, run.length as usize)));
                prop_assert_eq!(found, longest);
            }
        }
    }

    #[test]
    fn a_long_text_that_stands_there_twice_is_one_run() {
        let text: Vec<String> = (0..20_000).map(|i| (i % 7_000).to_string()).collect();
        let texts = numbered(&[text[1..].to_vec(), vec!["5".into()], text]);
        let found = runs(&texts, 4);
        // The third text is the first with one more token at its start; `5` stands in all three.
        assert_eq!(found[0], Some(SharedRun { other: 2, at: 0, length: 19_999 }));
        assert_eq!(found[1], Some(SharedRun { other: 0, at: 19_999, length: 1 }));
        assert_eq!(found[2], Some(SharedRun { other: 0, at: 20_001, length: 19_999 }));
    }
}

//! What a text shares with another: its longest common run of tokens.

use super::ngrams::Grams;

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

/// Collects the longest shared runs, order by order.
#[derive(Clone, Debug)]
pub struct SharedRuns {
    /// For each text its longest run so far.
    pub longest: Vec<Option<SharedRun>>,
    /// Whether the last order had any.
    pub any: bool,
}

impl SharedRuns {
    /// No text shares anything yet.
    pub fn new(texts: usize) -> SharedRuns {
        SharedRuns { longest: vec![None; texts], any: true }
    }

    /// Takes over what texts share at an order; a longer run replaces a shorter one.
    pub fn add(&mut self, grams: &Grams<'_>) {
        self.any = false;
        let length = grams.order() as u32;
        grams.each(|group| {
            if !group.shared() {
                return;
            }
            self.any = true;
            let (mut first, mut second) = (u32::MAX, u32::MAX);
            for (text, _, _) in group.texts().take(2) {
                (first, second) = if first == u32::MAX { (text, u32::MAX) } else { (first, text) };
            }
            for (text, _, at) in group.texts() {
                let other = if text == first { second } else { first };
                let found = SharedRun { other, at, length };
                let best = &mut self.longest[text as usize];
                if best.is_none_or(|best| (best.length < length) || (other, at) < (best.other, best.at)) {
                    *best = Some(found);
                }
            }
        });
    }
}

/// Goes on from an order that has been added until no text shares anything.
pub fn finish(runs: &mut SharedRuns, mut grams: Grams<'_>) {
    while runs.any {
        grams = grams.longer_shared();
        runs.add(&grams);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::numbered::TokenTexts;
    use super::*;

    fn runs(all: &[Vec<String>]) -> Vec<Option<(u32, String)>> {
        let mut texts = TokenTexts::default();
        all.iter().for_each(|text| texts.push(text.iter().map(String::as_str)));
        let mut found = SharedRuns::new(texts.len());
        let grams = Grams::of(&texts);
        found.add(&grams);
        finish(&mut found, grams);
        let show = |run: &Option<SharedRun>| run.map(|run| (run.other, texts.joined(run.at, run.length as usize)));
        found.longest.iter().map(show).collect()
    }

    proptest! {
        #[test]
        fn the_definition_word_for_word(all in prop::collection::vec(prop::collection::vec("[abc]", 0..7), 1..6)) {
            let has = |text: &[String], run: &[String]| text.windows(run.len()).any(|window| window == run);
            for (i, found) in runs(&all).into_iter().enumerate() {
                let longest = (1..8).rev().find_map(|n| {
                    let others = (0..all.len()).filter(|j| *j != i);
                    let first = |j: usize| all[i].windows(n).find(|run| has(&all[j], run)).map(|run| (j as u32, run.join(" ")));
                    others.into_iter().find_map(first)
                });
                prop_assert_eq!(found, longest);
            }
        }
    }
}

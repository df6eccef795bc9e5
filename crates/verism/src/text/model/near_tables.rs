//! Neighbours of a word, laid out so that each is found at once.

use std::cmp::Reverse;
use std::sync::OnceLock;

/// Neighbours of a word in order, and how often each was met; numbers as in the file.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) words: &'a [u32],
    pub(super) counts: &'a [u32],
}

impl Row<'_> {
    fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.words.iter().zip(self.counts).map(|(word, count)| (u32::from_le(*word), u32::from_le(*count)))
    }
}

/// The neighbours of a word, laid out so that each is found at once.
#[derive(Default)]
pub(super) struct Spread {
    /// The count of each word of the model, or [`MANY`].
    few: Vec<u8>,
    /// The words with larger counts, in order: few unless the corpus has a large weight.
    many: Vec<(u32, u32)>,
}

/// Stands for a count that does not fit into a byte.
const MANY: u8 = u8::MAX;

impl Spread {
    /// The neighbours of a word in a model of so many words.
    fn of(near: Row<'_>, words: usize) -> Spread {
        let mut spread = Spread::default();
        spread.fill(near, words);
        spread
    }

    /// Lays out the neighbours of a word; there were none before.
    pub(super) fn fill(&mut self, near: Row<'_>, words: usize) {
        self.few.resize(words, 0);
        for (word, count) in near.iter() {
            self.few[word as usize] = u8::try_from(count).unwrap_or(MANY);
            if count >= u32::from(MANY) {
                self.many.push((word, count));
            }
        }
    }

    /// Takes the neighbours out again.
    pub(super) fn clear(&mut self, near: Row<'_>) {
        near.words.iter().for_each(|word| self.few[u32::from_le(*word) as usize] = 0);
        self.many.clear();
    }

    /// The inner product of the counts with those of a row.
    pub(super) fn product(&self, row: Row<'_>) -> u128 {
        let (mut few, mut many) = (0_u64, 0_u128);
        for (word, count) in row.iter() {
            match self.few[word as usize] {
                MANY => many += u128::from(count) * u128::from(self.count_of_many(word)),
                one => few += u64::from(count) * u64::from(one),
            }
        }
        u128::from(few) + many
    }

    #[cold]
    fn count_of_many(&self, word: u32) -> u32 {
        self.many.binary_search_by_key(&word, |(word, _)| *word).map_or(0, |place| self.many[place].1)
    }
}

/// Layouts of the neighbours of the commonest words, made when they are first asked for and then shared.
#[derive(Default)]
pub(super) struct NearTables {
    /// The commonest words in order, and how many words there are in all.
    common: Vec<(u32, OnceLock<Spread>)>,
    words: usize,
}

/// Bytes that all shared layouts may take, but for large counts.
const TABLE_BYTES: usize = 32 << 20;
/// Neighbours that a word must have for its layout to be kept: so many, and one of so many words.
const COMMON: usize = 32;
const SHARED_SHARE: usize = 64;

impl NearTables {
    /// For words that have so many neighbours.
    pub(super) fn over(near: &[usize]) -> NearTables {
        let least = COMMON.max(near.len() / SHARED_SHARE);
        let mut common: Vec<u32> = (0..near.len() as u32).filter(|word| near[*word as usize] >= least).collect();
        common.sort_by_key(|word| Reverse(near[*word as usize]));
        common.truncate(TABLE_BYTES / near.len().max(1));
        common.sort_unstable();
        NearTables { common: common.into_iter().map(|word| (word, OnceLock::new())).collect(), words: near.len() }
    }

    /// The layout of a word, given its neighbours; none if it is not among the commonest.
    pub(super) fn get(&self, word: u32, near: Row<'_>) -> Option<&Spread> {
        let place = self.common.binary_search_by_key(&word, |(word, _)| *word).ok()?;
        Some(self.common[place].1.get_or_init(|| Spread::of(near, self.words)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_words_have_a_layout() {
        // Of 6,400 words those with 100 neighbours or more.
        let mut near = vec![99; 6400];
        near[7] = 100;
        near[6000] = 4000;
        let tables = NearTables::over(&near);
        let row = Row { words: &[3], counts: &[2] };
        assert_eq!([7, 8, 6000].map(|word| tables.get(word, row).is_some()), [true, false, true]);
        assert_eq!(tables.get(7, row).map(|spread| spread.product(row)), Some(4));
        // Of a million words there is room for 33; of several that are as common the first count.
        let tables = NearTables::over(&vec![20_000; 1_000_000]);
        assert_eq!((tables.common.len(), tables.common[32].0), (33, 32));
    }

    #[test]
    fn a_layout_gives_the_product_of_two_rows() {
        // 2·300 + 7·255 by hand; neither count fits into a byte beside its mark. Word 4 is in one of the rows alone.
        let near = Row { words: &[1, 3, 4], counts: &[300, 255, 9] };
        let row = Row { words: &[0, 1, 3], counts: &[5, 2, 7] };
        let mut spread = Spread::of(near, 6);
        assert_eq!(spread.product(row), 2385);
        spread.clear(near);
        assert_eq!(spread.product(row), 0);
        spread.fill(row, 6);
        assert_eq!(spread.product(near), 2385);
    }
}

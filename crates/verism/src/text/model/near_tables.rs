//! Neighbours of a word, laid out so that each is found at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

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
    /// The count of each word of the model; 0 if it takes more than a byte.
    few: Vec<u8>,
    /// The words whose counts take more.
    many: Vec<(u32, u32)>,
}

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
            match u8::try_from(count) {
                Ok(few) => self.few[word as usize] = few,
                Err(_) => self.many.push((word, count)),
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
        let few: u64 = row.iter().map(|(word, count)| u64::from(count) * u64::from(self.few[word as usize])).sum();
        let many = self.many.iter().filter_map(|(word, many)| {
            let place = row.words.binary_search_by_key(word, |other| u32::from_le(*other)).ok()?;
            Some(u128::from(u32::from_le(row.counts[place])) * u128::from(*many))
        });
        u128::from(few) + many.sum::<u128>()
    }
}

/// Layouts of the neighbours of the commonest words, made when they are first asked for and then shared.
pub(super) struct NearTables {
    tables: RwLock<FxHashMap<u32, Arc<Spread>>>,
    /// How many more bytes they may take.
    left: AtomicU64,
}

/// Bytes that all shared layouts may take.
const TABLE_BYTES: u64 = 32 << 20;
/// Neighbours that a word must have for its layout to be kept: so many, and one of so many words.
const COMMON: usize = 32;
const SHARED_SHARE: usize = 64;

impl Default for NearTables {
    fn default() -> NearTables {
        NearTables { tables: RwLock::default(), left: AtomicU64::new(TABLE_BYTES) }
    }
}

impl NearTables {
    /// The layout of a word in a model of so many, given its neighbours; none if it has few, or memory is used up.
    pub(super) fn get(&self, word: u32, near: Row<'_>, words: usize) -> Option<Arc<Spread>> {
        if near.words.len() < COMMON.max(words / SHARED_SHARE) {
            return None;
        }
        if let Some(known) = self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&word) {
            return Some(known.clone());
        }
        let taken = |left: u64| left.checked_sub(words as u64);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).ok()?;
        let made = Arc::new(Spread::of(near, words));
        Some(self.tables.write().unwrap_or_else(PoisonError::into_inner).entry(word).or_insert(made).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_gives_the_product_of_two_rows() {
        // 2·300 + 7·1 by hand; counts above 255 do not fit into a byte. Word 4 is in one of the rows alone.
        let near = Row { words: &[1, 3, 4], counts: &[300, 1, 9] };
        let row = Row { words: &[0, 1, 3], counts: &[5, 2, 7] };
        let mut spread = Spread::of(near, 6);
        assert_eq!(spread.product(row), 607);
        spread.clear(near);
        assert_eq!(spread.product(row), 0);
        spread.fill(row, 6);
        assert_eq!(spread.product(near), 607);
    }
}

//! Neighbours of common words, laid out so that each is found at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

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

    /// The inner product with the counts that `other` gives, which takes 64 bits if it `fits`.
    fn product(&self, fits: bool, other: impl Fn(u32) -> u32) -> u128 {
        let both = self.iter().map(|(word, count)| u64::from(count) * u64::from(other(word)));
        if fits { both.sum::<u64>().into() } else { both.map(u128::from).sum() }
    }
}

/// The neighbours of a word, laid out so that each is found at once.
pub(super) enum NearTable {
    /// The count of each word of the model in a byte; [`MANY`] for those that take more.
    Spread(Box<[u8]>),
    /// Places by hashes, twice as many as neighbours or more: the word in the upper half, the count in the lower one.
    Hashed(Box<[u64]>),
}

/// Stands for all counts that take more than a byte, which are searched for.
const MANY: u8 = u8::MAX;
/// A place without a neighbour.
const FREE: u64 = u64::MAX;

impl NearTable {
    pub(super) fn spread(near: Row<'_>, words: usize) -> NearTable {
        let mut spread = vec![0; words];
        for (word, count) in near.iter() {
            if let Some(place) = spread.get_mut(word as usize) {
                *place = u8::try_from(count).unwrap_or(MANY);
            }
        }
        NearTable::Spread(spread.into())
    }

    pub(super) fn hashed(near: Row<'_>) -> NearTable {
        let mut hashed = vec![FREE; (2 * near.words.len()).next_power_of_two()];
        for (word, count) in near.iter() {
            let mut place = hash(word, hashed.len());
            while hashed[place] != FREE {
                place = (place + 1) & (hashed.len() - 1);
            }
            hashed[place] = u64::from(word) << 32 | u64::from(count);
        }
        NearTable::Hashed(hashed.into())
    }

    /// The inner product of a row with the one of the table, `near`; it takes 64 bits if it `fits`.
    pub(super) fn product(&self, row: Row<'_>, near: Row<'_>, fits: bool) -> u128 {
        match self {
            NearTable::Spread(spread) => row.product(fits, |word| spread_count(spread, word, near)),
            NearTable::Hashed(hashed) => row.product(fits, |word| hashed_count(hashed, word)),
        }
    }
}

/// The place of a word among so many, a power of two.
fn hash(word: u32, places: usize) -> usize {
    (u64::from(word).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (places - 1)
}

fn spread_count(spread: &[u8], word: u32, near: Row<'_>) -> u32 {
    match spread.get(word as usize) {
        None => 0,
        Some(&MANY) => {
            let found = near.words.binary_search_by_key(&word, |near| u32::from_le(*near));
            found.map_or(0, |i| u32::from_le(near.counts[i]))
        }
        Some(few) => u32::from(*few),
    }
}

fn hashed_count(hashed: &[u64], word: u32) -> u32 {
    let mut place = hash(word, hashed.len());
    loop {
        match hashed[place] {
            FREE => return 0,
            found if found >> 32 == u64::from(word) => return found as u32,
            _ => place = (place + 1) & (hashed.len() - 1),
        }
    }
}

/// Tables of the neighbours of common words, made when they are first asked for.
#[derive(Default)]
pub(super) struct NearTables {
    pub(super) words: Vec<OnceLock<NearTable>>,
    /// How many more bytes they may take.
    left: AtomicU64,
}

/// Bytes that all tables may take.
const TABLE_BYTES: u64 = 32 << 20;
/// Neighbours that a word must have: fewer are searched as quickly.
const COMMON: usize = 32;
/// Of so many words one must be a neighbour for the table to have a byte for each word.
const SPREAD_SHARE: usize = 64;

impl NearTables {
    pub(super) fn over(words: usize) -> NearTables {
        NearTables { words: (0..words).map(|_| OnceLock::new()).collect(), left: AtomicU64::new(TABLE_BYTES) }
    }

    /// The table of a word, given its neighbours; none if it has few, or memory is used up.
    pub(super) fn get(&self, word: u32, near: Row<'_>) -> Option<&NearTable> {
        let (place, words) = (self.words.get(word as usize)?, self.words.len());
        if near.words.len() < COMMON {
            return None;
        }
        if let Some(table) = place.get() {
            return Some(table);
        }
        let is_spread = near.words.len() >= words / SPREAD_SHARE;
        let bytes = if is_spread { words } else { 8 * (2 * near.words.len()).next_power_of_two() } as u64;
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).ok()?;
        Some(place.get_or_init(|| if is_spread { NearTable::spread(near, words) } else { NearTable::hashed(near) }))
    }
}

//! The bytes of a model file.

use sha2::{Digest, Sha256};

use super::WINDOW;
use super::layout::{BLANKS, BODY, CONTENT_VERSION, FORMAT_VERSION, HASH, LIST, MAGIC, SECTIONS, Section, TOKENIZERS};
use super::tables::{Pair, Tables};

/// A table has more than 2^32 entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A file under construction.
struct Builder {
    bytes: Vec<u8>,
    list: [(u64, u64); SECTIONS],
    wide: bool,
}

impl Builder {
    fn section(&mut self, section: Section, write: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.list[section as usize] = (start as u64, (self.bytes.len() - start) as u64);
    }

    fn counts(&mut self, section: Section, counts: impl Iterator<Item = u64>) {
        let wide = self.wide;
        self.section(section, |out| {
            for count in counts {
                if wide {
                    out.extend_from_slice(&count.to_le_bytes());
                } else {
                    out.extend_from_slice(&(count as u32).to_le_bytes());
                }
            }
        });
    }

    fn small(&mut self, section: Section, numbers: impl Iterator<Item = u32>) {
        self.section(section, |out| numbers.for_each(|number| out.extend_from_slice(&number.to_le_bytes())));
    }
}

/// For `rows` rows the first place of each in a list of sorted keys, and the end.
fn row_starts<K: Copy>(keys: &[(K, u64)], rows: usize, row: impl Fn(K) -> usize) -> Vec<u32> {
    let mut starts = vec![0_u32; rows + 1];
    keys.iter().for_each(|(key, _)| starts[row(*key) + 1] += 1);
    (0..rows).for_each(|i| starts[i + 1] += starts[i]);
    starts
}

/// For each bigram its count in a list of some of them.
fn spread(bigrams: &[(Pair, u64)], some: &[(Pair, u64)]) -> Vec<u64> {
    let mut rest = some.iter().peekable();
    bigrams.iter().map(|(key, _)| rest.next_if(|(other, _)| other == key).map_or(0, |(_, count)| *count)).collect()
}

/// Both directions of neighbours, sorted.
fn both_ways(near: &[(Pair, u64)]) -> Vec<(Pair, u64)> {
    let mut all: Vec<(Pair, u64)> = Vec::with_capacity(2 * near.len());
    for &(key, count) in near {
        let (a, b) = (key >> 32, key & 0xffff_ffff);
        if a == b {
            all.push((key, 2 * count));
        } else {
            all.push((key, count));
            all.push((b << 32 | a, count));
        }
    }
    all.sort_unstable();
    all
}

/// How many counts are 1, 2, 3, 4.
fn counts_of_counts(counts: impl Iterator<Item = u64>) -> [u64; 4] {
    let mut found = [0; 4];
    counts.filter(|count| (1..=4).contains(count)).for_each(|count| found[count as usize - 1] += 1);
    found
}

impl Tables {
    /// The bytes of the model file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TooLarge> {
        let near = both_ways(&self.near);
        let letters: usize = self.words.iter().map(|word| word.len()).sum();
        let lengths = [self.words.len(), self.bigrams.len(), self.trigrams.len(), near.len(), letters];
        if lengths.iter().any(|length| *length >= u32::MAX as usize) {
            return Err(TooLarge);
        }
        let pair_rows = row_starts(&self.bigrams, self.words.len(), |key| (key >> 32) as usize);
        let place_of = |key: Pair| {
            let row = (key >> 32) as usize;
            let (start, end) = (pair_rows[row] as usize, pair_rows[row + 1] as usize);
            self.bigrams[start..end].binary_search_by_key(&key, |(other, _)| *other).ok().map(|i| start + i)
        };
        let starts = spread(&self.bigrams, &self.starts);
        let ends = spread(&self.bigrams, &self.ends);
        let mut lefts: Vec<u32> = starts.iter().map(|count| u32::from(*count > 0)).collect();
        let mut triple_rows = vec![0_u32; self.bigrams.len() + 1];
        for (key, _) in &self.trigrams {
            let front = place_of((key >> 32) as u64).expect("a trigram begins with a bigram");
            triple_rows[front + 1] += 1;
            lefts[place_of(*key as u64).expect("a trigram ends with a bigram")] += 1;
        }
        (0..self.bigrams.len()).for_each(|i| triple_rows[i + 1] += triple_rows[i]);

        let word_counts = || self.counts.iter();
        let lists = [&self.bigrams, &self.prints, &near];
        let largest = lists.iter().flat_map(|list| list.iter().map(|(_, count)| *count)).max().unwrap_or(0);
        let largest = word_counts().map(|word| word.count.max(word.documents).max(word.first)).max().max(Some(largest));
        let wide = largest.is_some_and(|largest| largest > u64::from(u32::MAX));
        let mut file = Builder { bytes: vec![0; BODY], list: [(0, 0); SECTIONS], wide };
        let mut end = 0;
        file.small(
            Section::WordEnds,
            self.words.iter().map(|word| {
                end += word.len() as u32;
                end
            }),
        );
        file.section(Section::WordBytes, |out| {
            self.words.iter().for_each(|word| out.extend_from_slice(word.as_bytes()))
        });
        file.counts(Section::Count, word_counts().map(|word| word.count));
        file.counts(Section::First, word_counts().map(|word| word.first));
        file.counts(Section::Last, word_counts().map(|word| word.last));
        file.counts(Section::Alone, word_counts().map(|word| word.alone));
        file.counts(Section::Documents, word_counts().map(|word| word.documents));
        file.small(Section::PairRows, pair_rows.iter().copied());
        file.small(Section::PairWords, self.bigrams.iter().map(|(key, _)| *key as u32));
        file.counts(Section::PairCounts, self.bigrams.iter().map(|(_, count)| *count));
        file.counts(Section::PairStarts, starts.iter().copied());
        file.counts(Section::PairEnds, ends.iter().copied());
        file.small(Section::PairLefts, lefts.iter().copied());
        file.small(Section::TripleRows, triple_rows.into_iter());
        file.small(Section::TripleWords, self.trigrams.iter().map(|(key, _)| *key as u32));
        file.counts(Section::TripleCounts, self.trigrams.iter().map(|(_, count)| *count));
        let near_rows = row_starts(&near, self.words.len(), |key| (key >> 32) as usize);
        file.small(Section::NearRows, near_rows.into_iter());
        file.small(Section::NearWords, near.iter().map(|(key, _)| *key as u32));
        file.counts(Section::NearCounts, near.iter().map(|(_, count)| *count));
        file.section(Section::Prints, |out| {
            self.prints.iter().for_each(|(print, _)| out.extend_from_slice(&print.to_le_bytes()))
        });
        file.counts(Section::PrintCounts, self.prints.iter().map(|(_, count)| *count));
        file.bytes.resize(file.bytes.len().next_multiple_of(8), 0);
        let of_counts = self.counts_of_counts(&starts, &ends, &lefts);
        self.write_head(&mut file, of_counts);
        let hash: [u8; HASH] = Sha256::digest(&file.bytes).into();
        file.bytes.extend_from_slice(&hash);
        Ok(file.bytes)
    }

    /// Of each order of the Kneser-Ney model, how many of its counts are 1, 2, 3 and 4; the third order first.
    fn counts_of_counts(&self, starts: &[u64], ends: &[u64], lefts: &[u32]) -> [[u64; 4]; 3] {
        let words = self.counts.len();
        // Different tokens before the end of a document after each word, and before each word.
        let (mut before_end, mut before) = (vec![0_u64; words], vec![0_u64; words]);
        for ((key, _), end) in self.bigrams.iter().zip(ends) {
            before_end[*key as u32 as usize] += u64::from(*end > 0);
            before[*key as u32 as usize] += 1;
        }
        for (i, word) in self.counts.iter().enumerate() {
            before_end[i] += u64::from(word.alone > 0);
            before[i] += u64::from(word.first > 0);
        }
        let alone = self.counts.iter().map(|word| word.alone);
        let triples = self.trigrams.iter().map(|(_, count)| *count);
        let third = triples.chain(starts.iter().copied()).chain(ends.iter().copied()).chain(alone);
        let first_words = self.counts.iter().map(|word| word.first);
        let second = lefts.iter().map(|count| u64::from(*count)).chain(before_end).chain(first_words);
        let last_words = self.counts.iter().filter(|word| word.last > 0).count() as u64;
        let first = before.into_iter().chain([last_words]);
        [counts_of_counts(third), counts_of_counts(second), counts_of_counts(first)]
    }

    fn write_head(&self, file: &mut Builder, of_counts: [[u64; 4]; 3]) {
        let place = |position: Option<usize>| position.expect("the reading is one of those listed") as u32;
        let tokens = place(TOKENIZERS.iter().position(|tokens| *tokens == self.reading.tokens));
        let blanks = place(BLANKS.iter().position(|blanks| *blanks == self.reading.blanks));
        let mut head = MAGIC.to_vec();
        for number in [FORMAT_VERSION, CONTENT_VERSION, tokens, blanks, WINDOW as u32, u32::from(file.wide)] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        let large = self.documents.iter().chain(&self.digest.0).chain(of_counts.as_flattened());
        large.for_each(|number| head.extend_from_slice(&number.to_le_bytes()));
        debug_assert_eq!(head.len(), LIST);
        for (start, length) in file.list {
            head.extend_from_slice(&start.to_le_bytes());
            head.extend_from_slice(&length.to_le_bytes());
        }
        file.bytes[..BODY].copy_from_slice(&head);
    }
}

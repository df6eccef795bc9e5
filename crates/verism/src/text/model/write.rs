//! The bytes of a model file.

use std::ops::Range;

use super::bytes::Bytes;
use super::layout::{
    ALL, BLANKS, BODY, CHECKSUM, CONTENT_VERSION, FORMAT_VERSION, LIST, MAGIC, SECTIONS, Section, TOKENIZERS, checksum,
};
use super::tables::{Pair, Tables, Triple, WordCounts};
use super::{Model, WINDOW};

/// A table has more than 2^32 entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A file under construction: all sections have their places before the first is written.
struct Builder {
    bytes: Bytes,
    sections: [Range<usize>; SECTIONS],
    wide: bool,
}

impl Builder {
    /// Room for sections of so many bytes each, and for the head and the hash around them.
    fn new(lengths: [usize; SECTIONS], wide: bool) -> Builder {
        let mut end = BODY;
        let sections = lengths.map(|length| {
            let start = end.next_multiple_of(8);
            end = start + length;
            start..end
        });
        Builder { bytes: Bytes::zeros(end.next_multiple_of(8) + CHECKSUM), sections, wide }
    }

    fn section(&mut self, section: Section) -> &mut [u8] {
        &mut self.bytes.get_mut()[self.sections[section as usize].clone()]
    }

    fn small(&mut self, section: Section, numbers: impl Iterator<Item = u32>) {
        let places: &mut [u32] = bytemuck::cast_slice_mut(self.section(section));
        places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number.to_le());
    }

    fn counts(&mut self, section: Section, counts: impl Iterator<Item = u64>) {
        self.counts_at(section, (0..).zip(counts));
    }

    /// Counts with their places, in any order.
    fn counts_at(&mut self, section: Section, counts: impl Iterator<Item = (usize, u64)>) {
        let wide = self.wide;
        let bytes = self.section(section);
        if wide {
            let places: &mut [u64] = bytemuck::cast_slice_mut(bytes);
            counts.for_each(|(at, count)| places[at] = count.to_le());
        } else {
            let places: &mut [u32] = bytemuck::cast_slice_mut(bytes);
            counts.for_each(|(at, count)| places[at] = (count as u32).to_le());
        }
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

/// The rows of neighbours both ways: of each word those before it, then itself and those after it.
struct BothWays<'t> {
    near: &'t [(Pair, u64)],
    /// The first place of each row, and the end.
    rows: Vec<u32>,
    /// How many of each row come before the word itself.
    before: Vec<u32>,
}

impl<'t> BothWays<'t> {
    fn of(near: &'t [(Pair, u64)], words: usize) -> BothWays<'t> {
        let (mut before, mut rows) = (vec![0_u32; words], vec![0_u32; words + 1]);
        for (key, _) in near {
            let (a, b) = ((key >> 32) as usize, *key as u32 as usize);
            rows[a + 1] += 1;
            if a != b {
                before[b] += 1;
                rows[b + 1] += 1;
            }
        }
        (0..words).for_each(|i| rows[i + 1] += rows[i]);
        BothWays { near, rows, before }
    }

    /// Every entry: its place, the neighbour and the count. Pairs come in order, so that each row fills in order too.
    fn entries(&self) -> impl Iterator<Item = (usize, u32, u64)> {
        let words = self.before.len();
        let mut backward: Vec<u32> = self.rows[..words].to_vec();
        let mut forward: Vec<u32> = backward.iter().zip(&self.before).map(|(row, before)| row + before).collect();
        let next = |cursor: &mut u32| {
            *cursor += 1;
            *cursor as usize - 1
        };
        self.near.iter().flat_map(move |&(key, count)| {
            let (a, b) = ((key >> 32) as u32, key as u32);
            let there = next(&mut forward[a as usize]);
            let back = (a != b).then(|| (next(&mut backward[b as usize]), a, count));
            // A word that is its own neighbour is so from both sides.
            let own = if a == b { count.saturating_mul(2) } else { count };
            [Some((there, b, own)), back].into_iter().flatten()
        })
    }
}

/// For each bigram how many different tokens come before it in trigrams.
///
/// Last tokens are put together by the middle one; the row of bigrams of each is then spread out over all words.
fn lefts(trigrams: &[(Triple, u64)], pair_rows: &[u32], bigrams: &[(Pair, u64)]) -> Vec<u32> {
    let words = pair_rows.len() - 1;
    let middle = |key: Triple| (key >> 32) as u32 as usize;
    let rows = row_starts(trigrams, words, middle);
    let mut next = rows.clone();
    let mut last = vec![0_u32; trigrams.len()];
    for (key, _) in trigrams {
        let at = &mut next[middle(*key)];
        last[*at as usize] = *key as u32;
        *at += 1;
    }
    let mut found = vec![0_u32; bigrams.len()];
    let mut counts = vec![0_u32; words];
    for word in 0..words {
        let of_word = &last[rows[word] as usize..rows[word + 1] as usize];
        of_word.iter().for_each(|last| counts[*last as usize] += 1);
        let places = pair_rows[word] as usize..pair_rows[word + 1] as usize;
        for (place, (key, _)) in found[places.clone()].iter_mut().zip(&bigrams[places]) {
            *place = std::mem::take(&mut counts[*key as u32 as usize]);
        }
    }
    found
}

/// For each bigram how many trigrams begin with it, as first places in the list of trigrams, and the end.
fn triple_rows(trigrams: &[(Triple, u64)], bigrams: &[(Pair, u64)]) -> Vec<u32> {
    let mut rows = Vec::with_capacity(bigrams.len() + 1);
    let mut at = 0;
    for (key, _) in bigrams {
        rows.push(at as u32);
        at += trigrams[at..].iter().take_while(|(triple, _)| (triple >> 32) as u64 == *key).count();
    }
    rows.push(at as u32);
    rows
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
        Ok(self.laid_out()?.get().to_vec())
    }

    /// The model, with the bytes of its file.
    pub fn into_model(self) -> Result<Model, TooLarge> {
        let bytes = self.laid_out()?;
        drop(self);
        Ok(Model::of_own(bytes).expect("a head that was just written"))
    }

    fn laid_out(&self) -> Result<Bytes, TooLarge> {
        let (words, pairs, triples) = (self.words.len(), self.bigrams.len(), self.trigrams.len());
        let letters: usize = self.words.iter().map(|word| word.len()).sum();
        if [words, pairs, triples, 2 * self.near.len(), letters].iter().any(|length| *length >= u32::MAX as usize) {
            return Err(TooLarge);
        }
        let near = BothWays::of(&self.near, words);
        let nears = near.rows[words] as usize;
        let wide = self.largest() > u64::from(u32::MAX);
        let count = if wide { 8 } else { 4 };
        let lengths = |section: Section| match section {
            Section::WordEnds => 4 * words,
            Section::WordBytes => letters,
            Section::Count | Section::First | Section::Last | Section::Alone | Section::Documents => count * words,
            Section::PairRows | Section::NearRows => 4 * (words + 1),
            Section::PairWords | Section::PairLefts => 4 * pairs,
            Section::PairCounts | Section::PairStarts | Section::PairEnds => count * pairs,
            Section::TripleRows => 4 * (pairs + 1),
            Section::TripleWords => 4 * triples,
            Section::TripleCounts => count * triples,
            Section::NearWords => 4 * nears,
            Section::NearCounts => count * nears,
            Section::Prints => 8 * self.prints.len(),
            Section::PrintCounts => count * self.prints.len(),
        };
        let mut file = Builder::new(ALL.map(lengths), wide);
        self.write_words(&mut file);
        let of_counts = self.write_grams(&mut file);
        file.small(Section::NearRows, near.rows.iter().copied());
        let places: &mut [u32] = bytemuck::cast_slice_mut(file.section(Section::NearWords));
        near.entries().for_each(|(at, word, _)| places[at] = word.to_le());
        file.counts_at(Section::NearCounts, near.entries().map(|(at, _, count)| (at, count)));
        let prints: &mut [u64] = bytemuck::cast_slice_mut(file.section(Section::Prints));
        prints.iter_mut().zip(&self.prints).for_each(|(place, (print, _))| *place = print.to_le());
        file.counts(Section::PrintCounts, self.prints.iter().map(|(_, count)| *count));
        self.write_head(&mut file, of_counts);
        let body = file.bytes.get().len() - CHECKSUM;
        let hash = checksum(&file.bytes.get()[..body]);
        file.bytes.get_mut()[body..].copy_from_slice(&hash);
        Ok(file.bytes)
    }

    /// The largest of all counts.
    fn largest(&self) -> u64 {
        let lists = [&self.bigrams, &self.starts, &self.ends, &self.prints];
        let lists = lists.into_iter().flatten().map(|(_, count)| *count);
        let triples = self.trigrams.iter().map(|(_, count)| *count);
        // A word that is its own neighbour counts twice.
        let near = self
            .near
            .iter()
            .map(|(key, count)| if key >> 32 == key & 0xffff_ffff { count.saturating_mul(2) } else { *count });
        let words = self.counts.iter().flat_map(|word| [word.count, word.documents, word.first, word.last, word.alone]);
        lists.chain(triples).chain(near).chain(words).max().unwrap_or(0)
    }

    fn write_words(&self, file: &mut Builder) {
        let ends = self.words.iter().scan(0, |end, word| {
            *end += word.len() as u32;
            Some(*end)
        });
        file.small(Section::WordEnds, ends);
        let mut rest = file.section(Section::WordBytes);
        for word in &self.words {
            let (place, after) = rest.split_at_mut(word.len());
            place.copy_from_slice(word.as_bytes());
            rest = after;
        }
        let mut counts = |section: Section, count: fn(&WordCounts) -> u64| {
            file.counts(section, self.counts.iter().map(count));
        };
        counts(Section::Count, |word| word.count);
        counts(Section::First, |word| word.first);
        counts(Section::Last, |word| word.last);
        counts(Section::Alone, |word| word.alone);
        counts(Section::Documents, |word| word.documents);
    }

    /// Bigrams and trigrams; gives how many counts of each order are 1, 2, 3 and 4.
    fn write_grams(&self, file: &mut Builder) -> [[u64; 4]; 3] {
        let pair_rows = row_starts(&self.bigrams, self.words.len(), |key| (key >> 32) as usize);
        let starts = spread(&self.bigrams, &self.starts);
        let ends = spread(&self.bigrams, &self.ends);
        let mut lefts = lefts(&self.trigrams, &pair_rows, &self.bigrams);
        lefts.iter_mut().zip(&starts).for_each(|(left, start)| *left += u32::from(*start > 0));
        file.small(Section::PairRows, pair_rows.iter().copied());
        file.small(Section::PairWords, self.bigrams.iter().map(|(key, _)| *key as u32));
        file.counts(Section::PairCounts, self.bigrams.iter().map(|(_, count)| *count));
        file.counts(Section::PairStarts, starts.iter().copied());
        file.counts(Section::PairEnds, ends.iter().copied());
        file.small(Section::PairLefts, lefts.iter().copied());
        file.small(Section::TripleRows, triple_rows(&self.trigrams, &self.bigrams).into_iter());
        file.small(Section::TripleWords, self.trigrams.iter().map(|(key, _)| *key as u32));
        file.counts(Section::TripleCounts, self.trigrams.iter().map(|(_, count)| *count));
        self.counts_of_counts(&starts, &ends, &lefts)
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
        for section in &file.sections {
            head.extend_from_slice(&(section.start as u64).to_le_bytes());
            head.extend_from_slice(&(section.len() as u64).to_le_bytes());
        }
        file.bytes.get_mut()[..BODY].copy_from_slice(&head);
    }
}

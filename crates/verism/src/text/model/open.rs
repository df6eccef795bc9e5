//! An open model: its bytes are read where they lie, mapped from the file or in memory.

use std::fs::File;
use std::hash::Hasher;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, OnceLock};

use rustc_hash::{FxHashMap, FxHasher};
use sha2::{Digest, Sha256};

use super::digest::Sum256;
use super::kneser_ney::KneserNey;
use super::layout::{
    BLANKS, BODY, CONTENT_VERSION, FORMAT_VERSION, HASH, LARGE, LIST, MAGIC, SECTIONS, SMALL, Section, TOKENIZERS,
};
use super::tables::{Pair, Tables, Triple, WordCounts};
use super::{Reading, WINDOW};

/// Why bytes are no model that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// They do not begin as a model does.
    #[error("not a model file")]
    Foreign,
    /// Another version of the layout or of what is counted.
    #[error("made by another version ({0})")]
    Version(u32),
    /// Cut off or changed.
    #[error("damaged")]
    Damaged,
    /// The file could not be read.
    #[error("{0}")]
    Unreadable(String),
}

/// Where the bytes lie.
enum Bytes {
    /// Pages of the file. They stay mapped as long as the program runs: whoever holds a model may share it with any
    /// thread, and clean pages cost nothing once they are out of use.
    Mapped(&'static [u8]),
    /// As wide numbers, so that they lie at a multiple of eight; and how many bytes count.
    Held(Vec<u64>, usize),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }
}

/// A model that answers questions.
pub struct Model {
    bytes: Bytes,
    sections: [Range<usize>; SECTIONS],
    wide: bool,
    reading: Reading,
    documents: [u64; 3],
    digest: Sum256,
    /// Tokens of all documents.
    total: u64,
    /// Different tokens.
    vocabulary: usize,
    /// Places of words by their hashes; `u32::MAX` is free.
    index: Vec<u32>,
    pub(super) kneser_ney: KneserNey,
    /// Bits of what was computed before, of each word: entropy of its neighbours, length of its vector.
    pub(super) entropies: Vec<AtomicU64>,
    pub(super) lengths: Vec<AtomicU64>,
    /// Words with neighbours and counts of all neighbours.
    pub(super) near_totals: OnceLock<(usize, u64)>,
    /// Similarities computed before.
    pub(super) similar: Vec<Mutex<FxHashMap<u64, f64>>>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("reading", &self.reading).field("digest", &self.digest).finish_non_exhaustive()
    }
}

/// Counts of four or eight bytes.
#[derive(Clone, Copy)]
pub(super) enum Column<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
}

impl Column<'_> {
    pub(super) fn get(&self, i: usize) -> u64 {
        match self {
            Column::Narrow(counts) => u64::from(u32::from_le(counts[i])),
            Column::Wide(counts) => u64::from_le(counts[i]),
        }
    }

    fn len(&self) -> usize {
        match self {
            Column::Narrow(counts) => counts.len(),
            Column::Wide(counts) => counts.len(),
        }
    }
}

fn hash(word: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish() as usize
}

impl Model {
    /// Maps a model file.
    pub fn open(path: &Path) -> Result<Model, Refused> {
        let unreadable = |error: std::io::Error| Refused::Unreadable(error.to_string());
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        if length < (BODY + HASH) as u64 {
            return Model::read(Bytes::Held(vec![], 0), &std::fs::read(path).map_err(unreadable)?);
        }
        let map = vmap::Map::with_options().map(&file).map_err(|error| Refused::Unreadable(error.to_string()))?;
        let map: &'static vmap::Map = Box::leak(Box::new(map));
        Model::read(Bytes::Mapped(map), &[])
    }

    /// Opens bytes in memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, Refused> {
        let mut words = vec![0_u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Model::read(Bytes::Held(words, bytes.len()), &[])
    }

    /// Checks the bytes; `short` are those of a file that is too short to be one.
    fn read(bytes: Bytes, short: &[u8]) -> Result<Model, Refused> {
        let all = if short.is_empty() { bytes.get() } else { short };
        if all.get(..MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(if MAGIC.starts_with(all) && !all.is_empty() { Refused::Damaged } else { Refused::Foreign });
        }
        let body = all.len().checked_sub(HASH).filter(|body| *body >= BODY).ok_or(Refused::Damaged)?;
        let small = |i: usize| {
            let at = MAGIC.len() + 4 * i;
            u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]])
        };
        if small(0) != FORMAT_VERSION {
            return Err(Refused::Version(small(0)));
        }
        let hash: [u8; HASH] = Sha256::digest(&all[..body]).into();
        if all[body..] != hash {
            return Err(Refused::Damaged);
        }
        if small(1) != CONTENT_VERSION {
            return Err(Refused::Version(small(1)));
        }
        let reading = Reading {
            tokens: *TOKENIZERS.get(small(2) as usize).ok_or(Refused::Damaged)?,
            blanks: *BLANKS.get(small(3) as usize).ok_or(Refused::Damaged)?,
        };
        if small(4) as usize != WINDOW || small(5) > 1 {
            return Err(Refused::Damaged);
        }
        let large = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&all[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        let head: Vec<u64> = (0..LARGE).map(|i| large(MAGIC.len() + SMALL * 4 + 8 * i)).collect();
        let mut sections = [const { 0..0 }; SECTIONS];
        for (i, section) in sections.iter_mut().enumerate() {
            let (start, length) = (large(LIST + 16 * i) as usize, large(LIST + 16 * i + 8) as usize);
            let end = start.checked_add(length).filter(|end| *end <= body && start % 8 == 0 && start >= BODY);
            *section = start..end.ok_or(Refused::Damaged)?;
        }
        let of_counts = std::array::from_fn(|order| std::array::from_fn(|j| head[7 + 4 * order + j]));
        let mut model = Model {
            sections,
            wide: small(5) == 1,
            reading,
            documents: [head[0], head[1], head[2]],
            digest: Sum256([head[3], head[4], head[5], head[6]]),
            total: 0,
            vocabulary: 0,
            index: vec![],
            kneser_ney: KneserNey::default(),
            entropies: vec![],
            lengths: vec![],
            near_totals: OnceLock::new(),
            similar: vec![],
            bytes,
        };
        model.check().ok_or(Refused::Damaged)?;
        model.prepare(of_counts);
        Ok(model)
    }

    fn section(&self, section: Section) -> &[u8] {
        &self.bytes.get()[self.sections[section as usize].clone()]
    }

    /// A section of small numbers; little-endian machines read them as they lie.
    pub(super) fn small(&self, section: Section) -> &[u32] {
        bytemuck::cast_slice(self.section(section))
    }

    pub(super) fn column(&self, section: Section) -> Column<'_> {
        match self.wide {
            true => Column::Wide(bytemuck::cast_slice(self.section(section))),
            false => Column::Narrow(bytemuck::cast_slice(self.section(section))),
        }
    }

    fn prints(&self) -> &[u64] {
        bytemuck::cast_slice(self.section(Section::Prints))
    }

    /// Whether all sections have lengths that go together, rows that rise and numbers of words that there are.
    fn check(&self) -> Option<()> {
        let width = if self.wide { 8 } else { 4 };
        let fits = |section: Section| {
            let length = self.sections[section as usize].len();
            let unit = match section {
                Section::WordBytes => 1,
                Section::Prints => 8,
                Section::WordEnds | Section::PairRows | Section::PairWords | Section::PairLefts => 4,
                Section::TripleRows | Section::TripleWords | Section::NearRows | Section::NearWords => 4,
                _ => width,
            };
            length.is_multiple_of(unit)
        };
        let all = [
            Section::WordEnds,
            Section::WordBytes,
            Section::Count,
            Section::First,
            Section::Last,
            Section::Alone,
            Section::Documents,
            Section::PairRows,
            Section::PairWords,
            Section::PairCounts,
            Section::PairStarts,
            Section::PairEnds,
            Section::PairLefts,
            Section::TripleRows,
            Section::TripleWords,
            Section::TripleCounts,
            Section::NearRows,
            Section::NearWords,
            Section::NearCounts,
            Section::Prints,
            Section::PrintCounts,
        ];
        let good = |condition: bool| condition.then_some(());
        good(all.iter().all(|section| fits(*section)))?;
        let ends = self.small(Section::WordEnds);
        let words = ends.len();
        let text = std::str::from_utf8(self.section(Section::WordBytes)).ok()?;
        let rising = |rows: &[u32]| rows.is_sorted_by_key(|at| u32::from_le(*at));
        good(rising(ends) && ends.iter().all(|end| text.is_char_boundary(u32::from_le(*end) as usize)))?;
        good(ends.last().map_or(0, |end| u32::from_le(*end) as usize) == text.len())?;
        let per_word = [Section::Count, Section::First, Section::Last, Section::Alone, Section::Documents];
        good(per_word.iter().all(|section| self.column(*section).len() == words))?;
        let rows = |section: Section, count: usize, entries: usize| {
            let rows = self.small(section);
            let ends = (rows.first().copied().map(u32::from_le), rows.last().map(|end| u32::from_le(*end) as usize));
            rows.len() == count + 1 && rising(rows) && ends == (Some(0), Some(entries))
        };
        let known = |section: Section| self.small(section).iter().all(|word| (u32::from_le(*word) as usize) < words);
        let pairs = self.small(Section::PairWords).len();
        good(rows(Section::PairRows, words, pairs) && known(Section::PairWords))?;
        let per_pair = [Section::PairCounts, Section::PairStarts, Section::PairEnds];
        good(per_pair.iter().all(|section| self.column(*section).len() == pairs))?;
        good(self.small(Section::PairLefts).len() == pairs)?;
        let triples = self.small(Section::TripleWords).len();
        good(rows(Section::TripleRows, pairs, triples) && known(Section::TripleWords))?;
        good(self.column(Section::TripleCounts).len() == triples)?;
        let near = self.small(Section::NearWords).len();
        good(rows(Section::NearRows, words, near) && known(Section::NearWords))?;
        good(self.column(Section::NearCounts).len() == near)?;
        good(self.prints().len() == self.column(Section::PrintCounts).len())
    }

    fn prepare(&mut self, of_counts: [[u64; 4]; 3]) {
        let words = self.words();
        let mut index = vec![u32::MAX; (2 * words + 1).next_power_of_two()];
        let mask = index.len() - 1;
        for i in 0..words {
            let mut slot = hash(self.word(i as u32)) & mask;
            while index[slot] != u32::MAX {
                slot = (slot + 1) & mask;
            }
            index[slot] = i as u32;
        }
        let counts = self.column(Section::Count);
        let total = (0..words).fold(0_u64, |sum, i| sum.saturating_add(counts.get(i)));
        self.vocabulary = (0..words).filter(|i| counts.get(*i) > 0).count();
        self.total = total;
        self.index = index;
        self.kneser_ney = KneserNey::of(self, of_counts);
        let empty = || (0..words).map(|_| AtomicU64::new(u64::MAX)).collect();
        self.entropies = empty();
        self.lengths = empty();
        self.similar = (0..64).map(|_| Mutex::default()).collect();
    }

    /// How the corpus was read.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Documents of unknown, white and black cards.
    pub fn documents(&self) -> [u64; 3] {
        self.documents
    }

    /// Tokens of the language model.
    pub fn tokens(&self) -> u64 {
        self.total
    }

    /// Different tokens of the language model.
    pub fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// Digest of the corpus as 64 hexadecimal digits.
    pub fn digest(&self) -> String {
        self.digest.hexadecimal()
    }

    /// All words, tokens of the language model and others.
    pub(super) fn words(&self) -> usize {
        self.small(Section::WordEnds).len()
    }

    /// The word at a place.
    pub(super) fn word(&self, i: u32) -> &str {
        let ends = self.small(Section::WordEnds);
        let end = |i: usize| u32::from_le(ends[i]) as usize;
        let start = if i == 0 { 0 } else { end(i as usize - 1) };
        std::str::from_utf8(&self.section(Section::WordBytes)[start..end(i as usize)]).unwrap_or_default()
    }

    /// The place of a word.
    pub(super) fn place(&self, word: &str) -> Option<u32> {
        let mask = self.index.len() - 1;
        let mut slot = hash(word) & mask;
        loop {
            match self.index[slot] {
                u32::MAX => return None,
                i if self.word(i) == word => return Some(i),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// How often a token stands in the corpus.
    pub fn count(&self, word: &str) -> u64 {
        self.place(word).map_or(0, |i| self.column(Section::Count).get(i as usize))
    }

    /// How many documents, by weight, have words with this fingerprint.
    pub fn copies(&self, fingerprint: u64) -> u64 {
        let prints = self.prints();
        let found = prints.binary_search_by_key(&fingerprint, |print| u64::from_le(*print));
        found.map_or(0, |i| self.column(Section::PrintCounts).get(i))
    }

    /// The entries of a row.
    pub(super) fn row(&self, rows: Section, row: usize) -> Range<usize> {
        let starts = self.small(rows);
        u32::from_le(starts[row]) as usize..u32::from_le(starts[row + 1]) as usize
    }

    fn find(&self, rows: Section, row: usize, words: Section, word: u32) -> Option<usize> {
        let range = self.row(rows, row);
        let found = self.small(words)[range.clone()].binary_search_by_key(&word, |other| u32::from_le(*other));
        found.ok().map(|i| range.start + i)
    }

    /// The place of a bigram.
    pub(super) fn pair(&self, first: u32, second: u32) -> Option<usize> {
        self.find(Section::PairRows, first as usize, Section::PairWords, second)
    }

    /// The place of a trigram, given that of its first two tokens.
    pub(super) fn triple(&self, pair: usize, third: u32) -> Option<usize> {
        self.find(Section::TripleRows, pair, Section::TripleWords, third)
    }

    /// Whether the corpus holds a run of two or three tokens.
    pub fn holds(&self, tokens: &[&str]) -> bool {
        let places: Option<Vec<u32>> = tokens.iter().map(|token| self.place(token)).collect();
        match places.as_deref() {
            Some(&[a, b]) => self.pair(a, b).is_some(),
            Some(&[a, b, c]) => self.pair(a, b).is_some_and(|pair| self.triple(pair, c).is_some()),
            _ => false,
        }
    }

    /// The counts, to be added to others.
    pub fn tables(&self) -> Tables {
        let column = |section: Section| self.column(section);
        let word = |i: usize| WordCounts {
            count: column(Section::Count).get(i),
            first: column(Section::First).get(i),
            last: column(Section::Last).get(i),
            alone: column(Section::Alone).get(i),
            documents: column(Section::Documents).get(i),
        };
        let pair_words = self.small(Section::PairWords);
        let (mut pairs, mut triples, mut near): (Vec<Pair>, Vec<(Triple, u64)>, Vec<(Pair, u64)>) = Default::default();
        for first in 0..self.words() {
            for place in self.row(Section::PairRows, first) {
                let second = u32::from_le(pair_words[place]);
                pairs.push((first as u64) << 32 | u64::from(second));
                for triple in self.row(Section::TripleRows, place) {
                    let third = u32::from_le(self.small(Section::TripleWords)[triple]);
                    let key = (first as u128) << 64 | u128::from(second) << 32 | u128::from(third);
                    triples.push((key, column(Section::TripleCounts).get(triple)));
                }
            }
            for place in self.row(Section::NearRows, first) {
                let other = u32::from_le(self.small(Section::NearWords)[place]) as usize;
                let count = column(Section::NearCounts).get(place);
                if other >= first {
                    let once = if other == first { count / 2 } else { count };
                    near.push(((first as u64) << 32 | other as u64, once));
                }
            }
        }
        let of_pairs = |section: Section| {
            let counts = column(section);
            let some = pairs.iter().enumerate().map(|(i, key)| (*key, counts.get(i)));
            some.filter(|(_, count)| *count > 0).collect::<Vec<_>>()
        };
        let prints = self.prints().iter().enumerate();
        Tables {
            reading: self.reading,
            documents: self.documents,
            digest: self.digest,
            words: (0..self.words()).map(|i| self.word(i as u32).into()).collect(),
            counts: (0..self.words()).map(word).collect(),
            bigrams: of_pairs(Section::PairCounts),
            starts: of_pairs(Section::PairStarts),
            ends: of_pairs(Section::PairEnds),
            trigrams: triples,
            near,
            prints: prints.map(|(i, print)| (u64::from_le(*print), column(Section::PrintCounts).get(i))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{CardType, Counts};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    const READING: Reading = Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined };

    fn tables(texts: &[&str]) -> Tables {
        let mut counts = Counts::new(READING, 1);
        texts.iter().for_each(|text| counts.add(CardType::White, text));
        counts.finish()
    }

    #[test]
    fn what_was_written_is_read_back() {
        let tables = tables(&["My cat wants _.", "a tiny hat", "a tiny cat", "a hat", "hat"]);
        let model = Model::from_bytes(&tables.to_bytes().expect("small")).expect("a model");
        assert_eq!(model.tables(), tables);
        assert_eq!((model.tokens(), model.vocabulary(), model.count("a"), model.count("dog")), (13, 7, 3, 0));
        assert!(model.holds(&["a", "tiny", "cat"]) && !model.holds(&["tiny", "wants"]));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.vrm");
        std::fs::write(&path, tables.to_bytes().expect("small")).expect("written");
        assert_eq!(Model::open(&path).expect("a model").tables(), tables);
    }

    #[test]
    fn counts_beyond_four_bytes_take_eight() {
        let mut counts = Counts::new(READING, 1 << 33);
        counts.add(CardType::Black, "a b a");
        let tables = counts.finish();
        let model = Model::from_bytes(&tables.to_bytes().expect("small")).expect("a model");
        assert_eq!((model.count("a"), model.tables()), (1 << 34, tables));
    }

    #[test]
    fn what_is_no_whole_model_is_refused() {
        let bytes = tables(&["a b c"]).to_bytes().expect("small");
        let refused = |bytes: &[u8]| Model::from_bytes(bytes).expect_err("refused");
        assert_eq!(refused(b""), Refused::Foreign);
        assert_eq!(refused(b"PAR1 and more"), Refused::Foreign);
        assert_eq!(refused(&bytes[..bytes.len() - 1]), Refused::Damaged);
        assert_eq!(refused(&bytes[..9]), Refused::Damaged);
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(refused(&other), Refused::Version(9));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.vrm");
        std::fs::write(&path, &bytes[..20]).expect("written");
        assert_eq!(Model::open(&path).expect_err("refused"), Refused::Damaged);
        std::fs::write(&path, b"").expect("written");
        assert_eq!(Model::open(&path).expect_err("refused"), Refused::Foreign);
        assert!(matches!(Model::open(folder.path()), Err(Refused::Unreadable(_) | Refused::Foreign)));
    }

    proptest! {
        /// A flipped bit never passes; with the hash set right again it is refused or answers without a panic.
        #[test]
        fn damaged_bytes_do_no_harm(at in 0_usize..4000, bit in 0_u8..8) {
            let mut bytes = tables(&["a b c a", "b b", "c"]).to_bytes().expect("small");
            let at = at % (bytes.len() - HASH);
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(Model::from_bytes(&bytes).is_err());
            let body = bytes.len() - HASH;
            let hash: [u8; HASH] = Sha256::digest(&bytes[..body]).into();
            bytes[body..].copy_from_slice(&hash);
            if let Ok(model) = Model::from_bytes(&bytes) {
                model.holds(&["a", "b", "c"]);
                model.similarity("a", "b");
                model.neighbour_entropy("b");
                let read = model.kneser_ney_probability("a", &["b", "c"]);
                prop_assert!(!read.is_nan() || read.is_nan());
                model.backoff("a", &["b", "c"], super::super::backoff::Gate::Pair);
            }
        }
    }
}

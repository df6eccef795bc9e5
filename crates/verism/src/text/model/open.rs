//! An open model: its bytes are read where they lie, mapped from the file or in memory.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use super::bytes::Bytes;
use super::digest::Sum256;
use super::kneser_ney::KneserNey;
use super::layout::{
    BLANKS, BODY, CHECKSUM, CONTENT_VERSION, FORMAT_VERSION, LARGE, LIST, MAGIC, SECTIONS, SMALL, Section, TOKENIZERS,
    checksum,
};
use super::likeness::Likeness;
use super::lookup::Index;
use super::{Reading, WINDOW};

/// Why bytes are not a model that can be used.
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

/// A model that answers questions.
pub struct Model {
    pub(super) bytes: Bytes,
    pub(super) sections: [Range<usize>; SECTIONS],
    pub(super) wide: bool,
    pub(super) reading: Reading,
    pub(super) documents: [u64; 3],
    pub(super) digest: Sum256,
    /// Tokens of all documents.
    total: u64,
    /// Different tokens.
    vocabulary: usize,
    pub(super) index: Index,
    pub(super) kneser_ney: KneserNey,
    /// Bits of the entropy of each word's neighbours, if it was computed before.
    pub(super) entropies: Vec<AtomicU64>,
    /// Words with neighbours and counts of all neighbours.
    pub(super) near_totals: OnceLock<(usize, u64)>,
    pub(super) likeness: Likeness,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("reading", &self.reading).field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl Model {
    /// Maps a model file.
    pub fn open(path: &Path) -> Result<Model, Refused> {
        let unreadable = |error: std::io::Error| Refused::Unreadable(error.to_string());
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        if length < (BODY + CHECKSUM) as u64 {
            // Too small, or something without a size: enough of it to say what it is not.
            let mut some = vec![];
            file.take((BODY + CHECKSUM) as u64).read_to_end(&mut some).map_err(unreadable)?;
            return Model::from_bytes(&some);
        }
        let map = vmap::Map::with_options().map(&file).map_err(|error| Refused::Unreadable(error.to_string()))?;
        let map: &'static vmap::Map = Box::leak(Box::new(map));
        Model::read(Bytes::Mapped(map))
    }

    /// Opens bytes in memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, Refused> {
        Model::read(Bytes::copied(bytes))
    }

    /// Reads the bytes of a model and checks that they are whole and go together.
    fn read(bytes: Bytes) -> Result<Model, Refused> {
        let all = bytes.get();
        if all.get(..MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(if MAGIC.starts_with(all) && !all.is_empty() { Refused::Damaged } else { Refused::Foreign });
        }
        let body = all.len().checked_sub(CHECKSUM).filter(|body| *body >= BODY).ok_or(Refused::Damaged)?;
        let at = MAGIC.len();
        let version = u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]]);
        if version != FORMAT_VERSION {
            return Err(Refused::Version(version));
        }
        if all[body..] != checksum(&all[..body]) {
            return Err(Refused::Damaged);
        }
        let (mut model, of_counts) = Model::laid_out(bytes)?;
        model.check().ok_or(Refused::Damaged)?;
        model.prepare(of_counts);
        Ok(model)
    }

    /// Bytes that were just written, which need no check.
    pub(super) fn of_own(bytes: Bytes) -> Result<Model, Refused> {
        let (mut model, of_counts) = Model::laid_out(bytes)?;
        model.prepare(of_counts);
        Ok(model)
    }

    /// What the head says; the bytes are at least as many as a head and a checksum. The second part: of each order how many
    /// counts are 1, 2, 3 and 4.
    fn laid_out(bytes: Bytes) -> Result<(Model, [[u64; 4]; 3]), Refused> {
        let all = bytes.get();
        let body = all.len() - CHECKSUM;
        let small = |i: usize| {
            let at = MAGIC.len() + 4 * i;
            u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]])
        };
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
        let model = Model {
            sections,
            wide: small(5) == 1,
            reading,
            documents: [head[0], head[1], head[2]],
            digest: Sum256([head[3], head[4], head[5], head[6]]),
            total: 0,
            vocabulary: 0,
            index: Index::empty(),
            kneser_ney: KneserNey::default(),
            entropies: vec![],
            near_totals: OnceLock::new(),
            likeness: Likeness::default(),
            bytes,
        };
        Ok((model, of_counts))
    }

    fn prepare(&mut self, of_counts: [[u64; 4]; 3]) {
        let words = self.words();
        let counts = self.column(Section::Count);
        let total = (0..words).fold(0_u64, |sum, i| sum.saturating_add(counts.get(i)));
        self.vocabulary = (0..words).filter(|i| counts.get(*i) > 0).count();
        self.total = total;
        self.index = Index::of(self);
        self.kneser_ney = KneserNey::of(self, of_counts);
        self.entropies = (0..words).map(|_| AtomicU64::new(u64::MAX)).collect();
        self.likeness = Likeness::over(self);
    }

    /// The bytes of the model file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
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
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{CardType, Counts, Tables};
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
        let count = |word| model.count(model.look_up(word));
        assert_eq!((model.tokens(), model.vocabulary(), count("a"), count("dog")), (13, 7, 3, 0));
        let holds = |run: &[&str]| {
            let run = model.follow(run.iter().map(|word| model.look_up(word)));
            run.last().is_some_and(|step| step.ends_known(run.len()))
        };
        assert!(holds(&["a", "tiny", "cat"]) && !holds(&["tiny", "wants"]) && !holds(&["a", "dog"]));
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
        assert_eq!((model.count(model.look_up("a")), model.tables()), (1 << 34, tables));
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

    /// A model file with some bytes of a section changed, and the right checksum.
    fn changed(file: &[u8], section: Section, at: usize, bytes: &[u8]) -> Vec<u8> {
        let at = Model::from_bytes(file).expect("a model").sections[section as usize].start + at;
        let mut other = file.to_vec();
        other[at..at + bytes.len()].copy_from_slice(bytes);
        let body = other.len() - CHECKSUM;
        let right = checksum(&other[..body]);
        other[body..].copy_from_slice(&right);
        other
    }

    /// Else a value could depend on which thread asks first, or be none.
    #[test]
    fn words_that_stand_twice_in_a_row_and_neighbours_never_met_are_refused() {
        // By their numbers a b c d x: pairs a b, a c, a d, x a; triples x a b, x a c; near a are b, c, d, x.
        let file = tables(&["a b", "a c", "a d", "x a b", "x a c"]).to_bytes().expect("small");
        let refused = |section, place: usize, number: u32| {
            Model::from_bytes(&changed(&file, section, 4 * place, &number.to_le_bytes())).err()
        };
        assert_eq!(refused(Section::PairWords, 2, 4), None);
        assert_eq!(refused(Section::PairWords, 2, 2), Some(Refused::Damaged));
        assert_eq!(refused(Section::TripleWords, 1, 3), None);
        assert_eq!(refused(Section::TripleWords, 1, 1), Some(Refused::Damaged));
        assert_eq!(refused(Section::NearWords, 0, 0), None);
        assert_eq!(refused(Section::NearWords, 1, 1), Some(Refused::Damaged));
        assert_eq!(refused(Section::NearCounts, 0, 9), None);
        assert_eq!(refused(Section::NearCounts, 0, 0), Some(Refused::Damaged));
        assert_eq!(refused(Section::PairCounts, 1, 0), Some(Refused::Damaged));
        assert_eq!(refused(Section::TripleCounts, 1, 0), Some(Refused::Damaged));
    }

    /// Else adding the file to another would run past the end of the words, or make a word beside itself half a time.
    #[test]
    fn words_out_of_order_and_half_a_meeting_are_refused() {
        let file = tables(&["a b a", "c"]).to_bytes().expect("small");
        let refused = |section, at: usize, bytes: &[u8]| Model::from_bytes(&changed(&file, section, at, bytes)).err();
        assert_eq!(refused(Section::WordBytes, 0, b"abd"), None);
        assert_eq!(refused(Section::WordBytes, 0, b"bac"), Some(Refused::Damaged));
        assert_eq!(refused(Section::WordBytes, 0, b"abb"), Some(Refused::Damaged));
        // Near a are a, from both sides, and b.
        assert_eq!(refused(Section::NearCounts, 0, &[4, 0, 0, 0]), None);
        assert_eq!(refused(Section::NearCounts, 0, &[1, 0, 0, 0]), Some(Refused::Damaged));
        assert_eq!(refused(Section::Prints, 0, &[0xFF; 8]), Some(Refused::Damaged));
    }

    /// Counts that no corpus has.
    #[test]
    fn sums_beyond_all_bounds_do_no_harm() {
        let mut counts = Counts::new(READING, 1 << 33);
        (0..20).for_each(|i| counts.add(CardType::White, &format!("a b c{i}")));
        let file = counts.finish().to_bytes().expect("small");
        let file = changed(&file, Section::TripleCounts, 0, &[0xFF; 8 * 20]);
        let model = Model::from_bytes(&file).expect("a model");
        let run = model.follow(["a", "b", "c7"].map(|word| model.look_up(word)).into_iter());
        assert!((0.0..=1.0).contains(&model.kneser_ney_probability(&run)));
        // Four neighbours of 2^63 each: their squares are 2^128.
        let half: Vec<u8> = (0..2000).flat_map(|_| (1_u64 << 63).to_le_bytes()).collect();
        let length = model.column(Section::NearCounts).len();
        let model = Model::from_bytes(&changed(&file, Section::NearCounts, 0, &half[..8 * length])).expect("a model");
        let [a, b] = ["a", "b"].map(|word| model.look_up(word));
        model.similarities(&[a], &[b], |_, found| assert!(found[0] > 0.0 && found[0].is_finite(), "{found:?}"));
    }

    proptest! {
        /// A flipped bit never passes; with the checksum set right again it is refused or answers without a panic.
        #[test]
        fn damaged_bytes_do_no_harm(at in 0_usize..4000, bit in 0_u8..8) {
            let mut bytes = tables(&["a b c a", "b b", "c"]).to_bytes().expect("small");
            let at = at % (bytes.len() - CHECKSUM);
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(Model::from_bytes(&bytes).is_err());
            let body = bytes.len() - CHECKSUM;
            let right = checksum(&bytes[..body]);
            bytes[body..].copy_from_slice(&right);
            if let Ok(model) = Model::from_bytes(&bytes) {
                let [a, b, c] = ["a", "b", "c"].map(|word| model.look_up(word));
                let run = model.follow([a, b, c].into_iter());
                model.kneser_ney_probability(&run);
                model.backoff(&run, super::super::backoff::Gate::Pair);
                model.summary();
                // Alone, and added to another, as `corpus=` does.
                let sum = model.tables().plus(tables(&["b a d"])).to_bytes().expect("small");
                let added = Model::from_bytes(&sum).expect("what was added up is a model");
                for model in [&model, &added] {
                    let [a, b, c] = ["a", "b", "c"].map(|word| model.look_up(word));
                    model.similarities(&[a, b], &[b, c], |_, found| assert!(found.iter().all(|x| x.is_finite())));
                    assert!([a, b, c].iter().all(|word| model.neighbour_entropy(*word).is_none_or(f64::is_finite)));
                }
            }
        }
    }
}

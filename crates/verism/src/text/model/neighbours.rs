//! Words by the words around them: how open a word's company is, how alike two words' companies are.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::bytes::Column;
use super::layout::Section;
use super::near_tables::Row;
use super::{Model, Token};
use crate::stats::sum::neumaier;

/// Neighbours that two words must have for their similarity to be remembered: of fewer it is computed as quickly.
const WORTHWHILE: usize = 32;

/// Counts up to which terms of an entropy are remembered within one sum: most neighbours were met a few times.
const FEW: usize = 64;

/// The number whose bits stand there, or the one computed now.
fn remembered(place: &AtomicU64, compute: impl FnOnce() -> f64) -> f64 {
    let bits = place.load(Ordering::Relaxed);
    if bits != u64::MAX {
        return f64::from_bits(bits);
    }
    let value = compute();
    place.store(value.to_bits(), Ordering::Relaxed);
    value
}

impl Model {
    fn company(&self, word: Token<'_>) -> Option<(u32, Range<usize>)> {
        let place = word.place?;
        let range = self.row(Section::NearRows, place as usize);
        (!range.is_empty()).then_some((place, range))
    }

    /// How many different neighbours a word has.
    pub fn neighbours(&self, word: Token<'_>) -> usize {
        self.company(word).map_or(0, |(_, range)| range.len())
    }

    /// How many words have neighbours, and how often any two were neighbours, both ways.
    pub fn neighbour_totals(&self) -> (usize, u64) {
        *self.near_totals.get_or_init(|| {
            let counts = self.column(Section::NearCounts);
            let words = (0..self.words()).filter(|word| !self.row(Section::NearRows, *word).is_empty()).count();
            let entries = self.small(Section::NearWords).len();
            (words, (0..entries).fold(0_u64, |sum, place| sum.saturating_add(counts.get(place))))
        })
    }

    /// How often a word had any neighbour.
    pub fn neighbour_count(&self, word: Token<'_>) -> u64 {
        let counts = self.column(Section::NearCounts);
        self.company(word).map_or(0, |(_, range)| range.fold(0_u64, |sum, place| sum.saturating_add(counts.get(place))))
    }

    /// How often two words were neighbours.
    pub fn neighbour_pair(&self, a: Token<'_>, b: Token<'_>) -> u64 {
        let (Some((_, range)), Some(b)) = (self.company(a), b.place) else { return 0 };
        let words = &self.small(Section::NearWords)[range.clone()];
        let found = words.binary_search_by_key(&b, |word| u32::from_le(*word));
        found.map_or(0, |i| self.column(Section::NearCounts).get(range.start + i))
    }

    /// The entropy of a word's neighbours in nats; none without neighbours.
    ///
    /// ```math
    /// H(w) = -Σ_x p(x) ln p(x),  p(x) = C(w,x) / Σ_x C(w,x)
    /// ```
    /// C(w,x): how often x stood within three tokens of w. Summed in byte order of the neighbours.
    pub fn neighbour_entropy(&self, word: Token<'_>) -> Option<f64> {
        let (place, range) = self.company(word)?;
        Some(remembered(&self.entropies[place as usize], || {
            let counts = self.column(Section::NearCounts);
            let all = range.clone().fold(0_u64, |sum, place| sum.saturating_add(counts.get(place))) as f64;
            let term = |count: u64| {
                let p = count as f64 / all;
                -p * libm::log(p)
            };
            let mut terms = [None; FEW];
            neumaier(range.map(|place| {
                let count = counts.get(place);
                match terms.get_mut(count as usize) {
                    Some(known) => *known.get_or_insert_with(|| term(count)),
                    None => term(count),
                }
            }))
        }))
    }

    /// How alike the companies of two words are.
    ///
    /// ```math
    /// cos(a, b) = Σ_x C(a,x) C(b,x) / (√Σ_x C(a,x)² · √Σ_x C(b,x)²)
    /// ```
    /// 1 for the same word, known or not; 0 if one of them has no neighbours. The three sums are whole numbers.
    pub fn similarity(&self, a: Token<'_>, b: Token<'_>) -> f64 {
        if a.text == b.text {
            return 1.0;
        }
        let (Some((a, of_a)), Some((b, of_b))) = (self.company(a), self.company(b)) else { return 0.0 };
        let similarity = || {
            let length = self.vector_length(a, of_a.clone()) * self.vector_length(b, of_b.clone());
            // The product is no larger than that of the lengths, even of rows that are not in order than 2^16 times it.
            let fits = length < (1_u64 << 47) as f64;
            self.product((a, of_a.clone()), (b, of_b.clone()), fits) as f64 / length
        };
        match of_a.len().min(of_b.len()) {
            ..WORTHWHILE => similarity(),
            _ => self.similar.remembered([a.min(b), a.max(b)], similarity),
        }
    }

    /// The inner product of the counts of two words: the shorter list is walked, the longer one asked, by its table if it
    /// has one. `fits`: the product takes no more than 64 bits.
    fn product(&self, a: (u32, Range<usize>), b: (u32, Range<usize>), fits: bool) -> u128 {
        let (words, counts) = (self.small(Section::NearWords), self.column(Section::NearCounts));
        let ((_, short), (word, long)) = if a.1.len() <= b.1.len() { (a, b) } else { (b, a) };
        let Column::Narrow(narrow) = counts else { return product(words, counts, short, long) };
        let row = |range: Range<usize>| Row { words: &words[range.clone()], counts: &narrow[range] };
        match self.near_tables.get(word, row(long.clone())) {
            Some(table) => table.product(row(short), row(long), fits),
            None => product(words, counts, short, long),
        }
    }

    fn vector_length(&self, word: u32, range: Range<usize>) -> f64 {
        remembered(&self.lengths[word as usize], || {
            let counts = self.column(Section::NearCounts);
            (range.map(|place| u128::from(counts.get(place)).pow(2)).sum::<u128>() as f64).sqrt()
        })
    }
}

/// What was computed of pairs of different words: a place holds the last of the pairs that fall on it.
#[derive(Default)]
pub(super) struct Pairs {
    /// Each empty until it is first used.
    shares: Vec<Mutex<Vec<Pair>>>,
}

/// Two words and a number.
type Pair = ([u32; 2], f64);

/// Shares of what is remembered, so that threads seldom wait for each other.
const SHARES: usize = 64;
/// Pairs of a share.
const PAIRS: usize = 1024;

impl Pairs {
    pub(super) fn empty() -> Pairs {
        Pairs { shares: (0..SHARES).map(|_| Mutex::default()).collect() }
    }

    /// The number of a pair that was computed before, or is now.
    fn remembered(&self, pair: [u32; 2], compute: impl FnOnce() -> f64) -> f64 {
        let mixed = (u64::from(pair[0]) << 32 | u64::from(pair[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> 48) as usize % (SHARES * PAIRS);
        let (share, place) = (&self.shares[place / PAIRS], place % PAIRS);
        let hold = || share.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, value)) = hold().get(place)
            && *known == pair
        {
            return *value;
        }
        let value = compute();
        let mut share = hold();
        if share.is_empty() {
            // No pair is one word twice.
            share.resize(PAIRS, ([0, 0], 0.0));
        }
        share[place] = (pair, value);
        value
    }
}

/// The inner product of two rows of counts.
fn product(words: &[u32], counts: Column<'_>, short: Range<usize>, long: Range<usize>) -> u128 {
    let mut sum = 0_u128;
    let mut at = long.start;
    let far = long.len() / short.len().max(1) > 8;
    for place in short {
        let word = u32::from_le(words[place]);
        if far {
            at += words[at..long.end].partition_point(|other| u32::from_le(*other) < word);
        } else {
            while at < long.end && u32::from_le(words[at]) < word {
                at += 1;
            }
        }
        if at == long.end {
            break;
        }
        if u32::from_le(words[at]) == word {
            sum += u128::from(counts.get(place)) * u128::from(counts.get(at));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::near_tables::NearTable;
    use super::super::{CardType, Counts, Reading};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    #[test]
    fn sun_moon_and_star_by_hand() {
        // `sun moon sun` and `moon star`: sun {moon 2, sun 2}, moon {sun 2, star 1}, star {moon 1}.
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        ["sun moon sun", "moon star"].iter().for_each(|text| counts.add(CardType::White, text));
        let model = Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model");
        let [sun, moon, star, comet] = ["sun", "moon", "star", "comet"].map(|word| model.look_up(word));
        assert_eq!((model.neighbour_pair(sun, sun), model.neighbour_pair(star, moon)), (2, 1));
        assert_eq!(model.neighbour_totals(), (3, 8));
        let ln2 = std::f64::consts::LN_2;
        assert!((model.neighbour_entropy(sun).expect("known") - ln2).abs() < 1e-15);
        assert!((model.neighbour_entropy(moon).expect("known") - (3.0_f64.ln() - 2.0 / 3.0 * ln2)).abs() < 1e-15);
        assert_eq!((model.neighbour_entropy(star), model.neighbour_entropy(comet)), (Some(0.0), None));
        let close = 4.0 / (8.0_f64.sqrt() * 5.0_f64.sqrt());
        assert!((model.similarity(sun, moon) - close).abs() < 1e-15);
        assert!((model.similarity(moon, sun) - close).abs() < 1e-15);
        assert_eq!((model.similarity(comet, comet), model.similarity(comet, sun)), (1.0, 0.0));
    }

    #[test]
    fn every_table_gives_the_same_product() {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        // More than fit into a byte: `the` and `of` are neighbours 300 times. `w8` has neighbours enough for a table and
        // too few for one with a byte for each word.
        for i in 0..300 {
            counts.add(CardType::White, &format!("the w{i} of w{} a", i * 7 % 50));
            counts.add(CardType::White, &format!("w8 x{} x{}", i % 40, i % 50));
        }
        (0..4000).for_each(|i| counts.add(CardType::White, &format!("y{i}")));
        let model = Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model");
        assert_eq!(model.neighbour_pair(model.look_up("the"), model.look_up("of")), 300);
        let (words, column) = (model.small(Section::NearWords), model.column(Section::NearCounts));
        let Column::Narrow(narrow) = column else { panic!("small counts") };
        for pair in [["the", "of"], ["of", "a"], ["w3", "the"], ["w3", "w4"], ["w8", "x3"], ["w8", "w3"], ["w8", "of"]]
        {
            let [a, b] = pair.map(|word| model.company(model.look_up(word)).expect("neighbours"));
            let (short, long) = if a.1.len() <= b.1.len() { (&a.1, &b.1) } else { (&b.1, &a.1) };
            let plain = product(words, column, short.clone(), long.clone());
            assert_eq!(model.product(a.clone(), b.clone(), true), plain, "{pair:?}");
            assert_eq!(model.product(a.clone(), b.clone(), false), plain, "{pair:?}");
            let row = |range: &Range<usize>| Row { words: &words[range.clone()], counts: &narrow[range.clone()] };
            for table in [NearTable::spread(row(long), model.words()), NearTable::hashed(row(long))] {
                assert_eq!(table.product(row(short), row(long), true), plain, "{pair:?}");
            }
        }
        let tables: Vec<&NearTable> = model.near_tables.words.iter().filter_map(std::sync::OnceLock::get).collect();
        assert!(tables.iter().any(|table| matches!(table, NearTable::Spread(_))));
        assert!(tables.iter().any(|table| matches!(table, NearTable::Hashed(_))));
    }
}

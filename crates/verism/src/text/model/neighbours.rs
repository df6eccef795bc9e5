//! Words by the words around them: how open a word's company is, how alike two words' companies are.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::bytes::Column;
use super::layout::Section;
use super::{Model, Token};
use crate::stats::sum::neumaier;

/// Similarities that a share of the memory holds before it starts anew.
const REMEMBERED: usize = 1 << 14;

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
            neumaier(range.map(|place| {
                let p = counts.get(place) as f64 / all;
                -p * libm::log(p)
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
        let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        let share = &self.similar[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize];
        if let Some(&known) = share.lock().ok().as_ref().and_then(|known| known.get(&key)) {
            return known;
        }
        let lengths = (self.vector_length(a, of_a.clone()), self.vector_length(b, of_b.clone()));
        let value = self.product((a, of_a), (b, of_b)) as f64 / (lengths.0 * lengths.1);
        if let Ok(mut known) = share.lock() {
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, value);
        }
        value
    }

    /// The inner product of the counts of two words: the shorter list is walked, the longer one searched, or spread out
    /// if it is one of the longest.
    fn product(&self, a: (u32, Range<usize>), b: (u32, Range<usize>)) -> u128 {
        let (words, counts) = (self.small(Section::NearWords), self.column(Section::NearCounts));
        let ((_, short), (word, long)) = if a.1.len() <= b.1.len() { (a, b) } else { (b, a) };
        if let Column::Narrow(counts) = counts
            && let Some(spread) = self.spread.get(word, &words[long.clone()], &counts[long.clone()])
        {
            let both = words[short.clone()].iter().zip(&counts[short]);
            let one = |(word, count): (&u32, &u32)| {
                let other = spread.get(u32::from_le(*word) as usize).copied().unwrap_or(0);
                u128::from(u64::from(u32::from_le(*count)) * u64::from(other))
            };
            return both.map(one).sum();
        }
        product(words, counts, short, long)
    }

    fn vector_length(&self, word: u32, range: Range<usize>) -> f64 {
        remembered(&self.lengths[word as usize], || {
            let counts = self.column(Section::NearCounts);
            (range.map(|place| u128::from(counts.get(place)).pow(2)).sum::<u128>() as f64).sqrt()
        })
    }
}

/// Counts of the neighbours of the commonest words, one for each word of the model, made when they are first asked for.
#[derive(Default)]
pub(super) struct Spread {
    words: Vec<OnceLock<Box<[u32]>>>,
    /// How many more fit into memory.
    left: AtomicU64,
}

/// Bytes that all of them may take.
const SPREAD_BYTES: usize = 32 << 20;
/// Of so many words one must be a neighbour.
const SPREAD_SHARE: usize = 48;

impl Spread {
    pub(super) fn over(words: usize) -> Spread {
        let left = SPREAD_BYTES / 4 / words.max(1);
        Spread { words: (0..words).map(|_| OnceLock::new()).collect(), left: AtomicU64::new(left as u64) }
    }

    /// The counts of a word, given its neighbours; none if it is not among the commonest, or memory is used up.
    fn get(&self, word: u32, near: &[u32], counts: &[u32]) -> Option<&[u32]> {
        let place = self.words.get(word as usize)?;
        if let Some(spread) = place.get() {
            return Some(spread);
        }
        if near.len() < self.words.len() / SPREAD_SHARE {
            return None;
        }
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok()?;
        Some(place.get_or_init(|| {
            let mut all = vec![0; self.words.len()];
            for (word, count) in near.iter().zip(counts) {
                if let Some(place) = all.get_mut(u32::from_le(*word) as usize) {
                    *place = u32::from_le(*count);
                }
            }
            all.into()
        }))
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
    fn spread_out_or_not_the_product_is_the_same() {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        for i in 0..200 {
            counts.add(CardType::White, &format!("the w{i} of w{} a", i * 7 % 50));
        }
        let model = Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model");
        let (words, column) = (model.small(Section::NearWords), model.column(Section::NearCounts));
        for pair in [["the", "of"], ["of", "a"], ["w3", "the"], ["w3", "w4"]] {
            let [a, b] = pair.map(|word| model.company(model.look_up(word)).expect("neighbours"));
            let (short, long) = if a.1.len() <= b.1.len() { (&a.1, &b.1) } else { (&b.1, &a.1) };
            let plain = product(words, column, short.clone(), long.clone());
            assert_eq!(model.product(a, b), plain, "{pair:?}");
        }
        let spread = model.spread.words.iter().filter(|place| place.get().is_some()).count();
        assert!(spread > 0, "`the`, `of` and `a` have many neighbours");
    }
}

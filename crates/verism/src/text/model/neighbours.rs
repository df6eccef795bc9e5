//! Words by the words around them: how open a word's company is, how alike two words' companies are.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Model;
use super::layout::Section;
use super::open::Column;
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
    fn company(&self, word: &str) -> Option<(u32, Range<usize>)> {
        let place = self.place(word)?;
        let range = self.row(Section::NearRows, place as usize);
        (!range.is_empty()).then_some((place, range))
    }

    /// How many different neighbours a word has.
    pub fn neighbours(&self, word: &str) -> usize {
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
    pub fn neighbour_count(&self, word: &str) -> u64 {
        let counts = self.column(Section::NearCounts);
        self.company(word).map_or(0, |(_, range)| range.fold(0_u64, |sum, place| sum.saturating_add(counts.get(place))))
    }

    /// How often two words were neighbours.
    pub fn neighbour_pair(&self, a: &str, b: &str) -> u64 {
        let (Some((_, range)), Some(b)) = (self.company(a), self.place(b)) else { return 0 };
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
    pub fn neighbour_entropy(&self, word: &str) -> Option<f64> {
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
    pub fn similarity(&self, a: &str, b: &str) -> f64 {
        if a == b {
            return 1.0;
        }
        let (Some((a, of_a)), Some((b, of_b))) = (self.company(a), self.company(b)) else { return 0.0 };
        let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        let share = &self.similar[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize];
        if let Some(&known) = share.lock().ok().as_ref().and_then(|known| known.get(&key)) {
            return known;
        }
        let lengths = (self.vector_length(a, of_a.clone()), self.vector_length(b, of_b.clone()));
        // The shorter list is walked, the longer one searched.
        let (short, long) = if of_a.len() <= of_b.len() { (of_a, of_b) } else { (of_b, of_a) };
        let (words, counts) = (self.small(Section::NearWords), self.column(Section::NearCounts));
        let value = product(words, counts, short, long) as f64 / (lengths.0 * lengths.1);
        if let Ok(mut known) = share.lock() {
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, value);
        }
        value
    }

    fn vector_length(&self, word: u32, range: Range<usize>) -> f64 {
        remembered(&self.lengths[word as usize], || {
            let counts = self.column(Section::NearCounts);
            (range.map(|place| u128::from(counts.get(place)).pow(2)).sum::<u128>() as f64).sqrt()
        })
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
        assert_eq!((model.neighbour_pair("sun", "sun"), model.neighbour_pair("star", "moon")), (2, 1));
        assert_eq!(model.neighbour_totals(), (3, 8));
        let ln2 = std::f64::consts::LN_2;
        assert!((model.neighbour_entropy("sun").expect("known") - ln2).abs() < 1e-15);
        assert!((model.neighbour_entropy("moon").expect("known") - (3.0_f64.ln() - 2.0 / 3.0 * ln2)).abs() < 1e-15);
        assert_eq!((model.neighbour_entropy("star"), model.neighbour_entropy("comet")), (Some(0.0), None));
        let close = 4.0 / (8.0_f64.sqrt() * 5.0_f64.sqrt());
        assert!((model.similarity("sun", "moon") - close).abs() < 1e-15);
        assert!((model.similarity("moon", "sun") - close).abs() < 1e-15);
        assert_eq!((model.similarity("comet", "comet"), model.similarity("comet", "sun")), (1.0, 0.0));
    }
}

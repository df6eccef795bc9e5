//! Words by the words around them: how open a word's company is.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::layout::Section;
use super::{Model, Token};
use crate::stats::sum::neumaier;

/// Counts up to which terms of an entropy are remembered within one sum: most neighbours were met a few times.
const FEW: usize = 64;

/// The number whose bits stand there, or the one computed now.
pub(super) fn remembered(place: &AtomicU64, compute: impl FnOnce() -> f64) -> f64 {
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
                -p * pxfm::f_log(p)
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
    }
}

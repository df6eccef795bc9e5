//! The counts of a model file, to be added to others.

use super::Model;
use super::layout::Section;
use super::tables::{Pair, Tables, Triple, WordCounts};

impl Model {
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

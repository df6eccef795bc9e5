//! Whether the sections of a model go together.

use super::Model;
use super::layout::{ALL, Section};

impl Model {
    /// Whether all sections have lengths that go together, words and prints in order, rows that rise, numbers of words that
    /// there are, once each in a row, and runs and neighbours that were met: a word beside itself is met from both sides.
    pub(super) fn check(&self) -> Option<()> {
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
        let good = |condition: bool| condition.then_some(());
        good(ALL.iter().all(|section| fits(*section)))?;
        let ends = self.small(Section::WordEnds);
        let words = ends.len();
        let text = std::str::from_utf8(self.section(Section::WordBytes)).ok()?;
        let rising = |rows: &[u32]| rows.is_sorted_by_key(|at| u32::from_le(*at));
        good(rising(ends) && ends.iter().all(|end| text.is_char_boundary(u32::from_le(*end) as usize)))?;
        good(ends.last().map_or(0, |end| u32::from_le(*end) as usize) == text.len())?;
        good((1..words).all(|i| self.word_bytes(i as u32 - 1) < self.word_bytes(i as u32)))?;
        let per_word = [Section::Count, Section::First, Section::Last, Section::Alone, Section::Documents];
        good(per_word.iter().all(|section| self.column(*section).len() == words))?;
        let rows = |section: Section, count: usize, entries: usize| {
            let rows = self.small(section);
            let ends = (rows.first().copied().map(u32::from_le), rows.last().map(|end| u32::from_le(*end) as usize));
            rows.len() == count + 1 && rising(rows) && ends == (Some(0), Some(entries))
        };
        let known = |section: Section| self.small(section).iter().all(|word| (u32::from_le(*word) as usize) < words);
        let once = |rows: Section, section: Section| {
            let all = self.small(section);
            self.rows(rows).all(|row| all[row].is_sorted_by(|a, b| u32::from_le(*a) < u32::from_le(*b)))
        };
        let pairs = self.small(Section::PairWords).len();
        good(rows(Section::PairRows, words, pairs) && known(Section::PairWords))?;
        good(once(Section::PairRows, Section::PairWords))?;
        let met = |section: Section, length: usize| {
            let counts = self.column(section);
            counts.len() == length && (0..length).all(|place| counts.get(place) > 0)
        };
        let per_pair = [Section::PairStarts, Section::PairEnds];
        good(per_pair.iter().all(|section| self.column(*section).len() == pairs))?;
        good(met(Section::PairCounts, pairs) && self.small(Section::PairLefts).len() == pairs)?;
        let triples = self.small(Section::TripleWords).len();
        good(rows(Section::TripleRows, pairs, triples) && known(Section::TripleWords))?;
        good(once(Section::TripleRows, Section::TripleWords))?;
        good(met(Section::TripleCounts, triples))?;
        let near = self.small(Section::NearWords).len();
        good(rows(Section::NearRows, words, near) && known(Section::NearWords))?;
        good(once(Section::NearRows, Section::NearWords))?;
        good(met(Section::NearCounts, near))?;
        let beside_itself = |word: usize| {
            let row = self.row(Section::NearRows, word);
            let found =
                self.small(Section::NearWords)[row.clone()].binary_search_by_key(&word, |w| u32::from_le(*w) as usize);
            found.map_or(0, |at| self.column(Section::NearCounts).get(row.start + at))
        };
        good((0..words).all(|word| beside_itself(word).is_multiple_of(2)))?;
        let prints = self.prints();
        good(prints.is_sorted_by(|a, b| u64::from_le(*a) < u64::from_le(*b)))?;
        good(prints.len() == self.column(Section::PrintCounts).len())
    }
}

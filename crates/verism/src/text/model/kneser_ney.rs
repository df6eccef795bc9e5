//! Interpolated modified Kneser-Ney smoothing of order 3 on documents with their start and end.

use std::ops::Range;

use super::bytes::Column;
use super::layout::Section;
use super::{Model, Step, Token};

/// Counts of one history: their sum, and how many continuations have count 1, 2, 3 or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct History {
    total: u64,
    kinds: [u32; 3],
}

impl History {
    fn of(counts: Column<'_>, row: Range<usize>) -> History {
        row.fold(History::default(), |history, place| history.and(counts.get(place)))
    }

    fn and(mut self, count: u64) -> History {
        if count > 0 {
            self.total = self.total.saturating_add(count);
            self.kinds[count.min(3) as usize - 1] += 1;
        }
        self
    }
}

/// Histories of rows with many counts, by the numbers of the rows: the others are summed up as quickly.
#[derive(Debug, Default)]
struct Histories(Vec<(u32, History)>);

/// Counts of a row from which on its history is kept.
const MANY: usize = 16;

impl Histories {
    fn of(rows: impl Iterator<Item = (u32, Range<usize>)>, counts: Column<'_>) -> Histories {
        let many = rows.filter(|(_, row)| row.len() >= MANY);
        Histories(many.map(|(number, row)| (number, History::of(counts, row))).collect())
    }

    fn get(&self, number: u32, row: Range<usize>, counts: Column<'_>) -> History {
        let kept = || self.0.binary_search_by_key(&number, |(number, _)| *number).ok();
        match (row.len() >= MANY).then(kept).flatten() {
            Some(at) => self.0[at].1,
            None => History::of(counts, row),
        }
    }
}

/// Discounts of an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discounts {
    /// For counts 1, 2, 3 and more.
    pub d: [f64; 3],
    /// Whether they are the fixed ones, since the counts of counts gave none.
    pub fallback: bool,
}

impl Default for Discounts {
    fn default() -> Self {
        Discounts { d: [0.5, 1.0, 1.5], fallback: true }
    }
}

impl Discounts {
    /// Estimates from how many counts are 1, 2, 3, 4.
    ///
    /// ```math
    /// D_j = j - (j+1) Y n_{j+1} / n_j,  Y = n_1 / (n_1 + 2 n_2)
    /// ```
    /// 0.5, 1, 1.5 if one of n_1 … n_4 is 0 or a D_j lies outside \[0, j\].
    /// Source: Chen and Goodman, Computer Speech and Language 13 (1999).
    fn of(n: [u64; 4]) -> Discounts {
        let [n1, n2, ..] = n.map(|count| count as f64);
        let y = n1 / (n1 + 2.0 * n2);
        let d: [f64; 3] = std::array::from_fn(|i| {
            let j = (i + 1) as f64;
            j - (j + 1.0) * y * n[i + 1] as f64 / n[i] as f64
        });
        let good =
            n.iter().all(|count| *count > 0) && d.iter().zip([1.0, 2.0, 3.0]).all(|(d, j)| (0.0..=j).contains(d));
        if good { Discounts { d, fallback: false } } else { Discounts::default() }
    }

    /// One step of the interpolation: the discounted share of a count, and what the history leaves times `lower`.
    fn step(&self, count: u64, history: &History, lower: f64) -> f64 {
        let all = history.total as f64;
        let back = self.d.iter().zip(history.kinds).fold(0.0, |sum, (d, kinds)| sum + d * f64::from(kinds)) / all;
        let own = if count > 0 { (count as f64 - self.d[count.min(3) as usize - 1]).max(0.0) / all } else { 0.0 };
        own + back * lower
    }
}

/// What is known of each history before the first question.
#[derive(Debug, Default)]
pub(super) struct KneserNey {
    /// Of orders 3, 2, 1.
    discounts: [Discounts; 3],
    /// Different tokens before each word, and before the end.
    before: Vec<u32>,
    before_end: u64,
    first: History,
    /// Words after each word, by different tokens before; and different tokens before a word at the end of a document.
    second: Histories,
    word_before_end: Vec<u32>,
    /// Words after the start of a document and each word that begins one.
    start_second: Histories,
    /// After the start of a document.
    start: History,
    /// Words after each pair.
    third: Histories,
}

/// What follows a history: a word of the vocabulary, the end, or a word never seen.
#[derive(Clone, Copy)]
enum Next {
    Word(u32),
    End,
    Unknown,
}

/// What stands before: a word or the start.
#[derive(Clone, Copy)]
enum Before {
    Word(u32),
    Start,
    Unknown,
}

/// The start of a document, as a token.
pub const START: &str = "<s>";
/// The end of a document, as a token.
pub const END: &str = "</s>";

impl KneserNey {
    pub(super) fn of(model: &Model, of_counts: [[u64; 4]; 3]) -> KneserNey {
        let words = model.words();
        let (firsts, lasts, alone) =
            (model.column(Section::First), model.column(Section::Last), model.column(Section::Alone));
        let (pair_words, ends) = (model.small(Section::PairWords), model.column(Section::PairEnds));
        let mut before = vec![0_u32; words];
        let mut word_before_end = vec![0_u32; words];
        for (place, word) in pair_words.iter().enumerate() {
            let word = u32::from_le(*word) as usize;
            before[word] += 1;
            word_before_end[word] += u32::from(ends.get(place) > 0);
        }
        let mut start = History::default();
        for word in 0..words {
            before[word] += u32::from(firsts.get(word) > 0);
            word_before_end[word] += u32::from(alone.get(word) > 0);
            start = start.and(firsts.get(word));
        }
        let pair_rows = || (0..).zip(model.rows(Section::PairRows));
        // Most words begin no document.
        let begin = pair_rows().filter(|(word, _)| firsts.get(*word as usize) > 0);
        let before_end = (0..words).filter(|word| lasts.get(*word) > 0).count() as u64;
        KneserNey {
            discounts: of_counts.map(Discounts::of),
            first: before.iter().fold(History::default().and(before_end), |first, count| first.and((*count).into())),
            before,
            before_end,
            second: Histories::of(pair_rows(), model.lefts()),
            word_before_end,
            start_second: Histories::of(begin, model.column(Section::PairStarts)),
            start,
            third: Histories::of((0..).zip(model.rows(Section::TripleRows)), model.column(Section::TripleCounts)),
        }
    }
}

impl Model {
    /// The discounts of order 1, 2 or 3.
    pub fn discounts(&self, order: usize) -> Discounts {
        self.kneser_ney.discounts[3 - order]
    }

    /// The probability of the last token of a run, or of the end, after the two before it.
    ///
    /// ```math
    /// p(w|h) = max(a(hw) - D, 0) / A(h) + (Σ_j D_j N_j(h) / A(h)) · p(w|h')
    /// ```
    /// a: counts of trigrams; of shorter runs the different tokens before them, but counts after the start. A(h) = Σ a(h·),
    /// N_j the continuations of count j (3: three or more), h' is h without its first token. A history never seen:
    /// p(w|h'). The lowest order interpolates with 1 / (vocabulary + 2), for the end and a word never seen: Σ p = 1.
    /// Source: Chen and Goodman, Computer Speech and Language 13 (1999).
    pub fn kneser_ney_probability(&self, run: &[Step<'_>]) -> f64 {
        let uniform = 1.0 / (self.vocabulary() + 2) as f64;
        let Some((step, before)) = run.split_last() else { return uniform };
        let counts = self.column(Section::Count);
        let known = |token: Token<'_>| token.place.filter(|place| counts.get(*place as usize) > 0);
        let next = match step.token.text {
            END => Next::End,
            _ => known(step.token).map_or(Next::Unknown, Next::Word),
        };
        let history = |step: &Step<'_>| match step.token.text {
            START => Before::Start,
            _ => known(step.token).map_or(Before::Unknown, Before::Word),
        };
        let tables = &self.kneser_ney;
        let count = match next {
            Next::Word(word) => tables.before[word as usize].into(),
            Next::End => tables.before_end,
            Next::Unknown => 0,
        };
        if tables.first.total == 0 {
            return uniform;
        }
        let mut p = self.discounts(1).step(count, &tables.first, uniform);
        let Some(last) = before.last() else { return p };
        let (count, second) = self.after_one(next, history(last), step);
        if second.total == 0 {
            return p;
        }
        p = self.discounts(2).step(count, &second, p);
        let [.., first, _] = before else { return p };
        let (count, third) = self.after_two(next, history(first), (last, step));
        if third.total == 0 { p } else { self.discounts(3).step(count, &third, p) }
    }

    /// The count of a continuation, which ends a step, after one token, and the history of all of them.
    fn after_one(&self, next: Next, last: Before, step: &Step<'_>) -> (u64, History) {
        let tables = &self.kneser_ney;
        match (last, next) {
            (Before::Unknown, _) => (0, History::default()),
            (Before::Start, Next::Word(word)) => (self.column(Section::First).get(word as usize), tables.start),
            (Before::Start, _) => (0, tables.start),
            (Before::Word(last), next) => {
                let (lefts, ends) = (self.lefts(), tables.word_before_end[last as usize].into());
                let count = match next {
                    Next::Word(_) => step.pair.map_or(0, |at| lefts.get(at as usize)),
                    Next::End => ends,
                    Next::Unknown => 0,
                };
                (count, tables.second.get(last, self.row(Section::PairRows, last as usize), lefts).and(ends))
            }
        }
    }

    /// The count of a continuation after two tokens, given the steps of the last of them and its own, and the history of all.
    fn after_two(&self, next: Next, first: Before, (last, step): (&Step<'_>, &Step<'_>)) -> (u64, History) {
        let nothing = (0, History::default());
        match first {
            Before::Unknown => nothing,
            Before::Start => {
                let begins = |word: &u32| self.count_at(Section::First, Some(*word)) > 0;
                let Some(word) = last.token.place.filter(begins) else { return nothing };
                let (starts, alone) = (self.column(Section::PairStarts), self.count_at(Section::Alone, Some(word)));
                let count = match next {
                    Next::Word(_) => self.count_at(Section::PairStarts, step.pair),
                    Next::End => alone,
                    Next::Unknown => 0,
                };
                let words = self.row(Section::PairRows, word as usize);
                (count, self.kneser_ney.start_second.get(word, words, starts).and(alone))
            }
            Before::Word(_) => {
                let Some(pair) = last.pair else { return nothing };
                let (counts, ends) = (self.column(Section::TripleCounts), self.count_at(Section::PairEnds, last.pair));
                let count = match next {
                    Next::Word(_) => self.count_at(Section::TripleCounts, step.triple),
                    Next::End => ends,
                    Next::Unknown => 0,
                };
                let words = self.row(Section::TripleRows, pair as usize);
                (count, self.kneser_ney.third.get(pair, words, counts).and(ends))
            }
        }
    }

    /// Different tokens before each pair.
    fn lefts(&self) -> Column<'_> {
        Column::Narrow(self.small(Section::PairLefts))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{CardType, Counts, Reading};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    fn model(texts: &[&str]) -> Model {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        texts.iter().for_each(|text| counts.add(CardType::White, text));
        Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model")
    }

    fn asked(model: &Model, token: &str, before: &[&str]) -> f64 {
        let run = before.iter().chain([&token]).map(|word| model.look_up(word));
        model.kneser_ney_probability(&model.follow(run))
    }

    #[test]
    fn two_documents_by_hand() {
        // Corpus `a b` and `a c`. Order 1: a, b, c have one token before them, the end has two (b, c): A = 5,
        // D = 0.5, 1, 1.5; back = (3·0.5 + 1)/5 = 0.5; uniform 1/5: p(a) = 0.5/5 + 0.5/5 = 0.2, p(b) the same,
        // p(end) = (2-1)/5 + 0.1 = 0.3. After the start: a twice: (2-1)/2 + 1/2·0.2 = 0.6. After a: b and c once each:
        // 0.5/2 + 0.5·0.2 = 0.35. After (start, a): b: 0.5/2 + 0.5·0.35 = 0.425.
        let model = model(&["a b", "a c"]);
        let p = |token, before: &[&str]| asked(&model, token, before);
        assert!((p("a", &[]) - 0.2).abs() < 1e-15);
        assert!((p("a", &[START]) - 0.6).abs() < 1e-15);
        assert!((p("b", &[START, "a"]) - 0.425).abs() < 1e-15);
        assert!(model.discounts(3).fallback);
    }

    #[test]
    fn many_continuations_by_hand() {
        // `x y c0` to `x y c19`; all discounts are 0.5, 1, 1.5, since nothing was counted twice. After x, y each c once:
        // p = 0.5/20 + 0.5 p(c|y), p(c|y) = 0.5/20 + 0.5 p(c). One token stands before x, y and each c, twenty before the
        // end: p(c) = 0.5/42 + (22·0.5 + 1.5)/42 · 1/24.
        let texts: Vec<String> = (0..20).map(|i| format!("x y c{i}")).collect();
        let model = model(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let one = 0.5 / 42.0 + 12.5 / 42.0 / 24.0;
        let two = 0.5 / 20.0 + 0.5 * one;
        let p = |token: &str, before: &[&str]| asked(&model, token, before);
        assert!(
            (p("c7", &["y"]) - two).abs() < 1e-15 && (p("c7", &["x", "y"]) - (0.5 / 20.0 + 0.5 * two)).abs() < 1e-15
        );
        let known = (0..20).map(|i| p(&format!("c{i}"), &["x", "y"]));
        let others = ["x", "y", END, "never"].map(|token| p(token, &["x", "y"]));
        assert!((known.sum::<f64>() + others.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(model.kneser_ney_probability(&[]), 1.0 / 24.0);
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one(
            texts in prop::collection::vec("([a-d] ){1,5}", 1..12), before in prop::collection::vec("[a-e]", 0..3), start: bool
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let model = model(&texts);
            let mut history: Vec<&str> = if start { vec![START] } else { vec![] };
            history.extend(before.iter().map(String::as_str));
            let known = ["a", "b", "c", "d"].into_iter().filter(|word| model.count(model.look_up(word)) > 0);
            let sum: f64 = known.chain([END, "never"]).map(|word| asked(&model, word, &history)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}

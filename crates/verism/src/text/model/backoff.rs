//! A trigram model with add-alpha smoothing and back-off, as the published formula has it.

use super::layout::Section;
use super::{ALPHA, Model, Step};

/// When the second level answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The pair has been seen.
    Pair,
    /// The token before has been seen.
    Context,
}

/// A probability and what it was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The probability.
    pub p: f64,
    /// Which level answered: 3, 2 or 1 tokens.
    pub level: u8,
    /// How often the token came there.
    pub count: u64,
    /// Out of how many.
    pub of: u64,
}

impl Model {
    /// The smoothed probability of the last token of a run after the two before it.
    ///
    /// ```math
    /// P(t | u v) = (c(u,v,t) + α) / (c(u,v) + αV) if c(u,v) > 0,
    ///         else (c(v,t) + α) / (c(v) + αV) if c(v,t) > 0 (gate `Pair`) or c(v) > 0 (gate `Context`),
    ///         else (c(t) + α) / (N + αV)
    /// ```
    /// c are counts, N all tokens, V the vocabulary plus one, α = 0.1. With gate `Pair` the values do not sum to 1. Of no
    /// token: what a word never seen gets.
    pub fn backoff(&self, run: &[Step<'_>], gate: Gate) -> Answer {
        let smooth = ALPHA * (self.vocabulary() + 1) as f64;
        let answer = |level: u8, count: u64, of: u64| Answer {
            p: (count as f64 + ALPHA) / (of as f64 + smooth),
            level,
            count,
            of,
        };
        let Some((token, before)) = run.split_last() else { return answer(1, 0, self.tokens()) };
        if let [.., _, last] = before
            && last.pair.is_some()
        {
            let three = self.count_at(Section::TripleCounts, token.triple);
            return answer(3, three, self.count_at(Section::PairCounts, last.pair));
        }
        if let Some(last) = before.last() {
            let one = self.count_at(Section::Count, last.token.place);
            let two = self.count_at(Section::PairCounts, token.pair);
            let open = match gate {
                Gate::Pair => two > 0,
                Gate::Context => one > 0,
            };
            if open {
                return answer(2, two, one);
            }
        }
        answer(1, self.count_at(Section::Count, token.token.place), self.tokens())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CardType, Counts, Reading};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    #[test]
    fn the_three_levels_by_hand() {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        ["My cat wants _.", "a tiny hat", "a tiny cat", "a hat"]
            .iter()
            .for_each(|text| counts.add(CardType::White, text));
        let model = Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model");
        let asked = |token: &str, before: &[&str], gate: Gate| {
            let run = before.iter().chain([&token]).map(|word| model.look_up(word));
            model.backoff(&model.follow(run), gate)
        };
        // 12 tokens, 7 words, V = 8, αV = 0.8: README, example 1.
        let close = |answer: Answer, p: f64, level: u8| (answer.p - p).abs() < 1e-15 && answer.level == level;
        assert!(close(asked("a", &["wants", "_"], Gate::Pair), 0.1 / 1.8, 3));
        assert!(close(asked("tiny", &["_", "a"], Gate::Pair), 2.1 / 3.8, 2));
        assert!(close(asked("cat", &["a", "tiny"], Gate::Pair), 1.1 / 2.8, 3));
        assert!(close(asked("a", &[], Gate::Pair), 3.1 / 12.8, 1));
        assert!(close(asked("wants", &["tiny"], Gate::Pair), 1.1 / 12.8, 1));
        assert!(close(asked("wants", &["tiny"], Gate::Context), 0.1 / 2.8, 2));
        assert!(close(asked("dog", &["dog", "dog"], Gate::Context), 0.1 / 12.8, 1));
        assert!(close(model.backoff(&[], Gate::Pair), 0.1 / 12.8, 1));
    }
}

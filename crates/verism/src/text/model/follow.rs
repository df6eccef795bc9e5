//! A run of tokens, followed through the tables once for all that is asked about it.

use super::{Model, Token};

/// A token of a run, and where the runs that it ends stand in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'t> {
    /// The token.
    pub token: Token<'t>,
    /// The place of the bigram that it ends; none if there is no such bigram.
    pub(super) pair: Option<u32>,
    /// The place of the trigram that it ends.
    pub(super) triple: Option<u32>,
}

impl<'t> Step<'t> {
    /// The start or the end of a document, which the tables of runs do not hold.
    pub fn mark(text: &'t str) -> Step<'t> {
        Step { token: Token::unknown(text), pair: None, triple: None }
    }

    /// Whether the corpus holds the run of two or three tokens that ends here.
    pub fn ends_known(&self, n: usize) -> bool {
        match n {
            2 => self.pair.is_some(),
            3 => self.triple.is_some(),
            _ => false,
        }
    }
}

impl Model {
    /// Looks up the bigrams and trigrams of a run of tokens.
    pub fn follow<'t>(&self, tokens: impl Iterator<Item = Token<'t>>) -> Vec<Step<'t>> {
        let mut run: Vec<Step<'t>> = Vec::with_capacity(tokens.size_hint().0);
        for token in tokens {
            let before = run.last();
            let pair = before.and_then(|before| self.pair(before.token.place?, token.place?));
            let triple = before.and_then(|before| self.triple(before.pair? as usize, token.place?));
            run.push(Step { token, pair: pair.map(|at| at as u32), triple: triple.map(|at| at as u32) });
        }
        run
    }
}

/// Token `i` of a run with the two before it; fewer at the start.
pub(crate) fn last_three<'r, 't>(run: &'r [Step<'t>], i: usize) -> &'r [Step<'t>] {
    &run[i.saturating_sub(2)..=i]
}

#[cfg(test)]
mod tests {
    use super::super::{CardType, Counts, Reading};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    #[test]
    fn a_run_is_known_where_the_corpus_has_it() {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        ["My cat wants _.", "a tiny hat", "a tiny cat"].iter().for_each(|text| counts.add(CardType::White, text));
        let model = Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model");
        let run = model.follow(["my", "cat", "wants", "a", "tiny", "cat"].map(|word| model.look_up(word)).into_iter());
        // `wants a` and `cat wants a` stand nowhere; `my cat wants` and `a tiny cat` do.
        let known = |n: usize| run.iter().map(|step| step.ends_known(n)).collect::<Vec<_>>();
        assert_eq!(known(2), [false, true, true, false, true, true]);
        assert_eq!(known(3), [false, false, true, false, false, true]);
        assert_eq!((last_three(&run, 0), last_three(&run, 4)), (&run[..1], &run[2..5]));
    }
}

//! Surprise under a language model whose probabilities sum to 1.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried, ZERO_PROBABILITY};
use crate::text::model::kneser_ney::{END, START};
use crate::text::model::{Model, Step, Token, last_three};

/// One token and its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TokenRow<'t> {
    pub(crate) token: Cow<'t, str>,
    pub(crate) p: f64,
    pub(crate) nats: f64,
}

/// Evidence of `kn_surprisal_nats` and `kn_nats`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KnTokens<'t> {
    pub(crate) tokens: Vec<TokenRow<'t>>,
}

/// Mean nats of some tokens under the model.
///
/// ```math
/// kn_nats = mean of -ln p(t | u v) over the words and the end;  kn_surprisal_nats: over the words after the prompt's
/// ```
/// p as in [`Model::kneser_ney_probability`]. Undefined: `empty_text`, `zero_probability` (a discount of exactly 0, which takes
/// a tiny corpus, can leave nothing for a word).
fn mean_nats<'t>(words: &[Step<'_>], tokens: Vec<TokenRow<'t>>) -> Tried<KnTokens<'t>> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    if tokens.iter().any(|row| row.p == 0.0) {
        return Err(ZERO_PROBABILITY);
    }
    let value = neumaier(tokens.iter().map(|row| row.nats)) / tokens.len() as f64;
    Ok(Found { value, n: tokens.len() as u64, evidence: KnTokens { tokens } })
}

fn row<'t>(model: &Model, run: &[Step<'t>], i: usize) -> TokenRow<'t> {
    let p = model.kneser_ney_probability(last_three(run, i));
    TokenRow { token: run[i].token.text.into(), p, nats: -pxfm::f_log(p) }
}

/// `kn_nats`: the words, and the end of the document that they are.
pub(crate) fn kn_nats<'t>(model: &Model, words: &[Step<'t>]) -> Tried<KnTokens<'t>> {
    let run = [&[Step::mark(START)], words, &[Step::mark(END)]].concat();
    mean_nats(words, (1..run.len()).map(|i| row(model, &run, i)).collect())
}

/// `kn_surprisal_nats`: the words after the start of a document and a history, which only the first two of them see;
/// of the others `alone` knows the same.
pub(crate) fn kn_surprisal_nats<'t>(
    model: &Model,
    words: &[Step<'t>],
    history: &[Token<'t>],
    alone: &Tried<KnTokens<'t>>,
) -> Tried<KnTokens<'t>> {
    let start = [Token::unknown(START)].into_iter().chain(history.iter().copied());
    let run = model.follow(start.chain(words.iter().take(2).map(|step| step.token)));
    let mut tokens: Vec<TokenRow<'t>> = (1 + history.len()..run.len()).map(|i| row(model, &run, i)).collect();
    tokens.extend((2..words.len()).map(|i| match alone {
        Ok(found) => found.evidence.tokens[i].clone(),
        Err(_) => row(model, words, i),
    }));
    mean_nats(words, tokens)
}

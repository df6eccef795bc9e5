//! Surprise under a language model whose probabilities sum to 1.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};
use crate::text::model::kneser_ney::{END, START};
use crate::text::model::{Model, Token};

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

/// Mean nats of the words after the start of a document and a history, with or without its end.
///
/// ```math
/// kn_nats = mean of -ln p(t | u v) over the words and the end;  kn_surprisal_nats: over the words after the prompt's
/// ```
/// p as in [`Model::kneser_ney_probability`]. Undefined: `empty_text`.
pub(crate) fn mean_nats<'t>(
    model: &Model,
    words: &[Token<'t>],
    history: &[Token<'t>],
    with_end: bool,
) -> Tried<KnTokens<'t>> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let (start, end) = (model.look_up(START), model.look_up(END));
    let run = [start].into_iter().chain(history.iter().copied()).chain(words.iter().copied());
    let run: Vec<Token<'t>> = run.chain(with_end.then_some(end)).collect();
    let first = 1 + history.len();
    let row = |i: usize| {
        let p = model.kneser_ney_probability(run[i], &run[i.saturating_sub(2)..i]);
        TokenRow { token: run[i].text.into(), p, nats: -libm::log(p) }
    };
    let tokens: Vec<TokenRow<'_>> = (first..run.len()).map(row).collect();
    let value = neumaier(tokens.iter().map(|row| row.nats)) / tokens.len() as f64;
    Ok(Found { value, n: tokens.len() as u64, evidence: KnTokens { tokens } })
}

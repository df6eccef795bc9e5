//! Surprise under a language model whose probabilities sum to 1.

use serde::{Deserialize, Serialize};

use super::found::{EMPTY_TEXT, Found, Tried};
use crate::stats::sum::neumaier;
use crate::text::model::Model;
use crate::text::model::kneser_ney::{END, START};

/// One token and its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TokenRow {
    pub(super) token: String,
    pub(super) p: f64,
    pub(super) nats: f64,
}

/// Evidence of `kn_surprisal_nats` and `kn_nats`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct KnTokens {
    pub(super) tokens: Vec<TokenRow>,
}

/// Mean nats of the words after the start of a document and a history, with or without its end.
///
/// ```math
/// kn_nats = mean of -ln p(t | u v) over the words and the end;  kn_surprisal_nats: over the words after the prompt's
/// ```
/// p as in [`Model::kneser_ney_probability`]. Undefined: `empty_text`.
pub(super) fn mean_nats(model: &Model, words: &[&str], history: &[&str], with_end: bool) -> Tried<KnTokens> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let mut before: Vec<&str> = [START].into_iter().chain(history.iter().copied()).collect();
    let mut tokens = Vec::with_capacity(words.len() + 1);
    for &token in words.iter().chain(with_end.then_some(&END)) {
        let p = model.kneser_ney_probability(token, &before[before.len().saturating_sub(2)..]);
        tokens.push(TokenRow { token: token.into(), p, nats: -libm::log(p) });
        before.push(token);
    }
    let value = neumaier(tokens.iter().map(|row| row.nats)) / tokens.len() as f64;
    Ok(Found { value, n: tokens.len() as u64, evidence: KnTokens { tokens } })
}

//! How surprising the words of a text are after its prompt.

use serde::{Deserialize, Serialize};

use super::found::{EMPTY_TEXT, Found, Tried};
use crate::stats::sum::neumaier;
use crate::text::model::Model;
use crate::text::model::backoff::Gate;

/// Smallest probability that counts.
const FLOOR: f64 = 1e-10;

/// One token: its probability and which level of the back-off answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TokenRow {
    pub(super) token: String,
    /// The tokens before it that were used.
    pub(super) context: Vec<String>,
    pub(super) level: u8,
    pub(super) count: u64,
    pub(super) of: u64,
    pub(super) p: f64,
    pub(super) nats: f64,
}

/// Evidence of `surprisal`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Surprisal {
    pub(super) tokens: Vec<TokenRow>,
    pub(super) raw: f64,
}

/// The tokens of a text one after the other, each after those before it and the last two of a history.
pub(super) fn token_rows(model: &Model, tokens: &[&str], history: &[&str], gate: Gate) -> Vec<TokenRow> {
    let mut before: Vec<&str> = history[history.len().saturating_sub(2)..].to_vec();
    let mut rows = Vec::with_capacity(tokens.len());
    for &token in tokens {
        let answer = model.backoff(token, &before, gate);
        let used = before.len() - before.len().min(usize::from(answer.level) - 1);
        rows.push(TokenRow {
            token: token.into(),
            context: before[used..].iter().map(|word| word.to_string()).collect(),
            level: answer.level,
            count: answer.count,
            of: answer.of,
            p: answer.p,
            nats: -libm::log(answer.p.max(FLOOR)),
        });
        before.push(token);
        if before.len() > 2 {
            before.remove(0);
        }
    }
    rows
}

/// The mean of the tokens' nats; none without tokens.
pub(super) fn mean_nats(rows: &[TokenRow]) -> Option<f64> {
    (!rows.is_empty()).then(|| neumaier(rows.iter().map(|row| row.nats)) / rows.len() as f64)
}

/// Mean surprisal of the words, scaled to 0..10.
///
/// ```math
/// raw = mean over the words of -ln max(P(t | u v), 1e-10),  surprisal = min(raw / 2, 10)
/// ```
/// u, v are the two words before t, at the start the last of the prompt. Undefined: `empty_text` without words.
/// Source: the published measure; P as in [`Model::backoff`].
pub(super) fn surprisal(model: &Model, words: &[&str], context: &[&str], gate: Gate) -> Tried<Surprisal> {
    let tokens = token_rows(model, words, context, gate);
    let raw = mean_nats(&tokens).ok_or(EMPTY_TEXT)?;
    Ok(Found { value: (raw / 2.0).min(10.0), n: tokens.len() as u64, evidence: Surprisal { tokens, raw } })
}

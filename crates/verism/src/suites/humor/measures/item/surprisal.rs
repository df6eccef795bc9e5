//! How surprising the words of a text are after its prompt.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};
use crate::text::model::backoff::{Answer, Gate};
use crate::text::model::{Model, Token};

/// Smallest probability that counts.
const FLOOR: f64 = 1e-10;

/// One token: its probability and which level of the back-off answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TokenRow<'t> {
    pub(crate) token: Cow<'t, str>,
    /// The tokens before it that were used.
    pub(crate) context: Vec<Cow<'t, str>>,
    pub(crate) level: u8,
    pub(crate) count: u64,
    pub(crate) of: u64,
    pub(crate) p: f64,
    pub(crate) nats: f64,
}

/// Evidence of `surprisal`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Surprisal<'t> {
    pub(crate) tokens: Vec<TokenRow<'t>>,
    pub(crate) raw: f64,
}

/// What the model answers to the tokens of a text one after the other, each after the two before it; at the start after
/// the last of a history.
pub(crate) fn answers(model: &Model, tokens: &[Token<'_>], history: &[Token<'_>], gate: Gate) -> Vec<Answer> {
    let one = |i: usize| with_before(tokens, history, i, |before| model.backoff(tokens[i], before, gate));
    (0..tokens.len()).map(one).collect()
}

/// Hands on the last two tokens before token `i` of a text after a history; fewer if there are not as many.
fn with_before<'t, T>(
    tokens: &[Token<'t>],
    history: &[Token<'t>],
    i: usize,
    work: impl FnOnce(&[Token<'t>]) -> T,
) -> T {
    match (i, history) {
        (0, _) => work(&history[history.len().saturating_sub(2)..]),
        (1, [.., last]) => work(&[*last, tokens[0]]),
        _ => work(&tokens[i.saturating_sub(2)..i]),
    }
}

/// -ln max(P, 1e-10).
pub(crate) fn nats(answer: &Answer) -> f64 {
    -libm::log(answer.p.max(FLOOR))
}

/// Mean surprisal of the words, scaled to 0..10.
///
/// ```math
/// raw = mean over the words of -ln max(P(t | u v), 1e-10),  surprisal = min(raw / 2, 10)
/// ```
/// u, v are the two words before t, at the start the last of the prompt. Undefined: `empty_text` without words.
/// Source: the published measure; P as in [`Model::backoff`].
pub(crate) fn surprisal<'t>(
    model: &Model,
    words: &[Token<'t>],
    context: &[Token<'t>],
    gate: Gate,
) -> Tried<Surprisal<'t>> {
    let answers = answers(model, words, context, gate);
    let row = |(i, answer): (usize, &Answer)| TokenRow {
        token: words[i].text.into(),
        context: with_before(words, context, i, |before| {
            let used = before.len().min(usize::from(answer.level) - 1);
            before[before.len() - used..].iter().map(|token| token.text.into()).collect()
        }),
        level: answer.level,
        count: answer.count,
        of: answer.of,
        p: answer.p,
        nats: nats(answer),
    };
    let tokens: Vec<TokenRow<'t>> = answers.iter().enumerate().map(row).collect();
    if tokens.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let raw = neumaier(tokens.iter().map(|row| row.nats)) / tokens.len() as f64;
    Ok(Found { value: (raw / 2.0).min(10.0), n: words.len() as u64, evidence: Surprisal { tokens, raw } })
}

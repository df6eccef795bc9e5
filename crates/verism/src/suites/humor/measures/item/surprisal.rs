//! How surprising the words of a text are after its prompt.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};
use crate::text::model::backoff::{Answer, Gate};
use crate::text::model::{Model, Step, Token, last_three};

/// Smallest probability that counts.
const FLOOR: f64 = 1e-10;

/// One token: its probability and which level of the back-off answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TokenRow<'t> {
    pub(crate) token: Cow<'t, str>,
    /// The tokens before it that were used.
    pub(crate) context: Before<'t>,
    pub(crate) level: u8,
    pub(crate) count: u64,
    pub(crate) of: u64,
    pub(crate) p: f64,
    pub(crate) nats: f64,
}

/// At most two tokens, in their order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Vec<Cow<'t, str>>")]
pub(crate) struct Before<'t>([Option<Cow<'t, str>>; 2]);

impl<'t> Before<'t> {
    /// The tokens.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(|token| token.as_ref())
    }
}

impl<'t> From<Vec<Cow<'t, str>>> for Before<'t> {
    fn from(tokens: Vec<Cow<'t, str>>) -> Before<'t> {
        let mut tokens = tokens.into_iter();
        Before([tokens.next(), tokens.next()])
    }
}

impl Serialize for Before<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Evidence of `surprisal`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Surprisal<'t> {
    pub(crate) tokens: Vec<TokenRow<'t>>,
    pub(crate) raw: f64,
}

/// What the model answers to a token, and -ln max(P, 1e-10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) answer: Answer,
    pub(crate) nats: f64,
}

fn told(model: &Model, run: &[Step<'_>], i: usize, gate: Gate) -> Told {
    let answer = model.backoff(last_three(run, i), gate);
    Told { answer, nats: -pxfm::f_log(answer.p.max(FLOOR)) }
}

/// What the model answers to the tokens of a run one after the other, each after the two before it.
pub(crate) fn answers(model: &Model, run: &[Step<'_>], gate: Gate) -> Vec<Told> {
    (0..run.len()).map(|i| told(model, run, i, gate)).collect()
}

/// The same after a history, which only the first two tokens see.
fn after(model: &Model, history: &[Token<'_>], run: &[Step<'_>], alone: &[Told], gate: Gate) -> Vec<Told> {
    let start = &run[..run.len().min(2)];
    let first = model.follow(history.iter().copied().chain(start.iter().map(|step| step.token)));
    let start = (history.len()..first.len()).map(|i| told(model, &first, i, gate));
    start.chain(alone.iter().skip(2).copied()).collect()
}

/// Hands on the last two tokens before token `i` of a run after a history; fewer if there are not as many.
fn with_before<'t, T>(run: &[Step<'t>], history: &[Token<'t>], i: usize, work: impl FnOnce(&[Token<'t>]) -> T) -> T {
    match (i, history) {
        (0, _) => work(&history[history.len().saturating_sub(2)..]),
        (1, [.., last]) => work(&[*last, run[0].token]),
        (1, []) => work(&[run[0].token]),
        _ => work(&[run[i - 2].token, run[i - 1].token]),
    }
}

/// Mean surprisal of the words, scaled to 0..10.
///
/// ```math
/// raw = mean over the words of -ln max(P(t | u v), 1e-10),  surprisal = min(raw / 2, 10)
/// ```
/// u, v are the two words before t, at the start the last of the prompt; `alone` is what [`answers`] gives without it.
/// Undefined: `empty_text` without words. Source: the published measure; P as in [`Model::backoff`].
pub(crate) fn surprisal<'t>(
    model: &Model,
    words: &[Step<'t>],
    context: &[Token<'t>],
    alone: &[Told],
    gate: Gate,
) -> Tried<Surprisal<'t>> {
    let row = |(i, Told { answer, nats }): (usize, Told)| TokenRow {
        token: words[i].token.text.into(),
        context: with_before(words, context, i, |before| {
            let used = before.len().min(usize::from(answer.level) - 1);
            let used = &before[before.len() - used..];
            Before(std::array::from_fn(|i| used.get(i).map(|token| token.text.into())))
        }),
        level: answer.level,
        count: answer.count,
        of: answer.of,
        p: answer.p,
        nats,
    };
    let tokens: Vec<TokenRow<'t>> =
        after(model, context, words, alone, gate).into_iter().enumerate().map(row).collect();
    if tokens.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let raw = neumaier(tokens.iter().map(|row| row.nats)) / tokens.len() as f64;
    Ok(Found { value: (raw / 2.0).min(10.0), n: words.len() as u64, evidence: Surprisal { tokens, raw } })
}

//! How hard the words of a text are to foresee without its prompt.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};
use crate::suites::humor::measures::item::surprisal::{answers, mean_nats};
use crate::text::model::backoff::Gate;
use crate::text::model::{Model, Token};

/// Evidence of `perplexity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Perplexity {
    pub(crate) mean_nats: f64,
    /// How many tokens each level of the back-off answered.
    pub(crate) levels: BTreeMap<String, u64>,
    /// Words that the corpus does not hold.
    pub(crate) unknown: Vec<String>,
}

/// The logarithm of perplexity.
///
/// ```math
/// perplexity = min(m, 10),  raw = exp(m),  m = mean over the words of -ln max(P(t | u v), 1e-10), nothing before the first
/// ```
/// Undefined: `empty_text` without words. Source: the published measure.
pub(crate) fn perplexity(model: &Model, words: &[Token<'_>], gate: Gate) -> Tried<Perplexity> {
    let rows = answers(model, words, &[], gate);
    let mean = mean_nats(&rows).ok_or(EMPTY_TEXT)?;
    let at_level = |level: u8| (level.to_string(), rows.iter().filter(|row| row.level == level).count() as u64);
    let unknown = words.iter().filter(|word| model.count(**word) == 0).map(|word| word.text.to_string());
    let evidence = Perplexity { mean_nats: mean, levels: [3, 2, 1].map(at_level).into(), unknown: unknown.collect() };
    Ok(Found { value: mean.min(10.0), n: rows.len() as u64, evidence })
}

//! How hard the words of a text are to foresee without its prompt.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};
use crate::suites::humor::measures::item::surprisal::Told;
use crate::text::model::{Model, Step};

/// Evidence of `perplexity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Perplexity<'t> {
    pub(crate) mean_nats: f64,
    /// How many tokens each level of the back-off answered.
    pub(crate) levels: BTreeMap<Cow<'t, str>, u64>,
    /// Words that the corpus does not hold.
    pub(crate) unknown: Vec<Cow<'t, str>>,
}

/// The logarithm of perplexity.
///
/// ```math
/// perplexity = min(m, 10),  raw = exp(m),  m = mean over the words of -ln max(P(t | u v), 1e-10), nothing before the first
/// ```
/// The terms are given. Undefined: `empty_text` without words. Source: the published measure.
pub(crate) fn perplexity<'t>(model: &Model, words: &[Step<'t>], rows: &[Told]) -> Tried<Perplexity<'t>> {
    if rows.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let mean = neumaier(rows.iter().map(|row| row.nats)) / rows.len() as f64;
    let at_level = |level: u8| rows.iter().filter(|row| row.answer.level == level).count() as u64;
    let levels = [("1", 1), ("2", 2), ("3", 3)].map(|(name, level)| (name.into(), at_level(level)));
    let unknown =
        words.iter().map(|step| step.token).filter(|word| model.count(*word) == 0).map(|word| word.text.into());
    let evidence = Perplexity { mean_nats: mean, levels: levels.into(), unknown: unknown.collect() };
    Ok(Found { value: mean.min(10.0), n: rows.len() as u64, evidence })
}

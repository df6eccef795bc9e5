//! How many things the words of a text may be about.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};
use crate::text::model::{Model, Token};

/// One word and its company in the corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WordRow<'t> {
    pub(crate) word: Cow<'t, str>,
    pub(crate) neighbours: u64,
    /// None if the corpus knows no neighbour.
    pub(crate) entropy_nats: Option<f64>,
}

/// Evidence of `ambiguity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ambiguity<'t> {
    pub(crate) words: Vec<WordRow<'t>>,
    /// Words without neighbours, which count as 0.
    pub(crate) unknown: u64,
    pub(crate) raw: f64,
}

/// Mean entropy of the neighbours of the words, scaled to 0..10.
///
/// ```math
/// raw = mean over the white space tokens of H(w),  ambiguity = min(2 raw, 10)
/// ```
/// H(w) as in [`Model::neighbour_entropy`], 0 for an unknown word. Undefined: `empty_text`.
/// Source: the published measure, named after Kao, Levy and Goodman 2016, which it is not.
pub(crate) fn ambiguity<'t>(model: &Model, words: &[Token<'t>]) -> Tried<Ambiguity<'t>> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let row = |word: &Token<'t>| WordRow {
        word: word.text.into(),
        neighbours: model.neighbours(*word) as u64,
        entropy_nats: model.neighbour_entropy(*word),
    };
    let rows: Vec<WordRow<'_>> = words.iter().map(row).collect();
    let raw = neumaier(rows.iter().map(|row| row.entropy_nats.unwrap_or(0.0))) / rows.len() as f64;
    let unknown = rows.iter().filter(|row| row.entropy_nats.is_none()).count() as u64;
    Ok(Found { value: (raw * 2.0).min(10.0), n: rows.len() as u64, evidence: Ambiguity { words: rows, unknown, raw } })
}

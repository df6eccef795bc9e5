//! How differently the words of a text relate to its prompt.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_CONTEXT, EMPTY_TEXT, Found, Tried};
use crate::text::model::Token;

/// One word of the text and its likeness to the prompt's words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WordRow<'t> {
    pub(crate) word: Cow<'t, str>,
    pub(crate) mean_similarity: f64,
    pub(crate) nearest: Cow<'t, str>,
    pub(crate) nearest_similarity: f64,
}

/// Evidence of `distinctiveness`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Distinctiveness<'t> {
    pub(crate) words: Vec<WordRow<'t>>,
    pub(crate) context_words: Vec<Cow<'t, str>>,
    pub(crate) mean: f64,
    pub(crate) raw: f64,
}

/// How alike the company of a word is to that of the words of a prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Alike {
    pub(crate) mean: f64,
    /// Which word of the prompt is nearest, the first of several, and its similarity.
    pub(crate) nearest: usize,
    pub(crate) similarity: f64,
}

impl Alike {
    /// From the similarities to all words of the prompt.
    pub(crate) fn of(similar: &[f64]) -> Alike {
        let nearest = (1..similar.len()).fold(0, |best, i| if similar[i] > similar[best] { i } else { best });
        let mean = neumaier(similar.iter().copied()) / similar.len() as f64;
        Alike { mean, nearest, similarity: similar[nearest] }
    }
}

/// Spread of the words' mean similarity to the prompt, scaled to 0..10.
///
/// ```math
/// raw = √(mean (s_w - mean s)²),  s_w = mean over the prompt's words of similarity(w, x),  distinctiveness = min(20 raw, 10)
/// ```
/// Different white space tokens on both sides, in byte order; similarity as in [`Model::similarities`], summed up for each word
/// by `alike`. One word: 0. Undefined: `empty_text`, `empty_context`. Source: the published measure, named after Kao, Levy and
/// Goodman 2016, which it is not.
///
/// [`Model::similarities`]: crate::text::model::Model::similarities
pub(crate) fn distinctiveness<'t>(
    words: &[Token<'t>],
    context: &[Token<'t>],
    alike: &[Alike],
) -> Tried<Distinctiveness<'t>> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    if context.is_empty() {
        return Err(EMPTY_CONTEXT);
    }
    let row = |(word, alike): (&Token<'t>, &Alike)| WordRow {
        word: word.text.into(),
        mean_similarity: alike.mean,
        nearest: context[alike.nearest].text.into(),
        nearest_similarity: alike.similarity,
    };
    let rows: Vec<WordRow<'t>> = words.iter().zip(alike).map(row).collect();
    let n = rows.len() as f64;
    let mean = neumaier(rows.iter().map(|row| row.mean_similarity)) / n;
    let raw = (neumaier(rows.iter().map(|row| (row.mean_similarity - mean).powi(2))) / n).sqrt();
    let context_words = context.iter().map(|word| word.text.into()).collect();
    let evidence = Distinctiveness { words: rows, context_words, mean, raw };
    Ok(Found { value: (raw * 20.0).min(10.0), n: words.len() as u64, evidence })
}

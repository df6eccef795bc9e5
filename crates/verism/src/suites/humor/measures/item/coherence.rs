//! How close a text is to its prompt.

use serde::{Deserialize, Serialize};

use crate::stats::sum::RunningSum;
use crate::suites::humor::measures::found::{
    EMPTY_CONTEXT, EMPTY_TEXT, Found, MISSING_CONTEXT, NO_CORPUS, NO_MODEL, Tried,
};
use crate::suites::humor::options::CoherenceSource;
use crate::suites::humor::record::card::Card;
use crate::suites::humor::record::vectors::cosine;
use crate::text::model::{Model, Token};

/// Evidence of `coherence`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Coherence {
    pub(crate) source: String,
    /// Pairs of words, where words were compared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) pairs: Option<u64>,
    pub(crate) raw: f64,
}

/// What coherence is measured from.
pub(crate) struct Sides<'a> {
    pub(crate) card: &'a Card,
    pub(crate) source: CoherenceSource,
    pub(crate) model: Option<&'a Model>,
    /// White space tokens of text and prompt.
    pub(crate) words: &'a [Token<'a>],
    pub(crate) context: Option<&'a [Token<'a>]>,
}

/// Closeness of text and prompt, scaled to 0..10.
///
/// ```math
/// raw = cosine of their vectors, or mean similarity over all pairs of their words,  coherence = clip(10 raw, 0, 10)
/// ```
/// Undefined: `missing_field:context`, `empty_text`, `empty_context`, `no_corpus` (words), `no_model`, `zero_vector`
/// (vectors). Source: the published measure names it; the cosine is that of the original's results.
pub(crate) fn coherence(sides: &Sides<'_>) -> Tried<Coherence> {
    let Some(context) = sides.context else { return Err(MISSING_CONTEXT) };
    if sides.words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    if context.is_empty() {
        return Err(EMPTY_CONTEXT);
    }
    let (raw, n, pairs) = match sides.source {
        CoherenceSource::Cooccurrence => {
            let model = sides.model.ok_or(NO_CORPUS)?;
            let mut sum = RunningSum::default();
            model.similarities(sides.words, context, |_, similar| similar.iter().for_each(|x| sum.add(*x)));
            let pairs = (sides.words.len() * context.len()) as u64;
            (sum.value() / pairs as f64, pairs, Some(pairs))
        }
        CoherenceSource::Embedding => {
            let vectors = sides.card.embedding.as_ref().zip(sides.card.context_embedding.as_ref());
            let (text, context) = vectors.ok_or(NO_MODEL)?;
            (cosine(text, context)?, 1, None)
        }
    };
    let source = match sides.source {
        CoherenceSource::Embedding => "embedding",
        CoherenceSource::Cooccurrence => "cooccurrence",
    };
    let evidence = Coherence { source: source.into(), pairs, raw };
    Ok(Found { value: (raw * 10.0).clamp(0.0, 10.0), n, evidence })
}

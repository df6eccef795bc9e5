//! What a text says that the corpus, or a list of references, does not.

use serde::{Deserialize, Serialize};

use crate::score::measure::{EMPTY_DENOMINATOR, Undefined};
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, NO_MODEL, Tried, ZERO_VECTOR};
use crate::suites::humor::record::vectors::{dot, is_zero};
use crate::text::model::{Model, Step, fingerprint};

/// Evidence of `novelty_2` and `novelty_3`: the n-grams that are new.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct New {
    pub(crate) new: Vec<String>,
}

/// Evidence of `corpus_copy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Copies {
    pub(crate) copies_in_corpus: u64,
}

/// Evidence of `novelty_semantic`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Nearest {
    pub(crate) nearest: String,
    pub(crate) cosine: f64,
}

/// A text to compare with.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) id: String,
    /// Of unit length.
    pub(crate) vector: Vec<f64>,
}

/// Share of a text's n-grams that the corpus does not hold.
///
/// ```math
/// novelty_n = new n-grams / n-grams
/// ```
/// Undefined: `empty_denominator` without n-grams.
pub(crate) fn novelty(words: &[Step<'_>], n: usize) -> Tried<New> {
    let all = words.windows(n).len();
    if all == 0 {
        return Err(EMPTY_DENOMINATOR);
    }
    let joined = |gram: &[Step<'_>]| gram.iter().map(|step| step.token.text).collect::<Vec<_>>().join(" ");
    let new: Vec<String> = words.windows(n).filter(|gram| !gram[n - 1].ends_known(n)).map(joined).collect();
    Ok(Found { value: new.len() as f64 / all as f64, n: all as u64, evidence: New { new } })
}

/// 1 if the corpus holds the text but for case and marks. Undefined: `empty_text` without words.
pub(crate) fn corpus_copy(model: &Model, words: &[Step<'_>]) -> Tried<Copies> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let copies = model.copies(fingerprint(words.iter().map(|step| step.token.text)));
    Ok(Found { value: f64::from(u8::from(copies > 0)), n: 1, evidence: Copies { copies_in_corpus: copies } })
}

/// 1 minus the largest cosine to a reference text; the first of several.
///
/// Undefined: `no_reference`, `no_model`, `zero_vector`.
pub(crate) fn novelty_semantic(vector: Option<&[f64]>, references: Option<&[Reference]>) -> Tried<Nearest> {
    let references = references.filter(|all| !all.is_empty()).ok_or(Undefined::new("no_reference"))?;
    let vector = vector.ok_or(NO_MODEL)?;
    if is_zero(vector) {
        return Err(ZERO_VECTOR);
    }
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, reference) in references.iter().enumerate() {
        let cosine = dot(vector, &reference.vector);
        if cosine > best.0 {
            best = (cosine, i);
        }
    }
    let evidence = Nearest { nearest: references[best.1].id.clone(), cosine: best.0 };
    Ok(Found { value: 1.0 - best.0, n: references.len() as u64, evidence })
}

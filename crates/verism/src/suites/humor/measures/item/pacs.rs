//! PaCS: how close a text is to what a person laughed at before.

use serde::{Deserialize, Serialize};

use crate::score::measure::Undefined;
use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{Found, MISSING_PROFILE, NO_MODEL, Tried, ZERO_VECTOR};
use crate::suites::humor::record::card::Card;
use crate::suites::humor::record::vectors::{cosine, dot, is_zero, unit};

/// Evidence of `pacs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pacs {
    pub(crate) cosine: f64,
    pub(crate) size_boost: f64,
    pub(crate) base_boost: f64,
    pub(crate) boosted: f64,
    /// Whether the boosted cosine was clipped.
    pub(crate) saturated: bool,
    /// Place of the nearest text in the record's list.
    pub(crate) nearest_profile: u32,
    pub(crate) nearest_cosine: f64,
}

const NO_PROFILE: Undefined = Undefined::new("empty_profile");
const BASE_BOOST: f64 = 0.2;

/// Closeness to a person's taste, 0..10.
///
/// ```math
/// x = 0.7 cos + 0.2 + min(0.1 n, 0.5),  pacs = 5 (clip(x, -1, 1) + 1)
/// ```
/// cos: cosine of the text with the mean of the n profile vectors of unit length. Undefined: `missing_field:profile`,
/// `empty_profile`, `no_model`, `zero_vector`. Source: the published measure, as printed.
pub(crate) fn pacs(card: &Card) -> Tried<Pacs> {
    let size = match (&card.profile, &card.profile_embeddings) {
        (None, None) => return Err(MISSING_PROFILE),
        (Some(texts), _) => texts.len(),
        (None, Some(vectors)) => vectors.len(),
    };
    if size == 0 {
        return Err(NO_PROFILE);
    }
    let (Some(text), Some(profile)) = (&card.embedding, &card.profile_embeddings) else { return Err(NO_MODEL) };
    if profile.iter().any(|vector| is_zero(vector)) {
        return Err(ZERO_VECTOR);
    }
    let n = profile.len();
    let column = |j: usize| neumaier(profile.iter().map(|vector| vector[j])) / n as f64;
    let prototype = unit((0..text.len()).map(column).collect());
    let cosine = cosine(&prototype, text)?;
    let size_boost = (n as f64 * 0.1).min(0.5);
    let boosted = cosine * 0.7 + BASE_BOOST + size_boost;
    let clipped = boosted.clamp(-1.0, 1.0);
    let each: Vec<f64> = profile.iter().map(|vector| dot(vector, text)).collect();
    let nearest = (1..n).fold(0, |best, i| if each[i] > each[best] { i } else { best });
    let evidence = Pacs {
        cosine,
        size_boost,
        base_boost: BASE_BOOST,
        boosted,
        saturated: boosted != clipped,
        nearest_profile: card.profile_at.get(nearest).copied().unwrap_or(nearest as u32),
        nearest_cosine: each[nearest],
    };
    Ok(Found { value: (clipped + 1.0) / 2.0 * 10.0, n: n as u64, evidence })
}

/// The original's word for a cosine.
pub(crate) fn band(cosine: f64) -> &'static str {
    match cosine {
        x if x >= 0.7 => "excellent",
        x if x >= 0.3 => "good",
        x if x >= -0.1 => "neutral",
        x if x >= -0.5 => "poor",
        _ => "very poor",
    }
}

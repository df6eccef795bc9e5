//! The weighted sum of the original.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::score::measure::Measure;
use crate::suites::humor::measures::found::{Evidence, Outcome};

/// The names of the parts in the order of their terms; the last five come from the batch.
pub(crate) const PARTS: [&str; 11] = [
    "surprisal",
    "ambiguity",
    "distinctiveness",
    "entropy",
    "perplexity",
    "coherence",
    "distinct_1",
    "distinct_2",
    "self_bleu",
    "vocabulary_richness",
    "overall_semantic_diversity",
];

/// The places of the parts in byte order of their names, in which evidence lists them.
const IN_BYTE_ORDER: [usize; 11] = [1, 5, 6, 7, 2, 3, 10, 4, 8, 0, 9];

/// The five parts that say how varied the batch, or the text alone, is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Creative {
    pub(crate) distinct_1: Measure,
    pub(crate) distinct_2: Measure,
    pub(crate) self_bleu: Measure,
    pub(crate) vocabulary_richness: Measure,
    pub(crate) overall_semantic_diversity: Measure,
}

/// What each term adds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Contributions {
    pub(crate) surprisal: f64,
    pub(crate) kao: f64,
    pub(crate) information: f64,
    pub(crate) coherence: f64,
    pub(crate) creativity: f64,
}

/// Evidence of `overall`: the parts, and what they add or which are missing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Overall {
    pub(crate) components: BTreeMap<Cow<'static, str>, Option<f64>>,
    #[serde(default)]
    pub(crate) contributions: Option<Contributions>,
    #[serde(default)]
    pub(crate) missing: Option<BTreeMap<Cow<'static, str>, String>>,
}

/// [`Overall`] as it is written, straight from the parts.
#[derive(Serialize)]
struct Written<'m> {
    #[serde(serialize_with = "components")]
    components: [&'m Measure; 11],
    #[serde(skip_serializing_if = "Option::is_none")]
    contributions: Option<Contributions>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "missing")]
    missing: Option<[&'m Measure; 11]>,
}

fn components<S: Serializer>(parts: &[&Measure; 11], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(IN_BYTE_ORDER.map(|i| (PARTS[i], parts[i].as_ref().ok())))
}

fn missing<S: Serializer>(parts: &Option<[&Measure; 11]>, serializer: S) -> Result<S::Ok, S::Error> {
    let reason = |i: usize| Some((PARTS[i], parts.as_ref()?[i].as_ref().err()?.reason()));
    serializer.collect_map(IN_BYTE_ORDER.into_iter().filter_map(reason))
}

/// The weighted sum, and the same clipped to 0..10.
///
/// ```math
/// raw = 0.2 s + 0.2 (0.6 a + 0.4 d) + 0.2 (0.7 e + 0.3 p) + 0.15 c + k
/// k = 0.25 (0.4·10 (0.4 d_1 + 0.3 d_2) + 0.3·10 (1 - b) + 0.3·10 (0.5 v + 0.5 o)) if d_1, d_2 or v > 0, else 0
/// ```
/// Surprisal s, ambiguity a, distinctiveness d, entropy e, perplexity p, coherence c; distinct-1 and -2, self-BLEU b,
/// richness v and semantic diversity o. Undefined for the reason of the first part that is missing.
/// Source: the published sum; its largest value is 9.7.
pub(crate) fn overall(item: [&Measure; 6], creative: &Creative) -> (Outcome, Outcome) {
    let [surprisal, ambiguity, distinctiveness, entropy, perplexity, coherence] = item;
    let parts: [&Measure; 11] = [
        surprisal,
        ambiguity,
        distinctiveness,
        entropy,
        perplexity,
        coherence,
        &creative.distinct_1,
        &creative.distinct_2,
        &creative.self_bleu,
        &creative.vocabulary_richness,
        &creative.overall_semantic_diversity,
    ];
    let n = parts.iter().filter(|part| part.is_ok()).count() as u64;
    if let Some(why) = parts.iter().find_map(|part| part.as_ref().err()) {
        let evidence = Written { components: parts, contributions: None, missing: Some(parts) };
        let undefined = Outcome { n, ..Outcome::undefined(why.clone()) };
        return (Outcome { evidence: Evidence::of(&evidence), ..undefined.clone() }, undefined);
    }
    let x: [f64; 11] = parts.map(|part| part.as_ref().copied().unwrap_or(0.0));
    let contributions = terms(&x);
    let Contributions { surprisal, kao, information, coherence, creativity } = contributions;
    let raw = surprisal + kao + information + coherence + creativity;
    let evidence = Written { components: parts, contributions: Some(contributions), missing: None };
    (Outcome::value(raw.clamp(0.0, 10.0), n, &evidence), Outcome::see(raw, n, "overall"))
}

/// The terms of the sum from the eleven parts.
fn terms(x: &[f64; 11]) -> Contributions {
    let [surprisal, ambiguity, distinctiveness, entropy, perplexity, coherence, d1, d2, bleu, richness, diversity] = *x;
    let creativity = if d1 > 0.0 || d2 > 0.0 || richness > 0.0 {
        let distinct = (d1 * 0.4 + d2 * 0.3) * 10.0;
        let unlike = (1.0 - bleu) * 10.0;
        let varied = (richness * 0.5 + diversity * 0.5) * 10.0;
        (distinct * 0.4 + unlike * 0.3 + varied * 0.3) * 0.25
    } else {
        0.0
    };
    Contributions {
        surprisal: surprisal * 0.2,
        kao: (ambiguity * 0.6 + distinctiveness * 0.4) * 0.2,
        information: (entropy * 0.7 + perplexity * 0.3) * 0.2,
        coherence: coherence * 0.15,
        creativity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::humor::measures::found::NO_MODEL;

    fn creative(x: f64) -> Creative {
        let part = || Ok(x);
        Creative {
            distinct_1: part(),
            distinct_2: part(),
            self_bleu: Ok(0.0),
            vocabulary_richness: part(),
            overall_semantic_diversity: part(),
        }
    }

    #[test]
    fn the_largest_value_is_9_7() {
        // 2 + 2 + 2 + 1.5 + 0.25 (0.4 · 7 + 3 + 3) = 9.7.
        let ten = Ok(10.0);
        let (value, raw) = overall([&ten; 6], &creative(1.0));
        assert!((value.value.expect("defined") - 9.7).abs() < 1e-12);
        assert_eq!((raw.n, raw.evidence), (11, Evidence::See("overall")));
    }

    #[test]
    fn the_first_missing_part_gives_the_reason() {
        let (one, none) = (Ok(1.0), Err(NO_MODEL));
        let (value, raw) = overall([&one, &one, &one, &one, &one, &none], &creative(0.5));
        assert_eq!((value.value, value.n), (Err(NO_MODEL), 10));
        let Evidence::Object(object) = value.evidence else { panic!("no evidence") };
        let overall: Overall = serde_json::from_slice(&object).expect("evidence of `overall`");
        assert_eq!(overall.missing, Some([("coherence".into(), "no_model".to_string())].into()));
        assert_eq!(raw.evidence, Evidence::None);
        assert!(IN_BYTE_ORDER.is_sorted_by_key(|i| PARTS[*i]));
        assert_eq!(overall.components.len(), PARTS.len());
    }
}

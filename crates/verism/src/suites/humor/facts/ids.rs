//! The ids of the metrics in the order of their rows.

use super::item::OF_TEXT;
use crate::suites::humor::options::Params;
use crate::suites::ids;

/// Of a text.
pub(crate) const ITEM: [&str; OF_TEXT.len()] = ids(&OF_TEXT);

/// Place of an item metric, known when the program is compiled.
pub(crate) const fn item(metric: &str) -> usize {
    let mut place = 0;
    while place < ITEM.len() {
        if is_same(ITEM[place], metric) {
            return place;
        }
        place += 1;
    }
    panic!("one of the item metrics")
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Of a text, those that labels are compared with and users averaged over.
pub(crate) const SCORES: [&str; 9] =
    ["surprisal", "perplexity", "ambiguity", "distinctiveness", "entropy", "coherence", "f1", "pacs", "overall"];

/// Their places among the item metrics.
pub(crate) const SCORE_PLACES: [usize; SCORES.len()] = {
    let mut places = [0; SCORES.len()];
    let mut i = 0;
    while i < SCORES.len() {
        places[i] = item(SCORES[i]);
        i += 1;
    }
    places
};

/// Of a batch, after the distinct-n.
pub(crate) const BATCH: [&str; 18] = [
    "self_bleu_1",
    "self_bleu_2",
    "self_bleu_3",
    "self_bleu_4",
    "vocabulary_richness",
    "ttr",
    "rttr",
    "cttr",
    "overall_semantic_diversity",
    "intra_cluster_diversity",
    "inter_cluster_diversity",
    "cluster_coherence",
    "semantic_spread",
    "mtld",
    "hdd",
    "vendi",
    "compression_ratio",
    "self_repetition",
];

/// All metrics of a batch.
pub(crate) fn batch(params: &Params) -> Vec<String> {
    let distinct = params.distinct_n.iter().map(|n| format!("distinct_{n}"));
    distinct.chain(BATCH.iter().map(|metric| metric.to_string())).collect()
}

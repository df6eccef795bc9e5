//! Distinct-n: the share of different n-grams.

use serde::{Deserialize, Serialize};

use crate::suites::humor::measures::found::Outcome;
use crate::text::ngrams::Grams;
use crate::text::numbered::TokenTexts;

/// Evidence of `distinct_n`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Distinct {
    pub(crate) unique: u64,
    pub(crate) total: u64,
    /// The most frequent: n-gram, count, ids of the first texts with it.
    pub(crate) repeated: Vec<(String, u64, Vec<String>)>,
}

/// N-grams and texts that the evidence lists.
const LISTED: usize = 5;

/// Different n-grams divided by all n-grams, pooled over the texts.
///
/// ```math
/// distinct_n = |different n-grams| / |n-grams|
/// ```
/// Tokens of the Treebank rules on lower case; n-grams never cross texts. None: 0 by convention `no_ngrams`.
/// Source: Li et al., NAACL 2016.
pub(crate) fn distinct(grams: &Grams<'_>, texts: &TokenTexts, ids: &[String]) -> Outcome {
    let total = grams.total() as u64;
    if total == 0 {
        return Outcome::stated(0.0, 0, "no_ngrams");
    }
    let n = grams.order();
    let mut unique = 0;
    // The most frequent so far, best first: count, first place, first texts.
    let mut best: Vec<(usize, u32, Vec<u32>)> = vec![];
    grams.each(|group| {
        unique += 1;
        let (count, first) = (group.count(), group.first());
        if count < 2 || (best.len() == LISTED && count < best[LISTED - 1].0) {
            return;
        }
        let before = |other: &(usize, u32, Vec<u32>)| {
            other.0 > count || (other.0 == count && texts.compare(other.1, first, n).is_lt())
        };
        let place = best.partition_point(before);
        if place < LISTED {
            let owners = group.texts().take(LISTED).map(|(text, _, _)| text).collect();
            best.insert(place, (count, first, owners));
            best.truncate(LISTED);
        }
    });
    let names = |owners: &[u32]| owners.iter().map(|text| ids[*text as usize].clone()).collect();
    let listed = best.iter().map(|(count, first, owners)| (texts.joined(*first, n), *count as u64, names(owners)));
    let evidence = Distinct { unique, total, repeated: listed.collect() };
    Outcome::value(unique as f64 / total as f64, total, &evidence)
}

//! Self-repetition: how many other texts share a text's four-word runs.

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::Outcome;
use crate::text::ngrams::Grams;

/// Evidence of `self_repetition`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sharing {
    pub(crate) texts_sharing: u64,
}

/// Mean over the texts of the logarithm of shared 4-grams.
///
/// ```math
/// self_repetition = mean over texts of ln(1 + Σ over its different 4-grams of the number of other texts with it)
/// ```
/// `grams` are the 4-grams. Source: Salkar et al., AACL 2022.
pub(crate) fn self_repetition(grams: &Grams<'_>, texts: usize) -> Outcome {
    let mut shared = vec![0_u64; texts];
    grams.each(|group| {
        if group.shared() {
            let others = group.texts().count() as u64 - 1;
            group.texts().for_each(|(text, _, _)| shared[text as usize] += others);
        }
    });
    let value = neumaier(shared.iter().map(|&count| pxfm::f_log(count as f64 + 1.0))) / texts as f64;
    let evidence = Sharing { texts_sharing: shared.iter().filter(|count| **count > 0).count() as u64 };
    Outcome::value(value, texts as u64, &evidence)
}

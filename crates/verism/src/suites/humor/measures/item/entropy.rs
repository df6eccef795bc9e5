//! How evenly a text uses its characters and words.

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::Found;

/// Evidence of `entropy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entropy {
    pub(crate) char_entropy: f64,
    pub(crate) word_entropy: f64,
    pub(crate) chars: u64,
    pub(crate) words: u64,
    pub(crate) raw: f64,
}

/// The entropy in nats of how often each thing comes, summed in the order of the things; 0 for nothing.
fn entropy_of<T: Ord>(things: impl Iterator<Item = T>) -> f64 {
    let mut things: Vec<T> = things.collect();
    things.sort_unstable();
    let all = things.len() as f64;
    neumaier(things.chunk_by(|a, b| a == b).map(|same| {
        let p = same.len() as f64 / all;
        -p * libm::log(p)
    }))
}

/// Entropy of characters and words, scaled to 0..10.
///
/// ```math
/// raw = 0.3 H(code points) + 0.7 H(white space tokens),  entropy = min(2 raw, 10)
/// ```
/// Both of the text in lower case, in nats, white space included among the code points. An empty text is none: its
/// stated value is 0. Source: the published measure.
pub(crate) fn entropy<'t>(low: &str, words: impl ExactSizeIterator<Item = &'t str>) -> Option<Found<Entropy>> {
    if low.is_empty() {
        return None;
    }
    let count = words.len() as u64;
    let (char_entropy, word_entropy) = (entropy_of(low.chars()), entropy_of(words));
    let raw = 0.3 * char_entropy + 0.7 * word_entropy;
    let chars = low.chars().count() as u64;
    let evidence = Entropy { char_entropy, word_entropy, chars, words: count, raw };
    Some(Found { value: (raw * 2.0).min(10.0), n: chars, evidence })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_by_hand() {
        // `ab ab`: characters a 2, b 2, blank 1 of 5; words one kind.
        let found = entropy("ab ab", ["ab", "ab"].into_iter()).expect("not empty");
        let chars = -(2.0 * 0.4 * 0.4_f64.ln() + 0.2 * 0.2_f64.ln());
        assert!((found.evidence.char_entropy - chars).abs() < 1e-15);
        assert_eq!((found.evidence.word_entropy, found.n), (0.0, 5));
        assert!((found.value - 0.6 * chars).abs() < 1e-15);
        assert!(entropy("", [].into_iter()).is_none());
    }
}

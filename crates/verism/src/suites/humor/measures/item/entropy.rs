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

/// The entropy in nats of how often each thing comes, out of so many, in the order of the things; 0 for nothing.
fn entropy_of(counts: impl Iterator<Item = usize>, all: usize) -> f64 {
    neumaier(counts.map(|count| {
        let p = count as f64 / all as f64;
        -p * pxfm::f_log(p)
    }))
}

/// How often each thing comes, in the order of the things.
fn counts<T: PartialEq>(in_order: &[T]) -> impl Iterator<Item = usize> {
    in_order.chunk_by(|a, b| a == b).map(<[T]>::len)
}

fn entropy_of_characters(low: &str) -> (f64, usize) {
    if low.is_ascii() {
        let mut of_each = [0; 128];
        low.bytes().for_each(|byte| of_each[usize::from(byte)] += 1);
        return (entropy_of(of_each.into_iter().filter(|count| *count > 0), low.len()), low.len());
    }
    let mut characters: Vec<char> = low.chars().collect();
    characters.sort_unstable();
    (entropy_of(counts(&characters), characters.len()), characters.len())
}

/// Entropy of characters and words, scaled to 0..10.
///
/// ```math
/// raw = 0.3 H(code points) + 0.7 H(white space tokens),  entropy = min(2 raw, 10)
/// ```
/// Both of the text in lower case, in nats, white space included among the code points; the tokens are given in byte order.
/// An empty text is none: its stated value is 0. Source: the published measure.
pub(crate) fn entropy<W: PartialEq>(low: &str, words: &[W]) -> Option<Found<Entropy>> {
    if low.is_empty() {
        return None;
    }
    let (char_entropy, chars) = entropy_of_characters(low);
    let word_entropy = entropy_of(counts(words), words.len());
    let raw = 0.3 * char_entropy + 0.7 * word_entropy;
    let evidence = Entropy { char_entropy, word_entropy, chars: chars as u64, words: words.len() as u64, raw };
    Some(Found { value: (raw * 2.0).min(10.0), n: chars as u64, evidence })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_by_hand() {
        // `ab ab`: characters a 2, b 2, blank 1 of 5; words one kind.
        let found = entropy("ab ab", &["ab", "ab"]).expect("not empty");
        let chars = -(2.0 * 0.4 * 0.4_f64.ln() + 0.2 * 0.2_f64.ln());
        assert!((found.evidence.char_entropy - chars).abs() < 1e-15);
        assert_eq!((found.evidence.word_entropy, found.n), (0.0, 5));
        assert!((found.value - 0.6 * chars).abs() < 1e-15);
        assert!(entropy::<&str>("", &[]).is_none());
    }

    #[test]
    fn characters_beyond_ascii_by_hand() {
        // `é éa`: é 2, a 1, blank 1 of 4: 0.5 ln 2 + 2 · 0.25 ln 4 = 1.5 ln 2; words 2 kinds: ln 2.
        let found = entropy("é éa", &["é", "éa"]).expect("not empty").evidence;
        let ln2 = std::f64::consts::LN_2;
        assert!((found.char_entropy - 1.5 * ln2).abs() < 1e-15 && (found.word_entropy - ln2).abs() < 1e-15);
        assert_eq!((found.chars, found.words), (4, 2));
    }
}

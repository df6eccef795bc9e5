//! MTLD: how long a text stays varied.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::score::measure::Undefined;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};

/// Evidence of `mtld`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mtld {
    /// Factors forward and backward.
    pub(crate) factors: [f64; 2],
    /// Whether there are fewer tokens than the measure was made for.
    pub(crate) short: bool,
}

/// Tokens below which the measure is unsteady.
const FEW: usize = 100;

/// Mean length of stretches whose type-token ratio stays above 0.72, of both directions.
///
/// ```math
/// mtld = mean of n / factors, forward and backward; a factor closes when types/tokens <= 0.72, the rest counts (1 - ttr) / 0.28
/// ```
/// Undefined: `empty_text`; `no_repetition` if a direction has no factor. Source: McCarthy and Jarvis, Behavior Research
/// Methods 42 (2010).
pub(crate) fn mtld(words: &[u32]) -> Tried<Mtld> {
    if words.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let factors = [factors(words.iter()), factors(words.iter().rev())];
    if factors.contains(&0.0) {
        return Err(Undefined::new("no_repetition"));
    }
    let n = words.len() as f64;
    let value = (n / factors[0] + n / factors[1]) / 2.0;
    Ok(Found { value, n: words.len() as u64, evidence: Mtld { factors, short: words.len() < FEW } })
}

fn factors<'a>(words: impl Iterator<Item = &'a u32>) -> f64 {
    let (mut factors, mut tokens) = (0.0, 0_usize);
    let mut types = FxHashSet::default();
    for word in words {
        tokens += 1;
        types.insert(word);
        // types / tokens <= 0.72 in whole numbers.
        if 25 * types.len() <= 18 * tokens {
            factors += 1.0;
            tokens = 0;
            types.clear();
        }
    }
    if tokens > 0 {
        factors += (1.0 - types.len() as f64 / tokens as f64) / (1.0 - 0.72);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_words_by_hand() {
        // `a a a a`: each pair has ratio 1/2, so two factors each way: 4/2 = 2.
        let found = mtld(&[0, 0, 0, 0]).expect("defined");
        assert_eq!((found.value, found.evidence.factors), (2.0, [2.0, 2.0]));
        assert_eq!(mtld(&[]).expect_err("undefined"), EMPTY_TEXT);
        assert_eq!(mtld(&[1, 2, 3]).expect_err("undefined").reason(), "no_repetition");
    }
}

//! HD-D: how many types a small draw of tokens meets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::score::measure::Undefined;
use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{Found, Tried};

/// Evidence of `hdd`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hdd {
    pub(crate) types: u64,
}

/// Tokens drawn.
const DRAWS: u64 = 42;

/// Expected share of types in a draw of 42 tokens without replacement.
///
/// ```math
/// hdd = Σ over types of (1 - C(n-c, 42) / C(n, 42)) / 42
/// ```
/// c: count of the type among n tokens. Undefined: `fewer_than_42_tokens`. Types of equal count are summed together,
/// counts in rising order. Source: McCarthy and Jarvis, Language Testing 24 (2007).
pub(crate) fn hdd(counts: &[u64]) -> Tried<Hdd> {
    let n: u64 = counts.iter().sum();
    if n < DRAWS {
        return Err(Undefined::new("fewer_than_42_tokens"));
    }
    let mut kinds: BTreeMap<u64, u64> = BTreeMap::new();
    counts.iter().for_each(|count| *kinds.entry(*count).or_default() += 1);
    let met = |(count, kinds): (&u64, &u64)| *kinds as f64 * ((1.0 - missed(n, *count)) / DRAWS as f64);
    let value = neumaier(kinds.iter().map(met));
    Ok(Found { value, n, evidence: Hdd { types: counts.len() as u64 } })
}

/// The probability that a draw holds none of c tokens out of n.
fn missed(n: u64, c: u64) -> f64 {
    if n - c < DRAWS {
        return 0.0;
    }
    // C(n-c, 42)/C(n, 42) = Π (n-42-j)/(n-j) over the c tokens, or over the 42 draws, whichever are fewer.
    let few = c.min(DRAWS);
    let more = c.max(DRAWS);
    (0..few).fold(1.0, |p, j| p * ((n - more - j) as f64 / (n - j) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tokens_drawn_meet_all_types() {
        // 42 tokens of 3 types, all of them drawn: 3/42.
        let found = hdd(&[30, 10, 2]).expect("defined");
        assert!((found.value - 3.0 / 42.0).abs() < 1e-15);
        assert_eq!(hdd(&[41]).expect_err("undefined").reason(), "fewer_than_42_tokens");
        // C(42, 42)/C(43, 42) = 1/43 for one token of 43.
        assert!((missed(43, 1) - 1.0 / 43.0).abs() < 1e-15);
    }
}

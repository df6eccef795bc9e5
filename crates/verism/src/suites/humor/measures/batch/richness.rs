//! Vocabulary richness: types and tokens.

use serde::{Deserialize, Serialize};

use crate::suites::humor::measures::found::Outcome;

/// Evidence of `vocabulary_richness`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Richness {
    pub(crate) types: u64,
    pub(crate) tokens: u64,
}

impl Richness {
    /// Type-token ratio, and its root and corrected forms.
    ///
    /// ```math
    /// ttr = u/n,  rttr = u/√n,  cttr = u/√(2n)
    /// ```
    /// u types among n tokens of the Treebank rules, case kept.
    pub(crate) fn ratios(&self) -> [f64; 3] {
        let (u, n) = (self.types as f64, self.tokens as f64);
        [u / n, u / n.sqrt(), u / (2.0 * n).sqrt()]
    }

    /// The mean of the three, the last two divided by ten; 0 without tokens.
    ///
    /// ```math
    /// vocabulary_richness = min(1, (ttr + min(rttr/10, 1) + min(cttr/10, 1)) / 3)
    /// ```
    pub(crate) fn value(&self) -> f64 {
        if self.tokens == 0 {
            return 0.0;
        }
        let [ttr, rttr, cttr] = self.ratios();
        ((ttr + (rttr / 10.0).min(1.0) + (cttr / 10.0).min(1.0)) / 3.0).min(1.0)
    }

    /// Rows of `vocabulary_richness`, `ttr`, `rttr`, `cttr`; without tokens 0 by convention `empty_text`.
    pub(crate) fn outcomes(&self) -> [Outcome; 4] {
        if self.tokens == 0 {
            return std::array::from_fn(|_| Outcome::stated(0.0, 0, "empty_text"));
        }
        let [ttr, rttr, cttr] = self.ratios();
        let see = |value: f64| Outcome::see(value, self.tokens, "vocabulary_richness");
        [Outcome::value(self.value(), self.tokens, self), see(ttr), see(rttr), see(cttr)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_types_of_six_by_hand() {
        // README, example 6: 4/6, 4/√6 = 1.632993, 4/√12 = 1.154701; (0.666667 + 0.163299 + 0.115470)/3 = 0.315145.
        let value = Richness { types: 4, tokens: 6 }.value();
        assert!((value - 0.315_145_4).abs() < 1e-6, "{value}");
        assert_eq!(Richness { types: 0, tokens: 0 }.outcomes()[0].value, Ok(0.0));
    }
}

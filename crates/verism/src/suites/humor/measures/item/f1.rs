//! The harmonic mean of coherence and surprise.

use serde::{Deserialize, Serialize};

use crate::score::measure::Measure;
use crate::suites::humor::measures::found::{Found, Tried};

/// Evidence of `f1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct F1 {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    /// `empty_denominator` where both are 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) convention: Option<String>,
}

/// Harmonic mean of coherence and surprisal, times `scale`.
///
/// ```math
/// raw = 2pr / (p + r),  p = coherence / 10,  r = min(surprisal / 10, 1),  f1 = 10 raw
/// ```
/// p + r = 0: 0 by convention. Undefined for the reason of coherence, else of surprisal.
/// Source: the published measure; no F1 of a classification.
pub(crate) fn f1(coherence: &Measure, surprisal: &Measure, scale: f64) -> Tried<F1> {
    let (coherence, surprisal) = (coherence.clone()?, surprisal.clone()?);
    let (p, r) = (coherence / 10.0, (surprisal / 10.0).min(1.0));
    let none = p + r == 0.0;
    let value = if none { 0.0 } else { 2.0 * (p * r) / (p + r) };
    let convention = none.then(|| "empty_denominator".to_string());
    Ok(Found { value: value * scale, n: 2, evidence: F1 { precision: p, recall: r, convention } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::humor::measures::found::{NO_CORPUS, NO_MODEL};

    #[test]
    fn by_hand() {
        // p = 0.6, r = 0.2: 2 · 0.12 / 0.8 = 0.3.
        let found = f1(&Ok(6.0), &Ok(2.0), 10.0).expect("defined");
        assert!((found.value - 3.0).abs() < 1e-15);
        assert_eq!(
            f1(&Ok(0.0), &Ok(0.0), 10.0).expect("stated").evidence.convention.as_deref(),
            Some("empty_denominator")
        );
        assert_eq!(f1(&Err(NO_MODEL), &Err(NO_CORPUS), 1.0).expect_err("undefined"), NO_MODEL);
    }
}

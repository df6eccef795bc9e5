//! Advisory bands: names for ranges of values.

use crate::score::Measure;

/// Lower bounds and names, from below; empty where a measure has none.
pub(crate) type Bands = &'static [(f64, &'static str)];

/// Bands of rates of broken rules.
pub(crate) const RATE: Bands = &[(0.0, "rare"), (0.01, "occasional"), (0.05, "frequent"), (0.10, "pervasive")];
/// Bands of normalised entropies.
pub(crate) const ENTROPY: Bands = &[(0.0, "collapsed"), (0.1, "narrow"), (0.5, "varied"), (0.9, "near-uniform")];
/// Bands of coherence.
pub(crate) const COHERENCE: Bands = &[(0.0, "incoherent"), (0.5, "weak"), (0.75, "coherent")];

/// The band of a value: the last one that begins at or below it.
pub(crate) fn band(bands: Bands, value: &Measure) -> Option<&'static str> {
    let value = *value.as_ref().ok()?;
    bands.iter().rev().find(|(low, _)| value >= *low).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::super::measure;
    use super::*;
    use crate::score::measure::EMPTY_DENOMINATOR;

    #[test]
    fn bands_begin_at_their_lower_bound() {
        for (metric, value, name) in [
            ("r_h", 0.0, Some("rare")),
            ("r_r", 0.01, Some("occasional")),
            ("r_r", 0.0999, Some("frequent")),
            ("r_h", 1.0, Some("pervasive")),
            ("h_norm_k5", 0.9, Some("near-uniform")),
            ("h_intent_norm_k4", 0.49, Some("narrow")),
            ("h_norm_k5_mean", 0.5, None),
            ("h_norm_k5_yearly_mean", 0.5, None),
            ("cacr", 0.75, Some("coherent")),
            ("rationality_pass", 0.5, None),
        ] {
            let bands = measure(metric).expect("a measure").bands;
            assert_eq!(band(bands, &Ok(value)), name, "{metric} {value}");
        }
        assert_eq!(band(RATE, &Err(EMPTY_DENOMINATOR)), None);
    }
}

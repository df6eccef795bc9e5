//! Composites: weighted sums of measures.

use super::measure::{Measure, NOT_APPLICABLE};
use crate::stats::sum::neumaier;

/// The weighted sum of the parts.
///
/// ```math
/// C = \sum_i w_i x_i
/// ```
/// Terms are added in the given order. The first undefined part makes the whole undefined with its reason; no parts:
/// `not_applicable`.
pub fn weighted_sum(parts: &[(f64, Measure)]) -> Measure {
    let mut terms = Vec::with_capacity(parts.len());
    for (weight, part) in parts {
        terms.push(weight * part.clone()?);
    }
    if terms.is_empty() { Err(NOT_APPLICABLE) } else { Ok(neumaier(terms)) }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Undefined;
    use super::*;

    #[test]
    fn parts_add_up_by_weight() {
        // 0.5 * 0.5 + 0.25 * 1 + 0.25 * 0 = 0.5
        assert_eq!(weighted_sum(&[(0.5, Ok(0.5)), (0.25, Ok(1.0)), (0.25, Ok(0.0))]), Ok(0.5));
    }

    #[test]
    fn an_undefined_part_is_never_a_zero() {
        let gone = Undefined::new("no_orders");
        assert_eq!(weighted_sum(&[(0.5, Ok(1.0)), (0.5, Err(gone.clone()))]), Err(gone));
        assert_eq!(weighted_sum(&[]), Err(NOT_APPLICABLE));
    }
}

//! Vectors of unit length.

use crate::score::measure::Undefined;
use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::ZERO_VECTOR;

/// The vector divided by its length; all zeros stay so.
///
/// A power of two is taken out first, so that no square leaves the range of binary64.
pub(crate) fn unit(mut v: Vec<f64>) -> Vec<f64> {
    let top = v.iter().fold(0.0_f64, |top, x| top.max(x.abs()));
    if top == 0.0 {
        return v;
    }
    let (_, exponent) = libm::frexp(top);
    v.iter_mut().for_each(|x| *x = libm::ldexp(*x, -exponent));
    let length = neumaier(v.iter().map(|x| x * x)).sqrt();
    v.iter_mut().for_each(|x| *x /= length);
    v
}

/// Whether a vector has no direction.
pub(crate) fn is_zero(v: &[f64]) -> bool {
    v.iter().all(|x| *x == 0.0)
}

/// The inner product, compensated.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    neumaier(a.iter().zip(b).map(|(x, y)| x * y))
}

/// The cosine of two vectors of unit length; undefined if one has no direction.
pub(crate) fn cosine(a: &[f64], b: &[f64]) -> Result<f64, Undefined> {
    if is_zero(a) || is_zero(b) { Err(ZERO_VECTOR) } else { Ok(dot(a, b)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_scale_gives_the_same_direction() {
        // (3, 4) / 5 by hand.
        for scale in [1.0, 1e-300, 1e300, 5e-324] {
            let v = unit(vec![3.0 * scale, 4.0 * scale]);
            assert!((v[0] - 0.6).abs() < 1e-15 && (v[1] - 0.8).abs() < 1e-15, "{scale}: {v:?}");
        }
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), Err(ZERO_VECTOR));
    }
}

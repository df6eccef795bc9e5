//! When numbers count as equal: float noise of the last few bits is not a difference.

/// 2^-48: relative distance below which neighbours are tied and a sample is constant.
pub const TIE: f64 = 1.0 / (1_u64 << 48) as f64;

/// Gives the largest absolute value, 0 for none.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

/// Tells whether the values vary by no more than 2^-48 of the given scale. True for none.
pub fn is_constant_on(values: &[f64], scale: f64) -> bool {
    let low = values.iter().fold(f64::INFINITY, |m: f64, v| m.min(*v));
    let high = values.iter().fold(f64::NEG_INFINITY, |m: f64, v| m.max(*v));
    values.is_empty() || high - low <= TIE * scale
}

/// Tells whether the values vary by no more than 2^-48 of the largest of them.
pub fn is_constant(values: &[f64]) -> bool {
    is_constant_on(values, largest(values))
}

/// Tells whether two numbers differ by no more than 2^-48 of the larger.
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= TIE * a.abs().max(b.abs())
}

/// Tells whether every value is 0 or 1, and there are any.
pub fn is_binary<'a>(values: impl IntoIterator<Item = &'a f64>) -> bool {
    let mut values = values.into_iter().peekable();
    values.peek().is_some() && values.all(|v| *v == 0.0 || *v == 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // 0.3 - 0.1 = 0.19999999999999998 in binary64: noise of one ulp.
    #[test]
    fn float_noise_is_constant_and_a_real_difference_is_not() {
        assert!(is_constant(&[0.2, 0.3 - 0.1, 0.2]));
        assert!(!is_constant(&[0.2, 0.2 + 1e-13]));
        assert!(same(0.3 - 0.1, 0.2));
        assert!(is_constant(&[0.0, 0.0]) && is_constant(&[]));
    }

    #[test]
    fn binary_needs_values() {
        assert!(is_binary(&[0.0, 1.0]) && !is_binary(&[0.5]) && !is_binary(&[]));
    }
}

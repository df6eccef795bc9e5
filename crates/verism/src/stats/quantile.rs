//! Quantiles of a sorted sample.

/// The type-6 quantile of an ascending sample.
///
/// ```math
/// h = (n + 1) p, \quad Q = x_{\lfloor h \rfloor} + (h - \lfloor h \rfloor)(x_{\lfloor h \rfloor + 1} - x_{\lfloor h \rfloor})
/// ```
/// with h clamped to [1, n]. None for an empty sample.
/// Source: Hyndman and Fan, The American Statistician 50 (1996), definition 6.
pub fn quantile_type6(sorted: &[f64], p: f64) -> Option<f64> {
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let h = (sorted.len() + 1) as f64 * p;
    if h <= 1.0 {
        return Some(first);
    }
    if h >= sorted.len() as f64 {
        return Some(last);
    }
    let k = h.floor();
    let (low, high) = (sorted[k as usize - 1], sorted[k as usize]);
    Some(low + (h - k) * (high - low))
}

/// Whether the position (n + 1) p lies beyond the first or the last of n values, so that the quantile is clamped.
pub fn is_beyond(n: usize, p: f64) -> bool {
    let h = (n + 1) as f64 * p;
    h < 1.0 || h > n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_by_hand() {
        let x = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile_type6(&[], 0.5), None);
        assert_eq!(quantile_type6(&x, 0.0), Some(1.0));
        assert_eq!(quantile_type6(&x, 0.5), Some(3.0)); // h = 2.5: between 2 and 4
        assert_eq!(quantile_type6(&x, 0.3), Some(1.5)); // h = 1.5: between 1 and 2
        assert_eq!(quantile_type6(&x, 0.99), Some(8.0)); // h = 4.95: clamped
    }

    // By hand: of 1..99 the type-6 quantile at p is 100 p; beyond the ends it is clamped.
    #[test]
    fn whole_numbers_and_their_ends() {
        let sorted: Vec<f64> = (1..=99).map(f64::from).collect();
        assert_eq!((quantile_type6(&sorted, 0.25), is_beyond(99, 0.25)), (Some(25.0), false));
        assert_eq!((quantile_type6(&sorted, 0.005), is_beyond(99, 0.005)), (Some(1.0), true));
        assert_eq!((quantile_type6(&sorted, 1.0), is_beyond(99, 1.0)), (Some(99.0), true));
    }
}

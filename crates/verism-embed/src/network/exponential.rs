//! The exponential function of numbers that are not positive, for whole rows.

/// e^x for x <= 0, with a relative error below 2e-7 down to -87; smaller x count as -87, which gives 1.6e-38.
///
/// ```math
/// e^x = 2^n e^r,  n = round(x / ln 2),  r = x - n ln 2,  |r| <= ln(2)/2
/// ```
///
/// e^r is its Taylor series up to r^7/7!, whose remainder is below 5.2e-9 of it. Nothing but sums, products and shifts, so that
/// a row is computed many numbers at a time.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    /// 1.5 · 2^23: a sum with it has no room for a fraction, which rounds.
    const ROUND: f32 = 12_582_912.0;
    /// ln 2 as a number with few digits, so that its product with n is exact, and what is missing.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.max(-87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let series = 1.0 / 5040.0;
    let series = series * r + 1.0 / 720.0;
    let series = series * r + 1.0 / 120.0;
    let series = series * r + 1.0 / 24.0;
    let series = series * r + 1.0 / 6.0;
    let series = series * r + 0.5;
    let series = series * r * r + r + 1.0;
    // The lowest bits of `rounded` are n; as an exponent it is 127 more.
    let power = f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23));
    series * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_libm_to_single_precision() {
        assert_eq!(exp(0.0), 1.0);
        for i in 0..870_000 {
            let x = -(i as f32) / 10_000.0;
            let exact = libm::exp(f64::from(x));
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 2e-7, "{x}: {} {exact}", exp(x));
        }
    }

    #[test]
    fn far_below_it_is_next_to_nothing() {
        for x in [-88.0, -1e4, f32::MIN, f32::NEG_INFINITY] {
            assert!((0.0..2e-38).contains(&exp(x)), "{x}");
        }
    }
}

//! The activation of the feed-forward layers.

/// The Gaussian error linear unit, x times the probability that a standard normal variable is below x.
///
/// ```math
/// gelu(x) = x (1 + erf(x / √2)) / 2
/// ```
///
/// Absolute error below 1e-6. Source: Hendrycks & Gimpel 2016, arXiv 1606.08415.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, with an absolute error below 5e-7.
///
/// ```math
/// erf(x) ≈ x p(x²) / q(x²) for |x| <= 3.8, beyond that erf(±3.8) = ±(1 - 7.7e-8)
/// ```
///
/// p and q are of degree 5, fitted to erf at 4,000 Chebyshev nodes of [0, 3.8] by reweighted least squares, the first number of
/// p being the derivative of erf at 0 (the largest error of the fit in double precision is about 1e-8; rounding to single
/// precision makes the rest). No branches, so that a row is computed many numbers at a time.
#[inline(always)]
fn erf(x: f32) -> f32 {
    const P: [f32; 6] =
        [std::f32::consts::FRAC_2_SQRT_PI, 0.188_104_51, 0.052_545_86, 0.003_693_128_5, 2.879_912_2e-4, 2.132_257_4e-6];
    const Q: [f32; 6] = [1.0, 0.500_035_5, 0.113_250_13, 0.014_821_958, 0.001_153_632_4, 3.909_872_2e-5];
    let x = x.clamp(-3.8, 3.8);
    let t = x * x;
    let series = |c: [f32; 6]| ((((c[5] * t + c[4]) * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0];
    (x * series(P) / series(Q)).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_agree_with_libm() {
        for i in -120_000..=120_000 {
            let x = i as f32 / 10_000.0;
            let exact = libm::erf(f64::from(x));
            assert!((f64::from(erf(x)) - exact).abs() < 5e-7, "{x}");
            let exact = 0.5 * f64::from(x) * (1.0 + libm::erf(f64::from(x) / std::f64::consts::SQRT_2));
            assert!((f64::from(gelu(x)) - exact).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn it_is_odd_and_bounded() {
        for x in [0.0, 0.3, 3.8, 40.0, f32::MAX, f32::INFINITY] {
            assert_eq!(erf(-x), -erf(x));
            assert!(erf(x) <= 1.0);
        }
        assert_eq!(gelu(0.0), 0.0);
    }
}

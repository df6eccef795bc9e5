//! One integral that every tail function can fall back on.

/// Gives the integral of a smooth function from 0 to infinity that decays on the given scale.
///
/// ```math
/// ∫₀^∞ f(s) ds = h Σ_k f(w g(kh)) w g'(kh),   g(τ) = exp(π/2 sinh τ)
/// ```
///
/// w is the scale, which has to be right to a factor of about 10; h = 1/32. Non-finite values of f count as 0.
/// Source: H. Takahasi, M. Mori, Double exponential formulas for numerical integration, Publ. RIMS 9 (1974).
pub(in crate::stats) fn half_line(scale: f64, f: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 1.0 / 32.0;
    let half_pi = std::f64::consts::FRAC_PI_2;
    let mut sum = 0.0;
    for k in -148..=148 {
        let tau = f64::from(k) * STEP;
        let s = scale * libm::exp(half_pi * libm::sinh(tau));
        let weight = s * half_pi * libm::cosh(tau);
        let value = f(s) * weight;
        if value.is_finite() {
            sum += value;
        }
    }
    sum * STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    // ∫ e^-s ds = 1 and ∫ e^(-s²/2) ds = √(π/2), whatever the scale within a decimal place.
    #[test]
    fn exponential_and_half_normal_integrate_to_their_known_areas() {
        for scale in [0.1, 1.0, 10.0] {
            assert!((half_line(scale, |s| libm::exp(-s)) - 1.0).abs() < 1e-13);
            let area = half_line(scale, |s| libm::exp(-s * s / 2.0));
            assert!((area / std::f64::consts::FRAC_PI_2.sqrt() - 1.0).abs() < 1e-13);
        }
    }
}

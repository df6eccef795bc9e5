//! The normal distribution: tail and quantile.

use std::f64::consts::FRAC_1_SQRT_2;

use super::stirling::LN_SQRT_2PI;
use super::tail::Tail;

/// Gives the probability that a standard normal variable exceeds z.
///
/// ```math
/// Q(z) = ½ erfc(z/√2)
/// ```
///
/// Beyond z = 30 the logarithm comes from Laplace's continued fraction, since the probability itself underflows at 38.
pub fn normal_sf(z: f64) -> Tail {
    let p = 0.5 * libm::erfc(z * FRAC_1_SQRT_2);
    if z < 30.0 {
        return Tail { p, ln: if z < -1.0 { libm::log1p(-normal_sf(-z).p) } else { libm::log(p) } };
    }
    // Q(z) = φ(z) / (z + 1/(z + 2/(z + 3/…)))
    let mills = (1..=40).rev().fold(z, |rest, k| z + f64::from(k) / rest);
    Tail { p, ln: -0.5 * z * z - LN_SQRT_2PI - libm::log(mills) }
}

/// Gives the probability that a standard normal variable is at most z.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// Gives the standard normal density at z.
pub fn normal_pdf(z: f64) -> f64 {
    libm::exp(-0.5 * z * z - LN_SQRT_2PI)
}

/// Gives the point that a standard normal variable exceeds with probability q, 0 < q < 1.
///
/// A rational start (Abramowitz and Stegun 26.2.23) and Newton steps, on erf in the middle and on ln Q in the tails.
pub fn normal_isf(q: f64) -> f64 {
    if q > 0.5 {
        return -normal_isf_upper(1.0 - q, 0.5 - q);
    }
    normal_isf_upper(q, 0.5 - q)
}

/// `q` is at most ½ up to rounding; `middle` is ½ - q (or its negative) without rounding.
fn normal_isf_upper(q: f64, middle: f64) -> f64 {
    let middle = middle.abs();
    if middle < 0.25 {
        let root_2pi = libm::exp(LN_SQRT_2PI);
        let mut z = middle * root_2pi;
        for _ in 0..6 {
            z -= (0.5 * libm::erf(z * FRAC_1_SQRT_2) - middle) / normal_pdf(z);
        }
        return z;
    }
    let t = (-2.0 * libm::log(q)).sqrt();
    let top = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let bottom = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = t - top / bottom;
    let ln_q = libm::log(q);
    for _ in 0..4 {
        let tail = normal_sf(z);
        let hazard = libm::exp(-0.5 * z * z - LN_SQRT_2PI - tail.ln);
        z += (tail.ln - ln_q) / hazard;
    }
    z
}

/// Gives z with P(|Z| > z) = α: the factor of two-sided normal intervals.
pub fn two_sided_z(alpha: f64) -> f64 {
    normal_isf(alpha / 2.0)
}

/// Gives P(|Z| > |z|).
pub fn normal_two_sided(z: f64) -> Tail {
    if z == 0.0 {
        return Tail::ONE;
    }
    normal_sf(z.abs()).times(2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // mpmath 1.4.1 at 40 digits: log(erfc(z/sqrt(2))/2)
    #[test]
    fn tail_matches_high_precision() {
        let cases: [(f64, f64); 6] = [
            (-5.0, -2.866516129637636e-07),
            (0.3, -0.9621028181688507),
            (6.0, -20.736768949974707),
            (29.9, -451.32291245852866),
            (37.0, -689.0305855768906),
            (500.0, -125007.13355063158),
        ];
        for (z, ln) in cases {
            assert!((normal_sf(z).ln - ln).abs() < 2e-14 * ln.abs().max(1.0), "z = {z}");
        }
    }

    // mpmath 1.4.1 at 40 digits: sqrt(2)*erfinv(1 - 2q)
    #[test]
    fn quantile_matches_high_precision() {
        let cases: [(f64, f64); 6] = [
            (1e-250, 33.79958617269484),
            (1e-10, 6.361340902404057),
            (0.025, 1.9599639845400543),
            (0.3, 0.5244005127080408),
            (0.4999, 0.00025066283008800747),
            (0.975, -1.9599639845400538),
        ];
        for (q, z) in cases {
            assert!((normal_isf(q) / z - 1.0).abs() < 1e-14, "q = {q}: {} not {z}", normal_isf(q));
        }
        assert_eq!(normal_isf(0.5), 0.0);
    }
}

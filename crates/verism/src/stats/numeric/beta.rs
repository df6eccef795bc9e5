//! The regularised incomplete beta function, from which the t, F and beta distributions get their tails.

use super::quadrature::half_line;
use super::stirling::{LN_SQRT_2PI, deviance, stirling_rest};
use super::tail::Tail;

/// Above this the continued fraction takes too many steps and the integral is summed instead.
const MANY: f64 = 1e5;

/// x / (1 - x) of a point in (0, 1), with its logarithm, which outlives the quotient in the far tails.
#[derive(Clone, Copy, Debug)]
pub(in crate::stats) struct Odds {
    pub value: f64,
    pub ln: f64,
}

impl Odds {
    fn flip(self) -> Odds {
        Odds { value: 1.0 / self.value, ln: -self.ln }
    }

    /// Gives x and 1 - x, each to full relative precision.
    fn parts(self) -> (f64, f64) {
        if self.value < 1.0 {
            (self.value / (1.0 + self.value), 1.0 / (1.0 + self.value))
        } else {
            let inverse = 1.0 / self.value;
            (1.0 / (1.0 + inverse), inverse / (1.0 + inverse))
        }
    }
}

/// Gives the share of a Beta(a, b) distribution below the point with the given odds.
///
/// ```math
/// I_x(a, b) = 1/B(a, b) ∫₀^x u^(a-1) (1-u)^(b-1) du
/// ```
///
/// a, b > 0; odds 0 give 0, infinite odds 1. The smaller side is computed and the other is its complement.
/// Source: W. H. Press et al., Numerical Recipes, section 6.4 (continued fraction); Loader (2000) for the factor before it.
pub(in crate::stats) fn beta_below(a: f64, b: f64, odds: Odds) -> Tail {
    if odds.ln == f64::NEG_INFINITY {
        return Tail { p: 0.0, ln: f64::NEG_INFINITY };
    }
    if odds.ln == f64::INFINITY {
        return Tail::ONE;
    }
    let (x, y) = odds.parts();
    if x <= (a + 1.0) / (a + b + 2.0) {
        return lower(a, b, odds);
    }
    let rest = lower(b, a, odds.flip()).complement();
    // A small complement has lost digits: the point lies beyond the mean, yet little of a very skew distribution is below it.
    if rest.p < 1e-3 && y > 0.0 { by_integral(a, b, x, y) } else { rest }
}

/// I_x(a, b) for a point that is not far above the mean.
fn lower(a: f64, b: f64, odds: Odds) -> Tail {
    let (x, y) = odds.parts();
    if odds.ln < -36.0 {
        // x below 2e-16: the first term of the series is all there is
        return Tail::from_ln(a * odds.ln - ln_beta(a, b) - libm::log(a));
    }
    if a.max(b) > MANY {
        return by_integral(a, b, x, y);
    }
    let series = continued_fraction(a, b, x) / a;
    let ln = ln_power(a, b, x, y);
    Tail { p: libm::exp(ln) * series, ln: ln + libm::log(series) }
}

/// ln (x^a y^b / B(a, b)) as a deviance from the mean, so that large a and b cost no digits.
fn ln_power(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let spread = 0.5 * libm::log(a / n * b) - LN_SQRT_2PI;
    let rests = stirling_rest(n) - stirling_rest(a) - stirling_rest(b);
    spread + rests - deviance(a, n * x) - deviance(b, n * y)
}

fn ln_beta(a: f64, b: f64) -> f64 {
    let n = a + b;
    let rests = stirling_rest(n) - stirling_rest(a) - stirling_rest(b);
    let logs = a * libm::log(n / a) + b * libm::log(n / b) + 0.5 * libm::log(a / n * b);
    LN_SQRT_2PI - rests - logs
}

/// The continued fraction of a B(a,b) I_x(a,b) / (x^a y^b), by Lentz's method.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |v: f64| if v.abs() < TINY { TINY } else { v };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = d;
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

/// I_x(a, b) = x^a y^b / B(a,b) · 1/y ∫₀^∞ exp(-a s + (b-1) ln(1 + x (1-e^-s)/y)) ds, with u = x e^-s.
fn by_integral(a: f64, b: f64, x: f64, y: f64) -> Tail {
    let slope = (a - (b - 1.0) * x / y).max(0.0);
    let bend = (a + (b - 1.0).abs() * x / (y * y)).sqrt();
    let area =
        half_line(1.0 / (slope + bend), |s| libm::exp(-a * s + (b - 1.0) * libm::log1p(-x * libm::expm1(-s) / y)));
    let ln = ln_power(a, b, x, y) - libm::log(y);
    Tail { p: libm::exp(ln) * area, ln: ln + libm::log(area) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(value: f64) -> Odds {
        Odds { value, ln: libm::log(value) }
    }

    // mpmath 1.4.1 at 40 digits: the hypergeometric series, for a > 1000 quadrature of the density, at x = odds/(1+odds)
    #[test]
    fn matches_high_precision_from_the_centre_to_the_far_tail() {
        let cases: [(f64, f64, f64, f64); 9] = [
            (2.5, 0.5, 0.3, -4.654711540473988),
            (50.0, 0.5, 0.01, -233.28202509636535),
            (0.5, 0.5, 1e-12, -14.267093263254063),
            (400.0, 0.5, 4e-05, -4054.236830986816),
            (60.0, 2.0, 0.006, -303.2136827375834),
            (3.0, 7.0, 40.0, -1.7704397804486793e-10),
            (10.0, 0.0001, 19.0, -9.763550445701744),
            (500000.0, 0.5, 100000.0, -6.459582588525579),
            (3000000.0, 2000000.0, 1.49, -29.786520815454544),
        ];
        for (a, b, at, ln) in cases {
            let tail = beta_below(a, b, odds(at));
            assert!((tail.ln - ln).abs() < 1e-12 * ln.abs().max(1.0), "a {a} b {b} odds {at}: {} not {ln}", tail.ln);
            assert!((tail.p - libm::exp(ln)).abs() <= 1e-11 * tail.p);
        }
    }

    #[test]
    fn the_ends_are_exact() {
        assert_eq!(beta_below(2.0, 3.0, odds(0.0)).p, 0.0);
        assert_eq!(beta_below(2.0, 3.0, odds(f64::INFINITY)), Tail::ONE);
    }

    // I_x(1, 1) = x; by symmetry I_½(a, a) = ½.
    #[test]
    fn uniform_and_symmetric_distributions_are_known() {
        assert!((beta_below(1.0, 1.0, odds(3.0)).p - 0.75).abs() < 1e-15);
        assert!((beta_below(1234.5, 1234.5, odds(1.0)).p - 0.5).abs() < 1e-12);
    }
}

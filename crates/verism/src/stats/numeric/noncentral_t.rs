//! The noncentral t distribution: the law of a t statistic when there is an effect.

use super::gamma::{gamma_above, gamma_below};
use super::normal::{normal_cdf, normal_isf, normal_pdf, normal_sf};
use super::root::decreasing_root;
use super::stirling::{LN_SQRT_2PI, stirling_rest};
use super::tail::Tail;

/// Gives P(T <= t) for the noncentral t with df > 0 degrees of freedom and noncentrality λ.
///
/// ```math
/// P(T <= t) = ∫₀^∞ f(s) Φ(t s - λ) ds,   f the density of s = √(χ²_df / df)
/// ```
///
/// Every term is positive, so both tails keep their digits. In w = ln s the integrand is analytic and dies out at both
/// ends, where the trapezoidal rule converges geometrically. For a large λ against few degrees of freedom Φ becomes a step
/// there; the integral is then taken over the normal variable with the survival function of s.
/// Source: definition; L. N. Trefethen, J. A. C. Weideman, The exponentially convergent trapezoidal rule (2014).
pub fn nct_cdf(t: f64, df: f64, lambda: f64) -> Tail {
    if is_step(t, df, lambda) {
        return over_normal(t, df, lambda);
    }
    let nodes = Nodes::of(df, lambda.abs(), 100.0);
    let sum = nodes.sum(|s| normal_cdf(t * s - lambda));
    if sum > 1e-40 {
        return Tail::from_p(sum.min(1.0));
    }
    // Far out the largest terms lie elsewhere: the same sum in logarithms, over a wide range, relative to its largest term.
    let chi = LogChi::of(df);
    let ln_term = |w: f64| chi.ln_density(w) + normal_sf(lambda - t * libm::exp(w)).ln;
    let points = (-4000..4000).map(|k| f64::from(k) * nodes.step);
    let top = points.clone().map(ln_term).fold(f64::NEG_INFINITY, f64::max);
    let rest: f64 = points.map(|w| libm::exp(ln_term(w) - top)).sum();
    Tail::from_ln(top + libm::log(rest * nodes.step))
}

/// Gives P(T > t), the same way.
pub fn nct_sf(t: f64, df: f64, lambda: f64) -> Tail {
    nct_cdf(-t, df, -lambda)
}

/// In w = ln s the normal part has become a step of width 1/λ, too narrow for the density's own width.
fn is_step(t: f64, df: f64, lambda: f64) -> bool {
    t * lambda > 0.0 && lambda.abs() > 40.0 && lambda * lambda > 8.0 * df
}

/// The density of w = ln √(χ²/df).
struct LogChi {
    df: f64,
    ln_norm: f64,
}

impl LogChi {
    fn of(df: f64) -> LogChi {
        // ln 2 + a ln a - ln Γ(a) - a by Stirling, a = df/2; the -a is taken back in the exponent below
        let half = 0.5 * df;
        let ln_norm = std::f64::consts::LN_2 + 0.5 * libm::log(half) - LN_SQRT_2PI - stirling_rest(half);
        LogChi { df, ln_norm }
    }

    /// ln 2 + a ln a - ln Γ(a) + df w - a e^(2w)
    fn ln_density(&self, w: f64) -> f64 {
        self.ln_norm - 0.5 * self.df * exponential_rest(2.0 * w)
    }
}

/// e^x - 1 - x, with all its digits near 0.
fn exponential_rest(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return libm::expm1(x) - x;
    }
    // x²/2 (1 + x/3 (1 + x/4 (1 + …)))
    0.5 * x * x * (3..=16).rev().fold(1.0, |sum, k| 1.0 + sum * x / f64::from(k))
}

/// The points s = e^w of the trapezoidal rule with their weights; they serve every t, and every λ up to the one given.
struct Nodes {
    step: f64,
    points: Vec<(f64, f64)>,
}

impl Nodes {
    /// Nodes down to a weight of e^-depth of the largest.
    fn of(df: f64, lambda: f64, depth: f64) -> Nodes {
        // The spectrum of density times normal part has a standard deviation of about √(2df + λ²), and tails like those of
        // the gamma function that 60 covers; the error of the rule is about exp(-2π²/(step · deviation)²).
        let step = 1.0 / ((2.0 * df + lambda * lambda) / 0.5 + 60.0).sqrt();
        let chi = LogChi::of(df);
        let mut points = vec![(1.0, step * libm::exp(chi.ln_norm))];
        for direction in [step, -step] {
            for k in 1..200_000 {
                let w = f64::from(k) * direction;
                let ln = chi.ln_density(w) - chi.ln_norm;
                if ln < -depth {
                    break;
                }
                points.push((libm::exp(w), step * libm::exp(ln + chi.ln_norm)));
            }
        }
        Nodes { step, points }
    }

    fn sum(&self, part: impl Fn(f64) -> f64) -> f64 {
        self.points.iter().map(|(s, weight)| weight * part(*s)).sum()
    }
}

/// Whether t s varies by less than a fortieth beside the normal variable: then it is t. Where the normal part is a step, λ
/// is ninety times t by then, and the smaller side below 10^-300.
fn is_narrow(t: f64, df: f64) -> bool {
    t * t < 1e-3 * df
}

/// P(T <= t) = ∫ φ(z) P(s >= (z + λ)/t) dz for t, λ > 0; mirrored for t, λ < 0.
fn over_normal(t: f64, df: f64, lambda: f64) -> Tail {
    if t < 0.0 {
        return over_normal(-t, df, -lambda).complement();
    }
    if is_narrow(t, df) {
        return normal_sf(lambda - t);
    }
    let half = 0.5 * df;
    let step = 0.4 / (1.0 + 2.0 * df / (t * t)).sqrt();
    let reach = (9.0 / step) as i32;
    let sum: f64 = (-reach..=reach)
        .map(|k| {
            let z = f64::from(k) * step;
            let s = (z + lambda) / t;
            normal_pdf(z) * gamma_above(half, half * s * s).p
        })
        .sum();
    Tail::from_p((sum * step).min(1.0))
}

/// P(T > t) = ∫ φ(z) P(s < (z + λ)/t) dz for t, λ > 0: the other side of [`over_normal`], with all its digits.
fn above_over_normal(t: f64, df: f64, lambda: f64) -> f64 {
    if is_narrow(t, df) {
        return normal_cdf(lambda - t);
    }
    let half = 0.5 * df;
    let step = 0.4 / (1.0 + 2.0 * df / (t * t)).sqrt();
    let reach = (9.0 / step) as i32;
    let term = |k: i32| {
        let z = f64::from(k) * step;
        let s = (z + lambda).max(0.0) / t;
        normal_pdf(z) * gamma_below(half, half * s * s).p
    };
    (step * (-reach..=reach).map(term).sum::<f64>()).min(1.0)
}

/// Gives λ with P(T_df,λ <= t) = p: one end of an interval for a noncentrality.
pub fn nct_noncentrality(p: f64, t: f64, df: f64) -> f64 {
    let spread = (1.0 + t * t / (2.0 * df)).sqrt();
    let z = normal_isf(p);
    let start = t + z * spread;
    let most = t.abs() + (z.abs() + 4.0) * spread;
    let nodes = (most <= 40.0 || most * most <= 8.0 * df).then(|| Nodes::of(df, most, 45.0));
    let below = |lambda: f64| match &nodes {
        Some(nodes) if lambda.abs() <= most => nodes.sum(|s| normal_cdf(t * s - lambda)),
        _ => nct_cdf(t, df, lambda).p,
    };
    let above = |lambda: f64| match &nodes {
        Some(nodes) if lambda.abs() <= most => nodes.sum(|s| normal_cdf(lambda - t * s)),
        _ => nct_sf(t, df, lambda).p,
    };
    if p > 0.5 {
        let rest = 1.0 - p;
        return decreasing_root(start, 0.01 * spread, |lambda| rest - above(lambda));
    }
    decreasing_root(start, 0.01 * spread, |lambda| below(lambda) - p)
}

/// Critical values up to this one share the nodes of all noncentralities.
const ORDINARY: f64 = 40.0;

/// Gives the power of two-sided t tests with the given critical value as a function of the noncentrality.
pub fn two_sided_power(critical: f64, df: f64) -> impl Fn(f64) -> f64 {
    let most = critical + 8.0;
    let shared = (critical <= ORDINARY).then(|| Nodes::of(df, most, 45.0));
    move |lambda: f64| {
        let both = |s: f64| normal_cdf(lambda - critical * s) + normal_cdf(-critical * s - lambda);
        match &shared {
            Some(_) if lambda.abs() > most => nct_sf(critical, df, lambda).p + nct_cdf(-critical, df, lambda).p,
            Some(nodes) => nodes.sum(both),
            // The other tail is smaller than Φ(-40).
            None if is_step(critical, df, lambda.abs()) => above_over_normal(critical, df, lambda.abs()),
            // Far out in t only very small s count, whose density falls like s^df towards 0.
            None => Nodes::of(df, lambda.abs().max(8.0), 45.0 + df * libm::log(critical)).sum(both),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // mpmath 1.4.1 at 30 digits: quadrature of the definition over s in 200 pieces
    #[test]
    fn matches_quadrature_of_the_definition() {
        let cases: [(f64, f64, f64, f64); 10] = [
            (2.0, 10.0, 1.0, 0.8076115625303752),
            (2.0, 2.5, 0.5, 0.842898195029203),
            (13.2, 7.0, 13.0, 0.4542739333299479),
            (-2.1, 15.0, 3.0, 9.419794287696604e-07),
            (1.96, 10000.0, 2.8, 0.200463070285236),
            (50.0, 5.0, 30.0, 0.8754953267414723),
            (90.0, 12.0, 95.0, 0.34294857164995307),
            (427.0, 40.0, 420.0, 0.5287781779754888),
            (0.5, 30.0, -2.0, 0.9936261645726183),
            (1.96, 1e14, 2.8, 0.2004541932604505),
        ];
        for (t, df, lambda, p) in cases {
            let got = nct_cdf(t, df, lambda).p;
            assert!((got / p - 1.0).abs() < 1e-11, "t {t} df {df} λ {lambda}: {got} not {p}");
        }
    }

    // Without end before: differences of numbers of size √df were taken for the density, and the grid had 2^32 points.
    #[test]
    fn a_t_with_endless_degrees_of_freedom_is_normal() {
        // mpmath 1.4.1 at 30 digits: Φ(λ - c) + Φ(-c - λ) = 0.8 with c the normal quantiles of 0.975 and 0.75.
        for (alpha, lambda) in [(0.05, 2.801581787013579), (0.5, 1.458715035907904)] {
            for df in [1e20, 1e150] {
                let found = crate::stats::power::noncentrality_for(0.8, df, alpha);
                assert!((found / lambda - 1.0).abs() < 1e-11, "α {alpha} df {df}: {found}");
            }
        }
        assert_eq!((nct_cdf(0.6, 1e150, 1e76).p, nct_cdf(-0.6, 1e150, -1e76).p), (0.0, 1.0));
        assert_eq!(two_sided_power(50.0, 1e150)(1e76), 1.0);
    }

    // mpmath 1.3.0 at 40 digits: quadrature of the definition over v = c s, split around λ; for one degree of freedom they
    // agree with √(2/π) E|Z + λ|/c, for two with (1 + λ²)/c², which hold as c grows
    #[test]
    fn power_far_out_keeps_its_digits() {
        let t = super::super::student::two_sided_t;
        let cases: [(f64, f64, f64, f64); 8] = [
            (1e-4, 1.0, 1.5, 0.00019534324190846557),
            (1e-6, 1.0, 1.5, 1.953432443854897e-06),
            (1e-12, 1.0, 0.75, 1.2687723080211667e-12),
            (1e-20, 1.0, 4.25, 5.32659082979054e-20),
            (1e-20, 2.0, 5.25, 2.8562499999999997e-19),
            (1e-10, 1.0, 70.75, 8.867197521507165e-09),
            (1e-10, 1.0, 1.5e9, 0.18627201981705566),
            (1e-8, 3.0, 40.0, 0.000400228119294741),
        ];
        for (alpha, df, lambda, power) in cases {
            let got = two_sided_power(t(alpha, df), df)(lambda);
            assert!((got / power - 1.0).abs() < 1e-11, "α {alpha} df {df} λ {lambda}: {got} not {power}");
        }
        // Without an effect the power is the level.
        let level = two_sided_power(t(1e-9, 1.0), 1.0)(0.0);
        assert!((level / 1e-9 - 1.0).abs() < 1e-11, "{level}");
    }

    #[test]
    fn without_noncentrality_it_is_student_t() {
        for (t, df) in [(0.7, 3.0), (-2.0, 12.5), (5.0, 200.0)] {
            assert!((nct_cdf(t, df, 0.0).p / super::super::student::t_sf(-t, df).p - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn noncentrality_undoes_the_distribution_function() {
        for (p, t, df) in [(0.975, 2.1, 18.0), (0.025, -4.0, 9.0), (0.025, 4408.0, 798.0), (0.975, 90.0, 4.0)] {
            let lambda = nct_noncentrality(p, t, df);
            assert!((nct_cdf(t, df, lambda).p - p).abs() < 1e-12, "p {p} t {t} df {df}");
        }
    }

    #[test]
    fn an_underflowing_tail_keeps_its_logarithm() {
        let tail = nct_cdf(-60.0, 40.0, 30.0);
        assert!(tail.ln < -300.0 && tail.ln.is_finite());
    }
}

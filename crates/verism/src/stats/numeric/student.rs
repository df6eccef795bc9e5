//! Student's t and Fisher's F: tails and quantiles.

use super::beta::{Odds, beta_below};
use super::normal::normal_isf;
use super::root::decreasing_root;
use super::tail::Tail;

/// Gives P(T > t) for Student's t with df > 0 degrees of freedom.
///
/// ```math
/// P(T > t) = ½ I_x(df/2, ½),  x = df/(df + t²),  t >= 0
/// ```
pub fn t_sf(t: f64, df: f64) -> Tail {
    if t < 0.0 {
        return t_sf(-t, df).complement();
    }
    t_two_sided(t, df).times(0.5)
}

/// Gives P(|T| > |t|) for Student's t with df > 0 degrees of freedom; 1 at t = 0.
pub fn t_two_sided(t: f64, df: f64) -> Tail {
    if t == 0.0 {
        return Tail::ONE;
    }
    let ratio = t.abs() / df.sqrt();
    beta_below(0.5 * df, 0.5, Odds { value: (1.0 / ratio) / ratio, ln: libm::log(df) - 2.0 * libm::log(t.abs()) })
}

/// Gives the point that T with df degrees of freedom exceeds with probability q, 0 < q < 1.
pub fn t_isf(q: f64, df: f64) -> f64 {
    if q == 0.5 {
        return 0.0;
    }
    if q > 0.5 {
        return -t_isf(1.0 - q, df);
    }
    // In ln t the logarithm of the tail is nearly straight far out.
    let ln_q = libm::log(q);
    let start = libm::log(cornish_fisher(normal_isf(q), df.max(2.0)));
    libm::exp(decreasing_root(start, 1e-3, |u| t_sf(libm::exp(u), df).ln - ln_q))
}

/// The t quantile as an expansion about the normal one (Abramowitz and Stegun 26.7.5).
fn cornish_fisher(z: f64, df: f64) -> f64 {
    let square = z * z;
    let g1 = z * (square + 1.0) / 4.0;
    let g2 = z * ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let g3 = z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    let expanded = z + (g1 + (g2 + g3 / df) / df) / df;
    if expanded > 0.0 { expanded } else { z }
}

/// Gives t with P(|T| > t) = α: the factor of two-sided t intervals.
pub fn two_sided_t(alpha: f64, df: f64) -> f64 {
    t_isf(alpha / 2.0, df)
}

/// Gives P(F > f) for Fisher's F with df1 and df2 degrees of freedom; 1 at f = 0.
///
/// ```math
/// P(F > f) = I_x(df2/2, df1/2),  x = df2/(df2 + df1 f)
/// ```
pub fn f_sf(f: f64, df1: f64, df2: f64) -> Tail {
    if f <= 0.0 {
        return Tail::ONE;
    }
    let odds = Odds { value: df2 / df1 / f, ln: libm::log(df2) - libm::log(df1) - libm::log(f) };
    beta_below(0.5 * df2, 0.5 * df1, odds)
}

/// Gives the point that F with df1 and df2 degrees of freedom exceeds with probability q, 0 < q < 1.
pub fn f_isf(q: f64, df1: f64, df2: f64) -> f64 {
    let ln_q = libm::log(q);
    libm::exp(decreasing_root(0.0, 0.5, |u| f_sf(libm::exp(u), df1, df2).ln - ln_q))
}

/// Gives the point below which a Beta(a, b) variable lies with probability q, 0 < q < 1.
pub fn beta_quantile(q: f64, a: f64, b: f64) -> f64 {
    let at = |logit: f64| Odds { value: libm::exp(-logit), ln: -logit };
    let logit = if q <= 0.5 {
        let ln_q = libm::log(q);
        -decreasing_root(libm::log(b / a), 0.5, |u| beta_below(a, b, at(u)).ln - ln_q)
    } else {
        let ln_rest = libm::log(1.0 - q);
        decreasing_root(libm::log(a / b), 0.5, |u| beta_below(b, a, at(u)).ln - ln_rest)
    };
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::*;

    // With one degree of freedom T is Cauchy: P(T > t) = atan(1/t)/π; with two P(T > t) = (1 - t/√(2+t²))/2.
    #[test]
    fn one_and_two_degrees_of_freedom_have_closed_forms() {
        for t in [1e-3, 0.7, 5.0, 1e6, 1e200] {
            let cauchy = libm::atan(1.0 / t) / std::f64::consts::PI;
            assert!((t_sf(t, 1.0).p / cauchy - 1.0).abs() < 1e-13, "t = {t}");
        }
        // (1 - t/√(2+t²))/2 = 1/(s(s+t)) with s = √(2+t²)
        for t in [1e-3, 0.7, 5.0, 1e6] {
            let s = libm::sqrt(2.0 + t * t);
            assert!((t_sf(t, 2.0).p * s * (s + t) - 1.0).abs() < 1e-13, "t = {t}");
        }
    }

    // mpmath 1.4.1 at 40 digits: log of ½ I_x(df/2, ½); df above 1e6 by quadrature of the density
    #[test]
    fn tails_match_high_precision() {
        let cases: [(f64, f64, f64); 6] = [
            (0.2, 7.5, -0.8594423322055119),
            (94.36, 349.49, -576.3388990590719),
            (1000.0, 150.0, -663.8027427734743),
            (4408.5, 798.0, -4034.364578015603),
            (1.3, 4000000.0, -2.335102891735266),
            (35.0, 1000000000.0, -616.9747254939397),
        ];
        for (t, df, ln) in cases {
            let tail = t_sf(t, df);
            assert!((tail.ln - ln).abs() < 1e-12 * ln.abs().max(1.0), "t {t} df {df}: {} not {ln}", tail.ln);
        }
    }

    #[test]
    fn quantiles_undo_tails() {
        for df in [0.3, 1.0, 4.5, 30.0, 1e4, 1e9] {
            for q in [1e-50, 1e-9, 0.025, 0.2, 0.7] {
                let t = t_isf(q, df);
                if t.is_finite() {
                    assert!((t_sf(t, df).p / q - 1.0).abs() < 1e-10, "df {df} q {q} t {t}");
                }
            }
        }
        for q in [1e-30, 0.025, 0.5, 0.975] {
            assert!((f_sf(f_isf(q, 3.0, 17.0), 3.0, 17.0).p / q - 1.0).abs() < 1e-11);
        }
    }

    // F with (1, n) degrees of freedom is the square of t with n.
    #[test]
    fn f_with_one_degree_of_freedom_is_t_squared() {
        for t in [0.5_f64, 3.0, 40.0] {
            assert!((f_sf(t * t, 1.0, 9.5).ln - t_two_sided(t, 9.5).ln).abs() < 1e-12);
        }
    }

    // Beta(1, b): P(X < x) = 1 - (1-x)^b, so the quantile is 1 - (1-q)^(1/b).
    #[test]
    fn beta_quantile_matches_its_closed_form() {
        for q in [1e-12, 0.025, 0.5, 0.975] {
            let x = -libm::expm1(libm::log1p(-q) / 20.0);
            assert!((beta_quantile(q, 1.0, 20.0) / x - 1.0).abs() < 1e-12, "q = {q}");
        }
    }
}

//! Standardised differences: Cohen's d, Hedges' g, and their paired forms.

use serde::Serialize;

use super::cliff::cliffs_delta;
use super::constant::{TIE, same};
use super::differences::Differences;
use super::moments::{Moments, unit_of};
use super::numeric::noncentral_t::nct_noncentrality;
use super::numeric::stirling::stirling_rest;
use super::numeric::wide::Wide;
use super::reason::Reason;
use super::two_samples::TwoSamples;

/// Which standard deviation a difference is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DividedBy {
    /// √(((n_x-1)s_x² + (n_y-1)s_y²)/(n_x+n_y-2))
    Pooled,
    /// √((s_x² + s_y²)/2)
    Average,
}

/// Standardised differences of two independent samples.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// Size of the difference in standard deviations.
    pub cohen_d: Option<f64>,
    /// The same with its sign.
    pub cohen_d_signed: Option<f64>,
    /// Lower end of the interval of d.
    pub d_lo: Option<f64>,
    /// Upper end of the interval of d.
    pub d_hi: Option<f64>,
    /// d without its small-sample bias.
    pub hedges_g: Option<f64>,
    /// Lower end of the interval of g.
    pub g_lo: Option<f64>,
    /// Upper end of the interval of g.
    pub g_hi: Option<f64>,
    /// The standard deviation it was divided by.
    pub sd_used: Option<f64>,
    /// Cliff's δ.
    pub cliffs_delta: Option<f64>,
    /// Lower end of the interval of δ.
    pub cliffs_lo: Option<f64>,
    /// Upper end of the interval of δ.
    pub cliffs_hi: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the factor that takes the bias from a standardised difference with ν degrees of freedom.
///
/// ```math
/// J(ν) = Γ(ν/2)/(√(ν/2) Γ((ν-1)/2))
/// ```
///
/// 0 for ν = 1. Source: L. V. Hedges, J. Educ. Stat. 6 (1981).
pub fn hedges_factor(df: f64) -> f64 {
    if df <= 1.0 {
        return 0.0;
    }
    // ln Γ(a) - ln Γ(b) - ½ ln a with b = a - ½; of Stirling's terms (b - ½) ln(a/b) - ½ remains
    let (a, b) = (0.5 * df, 0.5 * (df - 1.0));
    let powers = (b - 0.5) * libm::log1p(0.5 / b) - 0.5;
    libm::exp(powers + stirling_rest(a) - stirling_rest(b))
}

/// Gives Cohen's d, Hedges' g and Cliff's δ of two independent samples.
///
/// ```math
/// d = (x̄ - ȳ)/s,  g = J(n_x+n_y-2) d;  interval: λ/√(n_x n_y/(n_x+n_y)) with P(T_ν,λ >= t) = α/2 and P(T_ν,λ <= t) = α/2
/// ```
///
/// `cohen_d` is |d|. Intervals exist for the pooled s with ddof 1. One value on a side: δ alone (`n_lt_2`); both samples
/// constant: `zero_variance` or `identical`. Source: J. Cohen, Statistical Power Analysis (1988); G. Cumming, S. Finch (2001).
pub fn effect(samples: &TwoSamples, alpha: f64, divided_by: DividedBy, ddof: usize) -> Effect {
    let &TwoSamples { x, y, unit, of_x: ref mx, of_y: ref my, .. } = samples;
    let (n, m) = (x.len(), y.len());
    let mut out = Effect {
        cohen_d: None,
        cohen_d_signed: None,
        d_lo: None,
        d_hi: None,
        hedges_g: None,
        g_lo: None,
        g_hi: None,
        sd_used: None,
        cliffs_delta: None,
        cliffs_lo: None,
        cliffs_hi: None,
        reason: None,
    };
    if n == 0 || m == 0 {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let cliff = cliffs_delta(samples, alpha);
    out.cliffs_delta = Some(cliff.delta);
    (out.cliffs_lo, out.cliffs_hi) = (cliff.interval.map(|i| i.0), cliff.interval.map(|i| i.1));
    if n < 2 || m < 2 {
        out.reason = Some(Reason::FewerThanTwo);
        return out;
    }
    if mx.is_constant() && my.is_constant() {
        let equal = same(mx.mean.round(), my.mean.round());
        out.reason = Some(if equal { Reason::Identical } else { Reason::ZeroVariance });
        return out;
    }
    let variance = match divided_by {
        DividedBy::Pooled => (mx.ss + my.ss) / Wide::from(n + m - 2 * ddof),
        DividedBy::Average => (mx.ss / Wide::from(n - ddof) + my.ss / Wide::from(m - ddof)) / Wide::from(2.0),
    };
    let s = variance.sqrt();
    let d = ((mx.mean - my.mean) / s).round();
    let df = (n + m - 2) as f64;
    let j = hedges_factor(df);
    (out.cohen_d, out.cohen_d_signed) = (Some(d.abs()), Some(d));
    (out.hedges_g, out.sd_used) = (Some(j * d), Some(s.round() * unit));
    if divided_by == DividedBy::Pooled && ddof == 1 {
        let (lo, hi) = noncentral_interval(d, (n as f64 * m as f64 / (n + m) as f64).sqrt(), df, alpha);
        (out.d_lo, out.d_hi, out.g_lo, out.g_hi) = (Some(lo), Some(hi), Some(j * lo), Some(j * hi));
    }
    out
}

/// The interval of d = λ/k by inverting the noncentral t at t = d k.
fn noncentral_interval(d: f64, k: f64, df: f64, alpha: f64) -> (f64, f64) {
    let t = d * k;
    (nct_noncentrality(1.0 - alpha / 2.0, t, df) / k, nct_noncentrality(alpha / 2.0, t, df) / k)
}

/// Standardised differences of pairs.
#[derive(Clone, Debug, Serialize)]
pub struct EffectPaired {
    /// How many pairs.
    pub n: usize,
    /// Mean difference over the standard deviation of the differences.
    pub d_z: Option<f64>,
    /// Lower end of its interval.
    pub dz_lo: Option<f64>,
    /// Upper end of its interval.
    pub dz_hi: Option<f64>,
    /// The same without its small-sample bias.
    pub g_z: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the standardised mean of paired differences.
///
/// ```math
/// d_z = d̄/s_d,  g_z = J(n-1) d_z;  interval: λ/√n by inverting the noncentral t
/// ```
///
/// No pair: `no_pairs`; one: `n_lt_2`; constant differences: `zero_variance` or `identical`; g_z is undefined for n = 2.
pub fn effect_paired(d: &Differences, alpha: f64) -> EffectPaired {
    let n = d.values.len();
    let undefined = |reason| EffectPaired { n, d_z: None, dz_lo: None, dz_hi: None, g_z: None, reason: Some(reason) };
    if n == 0 {
        return undefined(Reason::NoPairs);
    }
    if n < 2 {
        return undefined(Reason::FewerThanTwo);
    }
    let unit = unit_of([&d.values[..]]);
    let moments = Moments::on_scale(&d.values, unit, d.scale);
    if moments.is_constant() {
        let zero = (moments.mean.round() * unit).abs() <= TIE * d.scale;
        return undefined(if zero { Reason::Identical } else { Reason::ZeroVariance });
    }
    let d_z = (moments.mean / moments.variance().sqrt()).round();
    let (lo, hi) = noncentral_interval(d_z, (n as f64).sqrt(), (n - 1) as f64, alpha);
    let g_z = (n > 2).then(|| hedges_factor((n - 1) as f64) * d_z);
    EffectPaired { n, d_z: Some(d_z), dz_lo: Some(lo), dz_hi: Some(hi), g_z, reason: None }
}

/// Gives the word for the size of a standardised difference: |d|, |d_z| or |g|.
pub fn band_of_d(d: f64) -> &'static str {
    band(d.abs(), [0.2, 0.5, 0.8])
}

/// Gives the word for the size of Cliff's δ.
pub fn band_of_delta(delta: f64) -> &'static str {
    band(delta.abs(), [0.147, 0.33, 0.474])
}

fn band(size: f64, [small, medium, large]: [f64; 3]) -> &'static str {
    match size {
        s if s >= large => "large",
        s if s >= medium => "medium",
        s if s >= small => "small",
        _ => "negligible",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (1,2,3) v (2,4,6): pooled variance 5/2, d = -2/√2.5.
    #[test]
    fn cohens_d_matches_the_worked_example() {
        let e = effect(&TwoSamples::of(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), 0.05, DividedBy::Pooled, 1);
        assert!((e.cohen_d_signed.unwrap() + 2.0 / 2.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(e.cohen_d.unwrap(), -e.cohen_d_signed.unwrap());
    }

    // J(2) = Γ(1)/(√1 Γ(½)) = 1/√π; J(4) = Γ(2)/(√2 Γ(3/2)) = √2/√π; large ν: 1 - 3/(4ν - 1) to 1e-3/ν (Hedges 1981).
    #[test]
    fn hedges_factor_matches_its_closed_forms() {
        let root_pi = std::f64::consts::PI.sqrt();
        assert!((hedges_factor(2.0) - 1.0 / root_pi).abs() < 1e-15);
        assert!((hedges_factor(4.0) - 2f64.sqrt() / root_pi).abs() < 1e-15);
        assert!((hedges_factor(1e6) - (1.0 - 3.0 / (4e6 - 1.0))).abs() < 1e-12);
        assert_eq!(hedges_factor(1.0), 0.0);
    }

    #[test]
    fn two_pairs_have_no_g() {
        let e = effect_paired(&Differences::of(&[1.0, 2.0]), 0.05);
        assert!(e.d_z.is_some() && e.g_z.is_none());
        assert_eq!(effect_paired(&Differences::of(&[]), 0.05).reason, Some(Reason::NoPairs));
    }

    #[test]
    fn bands_are_half_open() {
        assert_eq!([0.0, 0.2, -0.5, 0.8].map(band_of_d), ["negligible", "small", "medium", "large"]);
        assert_eq!([0.1, 0.147, 0.33, -1.0].map(band_of_delta), ["negligible", "small", "medium", "large"]);
    }
}

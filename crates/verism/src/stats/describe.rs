//! Summary of one sample.

use serde::Serialize;

use super::constant::is_constant;
use super::moments::{Moments, unit_of};
use super::numeric::normal::two_sided_z;
use super::numeric::student::{beta_quantile, two_sided_t};
use super::numeric::wide::Wide;
use super::reason::Reason;

/// Which factor multiplies the standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Student's t at the level asked for.
    T,
    /// 1.96 whatever the sample size and the level.
    Z196,
}

impl Factor {
    /// Gives the option's word.
    pub fn name(self) -> &'static str {
        match self {
            Factor::T => "t",
            Factor::Z196 => "z196",
        }
    }

    /// Gives the half-width of the interval in standard errors.
    pub fn at(self, alpha: f64, df: f64) -> f64 {
        match self {
            Factor::T => two_sided_t(alpha, df),
            Factor::Z196 => 1.96,
        }
    }
}

/// n, mean and spread of a sample with the interval of its mean.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// How many values.
    pub n: usize,
    /// How many values are missing.
    pub n_undefined: usize,
    /// The mean.
    pub mean: Option<f64>,
    /// Standard deviation.
    pub sd: Option<f64>,
    /// Standard error of the mean.
    pub sem: Option<f64>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// How the interval was computed.
    pub ci_method: &'static str,
    /// The median.
    pub median: Option<f64>,
    /// The smallest value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the summary of a sample.
///
/// ```math
/// sd = √(Σ(x - x̄)² / (n - ddof)),  sem = sd/√n,  interval x̄ ± q sem
/// ```
///
/// q is t(1-α/2, n-1) or 1.96. No values: `no_values`; one: `n_lt_2`; a constant sample has sd 0 and no t interval.
pub fn describe(x: &[f64], alpha: f64, factor: Factor, ddof: usize) -> Description {
    let n = x.len();
    let mut out = Description {
        n,
        n_undefined: 0,
        mean: None,
        sd: None,
        sem: None,
        ci_lo: None,
        ci_hi: None,
        ci_method: factor.name(),
        median: None,
        min: None,
        max: None,
        reason: None,
    };
    if n == 0 {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let unit = unit_of([x]);
    let moments = Moments::of(x, unit);
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = (Wide::from(sorted[(n - 1) / 2] / unit) + Wide::from(sorted[n / 2] / unit)) / Wide::from(2.0);
    out.mean = Some(moments.mean.round() * unit);
    out.median = Some(middle.round() * unit);
    out.min = Some(sorted[0] + 0.0);
    out.max = Some(sorted[n - 1] + 0.0);
    if n < 2 {
        out.reason = Some(Reason::FewerThanTwo);
        return out;
    }
    let variance = moments.ss / Wide::from(n - ddof);
    let sem = (variance / Wide::from(n)).sqrt().round();
    out.sd = Some(variance.sqrt().round() * unit);
    out.sem = Some(sem * unit);
    if factor == Factor::T && moments.is_constant() {
        out.reason = Some(Reason::ZeroVariance);
        return out;
    }
    let half = factor.at(alpha, (n - 1) as f64) * sem;
    out.ci_lo = Some((moments.mean - Wide::from(half)).round() * unit);
    out.ci_hi = Some((moments.mean + Wide::from(half)).round() * unit);
    out
}

/// Gives the standard deviation of a sample, `None` for fewer than two values, 0 for a constant sample.
pub fn sd(x: &[f64], ddof: usize) -> Option<f64> {
    if x.len() < 2 {
        return None;
    }
    if is_constant(x) {
        return Some(0.0);
    }
    let unit = unit_of([x]);
    let variance = Moments::of(x, unit).ss / Wide::from(x.len() - ddof);
    Some(variance.sqrt().round() * unit)
}

/// A share k of n with two intervals.
#[derive(Clone, Debug, Serialize)]
pub struct Proportion {
    /// How many units.
    pub n: u64,
    /// How many of them are 1.
    pub k: u64,
    /// Their share.
    pub p_hat: Option<f64>,
    /// Lower end of Wilson's interval.
    pub wilson_lo: Option<f64>,
    /// Upper end of Wilson's interval.
    pub wilson_hi: Option<f64>,
    /// Lower end of Clopper's and Pearson's interval.
    pub exact_lo: Option<f64>,
    /// Upper end of Clopper's and Pearson's interval.
    pub exact_hi: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives k/n with Wilson's and Clopper and Pearson's interval, k <= n.
///
/// ```math
/// ((p + z²/2n) ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n),   Beta(α/2; k, n-k+1) … Beta(1-α/2; k+1, n-k)
/// ```
///
/// The ends are exactly 0 for k = 0 and 1 for k = n; n = 0: `no_values`.
/// Source: E. B. Wilson, JASA 22 (1927); C. J. Clopper, E. S. Pearson, Biometrika 26 (1934).
pub fn proportion(k: u64, n: u64, alpha: f64) -> Proportion {
    let mut out = Proportion {
        n,
        k,
        p_hat: None,
        wilson_lo: None,
        wilson_hi: None,
        exact_lo: None,
        exact_hi: None,
        reason: None,
    };
    if n == 0 {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let (kf, nf) = (k as f64, n as f64);
    let (lo, hi) = wilson(k, n, alpha);
    (out.p_hat, out.wilson_lo, out.wilson_hi) = (Some(kf / nf), Some(lo), Some(hi));
    out.exact_lo = Some(if k == 0 { 0.0 } else { beta_quantile(alpha / 2.0, kf, nf - kf + 1.0) });
    out.exact_hi = Some(if k == n { 1.0 } else { beta_quantile(1.0 - alpha / 2.0, kf + 1.0, nf - kf) });
    out
}

/// Gives Wilson's interval of a share k of n, n at least 1; its ends are exactly 0 for k = 0 and 1 for k = n.
pub fn wilson(k: u64, n: u64, alpha: f64) -> (f64, f64) {
    let (p, z) = (k as f64 / n as f64, two_sided_z(alpha));
    let square = z * z / n as f64;
    let middle = (p + square / 2.0) / (1.0 + square);
    let half = (square * (p * (1.0 - p) + square / 4.0)).sqrt() / (1.0 + square);
    (if k == 0 { 0.0 } else { middle - half }, if k == n { 1.0 } else { middle + half })
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (1, 2, 3): mean 2, sd 1, sem 1/√3; with 2 degrees of freedom t = 0.95 √(2/(1 - 0.95²)).
    #[test]
    fn three_numbers_are_described_as_by_hand() {
        let d = describe(&[1.0, 2.0, 3.0], 0.05, Factor::T, 1);
        assert_eq!((d.mean, d.sd, d.median, d.min, d.max), (Some(2.0), Some(1.0), Some(2.0), Some(1.0), Some(3.0)));
        let t = 0.95 * (2.0 / (1.0 - 0.95 * 0.95_f64)).sqrt();
        assert!((d.ci_hi.unwrap() - (2.0 + t / 3f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn nothing_one_value_and_constants_say_why_they_have_no_interval() {
        assert_eq!(describe(&[], 0.05, Factor::T, 1).reason, Some(Reason::NoValues));
        assert_eq!(describe(&[4.0], 0.05, Factor::T, 1).reason, Some(Reason::FewerThanTwo));
        let constant = describe(&[0.2, 0.3 - 0.1], 0.05, Factor::T, 1);
        assert_eq!((constant.sd, constant.reason), (Some(0.0), Some(Reason::ZeroVariance)));
        assert!(describe(&[0.2, 0.2], 0.05, Factor::Z196, 1).ci_lo.is_some());
    }

    // R 4.5 binom.test(7, 50), prop.test(7, 50, correct = FALSE)
    #[test]
    fn seven_of_fifty_matches_published_intervals() {
        let p = proportion(7, 50, 0.05);
        assert!((p.exact_lo.unwrap() - 0.0581917).abs() < 1e-6 && (p.exact_hi.unwrap() - 0.2673960).abs() < 1e-6);
        assert!((p.wilson_lo.unwrap() - 0.0695083).abs() < 1e-6 && (p.wilson_hi.unwrap() - 0.2618619).abs() < 1e-6);
        assert_eq!(proportion(0, 9, 0.05).wilson_lo, Some(0.0));
        assert_eq!(proportion(9, 9, 0.05).exact_hi, Some(1.0));
        assert_eq!(proportion(0, 0, 0.05).reason, Some(Reason::NoValues));
    }
}

//! From resampled values to an interval.

use serde::Serialize;

use crate::stats::moments::Moments;
use crate::stats::numeric::normal::{normal_cdf, normal_isf, two_sided_z};
use crate::stats::quantile::{is_beyond, quantile_type6};
use crate::stats::reason::Reason;
use crate::stats::sum::neumaier;

/// Which bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Quantiles of the resampled values.
    Percentile,
    /// Quantiles corrected for bias and acceleration.
    Bca,
}

impl Method {
    /// Gives the method's name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Percentile => "percentile",
            Method::Bca => "bca",
        }
    }
}

/// How often and with which seed is drawn, and for which interval.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which interval.
    pub method: Method,
    /// How many resamples are drawn.
    pub resamples: u64,
    /// Seed of the generator.
    pub seed: u64,
    /// One minus the level of intervals.
    pub alpha: f64,
}

/// An estimate with its bootstrap interval.
#[derive(Clone, Debug, Serialize)]
pub struct Bootstrap {
    /// The estimate itself.
    pub estimate: Option<f64>,
    /// Lower end of the interval.
    pub lo: Option<f64>,
    /// Upper end of the interval.
    pub hi: Option<f64>,
    /// How it was computed.
    pub method: &'static str,
    /// Standard deviation of the resampled values.
    pub se: Option<f64>,
    /// Bias correction of BCa.
    pub z0: Option<f64>,
    /// Acceleration of BCa.
    pub acceleration: Option<f64>,
    /// How many resamples are drawn.
    pub resamples: u64,
    /// How many resamples could be used.
    pub used: u64,
    /// Whether an end lies beyond the outermost resample.
    pub clamped: bool,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl Bootstrap {
    /// Gives the result of something that is not resampled.
    pub(super) fn undrawn(settings: &Settings, estimate: Option<f64>, reason: Reason) -> Bootstrap {
        Bootstrap {
            estimate,
            lo: None,
            hi: None,
            method: settings.method.name(),
            se: None,
            z0: None,
            acceleration: None,
            resamples: settings.resamples,
            used: 0,
            clamped: false,
            reason: Some(reason),
        }
    }

    /// Gives the interval of an estimate from its usable resampled values and its leave-one-out values, sample by sample.
    ///
    /// ```math
    /// percentile: levels α/2, 1-α/2;   BCa: Φ(z₀ + (z₀ ± z)/(1 - a(z₀ ± z)))
    /// z₀ = Φ⁻¹((#{θ* < θ̂} + ½ #{θ* = θ̂})/B),   a = Σ u³/n³ / (6 (Σ u²/n²)^(3/2)),   u = (n-1)(mean θ̂₋ᵢ - θ̂₋ᵢ)
    /// ```
    ///
    /// Fewer than 90 % usable: `bootstrap_unstable`; all equal: `zero_variance`; no leave-one-out value or a share of 0 or 1:
    /// percentile with `bca_fallback`. Source: B. Efron, JASA 82 (1987); B. Efron, R. J. Tibshirani, An Introduction to
    /// the Bootstrap (1993), section 14.3.
    pub(super) fn of(
        settings: &Settings,
        estimate: f64,
        mut star: Vec<f64>,
        left_out: Option<Vec<Vec<f64>>>,
    ) -> Bootstrap {
        star.sort_unstable_by(f64::total_cmp);
        let used = star.len() as u64;
        let mut out =
            Bootstrap { used, reason: None, ..Bootstrap::undrawn(settings, Some(estimate), Reason::BootstrapUnstable) };
        if (used as f64) < 0.9 * settings.resamples as f64 || star.is_empty() {
            out.reason = Some(Reason::BootstrapUnstable);
            return out;
        }
        let (first, last) = (star[0], star[star.len() - 1]);
        let tolerance = 1e-12 * estimate.abs().max(first.abs()).max(last.abs());
        if last - first <= tolerance {
            (out.se, out.reason) = (Some(0.0), Some(Reason::ZeroVariance));
            return out;
        }
        out.se = Some(Moments::of(&star, 1.0).variance().sqrt().round());
        let mut levels = (settings.alpha / 2.0, 1.0 - settings.alpha / 2.0);
        if settings.method == Method::Bca {
            let below = star.iter().filter(|v| **v < estimate - tolerance).count() as f64;
            let equal = star.iter().filter(|v| (**v - estimate).abs() <= tolerance).count() as f64;
            let share = (below + 0.5 * equal) / used as f64;
            match left_out.filter(|_| share > 0.0 && share < 1.0) {
                Some(samples) => {
                    let (z0, a) = (-normal_isf(share), acceleration(&samples));
                    let z = two_sided_z(settings.alpha);
                    let level = |w: f64| normal_cdf(z0 + w / (1.0 - a * w));
                    (out.z0, out.acceleration) = (Some(z0), Some(a));
                    levels = (level(z0 - z), level(z0 + z));
                }
                None => (out.method, out.reason) = (Method::Percentile.name(), Some(Reason::BcaFallback)),
            }
        }
        (out.lo, out.hi) = (quantile_type6(&star, levels.0), quantile_type6(&star, levels.1));
        out.clamped = is_beyond(star.len(), levels.0) || is_beyond(star.len(), levels.1);
        out
    }
}

fn acceleration(samples: &[Vec<f64>]) -> f64 {
    let (mut cubes, mut squares) = (0.0, 0.0);
    for values in samples {
        let n = values.len() as f64;
        let mean = neumaier(values.iter().copied()) / n;
        let influence = |v: &f64| (n - 1.0) * (mean - v) / n;
        cubes += neumaier(values.iter().map(|v| influence(v).powi(3)));
        squares += neumaier(values.iter().map(|v| influence(v).powi(2)));
    }
    if squares > 0.0 { cubes / (6.0 * squares * squares.sqrt()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Symmetric values about the estimate: z₀ = 0; symmetric influence: a = 0; BCa is then the percentile interval.
    #[test]
    fn bca_of_symmetric_values_is_percentile() {
        let star: Vec<f64> = (-999..=999).map(f64::from).collect();
        let settings = |method| Settings { method, resamples: 1999, seed: 1, alpha: 0.1 };
        let left_out = Some(vec![vec![-1.0, 0.0, 1.0]]);
        let bca = Bootstrap::of(&settings(Method::Bca), 0.0, star.clone(), left_out);
        let plain = Bootstrap::of(&settings(Method::Percentile), 0.0, star, None);
        assert_eq!((bca.z0, bca.acceleration), (Some(0.0), Some(0.0)));
        assert!((bca.lo.unwrap() - plain.lo.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn an_estimate_outside_its_resamples_falls_back() {
        let settings = Settings { method: Method::Bca, resamples: 3, seed: 1, alpha: 0.1 };
        let out = Bootstrap::of(&settings, 0.0, vec![1.0, 2.0, 3.0], Some(vec![vec![1.0, 2.0]]));
        assert_eq!((out.method, out.reason), ("percentile", Some(Reason::BcaFallback)));
        assert_eq!(Bootstrap::of(&settings, 0.0, vec![1.0], None).reason, Some(Reason::BootstrapUnstable));
        assert_eq!(Bootstrap::of(&settings, 0.0, vec![1.0; 3], None).reason, Some(Reason::ZeroVariance));
    }
}

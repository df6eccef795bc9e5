//! Tests of means by Student's t: Welch's, the pooled one and the paired one.

use serde::Serialize;

use super::constant::{TIE, same};
use super::describe::Factor;
use super::differences::Differences;
use super::inference::{Ends, Inference};
use super::moments::{Moments, unit_of};
use super::numeric::student::t_two_sided;
use super::numeric::tail::PValue;
use super::numeric::wide::Wide;
use super::reason::Reason;
use super::two_samples::TwoSamples;

/// A difference of means with its standard error, test and interval.
#[derive(Clone, Debug, Serialize)]
pub struct TResult {
    /// The difference of means.
    pub diff: Option<f64>,
    /// Standard error.
    pub se: Option<f64>,
    /// The t statistic.
    pub t: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl TResult {
    /// Gives the test of a difference with a positive standard error; both are in units of `unit`.
    pub fn of(diff: Wide, se: Wide, df: f64, unit: f64, alpha: f64, factor: Factor) -> TResult {
        let t = (diff / se).round();
        let p = PValue::from(t_two_sided(t, df));
        let half = Wide::from(factor.at(alpha, df)) * se;
        TResult {
            diff: Some(diff.round() * unit),
            se: Some(se.round() * unit),
            t: Some(t),
            df: Some(df),
            p: p.p,
            log10_p: Some(p.log10_p),
            ci_lo: Some((diff - half).round() * unit),
            ci_hi: Some((diff + half).round() * unit),
            reason: p.reason(),
        }
    }

    /// Gives what the test says, under the name of the test, with the interval that belongs to it.
    pub fn inference(&self, name: &'static str, ends: Ends) -> Inference {
        Inference { name, statistic: self.t, p: self.p, log10_p: self.log10_p, ends }
    }

    /// Gives an untested difference and why it is untested.
    pub fn untested(reason: Reason, diff: Option<f64>) -> TResult {
        TResult {
            diff,
            se: None,
            t: None,
            df: None,
            p: None,
            log10_p: None,
            ci_lo: None,
            ci_hi: None,
            reason: Some(reason),
        }
    }

    /// Gives the result of two things that do not vary: equal, or apart without a standard error.
    pub fn without_spread(diff: f64, equal: bool) -> TResult {
        let (reason, diff) = if equal { (Reason::Identical, 0.0) } else { (Reason::ZeroVariance, diff) };
        TResult { se: Some(0.0), ..TResult::untested(reason, Some(diff)) }
    }
}

/// A test of two independent samples.
#[derive(Clone, Debug, Serialize)]
pub struct TwoSampleT {
    /// How many values of x.
    pub n_x: usize,
    /// How many values of y.
    pub n_y: usize,
    /// Mean of x.
    pub mean_x: Option<f64>,
    /// Mean of y.
    pub mean_y: Option<f64>,
    /// Difference, test and interval.
    #[serde(flatten)]
    pub result: TResult,
}

/// Gives Welch's test of the difference of two means.
///
/// ```math
/// t = (x̄ - ȳ)/√(a + b),  a = s_x²/n_x,  b = s_y²/n_y,  df = (a + b)²/(a²/(n_x - 1) + b²/(n_y - 1))
/// ```
///
/// Fewer than 2 values on a side: the difference alone (`n_lt_2`), none: `no_values`; both samples constant:
/// `zero_variance` or `identical`. Source: B. L. Welch, Biometrika 34 (1947).
pub fn welch(samples: &TwoSamples, alpha: f64, factor: Factor) -> TwoSampleT {
    two_sample(samples, alpha, factor, |mx, my| {
        let (a, b) = (mx.variance() / Wide::from(mx.n), my.variance() / Wide::from(my.n));
        let df = (a + b).square() / (a.square() / Wide::from(mx.n - 1) + b.square() / Wide::from(my.n - 1));
        (a + b, df.round())
    })
}

/// Gives Student's test of the difference of two means with a pooled variance.
///
/// ```math
/// t = (x̄ - ȳ)/(s √(1/n_x + 1/n_y)),  s² = (Σ(x - x̄)² + Σ(y - ȳ)²)/(n_x + n_y - 2),  df = n_x + n_y - 2
/// ```
///
/// Empty cases as in [`welch`]. Source: Student, Biometrika 6 (1908).
pub fn student(samples: &TwoSamples, alpha: f64, factor: Factor) -> TwoSampleT {
    two_sample(samples, alpha, factor, |mx, my| {
        let df = mx.n + my.n - 2;
        let pooled = (mx.ss + my.ss) / Wide::from(df);
        let one = Wide::from(1.0);
        (pooled * (one / Wide::from(mx.n) + one / Wide::from(my.n)), df as f64)
    })
}

/// The frame of both: `error` gives the squared standard error and the degrees of freedom.
fn two_sample(
    samples: &TwoSamples,
    alpha: f64,
    factor: Factor,
    error: impl Fn(&Moments, &Moments) -> (Wide, f64),
) -> TwoSampleT {
    let &TwoSamples { x, y, unit, of_x: ref mx, of_y: ref my, .. } = samples;
    let diff = mx.mean - my.mean;
    let result = if x.is_empty() || y.is_empty() {
        TResult::untested(Reason::NoValues, None)
    } else if x.len() < 2 || y.len() < 2 {
        TResult::untested(Reason::FewerThanTwo, Some(diff.round() * unit))
    } else if mx.is_constant() && my.is_constant() {
        TResult::without_spread(diff.round() * unit, same(mx.mean.round(), my.mean.round()))
    } else {
        let (variance, df) = error(mx, my);
        TResult::of(diff, variance.sqrt(), df, unit, alpha, factor)
    };
    let [mean_x, mean_y] = samples.means();
    TwoSampleT { n_x: x.len(), n_y: y.len(), mean_x, mean_y, result }
}

/// A test of paired differences.
#[derive(Clone, Debug, Serialize)]
pub struct PairedT {
    /// How many pairs.
    pub n: usize,
    /// Standard deviation of the differences.
    pub sd: Option<f64>,
    /// Difference, test and interval.
    #[serde(flatten)]
    pub result: TResult,
}

/// Gives the t test of the mean of paired differences.
///
/// ```math
/// t = d̄/(s_d/√n),  df = n - 1
/// ```
///
/// No pair: `no_pairs`; one: `n_lt_2`; constant differences: `zero_variance`, or `identical` where they are 0.
pub fn paired_t(d: &Differences, alpha: f64, factor: Factor) -> PairedT {
    let n = d.values.len();
    let unit = unit_of([&d.values[..]]);
    let moments = Moments::on_scale(&d.values, unit, d.scale);
    let mean = moments.mean.round() * unit;
    let untested = |reason, diff| PairedT { n, sd: None, result: TResult::untested(reason, diff) };
    if n == 0 {
        return untested(Reason::NoPairs, None);
    }
    if n < 2 {
        return untested(Reason::FewerThanTwo, Some(mean));
    }
    if moments.is_constant() {
        return PairedT { n, sd: Some(0.0), result: TResult::without_spread(mean, mean.abs() <= TIE * d.scale) };
    }
    let variance = moments.variance();
    let se = (variance / Wide::from(n)).sqrt();
    let result = TResult::of(moments.mean, se, (n - 1) as f64, unit, alpha, factor);
    PairedT { n, sd: Some(variance.sqrt().round() * unit), result }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (1,2,3) v (2,4,6): SE² = 1/3 + 4/3, t = -2/√(5/3), df = (25/9)/(17/18) = 50/17.
    #[test]
    fn welch_matches_the_worked_example() {
        let r = welch(&TwoSamples::of(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), 0.05, Factor::T).result;
        assert!((r.t.unwrap() + 2.0 / (5f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((r.df.unwrap() - 50.0 / 17.0).abs() < 1e-14);
    }

    // By hand: d = (1,2,3,4): t = √15; p = 0.0304663 (statistics specification, worked example 2).
    #[test]
    fn paired_t_matches_the_worked_example() {
        let r = paired_t(&Differences::of(&[1.0, 2.0, 3.0, 4.0]), 0.05, Factor::T).result;
        assert!((r.t.unwrap() - 15f64.sqrt()).abs() < 1e-15);
        assert!((r.p.unwrap() - 0.0304663).abs() < 1e-7);
    }

    #[test]
    fn samples_without_spread_are_identical_or_apart() {
        let apart = welch(&TwoSamples::of(&[0.2, 0.2], &[0.1, 0.1]), 0.05, Factor::T).result;
        assert_eq!((apart.reason, apart.se, apart.p), (Some(Reason::ZeroVariance), Some(0.0), None));
        let equal = student(&TwoSamples::of(&[0.3 - 0.1, 0.2], &[0.2, 0.2, 0.2]), 0.05, Factor::T).result;
        assert_eq!((equal.reason, equal.diff), (Some(Reason::Identical), Some(0.0)));
    }

    #[test]
    fn too_few_values_leave_the_difference_alone() {
        assert_eq!(welch(&TwoSamples::of(&[], &[1.0, 2.0]), 0.05, Factor::T).result.reason, Some(Reason::NoValues));
        let one = welch(&TwoSamples::of(&[0.5], &[0.25, 0.25]), 0.05, Factor::T).result;
        assert_eq!((one.diff, one.reason), (Some(0.25), Some(Reason::FewerThanTwo)));
        assert_eq!(paired_t(&Differences::of(&[]), 0.05, Factor::T).result.reason, Some(Reason::NoPairs));
    }
}

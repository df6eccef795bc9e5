//! Student's t for skewed samples: Hall's transformation beside the plain test.

use super::numeric::student::{t_two_sided, two_sided_t};
use super::numeric::tail::Tail;

/// A difference of means with its standard error and the skewness of its t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkewedT {
    /// The difference.
    pub diff: f64,
    /// Its standard error, positive.
    pub se: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Third cumulant of the difference over the cube of its standard error, times [`correction`].
    pub skewness: f64,
}

/// Gives Σ(x - x̄)³ n/((n-1)(n-2)), the unbiased third cumulant; 0 for fewer than three values.
pub fn third_cumulant(values: &[f64], mean: f64) -> f64 {
    let n = values.len() as f64;
    if n < 3.0 {
        return 0.0;
    }
    let cubes: f64 = values.iter().map(|v| (v - mean) * (v - mean) * (v - mean)).sum();
    cubes * n / ((n - 1.0) * (n - 2.0))
}

/// Beyond this many standard errors the transformation goes on in parallel to t: its cubic has a flat place there, where no
/// difference, however large, would be found.
const FAR: f64 = 5.0;

/// Tells whether skewness of this size, from a smaller sample of n values, calls for the adjusted test.
///
/// Fewer than 5 values say nothing about skewness; then one above 0.2 counts. Set by simulation (docs/statistics.md): where this
/// says no, plain t holds its level, and where it says yes for normal values, little power is lost.
pub fn is_skewed(skewness: f64, n: usize) -> bool {
    n >= 5 && skewness.abs() > 0.2
}

/// Gives what the estimated skewness of a smaller sample of n values is multiplied with before it corrects t.
///
/// ```math
/// k = min(n/7, 5/4)
/// ```
///
/// Few values understate the skewness they come from (the long tail is not among them), very few hardly tell it from none. Set by
/// simulation (docs/statistics.md).
pub fn correction(n: usize) -> f64 {
    (n as f64 / 7.0).min(1.25)
}

/// What the correction is multiplied with where cases were run several times: means of runs are less skewed than single values, and
/// their error may hold shifts of runs already. Set by simulation (docs/statistics.md).
pub const OF_MEANS: f64 = 0.6;

impl SkewedT {
    /// Gives t after Hall's transformation, which takes the skewness out of it to second order.
    ///
    /// ```math
    /// g(t) = t + c(2t² + 1)/6 + c²t³/27 = ((1 + ct/3)³ - 1)/c + c/6
    /// ```
    ///
    /// Increasing in t for any c; beyond ±5 it goes on with slope 1. Source: P. Hall, J. R. Stat. Soc. B 54 (1992) 221.
    pub fn transformed(&self) -> f64 {
        let t = self.diff / self.se;
        let near = t.clamp(-FAR, FAR);
        self.cubic(near) + (t - near)
    }

    fn cubic(&self, t: f64) -> f64 {
        let c = self.skewness;
        t + c * (2.0 * t * t + 1.0) / 6.0 + c * c * t * t * t / 27.0
    }

    /// Gives the t that is transformed to w.
    fn back(&self, w: f64) -> f64 {
        let (low, high) = (self.cubic(-FAR), self.cubic(FAR));
        if w > high {
            return FAR + (w - high);
        }
        if w < low {
            return -FAR + (w - low);
        }
        let c = self.skewness;
        if c.abs() < 1e-8 {
            return w - c * (2.0 * w * w + 1.0) / 6.0;
        }
        3.0 / c * (libm::cbrt(1.0 + c * (w - c / 6.0)) - 1.0)
    }

    /// Gives the larger of the p-values of the plain and of the transformed t.
    ///
    /// Alone, the transformation errs where tails are heavy and symmetric, and plain t where they are not: both have to agree.
    pub fn two_sided(&self) -> Tail {
        t_two_sided(self.diff / self.se, self.df).max(self.hall())
    }

    /// Gives the p-value of the transformed t alone.
    pub fn hall(&self) -> Tail {
        t_two_sided(self.transformed(), self.df)
    }

    /// Gives the interval of the transformed t alone.
    pub fn hall_ends(&self, alpha: f64) -> (f64, f64) {
        let q = two_sided_t(alpha, self.df);
        (self.diff - self.se * self.back(q), self.diff - self.se * self.back(-q))
    }

    /// Gives the hull of the intervals of both.
    pub fn ends(&self, alpha: f64) -> (f64, f64) {
        let half = two_sided_t(alpha, self.df) * self.se;
        let (lo, hi) = self.hall_ends(alpha);
        (lo.min(self.diff - half), hi.max(self.diff + half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: t = 2, c = 0.3: 2 + 0.3·9/6 + 0.09·8/27 = 2.47666…
    #[test]
    fn hall_by_hand() {
        let s = SkewedT { diff: 1.0, se: 0.5, df: 9.0, skewness: 0.3 };
        assert!((s.transformed() - (2.0 + 0.45 + 0.72 / 27.0)).abs() < 1e-14);
        let back = s.back(s.transformed());
        assert!((back - 2.0).abs() < 1e-13, "{back}");
    }

    // By hand: c = -0.4 at t = 5 gives 5 - 0.4·51/6 + 0.16·125/27 = 2.34074…, and 3 more at t = 8; the cubic alone would give
    // 8 - 0.4·129/6 + 0.16·512/27 = 2.434: no more than a difference of 5 standard errors.
    #[test]
    fn large_differences_are_found() {
        let s = SkewedT { diff: 8.0, se: 1.0, df: 9.0, skewness: -0.4 };
        assert!((s.transformed() - (5.0 - 3.4 + 20.0 / 27.0 + 3.0)).abs() < 1e-12);
        assert!((s.back(s.transformed()) - 8.0).abs() < 1e-12);
    }

    // By hand: (0, 0, 3): mean 1, cubes -1 -1 + 8 = 6, times 3/2.
    #[test]
    fn the_third_cumulant_by_hand() {
        assert_eq!(third_cumulant(&[0.0, 0.0, 3.0], 1.0), 9.0);
        assert_eq!(third_cumulant(&[0.0, 3.0], 1.5), 0.0);
    }

    #[test]
    fn few_values_are_corrected_less() {
        assert_eq!([5, 7, 14, 100].map(correction), [5.0 / 7.0, 1.0, 1.25, 1.25]);
        assert!(!is_skewed(3.0, 4) && is_skewed(-0.21, 5) && !is_skewed(0.2, 50));
    }

    #[test]
    fn without_skewness_it_is_plain_t() {
        let s = SkewedT { diff: 0.4, se: 0.2, df: 7.0, skewness: 0.0 };
        assert_eq!(s.two_sided().p, t_two_sided(2.0, 7.0).p);
        let (lo, hi) = s.ends(0.05);
        let half = two_sided_t(0.05, 7.0) * 0.2;
        assert!((lo - (0.4 - half)).abs() < 1e-15 && (hi - (0.4 + half)).abs() < 1e-15);
    }

    // The interval leaves out 0 exactly where the p-value is below α.
    #[test]
    fn test_and_interval_agree() {
        for diff in [-0.9, -0.5, -0.3, 0.2, 0.45, 0.8] {
            for skewness in [-0.8, -0.1, 0.25, 0.9] {
                let s = SkewedT { diff, se: 0.2, df: 11.0, skewness };
                let (lo, hi) = s.ends(0.05);
                assert_eq!(lo > 0.0 || hi < 0.0, s.two_sided().p < 0.05, "{diff} {skewness}");
            }
        }
    }
}

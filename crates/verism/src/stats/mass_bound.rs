//! What equal values say about a mean, where the range of the values is known.

/// n equal values in a known range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equal {
    /// The value.
    pub value: f64,
    /// How often it was seen.
    pub n: usize,
    /// Smallest and largest value that could have been seen.
    pub range: (f64, f64),
}

impl Equal {
    /// Gives equal values in a range, if the range is one and holds the value.
    pub fn of(value: f64, n: usize, range: (f64, f64)) -> Option<Equal> {
        let inside = range.0 < range.1 && range.0 <= value && value <= range.1;
        (inside && n > 0).then_some(Equal { value, n, range })
    }

    /// Gives the interval of the mean behind n equal values.
    ///
    /// ```math
    /// q = 1 - α^(1/n);   v - q(v - a) <= μ <= v + q(b - v)
    /// ```
    ///
    /// If more than q of the mass lay elsewhere, n values would all have been v with a probability below α; with no more than q
    /// elsewhere in [a, b], the mean lies between these ends. Each end alone has the same level as both together, since both
    /// fail by the one event. The zero-of-n bound of J. A. Hanley, A. Lippman-Hand, JAMA 249 (1983) is the case v = a.
    pub fn ends(&self, alpha: f64) -> (f64, f64) {
        let elsewhere = -libm::expm1(libm::log(alpha) / self.n as f64);
        let (a, b) = self.range;
        (self.value - elsewhere * (self.value - a), self.value + elsewhere * (b - self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 2 values of 1 in [0, 1]: q = 1 - √0.05, so the mean is at least √0.05 = 0.2236.
    #[test]
    fn two_perfect_cases_show_little() {
        let (lo, hi) = Equal::of(1.0, 2, (0.0, 1.0)).unwrap().ends(0.05);
        assert!((lo - 0.05_f64.sqrt()).abs() < 1e-15);
        assert_eq!(hi, 1.0);
    }

    // By hand: 59 differences of 0 in [-1, 1]: q = 1 - 0.05^(1/59) = 0.04951, just below 0.05 (the rule of three).
    #[test]
    fn fifty_nine_equal_pairs_bound_the_difference_by_a_twentieth() {
        let (lo, hi) = Equal::of(0.0, 59, (-1.0, 1.0)).unwrap().ends(0.05);
        assert!((hi - (1.0 - 0.05_f64.powf(1.0 / 59.0))).abs() < 1e-12 && hi < 0.05);
        assert_eq!(lo, -hi);
        assert!(Equal::of(0.0, 58, (-1.0, 1.0)).unwrap().ends(0.05).1 > 0.05);
    }

    #[test]
    fn a_value_outside_the_range_has_no_bound() {
        assert_eq!(Equal::of(1.5, 4, (0.0, 1.0)), None);
        assert_eq!(Equal::of(1.0, 0, (0.0, 1.0)), None);
        assert_eq!(Equal::of(1.0, 3, (1.0, 1.0)), None);
    }
}

//! A tail probability that stays a number where binary64 ends, and the p-value made from it.

use super::wide::Wide;
use crate::stats::reason::Reason;

/// The smallest p-value that is given as a number; below it only the logarithm is.
pub const SMALLEST_P: f64 = 1e-300;

/// A probability and its natural logarithm; `p` may underflow to 0, `ln` does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// The probability; 0 where it is too small for binary64.
    pub p: f64,
    /// Its natural logarithm.
    pub ln: f64,
}

impl Tail {
    /// A certain event.
    pub const ONE: Tail = Tail { p: 1.0, ln: 0.0 };

    /// Gives the tail with this logarithm.
    pub fn from_ln(ln: f64) -> Tail {
        Tail { p: libm::exp(ln), ln }
    }

    /// Gives the tail with this probability, which has not underflowed.
    pub fn from_p(p: f64) -> Tail {
        Tail { p, ln: libm::log(p) }
    }

    /// Gives the quotient of two counts, rounded once.
    pub fn from_counts(part: u128, whole: u128) -> Tail {
        Tail::from_p((Wide::from(part) / Wide::from(whole)).round())
    }

    /// Gives this probability times a positive factor.
    pub fn times(self, factor: f64) -> Tail {
        Tail { p: self.p * factor, ln: self.ln + libm::log(factor) }
    }

    /// Gives the probability of everything else.
    pub fn complement(self) -> Tail {
        Tail { p: 1.0 - self.p, ln: libm::log1p(-self.p) }
    }

    /// Gives the larger of two.
    pub fn max(self, other: Tail) -> Tail {
        if other.ln > self.ln { other } else { self }
    }
}

/// A p-value as outputs show it: a number or, below 1e-300, only its decimal logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PValue {
    /// The p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm.
    pub log10_p: f64,
}

impl PValue {
    /// A p-value of 1.
    pub const ONE: PValue = PValue { p: Some(1.0), log10_p: 0.0 };

    /// Gives the reason that stands beside a p-value too small to print.
    pub fn reason(self) -> Option<Reason> {
        self.p.is_none().then_some(Reason::TinyP)
    }
}

impl From<Tail> for PValue {
    /// Caps at 1; sums of rounded parts may exceed it by an ulp.
    fn from(tail: Tail) -> PValue {
        if tail.p >= 1.0 {
            return PValue::ONE;
        }
        PValue { p: (tail.p >= SMALLEST_P).then_some(tail.p), log10_p: tail.ln / std::f64::consts::LN_10 + 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_tail_keeps_its_logarithm_and_says_why_it_is_not_printed() {
        let p = PValue::from(Tail::from_ln(-2000.0));
        assert_eq!(p.p, None);
        assert_eq!(p.reason(), Some(Reason::TinyP));
        // -2000 / ln 10, ln 10 = 2.302585092994046
        assert!((p.log10_p + 868.588_963_806_503_7).abs() < 1e-9);
    }

    #[test]
    fn more_than_one_is_one() {
        assert_eq!(PValue::from(Tail::from_p(1.5)), PValue::ONE);
    }

    // 1/3 of anything, rounded once.
    #[test]
    fn counts_divide_with_one_rounding() {
        assert_eq!(Tail::from_counts(1 << 100, 3 << 100).p, 1.0 / 3.0);
    }
}

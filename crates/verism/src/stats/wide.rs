//! Numbers of about 32 digits, kept as an unevaluated sum of two binary64 numbers.
//!
//! Means, variances and their differences are formed in this arithmetic and rounded once, so that an offset of 1e12 or a
//! difference of two nearly equal variances costs no digits of the result.
//! Source: T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971);
//! Y. Hida, X. S. Li, D. H. Bailey, Algorithms for quad-double precision floating point arithmetic (2001).

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The exact sum `hi + lo`, where `hi` is the nearest binary64 number to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide {
    hi: f64,
    lo: f64,
}

impl Wide {
    /// Zero.
    pub const ZERO: Wide = Wide { hi: 0.0, lo: 0.0 };

    /// Gives the nearest binary64 number.
    pub fn round(self) -> f64 {
        self.hi + 0.0
    }

    /// Gives the square.
    pub fn square(self) -> Wide {
        self * self
    }

    /// Gives the product with a power of two, which is exact as far as exponents reach.
    pub fn scaled(self, power_of_two: f64) -> Wide {
        Wide { hi: self.hi * power_of_two, lo: self.lo * power_of_two }
    }

    /// Gives the square root, 0 for negative numbers (which only rounding can bring about here).
    pub fn sqrt(self) -> Wide {
        if self.hi <= 0.0 {
            return Wide::ZERO;
        }
        let root = self.hi.sqrt();
        let rest = self - Wide::from(root).square();
        two_sum(root, rest.hi / (2.0 * root))
    }

    /// Gives the larger of this number and 0.
    pub fn or_zero(self) -> Wide {
        if self.hi < 0.0 { Wide::ZERO } else { self }
    }

    /// Gives the absolute value.
    pub fn abs(self) -> Wide {
        if self.hi < 0.0 { -self } else { self }
    }
}

/// Gives a + b exactly.
fn two_sum(a: f64, b: f64) -> Wide {
    let hi = a + b;
    let part = hi - a;
    Wide { hi, lo: (a - (hi - part)) + (b - part) }
}

/// Gives a + b exactly where |a| >= |b|.
fn quick_two_sum(a: f64, b: f64) -> Wide {
    let hi = a + b;
    Wide { hi, lo: b - (hi - a) }
}

/// Gives a · b exactly by splitting both into halves of 26 bits.
fn two_product(a: f64, b: f64) -> Wide {
    const SPLIT: f64 = 134_217_729.0; // 2^27 + 1
    let halves = |v: f64| {
        let t = SPLIT * v;
        let high = t - (t - v);
        (high, v - high)
    };
    let hi = a * b;
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    Wide { hi, lo: ((ah * bh - hi) + ah * bl + al * bh) + al * bl }
}

impl From<f64> for Wide {
    fn from(hi: f64) -> Wide {
        Wide { hi, lo: 0.0 }
    }
}

impl From<usize> for Wide {
    fn from(n: usize) -> Wide {
        let hi = n as f64;
        if n < 1 << 53 { Wide::from(hi) } else { Wide::from(n as i128) }
    }
}

impl From<u128> for Wide {
    fn from(n: u128) -> Wide {
        let hi = n as f64;
        let top = hi as u128;
        let lo = if n >= top { (n - top) as f64 } else { -((top - n) as f64) };
        quick_two_sum(hi, lo)
    }
}

impl From<i128> for Wide {
    fn from(n: i128) -> Wide {
        let size = Wide::from(n.unsigned_abs());
        if n < 0 { -size } else { size }
    }
}

impl Add for Wide {
    type Output = Wide;
    fn add(self, other: Wide) -> Wide {
        let high = two_sum(self.hi, other.hi);
        let low = two_sum(self.lo, other.lo);
        let first = quick_two_sum(high.hi, high.lo + low.hi);
        quick_two_sum(first.hi, first.lo + low.lo)
    }
}

impl Sub for Wide {
    type Output = Wide;
    fn sub(self, other: Wide) -> Wide {
        self + -other
    }
}

impl Neg for Wide {
    type Output = Wide;
    fn neg(self) -> Wide {
        Wide { hi: -self.hi, lo: -self.lo }
    }
}

impl Mul for Wide {
    type Output = Wide;
    fn mul(self, other: Wide) -> Wide {
        let product = two_product(self.hi, other.hi);
        quick_two_sum(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Wide {
    type Output = Wide;
    fn div(self, other: Wide) -> Wide {
        let first = self.hi / other.hi;
        let rest = self - other * Wide::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Wide::from(second);
        quick_two_sum(first, second) + Wide::from(rest.hi / other.hi)
    }
}

impl std::iter::Sum for Wide {
    fn sum<I: Iterator<Item = Wide>>(values: I) -> Wide {
        values.fold(Wide::ZERO, |sum, x| sum + x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (1 + 2^-60)² - 1 - 2^-59 = 2^-120, far below what one binary64 number holds beside 1.
    #[test]
    fn products_keep_what_binary64_would_round_away() {
        let tiny = 2f64.powi(-60);
        let x = Wide::from(1.0) + Wide::from(tiny);
        let rest = x.square() - Wide::from(1.0) - Wide::from(2.0 * tiny);
        assert!(rest.round().abs() <= 2f64.powi(-104));
        assert_eq!((x - Wide::from(1.0)).round(), tiny);
    }

    #[test]
    fn division_and_root_undo_product_and_square() {
        let x = Wide::from(0.1) + Wide::from(1e-18);
        let y = Wide::from(7.3);
        assert!(((x * y) / y - x).round().abs() < 1e-31);
        assert!((x.square().sqrt() - x).round().abs() < 1e-31);
        assert_eq!(Wide::from(-1.0).sqrt().round(), 0.0);
    }

    // 2^100 + 1 has 101 bits: exact in two parts.
    #[test]
    fn large_integers_are_exact() {
        let n = (1_u128 << 100) + 1;
        assert_eq!((Wide::from(n) - Wide::from(1_u128 << 100)).round(), 1.0);
        assert_eq!((Wide::from(-(n as i128)) + Wide::from(1_u128 << 100)).round(), -1.0);
    }
}

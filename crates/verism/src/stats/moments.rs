//! Mean and spread of a sample, to more digits than binary64 holds.

use super::constant::{is_constant_on, largest};
use super::numeric::wide::Wide;

/// Size, mean and sum of squared deviations of a sample, in units of a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// How many values.
    pub n: usize,
    /// The mean.
    pub mean: Wide,
    /// Exactly 0 for a constant sample, also where float noise makes it vary in its last bits.
    pub ss: Wide,
}

/// Gives the power of two in whose units the values have an ordinary size, so that squares neither overflow nor vanish.
///
/// 1 whenever the largest value lies within 1e±100; scaling by a power of two changes no digit.
pub fn unit_of<'a>(samples: impl IntoIterator<Item = &'a [f64]>) -> f64 {
    let top = samples.into_iter().fold(0.0, |m: f64, s| m.max(largest(s)));
    if top == 0.0 || (1e-100..=1e100).contains(&top) {
        return 1.0;
    }
    let (_, exponent) = libm::frexp(top);
    libm::scalbn(1.0, exponent.clamp(-1021, 1023))
}

impl Moments {
    /// Gives the moments of a sample that counts as constant by the rule of 2^-48.
    ///
    /// ```math
    /// x̄ = Σ x / n,   ss = Σ (x - x̄)²
    /// ```
    ///
    /// For no values everything is 0.
    pub fn of(values: &[f64], unit: f64) -> Moments {
        Moments::on_scale(values, unit, largest(values))
    }

    /// The same for differences, whose noise is measured on the scale of what was subtracted.
    pub fn on_scale(values: &[f64], unit: f64, scale: f64) -> Moments {
        let n = values.len();
        let mean = mean(values, unit);
        if is_constant_on(values, scale) {
            return Moments { n, mean, ss: Wide::ZERO };
        }
        let ss = values.iter().map(|v| (Wide::from(v / unit) - mean).square()).sum();
        Moments { n, mean, ss }
    }

    /// Gives ss / (n - 1); callers have n >= 2.
    pub fn variance(&self) -> Wide {
        self.ss / Wide::from(self.n - 1)
    }

    /// Tells whether the sample counts as constant.
    pub fn is_constant(&self) -> bool {
        self.ss == Wide::ZERO
    }
}

/// Gives the mean of the values in the given unit; 0 for none.
pub fn mean(values: &[f64], unit: f64) -> Wide {
    if values.is_empty() {
        return Wide::ZERO;
    }
    let sum: Wide = values.iter().map(|v| Wide::from(v / unit)).sum();
    sum / Wide::from(values.len())
}

/// Gives the mean as a number, `None` for no values.
pub fn mean_of(values: &[f64]) -> Option<f64> {
    let unit = unit_of([values]);
    (!values.is_empty()).then(|| mean(values, unit).round() * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 1e12 + (1, 2, 3) has mean 1e12 + 2 and squared deviations 1, 0, 1.
    #[test]
    fn an_offset_costs_no_digits() {
        let m = Moments::of(&[1e12 + 1.0, 1e12 + 2.0, 1e12 + 3.0], 1.0);
        assert_eq!((m.mean.round(), m.variance().round()), (1e12 + 2.0, 1.0));
    }

    #[test]
    fn huge_and_tiny_values_keep_their_spread() {
        for size in [1e300, 1e-300] {
            let values = [size, 3.0 * size];
            let unit = unit_of([&values[..]]);
            let m = Moments::of(&values, unit);
            // mean 2, variance 2 in units of `size`
            assert!((m.mean.round() * unit / size - 2.0).abs() < 1e-15);
            assert!((m.variance().sqrt().round() * unit / size - 2f64.sqrt()).abs() < 1e-15);
        }
    }

    #[test]
    fn no_values_have_no_mean() {
        assert_eq!(mean_of(&[]), None);
        assert_eq!(Moments::of(&[], 1.0).n, 0);
    }
}

//! Compensated sums in a stated order.

/// The sum of the values in the given order with Neumaier's running compensation.
///
/// ```math
/// s_i = fl(s_{i-1} + x_i), c_i = c_{i-1} + (the part of the smaller term that rounding lost), result = s_n + c_n
/// ```
/// Empty: 0. A compensation that is not finite is left out, so that infinite terms give what a plain sum gives.
/// Source: Neumaier, Zeitschrift für Angewandte Mathematik und Mechanik 54 (1974).
pub fn neumaier(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = RunningSum::default();
    values.into_iter().for_each(|x| sum.add(x));
    sum.value()
}

/// The sum of [`neumaier`] for values that come one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunningSum {
    sum: f64,
    lost: f64,
}

impl RunningSum {
    /// Adds the next value.
    pub fn add(&mut self, x: f64) {
        let next = self.sum + x;
        self.lost += if self.sum.abs() >= x.abs() { (self.sum - next) + x } else { (x - next) + self.sum };
        self.sum = next;
    }

    /// The sum so far.
    pub fn value(&self) -> f64 {
        if self.lost != 0.0 && self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// The mean of the values: compensated sum divided by their number; none for no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| neumaier(values.iter().copied()) / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_plain_sum_loses_is_kept() {
        // By hand: 1 + 1e100 + 1 - 1e100 = 2; the example of Neumaier's paper as quoted everywhere.
        assert_eq!(neumaier([1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(neumaier([]), 0.0);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 2.0]), Some(1.5));
    }

    #[test]
    fn ten_tenths_are_one() {
        // Exact value of ten doubles nearest 0.1 rounds to 1.0; the plain sum gives 0.9999999999999999.
        assert_eq!(neumaier([0.1; 10]), 1.0);
    }

    proptest! {
        #[test]
        fn whole_numbers_are_exact(xs in prop::collection::vec(-1_000_000_i64..1_000_000, 0..200)) {
            prop_assert_eq!(neumaier(xs.iter().map(|&x| x as f64)), xs.iter().sum::<i64>() as f64);
        }
    }
}

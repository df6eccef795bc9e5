//! What a list of values amounts to.

use super::sum::{mean, neumaier};

/// Number, mean, spread and extremes of the defined values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many values were used.
    pub n: usize,
    /// Compensated mean.
    pub mean: f64,
    /// Standard deviation with divisor n − 1; none for fewer than two values.
    pub sd: Option<f64>,
    /// Smallest value.
    pub min: f64,
    /// Middle value, the mean of the two middle ones for an even number.
    pub median: f64,
    /// Largest value.
    pub max: f64,
}

impl Summary {
    /// The summary of finite values; none for no values.
    pub fn of(values: &[f64]) -> Option<Summary> {
        let mean = mean(values)?;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let half = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 };
        Some(Summary { n: values.len(), mean, sd: sd(values), min: sorted[0], median, max: sorted[sorted.len() - 1] })
    }
}

/// The standard deviation of the values.
///
/// ```math
/// s = \sqrt{\sum_i (x_i - \bar x)^2 / (n - 1)}
/// ```
/// None for fewer than two values.
pub fn sd(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares = neumaier(values.iter().map(|x| (x - mean) * (x - mean)));
    Some((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        assert_eq!(Summary::of(&[]), None);
        let one = Summary::of(&[3.0]).expect("a value");
        assert_eq!((one.n, one.sd, one.median), (1, None, 3.0));
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32, 32 / 7
        let s = Summary::of(&[9.0, 2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0]).expect("values");
        assert_eq!((s.mean, s.min, s.median, s.max), (5.0, 2.0, 4.5, 9.0));
        assert_eq!(s.sd, Some((32.0_f64 / 7.0).sqrt()));
    }
}

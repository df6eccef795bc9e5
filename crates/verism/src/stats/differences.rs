//! Paired differences, with the scale on which their noise is judged.

use super::constant::{TIE, largest};
use super::rank::Tolerance;

/// Differences d = x - y and the largest of all |x| and |y| (of |d| where only d is known).
#[derive(Clone, Debug)]
pub struct Differences {
    /// The differences.
    pub values: Vec<f64>,
    /// The largest number that was subtracted.
    pub scale: f64,
}

impl Differences {
    /// Gives differences that are known as such.
    pub fn of(d: &[f64]) -> Differences {
        Differences { values: d.to_vec(), scale: largest(d) }
    }

    /// Gives the differences of pairs; x and y are equally long.
    pub fn of_pairs(x: &[f64], y: &[f64]) -> Differences {
        let values = x.iter().zip(y).map(|(a, b)| a - b).collect();
        Differences { values, scale: largest(x).max(largest(y)) }
    }

    /// Gives the distance below which a difference is zero and two are tied.
    pub fn tolerance(&self) -> f64 {
        TIE * self.scale
    }

    /// Gives the differences that are not zero.
    pub fn nonzero(&self) -> Vec<f64> {
        self.values.iter().copied().filter(|v| v.abs() > self.tolerance()).collect()
    }

    /// Gives the tolerance for ties among them.
    pub fn ties(&self) -> Tolerance {
        Tolerance::on_scale(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 0.3 - 0.1 and 0.9 - 0.7 differ in the last bits; on the scale of 0.9 both are 0.2. 0.5 - 0.5 is a zero.
    #[test]
    fn noise_is_judged_on_the_scale_of_the_pairs() {
        let d = Differences::of_pairs(&[0.3, 0.9, 0.5], &[0.1, 0.7, 0.5]);
        assert_eq!(d.scale, 0.9);
        assert_eq!(d.nonzero().len(), 2);
        assert!(d.ties().ties(0.9 - 0.7, 0.3 - 0.1));
    }
}

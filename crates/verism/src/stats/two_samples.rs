//! Two independent samples with what several statistics take from them, formed once.

use std::cell::OnceCell;

use super::moments::{Moments, mean_of, unit_of};
use super::rank::{Midranks, Tolerance, midranks};

/// Two samples, the moments of each in a common unit, and the ranks of the pool.
pub struct TwoSamples<'a> {
    /// The first sample.
    pub x: &'a [f64],
    /// The second sample.
    pub y: &'a [f64],
    /// The power of two in whose units the moments are.
    pub unit: f64,
    /// The moments of x.
    pub of_x: Moments,
    /// The moments of y.
    pub of_y: Moments,
    ranks: OnceCell<Midranks>,
}

impl<'a> TwoSamples<'a> {
    /// Takes two samples.
    pub fn of(x: &'a [f64], y: &'a [f64]) -> TwoSamples<'a> {
        let unit = unit_of([x, y]);
        TwoSamples { x, y, unit, of_x: Moments::of(x, unit), of_y: Moments::of(y, unit), ranks: OnceCell::new() }
    }

    /// Gives both means, each in the unit of its own sample; `None` for no values.
    pub fn means(&self) -> [Option<f64>; 2] {
        [(self.x, &self.of_x), (self.y, &self.of_y)].map(|(values, moments)| match unit_of([values]) == self.unit {
            true => (!values.is_empty()).then(|| moments.mean.round() * self.unit),
            false => mean_of(values),
        })
    }

    /// Gives the midranks of x and, behind them, of y in the pool of both.
    pub fn ranks(&self) -> &Midranks {
        self.ranks.get_or_init(|| {
            let pool: Vec<f64> = self.x.iter().chain(self.y).copied().collect();
            midranks(&pool, Tolerance::Relative)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: means 2 and 5e-120, which keeps its digits beside the large one; ranks 2, 3 and 1.
    #[test]
    fn means_and_ranks_by_hand() {
        let two = TwoSamples::of(&[1.0, 3.0], &[5e-120]);
        assert_eq!(two.means(), [Some(2.0), Some(5e-120)]);
        assert_eq!(two.ranks().doubled, [4, 6, 2]);
        assert_eq!(TwoSamples::of(&[], &[1.0]).means(), [None, Some(1.0)]);
    }
}

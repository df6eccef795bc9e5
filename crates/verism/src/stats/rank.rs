//! Ranks with ties.

use super::constant::TIE;

/// How close neighbours have to be to share a rank.
#[derive(Clone, Copy, Debug)]
pub enum Tolerance {
    /// 2^-48 of the larger of the two.
    Relative,
    /// An absolute distance, for differences of larger numbers.
    Absolute(f64),
}

impl Tolerance {
    /// Gives the tolerance for differences of numbers up to the given size.
    pub fn on_scale(scale: f64) -> Tolerance {
        Tolerance::Absolute(TIE * scale)
    }

    /// Tells whether u <= v belong to one tie group.
    pub fn ties(self, u: f64, v: f64) -> bool {
        match self {
            Tolerance::Relative => v - u <= TIE * u.abs().max(v.abs()),
            Tolerance::Absolute(distance) => v - u <= distance,
        }
    }
}

/// Gives the positions of the values in ascending order.
pub fn ascending(values: &[f64]) -> Vec<usize> {
    // Whole numbers in the order of the values, and the places behind them, so that equal values stay in theirs.
    let key = |v: f64| {
        let bits = v.to_bits() as i64;
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    };
    let mut keyed: Vec<(i64, usize)> = values.iter().enumerate().map(|(place, v)| (key(*v), place)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, place)| place).collect()
}

/// Midranks, doubled so that they are whole numbers, and the sizes of the tie groups in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub struct Midranks {
    /// Twice the midrank of each value.
    pub doubled: Vec<u64>,
    /// Sizes of the tie groups, ascending by value.
    pub sizes: Vec<usize>,
}

/// Gives the midranks of the values: tied values share the mean of their ranks. Neighbours are tied, and ties chain.
pub fn midranks(values: &[f64], tolerance: Tolerance) -> Midranks {
    let order = ascending(values);
    let mut doubled = vec![0; values.len()];
    let mut sizes = Vec::new();
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && tolerance.ties(values[order[end - 1]], values[order[end]]) {
            end += 1;
        }
        for &i in &order[start..end] {
            doubled[i] = (start + end + 1) as u64;
        }
        sizes.push(end - start);
        start = end;
    }
    Midranks { doubled, sizes }
}

impl Midranks {
    /// Gives Σ (t³ - t) over the tie groups.
    pub fn tie_cubes(&self) -> i128 {
        self.sizes.iter().map(|&t| (t as i128).pow(3) - t as i128).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 1, 3, 3, 7 have ranks 1, 2.5, 2.5, 4.
    #[test]
    fn tied_values_share_the_mean_of_their_ranks() {
        let ranks = midranks(&[3.0, 7.0, 1.0, 3.0], Tolerance::Relative);
        assert_eq!(ranks.doubled, [5, 8, 2, 5]);
        assert_eq!(ranks.sizes, [1, 2, 1]);
        assert_eq!(ranks.tie_cubes(), 6);
    }

    #[test]
    fn float_noise_ties_and_ties_chain() {
        assert_eq!(midranks(&[0.2, 0.3 - 0.1, 0.5], Tolerance::Relative).sizes, [2, 1]);
        assert_eq!(midranks(&[0.0, 0.9, 1.8, 4.0], Tolerance::Absolute(1.0)).sizes, [3, 1]);
    }

    #[test]
    fn nothing_has_no_ranks() {
        assert!(midranks(&[], Tolerance::Relative).doubled.is_empty());
    }
}

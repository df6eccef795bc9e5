//! Intervals that belong to randomisation tests: the shifts that the test would not reject.

use super::numeric::binomial::choose_up_to;
use super::permutation::First;
use super::random::{Domain, Draw};
use super::sum::neumaier;

/// Up to 2^20 arrangements are enumerated.
const ENUMERABLE: u128 = 1 << 20;

/// Shifts between which the truth falls equally often, ascending.
#[derive(Clone, Debug)]
pub struct TypicalValues {
    sorted: Vec<f64>,
}

impl TypicalValues {
    fn of(mut values: Vec<f64>) -> TypicalValues {
        values.sort_unstable_by(f64::total_cmp);
        TypicalValues { sorted: values }
    }

    /// Gives the interval of level 1 - α; `None` where so few arrangements allow none.
    ///
    /// ```math
    /// [θ_(k), θ_(M+1-k)],   k the largest with k/(M+1) <= α/2
    /// ```
    ///
    /// A shift below the k-th is reached by fewer than k of M arrangements, the one at hand counted with them.
    pub fn ends(&self, alpha: f64) -> Option<(f64, f64)> {
        let all = self.sorted.len();
        let k = (alpha / 2.0 * (all + 1) as f64 * (1.0 + 1e-12)).floor() as usize;
        (k >= 1 && 2 * k <= all + 1).then(|| (self.sorted[k - 1], self.sorted[all - k]))
    }
}

/// Gives the shifts of the sign-flip test: the mean of every non-empty choice of differences.
///
/// Σ s(d - θ) >= Σ (d - θ) for signs s exactly where the mean of the flipped differences is at most θ. Up to 20
/// differences all choices, else as many random ones as there are resamples.
/// Source: J. A. Hartigan, JASA 64 (1969), typical values.
pub fn of_sign_flips(d: &[f64], resamples: u64, seed: u64) -> TypicalValues {
    let n = d.len();
    if n <= 20 {
        // (sum, count) of every choice, doubled for each difference
        let mut sums = vec![(0.0, 0_u32)];
        for v in d {
            sums.extend(sums.clone().into_iter().map(|(sum, count)| (sum + v, count + 1)));
        }
        return TypicalValues::of(sums[1..].iter().map(|(sum, count)| sum / f64::from(*count)).collect());
    }
    let mean = |b: u64| {
        let flips = Draw::new(seed, Domain::SignFlip, b).flips(n);
        let chosen: Vec<f64> = d.iter().zip(flips).filter(|(_, flip)| *flip).map(|(v, _)| *v).collect();
        (!chosen.is_empty()).then(|| neumaier(chosen.iter().copied()) / chosen.len() as f64)
    };
    TypicalValues::of((0..resamples).filter_map(mean).collect())
}

/// Gives the shifts of the permutation test of two samples: mean of the x that leave minus mean of the y that come.
///
/// An arrangement that exchanges j values is as far as the one at hand for x - θ exactly where that difference is at most θ.
/// Up to 2^20 divisions all of them, else random ones.
/// Source: F. Pesarin, Multivariate Permutation Tests (2001), section 3.4, after Hartigan 1969.
pub fn of_permutations(x: &[f64], y: &[f64], resamples: u64, seed: u64, first: First) -> TypicalValues {
    let (n, m) = (x.len(), y.len());
    if choose_up_to((n + m) as u64, n as u64, ENUMERABLE).is_some() {
        // for each size, all sums of x that leave, and all of y that come
        let few = n.min(m);
        let (of_x, of_y) = (sums_by_size(x, few), sums_by_size(y, few));
        let mut out = Vec::new();
        for j in 1..=few {
            for a in &of_x[j] {
                out.extend(of_y[j].iter().map(|b| (a - b) / j as f64));
            }
        }
        return TypicalValues::of(out);
    }
    let (a, b) = if first == First::X { (x, y) } else { (y, x) };
    let sign = if first == First::X { 1.0 } else { -1.0 };
    let pool: Vec<f64> = a.iter().chain(b).copied().collect();
    let mut order: Vec<usize> = Vec::with_capacity(pool.len());
    let mut shift = |resample: u64| {
        order.clear();
        order.extend(0..pool.len());
        Draw::new(seed, Domain::Permutation, resample).shuffle(&mut order);
        let came = order[..a.len()].iter().filter(|i| **i >= a.len());
        let left = order[a.len()..].iter().filter(|i| **i < a.len());
        let (sum_came, count) = came.fold((0.0, 0_u32), |(sum, k), i| (sum + pool[*i], k + 1));
        let sum_left: f64 = left.map(|i| pool[*i]).sum();
        (count > 0).then(|| sign * (sum_left - sum_came) / f64::from(count))
    };
    TypicalValues::of((0..resamples).filter_map(&mut shift).collect())
}

/// The sums of all choices of at most so many values, by how many they are.
fn sums_by_size(values: &[f64], most: usize) -> Vec<Vec<f64>> {
    let mut sums: Vec<Vec<f64>> = vec![Vec::new(); most + 1];
    sums[0].push(0.0);
    for (i, v) in values.iter().enumerate() {
        for j in (0..most.min(i + 1)).rev() {
            let more: Vec<f64> = sums[j].iter().map(|sum| sum + v).collect();
            sums[j + 1].extend(more);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: d = (1, 2, 4): the seven means 1, 1.5, 2, 7/3, 2.5, 3, 4; at α = 0.25 the ends are the outermost (k = 1 of 8).
    #[test]
    fn means_of_choices_by_hand() {
        let t = of_sign_flips(&[1.0, 2.0, 4.0], 99, 1);
        assert_eq!(t.sorted, [1.0, 1.5, 2.0, 7.0 / 3.0, 2.5, 3.0, 4.0]);
        assert_eq!(t.ends(0.25), Some((1.0, 4.0)));
        assert_eq!(t.ends(0.5), Some((1.5, 3.0)));
        assert_eq!(t.ends(0.05), None);
    }

    // By hand: x = (3, 5), y = (1, 2): exchanged singly 3-1, 3-2, 5-1, 5-2, both (8-3)/2: 1, 2, 2.5, 3, 4; one of 6 divisions
    // is the one at hand.
    #[test]
    fn exchanges_by_hand() {
        let t = of_permutations(&[3.0, 5.0], &[1.0, 2.0], 99, 1, First::X);
        assert_eq!(t.sorted, [1.0, 2.0, 2.5, 3.0, 4.0]);
    }

    // Of two values against forty only single values and pairs are exchanged: 2·40 + 1·780 divisions. By hand: all x are 100 and all
    // y are 0, so that every exchange gives 100.
    #[test]
    fn uneven_sides_take_no_more_than_their_divisions() {
        let t = of_permutations(&[100.0; 2], &[0.0; 40], 99, 1, First::X);
        assert_eq!(t.sorted, vec![100.0; 2 * 40 + 780]);
        assert!(sums_by_size(&[1.0; 40], 2).iter().map(Vec::len).eq([1, 40, 780]));
    }

    // The ends move with the data, and exchanging the samples mirrors them, drawn or enumerated.
    #[test]
    fn shifts_and_mirrors() {
        for n in [6, 25] {
            let x: Vec<f64> = (0..n).map(|i| f64::from(i * i % 17)).collect();
            let y: Vec<f64> = (0..n).map(|i| f64::from(i * 5 % 19)).collect();
            let (lo, hi) = of_permutations(&x, &y, 999, 3, First::X).ends(0.05).unwrap();
            assert_eq!(of_permutations(&y, &x, 999, 3, First::Y).ends(0.05), Some((-hi, -lo)));
            assert!(lo < hi);
        }
    }
}

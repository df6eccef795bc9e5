//! The studentised permutation test of two means.

use rayon::prelude::*;

use super::numeric::binomial::choose_up_to;
use super::numeric::tail::Tail;
use super::permutation::First;
use super::random::{Domain, Draw};

/// With fewer divisions of the pool than this the smallest p-value is too large to be of use.
const FEWEST: u128 = 200;

/// The permutation test of Welch's t.
#[derive(Clone, Debug)]
pub struct Studentised {
    /// Welch's t.
    pub statistic: f64,
    /// |t| of every arrangement, ascending.
    sizes: Vec<f64>,
}

/// Tells whether samples of these sizes have divisions enough for the test.
pub fn has_divisions(n: usize, m: usize) -> bool {
    n >= 2 && m >= 2 && choose_up_to((n + m) as u64, n as u64, FEWEST).is_none_or(|count| count >= FEWEST)
}

/// Gives the permutation test of Welch's t for two samples that both vary.
///
/// ```math
/// p = (1 + #{|t*| >= |t| (1 - 1e-12)})/(1 + B),   t* = Welch's t of a random division of the pooled values
/// ```
///
/// Exact where both samples come from one distribution, and right for large samples where only the means agree.
/// A division with a constant side on both sides counts as t* = 0 where the means agree, else as the largest.
/// Source: A. Janssen, Stat. Probab. Lett. 36 (1997) 9.
pub fn studentised(x: &[f64], y: &[f64], resamples: u64, seed: u64, first: First) -> Studentised {
    let (a, b) = if first == First::X { (x, y) } else { (y, x) };
    // Everything about the middle of the pool, so that squares lose nothing.
    let all: Vec<f64> = a.iter().chain(b).copied().collect();
    let centre = all.iter().sum::<f64>() / all.len() as f64;
    let pool: Vec<f64> = all.iter().map(|v| v - centre).collect();
    let totals = pool.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
    let shape = Shape { n: a.len(), m: b.len(), totals };
    let own = a.iter().fold((0.0, 0.0), |(s, q), v| (s + (v - centre), q + (v - centre) * (v - centre)));
    let seen = shape.t(own);
    let few_first = a.len() <= b.len();
    let few = a.len().min(b.len());
    let size = |order: &mut Vec<u32>, resample: u64| {
        if order.is_empty() {
            order.extend(0..pool.len() as u32);
        }
        let swaps = shuffled_end(Draw::new(seed, Domain::Permutation, resample).in_stream(1), order, few);
        let drawn = &order[order.len() - few..];
        let part = drawn
            .iter()
            .fold((0.0, 0.0), |(s, q), i| (s + pool[*i as usize], q + pool[*i as usize] * pool[*i as usize]));
        let own = if few_first { part } else { (totals.0 - part.0, totals.1 - part.1) };
        // Undone from the last to the first, the order is as before, whatever thread drew what.
        for (i, j) in swaps.into_iter().rev() {
            order.swap(i, j);
        }
        shape.t(own).abs()
    };
    let mut sizes: Vec<f64> = (0..resamples).into_par_iter().map_init(Vec::new, size).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    Studentised { statistic: if first == First::X { seen } else { -seen + 0.0 }, sizes }
}

/// Draws the last `few` places of a random order; gives the exchanges made.
fn shuffled_end(draw: Draw, order: &mut [u32], few: usize) -> Vec<(usize, usize)> {
    let n = order.len();
    let mut swaps = Vec::with_capacity(few);
    for (i, word) in (n - few..n).rev().zip(draw.words()) {
        let j = ((u128::from(word) * (i as u128 + 1)) >> 64) as usize;
        order.swap(i, j);
        swaps.push((i, j));
    }
    swaps
}

impl Studentised {
    /// Gives the share of arrangements at least as extreme as t, the one at hand counted with them.
    pub fn tail(&self, t: f64) -> Tail {
        let count = self.sizes.len() - self.sizes.partition_point(|size| *size < t.abs() * (1.0 - 1e-12));
        Tail::from_counts(count as u128 + 1, self.sizes.len() as u128 + 1)
    }

    /// Gives the half-width of the interval in standard errors: the largest |t| that the test does not reject.
    pub fn factor(&self, alpha: f64) -> Option<f64> {
        // p < α needs fewer than α(B+1) - 1 arrangements as far.
        let beyond = (alpha * (self.sizes.len() + 1) as f64 * (1.0 + 1e-12)).floor() as usize;
        let at = self.sizes.len().checked_sub(beyond)?;
        self.sizes.get(at).copied().filter(|t| t.is_finite())
    }
}

/// Sizes of the samples and sums of the pool and of its squares.
struct Shape {
    n: usize,
    m: usize,
    totals: (f64, f64),
}

impl Shape {
    /// Welch's t of a division whose first sample has this sum and this sum of squares.
    fn t(&self, (sum, squares): (f64, f64)) -> f64 {
        let (n, m) = (self.n as f64, self.m as f64);
        let rest = (self.totals.0 - sum, self.totals.1 - squares);
        let error = |(s, q): (f64, f64), k: f64| {
            let ss = q - s * s / k;
            // What is left of constant values is rounding.
            if ss <= 1e-13 * q { 0.0 } else { ss / (k - 1.0) / k }
        };
        let diff = sum / n - rest.0 / m;
        let variance = error((sum, squares), n) + error(rest, m);
        match (variance > 0.0, diff == 0.0) {
            (true, _) => diff / variance.sqrt(),
            (false, true) => 0.0,
            (false, false) => f64::INFINITY.copysign(diff),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::describe::Factor;
    use super::super::t_test::welch;
    use super::super::two_samples::TwoSamples;
    use super::*;

    fn samples() -> (Vec<f64>, Vec<f64>) {
        let x = (0..9).map(|i| f64::from(i * i % 17)).collect();
        let y = (0..14).map(|i| f64::from(i * 5 % 19) + 0.25).collect();
        (x, y)
    }

    #[test]
    fn the_statistic_is_welchs() {
        let (x, y) = samples();
        let t = welch(&TwoSamples::of(&x, &y), 0.05, Factor::T).result.t.unwrap();
        assert!((studentised(&x, &y, 99, 1, First::X).statistic - t).abs() < 1e-12);
    }

    #[test]
    fn roles_mirror_when_the_first_sample_stays_first() {
        let (x, y) = samples();
        let (a, b) = (studentised(&x, &y, 499, 3, First::X), studentised(&y, &x, 499, 3, First::Y));
        assert_eq!((a.tail(a.statistic).p, a.factor(0.05)), (b.tail(b.statistic).p, b.factor(0.05)));
        assert_eq!(a.statistic, -b.statistic);
    }

    // The interval diff ± factor·se leaves out 0 exactly where p <= α.
    #[test]
    fn test_and_factor_agree() {
        let (x, y) = samples();
        for shift in 0..12 {
            let moved: Vec<f64> = x.iter().map(|v| v + f64::from(shift)).collect();
            let s = studentised(&moved, &y, 999, 5, First::X);
            assert_eq!(s.statistic.abs() > s.factor(0.05).unwrap(), s.tail(s.statistic).p <= 0.05, "{shift}");
        }
    }

    // SciPy 1.17.1: permutation_test((x, y), ttest_ind(…, equal_var=False).statistic, n_resamples=inf), all 817190 divisions of
    // these samples, gives a share of 0.761592 with |t| as large; 99999 draws come within four standard errors of it.
    #[test]
    fn all_divisions_by_scipy() {
        let (x, y) = samples();
        let drawn = studentised(&x, &y, 99_999, 7, First::X);
        let p = drawn.tail(drawn.statistic).p;
        let exact: f64 = 0.761592;
        assert!((p - exact).abs() < 4.0 * (exact * (1.0 - exact) / 1e5).sqrt(), "{p}");
    }

    #[test]
    fn small_samples_have_too_few_divisions() {
        assert!(!has_divisions(3, 3) && !has_divisions(4, 4) && !has_divisions(1, 900));
        assert!(has_divisions(5, 5) && has_divisions(3, 10));
    }
}

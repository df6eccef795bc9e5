//! Hodges and Lehmann's intervals of a shift: those that belong to Wilcoxon's and to Mann and Whitney's tests.

use super::numeric::binomial::choose;
use super::numeric::normal::normal_isf;
use super::numeric::wide::Wide;

/// Up to here the null distribution is counted.
const LARGEST_EXACT: usize = 50;

/// Many sums of two sorted lists, of which the k-th smallest is asked for.
#[derive(Clone, Debug)]
enum Shifts {
    /// (d_i + d_j)/2 for i <= j.
    Walsh(Vec<f64>),
    /// x_i - y_j.
    Between(Vec<f64>, Vec<f64>),
}

/// The shifts of a rank test, from which its intervals are read.
#[derive(Clone, Debug)]
pub struct HodgesLehmann {
    shifts: Shifts,
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut out = values.to_vec();
    out.sort_by(f64::total_cmp);
    out
}

impl HodgesLehmann {
    /// Gives the shifts of Wilcoxon's test: the averages of all pairs of differences. There is at least one difference.
    pub fn of_differences(d: &[f64]) -> HodgesLehmann {
        HodgesLehmann { shifts: Shifts::Walsh(sorted(d)) }
    }

    /// Gives the shifts of Mann and Whitney's test: all differences x - y. Neither side is empty.
    pub fn between(x: &[f64], y: &[f64]) -> HodgesLehmann {
        HodgesLehmann { shifts: Shifts::Between(sorted(x), sorted(y)) }
    }

    /// Gives the interval of the shift; `None` where so few values allow none of this level, or
    /// ties leave both ends at one number, which says nothing of the differences beside it.
    ///
    /// ```math
    /// [w_(k), w_(N+1-k)],   k the largest with P(W < k) <= α/2
    /// ```
    ///
    /// w are the N sorted shifts. P is counted without ties up to 50 values, beyond it is normal with ½ continuity.
    /// Source: J. L. Hodges, E. L. Lehmann, Ann. Math. Stat. 34 (1963); M. Hollander, D. A. Wolfe, Nonparametric Statistical
    /// Methods (1999), sections 3.3 and 4.3.
    pub fn ends(&self, alpha: f64) -> Option<(f64, f64)> {
        let (all, k) = match &self.shifts {
            Shifts::Walsh(d) => {
                let n = d.len();
                let k = if n <= LARGEST_EXACT {
                    first_beyond(&signed_ranks(n), 2_f64.powi(n as i32), alpha)
                } else {
                    let n = n as f64;
                    normal_rank(n * (n + 1.0) / 4.0, n * (n + 1.0) * (2.0 * n + 1.0) / 24.0, alpha)
                };
                (n as u64 * (n as u64 + 1) / 2, k)
            }
            Shifts::Between(x, y) => {
                let (n, m) = (x.len(), y.len());
                let k = if n + m <= LARGEST_EXACT {
                    let all = choose((n + m) as u64, n as u64) as f64;
                    first_beyond(&rank_sums(n, m), all, alpha)
                } else {
                    let (n, m) = (n as f64, m as f64);
                    normal_rank(n * m / 2.0, n * m * (n + m + 1.0) / 12.0, alpha)
                };
                (n as u64 * m as u64, k)
            }
        };
        let ends = (k >= 1 && 2 * k <= all + 1).then(|| (self.smallest(k), self.smallest(all + 1 - k)));
        ends.filter(|(lo, hi)| lo < hi)
    }

    /// Gives the median of the shifts.
    pub fn centre(&self) -> f64 {
        let all = match &self.shifts {
            Shifts::Walsh(d) => d.len() as u64 * (d.len() as u64 + 1) / 2,
            Shifts::Between(x, y) => x.len() as u64 * y.len() as u64,
        };
        let (low, high) = (self.smallest(all.div_ceil(2)), self.smallest(all / 2 + 1));
        low + (high - low) / 2.0
    }

    /// The k-th smallest shift: numbers are halved until one is left, each time counting the shifts up to it in one pass.
    fn smallest(&self, k: u64) -> f64 {
        let (mut low, mut high) = match &self.shifts {
            Shifts::Walsh(d) => (order(d[0]), order(d[d.len() - 1])),
            Shifts::Between(x, y) => (order(x[0] - y[y.len() - 1]), order(x[x.len() - 1] - y[0])),
        };
        while low < high {
            let middle = low + (high - low) / 2;
            if self.up_to(number(middle)) >= k { high = middle } else { low = middle + 1 }
        }
        number(low) + 0.0
    }

    /// How many shifts are at most `limit`.
    fn up_to(&self, limit: f64) -> u64 {
        match &self.shifts {
            Shifts::Walsh(d) => {
                let (mut count, mut end) = (0, d.len());
                for (i, a) in d.iter().enumerate() {
                    while end > i && a / 2.0 + d[end - 1] / 2.0 > limit {
                        end -= 1;
                    }
                    if end <= i {
                        break;
                    }
                    count += (end - i) as u64;
                }
                count
            }
            Shifts::Between(x, y) => {
                let (mut count, mut from) = (0, 0);
                for a in x {
                    while from < y.len() && a - y[from] > limit {
                        from += 1;
                    }
                    count += (y.len() - from) as u64;
                }
                count
            }
        }
    }
}

/// Numbers as whole numbers of the same order.
fn order(x: f64) -> i128 {
    let bits = x.to_bits();
    let size = i128::from(bits & (u64::MAX >> 1));
    if x.is_sign_negative() { -size } else { size }
}

fn number(order: i128) -> f64 {
    let size = f64::from_bits(order.unsigned_abs() as u64);
    if order < 0 { -size } else { size }
}

/// The largest k with P(W < k) <= α/2: how many of the smallest shifts lie outside, plus one; 0 where there is none.
fn first_beyond(counts: &[f64], all: f64, alpha: f64) -> u64 {
    let mut below = 0.0;
    let fits = counts.iter().take_while(|count| {
        below += **count;
        below / all <= alpha / 2.0 * (1.0 + 1e-12)
    });
    fits.count() as u64
}

fn normal_rank(mean: f64, variance: f64, alpha: f64) -> u64 {
    let sd = Wide::from(variance).sqrt().round();
    (mean + 0.5 - normal_isf(alpha / 2.0) * sd).max(0.0).floor() as u64
}

/// How many sign patterns of the ranks 1..n have each sum.
fn signed_ranks(n: usize) -> Vec<f64> {
    let mut counts = vec![0.0; n * (n + 1) / 2 + 1];
    counts[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..counts.len()).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    counts
}

/// How many choices of n of n + m ranks have each U.
fn rank_sums(n: usize, m: usize) -> Vec<f64> {
    // ways[j][u]: choices of j of the ranks seen so far; a rank adds as many to u as there are unchosen ones below it
    let mut ways = vec![vec![0.0; n * m + 1]; n + 1];
    ways[0][0] = 1.0;
    for rank in 0..n + m {
        for j in (1..=n.min(rank + 1)).rev() {
            let below = rank + 1 - j;
            if below > m {
                continue;
            }
            for u in (below..=n * m).rev() {
                let more = ways[j - 1][u - below];
                ways[j][u] += more;
            }
        }
    }
    ways.swap_remove(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Nine scores on the Hamilton depression scale before and after. Python 3.11, all 45 Walsh averages sorted: the 6th of them is
    // -0.786, the 6th from the end -0.010, the middle -0.46; counting the 512 signs, they hold 1 - 2·10/512 = 96.09 %.
    #[test]
    #[allow(clippy::approx_constant)] // 3.14 is a score
    fn hamilton_depression_scale() {
        let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let d: Vec<f64> = x.iter().zip(y).map(|(x, y)| y - x).collect();
        let hl = HodgesLehmann::of_differences(&d);
        let (lo, hi) = hl.ends(0.04).unwrap();
        assert!((lo + 0.786).abs() < 1e-3 && (hi + 0.010).abs() < 1e-3, "{lo} {hi}");
        assert!((hl.centre() + 0.46).abs() < 1e-3, "{}", hl.centre());
    }

    // By hand: of 4 v 4 the smallest U that 2.5 % allow on a side is 0 (1 of 70), so the ends are the outermost differences;
    // of 3 v 3 it is none.
    #[test]
    fn few_values_reach_from_end_to_end() {
        let ends = HodgesLehmann::between(&[5.0, 6.0, 7.0, 9.0], &[1.0, 2.0, 2.5, 4.0]).ends(0.05);
        assert_eq!(ends, Some((1.0, 8.0)));
        assert_eq!(HodgesLehmann::between(&[5.0, 6.0, 7.0], &[1.0, 2.0, 3.0]).ends(0.05), None);
        assert_eq!(HodgesLehmann::of_differences(&[1.0, 2.0, 3.0, 4.0, 5.0]).ends(0.05), None);
    }

    // All sums, sorted: the search by counting finds each of them.
    #[test]
    fn counting_finds_what_sorting_finds() {
        let d = [0.3, -1.5, 2.25, 0.3, 0.1, -0.7];
        let mut all: Vec<f64> =
            (0..6).flat_map(|i| (i..6).map(move |j| (i, j))).map(|(i, j)| d[i] / 2.0 + d[j] / 2.0).collect();
        all.sort_by(f64::total_cmp);
        let hl = HodgesLehmann::of_differences(&d);
        for (k, right) in (1..).zip(&all) {
            assert_eq!(hl.smallest(k), right + 0.0);
        }
        let (x, y) = ([1.0, 4.0, -2.0], [0.5, 0.25, 3.0, -1.0]);
        let mut all: Vec<f64> = x.iter().flat_map(|a| y.iter().map(move |b| a - b)).collect();
        all.sort_by(f64::total_cmp);
        for (k, right) in (1..).zip(&all) {
            assert_eq!(HodgesLehmann::between(&x, &y).smallest(k), *right);
        }
    }
}

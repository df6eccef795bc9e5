//! Bootstrap of correlations: pairs, or whole clusters of pairs, are drawn.

use rayon::prelude::*;

use super::draws::count_draws;
use super::interval::{Bootstrap, Method, Settings};
use super::left_out::spearman_left_out;
use super::pearson_left_out::pearson_left_out;
use crate::stats::constant::TIE;
use crate::stats::random::{Domain, Draw};
use crate::stats::rank::{Tolerance, ascending};
use crate::stats::reason::Reason;

/// Which correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correlation {
    /// Of ranks.
    Spearman,
    /// Of values.
    Pearson,
}

/// Gives the bootstrap interval of a correlation of paired values.
///
/// With `clusters` (one name per pair) whole clusters are drawn from the list of names in byte order. Resamples in which a
/// side is constant are dropped. n < 3: `n_lt_3`; a constant side: `constant_input`; one cluster: `one_cluster`.
pub fn bootstrap_correlation(
    kind: Correlation,
    x: &[f64],
    y: &[f64],
    clusters: Option<&[&str]>,
    stream: u64,
    settings: &Settings,
) -> Bootstrap {
    let n = x.len();
    if n < 3 {
        return Bootstrap::undrawn(settings, None, Reason::FewerThanThree);
    }
    let points = Points { kind, x: Axis::of(x), y: Axis::of(y) };
    let Some(estimate) = points.correlation(&vec![1; n], &mut Ranks::default()) else {
        return Bootstrap::undrawn(settings, None, Reason::ConstantInput);
    };
    let unit_of_row = match clusters {
        None => (0..n).collect(),
        Some(names) => positions_in_order(names),
    };
    let units = unit_of_row.iter().max().map_or(0, |last| last + 1);
    if units < 2 {
        return Bootstrap::undrawn(settings, None, Reason::OneCluster);
    }
    let spread = |counts: &[i32]| unit_of_row.iter().map(|u| counts[*u]).collect::<Vec<i32>>();
    let star = (0..settings.resamples)
        .into_par_iter()
        .map_init(
            || (vec![0_i32; units], Ranks::default()),
            |(counts, ranks), b| {
                counts.fill(0);
                count_draws(Draw::new(settings.seed, Domain::Bootstrap, b).in_stream(stream), counts);
                points.correlation(&spread(counts), ranks)
            },
        )
        .filter_map(|value| value)
        .collect();
    let left_out = if settings.method == Method::Bca { points.left_out(&unit_of_row, units) } else { None };
    Bootstrap::of(settings, estimate, star, left_out.map(|values| vec![values]))
}

/// For each name its place among the distinct names in byte order.
fn positions_in_order(names: &[&str]) -> Vec<usize> {
    let mut distinct = names.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    names.iter().map(|name| distinct.partition_point(|other| other < name)).collect()
}

struct Axis<'a> {
    values: &'a [f64],
    order: Vec<usize>,
}

impl Axis<'_> {
    fn of(values: &[f64]) -> Axis<'_> {
        Axis { values, order: ascending(values) }
    }

    /// Doubled midranks of the drawn values; false where all of them are tied.
    fn rank(&self, times: &[i32], ranks: &mut Vec<u64>) -> bool {
        ranks.clear();
        ranks.resize(self.values.len(), 0);
        let mut drawn = self.order.iter().copied().filter(|i| times[*i] > 0).peekable();
        let (mut before, mut groups) = (0_u64, 0);
        let mut group = Vec::new();
        while let Some(i) = drawn.next() {
            group.push(i);
            let ends = drawn.peek().is_none_or(|next| !Tolerance::Relative.ties(self.values[i], self.values[*next]));
            if ends {
                let size: u64 = group.iter().map(|i| times[*i] as u64).sum();
                for i in group.drain(..) {
                    ranks[i] = 2 * before + size + 1;
                }
                before += size;
                groups += 1;
            }
        }
        groups > 1
    }

    /// Mean of the drawn values; `None` where they are constant.
    fn mean(&self, times: &[i32], total: f64) -> Option<f64> {
        let mut drawn = self.order.iter().filter(|i| times[**i] > 0).map(|i| self.values[*i]);
        let low = drawn.next()?;
        let high = drawn.next_back().unwrap_or(low);
        if high - low <= TIE * low.abs().max(high.abs()) {
            return None;
        }
        let sum: f64 = self.values.iter().zip(times).map(|(v, t)| (v - low) * f64::from(*t)).sum();
        Some(low + sum / total)
    }
}

/// Room for the ranks of one resample.
#[derive(Default)]
struct Ranks {
    x: Vec<u64>,
    y: Vec<u64>,
}

struct Points<'a> {
    kind: Correlation,
    x: Axis<'a>,
    y: Axis<'a>,
}

impl Points<'_> {
    /// The correlation without each unit in turn; `None` where a side is constant without one.
    fn left_out(&self, unit_of_row: &[usize], units: usize) -> Option<Vec<f64>> {
        let direct = |unit: usize| {
            let times: Vec<i32> = unit_of_row.iter().map(|u| i32::from(*u != unit)).collect();
            self.correlation(&times, &mut Ranks::default())
        };
        let (x, y) = (self.x.values, self.y.values);
        match self.kind {
            Correlation::Pearson => pearson_left_out(x, y, unit_of_row, units, direct),
            Correlation::Spearman => spearman_left_out(x, y, unit_of_row, units, direct),
        }
    }

    /// The correlation of the points, each taken a number of times; `None` where a side is constant.
    fn correlation(&self, times: &[i32], ranks: &mut Ranks) -> Option<f64> {
        match self.kind {
            Correlation::Spearman => self.spearman(times, ranks),
            Correlation::Pearson => self.pearson(times),
        }
    }

    fn spearman(&self, times: &[i32], ranks: &mut Ranks) -> Option<f64> {
        if !(self.x.rank(times, &mut ranks.x) && self.y.rank(times, &mut ranks.y)) {
            return None;
        }
        let [mut n, mut sx, mut sy, mut xx, mut yy, mut xy] = [0_u128; 6];
        for ((a, b), t) in ranks.x.iter().zip(&ranks.y).zip(times) {
            let (a, b, t) = (u128::from(*a), u128::from(*b), *t as u128);
            n += t;
            sx += t * a;
            sy += t * b;
            xx += t * a * a;
            yy += t * b * b;
            xy += t * a * b;
        }
        let covariance = (n * xy) as i128 - (sx * sy) as i128;
        Some(covariance as f64 / ((n * xx - sx * sx) as f64 * (n * yy - sy * sy) as f64).sqrt())
    }

    fn pearson(&self, times: &[i32]) -> Option<f64> {
        let total: f64 = times.iter().map(|t| f64::from(*t)).sum();
        let (mx, my) = (self.x.mean(times, total)?, self.y.mean(times, total)?);
        let [mut xx, mut yy, mut xy] = [0.0; 3];
        for ((a, b), t) in self.x.values.iter().zip(self.y.values).zip(times) {
            let (u, v, t) = (a - mx, b - my, f64::from(*t));
            xx += t * u * u;
            yy += t * v * v;
            xy += t * u * v;
        }
        Some(xy / (xx * yy).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::bootstrap::Method;

    const SETTINGS: Settings = Settings { method: Method::Percentile, resamples: 499, seed: 12345, alpha: 0.05 };

    // A resample with multiplicities is the same as the list with its values written out.
    #[test]
    fn multiplicities_stand_for_repeated_rows() {
        let (x, y) = ([0.1, 0.5, 0.3, 0.9], [2.0, 1.0, 4.0, 3.0]);
        let (long_x, long_y) = ([0.1, 0.1, 0.3, 0.9, 0.9, 0.9], [2.0, 2.0, 4.0, 3.0, 3.0, 3.0]);
        for kind in [Correlation::Spearman, Correlation::Pearson] {
            let at = |x: &[f64], y: &[f64], times: &[i32]| {
                Points { kind, x: Axis::of(x), y: Axis::of(y) }.correlation(times, &mut Ranks::default()).unwrap()
            };
            assert!((at(&x, &y, &[2, 0, 1, 3]) - at(&long_x, &long_y, &[1; 6])).abs() < 1e-15);
        }
    }

    #[test]
    fn clusters_of_one_pair_are_pairs() {
        let (x, y) = ([0.1, 0.5, 0.3, 0.9, 0.2], [2.0, 1.0, 4.0, 3.0, 2.5]);
        let alone = bootstrap_correlation(Correlation::Spearman, &x, &y, None, 0, &SETTINGS);
        let names = ["a", "b", "c", "d", "e"];
        let clustered = bootstrap_correlation(Correlation::Spearman, &x, &y, Some(&names), 0, &SETTINGS);
        assert_eq!((alone.lo, alone.hi), (clustered.lo, clustered.hi));
    }

    #[test]
    fn undefined_correlations_are_stated() {
        let call = |x: &[f64], y: &[f64], c: Option<&[&str]>| {
            bootstrap_correlation(Correlation::Pearson, x, y, c, 0, &SETTINGS).reason
        };
        assert_eq!(call(&[1.0, 2.0], &[1.0, 2.0], None), Some(Reason::FewerThanThree));
        assert_eq!(call(&[1.0; 3], &[1.0, 2.0, 4.0], None), Some(Reason::ConstantInput));
        assert_eq!(call(&[1.0, 2.0, 4.0], &[1.0, 2.0, 1.0], Some(&["a"; 3])), Some(Reason::OneCluster));
    }
}

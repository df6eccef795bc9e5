//! Spearman's ρ with each point left out in turn, in n log n steps.

use crate::stats::rank::{Tolerance, ascending};

/// One side of the points: the tie group of each, and what a removal does to it.
struct Side {
    /// Number of the tie group of each point, ascending by value.
    group: Vec<usize>,
    /// Points of each group.
    sizes: Vec<usize>,
    /// Twice the midrank of each group.
    doubled: Vec<i128>,
    /// Points that hold their group together: without one of them it is two.
    links: Vec<bool>,
}

impl Side {
    fn of(values: &[f64]) -> Side {
        let n = values.len();
        let order = ascending(values);
        let (mut group, mut links, mut sizes, mut doubled) = (vec![0; n], vec![false; n], vec![], vec![]);
        let ties = |a: usize, b: usize| Tolerance::Relative.ties(values[order[a]], values[order[b]]);
        let mut start = 0;
        while start < n {
            let mut end = start + 1;
            while end < n && ties(end - 1, end) {
                end += 1;
            }
            for at in start..end {
                group[order[at]] = sizes.len();
                links[order[at]] = at > start && at + 1 < end && !ties(at - 1, at + 1);
            }
            sizes.push(end - start);
            doubled.push((start + end + 1) as i128);
            start = end;
        }
        Side { group, sizes, doubled, links }
    }

    fn rank(&self, point: usize) -> i128 {
        self.doubled[self.group[point]]
    }

    /// N Σ r² - (Σ r)² of the doubled midranks of N = n - 1 points, one of the given group left out.
    fn spread_without(&self, group: usize, cubes: i128) -> i128 {
        let n = self.group.len() as i128 - 1;
        let cube = |t: i128| t * t * t - t;
        let size = self.sizes[group] as i128;
        let tied = cubes - cube(size) + cube(size - 1);
        // 4 (N (N+1)(2N+1)/6 - Σ (t³-t)/12), in thirds
        let thirds = 2 * n * (n + 1) * (2 * n + 1) - tied;
        n * thirds / 3 - n * n * (n + 1) * (n + 1)
    }

    fn cubes(&self) -> i128 {
        self.sizes.iter().map(|&t| (t as i128).pow(3) - t as i128).sum()
    }
}

/// Counts in ranges of groups.
struct Counts(Vec<u64>);

impl Counts {
    fn add(&mut self, group: usize) {
        let mut at = group + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many are in groups below this one.
    fn below(&self, group: usize) -> u64 {
        let (mut at, mut sum) = (group, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

/// Gives ρ without each point; `direct` computes it where a removal breaks a chain of ties. `None` where a side becomes
/// constant.
///
/// Without point i a doubled midrank falls by [g >= g_i] + [g > g_i], g its tie group: Σ r_x r_y of the rest follows from
/// sums over later groups and from counts of points that are later on both sides.
pub(super) fn spearman_left_out(x: &[f64], y: &[f64], direct: impl Fn(usize) -> Option<f64>) -> Option<Vec<f64>> {
    let n = x.len();
    let (sx, sy) = (Side::of(x), Side::of(y));
    let products: i128 = (0..n).map(|k| sx.rank(k) * sy.rank(k)).sum();
    // Σ of the other side's ranks over this and later groups.
    let (later_y, later_x) = (sums_from(&sx, &sy), sums_from(&sy, &sx));
    let both = later_on_both(&sx, &sy);
    let (cubes_x, cubes_y) = (sx.cubes(), sy.cubes());
    let rest = n as i128 - 1;
    let one = |i: usize| {
        if sx.links[i] || sy.links[i] {
            return direct(i);
        }
        let (gx, gy) = (sx.group[i], sy.group[i]);
        let falls_y = later_y[gx] + later_y[gx + 1] - sy.rank(i);
        let falls_x = later_x[gy] + later_x[gy + 1] - sx.rank(i);
        let product = products - sx.rank(i) * sy.rank(i) - falls_y - falls_x + both[i];
        let (vx, vy) = (sx.spread_without(gx, cubes_x), sy.spread_without(gy, cubes_y));
        if vx == 0 || vy == 0 {
            return None;
        }
        let covariance = rest * product - (rest * (rest + 1)) * (rest * (rest + 1));
        Some(covariance as f64 / (vx as f64 * vy as f64).sqrt())
    };
    (0..n).map(one).collect()
}

/// For each group of one side the ranks of the other side summed over it and all later groups; 0 after the last.
fn sums_from(side: &Side, other: &Side) -> Vec<i128> {
    let mut sums = vec![0; side.sizes.len() + 1];
    (0..side.group.len()).for_each(|k| sums[side.group[k]] += other.rank(k));
    for group in (0..side.sizes.len()).rev() {
        sums[group] += sums[group + 1];
    }
    sums
}

/// Σ over the other points of ([gx >= gx_i] + [gx > gx_i]) ([gy >= gy_i] + [gy > gy_i]).
fn later_on_both(sx: &Side, sy: &Side) -> Vec<i128> {
    let n = sx.group.len();
    let mut by_x: Vec<usize> = (0..n).collect();
    by_x.sort_unstable_by_key(|&k| std::cmp::Reverse(sx.group[k]));
    let mut seen = Counts(vec![0; sy.sizes.len() + 1]);
    let mut total = 0_u64;
    let mut found = vec![0_i128; n];
    for group in by_x.chunk_by(|a, b| sx.group[*a] == sx.group[*b]) {
        let mut count = |seen: &Counts, total: u64| {
            for &k in group {
                let gy = sy.group[k];
                found[k] += i128::from(2 * total - seen.below(gy) - seen.below(gy + 1));
            }
        };
        count(&seen, total);
        for &k in group {
            seen.add(sy.group[k]);
            total += 1;
        }
        count(&seen, total);
    }
    // Each point has counted itself once.
    found.into_iter().map(|count| count - 1).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;
    use crate::stats::spearman::spearman;

    fn without(values: &[f64], i: usize) -> Vec<f64> {
        values.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, v)| *v).collect()
    }

    proptest! {
        /// Leaving a point out and starting again gives the same.
        #[test]
        fn points_left_out_one_by_one(points in prop::collection::vec((0..6_i32, 0..6_i32), 4..20), chain in any::<bool>()) {
            // With a chain neighbours are tied although the ends are not.
            let step = if chain { 2_f64.powi(-49) } else { 1.0 };
            let value = |v: i32| 1.0 + f64::from(v) * step;
            let x: Vec<f64> = points.iter().map(|p| value(p.0)).collect();
            let y: Vec<f64> = points.iter().map(|p| f64::from(p.1)).collect();
            let direct = |i: usize| spearman(&without(&x, i), &without(&y, i), 1, 1).rho;
            let expected: Option<Vec<f64>> = (0..x.len()).map(direct).collect();
            let found = spearman_left_out(&x, &y, direct);
            prop_assert_eq!(found.is_some(), expected.is_some());
            for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
                prop_assert!((a - b).abs() < 1e-12, "{} {}", a, b);
            }
        }
    }

    #[test]
    fn no_point_is_computed_anew_without_a_chain() {
        let x: Vec<f64> = (0..20_000).map(|i| f64::from(i * 7919 % 20_011)).collect();
        let y: Vec<f64> = (0..20_000).map(|i| f64::from(i * 104_729 % 997)).collect();
        let anew = Cell::new(0);
        let direct = |_| {
            anew.set(anew.get() + 1);
            None
        };
        assert_eq!(spearman_left_out(&x, &y, direct).map(|left| left.len()), Some(20_000));
        assert_eq!(anew.get(), 0);
    }
}

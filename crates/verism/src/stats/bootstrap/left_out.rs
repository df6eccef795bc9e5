//! Spearman's ρ with each unit left out in turn, a unit being one point or a cluster of them.

use rayon::prelude::*;

use super::dominance::Dominance;
use crate::stats::constant::TIE;
use crate::stats::rank::{Tolerance, ascending};

/// One side of the points: the tie group of each, and what a removal does to it.
struct Side {
    /// Number of the tie group of each point, ascending by value.
    group: Vec<usize>,
    /// Points of each group.
    sizes: Vec<usize>,
    /// Twice the midrank of each group.
    doubled: Vec<i128>,
    /// Groups that are chains of neighbours: without some of their points they may be two.
    chained: Vec<bool>,
}

impl Side {
    fn of(values: &[f64]) -> Side {
        let n = values.len();
        let order = ascending(values);
        let (mut group, mut sizes, mut doubled, mut chained) = (vec![0; n], vec![], vec![], vec![]);
        let at = |place: usize| values[order[place]];
        let mut start = 0;
        while start < n {
            let mut end = start + 1;
            while end < n && Tolerance::Relative.ties(at(end - 1), at(end)) {
                end += 1;
            }
            order[start..end].iter().for_each(|point| group[*point] = sizes.len());
            let (low, high) = (at(start), at(end - 1));
            chained.push(high - low > TIE / 2.0 * low.abs().max(high.abs()));
            sizes.push(end - start);
            doubled.push((start + end + 1) as i128);
            start = end;
        }
        Side { group, sizes, doubled, chained }
    }

    fn rank(&self, point: usize) -> i128 {
        self.doubled[self.group[point]]
    }

    /// By how much the doubled midrank of one point falls without another: [g >= g'] + [g > g'], g their tie groups.
    fn fall(&self, of: usize, without: usize) -> i128 {
        let (g, h) = (self.group[of], self.group[without]);
        i128::from(g >= h) + i128::from(g > h)
    }

    /// N Σ r² - (Σ r)² of the doubled midranks of the N points that are left.
    fn spread_without(&self, points: &[usize], cubes: i128) -> i128 {
        let n = (self.group.len() - points.len()) as i128;
        let cube = |t: usize| (t as i128).pow(3) - t as i128;
        let mut groups: Vec<usize> = points.iter().map(|point| self.group[*point]).collect();
        groups.sort_unstable();
        let lost = |run: &[usize]| cube(self.sizes[run[0]]) - cube(self.sizes[run[0]] - run.len());
        let tied = cubes - groups.chunk_by(|a, b| a == b).map(lost).sum::<i128>();
        // 4 (N (N+1)(2N+1)/6 - Σ (t³-t)/12), in thirds
        let thirds = 2 * n * (n + 1) * (2 * n + 1) - tied;
        n * thirds / 3 - n * n * (n + 1) * (n + 1)
    }

    fn cubes(&self) -> i128 {
        self.sizes.iter().map(|&t| (t as i128).pow(3) - t as i128).sum()
    }
}

/// Gives ρ without each unit; `None` where a side becomes constant.
///
/// Without the points i of a unit the doubled midrank of another point falls by A = Σ_i ([g >= g_i] + [g > g_i]), g its tie group, so
/// that Σ (r_x - A)(r_y - B) over the rest follows from sums over later groups and from counts of points that are later on both
/// sides. A unit of m points among n takes m² log n steps; `direct` starts again, in n steps, where that is less or where
/// a removal may break a chain of ties. So n points in units of m take no more than n m log n steps, and never more than
/// those that start again for each unit.
pub(super) fn spearman_left_out(
    x: &[f64],
    y: &[f64],
    unit_of_row: &[usize],
    units: usize,
    direct: impl Fn(usize) -> Option<f64> + Sync,
) -> Option<Vec<f64>> {
    let n = x.len();
    let (sx, sy) = (Side::of(x), Side::of(y));
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); units];
    unit_of_row.iter().enumerate().for_each(|(point, unit)| members[*unit].push(point));
    let products: i128 = (0..n).map(|k| sx.rank(k) * sy.rank(k)).sum();
    // Σ of the other side's ranks over this and later groups.
    let (later_y, later_x) = (sums_from(&sx, &sy), sums_from(&sy, &sx));
    let later = Dominance::of(&sx.group, &sy.group);
    let (cubes_x, cubes_y) = (sx.cubes(), sy.cubes());
    let one = |unit: usize| {
        let points = &members[unit][..];
        let breaks = |k: &usize| sx.chained[sx.group[*k]] || sy.chained[sy.group[*k]];
        if !is_shorter(points.len(), n) || points.iter().any(breaks) {
            return direct(unit);
        }
        let mut product = products;
        for &k in points {
            let (gx, gy) = (sx.group[k], sy.group[k]);
            product -= later_y[gx] + later_y[gx + 1] + later_x[gy] + later_x[gy + 1];
            product += points.iter().map(|&j| later.weighted(gx, sy.group[j])).sum::<i128>();
            // What the points of the unit themselves have put into these sums.
            let a: i128 = points.iter().map(|&i| sx.fall(k, i)).sum();
            let b: i128 = points.iter().map(|&i| sy.fall(k, i)).sum();
            product -= (sx.rank(k) - a) * (sy.rank(k) - b);
        }
        let (vx, vy) = (sx.spread_without(points, cubes_x), sy.spread_without(points, cubes_y));
        if vx == 0 || vy == 0 {
            return None;
        }
        let rest = (n - points.len()) as i128;
        let covariance = rest * product - (rest * (rest + 1)) * (rest * (rest + 1));
        Some(covariance as f64 / (vx as f64 * vy as f64).sqrt())
    };
    (0..units).into_par_iter().map(one).collect()
}

/// Whether m² log n counts are fewer steps than starting again, which takes about four passes over n points. Of so few
/// that ρ may be undefined it is asked anew.
fn is_shorter(m: usize, n: usize) -> bool {
    n - m > 3 && (m * m * (n.ilog2() as usize + 1) <= 4 * n || m == 1)
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::stats::spearman::spearman;

    proptest! {
        /// Leaving a unit out and starting again gives the same.
        #[test]
        fn units_left_out_one_by_one(
            points in prop::collection::vec((0..6_i32, 0..6_i32, 0..8_usize), 4..40),
            chain in any::<bool>(),
            single in any::<bool>(),
        ) {
            // With a chain neighbours are tied although the ends are not.
            let step = if chain { 2_f64.powi(-49) } else { 1.0 };
            let x: Vec<f64> = points.iter().map(|p| 1.0 + f64::from(p.0) * step).collect();
            let y: Vec<f64> = points.iter().map(|p| f64::from(p.1)).collect();
            let unit: Vec<usize> = points.iter().enumerate().map(|(i, p)| if single { i } else { p.2 }).collect();
            let units = unit.iter().max().unwrap() + 1;
            let direct = |left: usize| {
                let kept = |v: &[f64]| -> Vec<f64> {
                    v.iter().zip(&unit).filter(|(_, u)| **u != left).map(|(v, _)| *v).collect()
                };
                spearman(&kept(&x), &kept(&y), 1, 1).rho
            };
            let expected: Option<Vec<f64>> = (0..units).map(direct).collect();
            let found = spearman_left_out(&x, &y, &unit, units, direct);
            prop_assert_eq!(found.is_some(), expected.is_some());
            for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
                prop_assert!((a - b).abs() < 1e-12, "{} {}", a, b);
            }
        }
    }

    // ρ of two points is undefined by definition, not ±1.
    #[test]
    fn a_unit_without_which_two_points_are_left() {
        let asked = |unit: usize| (unit != 1).then_some(0.5);
        let found = spearman_left_out(&[0.0, 1.0, 0.0, 1.0], &[1.0, 0.0, 0.0, 1.0], &[0, 2, 1, 1], 3, asked);
        assert_eq!(found, None);
    }

    // Single points and clusters of 2 to 40 among 20,000 points: nothing is computed anew, so the steps are m² log n for each
    // unit; clusters of 200 are, and no more often than there are clusters.
    #[test]
    fn small_units_are_never_computed_anew() {
        let x: Vec<f64> = (0..20_000).map(|i| f64::from(i * 7919 % 20_011)).collect();
        let y: Vec<f64> = (0..20_000).map(|i| f64::from(i * 104_729 % 997)).collect();
        for (size, expected) in [(1, 0), (2, 0), (8, 0), (40, 0), (200, 100)] {
            let anew = AtomicUsize::new(0);
            let direct = |_| {
                anew.fetch_add(1, Ordering::Relaxed);
                Some(0.0)
            };
            let unit: Vec<usize> = (0..20_000).map(|i| i / size).collect();
            let found = spearman_left_out(&x, &y, &unit, 20_000 / size, direct);
            assert_eq!(found.map(|left| left.len()), Some(20_000 / size));
            assert_eq!(anew.into_inner(), expected, "{size}");
        }
    }
}

//! All pairs of a batch in one walk, tile by tile: sums, nearest neighbours, silhouettes. No matrix is held.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::points::{LANES, Points};
use crate::stats::sum::neumaier;
use crate::suites::humor::record::vectors::dot;

/// A sum with its compensation.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let next = self.sum + x;
        self.lost += if self.sum.abs() >= x.abs() { (self.sum - next) + x } else { (x - next) + self.sum };
        self.sum = next;
    }

    fn value(&self) -> f64 {
        self.sum + self.lost
    }
}

/// What the pairs of a batch say.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Pairs i < j.
    pub(crate) count: u64,
    /// Sums over the pairs.
    pub(crate) cosines: f64,
    pub(crate) distances: f64,
    /// The two points nearest to each other, the first of several, and their cosine.
    pub(crate) closest: (u32, u32, f64),
    /// For each point the nearest other one, the first of several, and the cosine.
    pub(crate) nearest: Vec<(u32, f64)>,
    /// For each labelling what its clusters look like.
    pub(crate) labelled: Vec<Labelled>,
}

/// What the pairs say of a labelling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Labelled {
    /// Sum of cosines and number of pairs with one label, with two.
    pub(crate) same: (f64, u64),
    pub(crate) other: (f64, u64),
    /// Mean silhouette; none if there is one label only.
    pub(crate) silhouette: Option<f64>,
}

/// What is known of one point.
#[derive(Clone, Debug)]
struct Point {
    /// Largest cosine so far by plain sums, and those near it, to be compared again by compensated sums.
    best: f64,
    near: Vec<u32>,
    /// Of those that were compared again already the nearest, the first of several, and its cosine.
    compared: Option<(u32, f64)>,
    /// Distances to the points of each cluster of each labelling.
    to: Vec<Sum>,
    /// Over the pairs with a later point.
    cosines: Sum,
    distances: Sum,
    /// Of each labelling, cosines of later points with the same label and with another.
    same: Vec<(Sum, Sum)>,
}

/// Cosines this close by plain sums may be equal.
const CLOSE: f64 = 1e-13;
/// So many of them wait at most before they are compared again.
const EQUALS: usize = 32;
/// From this cosine on the distance is computed from differences, since 2 - 2 cos has lost too many digits.
const STEEP: f64 = 0.98;
/// Rows of a tile.
const TILE: usize = 8 * LANES;

/// Labellings with the number of their labels.
struct Labels<'l> {
    labels: Vec<&'l [u32]>,
    counts: Vec<usize>,
    /// Where the sums of each labelling begin.
    starts: Vec<usize>,
    total: usize,
}

impl<'l> Labels<'l> {
    fn new(labels: Vec<&'l [u32]>) -> Labels<'l> {
        let counts: Vec<usize> =
            labels.iter().map(|labels| labels.iter().max().map_or(0, |label| *label as usize + 1)).collect();
        let ends = counts.iter().scan(0, |at, count| {
            *at += count;
            Some(*at)
        });
        let ends: Vec<usize> = ends.collect();
        let starts = ends.iter().zip(&counts).map(|(end, count)| end - count).collect();
        Labels { total: ends.last().copied().unwrap_or(0), labels, counts, starts }
    }
}

/// What a walk goes over.
struct Walk<'w> {
    points: &'w Points,
    labels: Labels<'w>,
    /// For each point the first one with the same vector.
    firsts: Vec<u32>,
}

fn firsts(points: &Points) -> Vec<u32> {
    let mut seen: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let bits = |i: usize| points.row(i).iter().map(|x| x.to_bits()).collect();
    (0..points.len()).map(|i| *seen.entry(bits(i)).or_insert(i as u32)).collect()
}

impl Point {
    fn new(labels: &Labels<'_>) -> Point {
        Point {
            best: f64::NEG_INFINITY,
            near: vec![],
            compared: None,
            to: vec![Sum::default(); labels.total],
            cosines: Sum::default(),
            distances: Sum::default(),
            same: vec![(Sum::default(), Sum::default()); labels.labels.len()],
        }
    }

    /// Takes the cosine and distance of another point.
    fn meet(&mut self, this: usize, other: usize, (cosine, distance): (f64, f64), walk: &Walk<'_>) {
        if cosine > self.best - CLOSE {
            if cosine > self.best + CLOSE {
                self.near.clear();
                self.compared = None;
            }
            self.best = self.best.max(cosine);
            // Whoever has the same vector and was met before is as near.
            let first = walk.firsts[other] as usize;
            if first == other || first == this {
                self.near.push(other as u32);
                if self.near.len() == EQUALS {
                    self.compare(this, walk.points);
                }
            }
        }
        let labels = &walk.labels;
        for (labels, start) in labels.labels.iter().zip(&labels.starts) {
            self.to[start + labels[other] as usize].add(distance);
        }
    }

    /// Compares those that wait by compensated sums.
    fn compare(&mut self, this: usize, points: &Points) {
        for other in self.near.drain(..) {
            let cosine = dot(points.row(this), points.row(other as usize));
            if self.compared.is_none_or(|(_, best)| cosine > best) {
                self.compared = Some((other, cosine));
            }
        }
    }

    /// The same for a pair that counts here: the other point is the later one.
    fn count(&mut self, this: usize, other: usize, cosine: f64, distance: f64, labels: &Labels<'_>) {
        self.cosines.add(cosine);
        self.distances.add(distance);
        for (labels, (same, apart)) in labels.labels.iter().zip(&mut self.same) {
            if labels[this] == labels[other] { same.add(cosine) } else { apart.add(cosine) }
        }
    }
}

impl Pairs {
    /// Walks all pairs.
    pub(crate) fn of(points: &Points, labellings: Vec<&[u32]>) -> Pairs {
        let n = points.len();
        let walk = Walk { points, labels: Labels::new(labellings), firsts: firsts(points) };
        let mut all: Vec<Point> = (0..n).map(|_| Point::new(&walk.labels)).collect();
        // Stage by stage: the points of one tile meet all later ones. Whoever is met meets back, so that each point
        // meets the others in their order, whatever the number of threads.
        for first in (0..n).step_by(TILE) {
            let (early, late) = all[first..].split_at_mut(TILE.min(n - first));
            let rows = early.len();
            let tiles = points.block_count() - first / LANES;
            let cosines: Vec<Vec<[f64; LANES]>> =
                (0..tiles).into_par_iter().map(|tile| cosines(points, first, rows, first / LANES + tile)).collect();
            let between = |i: usize, j: usize| {
                let cosine = cosines[(j - first) / LANES][i - first][j % LANES];
                (cosine, distance(points, i, j, cosine))
            };
            late.par_iter_mut().with_min_len(LANES).enumerate().for_each(|(place, point)| {
                let j = first + rows + place;
                for i in first..first + rows {
                    point.meet(j, i, between(i, j), &walk);
                }
            });
            early.par_iter_mut().enumerate().for_each(|(place, point)| {
                let i = first + place;
                for j in (first..n).filter(|j| *j != i) {
                    let (cosine, distance) = if i < j { between(i, j) } else { between(j, i) };
                    point.meet(i, j, (cosine, distance), &walk);
                    if i < j {
                        point.count(i, j, cosine, distance, &walk.labels);
                    }
                }
            });
        }
        finish(&walk, &mut all)
    }
}

/// Cosines of some rows with the points of one block.
fn cosines(points: &Points, first: usize, rows: usize, block: usize) -> Vec<[f64; LANES]> {
    let mut out = Vec::with_capacity(rows);
    let mut i = first;
    while i < first + rows {
        let second = (i + 1).min(first + rows - 1);
        let [a, b] = points.products(block, points.row(i), points.row(second));
        out.push(a);
        if second > i {
            out.push(b);
        }
        i += 2;
    }
    out
}

/// The distance of two points of unit length.
fn distance(points: &Points, i: usize, j: usize, cosine: f64) -> f64 {
    let squared = if cosine < STEEP { 2.0 - 2.0 * cosine } else { points.squared_between(i, j) };
    squared.max(0.0).sqrt()
}

fn finish(walk: &Walk<'_>, all: &mut [Point]) -> Pairs {
    let Walk { points, labels, .. } = walk;
    let n = points.len();
    all.par_iter_mut().enumerate().for_each(|(i, point)| point.compare(i, points));
    let all = &*all;
    let total = |part: &dyn Fn(&Point) -> Sum| neumaier(all.iter().map(|point| part(point).value()));
    let nearest: Vec<(u32, f64)> = all.iter().filter_map(|point| point.compared).collect();
    let mut closest = (0, 0, f64::NEG_INFINITY);
    for (i, (other, cosine)) in (0..).zip(&nearest) {
        if *cosine > closest.2 {
            closest = (i.min(*other), i.max(*other), *cosine);
        }
    }
    let labelled = |k: usize| {
        let mut sizes = vec![0_u64; labels.counts[k]];
        labels.labels[k].iter().for_each(|label| sizes[*label as usize] += 1);
        let same_pairs = sizes.iter().map(|size| size * (size - 1) / 2).sum::<u64>();
        let pairs = (n as u64 * (n as u64).saturating_sub(1)) / 2;
        let silhouettes = || {
            let each = all.iter().enumerate().map(|(i, point)| {
                let to = &point.to[labels.starts[k]..][..labels.counts[k]];
                silhouette(to, &sizes, labels.labels[k][i] as usize)
            });
            neumaier(each) / n as f64
        };
        Labelled {
            same: (total(&|point| point.same[k].0), same_pairs),
            other: (total(&|point| point.same[k].1), pairs - same_pairs),
            silhouette: (sizes.len() > 1).then(silhouettes),
        }
    };
    Pairs {
        count: (n as u64 * (n as u64).saturating_sub(1)) / 2,
        cosines: total(&|point| point.cosines),
        distances: total(&|point| point.distances),
        closest,
        nearest,
        labelled: (0..labels.labels.len()).map(labelled).collect(),
    }
}

/// How much nearer a point is to its own cluster than to the next.
///
/// ```math
/// s = (b - a) / max(a, b),  a: mean distance to its own cluster,  b: smallest mean distance to another
/// ```
/// 0 for the only point of a cluster, and where a = b = 0. Source: Rousseeuw, Journal of Computational and Applied
/// Mathematics 20 (1987).
fn silhouette(to: &[Sum], sizes: &[u64], own: usize) -> f64 {
    if sizes[own] < 2 {
        return 0.0;
    }
    let a = to[own].value() / (sizes[own] - 1) as f64;
    let others = (0..sizes.len()).filter(|label| *label != own && sizes[*label] > 0);
    let b = others.map(|label| to[label].value() / sizes[label] as f64).fold(f64::INFINITY, f64::min);
    if a.max(b) > 0.0 { (b - a) / a.max(b) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::humor::record::vectors::unit;

    /// Points whose cosines differ in the last digits, and many with the same vector.
    #[test]
    fn of_many_that_are_nearly_as_near_the_nearest_is_found() {
        for (n, kinds) in [(40_usize, 40_usize), (150, 150), (150, 3), (70, 1)] {
            let number = |i: usize, k: usize| (k as f64).sin() + 3e-8 * ((i % kinds * k) as f64).sin();
            let vector = |i: usize| unit((1..10).map(|k| number(i, k)).collect());
            let points = Points::new((0..n).flat_map(vector).collect(), 9);
            let found = Pairs::of(&points, vec![]);
            for i in 0..n {
                let mut best = (0, f64::NEG_INFINITY);
                for j in (0..n).filter(|j| *j != i) {
                    let cosine = dot(points.row(i), points.row(j));
                    if cosine > best.1 {
                        best = (j as u32, cosine);
                    }
                }
                assert_eq!(found.nearest[i], best, "{i} of {n}");
            }
        }
    }
}

//! k-means++ and Lloyd's algorithm, the same on any machine and with any number of threads.

use rayon::prelude::*;

use super::points::{LANES, Points};
use crate::stats::random::{Domain, Draw};

/// Seed of the starting centres; the program's own seed leaves it.
const SEED: u64 = 42;
/// Starts from which the best is taken.
const RESTARTS: u64 = 10;
/// Passes after which a start is taken as it is.
const PASSES: usize = 300;

/// A partition into k clusters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Partition {
    pub(crate) inertia: f64,
    /// Clusters in the order of their first points.
    pub(crate) labels: Vec<u32>,
    /// Starts that came to the same inertia.
    pub(crate) restarts_at_best: u64,
}

/// The partition of lowest inertia of ten starts, the first of several.
///
/// ```math
/// inertia = Σ_i min_c |x_i - c|²
/// ```
/// Starts: k-means++ with 2 + ⌊ln k⌋ candidates for each further centre. Words: Philox, key (42, 5), resample r, stream k.
/// All sums are plain, from the first to the last.
/// Source: Arthur and Vassilvitskii, SODA 2007; Lloyd, IEEE Transactions on Information Theory 28 (1982).
pub(crate) fn kmeans(points: &Points, k: usize) -> Partition {
    let runs: Vec<(f64, Vec<u32>)> = (0..RESTARTS).into_par_iter().map(|restart| once(points, k, restart)).collect();
    let best = (1..runs.len()).fold(0, |best, i| if runs[i].0 < runs[best].0 { i } else { best });
    let (inertia, labels) = &runs[best];
    let near = inertia * (1.0 + 1e-9) + 1e-12;
    let restarts_at_best = runs.iter().filter(|(other, _)| *other <= near).count() as u64;
    let mut names: Vec<u32> = vec![];
    let renumbered = labels.iter().map(|label| match names.iter().position(|name| name == label) {
        Some(place) => place as u32,
        None => {
            names.push(*label);
            names.len() as u32 - 1
        }
    });
    Partition { inertia: *inertia, labels: renumbered.collect(), restarts_at_best }
}

/// Squared distances of all points to a place.
fn distances(points: &Points, to: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for block in 0..points.block_count() {
        out.extend_from_slice(&points.squared(block, to));
    }
    out.truncate(points.len());
}

fn once(points: &Points, k: usize, restart: u64) -> (f64, Vec<u32>) {
    let centres = start(points, k, restart);
    let n = points.len();
    let (mut labels, mut own): (Vec<u32>, Vec<f64>) = (vec![], vec![0.0; n]);
    let mut centres: Vec<Vec<f64>> = centres.into_iter().map(|i| points.row(i).to_vec()).collect();
    let mut inertia = 0.0;
    for _ in 0..PASSES {
        let fresh = assign(points, &centres, &mut own);
        inertia = own.iter().fold(0.0, |sum, x| sum + x);
        if fresh == labels {
            break;
        }
        labels = fresh;
        move_centres(points, &labels, &own, &mut centres);
    }
    (inertia, labels)
}

/// The nearest centre of each point, the lower number on a tie, and the squared distance to it.
fn assign(points: &Points, centres: &[Vec<f64>], own: &mut [f64]) -> Vec<u32> {
    let mut labels = vec![0_u32; points.len()];
    for (block, (labels, own)) in labels.chunks_mut(LANES).zip(own.chunks_mut(LANES)).enumerate() {
        let mut best = points.squared(block, &centres[0]);
        let mut nearest = [0_u32; LANES];
        for (number, centre) in (1..).zip(&centres[1..]) {
            let squared = points.squared(block, centre);
            for lane in 0..LANES {
                if squared[lane] < best[lane] {
                    (best[lane], nearest[lane]) = (squared[lane], number);
                }
            }
        }
        labels.copy_from_slice(&nearest[..labels.len()]);
        own.copy_from_slice(&best[..own.len()]);
    }
    labels
}

/// Centres become the means of their points; an empty cluster first takes the point furthest from its centre.
fn move_centres(points: &Points, labels: &[u32], own: &[f64], centres: &mut [Vec<f64>]) {
    let mut moved = labels.to_vec();
    let mut sizes = vec![0_usize; centres.len()];
    labels.iter().for_each(|label| sizes[*label as usize] += 1);
    let mut taken: Vec<usize> = vec![];
    for empty in 0..centres.len() {
        if sizes[empty] > 0 {
            continue;
        }
        let free = (0..labels.len()).filter(|i| !taken.contains(i) && sizes[moved[*i] as usize] > 1);
        let furthest = free.reduce(|best, i| if own[i] > own[best] { i } else { best });
        let Some(furthest) = furthest else { continue };
        sizes[moved[furthest] as usize] -= 1;
        (moved[furthest], sizes[empty]) = (empty as u32, 1);
        taken.push(furthest);
    }
    centres.iter_mut().for_each(|centre| centre.fill(0.0));
    for (i, label) in moved.iter().enumerate() {
        centres[*label as usize].iter_mut().zip(points.row(i)).for_each(|(sum, x)| *sum += x);
    }
    for (centre, size) in centres.iter_mut().zip(&sizes) {
        centre.iter_mut().for_each(|sum| *sum /= *size as f64);
    }
}

/// The points where a start puts its centres.
fn start(points: &Points, k: usize, restart: u64) -> Vec<usize> {
    let mut words = Draw::new(SEED, Domain::Clusters, restart).in_stream(k as u64).words();
    let mut word = || words.next().expect("words without end");
    let n = points.len();
    let mut chosen = vec![((u128::from(word()) * n as u128) >> 64) as usize];
    let mut near = vec![];
    distances(points, points.row(chosen[0]), &mut near);
    let trials = 2 + pxfm::f_log(k as f64) as usize;
    let (mut fresh, mut best) = (vec![], vec![]);
    for _ in 1..k {
        let total = near.iter().fold(0.0, |sum, x| sum + x);
        let reals: Vec<f64> = (0..trials).map(|_| (word() >> 11) as f64 * 2.0_f64.powi(-53)).collect();
        let candidates: Vec<usize> = match total > 0.0 {
            true => reals.iter().map(|u| candidate(&near, u * total)).collect(),
            false => (0..n).find(|i| !chosen.contains(i)).into_iter().collect(),
        };
        let mut lowest: Option<(f64, usize)> = None;
        for i in candidates {
            distances(points, points.row(i), &mut fresh);
            fresh.iter_mut().zip(&near).for_each(|(x, near)| *x = x.min(*near));
            let potential = fresh.iter().fold(0.0, |sum, x| sum + x);
            if lowest.is_none_or(|(other, _)| potential < other) {
                lowest = Some((potential, i));
                std::mem::swap(&mut fresh, &mut best);
            }
        }
        let Some((_, i)) = lowest else { break };
        chosen.push(i);
        std::mem::swap(&mut near, &mut best);
    }
    chosen
}

/// The first point at which the running sum exceeds a mark; beyond all, the last with a distance.
fn candidate(near: &[f64], mark: f64) -> usize {
    let mut sum = 0.0;
    for (i, x) in near.iter().enumerate() {
        sum += x;
        if sum > mark {
            return i;
        }
    }
    near.iter().rposition(|x| *x > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pairs_are_two_clusters() {
        // Inertia by hand: each pair lies 0.02 apart in one dimension, so 4 · 0.01² = 0.0004.
        let points = Points::new(vec![1.0, 0.0, 0.98, 0.0, 0.0, 1.0, 0.0, 0.98], 2);
        let found = kmeans(&points, 2);
        assert_eq!((found.labels.as_slice(), found.restarts_at_best), (&[0, 0, 1, 1][..], 10));
        assert!((found.inertia - 0.0004).abs() < 1e-15);
    }

    #[test]
    fn equal_points_have_one_label() {
        let points = Points::new([0.6, 0.8].repeat(6), 2);
        assert_eq!(kmeans(&points, 3).labels, [0; 6]);
    }
}

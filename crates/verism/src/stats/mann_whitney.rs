//! The Mann-Whitney test of two independent samples.

use serde::Serialize;

use super::inference::{Ends, Inference};
use super::numeric::binomial::choose;
use super::numeric::normal::normal_two_sided;
use super::numeric::tail::{PValue, Tail};
use super::numeric::wide::Wide;
use super::rank::Midranks;
use super::reason::Reason;
use super::two_samples::TwoSamples;
use super::wilcoxon::{Exact, LARGEST_EXACT};

/// The largest n_x n_y that is counted unless asked for.
const LARGEST_PRODUCT: usize = 1600;

/// The test of Mann and Whitney.
#[derive(Clone, Debug, Serialize)]
pub struct MannWhitney {
    /// How many values of x.
    pub n_x: usize,
    /// How many values of y.
    pub n_y: usize,
    /// How often x is above y, ties counted half.
    pub u_x: Option<f64>,
    /// How often y is above x, ties counted half.
    pub u_y: Option<f64>,
    /// How it was computed.
    pub method: Option<&'static str>,
    /// The normal statistic, where it was used.
    pub z: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl MannWhitney {
    /// Gives what the test says, with the interval that belongs to it.
    pub fn inference(&self, ends: Ends) -> Inference {
        Inference { name: "mannwhitney", statistic: self.u_x, p: self.p, log10_p: self.log10_p, ends }
    }
}

/// Gives the Mann-Whitney test.
///
/// ```math
/// U_x = #(x > y) + ½ #(x = y);  exact: p = min(1, 2 min(P(U <= u), P(U >= u)))
/// normal: z = max(|U_x - n_x n_y/2| - ½, 0)/σ,  σ² = n_x n_y/12 (N + 1 - Σ(t³ - t)/(N(N - 1)))
/// ```
///
/// The exact distribution is that of the midranks at hand; it is counted where n_x n_y <= 1600 and N <= 120 (`Always`:
/// N <= 120, which callers check). No values on a side: `no_values`; all tied: p = 1, `all_ties`.
/// Source: H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18 (1947).
pub fn mannwhitney(samples: &TwoSamples, exact: Exact) -> MannWhitney {
    let (n, m) = (samples.x.len(), samples.y.len());
    let mut out = MannWhitney {
        n_x: n,
        n_y: m,
        u_x: None,
        u_y: None,
        method: None,
        z: None,
        p: None,
        log10_p: None,
        reason: None,
    };
    if n == 0 || m == 0 {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let ranks = samples.ranks();
    let sum_x: u64 = ranks.doubled[..n].iter().sum();
    // doubled U of x
    let u2 = sum_x - (n * (n + 1)) as u64;
    out.u_x = Some(u2 as f64 / 2.0);
    out.u_y = Some((2 * n * m) as f64 / 2.0 - u2 as f64 / 2.0);
    if ranks.sizes.len() == 1 {
        out.method = Some("exact");
        (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::AllTies));
        return out;
    }
    let counted =
        n + m <= LARGEST_EXACT && (exact == Exact::Always || exact == Exact::Auto && n * m <= LARGEST_PRODUCT);
    let p = if counted {
        out.method = Some("exact");
        PValue::from(both_tails(&ranks.doubled, n, sum_x))
    } else {
        let (z, tail) = normal(ranks, n, m, u2);
        out.method = Some("normal");
        out.z = Some(z);
        PValue::from(tail)
    };
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// 2 min(P(S <= s), P(S >= s)) over all choices of n of the doubled ranks, s their sum.
fn both_tails(doubled: &[u64], n: usize, sum: u64) -> Tail {
    let total: u64 = doubled.iter().sum();
    let size = n.min(doubled.len() - n);
    let mut sum = if size == n { sum } else { total - sum };
    let mut sorted = doubled.to_vec();
    sorted.sort_unstable();
    let (mut least, most): (u64, u64) =
        (sorted[..size].iter().sum(), sorted[sorted.len() - size..].iter().sum::<u64>());
    if sum - least > most - sum {
        // Counted from the other end: ranks and sum are mirrored, so the table stays short.
        let top = sorted.last().copied().unwrap_or_default() + 1;
        sorted = sorted.iter().rev().map(|rank| top - rank).collect();
        sum = size as u64 * top - sum;
        least = sorted[..size].iter().sum();
    }
    // Without ties all differences of doubled ranks are even: half the table does.
    let unit = if sorted.iter().all(|rank| (rank - sorted[0]).is_multiple_of(2)) { 2 } else { 1 };
    let reach = ((sum - least) / unit) as usize;
    let all = choose(doubled.len() as u64, size as u64);
    let (below, here) = match u64::try_from(all) {
        Ok(_) => sums_up_to::<u64>(&sorted, size, unit, reach),
        Err(_) => sums_up_to::<u128>(&sorted, size, unit, reach),
    };
    Tail::from_counts(2 * below.min(all - below + here), all)
}

/// How many choices of `size` of the ascending ranks have a sum of at most `reach` units above the least possible one, and
/// how many have exactly that.
fn sums_up_to<N>(sorted: &[u64], size: usize, unit: u64, reach: usize) -> (u128, u128)
where
    N: Copy + Default + std::ops::AddAssign + From<u8> + Into<u128>,
{
    let least: Vec<u64> = (0..=size).map(|j| sorted[..j].iter().sum()).collect();
    let mut ways: Vec<Vec<N>> = vec![Vec::new(); size + 1];
    ways[0].push(N::from(1));
    for (i, rank) in sorted.iter().enumerate() {
        for j in (1..=size.min(i + 1)).rev() {
            // j - 1 ranks above their least, plus this one, above the least of j
            let shift = ((least[j - 1] + rank - least[j]) / unit) as usize;
            let (fewer, more) = ways.split_at_mut(j);
            let (from, to) = (&fewer[j - 1], &mut more[0]);
            let end = (from.len() + shift).min(reach + 1);
            if to.len() < end {
                to.resize(end, N::default());
            }
            for (slot, count) in to.iter_mut().skip(shift).zip(from) {
                *slot += *count;
            }
        }
    }
    let counts = &ways[size];
    let here = counts.get(reach).map_or(0, |count| (*count).into());
    (counts.iter().map(|count| (*count).into()).sum(), here)
}

fn normal(ranks: &Midranks, n: usize, m: usize, u2: u64) -> (f64, Tail) {
    let total = (n + m) as i128;
    let product = (n * m) as i128;
    // σ² = nm/12 ((N+1) N(N-1) - Σ(t³-t)) / (N(N-1))
    let pairs = total * (total - 1);
    let variance = Wide::from(product) * Wide::from((total + 1) * pairs - ranks.tie_cubes()) / Wide::from(12 * pairs);
    let deviation = (u2 as f64 - product as f64) / 2.0;
    let z = (deviation.abs() - 0.5).max(0.0) / variance.sqrt().round();
    (if deviation < 0.0 { -z + 0.0 } else { z }, normal_two_sided(z))
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (3,4) v (1,2): U = 4, the most extreme of 6 choices on both sides: 2/6.
    #[test]
    fn separated_pairs_are_two_of_six() {
        let r = mannwhitney(&TwoSamples::of(&[3.0, 4.0], &[1.0, 2.0]), Exact::Auto);
        assert_eq!((r.u_x, r.u_y, r.p), (Some(4.0), Some(0.0), Some(2.0 / 6.0)));
    }

    // By hand: (1,2) v (2,3): midranks 1, 2.5, 2.5, 4; sums of pairs 3.5, 3.5, 5, 5, 6.5, 6.5; x has 3.5: 2·2/6.
    #[test]
    fn ties_are_counted_with_their_midranks() {
        let r = mannwhitney(&TwoSamples::of(&[1.0, 2.0], &[2.0, 3.0]), Exact::Auto);
        assert_eq!((r.u_x, r.p), (Some(0.5), Some(4.0 / 6.0)));
    }

    #[test]
    fn swapping_the_samples_keeps_p() {
        let (x, y) = ([0.1, 0.5, 0.9, 0.5], [0.2, 0.3, 0.5, 0.05, 0.01, 0.02]);
        for exact in [Exact::Auto, Exact::Never] {
            let (a, b) = (mannwhitney(&TwoSamples::of(&x, &y), exact), mannwhitney(&TwoSamples::of(&y, &x), exact));
            assert_eq!((a.p, a.u_x), (b.p, b.u_y));
        }
    }

    #[test]
    fn all_tied_and_nothing_are_stated() {
        assert_eq!(mannwhitney(&TwoSamples::of(&[1.0, 1.0], &[1.0]), Exact::Auto).reason, Some(Reason::AllTies));
        assert_eq!(mannwhitney(&TwoSamples::of(&[], &[1.0]), Exact::Auto).reason, Some(Reason::NoValues));
    }
}

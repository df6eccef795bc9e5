//! Kendall's rank correlation.

use serde::Serialize;

use super::numeric::normal::normal_two_sided;
use super::numeric::tail::{PValue, Tail};
use super::numeric::wide::Wide;
use super::rank::{Midranks, Tolerance, midranks};
use super::reason::Reason;

/// The largest n without ties whose distribution is counted.
const LARGEST_EXACT: usize = 60;

/// Kendall's τ_b.
#[derive(Clone, Debug, Serialize)]
pub struct Kendall {
    /// How many pairs of values.
    pub n: usize,
    /// The correlation.
    pub tau: Option<f64>,
    /// Pairs of points that agree.
    pub concordant: Option<u64>,
    /// Pairs of points that disagree.
    pub discordant: Option<u64>,
    /// Pairs of points tied in x.
    pub ties_x: Option<u64>,
    /// Pairs of points tied in y.
    pub ties_y: Option<u64>,
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

/// Gives Kendall's τ_b of paired values.
///
/// ```math
/// τ_b = (C - D)/√((n₀ - n₁)(n₀ - n₂)),  n₀ = n(n-1)/2,  n₁, n₂ the pairs tied in x, in y
/// ```
///
/// Exact without ties up to n = 60: p = min(1, 2 P(discordant <= min(C, D))); else normal with the full tie variance.
/// n < 3: `n_lt_3`; a constant side: `constant_input`. Source: M. G. Kendall, Rank Correlation Methods (1970).
pub fn kendall(x: &[f64], y: &[f64]) -> Kendall {
    let n = x.len();
    let mut out = Kendall {
        n,
        tau: None,
        concordant: None,
        discordant: None,
        ties_x: None,
        ties_y: None,
        method: None,
        z: None,
        p: None,
        log10_p: None,
        reason: None,
    };
    if n < 3 {
        out.reason = Some(Reason::FewerThanThree);
        return out;
    }
    let (rx, ry) = (midranks(x, Tolerance::Relative), midranks(y, Tolerance::Relative));
    let pairs = |sizes: &[usize]| sizes.iter().map(|t| (t * (t - 1) / 2) as u64).sum::<u64>();
    let (all, tied_x, tied_y) = ((n * (n - 1) / 2) as u64, pairs(&rx.sizes), pairs(&ry.sizes));
    let (concordant, discordant) = concordance(&rx.doubled, &ry.doubled, all, tied_x, tied_y);
    (out.concordant, out.discordant) = (Some(concordant), Some(discordant));
    (out.ties_x, out.ties_y) = (Some(tied_x), Some(tied_y));
    if tied_x == all || tied_y == all {
        out.reason = Some(Reason::ConstantInput);
        return out;
    }
    let excess = concordant as f64 - discordant as f64;
    let root = (Wide::from(u128::from(all - tied_x)) * Wide::from(u128::from(all - tied_y))).sqrt();
    out.tau = Some((Wide::from(excess) / root).round());
    let p = if tied_x == 0 && tied_y == 0 && n <= LARGEST_EXACT {
        out.method = Some("exact");
        PValue::from(inversions_at_most(n, concordant.min(discordant) as usize).times(2.0))
    } else {
        let z = (Wide::from(excess) / tie_variance(&rx, &ry, n).sqrt()).round();
        out.method = Some("normal");
        out.z = Some(z);
        PValue::from(normal_two_sided(z))
    };
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// Concordant and discordant pairs: sorted by x, then y, the discordant ones are the inversions of y.
/// Source: W. R. Knight, JASA 61 (1966).
fn concordance(rx: &[u64], ry: &[u64], all: u64, tied_x: u64, tied_y: u64) -> (u64, u64) {
    let mut points: Vec<(u64, u64)> = rx.iter().copied().zip(ry.iter().copied()).collect();
    points.sort_unstable();
    let tied_both: u64 = points.chunk_by(|a, b| a == b).map(|run| (run.len() * (run.len() - 1) / 2) as u64).sum();
    let mut column: Vec<u64> = points.iter().map(|p| p.1).collect();
    let mut buffer = column.clone();
    let discordant = sort_counting_inversions(&mut column, &mut buffer);
    (all + tied_both - tied_x - tied_y - discordant, discordant)
}

fn sort_counting_inversions(values: &mut [u64], buffer: &mut [u64]) -> u64 {
    let n = values.len();
    if n < 2 {
        return 0;
    }
    let middle = n / 2;
    let mut count = sort_counting_inversions(&mut values[..middle], buffer);
    count += sort_counting_inversions(&mut values[middle..], buffer);
    let (mut i, mut j) = (0, middle);
    for slot in buffer[..n].iter_mut() {
        if j >= n || i < middle && values[i] <= values[j] {
            *slot = values[i];
            i += 1;
        } else {
            *slot = values[j];
            j += 1;
            count += (middle - i) as u64;
        }
    }
    values.copy_from_slice(&buffer[..n]);
    count
}

/// P(a random order of n has at most k inversions), k <= n(n-1)/4: each new element adds 0 to i-1 inversions.
fn inversions_at_most(n: usize, k: usize) -> Tail {
    let mut shares = vec![Wide::ZERO; k + 1];
    shares[0] = Wide::from(1.0);
    for i in 2..=n {
        let mut window = Wide::ZERO;
        let next: Vec<Wide> = (0..=k)
            .map(|at| {
                window = window + shares[at];
                if at >= i {
                    window = window - shares[at - i];
                }
                window / Wide::from(i)
            })
            .collect();
        shares = next;
    }
    Tail::from_p(shares.into_iter().sum::<Wide>().round())
}

/// Var(C - D) = (v₀ - v_x - v_y)/18 + v₁/(2n(n-1)) + v₂/(9n(n-1)(n-2))
fn tie_variance(rx: &Midranks, ry: &Midranks, n: usize) -> Wide {
    let over = |ranks: &Midranks, f: fn(i128) -> i128| ranks.sizes.iter().map(|t| f(*t as i128)).sum::<i128>();
    let full = |t: i128| t * (t - 1) * (2 * t + 5);
    let n = n as i128;
    let (tied_pairs, tied_triples) = (|t: i128| t * (t - 1), |t: i128| t * (t - 1) * (t - 2));
    let first = Wide::from(full(n) - over(rx, full) - over(ry, full)) / Wide::from(18.0);
    let second = Wide::from(over(rx, tied_pairs)) * Wide::from(over(ry, tied_pairs)) / Wide::from(2 * n * (n - 1));
    let third =
        Wide::from(over(rx, tied_triples)) * Wide::from(over(ry, tied_triples)) / Wide::from(9 * tied_triples(n));
    first + second + third
}

#[cfg(test)]
mod tests {
    use super::*;

    // Hollander and Wolfe, Nonparametric Statistical Methods, example 8.1 (tuna lightness): τ = 0.444, p = 0.1194.
    #[test]
    fn tuna_lightness_has_its_published_test() {
        let x = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1];
        let y = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8];
        let k = kendall(&x, &y);
        assert_eq!((k.concordant, k.discordant), (Some(26), Some(10)));
        assert!((k.p.unwrap() - 0.1194).abs() < 5e-5);
    }

    // By hand: of 6 orders of three, one has no inversion: two-sided 2/6.
    #[test]
    fn three_points_in_order_are_two_of_six() {
        assert!((kendall(&[1.0, 2.0, 3.0], &[1.0, 5.0, 9.0]).p.unwrap() - 2.0 / 6.0).abs() < 1e-16);
    }

    // Counted pair by pair.
    #[test]
    fn concordance_with_ties_matches_the_definition() {
        let x: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 11)).collect();
        let y: Vec<f64> = (0..40).map(|i| f64::from(i * i % 9)).collect();
        let (mut c, mut d) = (0, 0);
        for i in 0..40 {
            for j in 0..i {
                let s = (x[i] - x[j]) * (y[i] - y[j]);
                c += u64::from(s > 0.0);
                d += u64::from(s < 0.0);
            }
        }
        let k = kendall(&x, &y);
        assert_eq!((k.concordant, k.discordant), (Some(c), Some(d)));
    }

    #[test]
    fn constants_and_two_points_are_undefined() {
        assert_eq!(kendall(&[1.0; 3], &[1.0, 2.0, 3.0]).reason, Some(Reason::ConstantInput));
        assert_eq!(kendall(&[1.0; 2], &[1.0, 2.0]).reason, Some(Reason::FewerThanThree));
    }
}

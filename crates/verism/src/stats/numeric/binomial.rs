//! Binomial and hypergeometric probabilities, for the exact tests on two values.

use super::stirling::{LN_SQRT_2PI, deviance, stirling_rest};
use super::tail::Tail;

/// Up to here 2^n and every binomial coefficient fit a binary64 number.
const DIRECT: u64 = 1000;

/// Gives the logarithm of P(Bin(n, p) = k), 0 < p < 1, k <= n.
///
/// ```math
/// ln P = δ(n) - δ(k) - δ(n-k) - D(k, np) - D(n-k, n(1-p)) + ½ ln(n / (2π k (n-k)))
/// ```
///
/// Source: C. Loader, Fast and accurate computation of binomial probabilities (2000).
fn ln_binomial(k: u64, n: u64, p: f64) -> f64 {
    let (kf, nf) = (k as f64, n as f64);
    if k == 0 {
        return nf * libm::log1p(-p);
    }
    if k == n {
        return nf * libm::log(p);
    }
    let rest = nf - kf;
    let rests = stirling_rest(nf) - stirling_rest(kf) - stirling_rest(rest);
    rests - deviance(kf, nf * p) - deviance(rest, nf * (1.0 - p)) + 0.5 * libm::log(nf / (kf * rest)) - LN_SQRT_2PI
}

/// A two-sided tail of a fair coin and the part of it that stands on the outcome itself.
#[derive(Clone, Copy, Debug)]
pub struct FairCoin {
    /// 2 P(Bin(n, ½) <= min(k, n-k)), not yet capped at 1.
    pub two_sided: Tail,
    /// P(Bin(n, ½) = k).
    pub point: Tail,
}

/// Gives the two-sided tail of k heads in n throws of a fair coin.
pub fn fair_coin(k: u64, n: u64) -> FairCoin {
    let low = k.min(n - k);
    if n <= DIRECT {
        let (mut choose, mut sum) = (1.0_f64, 1.0);
        for i in 0..low {
            choose = (choose * (n - i) as f64 / (i + 1) as f64).round();
            sum += choose;
        }
        let share = |count: f64| {
            let ln = libm::log(count) - n as f64 * std::f64::consts::LN_2;
            Tail { p: libm::scalbn(count, -(n as i32)), ln }
        };
        return FairCoin { two_sided: share(2.0 * sum), point: share(choose) };
    }
    // Σ_{i <= low} C(n, i) / C(n, low), from the outcome outwards
    let (mut ratio, mut sum) = (1.0, 1.0);
    for i in (1..=low).rev() {
        ratio *= i as f64 / (n - i + 1) as f64;
        sum += ratio;
        if ratio < sum * 1e-18 {
            break;
        }
    }
    let point = Tail::from_ln(ln_binomial(low, n, 0.5));
    FairCoin { two_sided: point.times(2.0 * sum), point }
}

/// Gives the probability that a random choice of `first` out of first + second things, `marked` of which are marked, holds
/// marked ones in a proportion that differs between the two sides by at least as much as for `seen` marked ones.
///
/// ```math
/// P = Σ C(n, k) C(m, K-k) / C(n+m, K)  over k with |k/n - (K-k)/m| >= |k₀/n - (K-k₀)/m|
/// ```
pub fn hypergeometric_as_far(first: u64, second: u64, marked: u64, seen: u64) -> Tail {
    let total = first + second;
    let (low, high) = (marked.saturating_sub(second), first.min(marked));
    let gap = |k: u64| {
        let difference = i128::from(k) * i128::from(second) - i128::from(marked - k) * i128::from(first);
        difference.unsigned_abs()
    };
    let observed = gap(seen);
    if total <= 120 {
        let part =
            (low..=high).filter(|k| gap(*k) >= observed).map(|k| choose(first, k) * choose(second, marked - k)).sum();
        return Tail::from_counts(part, choose(total, marked));
    }
    // The gap falls and then rises with k: each side is summed from its inner end outwards.
    let centre = (marked as u128 * first as u128 / total as u128) as u64 + 1;
    let centre = centre.clamp(low, high);
    let lower = (low..centre).rev().find(|k| gap(*k) >= observed);
    let upper = (centre..=high).find(|k| gap(*k) >= observed);
    let share = marked as f64 / total as f64;
    let ln_at = |k: u64| {
        ln_binomial(k, first, share) + ln_binomial(marked - k, second, share) - ln_binomial(marked, total, share)
    };
    let down = lower.map(|k| {
        let ratios = (low..k)
            .rev()
            .map(|j| ((j + 1) as f64 * (second + j + 1 - marked) as f64) / ((first - j) as f64 * (marked - j) as f64));
        Tail::from_ln(ln_at(k)).times(falling_sum(ratios))
    });
    let up = upper.map(|k| {
        let ratios = (k + 1..=high)
            .map(|j| ((first + 1 - j) as f64 * (marked + 1 - j) as f64) / (j as f64 * (second + j - marked) as f64));
        Tail::from_ln(ln_at(k)).times(falling_sum(ratios))
    });
    match (down, up) {
        (Some(a), Some(b)) => {
            let (large, small) = if a.ln >= b.ln { (a, b) } else { (b, a) };
            large.times(1.0 + libm::exp(small.ln - large.ln))
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => Tail::ONE,
    }
}

/// Gives the probability of all tables that are as rare as the one with `seen` marked among the first, or rarer.
///
/// ```math
/// P = Σ P(k)  over k with P(k) <= P(k₀) (1 + 1e-7),   P(k) = C(n, k) C(m, K-k) / C(n+m, K)
/// ```
pub fn hypergeometric_as_rare(first: u64, second: u64, marked: u64, seen: u64) -> Tail {
    let total = first + second;
    let (low, high) = (marked.saturating_sub(second), first.min(marked));
    if total <= 120 {
        let ways = |k: u64| choose(first, k) * choose(second, marked - k);
        let part = (low..=high).map(ways).filter(|count| *count <= ways(seen)).sum();
        return Tail::from_counts(part, choose(total, marked));
    }
    // Logarithms of P(k)/P(seen) upwards and downwards; what is no more likely than the outcome is added.
    let up = (seen + 1..=high)
        .map(|j| ((first + 1 - j) as f64 * (marked + 1 - j) as f64) / (j as f64 * (second + j - marked) as f64));
    let down = (low..seen)
        .rev()
        .map(|j| ((j + 1) as f64 * (second + j + 1 - marked) as f64) / ((first - j) as f64 * (marked - j) as f64));
    let sum = 1.0 + rare_sum(up) + rare_sum(down);
    let share = marked as f64 / total as f64;
    if marked == 0 || marked == total {
        return Tail::ONE;
    }
    let ln = ln_binomial(seen, first, share) + ln_binomial(marked - seen, second, share)
        - ln_binomial(marked, total, share)
        + libm::log(sum);
    if ln >= 0.0 { Tail::ONE } else { Tail::from_ln(ln) }
}

/// The sum of the running products that are at most 1 + 1e-7, ended where they no longer count.
fn rare_sum(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut ln, mut sum) = (0.0, 0.0);
    for ratio in ratios {
        ln += libm::log(ratio);
        if ln <= 1e-7 {
            let term = libm::exp(ln);
            sum += term;
            if ratio < 1.0 && term < 1e-18 {
                break;
            }
        }
    }
    sum
}

/// 1 + r₁ + r₁r₂ + …, ended where the terms no longer count.
fn falling_sum(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for ratio in ratios {
        term *= ratio;
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    sum
}

/// Gives the binomial coefficient; n up to 120 fits 128 bits.
pub fn choose(n: u64, k: u64) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1_u128, |c, i| c * u128::from(n - i) / u128::from(i + 1))
}

/// Gives the binomial coefficient, or `None` where it exceeds the limit.
pub fn choose_up_to(n: u64, k: u64, limit: u128) -> Option<u128> {
    let mut c = 1_u128;
    for i in 0..k.min(n - k) {
        c = c * u128::from(n - i) / u128::from(i + 1);
        if c > limit {
            return None;
        }
    }
    Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 9 heads against 2: 2 (1 + 11 + 55) / 2048.
    #[test]
    fn nine_against_two_is_counted() {
        assert_eq!(fair_coin(9, 11).two_sided.p, 134.0 / 2048.0);
        assert_eq!(fair_coin(9, 11).point.p, 55.0 / 2048.0);
        assert_eq!(fair_coin(60, 60).two_sided.p, libm::scalbn(1.0, -59));
    }

    // Exact rationals in Python: 2*sum(comb(n, i) for i <= k) / 2**n; scipy 1.17.1 binom.cdf agrees
    #[test]
    fn many_throws_match_the_distribution_function() {
        assert!((fair_coin(4800, 10_000).two_sided.p / 6.593515598672442e-05 - 1.0).abs() < 1e-11);
        assert!((fair_coin(500, 1_100).two_sided.p / 0.0028195449914364275 - 1.0).abs() < 1e-11);
    }

    // Exact rationals in Python over all tables; scipy 1.17.1 fisher_exact([[150, 50], [120, 80]]) agrees
    #[test]
    fn large_tables_match_fishers_exact_test() {
        assert!((hypergeometric_as_far(200, 200, 270, 150).p / 0.001905544650640698 - 1.0).abs() < 1e-10);
    }

    // By hand: of 4 things, 2 marked, choose 2: both or none marked in 2 of 6 ways.
    #[test]
    fn two_of_four_is_counted() {
        assert_eq!(hypergeometric_as_far(2, 2, 2, 2).p, 2.0 / 6.0);
        assert_eq!(choose_up_to(40, 20, 1 << 20), None);
        assert_eq!(choose_up_to(10, 5, 1 << 20), Some(252));
    }
}

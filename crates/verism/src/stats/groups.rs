//! Tests of several experiments at once: analysis of variance, Kruskal-Wallis, Friedman.

use serde::Serialize;

use super::constant::is_constant;
use super::moments::{Moments, unit_of};
use super::numeric::gamma::chi2_sf;
use super::numeric::student::f_sf;
use super::numeric::tail::PValue;
use super::numeric::wide::Wide;
use super::rank::{Tolerance, midranks};
use super::reason::Reason;

/// Squares between and within groups, in units of a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// Between groups.
    pub between: Wide,
    /// Within groups.
    pub within: Wide,
    /// The power of two in whose square they are counted.
    pub unit: f64,
}

impl Squares {
    /// Gives Σ n_g (x̄_g - x̄)² and ΣΣ (x - x̄_g)² of non-empty groups.
    pub fn of(groups: &[&[f64]]) -> Squares {
        let unit = unit_of(groups.iter().copied());
        let moments: Vec<Moments> = groups.iter().map(|g| Moments::of(g, unit)).collect();
        let within = moments.iter().map(|m| m.ss).sum();
        let all: Vec<f64> = groups.concat();
        if is_constant(&all) {
            return Squares { between: Wide::ZERO, within, unit };
        }
        let grand = Moments::of(&all, unit).mean;
        let between = moments.iter().map(|m| Wide::from(m.n) * (m.mean - grand).square()).sum();
        Squares { between, within, unit }
    }
}

/// Gives the groups that hold values.
pub fn filled(groups: &[Vec<f64>]) -> Vec<&[f64]> {
    groups.iter().map(Vec::as_slice).filter(|g| !g.is_empty()).collect()
}

/// One-way analysis of variance.
#[derive(Clone, Debug, Serialize)]
pub struct Anova {
    /// How many groups.
    pub k: usize,
    /// How many values.
    pub n: usize,
    /// Sum of squares between groups.
    pub ss_between: Option<f64>,
    /// Sum of squares within groups.
    pub ss_within: Option<f64>,
    /// Degrees of freedom between groups.
    pub df1: i64,
    /// Degrees of freedom within groups.
    pub df2: i64,
    /// Mean square between groups.
    pub ms_between: Option<f64>,
    /// Mean square within groups.
    pub ms_within: Option<f64>,
    /// The F statistic.
    pub f: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Share of the variance that lies between groups.
    pub eta2: Option<f64>,
    /// Pooled standard deviation.
    pub sd_within: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the one-way analysis of variance.
///
/// ```math
/// F = (SSB/(k-1))/(SSW/(N-k)),   η² = SSB/(SSB + SSW)
/// ```
///
/// Fewer than 2 groups or no group with 2 values: `too_few_values`; all groups constant: `zero_variance`, all values equal:
/// p = 1, `identical`. Source: R. A. Fisher, Statistical Methods for Research Workers (1925).
pub fn anova(groups: &[Vec<f64>]) -> Anova {
    let groups = filled(groups);
    let (k, n) = (groups.len(), groups.iter().map(|g| g.len()).sum::<usize>());
    let mut out = Anova {
        k,
        n,
        ss_between: None,
        ss_within: None,
        df1: k as i64 - 1,
        df2: n as i64 - k as i64,
        ms_between: None,
        ms_within: None,
        f: None,
        p: None,
        log10_p: None,
        eta2: None,
        sd_within: None,
        reason: None,
    };
    if k < 2 || n <= k {
        out.reason = Some(Reason::TooFewValues);
        return out;
    }
    let Squares { between, within, unit } = Squares::of(&groups);
    let (ms_between, ms_within) = (between / Wide::from(k - 1), within / Wide::from(n - k));
    let squared = |w: Wide| Some(w.round() * unit * unit);
    (out.ss_between, out.ss_within) = (squared(between), squared(within));
    (out.ms_between, out.ms_within) = (squared(ms_between), squared(ms_within));
    out.sd_within = Some(ms_within.sqrt().round() * unit);
    if within == Wide::ZERO {
        if between == Wide::ZERO {
            (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::Identical));
        } else {
            out.reason = Some(Reason::ZeroVariance);
        }
        return out;
    }
    let f = (ms_between / ms_within).round();
    let p = PValue::from(f_sf(f, (k - 1) as f64, (n - k) as f64));
    (out.f, out.eta2) = (Some(f), Some((between / (between + within)).round()));
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// The test of Kruskal and Wallis.
#[derive(Clone, Debug, Serialize)]
pub struct Kruskal {
    /// How many groups.
    pub k: usize,
    /// How many values.
    pub n: usize,
    /// The statistic, corrected for ties.
    pub h: Option<f64>,
    /// Degrees of freedom.
    pub df: i64,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// H/(n-1), its effect size.
    pub epsilon2: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the Kruskal-Wallis test with tie correction and its chi-square p.
///
/// ```math
/// H = (12/(N(N+1)) Σ R_g²/n_g - 3(N+1)) / (1 - Σ(t³-t)/(N³-N)),   ε² = H/(N-1)
/// ```
///
/// Fewer than 2 groups or 3 values: `too_few_values`; all tied: p = 1, `all_ties`.
/// Source: W. H. Kruskal, W. A. Wallis, JASA 47 (1952).
pub fn kruskal(groups: &[Vec<f64>]) -> Kruskal {
    let groups = filled(groups);
    let all: Vec<f64> = groups.concat();
    let (k, n) = (groups.len(), all.len());
    let mut out = Kruskal { k, n, h: None, df: k as i64 - 1, p: None, log10_p: None, epsilon2: None, reason: None };
    if k < 2 || n < 3 {
        out.reason = Some(Reason::TooFewValues);
        return out;
    }
    let ranks = midranks(&all, Tolerance::Relative);
    if ranks.sizes.len() == 1 {
        (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::AllTies));
        return out;
    }
    let mut start = 0;
    let mut squares = Wide::ZERO;
    for group in &groups {
        let sum: u64 = ranks.doubled[start..start + group.len()].iter().sum();
        // doubled ranks: R² = sum²/4
        squares = squares + Wide::from(u128::from(sum)).square() / Wide::from(4 * group.len());
        start += group.len();
    }
    let count = n as i128;
    let raw = Wide::from(12.0) * squares / Wide::from(count * (count + 1)) - Wide::from(3 * (count + 1));
    let cubes = count.pow(3) - count;
    let h = raw * Wide::from(cubes) / Wide::from(cubes - ranks.tie_cubes());
    let p = PValue::from(chi2_sf(h.round(), (k - 1) as f64));
    (out.h, out.epsilon2) = (Some(h.round()), Some((h / Wide::from(n - 1)).round()));
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

/// Friedman's test.
#[derive(Clone, Debug, Serialize)]
pub struct Friedman {
    /// How many groups.
    pub k: usize,
    /// How many units have a value in every group.
    pub n_blocks: usize,
    /// The statistic, corrected for ties.
    pub chi2: Option<f64>,
    /// Degrees of freedom.
    pub df: i64,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Kendall's W, its effect size.
    pub kendall_w: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives Friedman's test of k treatments on blocks that hold a value of each.
///
/// ```math
/// χ² = (12/(nk(k+1)) Σ R_j² - 3n(k+1)) / (1 - Σ(t³-t)/(nk(k²-1))),   W = χ²/(n(k-1))
/// ```
///
/// Fewer than 2 treatments or blocks: `too_few_values`; all tied: p = 1, `all_ties`.
/// Source: M. Friedman, JASA 32 (1937).
pub fn friedman(k: usize, blocks: &[Vec<f64>]) -> Friedman {
    let n = blocks.len();
    let mut out = Friedman {
        k,
        n_blocks: n,
        chi2: None,
        df: k as i64 - 1,
        p: None,
        log10_p: None,
        kendall_w: None,
        reason: None,
    };
    if k < 2 || n < 2 {
        out.reason = Some(Reason::TooFewValues);
        return out;
    }
    let mut sums = vec![0_u64; k];
    let mut tied = 0_i128;
    for block in blocks {
        let ranks = midranks(block, Tolerance::Relative);
        for (sum, rank) in sums.iter_mut().zip(&ranks.doubled) {
            *sum += rank;
        }
        tied += ranks.tie_cubes();
    }
    let (blocks, k) = (n as i128, k as i128);
    let full = blocks * k * (k * k - 1);
    if tied == full {
        (out.p, out.log10_p, out.reason) = (Some(1.0), Some(0.0), Some(Reason::AllTies));
        return out;
    }
    let squares: Wide = sums.iter().map(|s| Wide::from(u128::from(*s)).square() / Wide::from(4.0)).sum();
    let raw = Wide::from(12.0) * squares / Wide::from(blocks * k * (k + 1)) - Wide::from(3 * blocks * (k + 1));
    let chi2 = raw * Wide::from(full) / Wide::from(full - tied);
    let p = PValue::from(chi2_sf(chi2.round(), (k - 1) as f64));
    (out.chi2, out.kendall_w) = (Some(chi2.round()), Some((chi2 / Wide::from(blocks * (k - 1))).round()));
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (1,3), (4,6): SSW 4, SSB 9, F = 9/(4/2) = 4.5, η² = 9/13.
    #[test]
    fn two_groups_of_two_match_by_hand() {
        let a = anova(&[vec![1.0, 3.0], vec![4.0, 6.0]]);
        assert!((a.f.unwrap() - 4.5).abs() < 1e-15 && (a.eta2.unwrap() - 9.0 / 13.0).abs() < 1e-16);
        // with 1 and 2 degrees of freedom P(F > f) = P(|T_2| > √f) = 1 - √(f/(2+f))
        assert!((a.p.unwrap() - (1.0 - (4.5_f64 / 6.5).sqrt())).abs() < 1e-14);
    }

    // By hand: ranks (1,2), (3,4): H = 12/20 (9/2 + 49/2) - 15 = 2.4; p = P(χ²_1 > 2.4).
    #[test]
    fn kruskal_of_two_pairs_matches_by_hand() {
        let k = kruskal(&[vec![1.0, 2.0], vec![3.0, 4.0]]);
        assert!((k.h.unwrap() - 2.4).abs() < 1e-14 && (k.epsilon2.unwrap() - 0.8).abs() < 1e-15);
    }

    // By hand: three treatments always in the same order in 2 blocks: R = 2, 4, 6, χ² = 12/24·56 - 24 = 4, W = 1.
    #[test]
    fn blocks_in_full_agreement_have_w_one() {
        let f = friedman(3, &[vec![1.0, 2.0, 3.0], vec![0.1, 0.5, 0.6]]);
        assert!((f.chi2.unwrap() - 4.0).abs() < 1e-14 && (f.kendall_w.unwrap() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn degenerate_groups_are_stated() {
        assert_eq!(anova(&[vec![1.0]]).reason, Some(Reason::TooFewValues));
        assert_eq!(anova(&[vec![1.0, 1.0], vec![1.0]]).reason, Some(Reason::Identical));
        assert_eq!(anova(&[vec![1.0, 1.0], vec![2.0]]).reason, Some(Reason::ZeroVariance));
        assert_eq!(kruskal(&[vec![1.0, 1.0], vec![1.0]]).reason, Some(Reason::AllTies));
        assert_eq!(friedman(2, &[vec![1.0, 1.0], vec![2.0, 2.0]]).reason, Some(Reason::AllTies));
        assert_eq!(friedman(2, &[]).reason, Some(Reason::TooFewValues));
    }
}

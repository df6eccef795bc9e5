//! The intraclass correlation: how much of the variance lies between groups.

use serde::Serialize;

use super::groups::{Squares, filled};
use super::numeric::student::{f_isf, f_sf};
use super::numeric::tail::PValue;
use super::numeric::wide::Wide;
use super::reason::Reason;

/// The intraclass correlation of a one-way layout.
#[derive(Clone, Debug, Serialize)]
pub struct Icc {
    /// How many groups.
    pub groups: usize,
    /// How many values.
    pub n: usize,
    /// The average size of groups that the formula wants.
    pub n0: Option<f64>,
    /// Mean square between groups.
    pub ms_between: Option<f64>,
    /// Mean square within groups.
    pub ms_within: Option<f64>,
    /// Variance between groups, at least 0.
    pub var_between: Option<f64>,
    /// The same before it is cut at 0.
    pub var_between_raw: Option<f64>,
    /// Variance within groups.
    pub var_within: Option<f64>,
    /// Share of the variance that lies between groups.
    pub icc: Option<f64>,
    /// Lower end of its interval.
    pub icc_lo: Option<f64>,
    /// Upper end of its interval.
    pub icc_hi: Option<f64>,
    /// The F statistic.
    pub f: Option<f64>,
    /// Degrees of freedom between groups.
    pub df1: i64,
    /// Degrees of freedom within groups.
    pub df2: i64,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the one-way intraclass correlation with its interval, which is exact for groups of equal size.
///
/// ```math
/// n₀ = (N - Σn_i²/N)/(k-1),  σ_b² = (MSB - MSW)/n₀,  ICC = (MSB - MSW)/(MSB + (n₀-1) MSW)
/// interval: F' = F/F(1-α/2; k-1, N-k) and F·F(1-α/2; N-k, k-1), ends (F' - 1)/(F' + n₀ - 1)
/// ```
///
/// One group: `too_few_groups`; one value per group: `no_replicates`; nothing varies: `zero_variance`; nothing varies within
/// groups: `zero_within_variance`. Source: P. E. Shrout, J. L. Fleiss, Psychol. Bull. 86 (1979), ICC(1,1).
pub fn icc(groups: &[Vec<f64>], alpha: f64) -> Icc {
    let groups = filled(groups);
    let (k, n) = (groups.len(), groups.iter().map(|g| g.len()).sum::<usize>());
    let mut out = Icc {
        groups: k,
        n,
        n0: None,
        ms_between: None,
        ms_within: None,
        var_between: None,
        var_between_raw: None,
        var_within: None,
        icc: None,
        icc_lo: None,
        icc_hi: None,
        f: None,
        df1: k as i64 - 1,
        df2: n as i64 - k as i64,
        p: None,
        log10_p: None,
        reason: None,
    };
    if k < 2 || n <= k {
        out.reason = Some(if k < 2 { Reason::TooFewGroups } else { Reason::NoReplicates });
        return out;
    }
    let Squares { between, within, unit } = Squares::of(&groups);
    let sizes: i128 = groups.iter().map(|g| (g.len() as i128).pow(2)).sum();
    let whole = n as i128;
    let n0 = Wide::from(whole * whole - sizes) / Wide::from(whole * (k as i128 - 1));
    let (msb, msw) = (between / Wide::from(k - 1), within / Wide::from(n - k));
    let raw = (msb - msw) / n0;
    let squared = |w: Wide| Some(w.round() * unit * unit);
    out.n0 = Some(n0.round());
    (out.ms_between, out.ms_within, out.var_within) = (squared(msb), squared(msw), squared(msw));
    (out.var_between, out.var_between_raw) = (squared(raw.or_zero()), squared(raw));
    if msb == Wide::ZERO && msw == Wide::ZERO {
        out.reason = Some(Reason::ZeroVariance);
        return out;
    }
    let one = Wide::from(1.0);
    out.icc = Some(((msb - msw) / (msb + (n0 - one) * msw)).round());
    if msw == Wide::ZERO {
        out.reason = Some(Reason::ZeroWithinVariance);
        return out;
    }
    let f = (msb / msw).round();
    let (df1, df2) = ((k - 1) as f64, (n - k) as f64);
    let p = PValue::from(f_sf(f, df1, df2));
    let end = |f: f64| (f - 1.0) / (f + n0.round() - 1.0);
    out.f = Some(f);
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out.icc_lo = Some(end(f / f_isf(alpha / 2.0, df1, df2)));
    out.icc_hi = Some(end(f * f_isf(alpha / 2.0, df2, df1)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // Shrout and Fleiss (1979), table 4: six targets, four judges, ICC(1,1) = 0.17, between MS 11.24, within MS 6.26.
    #[test]
    fn the_published_example_has_its_published_value() {
        let rows = [
            [9., 2., 5., 8.],
            [6., 1., 3., 2.],
            [8., 4., 6., 8.],
            [7., 1., 2., 6.],
            [10., 5., 6., 9.],
            [6., 2., 4., 7.],
        ];
        let r = icc(&rows.map(|g| g.to_vec()), 0.05);
        assert!((r.ms_between.unwrap() - 11.24).abs() < 5e-3 && (r.ms_within.unwrap() - 6.26).abs() < 5e-3);
        assert!((r.icc.unwrap() - 0.17).abs() < 5e-3);
        assert!((r.icc_lo.unwrap() + 0.13).abs() < 5e-3 && (r.icc_hi.unwrap() - 0.72).abs() < 5e-3);
    }

    #[test]
    fn degenerate_groups_are_stated() {
        assert_eq!(icc(&[vec![1.0, 2.0]], 0.05).reason, Some(Reason::TooFewGroups));
        assert_eq!(icc(&[vec![1.0], vec![2.0]], 0.05).reason, Some(Reason::NoReplicates));
        assert_eq!(icc(&[vec![1.0, 1.0], vec![1.0]], 0.05).reason, Some(Reason::ZeroVariance));
        let apart = icc(&[vec![1.0, 1.0], vec![2.0, 2.0]], 0.05);
        assert_eq!((apart.icc, apart.reason), (Some(1.0), Some(Reason::ZeroWithinVariance)));
    }
}

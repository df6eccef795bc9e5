//! Means and differences of rows that come in clusters.

use std::collections::BTreeMap;

use serde::Serialize;

use super::constant::{TIE, is_constant, largest, same};
use super::describe::Factor;
use super::moments::{Moments, unit_of};
use super::numeric::student::two_sided_t;
use super::numeric::wide::Wide;
use super::reason::Reason;
use super::t_test::TResult;

/// Which cluster-robust variance is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterSe {
    /// Bell and McCaffrey's bias-reduced estimator with its degrees of freedom.
    Cr2,
    /// Factor G/(G-1), G - 1 degrees of freedom.
    Cr1,
    /// No factor, G - 1 degrees of freedom.
    Cr0,
}

/// Rows of one sample in their clusters, ordered by the clusters' names in bytes.
#[derive(Clone, Debug)]
pub struct Clusters<'a> {
    /// The values of each cluster, clusters in byte order.
    pub rows: BTreeMap<&'a str, Vec<f64>>,
    /// How many values.
    pub n: usize,
}

impl<'a> Clusters<'a> {
    /// Gives the rows grouped by cluster; values and names are equally long.
    pub fn of(values: &[f64], names: &[&'a str]) -> Clusters<'a> {
        let mut rows: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (value, name) in values.iter().zip(names) {
            rows.entry(name).or_default().push(*value);
        }
        Clusters { rows, n: values.len() }
    }

    /// Gives the values, cluster by cluster.
    pub fn flat(&self) -> Vec<f64> {
        self.rows.values().flatten().copied().collect()
    }
}

/// One sample's share in a cluster: its size, and its deviation Σ(y - ȳ) in units.
#[derive(Clone, Copy)]
struct SampleInCluster {
    size: i128,
    rows: i128,
    deviation: Wide,
}

impl SampleInCluster {
    /// c = 1/(N √(1 - m/N)), 0 for a cluster that holds all rows
    fn cr2_weight(self) -> Wide {
        if self.size == self.rows {
            return Wide::ZERO;
        }
        let root = (Wide::from(self.rows - self.size) / Wide::from(self.rows)).sqrt();
        Wide::from(1.0) / (Wide::from(self.rows) * root)
    }
}

/// Squared standard error and degrees of freedom of a mean or a difference of means.
///
/// ```math
/// u_g = Σ_e ± c_eg S_eg,  V = Σ_g u_g²;  df = (Σ_g a_gg)²/Σ_gh a_gh²,  a_gh = Σ_e c_eg c_eh (δ_gh m_eg - m_eg m_eh/N_e)
/// ```
///
/// Each entry of `clusters` holds the parts of one cluster, one per sample; the first counts plus, the second minus.
/// Source: R. M. Bell, D. F. McCaffrey, Survey Methodology 28 (2002), in closed form for means.
fn robust_variance(clusters: &[[Option<SampleInCluster>; 2]], kind: ClusterSe) -> (Wide, f64) {
    let g = clusters.len();
    let weight = |part: &SampleInCluster| match kind {
        ClusterSe::Cr2 => part.cr2_weight(),
        ClusterSe::Cr1 | ClusterSe::Cr0 => Wide::from(1.0) / Wide::from(part.rows),
    };
    let contribution = |part: &Option<SampleInCluster>| part.map_or(Wide::ZERO, |p| weight(&p) * p.deviation);
    let variance: Wide = clusters.iter().map(|[plus, minus]| (contribution(plus) - contribution(minus)).square()).sum();
    match kind {
        ClusterSe::Cr0 => (variance, g as f64 - 1.0),
        ClusterSe::Cr1 => (variance * Wide::from(g) / Wide::from(g - 1), g as f64 - 1.0),
        ClusterSe::Cr2 => (variance, bell_mccaffrey_df(clusters)),
    }
}

/// Σ_gh a_gh² without the G x G matrix: for samples e and f
/// Σ_g c_e² c_f² m_e m_f (1 - m_e/N_e - m_f/N_f) + (Σ_g c_e c_f m_e m_f)²/(N_e N_f).
fn bell_mccaffrey_df(clusters: &[[Option<SampleInCluster>; 2]]) -> f64 {
    let mut trace = Wide::ZERO;
    let mut squares = Wide::ZERO;
    for e in 0..2 {
        for f in 0..2 {
            let both = || clusters.iter().filter_map(|c| c[e].zip(c[f]));
            let product = |(a, b): (SampleInCluster, SampleInCluster)| {
                a.cr2_weight() * b.cr2_weight() * Wide::from(a.size) * Wide::from(b.size)
            };
            let diagonal: Wide = both()
                .map(|(a, b)| {
                    let share = Wide::from(a.rows * b.rows - a.size * b.rows - b.size * a.rows);
                    product((a, b)) * a.cr2_weight() * b.cr2_weight() * share / Wide::from(a.rows * b.rows)
                })
                .sum();
            let crossed: Wide = both().map(product).sum();
            let rows = both().next().map_or(1, |(a, b)| a.rows * b.rows);
            squares = squares + diagonal + crossed.square() / Wide::from(rows);
            if e == f {
                let own = both().map(|(a, _)| {
                    a.cr2_weight().square() * Wide::from(a.size * (a.rows - a.size)) / Wide::from(a.rows)
                });
                trace = trace + own.sum();
            }
        }
    }
    if squares.round() > 0.0 { (trace.square() / squares).round() } else { 0.0 }
}

fn part(rows: &[f64], n: usize, mean: Wide, unit: f64) -> SampleInCluster {
    let sum: Wide = rows.iter().map(|v| Wide::from(v / unit) - mean).sum();
    SampleInCluster { size: rows.len() as i128, rows: n as i128, deviation: sum }
}

/// The mean of clustered rows.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterMean {
    /// How many values.
    pub n: usize,
    /// How many clusters.
    pub clusters: usize,
    /// The mean.
    pub mean: Option<f64>,
    /// Cluster-robust standard error.
    pub se: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// Standard error as if rows were independent.
    pub se_naive: Option<f64>,
    /// Ratio of the two variances.
    pub deff: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the mean of clustered rows with a cluster-robust interval.
///
/// ```math
/// ȳ ± t(1-α/2, df) √V,   deff = V/(s²/N)
/// ```
///
/// No rows: `no_values`; one cluster: `one_cluster`; no variation: `zero_variance`.
pub fn cluster_mean(rows: &Clusters, kind: ClusterSe, alpha: f64) -> ClusterMean {
    let flat = rows.flat();
    let n = flat.len();
    let mut out = ClusterMean {
        n,
        clusters: rows.rows.len(),
        mean: None,
        se: None,
        df: None,
        ci_lo: None,
        ci_hi: None,
        se_naive: None,
        deff: None,
        reason: None,
    };
    if n == 0 {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let unit = unit_of([&flat[..]]);
    let moments = Moments::of(&flat, unit);
    out.mean = Some(moments.mean.round() * unit);
    if rows.rows.len() < 2 {
        out.reason = Some(Reason::OneCluster);
        return out;
    }
    let parts: Vec<[Option<SampleInCluster>; 2]> =
        rows.rows.values().map(|values| [Some(part(values, n, moments.mean, unit)), None]).collect();
    let (variance, df) = robust_variance(&parts, kind);
    let se = variance.sqrt();
    // Deviations that cancel exactly leave only the rounding of 106 bits.
    if is_constant(&flat) || se.round() * unit <= libm::scalbn(largest(&flat), -90) {
        (out.se, out.reason) = (Some(0.0), Some(Reason::ZeroVariance));
        return out;
    }
    let naive = moments.variance() / Wide::from(n);
    let half = Wide::from(two_sided_t(alpha, df)) * se;
    (out.se, out.df) = (Some(se.round() * unit), Some(df));
    (out.ci_lo, out.ci_hi) = (Some((moments.mean - half).round() * unit), Some((moments.mean + half).round() * unit));
    (out.se_naive, out.deff) = (Some(naive.sqrt().round() * unit), Some((variance / naive).round()));
    out
}

/// The difference of two means of clustered rows.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterDiff {
    /// How many values of x.
    pub n_x: usize,
    /// How many values of y.
    pub n_y: usize,
    /// How many clusters of x.
    pub clusters_x: usize,
    /// How many clusters of y.
    pub clusters_y: usize,
    /// Whether both samples share their clusters.
    pub crossed: bool,
    /// Difference, test and interval.
    #[serde(flatten)]
    pub result: TResult,
}

/// Gives the difference of two means of clustered rows with a cluster-robust t test.
///
/// Crossed: clusters of one name are one cluster that both samples share; else all clusters are distinct. Fewer than two
/// clusters in a sample: `one_cluster`; no rows: `no_values`; no variation: `zero_variance` or `identical`.
pub fn cluster_diff(
    x: &Clusters,
    y: &Clusters,
    crossed: bool,
    kind: ClusterSe,
    alpha: f64,
    factor: Factor,
) -> ClusterDiff {
    let (flat_x, flat_y) = (x.flat(), y.flat());
    let with = |result| ClusterDiff {
        n_x: x.n,
        n_y: y.n,
        clusters_x: x.rows.len(),
        clusters_y: y.rows.len(),
        crossed,
        result,
    };
    if flat_x.is_empty() || flat_y.is_empty() {
        return with(TResult::untested(Reason::NoValues, None));
    }
    let unit = unit_of([&flat_x[..], &flat_y[..]]);
    let (mx, my) = (Moments::of(&flat_x, unit).mean, Moments::of(&flat_y, unit).mean);
    let diff = mx - my;
    if x.rows.len() < 2 || y.rows.len() < 2 {
        return with(TResult::untested(Reason::OneCluster, Some(diff.round() * unit)));
    }
    let plus = |values: &Vec<f64>| part(values, x.n, mx, unit);
    let minus = |values: &Vec<f64>| part(values, y.n, my, unit);
    let parts: Vec<[Option<SampleInCluster>; 2]> = if crossed {
        let mut names: Vec<&str> = x.rows.keys().chain(y.rows.keys()).copied().collect();
        names.sort_unstable();
        names.dedup();
        names.iter().map(|name| [x.rows.get(name).map(plus), y.rows.get(name).map(minus)]).collect()
    } else {
        let of_x = x.rows.values().map(|v| [Some(plus(v)), None]);
        of_x.chain(y.rows.values().map(|v| [None, Some(minus(v))])).collect()
    };
    let (variance, df) = robust_variance(&parts, kind);
    let se = variance.sqrt();
    if se.round() * unit <= TIE * largest(&flat_x).max(largest(&flat_y)) {
        return with(TResult::without_spread(diff.round() * unit, same(mx.round(), my.round())));
    }
    with(TResult::of(diff, se, df, unit, alpha, factor))
}

#[cfg(test)]
mod tests {
    use super::super::t_test::student;
    use super::super::two_samples::TwoSamples;
    use super::*;

    // By hand: rows a: 1,2; b: 3,4: S = ∓2, V = (4/½ + 4/½)/16 = 1, df 1; naive SE √(5/3/4) = 0.645, deff 2.4.
    #[test]
    fn two_clusters_match_the_worked_example() {
        let rows = Clusters::of(&[1.0, 2.0, 3.0, 4.0], &["a", "a", "b", "b"]);
        let m = cluster_mean(&rows, ClusterSe::Cr2, 0.05);
        assert!((m.se.unwrap() - 1.0).abs() < 1e-15 && (m.df.unwrap() - 1.0).abs() < 1e-12);
        assert!((m.deff.unwrap() - 2.4).abs() < 1e-14);
    }

    // Balanced clusters: CR2 is Student's t test on the cluster means (section 9 of the specification).
    #[test]
    fn balanced_nested_clusters_are_the_t_test_on_means() {
        let x = Clusters::of(&[1.0, 2.0, 3.0, 5.0, 8.0, 1.5], &["a", "a", "b", "b", "c", "c"]);
        let y = Clusters::of(&[0.5, 1.0, 2.0, 2.5, 4.0, 1.0], &["a", "a", "b", "b", "c", "c"]);
        let robust = cluster_diff(&x, &y, false, ClusterSe::Cr2, 0.05, Factor::T).result;
        let means = student(&TwoSamples::of(&[1.5, 4.0, 4.75], &[0.75, 2.25, 2.5]), 0.05, Factor::T).result;
        assert!((robust.se.unwrap() - means.se.unwrap()).abs() < 1e-14);
        assert!((robust.df.unwrap() - means.df.unwrap()).abs() < 1e-10);
    }

    #[test]
    fn one_cluster_has_no_error() {
        let one = Clusters::of(&[1.0, 2.0], &["a", "a"]);
        assert_eq!(cluster_mean(&one, ClusterSe::Cr1, 0.05).reason, Some(Reason::OneCluster));
        let result = cluster_diff(&one, &one, true, ClusterSe::Cr2, 0.05, Factor::T).result;
        assert_eq!((result.reason, result.se), (Some(Reason::OneCluster), None));
        assert_eq!(cluster_mean(&Clusters::of(&[], &[]), ClusterSe::Cr2, 0.05).reason, Some(Reason::NoValues));
    }
}

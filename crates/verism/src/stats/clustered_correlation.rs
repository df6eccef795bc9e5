//! The test of a correlation between points that come in clusters.

use std::collections::BTreeMap;

use super::numeric::student::{t_two_sided, two_sided_t};
use super::numeric::tail::PValue;

/// A correlation with a standard error that allows for clusters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredCorrelation {
    /// The p-value.
    pub p: PValue,
    /// Degrees of freedom.
    pub df: f64,
    /// The interval.
    pub ends: (f64, f64),
}

/// Gives the cluster-robust test and interval of a correlation; `None` with fewer than three clusters or without variation.
///
/// ```math
/// u_i = a_i b_i - r (a_i² + b_i²)/2,  U_g = Σ u_i/(1 - n_g/n);   SE = √ΣU_g²/n,  z = atanh r,  SE_z = SE/(1 - r²)
/// df = (Σ n_g²)²/Σ n_g⁴ - 2
/// ```
///
/// a, b are the standardised values (ranks for Spearman's ρ), u the influence of a point on r; clusters are left out as by the
/// jackknife. The test is t = z/SE_z, the interval tanh(z ± t SE_z). Source: B. Efron, The Jackknife, the Bootstrap and Other
/// Resampling Plans (1982), chapter 3; degrees of freedom as R. M. Bell, D. F. McCaffrey (2002) count them.
pub fn clustered_correlation(x: &[f64], y: &[f64], clusters: &[&str], alpha: f64) -> Option<ClusteredCorrelation> {
    let (a, b) = (standardised(x)?, standardised(y)?);
    let n = a.len() as f64;
    let r = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / n;
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for ((a, b), cluster) in a.iter().zip(&b).zip(clusters) {
        let (sum, size) = sums.entry(cluster).or_default();
        *sum += a * b - r * (a * a + b * b) / 2.0;
        *size += 1.0;
    }
    if sums.len() < 3 || 1.0 - r * r <= 1e-12 {
        return None;
    }
    let left_out = |(sum, size): &(f64, f64)| sum / (1.0 - size / n);
    let variance = sums.values().map(|own| left_out(own) * left_out(own)).sum::<f64>() / (n * n);
    let power = |k: i32| sums.values().map(|(_, size)| size.powi(k)).sum::<f64>();
    let df = (power(2) * power(2) / power(4) - 2.0).max(1.0);
    let (z, error) = (libm::atanh(r), variance.sqrt() / (1.0 - r * r));
    if error <= 0.0 || !error.is_finite() {
        return None;
    }
    let half = two_sided_t(alpha, df) * error;
    let p = PValue::from(t_two_sided(z / error, df));
    Some(ClusteredCorrelation { p, df, ends: (libm::tanh(z - half), libm::tanh(z + half)) })
}

fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    (variance > 0.0 && variance.is_finite()).then(|| values.iter().map(|v| (v - mean) / variance.sqrt()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: x = (-1, -1, 1, 1), y = (-1, 1, -1, 1) three times over, each copy a cluster: r = 0, every U is 0 within a copy,
    // so there is no error to go by.
    #[test]
    fn clusters_that_agree_exactly_have_no_error() {
        let x = [-1.0, -1.0, 1.0, 1.0].repeat(3);
        let y = [-1.0, 1.0, -1.0, 1.0].repeat(3);
        let names: Vec<&str> = ["a", "b", "c"].iter().flat_map(|c| [*c; 4]).collect();
        assert_eq!(clustered_correlation(&x, &y, &names, 0.05), None);
    }

    // By hand: four clusters of one point each at (±1, ±1), three on the diagonal once more: n = 7 in clusters of sizes
    // 1..: the degrees of freedom are (Σ n_g²)²/Σ n_g⁴ - 2 = 7 - 2 for seven single points.
    #[test]
    fn single_points_count_each() {
        let x = [-1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0];
        let y = [-1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0];
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(clustered_correlation(&x, &y, &names, 0.05).unwrap().df, 5.0);
        assert_eq!(clustered_correlation(&x, &y, &["a"; 7], 0.05), None);
    }

    // A copy of every point in its cluster changes neither r nor the error, up to the clusters' share of the points.
    #[test]
    fn points_written_twice_are_no_new_evidence() {
        let x: Vec<f64> = (0..12).map(|i| f64::from(i * i % 7)).collect();
        let y: Vec<f64> = (0..12).map(|i| f64::from(i * 5 % 11)).collect();
        let names: Vec<String> = (0..12).map(|i| format!("c{i}")).collect();
        let twice = |v: &[f64]| v.iter().flat_map(|v| [*v, *v]).collect::<Vec<f64>>();
        let once: Vec<&str> = names.iter().map(String::as_str).collect();
        let doubled: Vec<&str> = once.iter().flat_map(|c| [*c, *c]).collect();
        let a = clustered_correlation(&x, &y, &once, 0.05).unwrap();
        let b = clustered_correlation(&twice(&x), &twice(&y), &doubled, 0.05).unwrap();
        assert!((a.p.p.unwrap() - b.p.p.unwrap()).abs() < 1e-12 && a.df == b.df);
    }
}

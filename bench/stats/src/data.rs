//! Random data of the calibration protocol: word k of replicate r of design D has key (2, 9) and counter (k div 4, r, D, 0).

use verism::stats::numeric::normal::normal_isf;
use verism::stats::random::{Domain, Draw};

/// Gives uniform numbers in (0, 1): (floor(w / 2^11) + ½) 2^-53.
pub(crate) fn uniforms(design: u64, replicate: u64, count: usize) -> Vec<f64> {
    let words = Draw::new(2, Domain::Calibration, replicate).in_stream(design).words();
    words.take(count).map(|w| ((w >> 11) as f64 + 0.5) * 2f64.powi(-53)).collect()
}

/// Gives standard normal numbers: Φ⁻¹ of the uniform ones.
pub(crate) fn normals(design: u64, replicate: u64, count: usize) -> Vec<f64> {
    uniforms(design, replicate, count).into_iter().map(|u| -normal_isf(u)).collect()
}

/// Gives exponential numbers with mean 1.
pub(crate) fn exponentials(design: u64, replicate: u64, count: usize) -> Vec<f64> {
    uniforms(design, replicate, count).into_iter().map(|u| -libm::log(u)).collect()
}

/// Rows in clusters: a cluster's effect, plus noise of the row.
pub(crate) struct Rows {
    pub(crate) values: Vec<f64>,
    pub(crate) clusters: Vec<String>,
}

/// Gives rows from z: first one number per cluster, then one per row; `extra` adds a given effect per cluster.
pub(crate) fn clustered(z: &[f64], sizes: &[usize], of_cluster: f64, of_row: f64, extra: Option<&[f64]>) -> Rows {
    let mut rows = Rows { values: Vec::new(), clusters: Vec::new() };
    let mut noise = z[sizes.len()..].iter();
    for (g, size) in sizes.iter().enumerate() {
        let effect = of_cluster * z[g] + extra.map_or(0.0, |e| e[g]);
        for _ in 0..*size {
            rows.values.push(effect + of_row * noise.next().expect("one number per row"));
            rows.clusters.push(format!("c{g:02}"));
        }
    }
    rows
}

//! The Vendi score: how many different texts a batch is worth.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::eigen::eigenvalues;
use super::points::Points;
use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{Found, Tried};

/// Evidence of `vendi`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spectrum {
    pub(crate) largest_eigenvalue: f64,
}

/// Eigenvalues below are taken for zero.
const SMALL: f64 = 1e-12;

/// Effective number of different texts.
///
/// ```math
/// vendi = exp(-Σ λ ln λ),  λ: eigenvalues of K / n, K the matrix of cosines
/// ```
/// The matrix of n texts and that of their d dimensions have the same eigenvalues but for zeros: the smaller is taken.
/// Source: Friedman and Dieng, TMLR 2023.
pub(crate) fn vendi(points: &Points) -> Tried<Spectrum> {
    let (n, d) = (points.len(), points.dimension());
    let size = n.min(d);
    let lower = |i: usize| -> Vec<f64> {
        if n <= d {
            let product = |j: usize| points.row(i).iter().zip(points.row(j)).fold(0.0, |sum, (x, y)| sum + x * y);
            return (0..=i).map(|j| product(j) / n as f64).collect();
        }
        // Row by row of the points, so that they are read in their order.
        let mut sums = vec![0.0; i + 1];
        for row in 0..n {
            let row = points.row(row);
            let x = row[i];
            sums.iter_mut().zip(row).for_each(|(sum, y)| *sum += x * y);
        }
        sums.iter_mut().for_each(|sum| *sum /= n as f64);
        sums
    };
    let rows: Vec<Vec<f64>> = (0..size).into_par_iter().map(lower).collect();
    let mut matrix = vec![0.0; size * size];
    for (i, row) in rows.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            (matrix[i * size + j], matrix[j * size + i]) = (*x, *x);
        }
    }
    let found = eigenvalues(matrix, size);
    let terms = found.iter().rev().filter(|x| **x > SMALL).map(|x| -x * pxfm::f_log(*x));
    let value = pxfm::f_exp(neumaier(terms));
    let largest_eigenvalue = found.last().copied().unwrap_or(0.0);
    Ok(Found { value, n: n as u64, evidence: Spectrum { largest_eigenvalue } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_worth_one_and_orthogonal_ones_all() {
        let one = vendi(&Points::new([0.6, 0.8].repeat(5), 2)).expect("defined");
        assert!((one.value - 1.0).abs() < 1e-12 && (one.evidence.largest_eigenvalue - 1.0).abs() < 1e-12);
        let three = vendi(&Points::new(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], 3)).expect("defined");
        assert!((three.value - 3.0).abs() < 1e-12);
    }
}

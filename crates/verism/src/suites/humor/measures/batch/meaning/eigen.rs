//! Eigenvalues of a symmetric matrix.

/// The eigenvalues of a symmetric matrix, given row by row, in rising order.
///
/// Householder reflections to three diagonals, then implicit QL steps. Source: Bowdler, Martin, Reinsch and Wilkinson,
/// Numerische Mathematik 11 (1968); Martin, Reinsch and Wilkinson, the same volume.
pub(crate) fn eigenvalues(mut a: Vec<f64>, n: usize) -> Vec<f64> {
    let (mut d, mut e) = tridiagonal(&mut a, n);
    ql(&mut d, &mut e);
    d.sort_by(f64::total_cmp);
    d
}

/// Diagonal and the one beside it (the first entry of which is 0) of a similar matrix with three diagonals.
fn tridiagonal(a: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut d, mut e) = (vec![0.0; n], vec![0.0; n]);
    for i in (1..n).rev() {
        // The row to be cleared but for its last entry before the diagonal.
        let (above, rest) = a.split_at_mut(i * n);
        let row = &mut rest[..i];
        let scale: f64 = row[..i - 1].iter().map(|x| x.abs()).sum();
        if scale == 0.0 {
            e[i] = row[i - 1];
            continue;
        }
        let scale = scale + row[i - 1].abs();
        row.iter_mut().for_each(|x| *x /= scale);
        let mut h: f64 = row.iter().map(|x| x * x).sum();
        let f = row[i - 1];
        let g = if f >= 0.0 { -h.sqrt() } else { h.sqrt() };
        e[i] = scale * g;
        h -= f * g;
        row[i - 1] = f - g;
        // p = A u / h, by the lower triangle alone.
        let p = &mut d[..i];
        p.fill(0.0);
        for j in 0..i {
            let line = &above[j * n..j * n + j + 1];
            let u = row[j];
            let mut sum = line[j] * u;
            for k in 0..j {
                sum += line[k] * row[k];
                p[k] += line[k] * u;
            }
            p[j] += sum;
        }
        p.iter_mut().for_each(|x| *x /= h);
        let f: f64 = p.iter().zip(row.iter()).map(|(p, u)| p * u).sum();
        let half = f / (h + h);
        p.iter_mut().zip(row.iter()).for_each(|(p, u)| *p -= half * u);
        for j in 0..i {
            let (u, q) = (row[j], p[j]);
            let line = &mut above[j * n..j * n + j + 1];
            line.iter_mut().zip(p.iter().zip(row.iter())).for_each(|(x, (p, r))| *x -= u * p + q * r);
        }
    }
    for (i, d) in d.iter_mut().enumerate() {
        *d = a[i * n + i];
    }
    (d, e)
}

/// Steps after which an eigenvalue is taken as it is.
const STEPS: usize = 60;

/// Turns the diagonal of a matrix with three diagonals into its eigenvalues.
fn ql(d: &mut [f64], e: &mut [f64]) {
    let n = d.len();
    e.rotate_left(usize::from(n > 0));
    if let Some(last) = e.last_mut() {
        *last = 0.0;
    }
    for l in 0..n {
        for _ in 0..STEPS {
            let small = |m: &usize| e[*m].abs() <= f64::EPSILON * (d[*m].abs() + d[*m + 1].abs());
            let m = (l..n - 1).find(small).unwrap_or(n - 1);
            if m == l {
                break;
            }
            let mut g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let mut r = g.hypot(1.0);
            g = d[m] - d[l] + e[l] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut early = false;
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                r = (f * f + g * g).sqrt();
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    early = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
            }
            if !early {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn small_matrices_by_hand() {
        // (2 1; 1 2): 1 and 3. A matrix of ones of size 3: 0, 0, 3.
        let close = |found: Vec<f64>, wanted: &[f64]| {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-14)
        };
        assert!(close(eigenvalues(vec![2.0, 1.0, 1.0, 2.0], 2), &[1.0, 3.0]));
        assert!(close(eigenvalues(vec![1.0; 9], 3), &[0.0, 0.0, 3.0]));
        assert!(close(eigenvalues(vec![5.0], 1), &[5.0]));
        assert!(eigenvalues(vec![], 0).is_empty());
    }

    proptest! {
        /// Sum, and sum of squares, of the eigenvalues are trace and squared norm.
        #[test]
        fn trace_and_norm_are_kept(values in prop::collection::vec(-1.0..1.0_f64, 36)) {
            let n = 8;
            let mut a = vec![0.0; n * n];
            let mut values = values.into_iter();
            for i in 0..n {
                for j in 0..=i {
                    let x = values.next().unwrap_or(0.5);
                    (a[i * n + j], a[j * n + i]) = (x, x);
                }
            }
            let trace: f64 = (0..n).map(|i| a[i * n + i]).sum();
            let norm: f64 = a.iter().map(|x| x * x).sum();
            let found = eigenvalues(a, n);
            prop_assert!((found.iter().sum::<f64>() - trace).abs() < 1e-12);
            prop_assert!((found.iter().map(|x| x * x).sum::<f64>() - norm).abs() < 1e-12);
        }
    }
}

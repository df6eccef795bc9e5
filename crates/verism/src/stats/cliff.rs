//! Cliff's δ: how much more often one sample is above the other than below it.

use super::numeric::normal::two_sided_z;
use super::numeric::wide::Wide;
use super::two_samples::TwoSamples;

/// δ and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cliff {
    /// δ itself.
    pub delta: f64,
    /// `None` where a sample has fewer than two values.
    pub interval: Option<(f64, f64)>,
}

/// Gives Cliff's δ of two non-empty samples.
///
/// ```math
/// δ = (#(x > y) - #(x < y))/(n_x n_y)
/// v = max([n_y² Σ(d_i. - δ)² + n_x² Σ(d_.j - δ)² - ΣΣ(d_ij - δ)²]/(n_x n_y (n_x-1)(n_y-1)), (1 - δ²)/(n_x n_y - 1))
/// interval (δ - δ³ ± z√v √((1-δ²)² + z²v))/(1 - δ² + z²v) within [-1, 1];  |δ| = 1: inner end ±(m - z²)/(m + z²)
/// ```
///
/// d_ij = sign(x_i - y_j), d_i. and d_.j its row and column means, m the smaller sample size.
/// Source: N. Cliff, Psychol. Bull. 114 (1993); D. Feng, N. Cliff, J. Mod. Appl. Stat. Methods 3 (2004).
pub fn cliffs_delta(samples: &TwoSamples, alpha: f64) -> Cliff {
    let (n, m) = (samples.x.len() as i128, samples.y.len() as i128);
    let dominance = Dominance::of(samples);
    let (sum, cells) = (dominance.sum, n * m);
    let delta = Wide::from(sum) / Wide::from(cells);
    let d = delta.round();
    if n < 2 || m < 2 {
        return Cliff { delta: d, interval: None };
    }
    let square = two_sided_z(alpha).powi(2);
    if sum.abs() == cells {
        let smaller = n.min(m) as f64;
        let inner = (smaller - square) / (smaller + square);
        return Cliff { delta: d, interval: Some(if sum > 0 { (inner, 1.0) } else { (-1.0, -inner) }) };
    }
    // The bracket times n_x n_y, in whole numbers: every d_i. is a row sum over n_y, every d_.j a column sum over n_x.
    let bracket =
        cells * (dominance.row_squares + dominance.column_squares - dominance.cell_squares) - sum * sum * (n + m - 1);
    let unbiased = Wide::from(bracket) / Wide::from(cells * cells) / Wide::from((n - 1) * (m - 1));
    let rest = Wide::from(cells * cells - sum * sum) / Wide::from(cells * cells);
    let least = rest / Wide::from(cells - 1);
    let v = unbiased.round().max(least.round());
    let rest = rest.round();
    let root = (square * v * (rest * rest + square * v)).sqrt();
    let bottom = rest + square * v;
    let interval = (((d * rest - root) / bottom).max(-1.0), ((d * rest + root) / bottom).min(1.0));
    Cliff { delta: d, interval: Some(interval) }
}

/// Sums over the matrix of signs of x_i - y_j, without the matrix.
struct Dominance {
    sum: i128,
    row_squares: i128,
    column_squares: i128,
    cell_squares: i128,
}

impl Dominance {
    fn of(samples: &TwoSamples) -> Dominance {
        let ranks = &samples.ranks().doubled;
        // Doubled ranks go up to 2N, so the numbers of values at each are a short list in order.
        let mut at = vec![[0_i128; 2]; 2 * ranks.len() + 1];
        for (place, rank) in ranks.iter().enumerate() {
            at[*rank as usize][usize::from(place >= samples.x.len())] += 1;
        }
        let (n, m) = (samples.x.len() as i128, samples.y.len() as i128);
        let (mut x_below, mut y_below) = (0, 0);
        let mut out = Dominance { sum: 0, row_squares: 0, column_squares: 0, cell_squares: 0 };
        for [x_here, y_here] in at {
            let row = y_below - (m - y_below - y_here);
            let column = x_below - (n - x_below - x_here);
            out.sum += x_here * row;
            out.row_squares += x_here * row * row;
            out.cell_squares += x_here * (m - y_here);
            out.column_squares += y_here * column * column;
            (x_below, y_below) = (x_below + x_here, y_below + y_here);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: (3,4) v (1,3): +, 0, +, + of 4.
    #[test]
    fn delta_matches_the_worked_example() {
        assert_eq!(cliffs_delta(&TwoSamples::of(&[3.0, 4.0], &[1.0, 3.0]), 0.05).delta, 0.75);
    }

    // By hand: complete separation of 5 v 4: inner end (4 - z²)/(4 + z²), z = 1.959963984540054.
    #[test]
    fn complete_separation_keeps_an_inner_end() {
        let c = cliffs_delta(&TwoSamples::of(&[5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 3.0, 4.0]), 0.05);
        let z2 = 1.959963984540054_f64.powi(2);
        let (lo, hi) = c.interval.unwrap();
        assert!((lo - (4.0 - z2) / (4.0 + z2)).abs() < 1e-14 && hi == 1.0);
    }

    // The definition with the full matrix.
    #[test]
    fn variance_without_the_matrix_matches_the_definition() {
        let x = [0.1, 0.5, 0.5, 0.9, 0.3];
        let y = [0.2, 0.5, 0.1, 0.05];
        let sign = |a: f64, b: f64| {
            if a > b {
                1.0
            } else if a < b {
                -1.0
            } else {
                0.0
            }
        };
        let (n, m) = (5.0, 4.0);
        let delta = x.iter().flat_map(|a| y.iter().map(|b| sign(*a, *b))).sum::<f64>() / (n * m);
        let rows: f64 = x.iter().map(|a| (y.iter().map(|b| sign(*a, *b)).sum::<f64>() / m - delta).powi(2)).sum();
        let columns: f64 = y.iter().map(|b| (x.iter().map(|a| sign(*a, *b)).sum::<f64>() / n - delta).powi(2)).sum();
        let cells: f64 = x.iter().flat_map(|a| y.iter().map(move |b| (sign(*a, *b) - delta).powi(2))).sum();
        let v = ((m * m * rows + n * n * columns - cells) / (n * m * (n - 1.0) * (m - 1.0)))
            .max((1.0 - delta * delta) / (n * m - 1.0));
        let z2 = 1.959963984540054_f64.powi(2);
        let half = (z2 * v * ((1.0 - delta * delta).powi(2) + z2 * v)).sqrt();
        let low = (delta - delta.powi(3) - half) / (1.0 - delta * delta + z2 * v);
        let c = cliffs_delta(&TwoSamples::of(&x, &y), 0.05);
        assert!((c.delta - delta).abs() < 1e-15 && (c.interval.unwrap().0 - low.max(-1.0)).abs() < 1e-13);
    }
}

//! Attention of the tokens of one text to each other.

use pulp::Simd;

use super::exponential::exp;
use super::matrix::{Panels, Rows, multiply};
use super::norm::sum;

/// Room for the intermediate results of one text and head.
#[derive(Default)]
pub(super) struct Room {
    panels: Vec<f32>,
    weights: Vec<f32>,
}

/// Scaled dot-product attention with several heads.
///
/// ```math
/// out_i = Σ_j w_ij v_j / Σ_j w_ij,  w_ij = exp((q_i·k_j - max_j q_i·k_j) / √d)
/// ```
///
/// `rows` holds q, k and v of each token side by side (`3 · hidden` numbers), each cut into `heads` parts of d numbers;
/// `out` gets `hidden` numbers for each token. Source: Vaswani et al. 2017, arXiv 1706.03762, section 3.2.
#[inline(always)]
pub(super) fn attend<S: Simd>(
    simd: S,
    rows: &[f32],
    hidden: usize,
    heads: usize,
    width: usize,
    room: &mut Room,
    out: &mut [f32],
) {
    let tokens = rows.len() / (3 * hidden);
    let size = hidden / heads;
    let scale = 1.0 / (size as f32).sqrt();
    room.weights.resize(tokens * tokens, 0.0);
    for head in 0..heads {
        let part = head * size;
        let queries = Rows { data: &rows[part..], stride: 3 * hidden, count: tokens };
        pack_keys(&rows[hidden + part..], 3 * hidden, tokens, size, width, &mut room.panels);
        let keys = Panels { data: &room.panels, depth: size, columns: tokens, width };
        multiply(simd, queries, keys, None, &mut room.weights, tokens);
        for weights in room.weights.chunks_exact_mut(tokens) {
            let most = weights.iter().fold(f32::NEG_INFINITY, |most, x| if *x > most { *x } else { most });
            for weight in weights {
                *weight = exp((*weight - most) * scale);
            }
        }
        pack_values(&rows[2 * hidden + part..], 3 * hidden, tokens, size, width, &mut room.panels);
        let values = Panels { data: &room.panels, depth: tokens, columns: size, width };
        let weights = Rows { data: &room.weights, stride: tokens, count: tokens };
        multiply(simd, weights, values, None, &mut out[part..], hidden);
        for (weights, out) in room.weights.chunks_exact(tokens).zip(out[part..].chunks_mut(hidden)) {
            let factor = 1.0 / sum(weights, |x| x);
            for x in &mut out[..size] {
                *x *= factor;
            }
        }
    }
}

/// The keys as the columns of a matrix.
#[inline(always)]
fn pack_keys(keys: &[f32], stride: usize, tokens: usize, size: usize, width: usize, panels: &mut Vec<f32>) {
    panels.clear();
    panels.resize(tokens.div_ceil(width) * width * size, 0.0);
    for (token, key) in keys.chunks(stride).enumerate() {
        let start = token / width * width * size + token % width;
        for (place, x) in panels[start..].iter_mut().step_by(width).zip(&key[..size]) {
            *place = *x;
        }
    }
}

/// The values as the rows of a matrix.
#[inline(always)]
fn pack_values(values: &[f32], stride: usize, tokens: usize, size: usize, width: usize, panels: &mut Vec<f32>) {
    panels.clear();
    panels.resize(size.div_ceil(width) * width * tokens, 0.0);
    for (number, panel) in panels.chunks_exact_mut(width * tokens).enumerate() {
        let (first, last) = (number * width, size.min((number + 1) * width));
        for (place, value) in panel.chunks_exact_mut(width).zip(values.chunks(stride)) {
            place[..last - first].copy_from_slice(&value[first..last]);
        }
    }
}

#[cfg(test)]
mod tests {
    use pulp::{Arch, WithSimd};

    use super::super::matrix::panel_width;
    use super::*;

    struct Attend<'a>(&'a [f32], usize, usize, &'a mut [f32]);

    impl WithSimd for Attend<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            attend(simd, self.0, self.1, self.2, panel_width(), &mut Room::default(), self.3);
        }
    }

    #[test]
    fn equal_keys_give_the_mean_and_a_close_key_wins() {
        // One head of size 1. q = 0 for the first token: both weights are equal, so (10 + 30) / 2.
        // q = 40 for the second: its weights are e^(40·1) and e^(40·0), and 30 weighs e^-40 beside 10.
        let rows = [0.0, 1.0, 10.0, 40.0, 0.0, 30.0];
        let mut out = [0.0; 2];
        Arch::new().dispatch(Attend(&rows, 1, 1, &mut out));
        assert_eq!(out, [20.0, 10.0]);
    }

    #[test]
    fn heads_see_their_own_part_only() {
        // Two heads of size 1; one token, so each part of the value comes back as it is.
        let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let mut out = [0.0; 2];
        Arch::new().dispatch(Attend(&rows, 2, 2, &mut out));
        assert_eq!(out, [5.0, 6.0]);
    }

    #[test]
    fn many_tokens_agree_with_a_plain_loop() {
        let (tokens, hidden, heads) = (45, 12, 3);
        let rows: Vec<f32> = (0..tokens * 3 * hidden).map(|i| ((i * 37 % 101) as f32 - 50.0) / 40.0).collect();
        let mut out = vec![0.0; tokens * hidden];
        Arch::new().dispatch(Attend(&rows, hidden, heads, &mut out));
        let at = |token: usize, kind: usize, i: usize| f64::from(rows[token * 3 * hidden + kind * hidden + i]);
        for i in 0..tokens {
            for column in 0..hidden {
                let part = column / 4 * 4..column / 4 * 4 + 4;
                let weight = |j: usize| libm::exp(part.clone().map(|d| at(i, 0, d) * at(j, 1, d)).sum::<f64>() / 2.0);
                let total: f64 = (0..tokens).map(weight).sum();
                let exact = (0..tokens).map(|j| weight(j) * at(j, 2, column)).sum::<f64>() / total;
                assert!((f64::from(out[i * hidden + column]) - exact).abs() < 1e-5);
            }
        }
    }
}

//! Sums over a row, layer norm and the length of a vector.

/// Partial sums that are carried side by side. Their number is fixed, so that the order of a sum is the same everywhere.
const LANES: usize = 16;

/// The sum of f(x) over a row: sixteen partial sums, then those pairwise.
#[inline(always)]
pub(super) fn sum(row: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (blocks, rest) = row.as_chunks::<LANES>();
    for block in blocks {
        for (sum, x) in sums.iter_mut().zip(block) {
            *sum += f(*x);
        }
    }
    for (sum, x) in sums.iter_mut().zip(rest) {
        *sum += f(*x);
    }
    let mut half = LANES / 2;
    while half > 0 {
        for i in 0..half {
            sums[i] += sums[i + half];
        }
        half /= 2;
    }
    sums[0]
}

/// Layer norm with its learned scale and shift.
///
/// ```math
/// y = (x - mean) / √(variance + ε) · scale + shift
/// ```
///
/// Mean and variance (divided by the number of values) are those of the row. Source: Ba, Kiros & Hinton 2016, arXiv 1607.06450.
pub(crate) struct LayerNorm {
    pub(crate) scale: Vec<f32>,
    pub(crate) shift: Vec<f32>,
    pub(crate) epsilon: f32,
}

impl LayerNorm {
    #[inline(always)]
    pub(super) fn apply(&self, row: &mut [f32]) {
        let count = row.len() as f32;
        let mean = sum(row, |x| x) / count;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
        let factor = 1.0 / (variance + self.epsilon).sqrt();
        for ((x, scale), shift) in row.iter_mut().zip(&self.scale).zip(&self.shift) {
            *x = (*x - mean) * factor * scale + shift;
        }
    }
}

/// Divides a vector by its Euclidean length; one shorter than 1e-12 by that.
#[inline(always)]
pub(super) fn to_unit_length(vector: &mut [f32]) {
    let length = sum(vector, |x| x * x).sqrt().max(1e-12);
    for x in vector {
        *x /= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_takes_every_value_once() {
        // 0 + 1 + … + (n - 1) = n (n - 1) / 2, exact in single precision.
        for n in [0_usize, 1, 15, 16, 17, 100] {
            let row: Vec<f32> = (0..n).map(|i| i as f32).collect();
            assert_eq!(sum(&row, |x| x), (n * n.saturating_sub(1) / 2) as f32);
        }
    }

    #[test]
    fn layer_norm_by_hand() {
        // Mean 2, variance 1: (1, 3) becomes (-1, 1), times (2, 3) plus (10, 20).
        let norm = LayerNorm { scale: vec![2.0, 3.0], shift: vec![10.0, 20.0], epsilon: 0.0 };
        let mut row = [1.0, 3.0];
        norm.apply(&mut row);
        assert_eq!(row, [8.0, 23.0]);
    }

    #[test]
    fn a_constant_row_becomes_the_shift() {
        let norm = LayerNorm { scale: vec![2.0; 3], shift: vec![1.0, 2.0, 3.0], epsilon: 1e-12 };
        let mut row = [5.0; 3];
        norm.apply(&mut row);
        assert_eq!(row, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn three_four_five() {
        let mut vector = [3.0, 4.0];
        to_unit_length(&mut vector);
        assert_eq!(vector, [0.6, 0.8]);
        let mut nothing = [0.0; 2];
        to_unit_length(&mut nothing);
        assert_eq!(nothing, [0.0; 2]);
    }
}

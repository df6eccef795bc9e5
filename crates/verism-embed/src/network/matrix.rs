//! Products of rows with a matrix that was packed once.

use pulp::{Arch, Simd, WithSimd};

/// Rows that are worked on together where there are 32 vector registers, and where there are 16.
const MANY_ROWS: usize = 12;
const FEW_ROWS: usize = 6;

/// Columns of a panel: two vectors of this machine.
pub(crate) fn panel_width() -> usize {
    struct Width;

    impl WithSimd for Width {
        type Output = usize;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> usize {
            2 * S::F32_LANES
        }
    }

    Arch::new().dispatch(Width)
}

/// A matrix of `depth` rows cut into panels of `width` columns. A panel holds its part of each row in turn; the last one is
/// filled up with zeros.
#[derive(Clone, Copy)]
pub(crate) struct Panels<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) depth: usize,
    pub(crate) columns: usize,
    pub(crate) width: usize,
}

/// Rows of numbers, `stride` apart.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

/// An affine map with packed weights.
pub(crate) struct Linear {
    panels: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
    outputs: usize,
    width: usize,
}

impl Linear {
    /// Packs weights given as one row per output.
    pub(crate) fn pack(weights: &[f32], bias: &[f32], inputs: usize, width: usize) -> Linear {
        let outputs = bias.len();
        let mut panels = vec![0.0; outputs.div_ceil(width) * width * inputs];
        for (output, row) in weights.chunks_exact(inputs.max(1)).take(outputs).enumerate() {
            let start = output / width * width * inputs + output % width;
            for (place, weight) in panels[start..].iter_mut().step_by(width).zip(row) {
                *place = *weight;
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(outputs.div_ceil(width) * width, 0.0);
        Linear { panels, bias, inputs, outputs, width }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Maps rows that stand side by side.
    #[inline(always)]
    pub(crate) fn apply<S: Simd>(&self, simd: S, rows: &[f32], out: &mut [f32]) {
        let count = rows.len() / self.inputs;
        let rows = Rows { data: rows, stride: self.inputs, count };
        let panels = Panels { data: &self.panels, depth: self.inputs, columns: self.outputs, width: self.width };
        multiply(simd, rows, panels, Some(&self.bias), out, self.outputs);
    }
}

/// The product of rows with a matrix, plus a bias, into rows of `out` that are `stride` apart.
///
/// Each number is one sum over the depth, term by term in ascending order, starting from the bias: which rows and columns
/// are computed beside it makes no difference.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(
    simd: S,
    rows: Rows<'_>,
    matrix: Panels<'_>,
    bias: Option<&[f32]>,
    out: &mut [f32],
    stride: usize,
) {
    let (panels, _) = S::as_simd_f32s(matrix.data);
    let bias = bias.map(|bias| S::as_simd_f32s(bias).0);
    for (number, panel) in panels.chunks_exact(2 * matrix.depth).enumerate() {
        let zero = simd.splat_f32s(0.0);
        let start = bias.map_or([zero; 2], |bias| [bias[2 * number], bias[2 * number + 1]]);
        let column = number * matrix.width;
        let width = matrix.width.min(matrix.columns - column);
        let mut row = 0;
        // As many rows at a time as there is room for, then the rest.
        macro_rules! blocks_of {
            ($rows:expr) => {
                while rows.count - row >= $rows {
                    let block = tile::<S, { $rows }>(simd, &rows.data[row * rows.stride..], rows.stride, panel, start);
                    for (i, sums) in block.iter().enumerate() {
                        store(simd, *sums, &mut out[(row + i) * stride + column..][..width]);
                    }
                    row += $rows;
                }
            };
        }
        if S::REGISTER_COUNT >= 32 {
            blocks_of!(MANY_ROWS);
        }
        blocks_of!(FEW_ROWS);
        blocks_of!(3);
        blocks_of!(1);
    }
}

/// The sums of a block of rows with one panel, all of them in registers.
#[inline(always)]
fn tile<S: Simd, const ROWS: usize>(
    simd: S,
    rows: &[f32],
    stride: usize,
    panel: &[S::f32s],
    start: [S::f32s; 2],
) -> [[S::f32s; 2]; ROWS] {
    let depth = panel.len() / 2;
    let mut each: [&[f32]; ROWS] = [&[]; ROWS];
    for (i, row) in each.iter_mut().enumerate() {
        *row = &rows[i * stride..][..depth];
    }
    let mut sums = [start; ROWS];
    for (k, weights) in panel.chunks_exact(2).enumerate() {
        for (sum, row) in sums.iter_mut().zip(each) {
            let x = simd.splat_f32s(row[k]);
            sum[0] = simd.mul_add_e_f32s(x, weights[0], sum[0]);
            sum[1] = simd.mul_add_e_f32s(x, weights[1], sum[1]);
        }
    }
    sums
}

/// Writes two vectors, or as much of them as there is room for.
#[inline(always)]
fn store<S: Simd>(simd: S, sums: [S::f32s; 2], out: &mut [f32]) {
    if let (&mut [ref mut first, ref mut second], []) = S::as_mut_simd_f32s(out) {
        (*first, *second) = (sums[0], sums[1]);
    } else {
        let (first, second) = out.split_at_mut(S::F32_LANES.min(out.len()));
        simd.partial_store_f32s(first, sums[0]);
        simd.partial_store_f32s(second, sums[1]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Apply<'a>(&'a Linear, &'a [f32], &'a mut [f32]);

    impl WithSimd for Apply<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            self.0.apply(simd, self.1, self.2);
        }
    }

    fn apply(linear: &Linear, rows: &[f32], count: usize) -> Vec<f32> {
        let mut out = vec![f32::NAN; count * linear.outputs()];
        Arch::new().dispatch(Apply(linear, rows, &mut out));
        out
    }

    #[test]
    fn a_row_times_a_matrix_by_hand() {
        // (1, 2) times [[1, 3], [2, 4], [5, 6]] by rows of outputs, plus (0.5, 0, -1): 7.5, 10, 16.
        let linear = Linear::pack(&[1.0, 3.0, 2.0, 4.0, 5.0, 6.0], &[0.5, 0.0, -1.0], 2, panel_width());
        assert_eq!(apply(&linear, &[1.0, 2.0], 1), [7.5, 10.0, 16.0]);
    }

    proptest! {
        #[test]
        fn every_shape_agrees_with_a_plain_sum_and_rows_do_not_depend_on_their_neighbours(
            (count, inputs, outputs, seed) in (1_usize..40, 1_usize..50, 1_usize..80, any::<u32>())
        ) {
            let number = |i: usize| ((i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) >> 8) as f32 / 16_777_216.0 - 0.5;
            let weights: Vec<f32> = (0..inputs * outputs).map(number).collect();
            let bias: Vec<f32> = (0..outputs).map(|i| number(i + 7777)).collect();
            let rows: Vec<f32> = (0..count * inputs).map(|i| number(i + 99_999)).collect();
            let linear = Linear::pack(&weights, &bias, inputs, panel_width());
            let found = apply(&linear, &rows, count);
            for (i, row) in rows.chunks_exact(inputs).enumerate() {
                let alone = apply(&linear, row, 1);
                prop_assert_eq!(&alone[..], &found[i * outputs..][..outputs]);
                for (j, sum) in alone.iter().enumerate() {
                    let terms = row.iter().zip(&weights[j * inputs..]).map(|(x, w)| f64::from(*x) * f64::from(*w));
                    let exact = f64::from(bias[j]) + terms.sum::<f64>();
                    prop_assert!((f64::from(*sum) - exact).abs() < 1e-5, "{} {}", sum, exact);
                }
            }
        }
    }
}

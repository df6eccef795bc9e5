//! Sums of columns over bootstrap resamples: the only part of the bootstrap that has to be fast.

use std::ops::AddAssign;

use rayon::prelude::*;

use crate::stats::random::{Domain, Draw};

/// Asked now and then whether to give up.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// How many resamples one task takes.
const RESAMPLES_AT_ONCE: u64 = 32;

/// Gives for each column its sum over the units of every resample: `out[column][resample]`.
///
/// All columns have n entries and share the draws of one stream. A resample is taken as the number of times each unit was
/// drawn, so that a further column costs one product and no draw. The order of every sum is fixed, whatever the number of
/// columns and threads. `None` if told to stop.
pub(super) fn resampled_sums(
    columns: &[&[f64]],
    n: usize,
    seed: u64,
    stream: u64,
    resamples: u64,
    stop: &Stop,
) -> Option<Vec<Vec<f64>>> {
    let width = columns.len();
    let draw = |b: u64| Draw::new(seed, Domain::Bootstrap, b).in_stream(stream);
    // Short counts stay in the processor's nearest cache.
    let blocks = match u16::try_from(n) {
        Ok(_) => blocks_of_sums::<u16>(columns, n, draw, resamples, stop)?,
        Err(_) => blocks_of_sums::<u32>(columns, n, draw, resamples, stop)?,
    };
    let column = |c: usize| blocks.iter().flat_map(|block| block.iter().skip(c).step_by(width)).copied().collect();
    Some((0..width).map(column).collect())
}

/// The sums of all columns, resample by resample, in blocks of resamples. Counts of type C hold up to n.
fn blocks_of_sums<C>(
    columns: &[&[f64]],
    n: usize,
    draw: impl Fn(u64) -> Draw + Sync,
    resamples: u64,
    stop: &Stop,
) -> Option<Vec<Vec<f64>>>
where
    C: Copy + Default + Send + AddAssign + From<u8> + Into<f64>,
{
    (0..resamples.div_ceil(RESAMPLES_AT_ONCE) as usize)
        .into_par_iter()
        .map_init(
            || (vec![C::default(); n], vec![0.0_f64; n]),
            |(counts, times), block| {
                if stop() {
                    return None;
                }
                let first = block as u64 * RESAMPLES_AT_ONCE;
                let mut sums = Vec::with_capacity(columns.len() * RESAMPLES_AT_ONCE as usize);
                for b in first..(first + RESAMPLES_AT_ONCE).min(resamples) {
                    counts.fill(C::default());
                    count_draws(draw(b), counts);
                    if let [alone] = columns {
                        sums.push(dot(alone, counts));
                        continue;
                    }
                    for (t, c) in times.iter_mut().zip(counts.iter()) {
                        *t = (*c).into();
                    }
                    sums.extend(columns.iter().map(|column| dot(column, times)));
                }
                Some(sums)
            },
        )
        .collect()
}

/// Adds one to the count of each unit drawn, as many draws as there are units.
pub(super) fn count_draws<C: AddAssign + From<u8>>(draw: Draw, counts: &mut [C]) {
    draw.each_of(counts.len(), |index| counts[index] += C::from(1));
}

/// Σ column · times in four interleaved partial sums.
fn dot<C: Copy + Into<f64>>(column: &[f64], times: &[C]) -> f64 {
    let mut lanes = [0.0_f64; 4];
    let (columns, last_column) = column.as_chunks::<4>();
    let (counts, last_counts) = times.as_chunks::<4>();
    for (values, weights) in columns.iter().zip(counts) {
        for lane in 0..4 {
            lanes[lane] += values[lane] * weights[lane].into();
        }
    }
    let rest: f64 = last_column.iter().zip(last_counts).map(|(v, w)| v * (*w).into()).sum();
    ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    // The specification's test vector: the first seven indices below 7 of resample 0 are 6 1 0 0 2 6 2.
    #[test]
    fn counts_are_those_of_the_test_vector() {
        let mut counts = [0_u16; 7];
        count_draws(Draw::new(12345, Domain::Bootstrap, 0), &mut counts);
        assert_eq!(counts, [2, 1, 2, 0, 0, 0, 2]);
    }

    // A column of ones sums to n in every resample; a column's sums do not depend on its neighbours.
    #[test]
    fn sums_are_per_column() {
        let ones = [1.0; 9];
        let values: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.37).collect();
        let both = resampled_sums(&[&ones, &values], 9, 1, 0, 50, &|| false).unwrap();
        assert!(both[0].iter().all(|s| *s == 9.0));
        assert_eq!(both[1], resampled_sums(&[&values], 9, 1, 0, 50, &|| false).unwrap()[0]);
    }
}

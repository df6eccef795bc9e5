//! Pearson's r with each unit left out in turn, in n steps.

/// Sums of a unit's points about the means of all points.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, u: f64, v: f64) {
        self.n += 1.0;
        self.x += u;
        self.y += v;
        self.xx += u * u;
        self.yy += v * v;
        self.xy += u * v;
    }
}

/// Gives r without each unit; `direct` computes it where next to nothing is left of the spread. `None` where a side becomes
/// constant.
///
/// ```math
/// S' = S - Σ_g uv - Σ_g u Σ_g v/(n - n_g),  u, v about the means of all points
/// ```
pub(super) fn pearson_left_out(
    x: &[f64],
    y: &[f64],
    unit_of_row: &[usize],
    units: usize,
    direct: impl Fn(usize) -> Option<f64>,
) -> Option<Vec<f64>> {
    let n = x.len() as f64;
    let mean = |values: &[f64]| {
        let first = values.first().copied().unwrap_or_default();
        first + values.iter().map(|v| v - first).sum::<f64>() / n
    };
    let (mx, my) = (mean(x), mean(y));
    let (mut all, mut own) = (Sums::default(), vec![Sums::default(); units]);
    for ((a, b), unit) in x.iter().zip(y).zip(unit_of_row) {
        all.add(a - mx, b - my);
        own[*unit].add(a - mx, b - my);
    }
    let without = |(unit, g): (usize, &Sums)| {
        let rest = n - g.n;
        // What all points sum to is rounding, taken out with the rest.
        let (sx, sy) = (all.x - g.x, all.y - g.y);
        let xx = all.xx - g.xx - sx * sx / rest;
        let yy = all.yy - g.yy - sy * sy / rest;
        let xy = all.xy - g.xy - sx * sy / rest;
        if rest < 2.0 || xx <= 1e-6 * all.xx || yy <= 1e-6 * all.yy {
            return direct(unit);
        }
        Some(xy / (xx * yy).sqrt())
    };
    own.iter().enumerate().map(without).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::stats::pearson::pearson;

    // Leaving a unit out and starting again gives the same; nothing is computed anew.
    #[test]
    fn units_left_out_one_by_one() {
        let x: Vec<f64> = (0..40).map(|i| 1e6 + f64::from(i * i % 23)).collect();
        let y: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 31) - 5.0).collect();
        for size in [1, 3, 7] {
            let units: Vec<usize> = (0..40).map(|i| i / size).collect();
            let anew = Cell::new(0);
            let direct = |_| {
                anew.set(anew.get() + 1);
                None
            };
            let found = pearson_left_out(&x, &y, &units, units[39] + 1, direct).unwrap();
            for (unit, r) in found.iter().enumerate() {
                let kept = |v: &[f64]| {
                    v.iter().zip(&units).filter(|(_, u)| **u != unit).map(|(v, _)| *v).collect::<Vec<f64>>()
                };
                let right = pearson(&kept(&x), &kept(&y), 0.05).r.unwrap();
                assert!((r - right).abs() < 1e-9, "{r} {right}");
            }
            assert_eq!(anew.get(), 0);
        }
    }

    // All but one point the same: without that one nothing varies, and the direct way says so.
    #[test]
    fn nothing_left_is_left_to_the_direct_way() {
        assert_eq!(pearson_left_out(&[1.0, 1.0, 2.0], &[3.0, 4.0, 5.0], &[0, 1, 2], 3, |_| None), None);
    }
}

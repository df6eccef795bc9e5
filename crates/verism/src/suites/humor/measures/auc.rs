//! AUC: does a measure rank what people found funny above what they did not?

use serde::{Deserialize, Serialize};

use crate::score::measure::Undefined;
use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{Found, Tried};

/// Evidence of `auc_*`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Auc {
    pub(crate) positive: u64,
    pub(crate) negative: u64,
    pub(crate) se: Option<f64>,
    pub(crate) ci_lo: Option<f64>,
    pub(crate) ci_hi: Option<f64>,
}

/// 97.5 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Area under the curve with DeLong's standard error.
///
/// ```math
/// AUC = mean over positive a of V(a),  V(a) = (|negatives below a| + ½ |equal to a|) / |negatives|
/// se² = var V(a) / |positives| + var V(b) / |negatives|
/// ```
/// `positive` are the values with label 1. Undefined: `no_values`, `one_class`. No interval if a class has one
/// item or the error is 0. Source: DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988).
pub(crate) fn auc(positive: &[f64], negative: &[f64]) -> Tried<Auc> {
    match (positive, negative) {
        ([], []) => return Err(Undefined::new("no_values")),
        ([], _) | (_, []) => return Err(Undefined::new("one_class")),
        _ => {}
    }
    let (m, n) = (positive.len() as f64, negative.len() as f64);
    let above = shares(positive, negative, false);
    let below = shares(negative, positive, true);
    let value = neumaier(above.iter().copied()) / m;
    let mut evidence =
        Auc { positive: positive.len() as u64, negative: negative.len() as u64, se: None, ci_lo: None, ci_hi: None };
    if m > 1.0 && n > 1.0 {
        let spread =
            |shares: &[f64], count: f64| neumaier(shares.iter().map(|x| (x - value).powi(2))) / (count - 1.0) / count;
        let se = (spread(&above, m) + spread(&below, n)).sqrt();
        if se > 0.0 {
            evidence.se = Some(se);
            evidence.ci_lo = Some((value - Z95 * se).max(0.0));
            evidence.ci_hi = Some((value + Z95 * se).min(1.0));
        }
    }
    Ok(Found { value, n: (positive.len() + negative.len()) as u64, evidence })
}

/// For each value the share of others below it, or above it, equal ones counting half.
fn shares(values: &[f64], others: &[f64], above: bool) -> Vec<f64> {
    let mut sorted = others.to_vec();
    sorted.sort_by(f64::total_cmp);
    let share = |x: &f64| {
        let less = sorted.partition_point(|other| other < x);
        let up_to = sorted.partition_point(|other| other <= x);
        let wins = if above { sorted.len() - up_to } else { less };
        (wins as f64 + 0.5 * (up_to - less) as f64) / sorted.len() as f64
    };
    values.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_count_half_by_hand() {
        // 3 and 5 beat both of 1 and 4 or not: 3 beats 1, ties with 3; 5 beats both: (1 + ½ + 2)/4.
        let found = auc(&[3.0, 5.0], &[1.0, 3.0]).expect("defined");
        assert_eq!(found.value, 0.875);
        // V(a) = 0.75, 1: variance 0.03125; V(b) = 1, 0.75: the same; se² = 0.03125.
        assert!((found.evidence.se.expect("two of each") - 0.03125_f64.sqrt()).abs() < 1e-15);
        assert_eq!(auc(&[1.0], &[]).expect_err("undefined").reason(), "one_class");
        assert_eq!(auc(&[], &[]).expect_err("undefined").reason(), "no_values");
    }
}

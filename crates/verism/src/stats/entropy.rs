//! Shannon entropy of counts.

use super::sum::neumaier;

/// The entropy in bits of the distribution that the counts make, terms added in the given order.
///
/// ```math
/// H = -\sum_i p_i \log_2 p_i, \quad p_i = c_i / \sum_j c_j
/// ```
/// Classes with count 0 add nothing. None if all counts are 0.
/// Source: Shannon, A Mathematical Theory of Communication (1948).
pub fn entropy_bits(counts: &[u64]) -> Option<f64> {
    let n: u64 = counts.iter().sum();
    (n > 0).then(|| neumaier(counts.iter().filter(|&&c| c > 0).map(|&c| -plogp_bits(c, n))))
}

/// p log2 p for p = c / n.
pub fn plogp_bits(c: u64, n: u64) -> f64 {
    let p = c as f64 / n as f64;
    p * libm::log2(p)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn worked_by_hand() {
        assert_eq!(entropy_bits(&[]), None);
        assert_eq!(entropy_bits(&[0, 0]), None);
        assert_eq!(entropy_bits(&[7]), Some(0.0));
        assert_eq!(entropy_bits(&[1, 1]), Some(1.0)); // a fair coin
        assert_eq!(entropy_bits(&[1, 2, 1]), Some(1.5)); // 2 * 1/4 * 2 + 1/2 * 1
        // 3/4 log2(4/3) + 1/4 * 2 = 2 - 3/4 log2 3 = 0.811278124459132864… (bc, 30 digits)
        assert!((entropy_bits(&[3, 1]).expect("counts") - 0.811_278_124_459_132_9).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn between_nothing_and_uniform(counts in prop::collection::vec(0_u64..1000, 1..12)) {
            if let Some(h) = entropy_bits(&counts) {
                let seen = counts.iter().filter(|&&c| c > 0).count() as f64;
                prop_assert!(h >= 0.0 && h <= libm::log2(seen) + 1e-12);
            }
        }

        #[test]
        fn copies_change_nothing(counts in prop::collection::vec(0_u64..1000, 1..12), k in 1_u64..50) {
            let many: Vec<u64> = counts.iter().map(|c| c * k).collect();
            prop_assert_eq!(entropy_bits(&counts), entropy_bits(&many));
        }
    }
}

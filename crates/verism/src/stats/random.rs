//! Counter-based random numbers: the same on every machine, thread and shard.

/// The four words of Philox4x64-10 for a counter and a key.
///
/// Source: Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3 (SC'11).
pub fn philox(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let [mut k0, mut k1] = key;
    for _ in 0..10 {
        let low = u128::from(a) * 0xD2E7_470E_E14C_6C93;
        let high = u128::from(c) * 0xCA5A_8263_9512_1157;
        (a, b, c, d) = ((high >> 64) as u64 ^ b ^ k0, high as u64, (low >> 64) as u64 ^ d ^ k1, low as u64);
        k0 = k0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        k1 = k1.wrapping_add(0xBB67_AE85_84CA_A73B);
    }
    [a, b, c, d]
}

/// The n indices in [0, n) that resample `b` draws with replacement.
///
/// Draw j takes index ⌊w·n/2⁶⁴⌋ of word w = word j mod 4 of Philox with key (seed, 1) and counter (⌊j/4⌋, b, 0, 0).
pub fn resample_indices(seed: u64, b: u64, n: usize) -> impl Iterator<Item = usize> {
    let blocks = (n as u64).div_ceil(4);
    (0..blocks)
        .flat_map(move |block| philox([block, b, 0, 0], [seed, 1]))
        .take(n)
        .map(move |word| ((u128::from(word) * n as u128) >> 64) as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_answers() {
        // kat_vectors of Random123 1.14 (philox 4x64 10): zero counter and key, and all ones.
        assert_eq!(
            philox([0; 4], [0; 2]),
            [0x1655_4d9e_ca36_314c, 0xdb20_fe9d_672d_0fdc, 0xd7e7_72ce_e186_176b, 0x7e68_b68a_ec7b_a23b]
        );
        assert_eq!(
            philox([u64::MAX; 4], [u64::MAX; 2]),
            [0x87b0_92c3_013f_e90b, 0x438c_3c67_be8d_0224, 0x9cc7_d7c6_9cd7_77b6, 0xa09c_aebf_594f_0ba0]
        );
    }

    proptest! {
        #[test]
        fn indices_are_in_range_and_repeat(seed: u64, b: u64, n in 0_usize..300) {
            let once: Vec<usize> = resample_indices(seed, b, n).collect();
            prop_assert_eq!(once.len(), n);
            prop_assert!(once.iter().all(|&i| i < n));
            prop_assert_eq!(once, resample_indices(seed, b, n).collect::<Vec<_>>());
        }
    }
}

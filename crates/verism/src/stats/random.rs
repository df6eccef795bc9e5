//! The counter-based random generator Philox4x64-10: any resample can be drawn without the ones before it.
//!
//! Word k of resample b in stream g under (seed, domain) is word k mod 4 of the block at counter (k div 4, b, g, 0).
//! Source: J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011).

/// What the random numbers are for; domains never share words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Resamples of a bootstrap.
    Bootstrap = 1,
    /// Flips of signs.
    SignFlip = 2,
    /// Permutations of two samples.
    Permutation = 3,
    /// Permutations for a correlation.
    Correlation = 4,
    /// Starting centres of clusters.
    Clusters = 5,
    /// Data of the calibration benchmark.
    Calibration = 9,
}

/// Gives the four words of Philox4x64-10 for a counter and a key.
pub fn philox(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    rounds(&round_keys(key), [counter])[0]
}

/// Gives the n indices below n that resample `b` of a bootstrap draws with replacement.
pub fn resample_indices(seed: u64, b: u64, n: usize) -> impl Iterator<Item = usize> {
    Draw::new(seed, Domain::Bootstrap, b).indices(n as u64, n).map(|index| index as usize)
}

/// The factors of a round.
const FACTORS: [u64; 2] = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];

/// The key of each of the ten rounds.
fn round_keys([mut k0, mut k1]: [u64; 2]) -> [[u64; 2]; 10] {
    std::array::from_fn(|round| {
        if round > 0 {
            k0 = k0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            k1 = k1.wrapping_add(0xBB67_AE85_84CA_A73B);
        }
        [k0, k1]
    })
}

/// R rounds on L counters at once: the processor multiplies for one while it waits for another.
#[inline]
fn rounds<const L: usize, const R: usize>(keys: &[[u64; 2]; R], mut state: [[u64; 4]; L]) -> [[u64; 4]; L] {
    for [k0, k1] in keys {
        for block in &mut state {
            let [c0, c1, c2, c3] = *block;
            let (high0, low0) = wide_product(FACTORS[0], c0);
            let (high1, low1) = wide_product(FACTORS[1], c2);
            *block = [high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0];
        }
    }
    state
}

fn wide_product(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    ((product >> 64) as u64, product as u64)
}

/// The words of one resample.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Seed of the generator.
    pub seed: u64,
    /// What the words are for.
    pub domain: u64,
    /// Number of the resample.
    pub resample: u64,
    /// Number of the sample that is drawn from.
    pub stream: u64,
}

impl Draw {
    /// Gives the draw of a domain's resample in stream 0.
    pub fn new(seed: u64, domain: Domain, resample: u64) -> Draw {
        Draw { seed, domain: domain as u64, resample, stream: 0 }
    }

    /// Gives the same draw in another stream.
    pub fn in_stream(self, stream: u64) -> Draw {
        Draw { stream, ..self }
    }

    /// Gives the words from the first on, without end.
    pub fn words(self) -> impl Iterator<Item = u64> {
        (0_u64..).flat_map(move |k| philox([k, self.resample, self.stream, 0], [self.seed, self.domain]))
    }

    /// Gives `count` indices below n: the high half of word · n.
    pub fn indices(self, n: u64, count: usize) -> impl Iterator<Item = u64> {
        self.words().take(count).map(move |word| wide_product(word, n).0)
    }

    /// Visits the first n indices below n, as a bootstrap resample of n units draws them.
    #[inline]
    pub fn each_of(self, n: usize, mut visit: impl FnMut(usize)) {
        let [first, second, rest @ ..] = &round_keys([self.seed, self.domain]);
        // Counters of one resample differ in their first word alone: two of the four products of two rounds are the same.
        let (high_stream, low_stream) = wide_product(FACTORS[1], self.stream);
        let (high_shared, low_shared) = wide_product(FACTORS[0], high_stream ^ self.resample ^ first[0]);
        let at = |k: u64| {
            let (high0, low0) = wide_product(FACTORS[0], k);
            let (high1, low1) = wide_product(FACTORS[1], high0 ^ first[1]);
            [high1 ^ low_stream ^ second[0], low1, high_shared ^ low0 ^ second[1], low_shared]
        };
        let index = |word: u64| wide_product(word, n as u64).0 as usize;
        for k in 0..(n / 8) as u64 {
            for word in rounds(rest, [at(2 * k), at(2 * k + 1)]).as_flattened() {
                visit(index(*word));
            }
        }
        let last = 2 * (n / 8) as u64;
        for word in rounds(rest, [at(last), at(last + 1)]).as_flattened().iter().take(n % 8) {
            visit(index(*word));
        }
    }

    /// Gives for each of n units whether it is flipped: bit i mod 64 of word i div 64.
    pub fn flips(self, n: usize) -> impl Iterator<Item = bool> {
        self.words().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1)).take(n)
    }

    /// Gives a random order of 0..n: for i from n-1 down to 1, position i is exchanged with an index below i+1.
    pub fn shuffle(self, order: &mut [usize]) {
        let n = order.len();
        for (i, word) in (1..n).rev().zip(self.words()) {
            order.swap(i, wide_product(word, i as u64 + 1).0 as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // kat_vectors of Random123 1.14 (philox 4x64 10): all ones.
    #[test]
    fn the_last_counter_has_its_known_answer() {
        assert_eq!(
            philox([u64::MAX; 4], [u64::MAX; 2]),
            [0x87b0_92c3_013f_e90b, 0x438c_3c67_be8d_0224, 0x9cc7_d7c6_9cd7_77b6, 0xa09c_aebf_594f_0ba0]
        );
    }

    // The table of test vectors in the statistics specification; the first two rows agree with numpy.random.Philox 2.4.
    #[test]
    fn blocks_match_the_test_vectors() {
        let cases: [([u64; 2], [u64; 4], [u64; 4]); 3] = [
            ([0, 0], [0; 4], [0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b]),
            ([12345, 1], [0; 4], [0xf7f296149cd387f8, 0x3abcf8224f6198ad, 0x022d7d1171b3f08e, 0x0dc93c18cbba3e4a]),
            (
                [12345, 1],
                [0, 7, 0, 0],
                [0x36025db3bf68fce5, 0x5ab5c6b08fff2e41, 0x3dbc6a55d8e8d975, 0xf3da71d399ac8d68],
            ),
        ];
        for (key, counter, words) in cases {
            assert_eq!(philox(counter, key), words);
        }
    }

    // The same table: ten indices below 7, eight signs of resample 3, a shuffle of 10.
    #[test]
    fn indices_signs_and_shuffles_match_the_test_vectors() {
        let draw = Draw::new(12345, Domain::Bootstrap, 0);
        assert_eq!(draw.indices(7, 10).collect::<Vec<_>>(), [6, 1, 0, 0, 2, 6, 2, 0, 4, 0]);
        let flips: Vec<bool> = Draw::new(12345, Domain::SignFlip, 3).flips(8).collect();
        assert_eq!(flips, [true, true, true, false, true, true, false, false]);
        let mut order: Vec<usize> = (0..10).collect();
        Draw::new(12345, Domain::Permutation, 0).shuffle(&mut order);
        assert_eq!(order, [1, 3, 4, 7, 2, 6, 9, 8, 0, 5]);
    }

    // Both ways of drawing give the same indices, whatever remains of the last blocks.
    #[test]
    fn drawing_all_at_once_is_drawing_one_by_one() {
        for n in [1, 3, 4, 7, 8, 9, 16, 21] {
            let draw = Draw::new(7, Domain::Bootstrap, 3).in_stream(1);
            let mut seen = Vec::new();
            draw.each_of(n, |i| seen.push(i as u64));
            assert_eq!(seen, draw.indices(n as u64, n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn empty_shuffles_do_nothing() {
        Draw::new(1, Domain::Permutation, 0).shuffle(&mut []);
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

//! A small seeded generator, `SplitMix64`.

/// Uniform 64-bit words from a seed; one generator per cell, so that cells can be made in any order.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator of one numbered part of the data.
    pub(crate) fn new(seed: u64, part: u64) -> Self {
        let mut mixer = Self(seed ^ part.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Self(mixer.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; `n` is small against 2^32, so the bias is far below what a benchmark sees.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let high = self.next() >> 32;
        usize::try_from((high * n as u64) >> 32).expect("below n, which is a usize")
    }

    /// True in `per_mille` of a thousand draws.
    pub(crate) fn chance(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }

    /// One of the options.
    pub(crate) fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    /// One of the options, each as often as its weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, options: &[(T, usize)]) -> T {
        let mut at = self.below(options.iter().map(|option| option.1).sum());
        for &(value, weight) in options {
            if at < weight {
                return value;
            }
            at -= weight;
        }
        options[0].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_published_generator() {
        // First words of splitmix64.c (Vigna) for the state 1234567, as its test vectors list them.
        let mut random = Random(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn weights_are_frequencies() {
        let mut random = Random::new(1, 2);
        let hits = (0..10_000).filter(|_| random.weighted(&[(true, 1), (false, 3)])).count();
        assert!((2300..2700).contains(&hits), "{hits} of 10000 at weight 1 in 4");
    }
}

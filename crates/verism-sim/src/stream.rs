//! Random words in streams that never share one, so that no draw depends on another.

use verism::stats::random::philox;

/// The domain of simulators among all users of the generator.
const DOMAIN: u64 = 16;

/// A stream of random words: Philox4x64-10 under the key (seed, 16), counters (block, run, stream, 0).
#[derive(Clone, Debug)]
pub struct Stream {
    seed: u64,
    run: u64,
    stream: u64,
    drawn: u64,
    block: [u64; 4],
}

impl Stream {
    /// Starts a stream; `run` counts from 0.
    pub fn new(seed: u64, stream: u64, run: u64) -> Stream {
        Stream { seed, run, stream, drawn: 0, block: [0; 4] }
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        let place = (self.drawn % 4) as usize;
        if place == 0 {
            self.block = philox([self.drawn / 4, self.run, self.stream, 0], [self.seed, DOMAIN]);
        }
        self.drawn += 1;
        self.block[place]
    }

    /// A whole number below n.
    pub fn below(&mut self, n: usize) -> usize {
        choose(self.word(), n)
    }

    /// One of some things.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// A place, likelier where the weight is larger.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            if left < *weight {
                return place;
            }
            left -= weight;
        }
        weights.len() - 1
    }
}

/// The first words of a stream, in hexadecimal.
pub fn words([seed, stream, count]: [u64; 3]) -> Vec<String> {
    let mut words = Stream::new(seed, stream, 0);
    (0..count).map(|_| format!("{:016x}", words.word())).collect()
}

/// The number below n that a word stands for: the high half of word · n.
pub(crate) fn choose(word: u64, n: usize) -> usize {
    ((u128::from(word) * n as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_independent_generator() {
        // numpy.random.Philox with key (7, 16), counter (0, 0, 3, 0); reference case 36.
        let expected = [
            "7f1cc01fa9f9ef25",
            "8a619f95aec3ab8e",
            "2fbc0082ad2e9dbd",
            "9440f32be7039381",
            "ff48e39e3efb2ba6",
            "0a25e3c4d726fef0",
        ];
        assert_eq!(words([7, 3, 6]), expected);
    }
}

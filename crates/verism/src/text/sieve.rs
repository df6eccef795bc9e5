//! A fast filter on words: which of them may be one of those that are searched for.

use super::words::Words;

/// Tells by first byte, last byte and length which words are worth a closer look; most are not.
#[derive(Clone, Debug)]
pub struct Sieve {
    /// By the place of the two bytes: bit n set if a word wanted has n bytes (modulo 32).
    lengths: Box<[u32; PLACES]>,
}

const PLACES: usize = 1 << 12;

impl Default for Sieve {
    fn default() -> Sieve {
        Sieve { lengths: Box::new([0; PLACES]) }
    }
}

/// The place of words that begin and end with these bytes. Words that begin otherwise stand elsewhere, so that a prefix
/// in one script lets nothing through in another.
#[inline]
fn place(first: u8, last: u8) -> usize {
    usize::from(first) << 4 | usize::from(last & 15)
}

impl Sieve {
    /// Lets words through that are equal to this one, which is in lower case.
    pub fn add(&mut self, word: &str) {
        if let (Some(first), Some(last)) = (word.as_bytes().first(), word.as_bytes().last()) {
            self.lengths[place(*first, *last)] |= 1_u32.wrapping_shl(word.len() as u32);
        }
    }

    /// Lets words through that begin so.
    pub(super) fn add_prefix(&mut self, prefix: &str) {
        match prefix.as_bytes().first() {
            Some(first) => (0..=u8::MAX).for_each(|last| self.lengths[place(*first, last)] = u32::MAX),
            None => self.lengths.fill(u32::MAX),
        }
    }

    /// Whether a word is worth a closer look.
    #[inline]
    pub(crate) fn passes(&self, word: &[u8]) -> bool {
        let (Some(first), Some(last)) = (word.first(), word.last()) else { return false };
        self.lengths[place(*first, *last)].wrapping_shr(word.len() as u32) & 1 == 1
    }

    /// The numbers of the words of a text that are worth a closer look.
    pub fn sift(&self, words: &Words, candidates: &mut Vec<u32>) {
        let (low, edges) = words.low_edges();
        candidates.clear();
        candidates.resize(edges.len(), 0);
        let mut count = 0;
        // Every word is noted and most are overwritten: there is no guess that the processor could get wrong.
        for (i, &[start, end]) in edges.iter().enumerate() {
            candidates[count] = i as u32;
            let (first, last) = (low[start as usize], low[end as usize - 1]);
            count += (self.lengths[place(first, last)].wrapping_shr(end - start) & 1) as usize;
        }
        candidates.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_is_wanted_passes(wanted in "[a-c]{1,3}|[a-c]{30,40}|[가나]{1,2}", prefix in "[a-c가]{0,2}", text in "[a-c가나 ]{0,60}") {
            let mut sieve = Sieve::default();
            sieve.add(&wanted);
            let mut words = Words::default();
            words.read(&format!("{wanted} {text} {wanted}"));
            let mut candidates = vec![];
            let fits = |words: &Words, fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
                (0..words.len()).filter(|&i| fits(words.low(i))).map(|i| i as u32).collect()
            };
            sieve.sift(&words, &mut candidates);
            prop_assert!(fits(&words, &|word| word == wanted).iter().all(|i| candidates.contains(i)));
            sieve.add_prefix(&prefix);
            sieve.sift(&words, &mut candidates);
            prop_assert!(fits(&words, &|word| word.starts_with(&prefix)).iter().all(|i| candidates.contains(i)));
        }
    }
}

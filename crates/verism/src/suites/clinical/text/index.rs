//! Every word of a set that stands in a text, overlapping ones included.
//!
//! Words are filed under their first two characters. A text is walked once: a table tells for each character whether it
//! begins or follows in some word, a small filter tells for nearly all pairs that no word has them, and the few that are
//! left are compared. No step waits for the one before it, as those of an automaton do, and what is looked up stays in
//! the nearest cache; docs/performance.md has the figures. The time is linear in the text for a fixed set.

use rustc_hash::FxHashMap;

use super::letters::{SYLLABLES, hangul_index, is_alnum, is_hangul};

/// Bits of the filter.
const FILTER: usize = 1 << 16;

/// Words by their first two characters.
#[derive(Debug)]
pub(crate) struct Index {
    /// Numbers of the characters among the first two of some word; 0 for all others. Odd ones are words by themselves.
    ascii: [u32; 128],
    hangul: Vec<u32>,
    others: FxHashMap<char, u32>,
    /// Bytes with which a word begins that need not stand apart.
    inner: [bool; 128],
    /// For each number of a character that is a word by itself that word, and whether it is to stand apart.
    single: FxHashMap<u32, (u32, bool)>,
    /// How many characters have numbers.
    count: u32,
    /// One bit for each pair that may begin a word.
    filter: Vec<u64>,
    /// Where the words of a pair stand among `words`.
    pairs: FxHashMap<u64, (u32, u32)>,
    /// By pair.
    words: Vec<Filed>,
}

/// A word to be found.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: Box<str>,
    /// Wanted only where no letter or digit of ASCII stands before it.
    pub(crate) apart: bool,
}

/// A word in its place.
#[derive(Clone, Debug)]
struct Filed {
    text: Box<[u8]>,
    /// Its last byte, which tells most others apart.
    last: u8,
    length: u32,
    number: u32,
}

/// Two characters by their numbers, and whether a letter or digit stands before them.
fn pair(first: u32, second: u32, touched: bool) -> u64 {
    u64::from(first) << 33 | u64::from(second) << 1 | u64::from(touched)
}

/// The bit of a pair.
fn bit(pair: u64) -> usize {
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % FILTER
}

impl Index {
    /// Files words, which are told apart and not empty, under their numbers.
    pub(crate) fn new(words: &[Word]) -> Index {
        let mut index = Index {
            ascii: [0; 128],
            hangul: vec![0; SYLLABLES],
            others: FxHashMap::default(),
            inner: [false; 128],
            single: FxHashMap::default(),
            count: 0,
            filter: vec![0; FILTER / 64],
            pairs: FxHashMap::default(),
            words: vec![],
        };
        for (word, number) in words.iter().zip(0..) {
            let mut chars = word.text.chars();
            if let (Some(only), None) = (chars.next(), chars.next()) {
                let code = *index.code(only) | 1;
                *index.code(only) = code;
                index.single.insert(code, (number, word.apart));
            }
        }
        let mut filed: Vec<(u64, &str, u32)> = vec![];
        for (word, number) in words.iter().zip(0..) {
            if let Some(first) = word.text.bytes().next().filter(|first| first.is_ascii() && !word.apart) {
                index.inner[usize::from(first)] = true;
            }
            let codes: Vec<u32> = word.text.chars().take(2).map(|c| *index.code(c)).collect();
            if let [first, second] = codes[..] {
                filed.push((pair(first, second, false), &word.text, number));
                if !word.apart {
                    filed.push((pair(first, second, true), &word.text, number));
                }
            }
        }
        filed.sort_unstable();
        for (pair, text, number) in filed {
            let bit = bit(pair);
            index.filter[bit / 64] |= 1 << (bit % 64);
            let here = index.words.len() as u32;
            let text: Box<[u8]> = text.as_bytes().into();
            let (last, length) = (text.last().copied().unwrap_or(0), text.len() as u32);
            index.words.push(Filed { text, last, length, number });
            index.pairs.entry(pair).or_insert((here, here)).1 = here + 1;
        }
        index
    }

    /// The number of a character, new or known.
    fn code(&mut self, c: char) -> &mut u32 {
        let mut bytes = [0; 4];
        let text = c.encode_utf8(&mut bytes).as_bytes();
        let slot = match text {
            [byte] => &mut self.ascii[usize::from(*byte)],
            text if is_hangul(text, 0) => &mut self.hangul[hangul_index(text, 0)],
            _ => self.others.entry(c).or_default(),
        };
        if *slot == 0 {
            self.count += 1;
            *slot = 2 * self.count;
        }
        slot
    }

    /// Hands on each word that stands in a text: its number, start and end.
    pub(crate) fn each(&self, text: &str, mut take: impl FnMut(u32, usize, usize)) {
        let bytes = text.as_bytes();
        // The character before, if a word may begin with it, and whether a letter or digit stands before that.
        let (mut before, mut start, mut before_touched) = (0, 0, false);
        let (mut at, mut touched) = (0, false);
        while at < bytes.len() {
            let byte = bytes[at];
            let (code, width, may_begin) = if byte < 0x80 {
                let place = usize::from(byte);
                (self.ascii[place], 1, !touched || self.inner[place])
            } else if is_hangul(bytes, at) {
                (self.hangul[hangul_index(bytes, at)], 3, true)
            } else {
                let c = text[at..].chars().next().unwrap_or('\u{fffd}');
                (self.others.get(&c).copied().unwrap_or(0), c.len_utf8(), true)
            };
            if code != 0 && before != 0 {
                self.begin(bytes, start, pair(before, code, before_touched), &mut take);
            }
            if code & 1 == 1
                && let Some(&(word, apart)) = self.single.get(&code)
                && !(apart && touched)
            {
                take(word, at, at + width);
            }
            (before, start, before_touched) = (if may_begin { code } else { 0 }, at, touched);
            touched = is_alnum(byte);
            at += width;
        }
    }

    /// Hands on the words with a pair that begin here.
    fn begin(&self, text: &[u8], start: usize, pair: u64, take: &mut impl FnMut(u32, usize, usize)) {
        let bit = bit(pair);
        if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
            return;
        }
        let Some(&(first, end)) = self.pairs.get(&pair) else { return };
        for word in &self.words[first as usize..end as usize] {
            let end = start + word.length as usize;
            if text.get(end - 1) == Some(&word.last) && text[start..end] == *word.text {
                take(word.number, start, end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_word_is_found_wherever_it_stands(
            words in prop::collection::btree_set("[ab가나é]{1,4}", 0..12),
            text in "[ab가나é한x]{0,30}",
        ) {
            let words: Vec<Word> = words.into_iter().map(|text| Word { apart: text.ends_with('a'), text: text.into() }).collect();
            let mut found = vec![];
            Index::new(&words).each(&text, |word, start, end| found.push((word, start, end)));
            found.sort_unstable();
            let mut expected = vec![];
            for (number, word) in words.iter().enumerate() {
                let here = |at: &usize| {
                    let touched = *at > 0 && text.as_bytes()[*at - 1].is_ascii_lowercase();
                    text.as_bytes()[*at..].starts_with(word.text.as_bytes()) && !(touched && word.apart)
                };
                let starts = (0..text.len()).filter(here);
                expected.extend(starts.map(|start| (number as u32, start, start + word.text.len())));
            }
            prop_assert_eq!(found, expected);
        }
    }
}

//! A text as words and the clause breaks between them.

use super::normalize::{clean, is_word};

/// A word: where it stands in the cleaned text, where its lower-case form stands, and whether a clause ends before it.
#[derive(Clone, Copy, Debug)]
struct Word {
    start: u32,
    end: u32,
    low_start: u32,
    low_end: u32,
    break_before: bool,
}

/// The words of one text. Meant to be kept and filled again: it reuses its buffers.
///
/// A word is a maximal run of word characters, with `'` or `-` kept inside it. A clause break lies between two words if
/// the text between them holds one of `. ! ? ; : , … 。 ！ ？ ； ： ， 、 — –` or a line break.
#[derive(Debug, Default)]
pub struct Words {
    text: String,
    low: String,
    words: Vec<Word>,
    map: Vec<u64>,
}

const WORD: u8 = 1;
const JOINT: u8 = 2;
const BREAK: u8 = 4;

/// Class of every ASCII character.
static ASCII: [u8; 128] = {
    let mut class = [0; 128];
    let mut c = 0;
    while c < 128 {
        class[c] = match c as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => WORD,
            b'\'' | b'-' => JOINT,
            b'.' | b'!' | b'?' | b';' | b':' | b',' | b'\n' | b'\r' => BREAK,
            _ => 0,
        };
        c += 1;
    }
    class
};

/// A character of ASCII that stands for this one wherever words are cut: apostrophes, hyphens, breaks, quotes, blanks.
fn ascii_twin(c: char) -> Option<char> {
    match c {
        '\0'..='\x7f' => Some(c),
        '\u{2019}' | '\u{2018}' | '\u{02bc}' => Some('\''),
        '\u{2010}' | '\u{2011}' => Some('-'),
        '…' | '—' | '–' => Some(';'),
        '“' | '”' => Some('"'),
        '\u{a0}' => Some(' '),
        _ => None,
    }
}

/// One bit per byte of an ASCII text: set for characters of words, joints inside words included.
fn word_map(bytes: &[u8], map: &mut Vec<u64>) {
    map.clear();
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut joints = 0;
    for (i, eight) in eights.iter().chain([&last]).enumerate() {
        if i % 8 == 0 {
            map.push(0);
        }
        let eight = u64::from_le_bytes(*eight);
        joints |= equal(eight, b'\'') | equal(eight, b'-');
        map[i / 8] |= gather(alphanumeric(eight)) << (8 * (i % 8));
    }
    if joints != 0 {
        // A joint is part of a word if word characters stand on both sides of it.
        let is_set = |map: &[u64], i: usize| map[i / 64] >> (i % 64) & 1 == 1;
        for i in memchr::memchr2_iter(b'\'', b'-', bytes) {
            if i > 0 && i + 1 < bytes.len() && is_set(map, i - 1) && bytes[i + 1].is_ascii_alphanumeric() {
                map[i / 64] |= 1 << (i % 64);
            }
        }
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// High bits of the bytes (all ASCII) that lie in a range.
fn within(eight: u64, low: u8, high: u8) -> u64 {
    let reaches = eight + ONES * u64::from(0x80 - low);
    let exceeds = eight + ONES * u64::from(0x7f - high);
    reaches & !exceeds & HIGH
}

fn alphanumeric(eight: u64) -> u64 {
    within(eight | (0x20 * ONES), b'a', b'z') | within(eight, b'0', b'9')
}

fn equal(eight: u64, byte: u8) -> u64 {
    within(eight, byte, byte)
}

/// The high bits of eight bytes as the bits of one.
fn gather(high_bits: u64) -> u64 {
    (high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Whether a clause ends between two words; most have just a blank between them.
fn is_broken(between: &[u8]) -> bool {
    between != b" " && between.iter().any(|&byte| ASCII[usize::from(byte & 127)] == BREAK)
}

fn class_of(c: char) -> u8 {
    match c {
        '\0'..='\x7f' => ASCII[c as usize],
        '…' | '。' | '！' | '？' | '；' | '：' | '，' | '、' | '—' | '–' => BREAK,
        c if is_word(c) => WORD,
        _ => 0,
    }
}

impl Words {
    /// Reads a text, forgetting the one before.
    pub fn read(&mut self, text: &str) {
        self.text.clear();
        self.low.clear();
        self.words.clear();
        if text.is_ascii() {
            self.text.push_str(text);
            self.low.push_str(text);
            self.low.make_ascii_lowercase();
            self.cut_ascii();
        } else if self.transliterate(text) {
            self.low.push_str(&self.text);
            self.low.make_ascii_lowercase();
            self.cut_ascii();
        } else {
            self.text.clear();
            self.text.push_str(&clean(text));
            self.cut();
        }
    }

    /// Takes over a text in which only punctuation is not ASCII, as characters of ASCII of the same class.
    fn transliterate(&mut self, text: &str) -> bool {
        text.chars().all(|c| {
            let twin = ascii_twin(c);
            self.text.extend(twin);
            twin.is_some()
        })
    }

    /// Cuts a text of ASCII by a map of its word characters: words end where nobody can foresee, and a map spares the
    /// processor the guess at every character.
    fn cut_ascii(&mut self) {
        let bytes = self.text.as_bytes();
        word_map(bytes, &mut self.map);
        // Every bit that differs from the one before it is the start or the end of a word, in turn.
        let (mut last, mut start, mut inside, mut carry) = (0, 0, false, 0);
        for (i, &bits) in self.map.iter().chain([&0]).enumerate() {
            let mut edges = bits ^ (bits << 1 | carry);
            carry = bits >> 63;
            while edges != 0 {
                let at = 64 * i + edges.trailing_zeros() as usize;
                edges &= edges - 1;
                if inside {
                    let break_before = is_broken(&bytes[last..start]);
                    let (low, high) = (start as u32, at as u32);
                    self.words.push(Word { start: low, end: high, low_start: low, low_end: high, break_before });
                    last = at;
                } else {
                    start = at;
                }
                inside = !inside;
            }
        }
    }

    fn cut(&mut self) {
        let mut chars = self.text.char_indices().peekable();
        let mut between = 0;
        while let Some((start, c)) = chars.next() {
            let class = class_of(c);
            if class != WORD {
                between |= class;
                continue;
            }
            let mut end = start + c.len_utf8();
            while let Some(&(at, c)) = chars.peek() {
                let joins = || self.text[at + c.len_utf8()..].chars().next().is_some_and(|c| class_of(c) == WORD);
                match class_of(c) {
                    WORD => {}
                    JOINT if joins() => {}
                    _ => break,
                }
                end = at + c.len_utf8();
                chars.next();
            }
            let low_start = self.low.len() as u32;
            self.low.push_str(&self.text[start..end].to_lowercase());
            self.words.push(Word {
                start: start as u32,
                end: end as u32,
                low_start,
                low_end: self.low.len() as u32,
                break_before: between & BREAK != 0,
            });
            between = 0;
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Word `i` as written.
    pub fn written(&self, i: usize) -> &str {
        &self.text[self.words[i].start as usize..self.words[i].end as usize]
    }

    /// Word `i` in lower case.
    pub fn low(&self, i: usize) -> &str {
        &self.low[self.words[i].low_start as usize..self.words[i].low_end as usize]
    }

    /// Bytes of word `i` as written.
    pub fn length(&self, i: usize) -> usize {
        (self.words[i].end - self.words[i].start) as usize
    }

    /// Word `i` in lower case, as bytes; the quick way in for matching.
    pub(crate) fn low_bytes(&self, i: usize) -> &[u8] {
        &self.low.as_bytes()[self.words[i].low_start as usize..self.words[i].low_end as usize]
    }

    /// Whether a clause ends between word `i` and the one before it.
    pub fn break_before(&self, i: usize) -> bool {
        self.words[i].break_before
    }

    /// Whether a clause ends inside words `first..after`.
    pub fn broken(&self, first: usize, after: usize) -> bool {
        self.words[first + 1..after].iter().any(|w| w.break_before)
    }

    /// The cleaned text after word `i`.
    pub fn text_after(&self, i: usize) -> &str {
        &self.text[self.words[i].end as usize..]
    }

    /// The cleaned text between word `i` and the next one.
    pub fn text_between(&self, i: usize) -> &str {
        &self.text[self.words[i].end as usize..self.words[i + 1].start as usize]
    }

    /// Whether words from `at` on are exactly these, without a clause break inside.
    pub fn starts_with(&self, at: usize, parts: &[String]) -> bool {
        at + parts.len() <= self.len()
            && parts.iter().enumerate().all(|(k, part)| self.low_bytes(at + k) == part.as_bytes())
            && !self.broken(at, at + parts.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<(String, bool)> {
        let mut words = Words::default();
        words.read(text);
        (0..words.len()).map(|i| (words.low(i).to_string(), words.break_before(i))).collect()
    }

    #[test]
    fn joints_stay_inside_and_breaks_lie_between() {
        let word = |w: &str, b| (w.to_string(), b);
        assert_eq!(
            cut("I'm low-lying, but - safe_ish"),
            [word("i'm", false), word("low-lying", false), word("but", true), word("safe", false), word("ish", false)]
        );
        assert_eq!(cut("'quoted' text-"), [word("quoted", false), word("text", false)]);
        assert_eq!(cut("H\u{2014}L\nM"), [word("h", false), word("l", true), word("m", true)]);
        assert_eq!(cut("위험이 없다。안전"), [word("위험이", false), word("없다", false), word("안전", true)]);
        assert_eq!(cut("don\u{2019}t"), [word("don't", false)]);
    }

    proptest! {
        #[test]
        fn punctuation_beyond_ascii_cuts_as_the_general_path_does(text in "[a-cH' .,:’‘‐‑…—–“”\u{a0}\n-]{0,40}") {
            let mut quick = Words::default();
            quick.read(&text);
            let mut general = Words { text: clean(&text).into_owned(), ..Words::default() };
            general.cut();
            let all = |words: &Words| {
                (0..words.len()).map(|i| (words.low(i).to_string(), words.break_before(i))).collect::<Vec<_>>()
            };
            prop_assert_eq!(all(&quick), all(&general));
        }

        #[test]
        fn the_ascii_path_cuts_as_the_general_one(text in "[ -~\n\r]{0,60}") {
            let mut quick = Words::default();
            quick.read(&text);
            let mut general = Words { text: text.clone(), ..Words::default() };
            general.cut();
            prop_assert_eq!(quick.len(), general.len());
            for i in 0..quick.len() {
                prop_assert_eq!(quick.low(i), general.low(i));
                prop_assert_eq!(quick.written(i), general.written(i));
                prop_assert_eq!(quick.break_before(i), general.break_before(i));
            }
        }
    }
}

//! A text as words and the clause breaks between them.

use std::ops::Range;

use super::bits::{Bytes, WIDTH, note_places};
use super::normalize::{clean, is_word};

/// The words of one text. Meant to be kept and filled again: it reuses its buffers.
///
/// A word is a maximal run of word characters, with `'` or `-` kept inside it. A clause break lies between two words if
/// the text between them holds one of `. ! ? ; : , … 。 ！ ？ ； ： ， 、 — –` or a line break; that is looked up only
/// where somebody asks, since few words are ever asked about.
#[derive(Debug, Default)]
pub struct Words {
    text: String,
    low: String,
    /// Where words start and end in the text, in turn.
    edges: Vec<u32>,
    /// Where their lower-case forms do; empty if at the same places.
    low_edges: Vec<u32>,
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

fn class_of(c: char) -> u8 {
    match c {
        '\0'..='\x7f' => ASCII[c as usize],
        '…' | '。' | '！' | '？' | '；' | '：' | '，' | '、' | '—' | '–' => BREAK,
        c if is_word(c) => WORD,
        _ => 0,
    }
}

/// Whether a clause ends between two words; most have just a blank between them.
fn is_break(between: &str) -> bool {
    between != " " && between.chars().any(|c| class_of(c) == BREAK)
}

impl Words {
    /// Reads a text, forgetting the one before.
    pub fn read(&mut self, text: &str) {
        self.text.clear();
        self.low.clear();
        self.edges.clear();
        self.low_edges.clear();
        if text.is_ascii() {
            self.text.push_str(text);
            self.cut_ascii();
        } else if self.transliterate(text) {
            self.cut_ascii();
        } else {
            self.text.clear();
            self.text.push_str(&clean(text));
            self.cut();
        }
    }

    /// Takes over a text in which only punctuation is not ASCII, as characters of ASCII of the same class.
    fn transliterate(&mut self, text: &str) -> bool {
        let mut rest = text;
        loop {
            let plain = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
            self.text.push_str(&rest[..plain]);
            let mut chars = rest[plain..].chars();
            match chars.next().map(ascii_twin) {
                None => return true,
                Some(None) => return false,
                Some(Some(twin)) => self.text.push(twin),
            }
            rest = chars.as_str();
        }
    }

    /// Cuts a text of ASCII by the bits of its word characters.
    fn cut_ascii(&mut self) {
        self.low.push_str(&self.text);
        self.low.make_ascii_lowercase();
        let bytes = self.text.as_bytes();
        // No text has more edges than bytes and its end.
        self.edges.resize(bytes.len() + 1, 0);
        let mut count = 0;
        let (mut letter_before, mut word_before) = (0, 0);
        for at in (0..bytes.len()).step_by(WIDTH) {
            let some = Bytes::at(bytes, at);
            let letters = some.alphanumeric();
            let letter_after = bytes.get(at + WIDTH).is_some_and(u8::is_ascii_alphanumeric);
            let between = (letters << 1 | letter_before) & (letters >> 1 | u64::from(letter_after) << (WIDTH - 1));
            let word = letters | some.one_of([b'\'', b'-']) & between;
            // Every bit that differs from the one before it is the start or the end of a word.
            let changes = word ^ (word << 1 | word_before);
            count += note_places(changes, at as u32, &mut self.edges[count..]);
            letter_before = letters >> (WIDTH - 1);
            word_before = word >> (WIDTH - 1);
        }
        if word_before == 1 {
            self.edges[count] = bytes.len() as u32;
            count += 1;
        }
        self.edges.truncate(count);
    }

    fn cut(&mut self) {
        let mut chars = self.text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            if class_of(c) != WORD {
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
            let low_start = self.low.len();
            self.low.push_str(&self.text[start..end].to_lowercase());
            self.edges.extend([start as u32, end as u32]);
            self.low_edges.extend([low_start as u32, self.low.len() as u32]);
        }
    }

    fn range(&self, i: usize) -> Range<usize> {
        self.edges[2 * i] as usize..self.edges[2 * i + 1] as usize
    }

    fn low_range(&self, i: usize) -> Range<usize> {
        let edges = if self.low_edges.is_empty() { &self.edges } else { &self.low_edges };
        edges[2 * i] as usize..edges[2 * i + 1] as usize
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.edges.len() / 2
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Word `i` as written.
    pub fn written(&self, i: usize) -> &str {
        &self.text[self.range(i)]
    }

    /// Word `i` in lower case.
    pub fn low(&self, i: usize) -> &str {
        &self.low[self.low_range(i)]
    }

    /// The text of all words in lower case, and where each of them starts and ends in it.
    pub(crate) fn low_edges(&self) -> (&[u8], &[[u32; 2]]) {
        let edges = if self.low_edges.is_empty() { &self.edges } else { &self.low_edges };
        (self.low.as_bytes(), edges.as_chunks().0)
    }

    /// Word `i` in lower case, as bytes; the quick way in for matching.
    pub(crate) fn low_bytes(&self, i: usize) -> &[u8] {
        &self.low.as_bytes()[self.low_range(i)]
    }

    /// Whether a clause ends between word `i` and the one before it.
    pub fn break_before(&self, i: usize) -> bool {
        let end_before = if i == 0 { 0 } else { self.edges[2 * i - 1] };
        is_break(&self.text[end_before as usize..self.edges[2 * i] as usize])
    }

    /// Whether a clause ends inside words `first..after`.
    pub fn broken(&self, first: usize, after: usize) -> bool {
        (first + 1..after).any(|i| self.break_before(i))
    }

    /// The cleaned text after word `i`.
    pub fn text_after(&self, i: usize) -> &str {
        &self.text[self.range(i).end..]
    }

    /// The cleaned text between word `i` and the next one.
    pub fn text_between(&self, i: usize) -> &str {
        &self.text[self.range(i).end..self.range(i + 1).start]
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
        fn punctuation_beyond_ascii_cuts_as_the_general_path_does(text in "[a-cH' .,:’‘‐‑…—–“”\u{a0}\n-]{0,200}") {
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
        fn the_ascii_path_cuts_as_the_general_one(text in "[ -~\n\r]{0,200}") {
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

//! A text as words with keys, and the gaps between them.

use std::borrow::Cow;
use std::sync::LazyLock;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::chars::{is_ampersand, is_apostrophe, is_blank, is_hangul, is_ideographic, is_weak, is_word};
use super::lexicon::folds;
use crate::text::bits::Runs;
use crate::text::normalize::stays_in_nfc;

/// A word of a text: where it stands, and where its key does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// First byte in the text.
    pub(crate) start: usize,
    /// The byte after its last.
    pub(crate) end: usize,
    key: (usize, usize),
}

/// The words of one text. Meant to be kept and filled again: it reuses its buffers.
///
/// A word is a maximal run of letters, marks and numbers; Korean script and others never share one; every ideograph and
/// kana is one; `&` is the word `and`. The key of a word is its characters in lower case without accents.
#[derive(Debug, Default)]
pub(crate) struct Words {
    list: Vec<Word>,
    /// The text in lower case, where the keys of ASCII words stand, and behind it those of all others.
    keys: String,
}

impl Words {
    /// Cuts an NFC text, forgetting the one before.
    pub(crate) fn cut(&mut self, text: &str) {
        self.list.clear();
        self.keys.clear();
        self.keys.push_str(text);
        let bytes = text.as_bytes();
        let mut runs = Runs::new(bytes);
        let mut at = 0;
        while at < bytes.len() {
            let first = bytes[at];
            if first.is_ascii_alphanumeric() {
                at = self.run(text, at, false, &mut runs);
            } else if first == b'&' {
                at += 1;
                self.push_and(at - 1, at);
            } else if first.is_ascii() {
                at += 1;
            } else {
                let c = super::chars::at(text, at).expect("a character starts here");
                let next = at + c.len_utf8();
                if is_ampersand(c) {
                    self.push_and(at, next);
                } else if is_ideographic(c) && is_word(c) {
                    let key = self.keys.len();
                    push_folded(&mut self.keys, c);
                    self.push(at, next, key);
                } else if is_word(c) {
                    at = self.run(text, at, is_hangul(c), &mut runs);
                    continue;
                }
                at = next;
            }
        }
        // What is beyond ASCII was brought into lower case on the way.
        self.keys.make_ascii_lowercase();
    }

    /// Takes the word that starts here and gives the place after it.
    fn run(&mut self, text: &str, start: usize, hangul: bool, runs: &mut Runs<'_>) -> usize {
        let bytes = text.as_bytes();
        let mut at = runs.end(start);
        if at > start && bytes.get(at).is_none_or(u8::is_ascii) {
            self.list.push(Word { start, end: at, key: (start, at) });
            return at;
        }
        let key = self.keys.len();
        at = start;
        while at < bytes.len() {
            if bytes[at].is_ascii() {
                let end = runs.end(at);
                if hangul || end == at {
                    break;
                }
                self.keys.push_str(&text[at..end]);
                at = end;
                continue;
            }
            let c = super::chars::at(text, at).expect("a character starts here");
            if !is_word(c) || is_ideographic(c) || is_hangul(c) != hangul {
                break;
            }
            push_folded(&mut self.keys, c);
            at += c.len_utf8();
        }
        self.push(start, at, key);
        at
    }

    fn push_and(&mut self, start: usize, end: usize) {
        let key = self.keys.len();
        self.keys.push_str("and");
        self.push(start, end, key);
    }

    fn push(&mut self, start: usize, end: usize, key: usize) {
        // Marks alone leave no key and are not a word.
        if self.keys.len() > key {
            self.list.push(Word { start, end, key: (key, self.keys.len()) });
        }
    }

    /// The words in order.
    pub(crate) fn list(&self) -> &[Word] {
        &self.list
    }

    /// The key of a word by its number.
    pub(crate) fn key(&self, number: usize) -> &str {
        let (start, end) = self.list[number].key;
        &self.keys[start..end]
    }

    /// The keys of some words joined by blanks.
    pub(crate) fn joined(&self, from: usize, to: usize) -> String {
        let keys: Vec<&str> = (from..to).map(|number| self.key(number)).collect();
        keys.join(" ")
    }

    /// The words that lie between two places, as a range of numbers.
    pub(crate) fn inside(&self, start: usize, end: usize) -> (usize, usize) {
        let from = self.list.partition_point(|word| word.start < start);
        let to = self.list.partition_point(|word| word.end <= end);
        (from, to.max(from))
    }

    /// Whether the gap before a word, counted from 1, is weak: nothing but blanks, apostrophes, hyphens and `. / · _`.
    pub(crate) fn weak_before(&self, text: &str, number: usize) -> bool {
        let gap = &text[self.list[number - 1].end..self.list[number].start];
        gap == " " || gap_is_weak(gap, self.key(number))
    }
}

/// Whether a gap is weak before a word with this key; before `jr` and `sr` it may hold commas.
pub(crate) fn gap_is_weak(gap: &str, next: &str) -> bool {
    let commas = matches!(next, "jr" | "sr");
    gap.chars().all(|c| is_weak(c) || (commas && c == ','))
}

/// The text in NFC.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    let plain = || text.chars().filter(|c| !c.is_ascii()).all(stays_in_nfc);
    if text.is_ascii() || plain() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The words of a text as one key: joined by blanks.
pub(crate) fn key_of(text: &str) -> String {
    if is_plain(text) {
        return text.to_ascii_lowercase();
    }
    let mut words = Words::default();
    words.cut(&nfc(text));
    words.joined(0, words.list.len())
}

/// Whether a text is nothing but ASCII letters and digits in words with one space between them.
pub(crate) fn is_plain(text: &str) -> bool {
    let mut before = b' ';
    let fits = |byte: u8| {
        let fits = byte.is_ascii_alphanumeric() || (byte == b' ' && before != b' ');
        before = byte;
        fits
    };
    text.bytes().all(fits) && before != b' '
}

/// The text in NFC with every apostrophe as `'`, blanks collapsed, none at the ends.
pub(crate) fn tidy(text: &str) -> String {
    if is_plain(text) {
        return text.to_string();
    }
    let text = nfc(text);
    let mut out = String::with_capacity(text.len());
    for part in text.split(is_blank).filter(|part| !part.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(part.chars().map(|c| if is_apostrophe(c) { '\'' } else { c }));
    }
    out
}

/// The text in lower case, character by character.
pub(crate) fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}

/// Up to here folded characters are looked up.
const TABLE_END: u32 = 0x250;

static TABLE: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..TABLE_END).map(|code| char::from_u32(code).map_or(String::new(), folded)).collect());

/// Appends the key of a character.
fn push_folded(out: &mut String, c: char) {
    match c {
        '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => out.push(c),
        c if u32::from(c) < TABLE_END => out.push_str(&TABLE[c as usize]),
        c => out.push_str(&folded(c)),
    }
}

/// The key of a character: lower case, its accents (U+0300 to U+036F) removed, then what the lexicon's table says.
fn folded(c: char) -> String {
    let bare = c.to_lowercase().nfd().filter(|x| !('\u{300}'..='\u{36f}').contains(x)).nfc();
    let mut out = String::new();
    for x in bare {
        match folds().get(&x) {
            Some(text) => out.push_str(text),
            None => out.push(x),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_by_hand() {
        // Section 4.1 of the specification.
        for (text, key) in [
            ("Night Ferry 2", "night ferry 2"),
            ("Nolan's Spider-Man", "nolan s spider man"),
            ("N'Dara & Co.", "n dara and co"),
            ("Éowyn Straße Łódź Ørsted", "eowyn strasse lodz orsted"),
            ("e\u{301}a", "ea"),
            ("Sable가 1998년", "sable 가 1998 년"),
            ("七人の侍", "七 人 の 侍"),
            ("\u{301}", ""),
            ("", ""),
        ] {
            assert_eq!(key_of(text), key, "{text}");
        }
    }

    #[test]
    fn a_comma_is_weak_before_junior_only() {
        assert!(gap_is_weak(", ", "jr") && !gap_is_weak(", ", "von"));
        assert!(gap_is_weak(" \u{2019}", "s") && !gap_is_weak(" \n", "s"));
    }

    #[test]
    fn tidy_collapses_blanks_and_apostrophes() {
        assert_eq!(["Night Ferry 2", "Night  Ferry", " Night", ""].map(is_plain), [true, false, false, false]);
        assert_eq!(tidy(" Salt\u{a0} & `Ember\u{2019}s\n"), "Salt & 'Ember's");
        assert_eq!(lower("ÀİΣ"), "ài\u{307}σ");
    }

    #[test]
    fn words_inside_a_span() {
        let mut words = Words::default();
        words.cut("one (two three) four");
        assert_eq!(words.inside(4, 15), (1, 3));
        assert_eq!(words.inside(3, 5), (1, 1));
    }

    proptest! {
        #[test]
        fn words_lie_in_order_and_have_keys(text in "\\PC{0,40}") {
            let text = nfc(&text);
            let mut words = Words::default();
            words.cut(&text);
            let mut last = 0;
            for (number, word) in words.list().iter().enumerate() {
                prop_assert!(word.start >= last && word.end > word.start && !words.key(number).is_empty());
                prop_assert!(text.is_char_boundary(word.start) && text.is_char_boundary(word.end));
                last = word.end;
            }
        }
    }
}

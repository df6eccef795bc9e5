//! Tokenizers with names, since a name enters the signature of whatever was counted with it.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{normalize, treebank};

/// Whether a character belongs to a word: letters, marks, numbers and the low line.
pub fn is_word(c: char) -> bool {
    c == '_' || normalize::is_word(c)
}

/// What becomes of a run of low lines, which stands for a blank to be filled in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blanks {
    /// A run of any length is one blank.
    #[default]
    Joined,
    /// Low lines stay as they are.
    Kept,
}

/// The text in NFC, each run of low lines joined or kept.
pub fn prep(text: &str, blanks: Blanks) -> Cow<'_, str> {
    let composed = nfc(text);
    if blanks == Blanks::Kept || !composed.contains("__") {
        return composed;
    }
    let mut out = String::with_capacity(composed.len());
    for c in composed.chars() {
        if c != '_' || !out.ends_with('_') {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The text in NFC.
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

/// The text in lower case, final sigma included.
pub fn lower(text: &str) -> Cow<'_, str> {
    let has_upper = |b: u8| b.is_ascii_uppercase() || !b.is_ascii();
    if text.bytes().any(has_upper) { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) }
}

/// A way to cut a text into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Lower case, cut at white space; marks stay on their words.
    Whitespace,
    /// Lower case, what is neither word character nor white space deleted, cut at white space.
    Words,
    /// The rules T1 to T12 of the Penn Treebank tokenizer, case kept.
    Treebank,
    /// The same on the text in lower case.
    TreebankLower,
}

impl Tokenizer {
    /// The name that signatures and model files carry.
    pub fn name(self) -> &'static str {
        match self {
            Tokenizer::Whitespace => "whitespace",
            Tokenizer::Words => "words",
            Tokenizer::Treebank => "treebank",
            Tokenizer::TreebankLower => "treebank_lower",
        }
    }

    /// Cuts a text that [`prep`] gave.
    pub fn cut(self, text: &str, out: &mut Tokens) {
        match self {
            Tokenizer::Whitespace if text.is_ascii() => out.read_ascii(text, None),
            Tokenizer::Words if text.is_ascii() => out.read_ascii(text, Some(&WORDS_AND_SPACE)),
            Tokenizer::Whitespace => out.read_lower(text, |_| true),
            Tokenizer::Words => out.read_lower(text, is_word),
            Tokenizer::Treebank => out.read_joined(treebank::spaced(text)),
            Tokenizer::TreebankLower => out.read_joined(treebank::spaced(&lower(text))),
        }
    }

    /// The tokens of a text that [`prep`] gave, each on its own.
    pub fn tokens(self, text: &str) -> Vec<String> {
        let mut tokens = Tokens::default();
        self.cut(text, &mut tokens);
        tokens.iter().map(String::from).collect()
    }
}

/// Tokens of one text, in one piece of memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    text: String,
    edges: Vec<[u32; 2]>,
}

impl Tokens {
    /// Takes the text in lower case without the characters that are neither kept nor white space.
    fn read_lower(&mut self, text: &str, keep: impl Fn(char) -> bool) {
        self.text.clear();
        let low = text.to_lowercase();
        self.text.extend(low.chars().filter(|c| c.is_whitespace() || keep(*c)));
        self.split();
    }

    /// The same of a text of ASCII.
    fn read_ascii(&mut self, text: &str, keep: Option<&[bool; 256]>) {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        bytes.extend_from_slice(text.as_bytes());
        if let Some(keep) = keep {
            let mut length = 0;
            for b in text.bytes() {
                bytes[length] = b;
                length += usize::from(keep[usize::from(b)]);
            }
            bytes.truncate(length);
        }
        bytes.make_ascii_lowercase();
        self.edges.clear();
        let mut start = 0;
        for (at, b) in bytes.iter().enumerate() {
            if ascii_space(*b) {
                if start < at {
                    self.edges.push([start as u32, at as u32]);
                }
                start = at + 1;
            }
        }
        if start < bytes.len() {
            self.edges.push([start as u32, bytes.len() as u32]);
        }
        self.text = String::from_utf8(bytes).unwrap_or_default();
    }

    fn read_joined(&mut self, text: String) {
        self.text = text;
        self.split();
    }

    fn split(&mut self) {
        self.edges.clear();
        let start = self.text.as_ptr() as usize;
        let place = |word: &str| {
            let at = (word.as_ptr() as usize - start) as u32;
            [at, at + word.len() as u32]
        };
        self.edges.extend(self.text.split_whitespace().map(place));
    }

    /// Makes of the treebank tokens of a text those of the text in lower case.
    pub fn lower_treebank(&mut self, text: &str) {
        // Some endings after an apostrophe are cut off in two cases and not in a third; nothing else depends on case.
        match text.is_ascii() && !text.contains('\'') {
            true => self.text.make_ascii_lowercase(),
            false => Tokenizer::TreebankLower.cut(text, self),
        }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Token `i`.
    pub fn get(&self, i: usize) -> &str {
        let [start, end] = self.edges[i];
        &self.text[start as usize..end as usize]
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.edges.iter().map(|[start, end]| &self.text[*start as usize..*end as usize])
    }
}

/// White space within ASCII: tab to carriage return, and the blank.
const fn ascii_space(b: u8) -> bool {
    matches!(b, 0x09..=0x0d | b' ')
}

/// The word characters of ASCII, and its white space.
const WORDS_AND_SPACE: [bool; 256] = {
    let mut kept = [false; 256];
    let mut b = 0;
    while b < 128_u8 {
        kept[b as usize] = b.is_ascii_alphanumeric() || b == b'_' || ascii_space(b);
        b += 1;
    }
    kept
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blanks_are_joined_unless_kept() {
        assert_eq!(prep("a ____ b_", Blanks::Joined), "a _ b_");
        assert_eq!(prep("a ____ b_", Blanks::Kept), "a ____ b_");
        assert_eq!(prep("e\u{301}", Blanks::Joined), "\u{e9}");
    }

    #[test]
    fn the_three_streams_by_hand() {
        // By hand from the definitions: marks are deleted inside words, kept on white space tokens, cut off by the rules.
        assert_eq!(Tokenizer::Words.tokens("Don't stop,  _ now!"), ["dont", "stop", "_", "now"]);
        assert_eq!(Tokenizer::Whitespace.tokens("Don't stop,\u{3000}_"), ["don't", "stop,", "_"]);
        assert_eq!(Tokenizer::Treebank.tokens("Don't stop, now."), ["Do", "n't", "stop", ",", "now", "."]);
        // The four ASCII separators are not white space.
        assert_eq!(Tokenizer::Whitespace.tokens("a\u{1c}b"), ["a\u{1c}b"]);
        assert_eq!(Tokenizer::Words.tokens("ΟΔΟΣ ½"), ["οδος", "½"]);
        assert!(Tokenizer::Words.tokens(" ?! ").is_empty());
    }

    proptest! {
        #[test]
        fn ascii_is_cut_as_any_other_text(text in "[ -~\\t\\n\\x0b\\x0c\\r\\x1c]{0,40}") {
            for (tokenizer, keep) in [(Tokenizer::Whitespace, (|_| true) as fn(char) -> bool), (Tokenizer::Words, is_word)] {
                let mut plain = Tokens::default();
                plain.read_lower(&text, keep);
                let plain: Vec<&str> = plain.iter().collect();
                prop_assert_eq!(tokenizer.tokens(&text), plain);
            }
        }

        #[test]
        fn treebank_tokens_in_lower_case_are_those_of_the_text_in_lower_case(
            text in "(([a-zA-Z]{1,5}|Gonna|CANNOT|Gimme|gotta|Don't|it'S|they'Ll|'Tis|``|\"|--|\\.\\.|[!-/:-@\\[-`{-~é]) ?){0,8}"
        ) {
            let mut tokens = Tokens::default();
            Tokenizer::Treebank.cut(&text, &mut tokens);
            tokens.lower_treebank(&text);
            let found: Vec<&str> = tokens.iter().collect();
            prop_assert_eq!(found, Tokenizer::TreebankLower.tokens(&text));
        }

        #[test]
        fn words_hold_word_characters_only(text in "\\PC{0,60}") {
            for token in Tokenizer::Words.tokens(&text) {
                prop_assert!(!token.is_empty() && token.chars().all(is_word), "{token}");
            }
        }
    }
}

//! How BERT reads text: what is dropped, what stands apart, what becomes of letters.

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// The settings of a `BertNormalizer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cleaning {
    /// Whether control characters are dropped and white space becomes a blank.
    pub(super) clean: bool,
    /// Whether each Chinese character is a word.
    pub(super) chinese: bool,
    /// Whether accents are dropped.
    pub(super) accents: bool,
    /// Whether letters become small.
    pub(super) lower: bool,
}

impl Cleaning {
    /// The text as its words are looked up.
    pub(super) fn apply(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        if text.is_ascii() {
            // No accents, no Chinese: the same as below, without the tables.
            let kept = text.chars().filter(|c| !(self.clean && is_control(*c)));
            let spaced = kept.map(|c| if self.clean && c.is_whitespace() { ' ' } else { c });
            out.extend(spaced.map(|c| if self.lower { c.to_ascii_lowercase() } else { c }));
            return out;
        }
        let kept = text.chars().filter(|c| !(self.clean && is_control(*c)));
        let spaced = kept.map(|c| if self.clean && c.is_whitespace() { ' ' } else { c });
        let apart = spaced.flat_map(|c| {
            let blank = (self.chinese && is_chinese(c)).then_some(' ');
            blank.into_iter().chain([c]).chain(blank)
        });
        match self.accents {
            true => self.push_lower(apart.nfd().filter(|c| !c.is_mark_nonspacing()), &mut out),
            false => self.push_lower(apart, &mut out),
        }
        out
    }

    fn push_lower(self, chars: impl Iterator<Item = char>, out: &mut String) {
        match self.lower {
            true => out.extend(chars.flat_map(char::to_lowercase)),
            false => out.extend(chars),
        }
    }
}

/// Cuts a cleaned text into words: at white space, and around every mark of punctuation.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(char::is_whitespace).flat_map(|part| {
        let mut rest = part;
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let end = match is_punctuation(first) {
                true => first.len_utf8(),
                false => rest.find(is_punctuation).unwrap_or(rest.len()),
            };
            let (word, more) = rest.split_at(end);
            rest = more;
            Some(word)
        })
    })
}

fn is_control(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        c if c.is_ascii() => c.is_ascii_control(),
        c => c.is_other(),
    }
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { c.is_punctuation() }
}

/// Whether a character is written without blanks around it. The blocks are those that the published tokenizers use, the
/// gap from U+2B820 to U+2B91F included.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b81f}'
        | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNCASED: Cleaning = Cleaning { clean: true, chinese: true, accents: true, lower: true };

    #[test]
    fn accents_case_controls_and_white_space_go() {
        assert_eq!(UNCASED.apply("Crème\u{7f}\u{200d}\tBRÛLÉE\u{3000}İ"), "creme brulee i");
        assert_eq!(UNCASED.apply("A\u{1}B\r\nC"), "ab  c");
    }

    #[test]
    fn chinese_stands_apart_and_hangul_is_taken_to_pieces() {
        assert_eq!(UNCASED.apply("a野口b"), "a 野  口 b");
        assert_eq!(UNCASED.apply("한"), "\u{1112}\u{1161}\u{11ab}");
    }

    #[test]
    fn settings_can_be_off() {
        let none = Cleaning { clean: false, chinese: false, accents: false, lower: false };
        assert_eq!(none.apply("É\t野"), "É\t野");
        assert_eq!(Cleaning { lower: true, ..none }.apply("ÉA"), "éa");
    }

    #[test]
    fn punctuation_stands_alone() {
        assert_eq!(
            words("hey friend!  how's “it”…").collect::<Vec<_>>(),
            ["hey", "friend", "!", "how", "'", "s", "“", "it", "”", "…"]
        );
        assert_eq!(words("  ").count(), 0);
    }
}

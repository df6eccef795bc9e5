//! When a guest leaves.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::text::fold::{fold, holds_word};
use crate::text::normalize::{is_blank, is_word, trim};

/// The words that mean leaving, folded.
#[derive(Clone, Debug)]
pub(crate) struct ExitWords(Vec<String>);

impl ExitWords {
    pub(crate) fn new(words: &[String]) -> ExitWords {
        ExitWords(words.to_vec())
    }

    /// Whether a text is nothing but such a word, with any punctuation after it: `Exit.`, ` EXIT `, `exit。`.
    pub(crate) fn is_exit(&self, text: &str) -> bool {
        // Folding makes no text shorter than a third, so that a long text cannot be a short word.
        let longest = self.0.iter().map(String::len).max().unwrap_or(0);
        let bare = trim(text).trim_end_matches(is_trailing);
        if bare.len() > 3 * longest + 16 {
            return false;
        }
        let folded = fold(text);
        let word = trim(&folded).trim_end_matches(is_trailing);
        self.0.iter().any(|known| known == word)
    }

    /// Whether a text holds such a word as a whole word.
    pub(crate) fn is_lookalike(&self, text: &str) -> bool {
        let plain = text.is_ascii() || !text.chars().any(may_fold_to_ascii);
        if plain && self.0.iter().all(|word| word.is_ascii()) {
            return self.0.iter().any(|word| holds_ascii_word(text, word));
        }
        let folded = fold(text);
        self.0.iter().any(|word| holds_word(&folded, word, false))
    }
}

/// Whether folding may make ASCII letters of a character, such as `ss` of `ß`.
///
/// Source: CaseFolding.txt of Unicode 16, and the one singleton (the Kelvin sign) that NFC replaces by a letter.
fn may_fold_to_ascii(c: char) -> bool {
    matches!(
        c,
        'ß' | 'İ' | 'ŉ' | 'ſ' | 'ǰ' | '\u{1e96}'..='\u{1e9b}' | 'ẞ' | '\u{212a}' | '\u{fb00}'..='\u{fb06}'
    )
}

/// Whether a text that folding gives no ASCII letters holds an ASCII word as a whole word; nothing is copied.
///
/// Composition does not matter: a letter that a mark could join is followed by a word character and does not count.
fn holds_ascii_word(text: &str, word: &str) -> bool {
    let (bytes, Some(&first)) = (text.as_bytes(), word.as_bytes().first()) else { return true };
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), bytes).any(|start| {
        let end = start + word.len();
        bytes.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
            && !text[..start].chars().next_back().is_some_and(is_word)
            && !text[end..].chars().next().is_some_and(is_word)
    })
}

/// Punctuation of any kind, or blank.
fn is_trailing(c: char) -> bool {
    if c.is_ascii_alphanumeric() {
        return false;
    }
    is_blank(c) || c.general_category_group() == GeneralCategoryGroup::Punctuation
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exits_and_what_only_looks_like_one() {
        // Section 3 of the specification.
        let words = ExitWords::new(&["exit".into()]);
        for text in ["Exit.", " EXIT ", "exit!!", "exit。", "exit . !"] {
            assert!(words.is_exit(text), "{text}");
        }
        for text in ["\"exit\"", "I'll exit now", "thanks ... exit", "", "exiting", "exit+"] {
            assert!(!words.is_exit(text), "{text}");
        }
        assert!(words.is_lookalike("thanks ... exit"));
        assert!(!words.is_lookalike("the exiting guest"));
    }

    #[test]
    fn folded_words_are_found_whatever_their_length() {
        let words = ExitWords::new(&["strasse".into()]);
        assert!(words.is_exit("STRAẞE!"));
        // U+1F80 folds to two letters, each as long as itself in UTF-8 or shorter.
        assert!(ExitWords::new(&[fold("\u{1f80}").into_owned()]).is_exit("\u{1f80}."));
    }

    #[test]
    fn every_character_that_folds_to_ascii_is_known() {
        for c in ('\u{80}'..=char::MAX).filter(|c| !may_fold_to_ascii(*c)) {
            let folded = fold(c.encode_utf8(&mut [0; 4])).into_owned();
            assert!(!folded.chars().any(|c| c.is_ascii_alphanumeric()), "{c:?} folds to {folded}");
        }
    }

    proptest! {
        #[test]
        fn the_short_cut_sees_what_folding_sees(text in "[exit EXİT\u{301}ſßK.é\u{327}한'-]{0,12}") {
            let words = ExitWords::new(&["exit".into(), "tix".into()]);
            let folded = fold(&text);
            let slow = words.0.iter().any(|word| holds_word(&folded, word, false));
            prop_assert_eq!(words.is_lookalike(&text), slow);
        }
    }
}

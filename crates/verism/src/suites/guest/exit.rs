//! When a guest leaves.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::text::fold::{fold, holds_word};
use crate::text::normalize::{is_blank, trim};

/// The words that mean leaving, folded.
#[derive(Clone, Debug)]
pub(super) struct ExitWords(Vec<String>);

impl ExitWords {
    pub(super) fn new(words: &[String]) -> ExitWords {
        ExitWords(words.to_vec())
    }

    /// Whether a text is nothing but such a word, with any punctuation after it: `Exit.`, ` EXIT `, `exit。`.
    pub(super) fn is_exit(&self, text: &str) -> bool {
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
    pub(super) fn is_lookalike(&self, text: &str) -> bool {
        let folded = fold(text);
        self.0.iter().any(|word| holds_word(&folded, word, false))
    }
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
    use super::*;

    #[test]
    fn exits_and_what_only_looks_like_one() {
        // Section 3 of the specification.
        let words = ExitWords::new(&["exit".into()]);
        for text in ["Exit.", " EXIT ", "exit!!", "exit。", "exit . !", "ｅｘｉｔ".replace("ｅｘｉｔ", "exit").as_str()]
        {
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
        assert!(ExitWords::new(&["\u{1f80}".into()]).0.len() == 1);
    }
}

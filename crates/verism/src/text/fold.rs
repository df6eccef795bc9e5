//! Case folding: one form for texts that differ in case or composition only.

use std::borrow::Cow;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::normalize::{is_blank, is_word};

/// The text in NFC, fully case-folded, in NFC again: `Straße` and `STRASSE` give `strasse`.
pub fn fold(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() {
        return Cow::Owned(text.nfc().default_case_fold().nfc().collect());
    }
    match text.bytes().any(|b| b.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// Whether a folded text holds a folded word that touches no letter, mark or number on either side; with `open_end`
/// anything may follow it.
pub fn holds_word(text: &str, word: &str, open_end: bool) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].find(word) {
        let (start, end) = (from + at, from + at + word.len());
        let left = !text[..start].chars().next_back().is_some_and(is_word);
        let right = open_end || !text[end..].chars().next().is_some_and(is_word);
        if left && right {
            return true;
        }
        match text[start..].chars().next() {
            Some(first) => from = start + first.len_utf8(),
            None => return false,
        }
    }
    false
}

/// The text with every run of blanks as one space.
pub fn collapse_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if !is_blank(c) {
            out.push(c);
        } else if !blank {
            out.push(' ');
        }
        blank = is_blank(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folds_of_python() {
        // CPython 3.11: unicodedata.normalize("NFC", unicodedata.normalize("NFC", s).casefold()).
        for (text, folded) in [
            ("Exit", "exit"),
            ("exit", "exit"),
            ("Straße", "strasse"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            ("Cafe\u{301}", "café"),
            ("İ", "i\u{307}"),
            ("ﬁsh", "fish"),
            ("비빔밥", "비빔밥"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn a_word_must_stand_alone() {
        assert!(holds_word("i'll exit now", "exit", false));
        assert!(!holds_word("exiting", "exit", false));
        assert!(holds_word("exiting or exit?", "exit", false));
        assert!(!holds_word("an 12exit", "exit", false));
        assert!(holds_word("효율적인", "효율적", true));
        assert!(!holds_word("비효율적인", "효율적", true));
    }

    #[test]
    fn runs_of_blanks_become_one_space() {
        assert_eq!(collapse_blanks("busy\n\t professional "), "busy professional ");
    }

    proptest! {
        #[test]
        fn folding_again_changes_nothing(text in "\\PC{0,12}") {
            let once = fold(&text).into_owned();
            prop_assert_eq!(fold(&once).into_owned(), once);
        }
    }
}

//! One form for texts that mean the same.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Whether a character belongs to a word: letters, marks and numbers.
pub fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number
    )
}

/// Whether a character is blank: Unicode white space and the four ASCII separators U+001C to U+001F.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// The text without blanks at its ends.
pub fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim_matches(is_blank),
    }
}

/// The text in NFC with plain apostrophes and hyphens.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c| match c {
        '\u{2019}' | '\u{2018}' | '\u{02bc}' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        c => c,
    };
    Cow::Owned(if text.chars().all(stays_in_nfc) {
        text.chars().map(plain).collect()
    } else {
        text.nfc().map(plain).collect()
    })
}

/// Whether normalisation cannot change this character wherever it stands: the common ranges, so that most texts skip it.
pub(crate) fn stays_in_nfc(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | '\u{2010}'..='\u{206f}' | '\u{3001}'..='\u{3029}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ffdc}')
}

/// The key under which a short text is looked up.
///
/// NFC, lower case, outer characters that are not word characters removed, runs of blanks, `_` and `-` as one space:
/// `[FI]` gives `fi`, `do-nothing` gives `do nothing`.
pub fn lookup_key(text: &str) -> String {
    let lower = clean(text).to_lowercase();
    let inner = lower.trim_matches(|c| !is_word(c));
    let mut key = String::with_capacity(inner.len());
    let mut joined = false;
    for c in inner.chars() {
        let joint = is_blank(c) || c == '_' || c == '-';
        if !joint {
            key.push(c);
        } else if !joined {
            key.push(' ');
        }
        joined = joint;
    }
    key
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_by_hand() {
        for (text, key) in [
            ("[FI]", "fi"),
            ("do-nothing", "do nothing"),
            ("  Buy__Insurance ", "buy insurance"),
            ("**", ""),
            ("-", ""),
            ("N/A", "n/a"),
            ("don\u{2019}t", "don't"),
            ("cafe\u{301}", "café"),
            ("Only\u{a0}House \u{2011} Elevation.", "only house elevation"),
        ] {
            assert_eq!(lookup_key(text), key, "{text:?}");
        }
    }

    #[test]
    fn separators_count_as_blank() {
        assert_eq!(trim("\u{1f} x\t\u{3000}"), "x");
        assert_eq!(trim(" "), "");
    }

    proptest! {
        #[test]
        fn the_key_of_a_key_is_itself(text in "\\PC{0,12}") {
            let key = lookup_key(&text);
            // Lower-casing is not idempotent for a few letters whose lower case has further forms; keys of keys settle.
            let again = lookup_key(&key);
            prop_assert_eq!(lookup_key(&again), again);
        }

        #[test]
        fn the_short_cut_agrees_with_full_normalisation(text in "\\PC{0,12}") {
            let plain = |c: char| match c { '\u{2019}' | '\u{2018}' | '\u{02bc}' => '\'', '\u{2010}' | '\u{2011}' => '-', c => c };
            let full: String = text.nfc().map(plain).collect();
            prop_assert_eq!(clean(&text).into_owned(), full);
        }
    }
}

//! Names of dishes and options in one form.

use crate::text::fold::fold;
use crate::text::normalize::is_word;

/// Words that do not tell one dish from another.
const FILLERS: [&str; 10] = ["the", "a", "an", "with", "and", "or", "of", "in", "on", "at"];

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\u{27}' | '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{ff07}')
}

/// The name folded, without apostrophes and fillers, its words joined by one blank: `The Chef's Tea (12")` gives
/// `chefs tea 12`.
pub(crate) fn normalise(name: &str) -> String {
    if name.is_ascii() {
        return normal_form(name.chars().map(|c| c.to_ascii_lowercase()), name.len());
    }
    let folded = fold(name);
    normal_form(folded.chars(), folded.len())
}

/// The normal form of folded characters, which has so many bytes at most.
fn normal_form(folded: impl Iterator<Item = char>, room: usize) -> String {
    let mut out = String::with_capacity(room);
    // Where the last word begins in what has been put together so far.
    let mut word = 0;
    for c in folded.chain([' ']) {
        if is_apostrophe(c) {
            continue;
        }
        if is_word(c) {
            if word == out.len() && word > 0 {
                out.push(' ');
                word += 1;
            }
            out.push(c);
        } else {
            if FILLERS.contains(&&out[word..]) {
                out.truncate(word.saturating_sub(1));
            }
            word = out.len();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_by_hand() {
        // Section 3 and decision D10 of the specification.
        for (name, form) in [
            ("The Chef\u{2019}s Tea", "chefs tea"),
            ("Large 12\"", "large 12"),
            ("112", "112"),
            ("Soup (with Egg)", "soup egg"),
            ("Crème Brûlée", "crème brûlée"),
            ("비빔밥", "비빔밥"),
            ("The - of", ""),
            ("Mac-and-Cheese", "mac cheese"),
        ] {
            assert_eq!(normalise(name), form, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_normal_form_stays(name in "\\PC{0,16}") {
            let once = normalise(&name);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}

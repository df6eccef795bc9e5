//! Which characters make words, gaps, quotes and sentences.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

pub(crate) use crate::text::normalize::{is_blank, is_word};

/// Whether a character is one of the apostrophes that are all read as `'`.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{ff07}' | '\u{b4}' | '`')
}

/// Whether a character is a hyphen.
pub(crate) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// Whether a character ends a line.
pub(crate) fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether a gap between two words may hold this character and still be weak.
pub(crate) fn is_weak(c: char) -> bool {
    is_apostrophe(c) || is_hyphen(c) || matches!(c, '.' | '/' | '\u{b7}' | '_') || (is_blank(c) && !is_line_break(c))
}

/// Whether a character is Korean script.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7ff}' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}')
}

/// Whether a character is a word of its own: Han, Hiragana, Katakana.
pub(crate) fn is_ideographic(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{2fa1f}'
    )
}

/// Whether a character reads `and`.
pub(crate) fn is_ampersand(c: char) -> bool {
    matches!(c, '&' | '\u{ff06}')
}

/// Whether a character is a letter with case: upper, lower or title case.
pub(crate) fn has_case(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    use GeneralCategory::{LowercaseLetter, TitlecaseLetter, UppercaseLetter};
    matches!(c.general_category(), UppercaseLetter | LowercaseLetter | TitlecaseLetter)
}

/// Whether a character is a lower-case letter.
pub(crate) fn is_lower(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_lowercase() } else { c.general_category() == GeneralCategory::LowercaseLetter }
}

/// Whether a word that begins with this character begins like a name: a capital or a digit.
pub(crate) fn is_capital(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_uppercase() || c.is_ascii_digit();
    }
    use GeneralCategory::{DecimalNumber, TitlecaseLetter, UppercaseLetter};
    matches!(c.general_category(), UppercaseLetter | TitlecaseLetter | DecimalNumber)
}

/// Whether a character is a letter of a script without case.
pub(crate) fn is_caseless_letter(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::OtherLetter
}

/// Whether a character is a letter.
pub(crate) fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { c.general_category_group() == GeneralCategoryGroup::Letter }
}

/// Whether a character is a digit, small raised or lowered ones included.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    let small = matches!(c, '²' | '³' | '¹' | '\u{2070}' | '\u{2074}'..='\u{2079}' | '\u{2080}'..='\u{2089}');
    small || c.general_category() == GeneralCategory::DecimalNumber
}

/// Whether a character continues a word for the rule that `'s` ends a decade: a letter, a number or `_`.
pub(crate) fn continues_word(c: char) -> bool {
    let number = |c: char| c.general_category_group() == GeneralCategoryGroup::Number;
    c == '_' || is_letter(c) || if c.is_ascii() { c.is_ascii_digit() } else { number(c) }
}

/// The mark that closes what a quotation mark opens.
pub(crate) fn closer_of(c: char) -> Option<char> {
    Some(match c {
        '“' => '”',
        '"' => '"',
        '‘' => '’',
        '\'' => '\'',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        '《' => '》',
        '〈' => '〉',
        _ => return None,
    })
}

/// Whether a character opens a quotation or emphasis.
pub(crate) fn opens(c: char) -> bool {
    matches!(c, '*' | '_') || closer_of(c).is_some()
}

/// Whether a character closes a quotation or emphasis.
pub(crate) fn closes(c: char) -> bool {
    matches!(c, '”' | '"' | '’' | '\'' | '»' | '」' | '』' | '》' | '〉' | '*' | '_')
}

/// Whether a character may stand between a word and the mark that closes.
pub(crate) fn is_before_closer(c: char) -> bool {
    matches!(c, ',' | '.' | '!' | '?' | ';' | ':' | '…')
}

/// Whether a sentence may begin after this character.
pub(crate) fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ':' | '…' | '。' | '！' | '？') || is_line_break(c)
}

/// The character before a place.
pub(crate) fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// The character at a place.
pub(crate) fn at(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_apart() {
        assert!(is_hangul('전') && !is_hangul('戦') && is_ideographic('戦') && is_ideographic('カ'));
        assert!(has_case('é') && !has_case('전') && is_caseless_letter('전') && !is_caseless_letter('a'));
    }

    #[test]
    fn weak_gaps_hold_no_comma_and_no_line_break() {
        assert!([' ', '\u{a0}', '-', '’', '.', '/', '·', '_'].into_iter().all(is_weak));
        assert!(![',', '\n', '\u{2028}', ':', '–'].into_iter().any(is_weak));
    }

    #[test]
    fn whatever_opens_has_a_closer() {
        assert!("“\"‘'«「『《〈".chars().all(|c| opens(c) && closer_of(c).is_some_and(closes)));
    }
}

//! Years and decades in a text.

use super::chars::{at, before, continues_word};
use super::heard::Hit;
use super::patterns::Guard;
use super::words::Words;
use crate::suites::recommender::catalog::field::Field;
use crate::suites::recommender::catalog::items::Catalog;

/// Appends the years of a text that the catalog knows, and with option `decades` the decades.
pub(crate) fn find(catalog: &Catalog, text: &str, words: &Words, hits: &mut Vec<Hit>) {
    let mut push = |key: &str, start: usize, end: usize| {
        if let Some(concept) = catalog.concept(Field::Year, key) {
            hits.push(Hit { concept, field: Field::Year, guard: Guard::Free, start, end });
        }
    };
    for (number, word) in words.list().iter().enumerate() {
        let key = words.key(number);
        if key.len() != 4 || !key.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let era = words.list().get(number + 1).is_some_and(|next| next.start == word.end)
            && words.key(number + 1).starts_with("년대");
        if era || !stands_for_year(text, word.start, word.end) {
            continue;
        }
        push(key, word.start, word.end);
        if catalog.rules.decades {
            push(&format!("{}0s", &key[..3]), word.start, word.end);
        }
    }
    if catalog.rules.decades {
        let digits = text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit());
        let mut from = 0;
        for (start, _) in digits {
            if start >= from
                && let Some((decade, end)) = decade_at(text, start)
            {
                push(&decade, start, end);
                from = end;
            }
        }
    }
}

/// Whether four digits may be a year: no money, no share, no part of a longer number, no decade.
fn stands_for_year(text: &str, start: usize, end: usize) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let joint = |c: char| matches!(c, '.' | ',' | ':');
    let (last, next) = (before(text, start), at(text, end));
    if matches!(last, Some('$' | '€' | '£' | '₩' | '#')) || next == Some('%') {
        return false;
    }
    if next.is_some_and(joint) && digit(at(text, end + 1)) {
        return false;
    }
    // A line break may stand between the mark and the year, as in the reference program.
    let left = text[..start].strip_suffix('\n').unwrap_or(&text[..start]);
    if ends_with_joint(left) || ends_with_joint(&text[..start]) {
        return false;
    }
    let mut after = text[end..].chars();
    let possessive = matches!(after.next(), Some('\'' | '’')) && after.next() == Some('s');
    !possessive || after.next().is_some_and(continues_word)
}

/// Whether a text ends with a digit and one of `.,:`.
fn ends_with_joint(text: &str) -> bool {
    let mut back = text.chars().rev();
    matches!(back.next(), Some('.' | ',' | ':')) && back.next().is_some_and(|c| c.is_ascii_digit())
}

/// The decade that begins with the digit at a place: `1990s`, `1990's`, `1990년대`, `the 90s`, `'90s`, `90년대`.
fn decade_at(text: &str, start: usize) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let last = before(text, start);
    let plural = |place: usize| {
        let rest = &text[place..];
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '’')).map_or(0, char::len_utf8);
        let after = rest[quote..].strip_prefix('s')?;
        (!after.starts_with(|c: char| c.is_ascii_alphanumeric())).then_some(place + quote + 1)
    };
    let era = |place: usize| text[place..].starts_with("년대").then(|| place + "년대".len());
    if let Some([century @ b'1'..=b'2', hundred, decade, b'0']) = bytes.get(start..start + 4)
        && matches!((century, hundred), (b'1', b'8' | b'9') | (b'2', b'0'))
        && decade.is_ascii_digit()
        && !last.is_some_and(|c| c.is_ascii_alphanumeric())
        && let Some(end) = plural(start + 4).or_else(|| era(start + 4))
    {
        return Some((format!("{}s", &text[start..start + 4]), end));
    }
    let Some([b'2'..=b'9', b'0']) = bytes.get(start..start + 2) else { return None };
    let two = || format!("19{}s", &text[start..start + 2]);
    if (matches!(last, Some('\'' | '’')) || after_the(text, start))
        && let Some(end) = plural(start + 2)
    {
        return Some((two(), end));
    }
    if !last.is_some_and(|c| c.is_ascii_digit())
        && let Some(end) = era(start + 2)
    {
        return Some((two(), end));
    }
    None
}

/// Whether `the` and a blank stand directly before a place.
fn after_the(text: &str, start: usize) -> bool {
    let the = text[..start].strip_suffix("the ").or_else(|| text[..start].strip_suffix("The "));
    the.is_some_and(|rest| !rest.chars().next_back().is_some_and(continues_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_year() {
        // Section 4.4 of the specification.
        let is_year = |text: &str| {
            let start = text.find("1998").expect("a year");
            stands_for_year(text, start, start + 4)
        };
        assert!(["in 1998.", "1998, or so", "(1998)", "1998: a", "about 1998'sx"].into_iter().all(is_year));
        for text in ["$1998", "1998%", "1998's", "1998’s", "1998.5", "12,1998", "1998:30", "#1998"] {
            assert!(!is_year(text), "{text}");
        }
    }

    #[test]
    fn decades_by_hand() {
        for (text, start, decade) in [
            ("1990s", 0, Some("1990s")),
            ("1990's", 0, Some("1990s")),
            ("1990년대", 0, Some("1990s")),
            ("the 90s", 4, Some("1990s")),
            ("bathe 90s", 6, None),
            ("'90s", 1, Some("1990s")),
            ("90년대", 0, Some("1990s")),
            ("1990sx", 0, None),
            ("1790s", 0, None),
            ("a1990s", 1, None),
            ("10s", 0, None),
        ] {
            assert_eq!(decade_at(text, start).map(|(decade, _)| decade).as_deref(), decade, "{text}");
        }
    }
}

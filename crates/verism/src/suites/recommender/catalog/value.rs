//! A value of an item in the form under which values are compared and shown.

use super::field::Field;
use crate::suites::recommender::extract::lexicon::Lexicon;
use crate::suites::recommender::extract::words::{key_of, lower, tidy};

/// A value after normalisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its words joined by blanks: equal keys are one concept.
    pub(crate) key: String,
    /// How the concept is written.
    pub(crate) label: String,
    /// The value as it stands in the catalog, tidied.
    pub(crate) shown: String,
}

/// Gives the normal form of a raw value, or none when nothing is left of it.
///
/// genre loses `(...)`, `#digits` and trailing words such as `films`; language loses trailing `language`; name loses a
/// trailing `(YYYY)`; year is the first run of exactly four digits. Aliases of genre and language are their targets.
pub(crate) fn normalise(field: Field, raw: &str, lexicon: Option<&Lexicon>) -> Option<Value> {
    let mut shown = tidy(raw);
    if shown.is_empty() {
        return None;
    }
    if field == Field::Year {
        let year = four_digits(&shown)?.to_string();
        return Some(Value { key: year.clone(), label: year.clone(), shown: year });
    }
    if field == Field::Name {
        shown = split_year(&shown).0.to_string();
    }
    let stripped;
    let mut text = shown.as_str();
    if field == Field::Genre {
        stripped = without_notes(&shown);
        text = &stripped;
    }
    let tails: &[&str] = match field {
        Field::Genre => &["film", "films", "movie", "movies", "genre"],
        Field::Language => &["language", "languages"],
        _ => &[],
    };
    while !tails.is_empty()
        && let Some((rest, last)) = text.rsplit_once(' ')
        && tails.contains(&lower(last).as_str())
    {
        text = rest;
    }
    let key = key_of(text);
    if key.is_empty() {
        return None;
    }
    let aliases = lexicon.map_or(&[][..], |lexicon| lexicon.aliases(field));
    let (key, label) = match aliases.iter().find(|(alias, _)| *alias == key) {
        Some((_, target)) => (key_of(target), target.clone()),
        None => (key, lower(text)),
    };
    Some(Value { key, label, shown })
}

/// A genre without remarks in brackets and numbers after `#`.
fn without_notes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // A pair of brackets that holds no bracket; what is left of one kind stays.
    while let Some(open) = rest.find('(') {
        let inner = &rest[open + 1..];
        match inner.find(['(', ')']) {
            Some(end) if inner[end..].starts_with(')') => {
                out.push_str(&rest[..open]);
                out.push(' ');
                rest = &inner[end + 1..];
            }
            _ => {
                out.push_str(&rest[..=open]);
                rest = inner;
            }
        }
    }
    out.push_str(rest);
    let mut plain = String::with_capacity(out.len());
    let mut rest = out.as_str();
    while let Some(hash) = rest.find('#') {
        let digits = rest[hash + 1..].bytes().take_while(u8::is_ascii_digit).count();
        plain.push_str(&rest[..hash]);
        plain.push(if digits > 0 { ' ' } else { '#' });
        rest = &rest[hash + 1 + digits..];
    }
    plain.push_str(rest);
    tidy(&plain)
}

/// The first run of exactly four ASCII digits.
fn four_digits(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_ascii_digit()).find(|run| run.len() == 4)
}

/// A title without a trailing `(YYYY)`, and that year.
pub(crate) fn split_year(title: &str) -> (&str, Option<&str>) {
    let split = || {
        let rest = title.strip_suffix(')')?;
        let (rest, year) = rest.split_at_checked(rest.len().checked_sub(4)?)?;
        let rest = rest.strip_suffix('(')?;
        let blank = |c: char| crate::suites::recommender::extract::chars::is_blank(c);
        year.bytes().all(|b| b.is_ascii_digit()).then(|| (rest.trim_end_matches(blank), year))
    };
    match split() {
        Some((rest, year)) => (rest, Some(year)),
        None => (title, None),
    }
}

/// A key without a leading article, if another word is left.
pub(crate) fn bare(key: &str) -> &str {
    match key.split_once(' ') {
        Some(("the" | "a" | "an", rest)) => rest,
        _ => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(field: Field, raw: &str) -> Option<(String, String)> {
        let lexicon = Lexicon::builtin();
        normalise(field, raw, Some(&lexicon)).map(|value| (value.key, value.label))
    }

    #[test]
    fn values_by_hand() {
        // Section 3 of the specification.
        let pair = |key: &str, label: &str| Some((key.to_string(), label.to_string()));
        assert_eq!(of(Field::Genre, "Crime Fiction (US) films"), pair("crime", "crime"));
        assert_eq!(of(Field::Genre, "Movies"), pair("movies", "movies"));
        assert_eq!(of(Field::Genre, "Sci-Fi"), pair("science fiction", "science fiction"));
        assert_eq!(of(Field::Genre, "War #12"), pair("war", "war"));
        assert_eq!(of(Field::Genre, "A (b (c) d"), pair("a b d", "a (b d"));
        assert_eq!(of(Field::Language, "Spanish Language"), pair("spanish", "spanish"));
        assert_eq!(of(Field::Language, "스페인어"), pair("spanish", "spanish"));
        assert_eq!(of(Field::Year, "ca. 12345, 1998?"), pair("1998", "1998"));
        assert_eq!(of(Field::Year, "98"), None);
        assert_eq!(of(Field::Name, "Salt & Ember (2008)"), pair("salt and ember", "salt & ember"));
        assert_eq!(of(Field::Name, "(2008)"), None);
        assert_eq!(of(Field::Actor, " – "), None);
    }

    #[test]
    fn a_title_year_needs_four_digits_at_the_end() {
        assert_eq!(split_year("Later  (1999)"), ("Later", Some("1999")));
        assert_eq!(split_year("Later (199)"), ("Later (199)", None));
        assert_eq!(split_year("é(199é)"), ("é(199é)", None));
        assert_eq!(bare("the x"), "x");
        assert_eq!(bare("the"), "the");
    }
}

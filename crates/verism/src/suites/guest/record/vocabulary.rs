//! The four things a state says, the words for them, and how words are read.

use std::borrow::Cow;

use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;
use crate::text::fold::fold;
use crate::text::normalize::{is_blank, trim};

/// Fields of a state, in the order of sums.
pub(crate) const FIELDS: [Field; 4] = [Field::Exploration, Field::Mood, Field::Ordering, Field::Complete];
/// The fields that say how a guest behaves; completion is none of them.
pub(crate) const STYLE: [Field; 3] = [Field::Exploration, Field::Mood, Field::Ordering];
/// The dimensions of BVS in the order of its source.
pub(crate) const DIMENSIONS: [Field; 3] = [Field::Ordering, Field::Exploration, Field::Mood];

/// A field of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Exploration,
    Mood,
    Ordering,
    Complete,
}

impl Field {
    pub(crate) fn name(self) -> &'static str {
        self.keys()[0]
    }

    /// The keys under which it is recorded, first choice first.
    pub(crate) fn keys(self) -> &'static [&'static str] {
        match self {
            Field::Exploration => &["exploration", "menu_exploration_style", "next_message_menu_exploration_style"],
            Field::Mood => &["mood", "mood_tone", "next_message_mood_tone"],
            Field::Ordering => &["ordering", "ordering_style", "next_message_ordering_style"],
            Field::Complete => &["complete", "is_ordering_complete"],
        }
    }

    /// The values that there should be.
    pub(crate) fn values(self) -> &'static [&'static str] {
        match self {
            Field::Exploration => &["explores_menu", "does_not_explore_menu"],
            Field::Mood => &["casual", "frustrated", "confused", "enthusiastic"],
            Field::Ordering => &["one_by_one", "all_at_once"],
            Field::Complete => &["yes", "no"],
        }
    }

    pub(crate) fn is_foreign(self, value: &str) -> bool {
        !self.values().contains(&value)
    }

    /// A value that borrows from no record.
    pub(crate) fn own(self, value: &str) -> Cow<'static, str> {
        match self.values().iter().find(|known| **known == value) {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(value.to_string()),
        }
    }

    /// The value that a text stands for, if there should be such a value: in any case, with blanks or hyphens for `_`.
    fn known(self, text: &str) -> Option<&'static str> {
        let same = |a: u8, b: u8| a.to_ascii_lowercase() == b || (b == b'_' && matches!(a, b' ' | b'-'));
        let equal = |value: &str| value.len() == text.len() && text.bytes().zip(value.bytes()).all(|(a, b)| same(a, b));
        self.values().iter().find(|value| equal(value)).copied()
    }
}

/// What is recorded of a guest's behaviour at a message; at least one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State<'a> {
    pub(crate) values: [Option<Cow<'a, str>>; 4],
}

impl State<'_> {
    pub(crate) fn get(&self, field: Field) -> Option<&str> {
        self.values[field as usize].as_deref()
    }

    pub(crate) fn into_owned(self) -> State<'static> {
        let [exploration, mood, ordering, complete] = self.values;
        let own = |field: Field, value: Option<Cow<'_, str>>| value.map(|value| field.own(&value));
        State {
            values: [
                own(Field::Exploration, exploration),
                own(Field::Mood, mood),
                own(Field::Ordering, ordering),
                own(Field::Complete, complete),
            ],
        }
    }
}

/// Reads a state; none if no field is recorded.
pub(crate) fn read_state<'a>(value: &'a Json<'_>, at: &str) -> Result<Option<State<'a>>, Defect> {
    if !matches!(value, Json::Object(_)) {
        return Err(bad(at, "an object with exploration, mood, ordering, complete", Some(value)));
    }
    let mut state = State { values: [const { None }; 4] };
    for field in FIELDS {
        state.values[field as usize] = read_field(value, field, at)?;
    }
    Ok(state.values.iter().any(Option::is_some).then_some(state))
}

/// Reads a field under the first of its keys that holds something.
pub(crate) fn read_field<'a>(object: &'a Json<'_>, field: Field, at: &str) -> Result<Option<Cow<'a, str>>, Defect> {
    for key in field.keys() {
        let Some(value) = object.get(key) else { continue };
        let word = read_word(value, field).ok_or_else(|| bad(format!("{at}.{key}"), "text", Some(value)))?;
        if !word.is_empty() {
            return Ok(Some(word));
        }
    }
    Ok(None)
}

/// A value in its one form, empty if nothing is recorded; none if it is not text.
pub(crate) fn read_word<'a>(value: &'a Json<'_>, field: Field) -> Option<Cow<'a, str>> {
    match value {
        Json::Bool(true) if field == Field::Complete => Some("yes".into()),
        Json::Bool(false) if field == Field::Complete => Some("no".into()),
        Json::Text(text) => {
            if let Some(known) = field.known(text) {
                return Some(Cow::Borrowed(known));
            }
            let word = word(text);
            Some(match (field, word.as_ref()) {
                (Field::Complete, "true") => "yes".into(),
                (Field::Complete, "false") => "no".into(),
                _ => word,
            })
        }
        _ => None,
    }
}

/// Folded and trimmed, with every run of blanks and hyphens as one `_`: `One-by  one` gives `one_by_one`.
fn word(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') {
        return Cow::Borrowed(text);
    }
    let folded = fold(text);
    let mut out = String::with_capacity(folded.len());
    let mut joined = false;
    for c in trim(&folded).chars() {
        let joint = is_blank(c) || c == '-';
        if !joint {
            out.push(c);
        } else if !joined {
            out.push('_');
        }
        joined = joint;
    }
    Cow::Owned(out)
}

/// An id: a text that is not empty, or a whole number without its zero fraction.
pub(crate) fn text_id<'a>(value: Option<&'a Json<'_>>, field: &str) -> Result<Option<Cow<'a, str>>, Defect> {
    match value {
        None => Ok(None),
        Some(Json::Text(text)) => Ok((!text.is_empty()).then_some(Cow::Borrowed(text))),
        // Zero is added for the sake of -0.0.
        // Beyond 128 bits numbers that differ may be read as one.
        Some(Json::Float(x)) if x.fract() == 0.0 && x.abs() < 1.7e38 => Ok(Some(Cow::Owned(format!("{:.0}", x + 0.0)))),
        Some(Json::Int(x)) => Ok(Some(Cow::Owned(x.to_string()))),
        Some(value) => Err(bad(field, "text or whole number", Some(value))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_take_one_form() {
        // Section 2.1 of the specification, by hand.
        for (text, form) in [
            ("explores_menu", "explores_menu"),
            (" One-by  one ", "one_by_one"),
            ("All - At\tOnce", "all_at_once"),
            ("ENTHUSIASTIC", "enthusiastic"),
            ("   ", ""),
            ("-", "_"),
        ] {
            assert_eq!(word(text), form, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_known_value_is_the_one_form_of_its_text(text in "(?i)(explores|one|all|yes)[ _-]{0,2}(menu|by|at)?[ _-](one|once)?") {
            for field in FIELDS {
                let form = word(&text);
                let expected = field.values().iter().copied().find(|value| *value == form);
                let found = field.known(&text);
                prop_assert!(found.is_none() || found == expected, "{:?} {:?}", found, expected);
                prop_assert_eq!(field.known(&form), expected);
            }
        }
    }

    #[test]
    fn the_first_key_that_holds_something_counts() {
        let json = Json::parse(r#"{"mood":" ","mood_tone":"Casual","is_ordering_complete":true}"#).expect("JSON");
        let state = read_state(&json, "state").expect("a state").expect("fields");
        assert_eq!(state.get(Field::Mood), Some("casual"));
        assert_eq!(state.get(Field::Complete), Some("yes"));
        assert_eq!(state.get(Field::Ordering), None);
    }

    #[test]
    fn nothing_recorded_is_no_state_and_a_number_is_a_defect() {
        let read = |text: &'static str| {
            let json = Json::parse(text).expect("JSON");
            read_state(&json, "state").map(|state| state.map(State::into_owned))
        };
        assert_eq!(read(r#"{"mood":null,"note":"x"}"#), Ok(None));
        assert_eq!(read(r#"{"mood":3}"#).expect_err("no text").field.as_deref(), Some("state.mood"));
        assert_eq!(read(r#"{"mood":true}"#).expect_err("no text").field.as_deref(), Some("state.mood"));
        assert_eq!(read("[]").expect_err("no object").field.as_deref(), Some("state"));
    }

    #[test]
    fn whole_numbers_are_ids_without_their_fraction() {
        for (text, id) in
            [("1.0", "1"), ("17", "17"), ("\"a\"", "a"), ("-0.0", "0"), ("1e21", "1000000000000000000000")]
        {
            let json = Json::parse(text).expect("JSON");
            assert_eq!(text_id(Some(&json), "case").expect("an id").as_deref(), Some(id));
        }
        assert!(text_id(Some(&Json::Bool(true)), "case").is_err());
    }

    #[test]
    fn ids_beyond_64_bits_are_told_apart_or_refused() {
        let id = |text: &str| {
            let json = Json::parse(text).expect("JSON");
            text_id(Some(&json), "case")
                .map(|id| id.map(|id| id.into_owned()))
                .map_err(|defect| defect.code.into_owned())
        };
        for text in ["18446744073709551616", "18446744073709551617", "170141183460469231731687303715884105727"] {
            assert_eq!(id(text), Ok(Some(text.to_string())));
        }
        assert_eq!(id("-0"), Ok(Some("0".to_string())));
        assert!(id("1000000000000000000000000000000000000000000000001").is_err());
    }
}

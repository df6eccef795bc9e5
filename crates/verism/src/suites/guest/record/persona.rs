//! Who the guest was told to be.

use std::borrow::Cow;

use super::vocabulary::{Field, read_field, read_word, text_id};
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;

/// The persona of a conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Persona<'a> {
    pub(crate) id: Option<Cow<'a, str>>,
    /// What describes it in prose; never its name.
    pub(crate) text: String,
    pub(crate) expected: Option<Expected<'a>>,
}

/// What the persona should do in every message; at least one of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected<'a> {
    pub(crate) exploration: Option<Cow<'a, str>>,
    pub(crate) ordering: Option<Cow<'a, str>>,
    pub(crate) complete: Option<Cow<'a, str>>,
    /// Sorted, each once; none if empty.
    pub(crate) moods: Vec<Cow<'a, str>>,
}

impl Expected<'_> {
    /// The values that are accepted for a field; none if nothing is expected of it.
    pub(crate) fn accepted(&self, field: Field) -> &[Cow<'_, str>] {
        match field {
            Field::Exploration => self.exploration.as_slice(),
            Field::Mood => &self.moods,
            Field::Ordering => self.ordering.as_slice(),
            Field::Complete => self.complete.as_slice(),
        }
    }
}

/// Reads a persona.
pub(crate) fn read_persona<'a>(value: Option<&'a Json<'_>>) -> Result<Persona<'a>, Defect> {
    let persona = match value {
        None => return Ok(Persona::default()),
        Some(Json::Text(text)) => return Ok(Persona { text: text.to_string(), ..Persona::default() }),
        Some(persona @ Json::Object(_)) => persona,
        Some(other) => return Err(bad("persona", "an object or text", Some(other))),
    };
    let mut parts = vec![];
    for key in ["bio", "description", "traits"] {
        match persona.get(key) {
            Some(Json::Text(text)) => parts.push(text.as_ref()),
            Some(Json::List(items)) => parts.extend(items.iter().filter_map(Json::text)),
            _ => {}
        }
    }
    let id = persona.get("id").or_else(|| persona.get("name"));
    let given = text_id(id, "persona.id")?;
    if given.is_none() && id.is_some() {
        return Err(bad("persona.id", "text or whole number", id));
    }
    let expected = persona.get("expected").map(|value| read_expected(value, "persona.expected"));
    Ok(Persona { id: given, text: parts.join("\n"), expected: expected.transpose()?.flatten() })
}

/// Reads expectations; none if nothing is expected.
pub(crate) fn read_expected<'a>(value: &'a Json<'_>, at: &str) -> Result<Option<Expected<'a>>, Defect> {
    if !matches!(value, Json::Object(_)) {
        return Err(bad(at, "an object with exploration, moods, ordering, complete", Some(value)));
    }
    let expected = Expected {
        exploration: read_field(value, Field::Exploration, at)?,
        ordering: read_field(value, Field::Ordering, at)?,
        complete: read_field(value, Field::Complete, at)?,
        moods: read_moods(value, at)?,
    };
    let any = super::vocabulary::FIELDS.iter().any(|field| !expected.accepted(*field).is_empty());
    Ok(any.then_some(expected))
}

fn read_moods<'a>(object: &'a Json<'_>, at: &str) -> Result<Vec<Cow<'a, str>>, Defect> {
    for key in ["moods", "next_message_mood_tones", "mood", "mood_tone"] {
        let Some(value) = object.get(key) else { continue };
        let items = match value {
            Json::List(items) => items.as_slice(),
            Json::Text(_) => std::slice::from_ref(value),
            _ => return Err(bad(format!("{at}.{key}"), "a list of text", Some(value))),
        };
        let mut moods = vec![];
        for item in items.iter().filter(|item| !matches!(item, Json::Null)) {
            let word = read_word(item, Field::Mood);
            moods.push(word.ok_or_else(|| bad(format!("{at}.{key}"), "text", Some(item)))?);
        }
        moods.retain(|mood| !mood.is_empty());
        moods.sort_unstable();
        moods.dedup();
        if !moods.is_empty() {
            return Ok(moods);
        }
    }
    Ok(vec![])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_comes_from_three_keys_and_never_from_the_name() {
        let json = Json::parse(r#"{"name":"Curious Kim","bio":"a","description":"b","traits":["c",4,"d"]}"#);
        let json = json.expect("JSON");
        let persona = read_persona(Some(&json)).expect("a persona");
        assert_eq!((persona.id.as_deref(), persona.text.as_str()), (Some("Curious Kim"), "a\nb\nc\nd"));
        assert_eq!(persona.expected, None);
    }

    #[test]
    fn moods_may_be_one_or_many_under_old_and_new_names() {
        for text in [
            r#"{"moods":["Casual","confused","casual",null]}"#,
            r#"{"moods":[],"next_message_mood_tones":["confused","casual"]}"#,
        ] {
            let json = Json::parse(text).expect("JSON");
            let expected = read_expected(&json, "expected").expect("readable").expect("something");
            assert_eq!(expected.accepted(Field::Mood), ["casual", "confused"]);
        }
        let json = Json::parse(r#"{"mood":"frustrated","ordering_style":"All at once"}"#).expect("JSON");
        let expected = read_expected(&json, "expected").expect("readable").expect("something");
        assert_eq!(expected.accepted(Field::Ordering), ["all_at_once"]);
        assert_eq!(expected.accepted(Field::Complete), [""; 0]);
        let json = Json::parse(r#"{"mood":3}"#).expect("JSON");
        assert_eq!(read_expected(&json, "e").expect_err("no text").field.as_deref(), Some("e.mood"));
    }
}

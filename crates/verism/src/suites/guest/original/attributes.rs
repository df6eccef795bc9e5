//! What the original project expects of its personas.

use rustc_hash::FxHashMap;

use super::text;
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;
use crate::suites::guest::record::persona::{Expected, read_expected};
use crate::suites::guest::record::vocabulary::text_id;

/// Expected attributes by the full name of a persona.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    by_name: FxHashMap<String, Option<Json<'static>>>,
}

impl Attributes {
    /// Reads `{"persona_attributes": [{"full_name": …, "message_generation_attributes": {…}}]}`; `file` is its name.
    pub(crate) fn read(bytes: &[u8], file: &str) -> Result<Attributes, Defect> {
        read(bytes).map_err(|defect| defect.file(file))
    }

    /// What is expected of a persona, as a native record says it.
    pub(crate) fn expected(&self, full_name: &str) -> Option<&Json<'static>> {
        self.by_name.get(full_name)?.as_ref()
    }
}

fn read(bytes: &[u8]) -> Result<Attributes, Defect> {
    const AT: &str = "persona_attributes";
    let unreadable = || bad(AT, "a list of {full_name, message_generation_attributes}", None);
    let json = std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok().and_then(Json::parse);
    let json = json.ok_or_else(unreadable)?;
    let mut by_name = FxHashMap::default();
    for entry in json.get(AT).and_then(Json::list).ok_or_else(unreadable)? {
        let name = entry.entry("full_name").ok_or_else(unreadable)?;
        let name = text_id(Some(name), AT)?.ok_or_else(|| bad(AT, "the full name of a persona", Some(name)))?;
        let given = entry.entry("message_generation_attributes").ok_or_else(unreadable)?;
        let expected = match given {
            Json::Null => None,
            given => read_expected(given, "message_generation_attributes")?,
        };
        by_name.insert(name.into_owned(), expected.as_ref().map(native));
    }
    Ok(Attributes { by_name })
}

/// Expectations as a native record says them.
fn native(expected: &Expected<'_>) -> Json<'static> {
    let Expected { exploration, ordering, complete, moods } = expected;
    let words = [("exploration", exploration), ("ordering", ordering), ("complete", complete)];
    let words = words.into_iter().filter_map(|(key, word)| Some((key.into(), text(word.as_deref()?))));
    let moods = Json::List(moods.iter().map(|mood| text(mood)).collect());
    let moods = (!moods.is_nothing()).then(|| ("moods".into(), moods));
    Json::Object(words.chain(moods).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Attributes, Defect> {
        Attributes::read(text.as_bytes(), "a.json")
    }

    #[test]
    fn the_last_entry_of_a_name_counts_and_may_expect_nothing() {
        let text = "\u{feff}{\"persona_attributes\": [\
            {\"full_name\": \"Ann\", \"message_generation_attributes\": {\"next_message_ordering_style\": \"All at once\"}},\
            {\"full_name\": 3.0, \"message_generation_attributes\": {\"mood_tone\": \"casual\"}},\
            {\"full_name\": \"Bob\", \"message_generation_attributes\": null},\
            {\"full_name\": \"Ann\", \"message_generation_attributes\": {\"ordering_style\": \"one-by-one\"}}]}";
        let attributes = read(text).expect("attributes");
        let json = |name: &str| attributes.expected(name).map(crate::score::json::text);
        assert_eq!(json("Ann").as_deref(), Some(r#"{"ordering":"one_by_one"}"#));
        assert_eq!(json("3").as_deref(), Some(r#"{"moods":["casual"]}"#));
        assert_eq!((json("Bob"), json("Eve")), (None, None));
    }

    #[test]
    fn a_file_that_does_not_read_is_named_without_a_line() {
        for (text, field) in [
            ("", "persona_attributes"),
            ("[]", "persona_attributes"),
            ("{\"persona_attributes\": 3}", "persona_attributes"),
            ("{\"persona_attributes\": [{}]}", "persona_attributes"),
            ("{\"persona_attributes\": [{\"full_name\": \"\"}]}", "persona_attributes"),
            (
                "{\"persona_attributes\": [{\"full_name\": \"a\", \"message_generation_attributes\": {\"mood\": 3}}]}",
                "message_generation_attributes.mood",
            ),
        ] {
            let defect = read(text).expect_err("unreadable");
            let place = (defect.file.as_deref(), defect.line, defect.field.as_deref());
            assert_eq!(place, (Some("a.json"), None, Some(field)), "{text}");
        }
    }
}

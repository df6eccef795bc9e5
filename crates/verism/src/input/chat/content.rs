//! A message as chat interfaces write it: its text, its calls of tools, and what else it says.

use std::borrow::Cow;

use super::{Call, Message, bad, id};
use crate::error::Defect;
use crate::input::value::Json;

/// Whether a value looks like a message: an object with a role, and something said or called.
pub(super) fn is_message(value: &Json<'_>) -> bool {
    let says = |key| value.entry(key).is_some();
    value.entry("role").and_then(Json::text).is_some() && (says("content") || says("text") || says("tool_calls"))
}

/// Whether a value is a list of messages; an empty list is one.
pub(super) fn are_messages(value: &Json<'_>) -> bool {
    value.list().is_some_and(|items| items.iter().all(is_message))
}

/// Reads a list of messages; a defect names the place in it.
pub(super) fn read_messages<'a>(value: Option<Json<'a>>, at: &str) -> Result<Vec<Message<'a>>, Defect> {
    let items = match value {
        Some(Json::List(items)) => items,
        other => return Err(bad(at, "a list of messages", other.as_ref())),
    };
    let read = |(i, item): (usize, Json<'a>)| read_message(item).map_err(|d| super::below(&format!("{at}[{i}]"), d));
    items.into_iter().enumerate().map(read).collect()
}

fn read_message(value: Json<'_>) -> Result<Message<'_>, Defect> {
    let Json::Object(entries) = value else { return Err(bad("", "a message (an object)", Some(&value))) };
    let mut message = Message::default();
    let (mut role, mut said) = (None, None);
    let mut tool_id = None;
    for (key, value) in entries {
        match key.as_ref() {
            "role" => role = Some(value),
            "text" if !matches!(value, Json::Null) => said = Some(("text", value)),
            "content" if said.is_none() => said = Some(("content", value)),
            "tool_calls" => message.calls = read_calls(value)?,
            "tool_call_id" => message.answers = id(Some(&value)),
            _ => {
                if key == "id" {
                    tool_id = id(Some(&value));
                }
                message.more.push((key, value));
            }
        }
    }
    message.role = match role {
        Some(Json::Text(role)) => role,
        other => return Err(bad(".role", "who speaks, such as user or assistant", other.as_ref())),
    };
    // tau2-bench: the id of a tool's message is that of the call.
    if message.role == "tool" && message.answers.is_none() {
        message.answers = tool_id;
    }
    message.text = match said {
        None | Some((_, Json::Null)) => Cow::Borrowed(""),
        Some((_, Json::Text(text))) => text,
        Some((key, Json::List(parts))) => {
            read_parts(parts).map_err(|defect| super::below(&format!(".{key}"), defect))?
        }
        Some((key, other)) => return Err(bad(format!(".{key}"), "text, or a list of parts", Some(&other))),
    };
    Ok(message)
}

/// The texts of parts, joined; pictures, sounds and reasoning are none.
fn read_parts(parts: Vec<Json<'_>>) -> Result<Cow<'_, str>, Defect> {
    let mut said = String::new();
    for (i, part) in parts.into_iter().enumerate() {
        match &part {
            Json::Text(text) => said.push_str(text),
            Json::Object(_) => {
                let kind = part.get("type").and_then(Json::text).unwrap_or("text");
                if kind.ends_with("text") {
                    let text = part.get("text").and_then(Json::text);
                    said.push_str(text.ok_or_else(|| bad(format!("[{i}].text"), "text", part.get("text")))?);
                }
            }
            other => return Err(bad(format!("[{i}]"), "a part of a content", Some(other))),
        }
    }
    Ok(said.into())
}

/// Calls: `{"id", "function": {"name", "arguments"}}`, or with name and arguments side by side, or with `function` as the
/// name.
fn read_calls(value: Json<'_>) -> Result<Vec<Call<'_>>, Defect> {
    let items = match value {
        Json::Null => return Ok(vec![]),
        Json::List(items) => items,
        other => return Err(bad(".tool_calls", "a list of tool calls", Some(&other))),
    };
    items.into_iter().enumerate().map(|(i, item)| read_call(i, &item)).collect()
}

fn read_call<'a>(i: usize, item: &Json<'a>) -> Result<Call<'a>, Defect> {
    let function = item.get("function").cloned();
    let inside = function.as_ref().filter(|function| function.object().is_some());
    let name = match (&function, inside) {
        (_, Some(inside)) => inside.get("name"),
        (Some(name), None) => Some(name),
        (None, None) => item.get("name"),
    };
    let Some(Json::Text(name)) = name else {
        return Err(bad(format!(".tool_calls[{i}].name"), "the tool's name", name));
    };
    let arguments = inside.unwrap_or(item).get("arguments").cloned().unwrap_or_default();
    Ok(Call { id: id(item.get("id")), name: name.clone(), arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Message<'_>, Defect> {
        read_message(Json::parse(text).expect("JSON"))
    }

    #[test]
    fn text_comes_as_text_as_parts_or_not_at_all() {
        assert_eq!(read(r#"{"role":"user","content":"Hi"}"#).expect("a message").text, "Hi");
        let parts = r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{}},
            {"type":"reasoning","reasoning":"x"},{"type":"input_text","text":"b"},"c"]}"#;
        assert_eq!(read(parts).expect("a message").text, "abc");
        assert_eq!(read(r#"{"role":"assistant","content":null,"tool_calls":[]}"#).expect("a message").text, "");
        assert_eq!(read(r#"{"role":"assistant"}"#).expect("a message").text, "");
    }

    #[test]
    fn calls_are_read_in_the_three_ways_they_are_written() {
        // Chat completions, tau2-bench, Inspect AI.
        for call in [
            r#"{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}"#,
            r#"{"id":"c1","name":"look","arguments":"{}","requestor":"user"}"#,
            r#"{"id":"c1","function":"look","arguments":"{}","type":"function"}"#,
        ] {
            let text = format!(r#"{{"role":"user","content":"","tool_calls":[{call}]}}"#);
            let message = read(&text).expect("a message");
            let expected = Call { id: Some("c1".into()), name: "look".into(), arguments: Json::Text("{}".into()) };
            assert_eq!(message.calls, [expected], "{call}");
        }
    }

    #[test]
    fn the_answer_of_a_tool_names_its_call() {
        for text in [
            r#"{"role":"tool","tool_call_id":"c1","content":"x"}"#,
            r#"{"role":"tool","id":"c1","content":"x","requestor":"user"}"#,
        ] {
            assert_eq!(read(text).expect("a message").answers.as_deref(), Some("c1"));
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_place() {
        for (text, field) in [
            ("3", ""),
            (r#"{"content":"x"}"#, ".role"),
            (r#"{"role":"user","content":3}"#, ".content"),
            (r#"{"role":"user","content":[{"type":"text"}]}"#, ".content[0].text"),
            (r#"{"role":"user","content":[3]}"#, ".content[0]"),
            (r#"{"role":"user","content":"","tool_calls":{}}"#, ".tool_calls"),
            (r#"{"role":"user","content":"","tool_calls":[{}]}"#, ".tool_calls[0].name"),
        ] {
            assert_eq!(read(text).expect_err(text).field.as_deref(), Some(field), "{text}");
        }
    }
}

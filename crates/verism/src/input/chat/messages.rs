//! Conversations of `messages`, as chat interfaces take and give them.
//!
//! A conversation is `{"messages": [...], ...}` or a bare list of messages; a document holds one or a list of them. Fields
//! beside the messages are kept, and those under `metadata` too.

use super::content::{are_messages, read_messages};
use super::{Conversation, Entries, Ids, bad, below, id};
use crate::error::Defect;
use crate::input::value::Json;

/// Whether a record is a conversation.
pub(super) fn is_conversation(value: &Json<'_>) -> bool {
    value.get("messages").is_some_and(are_messages) || (are_messages(value) && value.list() != Some(&[]))
}

pub(super) fn is_log(document: &Json<'_>) -> bool {
    let first = document.list().and_then(|items| items.first());
    is_conversation(document) || first.is_some_and(is_conversation)
}

pub(super) fn conversations(document: Json<'_>) -> Vec<Result<Conversation<'_>, Defect>> {
    match document {
        Json::List(items) if !items.first().is_some_and(super::content::is_message) => {
            let read = |(i, item)| conversation(item).map_err(|defect| below(&format!("[{i}]."), defect));
            items.into_iter().enumerate().map(read).collect()
        }
        one => vec![conversation(one)],
    }
}

fn conversation(value: Json<'_>) -> Result<Conversation<'_>, Defect> {
    match value {
        Json::Object(entries) => of_entries(entries),
        list @ Json::List(_) => {
            Ok(Conversation { messages: read_messages(Some(list), "messages")?, ..Conversation::default() })
        }
        other => Err(bad("messages", "a conversation: an object with messages, or a list of them", Some(&other))),
    }
}

/// A conversation whose fields stand beside its messages.
pub(super) fn of_entries(entries: Entries<'_>) -> Result<Conversation<'_>, Defect> {
    let (mut messages, mut metadata) = (None, vec![]);
    let mut conversation = Conversation::default();
    for (key, value) in entries {
        match (key.as_ref(), value) {
            ("messages", value) => messages = Some(value),
            ("metadata", Json::Object(entries)) => metadata = entries,
            (_, value) => conversation.fields.push((key, value)),
        }
    }
    // What stands beside the messages comes before what stands under `metadata`.
    conversation.fields.extend(metadata);
    conversation.messages = read_messages(messages, "messages")?;
    let named = |names: &[&str]| names.iter().find_map(|name| id(conversation.field(name)));
    let ids = Ids {
        experiment: named(&["experiment"]),
        run: named(&["run"]),
        case: named(&["case"]),
        dialogue: named(&["dialogue"]),
    };
    let usual = Ids {
        experiment: named(&["model"]),
        case: named(&["id", "custom_id", "conversation_id", "session_id"]),
        ..Ids::default()
    };
    Ok(Conversation { ids, usual, ..conversation })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Conversation<'_>, Defect>> {
        conversations(Json::parse(text).expect("JSON"))
    }

    const HI: &str = r#"{"role":"user","content":"Hi"}"#;

    #[test]
    fn a_document_is_one_conversation_or_a_list_of_them() {
        for (text, many) in [
            (format!(r#"{{"messages":[{HI}]}}"#), 1),
            (format!("[{HI},{HI}]"), 1),
            (format!(r#"[{{"messages":[{HI}]}},{{"messages":[]}}]"#), 2),
            (format!("[[{HI}],[{HI}],[{HI}]]"), 3),
        ] {
            let json = Json::parse(&text).expect("JSON");
            assert!(is_log(&json), "{text}");
            let read = read(&text);
            assert_eq!((read.len(), read.iter().all(Result::is_ok)), (many, true), "{text}");
        }
        for text in ["[]", "{}", "3", r#"{"messages":"x"}"#, r#"[{"text":"x"}]"#, r#"{"messages":[{"text":"x"}]}"#] {
            assert!(!is_log(&Json::parse(text).expect("JSON")), "{text}");
        }
    }

    #[test]
    fn ids_come_from_the_record_or_its_metadata_and_usual_ones_stand_apart() {
        let text = format!(
            r#"{{"model":"m","id":7,"run":2,"messages":[{HI}],"metadata":{{"experiment":"e","run":3,"persona":"p"}}}}"#
        );
        let conversation = read(&text).remove(0).expect("a conversation");
        let text = |id: &Option<std::borrow::Cow<'_, str>>| id.as_deref().unwrap_or("-").to_string();
        assert_eq!((text(&conversation.ids.experiment), text(&conversation.ids.run)), ("e".into(), "2".into()));
        assert_eq!((text(&conversation.usual.experiment), text(&conversation.usual.case)), ("m".into(), "7".into()));
        assert_eq!(conversation.field("persona").and_then(Json::text), Some("p"));
    }

    #[test]
    fn a_bad_conversation_costs_itself_alone() {
        let read = read(
            r#"[{"messages":[{"role":"user","content":"Hi"}]},{"messages":[{"role":"user","content":"Hi"},{"content":"x"}]},4]"#,
        );
        let fields: Vec<Option<String>> = read.into_iter().map(|one| one.err().and_then(|d| d.field)).collect();
        assert_eq!(fields, [None, Some("[1].messages[1].role".into()), Some("[2].messages".into())]);
    }
}

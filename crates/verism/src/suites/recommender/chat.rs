//! A conversation of another program as a record of this suite, and what its metrics need of a record.

use crate::input::chat::{Conversation, Message};
use crate::input::value::Json;
use crate::suites::records::{CASE, EXPERIMENT, Id, Need, RUN};

/// The record of a conversation: what user and system say, without the calls of tools; scores that others gave are those of a
/// judge.
pub(super) fn record(mut conversation: Conversation<'_>) -> Json<'_> {
    let ids = std::mem::take(&mut conversation.ids);
    let named = [("experiment", ids.experiment), ("run", ids.run), ("case", ids.case)];
    let mut entries: Vec<_> = named.into_iter().filter_map(|(key, id)| Some((key.into(), Json::Text(id?)))).collect();
    entries.extend(conversation.take_fields(&["dialogue", "shift_events", "labels", "judge"]));
    if !conversation.scores.is_empty() && entries.iter().all(|(key, _)| key != "judge") {
        let scores = conversation.scores.into_iter().map(|(name, value)| (name, Json::Float(value))).collect();
        entries.push(("judge".into(), Json::Object(scores)));
    }
    let messages = conversation.messages.into_iter().filter_map(message).collect();
    entries.push(("messages".into(), Json::List(messages)));
    Json::Object(entries)
}

/// A message; none if it says nothing to the other side.
fn message(mut message: Message<'_>) -> Option<Json<'_>> {
    let calls_only = message.text.trim().is_empty() && !message.calls.is_empty();
    if calls_only || matches!(message.role.as_ref(), "system" | "developer" | "tool") {
        return None;
    }
    let kept = message.take_more(&["user_meta", "rec_titles"]);
    let said = [("role".into(), Json::Text(message.role)), ("content".into(), Json::Text(message.text))];
    Some(Json::Object(said.into_iter().chain(kept).collect()))
}

/// Whether a record has the ids of its own that it needs, and every message can be read as it stands.
pub(super) fn is_native(record: &Json<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| record.entry(key).is_some());
    let said = |message: &Json<'_>| {
        ["text", "utterance", "content"].iter().any(|key| message.entry(key).and_then(Json::text).is_some())
    };
    match record.get("messages").and_then(Json::list) {
        Some(messages) => {
            let named = has(&["experiment", "model_name", "model"]) && has(&["case", "session_id", "dialogue"]);
            named && messages.iter().all(said)
        }
        None => true,
    }
}

/// What options can supply.
pub(super) static IDS: [Id; 3] = [
    Id { also: &["model_name", "model", "conv_id"], ..EXPERIMENT },
    Id { also: &["conv_id"], ..RUN },
    Id { also: &["session_id", "dialogue", "conv_id"], ..CASE },
];

/// What the metrics need.
pub(super) static NEEDS: [Need; 1] = [Need {
    field: "shifts: shift_events, or user_meta.shift_event of messages",
    metrics: &["recovery_rate", "recovery_delay_restricted", "focus_item", "leakage"],
    has: |record| {
        let messages = record.get("conversation").or_else(|| record.get("messages")).and_then(Json::list);
        let told = |message: &Json<'_>| message.get("user_meta").is_some_and(|meta| meta.get("shift_event").is_some());
        record.get("shift_events").is_some() || messages.unwrap_or_default().iter().any(told)
    },
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chat::Format;

    #[test]
    fn calls_of_tools_are_left_out_and_rewards_are_a_judges() {
        let text = r#"[{"task_id":3,"trial":1,"reward":0.5,"traj":[{"role":"system","content":"x"},
            {"role":"user","content":"A war film?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c",
            "function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"[]"},
            {"role":"assistant","content":"Dunkirk.","rec_titles":["Dunkirk"]}]}]"#;
        let one = Format::TauBench.conversations(Json::parse(text).expect("JSON")).remove(0).expect("a run");
        // By hand, from the specification's record in chat style.
        let expected = r#"{"run":"1","case":"3","judge":{"reward":0.5},"messages":[{"role":"user","content":"A war film?"},{"role":"assistant","content":"Dunkirk.","rec_titles":["Dunkirk"]}]}"#;
        assert_eq!(crate::score::json::text(&record(one)), expected);
    }

    #[test]
    fn records_with_names_whose_messages_all_speak_are_native() {
        let native = |text: &str| is_native(&Json::parse(text).expect("JSON"));
        let named = r#""model":"m","session_id":1"#;
        assert!(native(&format!(r#"{{{named},"messages":[{{"role":"user","content":"x"}}]}}"#)));
        assert!(native(r#"{"conversation":[]}"#));
        assert!(!native(r#"{"messages":[{"role":"user","content":"x"}]}"#));
        assert!(!native(&format!(r#"{{{named},"messages":[{{"role":"assistant","content":null}}]}}"#)));
    }
}

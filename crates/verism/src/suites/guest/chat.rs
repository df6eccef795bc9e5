//! A conversation of another program as a record of this suite, and what its metrics need of a record.

use crate::input::chat::{Call, Conversation, Message};
use crate::input::value::Json;
use crate::suites::OptionFacts;
use crate::suites::records::{CASE, EXPERIMENT, Id, Need, RUN};

/// Fields that records have beside their messages.
const FIELDS: [&str; 6] = ["level", "persona", "target_order", "final_order", "notes", "dialogue"];

/// The record of a conversation: roles stay as they are, for the option `role_map` to read; a simulated user's brief is its
/// persona, if the log has no other.
pub(super) fn record(mut conversation: Conversation<'_>) -> Json<'_> {
    let ids = std::mem::take(&mut conversation.ids);
    let named = [("experiment", ids.experiment), ("run", ids.run), ("case", ids.case)];
    let mut entries: Vec<_> = named.into_iter().filter_map(|(key, id)| Some((key.into(), Json::Text(id?)))).collect();
    entries.extend(conversation.take_fields(&FIELDS));
    let has_persona = entries.iter().any(|(key, _)| key == "persona");
    if let Some(brief) = conversation.brief.take().filter(|_| !has_persona) {
        entries.push(("persona".into(), Json::Object(vec![("bio".into(), Json::Text(brief))])));
    }
    let messages = conversation.messages.into_iter().map(message).collect();
    entries.push(("messages".into(), Json::List(messages)));
    Json::Object(entries)
}

fn message(mut message: Message<'_>) -> Json<'_> {
    let kept = message.take_more(&["id", "state", "order"]);
    let mut entries = vec![("role".into(), Json::Text(message.role)), ("content".into(), Json::Text(message.text))];
    if !message.calls.is_empty() {
        entries.push(("tool_calls".into(), Json::List(message.calls.into_iter().map(call).collect())));
    }
    entries.extend(message.answers.map(|id| ("tool_call_id".into(), Json::Text(id))));
    entries.extend(kept);
    Json::Object(entries)
}

fn call(call: Call<'_>) -> Json<'_> {
    let id = call.id.map(|id| ("id".into(), Json::Text(id)));
    let rest = [("name".into(), Json::Text(call.name)), ("arguments".into(), call.arguments)];
    Json::Object(id.into_iter().chain(rest).collect())
}

/// What options can supply.
pub(super) static IDS: [Id; 4] = [
    Id { also: &["metadata.experiment"], ..EXPERIMENT },
    Id { also: &["metadata.run"], ..RUN },
    Id { also: &["metadata.case"], ..CASE },
    Id {
        facts: OptionFacts {
            name: "level",
            default: "from the record",
            says: "level 1..5 of records that name none; `levels` names one for each experiment",
        },
        also: &["metadata.level"],
    },
];

/// What the metrics need; CRRS needs what its parts need.
pub(super) static NEEDS: [Need; 5] = [
    Need { field: "persona", metrics: &["pas"], has: |record| field(record, "persona").is_some() },
    Need {
        field: "messages[].state, or calls of tools.behavioral_tracking",
        metrics: &["pas", "bvs"],
        has: |record| some_guest(record, &["state", "tool_calls"]),
    },
    Need { field: "target_order", metrics: &["ora"], has: |record| field(record, "target_order").is_some() },
    Need {
        field: "messages[].tool_calls of the guest",
        metrics: &["dei"],
        has: |record| some_guest(record, &["tool_calls"]),
    },
    Need { field: "level (--option level=1..5)", metrics: &["dei"], has: |record| field(record, "level").is_some() },
];

fn field<'r>(record: &'r Json<'_>, key: &str) -> Option<&'r Json<'r>> {
    let found = record.get(key).or_else(|| record.get("metadata")?.get(key));
    found.filter(|value| !value.is_nothing())
}

/// Whether some message has one of the keys that is not, by its role's usual meaning, another's than the guest's.
fn some_guest(record: &Json<'_>, keys: &[&str]) -> bool {
    let others = ["assistant", "staff", "system", "developer", "tool"];
    let is_guest = |message: &&Json<'_>| message.get("role").and_then(Json::text).is_some_and(|r| !others.contains(&r));
    let messages = field(record, "messages").and_then(Json::list).unwrap_or_default();
    messages.iter().filter(is_guest).any(|message| keys.iter().any(|key| message.get(key).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chat::Format;

    #[test]
    fn a_run_of_tau_bench_becomes_a_record_with_its_brief_as_persona() {
        let text = r#"{"task_id":3,"trial":0,"reward":1.0,"info":{"task":{"instruction":"You are Mia, and in a hurry."}},
            "traj":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c",
            "type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c",
            "name":"look","content":"[]"}]}"#;
        let one = Format::TauBench.conversations(Json::parse(text).expect("JSON")).remove(0).expect("a run");
        // By hand, from the specification's native record and the style of chat logs.
        let expected = r#"{"run":"0","case":"3","persona":{"bio":"You are Mia, and in a hurry."},"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"","tool_calls":[{"id":"c","name":"look","arguments":"{}"}]},{"role":"tool","content":"[]","tool_call_id":"c"}]}"#;
        assert_eq!(crate::score::json::text(&record(one)), expected);
    }

    #[test]
    fn what_the_log_says_about_a_guest_is_kept() {
        let text = r#"{"experiment":"e","case":1,"metadata":{"persona":{"bio":"b"},"level":3,"seed":4},"messages":[
            {"role":"user","content":"Hi","state":{"mood":"happy"},"extra":1}]}"#;
        let one = Format::Chat.conversations(Json::parse(text).expect("JSON")).remove(0).expect("a conversation");
        let expected = r#"{"experiment":"e","case":"1","persona":{"bio":"b"},"level":3,"messages":[{"role":"user","content":"Hi","state":{"mood":"happy"}}]}"#;
        assert_eq!(crate::score::json::text(&record(one)), expected);
    }
}

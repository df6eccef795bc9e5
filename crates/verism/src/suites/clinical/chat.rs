//! A conversation of another program as records of this suite, and what its metrics need of a record.

use crate::input::chat::{Conversation, Turn, turns};
use crate::input::value::Json;
use crate::suites::records::{CASE, EXPERIMENT, Id, Need, RUN};

/// Fields that each turn of a conversation shares.
const SHARED: [&str; 2] = ["dialogue", "slots_truth"];
/// Fields that a message of the assistant may have.
const OF_ANSWER: [&str; 5] = ["turn_type", "judge", "provided", "contexts", "token_logprobs"];

/// A record for every answered turn, numbered from 1.
pub(super) fn records(mut conversation: Conversation<'_>) -> Vec<Json<'_>> {
    let ids = std::mem::take(&mut conversation.ids);
    let named = [("experiment", ids.experiment), ("run", ids.run), ("case", ids.case)];
    let mut shared: Vec<_> = named.into_iter().filter_map(|(key, id)| Some((key.into(), Json::Text(id?)))).collect();
    shared.extend(conversation.take_fields(&SHARED));
    let record = |(turn, number): (Turn<'_>, i128)| {
        let mut entries = shared.clone();
        entries.push(("turn".into(), Json::Int(number)));
        if !turn.question.is_empty() {
            entries.push(("question".into(), Json::Text(turn.question.into())));
        }
        entries.push(("answer".into(), Json::Text(turn.answer.into())));
        entries.extend(turn.more.into_iter().filter(|(key, _)| OF_ANSWER.contains(&key.as_ref())));
        Json::Object(entries).into_owned()
    };
    turns(conversation.messages).into_iter().zip(1..).map(record).collect()
}

/// What options can supply.
pub(super) static IDS: [Id; 3] =
    [Id { also: &["mode"], ..EXPERIMENT }, Id { also: &["run_id"], ..RUN }, Id { also: &["patient_id"], ..CASE }];

/// What the metrics need.
pub(super) static NEEDS: [Need; 1] = [Need {
    field: "slots_truth, the patient's record",
    metrics: &["sfs", "csp", "cus", "aggregate"],
    has: |record| record.get("slots_truth").or_else(|| record.get("slots")).is_some_and(|slots| !slots.is_nothing()),
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chat::Format;

    #[test]
    fn every_answered_turn_is_a_record() {
        let text = r#"{"experiment":"m","case":"p1","slots_truth":{"age":40},"messages":[{"role":"system","content":"x"},
            {"role":"user","content":"May I take ibuprofen?"},{"role":"assistant","content":"Yes.","turn_type":"advice"},
            {"role":"user","content":"And?"},{"role":"assistant","content":"No."}]}"#;
        let one = Format::Chat.conversations(Json::parse(text).expect("JSON")).remove(0).expect("a conversation");
        let told: Vec<String> = records(one).iter().map(crate::score::json::text).collect();
        // By hand, from the specification's native record.
        let expected = [
            r#"{"experiment":"m","case":"p1","slots_truth":{"age":40},"turn":1,"question":"May I take ibuprofen?","answer":"Yes.","turn_type":"advice"}"#,
            r#"{"experiment":"m","case":"p1","slots_truth":{"age":40},"turn":2,"question":"And?","answer":"No."}"#,
        ];
        assert_eq!(told, expected);
    }
}

//! A conversation of another program as records of this suite.

use crate::input::chat::{Conversation, Turn, turns};
use crate::input::value::Json;

/// Fields that each text of a conversation shares.
const SHARED: [&str; 4] = ["batch", "user", "user_group", "profile"];
/// Fields that a message of the assistant may have.
const OF_TEXT: [&str; 5] = ["embedding", "context_embedding", "profile_embeddings", "label", "pun"];

/// A record for every answer, with what was asked as its context. The only answer of a conversation has the case as its id,
/// several have `case#number`.
pub(super) fn records(mut conversation: Conversation<'_>) -> Vec<Json<'_>> {
    let ids = std::mem::take(&mut conversation.ids);
    let named = [("experiment", ids.experiment), ("run", ids.run)];
    let mut shared: Vec<_> = named.into_iter().filter_map(|(key, id)| Some((key.into(), Json::Text(id?)))).collect();
    shared.extend(conversation.take_fields(&SHARED));
    let answers = turns(conversation.messages);
    let alone = answers.len() == 1;
    let record = |(turn, number): (Turn<'_>, u64)| {
        let mut entries = shared.clone();
        if let Some(case) = ids.case.as_deref() {
            let id = if alone { case.to_string() } else { format!("{case}#{number}") };
            entries.push(("id".into(), Json::Text(id.into())));
        }
        if !turn.question.is_empty() {
            entries.push(("context".into(), Json::Text(turn.question.into())));
        }
        entries.push(("text".into(), Json::Text(turn.answer.into())));
        entries.extend(turn.more.into_iter().filter(|(key, _)| OF_TEXT.contains(&key.as_ref())));
        Json::Object(entries).into_owned()
    };
    answers.into_iter().zip(1..).map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chat::Format;

    #[test]
    fn every_answer_is_a_text_with_its_context() {
        let told = |text: &str| {
            let one = Format::Chat.conversations(Json::parse(text).expect("JSON")).remove(0).expect("a conversation");
            records(one).iter().map(crate::score::json::text).collect::<Vec<_>>()
        };
        let text = r#"{"experiment":"m","case":"j1","user":"u","messages":[{"role":"user","content":"A joke?"},
            {"role":"assistant","content":"No.","label":1},{"role":"user","content":"More"},{"role":"assistant","content":"Yes."}]}"#;
        // By hand, from the specification's record.
        let expected = [
            r#"{"experiment":"m","user":"u","id":"j1#1","context":"A joke?","text":"No.","label":1}"#,
            r#"{"experiment":"m","user":"u","id":"j1#2","context":"More","text":"Yes."}"#,
        ];
        assert_eq!(told(text), expected);
        let one = r#"{"case":7,"messages":[{"role":"assistant","content":"Ha."}]}"#;
        assert_eq!(told(one), [r#"{"id":"7","text":"Ha."}"#]);
    }
}

//! Messages as turns: what was asked, and what was answered.

use super::{Entries, Message};

/// What the user said and what the assistant answered to it.
#[derive(Debug, Default, PartialEq)]
pub struct Turn<'a> {
    /// What was asked since the answer before; empty if nothing was.
    pub question: String,
    /// What was answered, up to the next question.
    pub answer: String,
    /// Whatever else the log says about the messages of the answer; of a field that several have the last counts.
    pub more: Entries<'a>,
}

/// The answered turns of a conversation. Messages of one side that follow each other are joined by line feeds; what tools and
/// the system say is left out, and so are blank messages, such as those that only call a tool.
pub fn turns(messages: Vec<Message<'_>>) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = vec![];
    let mut question = String::new();
    for message in messages {
        if message.text.trim().is_empty() {
            continue;
        }
        match message.role.as_ref() {
            "user" | "human" => join(&mut question, &message.text),
            "assistant" | "model" => {
                if turns.is_empty() || !question.is_empty() {
                    turns.push(Turn { question: std::mem::take(&mut question), ..Turn::default() });
                }
                if let Some(turn) = turns.last_mut() {
                    join(&mut turn.answer, &message.text);
                    turn.more.retain(|(key, _)| message.more.iter().all(|(other, _)| other != key));
                    turn.more.extend(message.more);
                }
            }
            _ => {}
        }
    }
    turns
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::value::Json;

    #[test]
    fn what_follows_on_one_side_belongs_together() {
        let message = |role: &'static str, text: &'static str| Message {
            role: role.into(),
            text: text.into(),
            more: vec![("n".into(), Json::Text(text.into()))],
            ..Message::default()
        };
        let all = vec![
            message("system", "policy"),
            message("assistant", "Hello"),
            message("user", "a"),
            message("user", "b"),
            message("assistant", "One moment"),
            message("assistant", " "),
            message("tool", "42"),
            message("assistant", "It is 42"),
            message("user", "thanks"),
        ];
        let told: Vec<(String, String, usize)> =
            turns(all).into_iter().map(|turn| (turn.question, turn.answer, turn.more.len())).collect();
        let expected = [("", "Hello", 1), ("a\nb", "One moment\nIt is 42", 1)];
        assert_eq!(told, expected.map(|(question, answer, more)| (question.to_string(), answer.to_string(), more)));
    }
}

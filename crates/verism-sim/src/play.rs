//! A dialogue: user and agent speak in turn.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// What one side says, with what goes into the record besides the text.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Further keys of the message in the record, in order.
    pub meta: Vec<(&'static str, Box<RawValue>)>,
}

impl Message {
    /// A message with one key besides its text.
    pub fn new(text: String, key: &'static str, value: &impl Serialize) -> Message {
        let value = to_raw_value(value).expect("keys are texts and numbers are finite");
        Message { text, meta: vec![(key, value)] }
    }
}

/// A message of the user and the reply.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What the user says.
    pub user: Message,
    /// What the agent answers.
    pub system: Message,
}

/// What the user says next. It shares no state with the agent.
pub trait UserPolicy {
    /// The next message, or none when the dialogue is over.
    fn next(&mut self, history: &[Turn]) -> Option<Message>;
}

/// What answers.
pub trait Agent {
    /// The reply to the last message of the user, or why there is none: the dialogue then ends as failed.
    fn respond(&mut self, history: &[Turn], user: &Message) -> Result<Message, String>;
}

/// A dialogue that ended without a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The turn without reply, from 1.
    pub turn: usize,
    /// What the agent said about it.
    pub error: String,
}

/// Lets user and agent speak in turn until the user is done.
pub fn play(user: &mut dyn UserPolicy, agent: &mut dyn Agent) -> Result<Vec<Turn>, Failure> {
    let mut history = vec![];
    while let Some(message) = user.next(&history) {
        let reply = agent.respond(&history, &message);
        let system = reply.map_err(|error| Failure { turn: history.len() + 1, error })?;
        history.push(Turn { user: message, system });
    }
    Ok(history)
}

//! Writes synthetic dialogues whose users are the same for every agent.
//!
//! The harness knows no suite: a [`UserPolicy`] says what the user says next, an [`Agent`] answers, [`play`] lets them
//! alternate. `recommender` has both for conversational recommenders.

pub mod recommender;
mod stream;

use serde_json::Value;
use verism::Result;

pub use stream::Stream;

/// What one side says, with what goes into the record besides the text.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Further keys of the message in the record, in order.
    pub meta: Vec<(&'static str, Value)>,
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
    fn next(&mut self, history: &[Turn]) -> Result<Option<Message>>;
}

/// What answers.
pub trait Agent {
    /// The reply to the last message of the user.
    fn respond(&mut self, history: &[Turn], user: &Message) -> Result<Message>;
}

/// Lets user and agent speak in turn until the user is done.
pub fn play(user: &mut dyn UserPolicy, agent: &mut dyn Agent) -> Result<Vec<Turn>> {
    let mut history = vec![];
    while let Some(message) = user.next(&history)? {
        let system = agent.respond(&history, &message)?;
        history.push(Turn { user: message, system });
    }
    Ok(history)
}

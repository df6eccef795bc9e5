//! A conversation as it is judged.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::exit::ExitWords;
use super::order::{Names, Order};
use super::persona::Persona;
use super::tools::{order_from_result, state_from_result};
use super::vocabulary::State;
use crate::input::value::Json;
use crate::suites::guest::options::{Params, StateSource};
use crate::text::fold::fold;
use crate::text::normalize::trim;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    Guest,
    Staff,
    System,
    Tool,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Guest => "guest",
            Role::Staff => "staff",
            Role::System => "system",
            Role::Tool => "tool",
        }
    }

    /// The role with a name.
    pub(crate) fn read(name: &str) -> Option<Role> {
        [Role::Guest, Role::Staff, Role::System, Role::Tool].into_iter().find(|role| role.name() == name)
    }
}

/// A conversation.
#[derive(Debug)]
pub(crate) struct Dialogue<'a> {
    pub(crate) experiment: Cow<'a, str>,
    pub(crate) run: Cow<'a, str>,
    pub(crate) case: Cow<'a, str>,
    pub(crate) dialogue: Cow<'a, str>,
    pub(crate) level: Option<u8>,
    pub(crate) persona: Persona<'a>,
    pub(crate) target: Option<Order>,
    /// The target's items as written.
    pub(crate) target_items: Option<&'a [Json<'a>]>,
    pub(crate) final_order: Option<Order>,
    /// Where the final order is said to come from.
    pub(crate) final_source: Option<&'a str>,
    pub(crate) messages: Vec<Message<'a>>,
    /// All tool calls; messages hold their numbers.
    pub(crate) calls: Vec<Call<'a>>,
    pub(crate) notes: Vec<Note<'a>>,
    pub(crate) names: Names,
    /// Whether states and orders are those of tool results; decided once for each.
    pub(crate) states_from_tools: bool,
    pub(crate) orders_from_tools: bool,
}

/// A message. Only a guest's has calls, states and orders.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    /// Place among all messages.
    pub(crate) index: usize,
    pub(crate) id: Cow<'a, str>,
    pub(crate) role: Role,
    pub(crate) text: Cow<'a, str>,
    /// Numbers of its tool calls; none if not recorded.
    pub(crate) calls: Option<Vec<usize>>,
    pub(crate) state: Recorded<'a, State<'a>>,
    pub(crate) order: Recorded<'a, Order>,
    /// The recorded order's items as written.
    pub(crate) order_items: Option<&'a [Json<'a>]>,
    pub(crate) tool_state: Option<State<'static>>,
    pub(crate) tool_order: Option<Order>,
    /// The target as the tool saw it.
    pub(crate) tool_target: Option<Order>,
    /// Whether it is a guest's sign of leaving.
    pub(crate) exit: bool,
}

/// Something recorded, and where it is said to come from.
#[derive(Debug)]
pub(crate) struct Recorded<'a, T> {
    pub(crate) value: Option<T>,
    pub(crate) source: &'a str,
}

/// The source of what names none.
pub(crate) const STORED: &str = "stored";
/// The source of what a tool's result said.
pub(crate) const TOOL: &str = "tool";

impl<T> Default for Recorded<'_, T> {
    fn default() -> Self {
        Recorded { value: None, source: STORED }
    }
}

/// A tool call.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    /// Whether the guest itself called, not a sub-agent.
    pub(crate) own: bool,
    pub(crate) result: CallResult<'a>,
}

/// What a call gave.
#[derive(Debug)]
pub(crate) enum CallResult<'a> {
    None,
    Json(&'a Json<'a>),
    Text(Cow<'a, str>),
}

/// Something noticed while reading.
#[derive(Debug)]
pub(crate) struct Note<'a> {
    pub(crate) audit: &'static str,
    pub(crate) turn: NoteTurn<'a>,
    pub(crate) detail: Option<Cow<'a, str>>,
}

/// Where something was noticed: a message, or what a converter wrote.
#[derive(Debug)]
pub(crate) enum NoteTurn<'a> {
    None,
    Message(usize),
    OptionValue(&'a Json<'a>),
}

impl<'a> Message<'a> {
    pub(crate) fn new(index: usize, id: Cow<'a, str>, role: Role) -> Message<'a> {
        Message {
            index,
            id,
            role,
            text: Cow::Borrowed(""),
            calls: None,
            state: Recorded::default(),
            order: Recorded::default(),
            order_items: None,
            tool_state: None,
            tool_order: None,
            tool_target: None,
            exit: false,
        }
    }
}

/// Whether a source says that nobody observed this.
fn is_invented(source: &str) -> bool {
    let folded = fold(source);
    matches!(trim(&folded), "default" | "random")
}

impl<'a> Dialogue<'a> {
    /// Sets invented records aside, reads tool results, and decides which of the two counts.
    pub(crate) fn prepare(&mut self, params: &Params, exit_words: &ExitWords) {
        for message in self.messages.iter_mut().filter(|message| message.role == Role::Guest) {
            message.exit = exit_words.is_exit(&message.text);
            let turn = || NoteTurn::Message(message.index);
            if message.state.value.is_some() && is_invented(message.state.source) {
                message.state.value = None;
                let detail = Some(Cow::Borrowed(message.state.source));
                self.notes.push(Note { audit: "invented_state", turn: turn(), detail });
            }
            if message.order.value.is_some() && is_invented(message.order.source) {
                message.order.value = None;
                message.order_items = None;
                let detail = Some(Cow::Borrowed(message.order.source));
                self.notes.push(Note { audit: "invented_order", turn: turn(), detail });
            }
            read_results(message, &self.calls, params, &mut self.names);
        }
        if let Some(source) = self.final_source.filter(|source| self.final_order.is_some() && is_invented(source)) {
            self.final_order = None;
            let detail = Some(Cow::Borrowed(source));
            self.notes.push(Note { audit: "invented_order", turn: NoteTurn::None, detail });
        }
        let from_tools = |stored: bool, tool: bool| match params.state_source {
            StateSource::StoredOnly => false,
            StateSource::ToolsFirst => tool,
            StateSource::StoredFirst => !stored,
        };
        let any = |has: &dyn Fn(&Message<'_>) -> bool| self.messages.iter().any(has);
        self.states_from_tools = from_tools(any(&|m| m.state.value.is_some()), any(&|m| m.tool_state.is_some()));
        self.orders_from_tools = from_tools(any(&|m| m.order.value.is_some()), any(&|m| m.tool_order.is_some()));
    }

    /// The guest's messages, exits included.
    pub(crate) fn guests(&self) -> impl Iterator<Item = &Message<'a>> {
        self.messages.iter().filter(|message| message.role == Role::Guest)
    }

    /// The guest's messages that are not exits.
    pub(crate) fn talk(&self) -> impl Iterator<Item = &Message<'a>> {
        self.guests().filter(|message| !message.exit)
    }

    /// The guest's own calls at a message.
    pub(crate) fn own_calls(&self, message: &Message<'a>) -> impl Iterator<Item = &Call<'a>> {
        message.calls.iter().flatten().map(|&call| &self.calls[call]).filter(|call| call.own)
    }

    /// The state that counts.
    pub(crate) fn state<'m>(&self, message: &'m Message<'a>) -> Option<&'m State<'a>> {
        if self.states_from_tools { message.tool_state.as_ref() } else { message.state.value.as_ref() }
    }

    /// The order that counts.
    pub(crate) fn order<'m>(&self, message: &'m Message<'a>) -> Option<&'m Order> {
        if self.orders_from_tools { message.tool_order.as_ref() } else { message.order.value.as_ref() }
    }

    /// Where the state that counts comes from.
    pub(crate) fn state_source(&self, message: &Message<'a>) -> &'a str {
        if self.states_from_tools { TOOL } else { message.state.source }
    }

    /// Where the order that counts comes from.
    pub(crate) fn order_source(&self, message: &Message<'a>) -> &'a str {
        if self.orders_from_tools { TOOL } else { message.order.source }
    }
}

/// Reads what the tools of a message reported; the last readable result counts.
fn read_results(message: &mut Message<'_>, calls: &[Call<'_>], params: &Params, names: &mut Names) {
    let calls = message.calls.iter().flatten().map(|&call| &calls[call]);
    for call in calls.filter(|call| call.own) {
        if params.tools.behavioral_tracking.iter().any(|name| name == call.name)
            && let Some(state) = state_from_result(&call.result)
        {
            message.tool_state = Some(state);
        }
        if params.tools.order_tracking.iter().any(|name| name == call.name)
            && let Some((order, target)) = order_from_result(&call.result, names)
        {
            message.tool_order = Some(order);
            message.tool_target = target;
        }
    }
}

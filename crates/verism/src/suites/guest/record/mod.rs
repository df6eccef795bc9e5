//! A JSON record to a conversation: native, or in the style of chat logs.

pub(crate) mod dialogue;
pub(crate) mod exit;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod persona;
pub(crate) mod tools;
pub(crate) mod vocabulary;

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use self::dialogue::{Call, CallResult, Dialogue, Message, Note, NoteTurn, Recorded, Role, STORED};
use self::order::{Names, items_of, read_order};
use self::persona::read_persona;
use self::vocabulary::{read_state, text_id};
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;
use crate::text::normalize::trim;

/// What a reader must know besides the record.
pub(crate) struct Reader<'p> {
    /// The levels of experiments whose records name none.
    pub(crate) levels: &'p BTreeMap<String, u8>,
    pub(crate) roles: &'p BTreeMap<String, Role>,
}

/// A record whose fields may also stand under `metadata`.
struct Fields<'a> {
    record: &'a Json<'a>,
    metadata: Option<&'a Json<'a>>,
}

impl<'a> Fields<'a> {
    fn get(&self, key: &str) -> Option<&'a Json<'a>> {
        self.record.get(key).or_else(|| self.metadata?.get(key))
    }

    fn required(&self, key: &str) -> Result<Cow<'a, str>, Defect> {
        let value = self.get(key);
        text_id(value, key)?.ok_or_else(|| bad(key, "text or whole number", value))
    }
}

impl Reader<'_> {
    /// Reads a record; the first thing wrong with it is named.
    pub(crate) fn read<'a>(&self, record: &'a Json<'a>) -> Result<Dialogue<'a>, Defect> {
        if !matches!(record, Json::Object(_)) {
            return Err(bad("record", "a JSON object", Some(record)));
        }
        let fields = Fields { record, metadata: record.get("metadata") };
        let experiment = fields.required("experiment")?;
        let case = fields.required("case")?;
        let run = text_id(fields.get("run"), "run")?.unwrap_or(Cow::Borrowed("1"));
        let dialogue = text_id(fields.get("dialogue"), "dialogue")?
            .unwrap_or_else(|| Cow::Owned(format!("{experiment}/{run}/{case}")));
        let level = match fields.get("level") {
            None => self.levels.get(experiment.as_ref()).copied(),
            Some(value) => match value.whole().filter(|level| (1..=5).contains(level)) {
                Some(level) => Some(level as u8),
                None => return Err(bad("level", "a whole number 1..5", Some(value))),
            },
        };
        let persona = read_persona(fields.get("persona"))?;
        let mut names = Names::new();
        let order =
            |key: &str, names: &mut Names| fields.get(key).map_or(Ok(None), |order| read_order(order, key, names));
        let target = order("target_order", &mut names)?;
        let target_items = fields.get("target_order").and_then(items_of);
        let final_order = order("final_order", &mut names)?;
        let final_source = fields.get("final_order").and_then(|order| order.get("source")?.text());
        let messages = fields.get("messages").unwrap_or(&Json::Null);
        let messages = messages.list().ok_or_else(|| bad("messages", "a list of messages", Some(messages)))?;
        let notes = fields.get("notes").map_or(Ok(vec![]), read_notes)?;
        let mut reading = Reading {
            roles: self.roles,
            names,
            notes,
            messages: Vec::with_capacity(messages.len()),
            calls: vec![],
            waiting: vec![],
            by_id: FxHashMap::default(),
        };
        for (index, message) in messages.iter().enumerate() {
            reading.message(index, message).map_err(|fault| fault.at(index))?;
        }
        reading.drop_waiting();
        let Reading { names, notes, messages, calls, .. } = reading;
        Ok(Dialogue {
            experiment,
            run,
            case,
            dialogue,
            level,
            persona,
            target,
            target_items,
            final_order,
            final_source,
            messages,
            calls,
            notes,
            names,
            states_from_tools: false,
            orders_from_tools: false,
        })
    }
}

/// A defect below a message.
struct Fault(Defect);

impl Fault {
    fn at(self, index: usize) -> Defect {
        let below = self.0.field.clone().unwrap_or_default();
        self.0.field(format!("messages[{index}]{below}"))
    }
}

impl From<Defect> for Fault {
    fn from(defect: Defect) -> Self {
        Fault(defect)
    }
}

/// The id of a call: texts and numbers are told apart.
#[derive(PartialEq, Eq, Hash)]
enum CallId<'a> {
    Text(&'a str),
    Whole(i128),
    Float(u64),
}

impl<'a> CallId<'a> {
    fn of(value: Option<&'a Json<'_>>) -> Option<CallId<'a>> {
        match value? {
            Json::Text(text) => Some(CallId::Text(text)),
            value => match (value.whole(), value) {
                (Some(x), _) => Some(CallId::Whole(x)),
                // Beyond 128 bits numbers that differ may be read as one.
                (None, Json::Float(x)) if x.abs() < 1.7e38 => Some(CallId::Float(x.to_bits())),
                _ => None,
            },
        }
    }
}

/// Messages as far as they have been read.
struct Reading<'a, 'p> {
    roles: &'p BTreeMap<String, Role>,
    names: Names,
    notes: Vec<Note<'a>>,
    messages: Vec<Message<'a>>,
    calls: Vec<Call<'a>>,
    /// Guest messages that hold nothing but calls: they belong to the next one, if the guest goes on.
    waiting: Vec<Message<'a>>,
    /// The call with an id, whose result may follow.
    by_id: FxHashMap<CallId<'a>, usize>,
}

impl<'a> Reading<'a, '_> {
    fn message(&mut self, index: usize, value: &'a Json<'a>) -> Result<(), Fault> {
        if !matches!(value, Json::Object(_)) {
            return Err(bad("", "an object", Some(value)).into());
        }
        let role = value.get("role").and_then(Json::text).and_then(|role| self.roles.get(role));
        let role = *role.ok_or_else(|| {
            let known: Vec<&str> = self.roles.keys().map(String::as_str).collect();
            let hint = "name further roles with --option role_map=ROLE:guest (or staff, system, tool)";
            bad(".role", format!("one of {}", known.join("|")), value.get("role")).hint(hint)
        })?;
        let text = read_text(value)?;
        if role == Role::Tool {
            self.result(value, text);
            return Ok(());
        }
        let id = text_id(value.get("id"), ".id")?.unwrap_or_else(|| Cow::Owned(format!("m{index}")));
        let mut message = Message::new(index, id, role);
        if role == Role::Guest {
            message.calls = value.get("tool_calls").map(|calls| self.calls(calls)).transpose()?;
            message.state = recorded(value.get("state"), |state| read_state(state, ".state"))?;
            let names = &mut self.names;
            message.order = recorded(value.get("order"), |order| read_order(order, ".order", names))?;
            message.order_items = value.get("order").and_then(items_of);
            let only_calls = is_chat(value)
                && trim(&text).is_empty()
                && message.calls.as_ref().is_some_and(|calls| !calls.is_empty())
                && message.state.value.is_none()
                && message.order.value.is_none();
            message.text = text;
            if only_calls {
                self.waiting.push(message);
                return Ok(());
            }
            if !self.waiting.is_empty() {
                let mut calls: Vec<usize> = self.waiting.drain(..).flat_map(|m| m.calls.unwrap_or_default()).collect();
                calls.extend(message.calls.take().unwrap_or_default());
                message.calls = Some(calls);
            }
        } else if role == Role::Staff {
            self.drop_waiting();
        }
        self.messages.push(message);
        Ok(())
    }

    /// Notes the messages that hold nothing but calls and were not followed by another of the guest.
    fn drop_waiting(&mut self) {
        let lost = self.waiting.drain(..).map(|message| message.index);
        self.notes.extend(lost.map(|index| Note {
            audit: "tool_only_message",
            turn: NoteTurn::Message(index),
            detail: None,
        }));
    }

    /// Reads tool calls and gives their numbers.
    fn calls(&mut self, value: &'a Json<'a>) -> Result<Vec<usize>, Defect> {
        let at = ".tool_calls";
        let items = value.list().ok_or_else(|| bad(at, "a list of tool calls", Some(value)))?;
        let first = self.calls.len();
        for (i, item) in items.iter().enumerate() {
            if !matches!(item, Json::Object(_)) {
                return Err(bad(format!("{at}[{i}]"), "an object", Some(item)));
            }
            let function = item.get("function").and_then(|function| function.get("name"));
            let names = [item.get("name"), item.get("tool_name"), function];
            let name = names.into_iter().flatten().find(|name| !name.is_nothing()).and_then(Json::text);
            let name = name.ok_or_else(|| bad(format!("{at}[{i}].name"), "the tool's name (text)", Some(item)))?;
            let own = item.get("agent").is_none_or(|agent| agent.text() == Some("guest"));
            let result = item.get("result").map_or(CallResult::None, CallResult::Json);
            if let Some(id) = CallId::of(item.get("id")) {
                self.by_id.insert(id, self.calls.len());
            }
            self.calls.push(Call { name, own, result });
        }
        Ok((first..self.calls.len()).collect())
    }

    /// Gives a call the result that a tool message holds.
    fn result(&mut self, value: &'a Json<'a>, text: Cow<'a, str>) {
        let call = CallId::of(value.get("tool_call_id")).and_then(|id| self.by_id.get(&id));
        if let Some(call) = call.map(|&call| &mut self.calls[call])
            && matches!(call.result, CallResult::None)
        {
            call.result = CallResult::Text(text);
        }
    }
}

/// Whether a message speaks under `content`.
fn is_chat(message: &Json<'_>) -> bool {
    message.entry("content").is_some() && message.get("text").is_none()
}

/// The text of a message: under `text`, or under `content` as text or as parts.
fn read_text<'a>(message: &'a Json<'a>) -> Result<Cow<'a, str>, Defect> {
    let chat = is_chat(message);
    let key = if chat { "content" } else { "text" };
    match message.entry(key) {
        None => Err(bad(".text", "text (or content, in the style of chat logs)", None)),
        Some(Json::Null) => Ok(Cow::Borrowed("")),
        Some(Json::Text(text)) => Ok(Cow::Borrowed(text)),
        Some(Json::List(parts)) if chat => {
            let mut text = String::new();
            for (i, part) in parts.iter().enumerate() {
                if !matches!(part, Json::Object(_)) {
                    return Err(bad(format!(".content[{i}]"), "a part of a content (object)", Some(part)));
                }
                if part.entry("type").is_none_or(|kind| kind.text() == Some("text")) {
                    let words = part.get("text").and_then(Json::text);
                    text.push_str(words.ok_or_else(|| bad(format!(".content[{i}].text"), "text", part.get("text")))?);
                }
            }
            Ok(Cow::Owned(text))
        }
        Some(other) => Err(bad(format!(".{key}"), "text", Some(other))),
    }
}

/// A recorded state or order with its source.
fn recorded<'a, T>(
    value: Option<&'a Json<'a>>,
    read: impl FnOnce(&'a Json<'a>) -> Result<Option<T>, Defect>,
) -> Result<Recorded<'a, T>, Defect> {
    let Some(value) = value else { return Ok(Recorded::default()) };
    let source = value.get("source").and_then(Json::text).filter(|source| !source.is_empty());
    Ok(Recorded { value: read(value)?, source: source.unwrap_or(STORED) })
}

/// What a converter may have noticed.
const NOTES: [&str; 4] = ["orphan_state", "tool_calls_repaired", "tool_calls_unreadable", "tool_only_message"];

fn read_notes<'a>(value: &'a Json<'a>) -> Result<Vec<Note<'a>>, Defect> {
    let items = value.list().ok_or_else(|| bad("notes", "a list of objects", Some(value)))?;
    let note = |(i, item): (usize, &'a Json<'a>)| {
        let audit = item.get("audit").and_then(Json::text);
        let audit = NOTES.into_iter().find(|known| Some(*known) == audit);
        let audit = audit.ok_or_else(|| bad(format!("notes[{i}].audit"), NOTES.join("|"), Some(item)))?;
        let detail = item.get("detail").map(|detail| match detail {
            Json::Text(text) => Cow::Borrowed(text.as_ref()),
            other => Cow::Owned(crate::score::json::text(other)),
        });
        Ok(Note { audit, turn: item.get("turn").map_or(NoteTurn::None, NoteTurn::OptionValue), detail })
    };
    items.iter().enumerate().map(note).collect()
}

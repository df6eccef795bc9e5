//! Chat logs of other programs as conversations: a file for each format, one neutral type for all.
//!
//! Formats know no suite, suites know no format: a suite says what its record of a [`Conversation`] is.

mod content;
mod inspect;
mod messages;
mod recognise;
mod tau_bench;
mod turns;

use std::borrow::Cow;
use std::fs::File;
use std::path::Path;

use crate::error::Defect;
use crate::input::Limits;
use crate::input::value::Json;

pub use self::recognise::{Shape, recognise};
pub use self::turns::{Turn, turns};

/// A conversation, whatever program wrote it down.
#[derive(Debug, Default, PartialEq)]
pub struct Conversation<'a> {
    /// What the log itself names: experiment, run, case, dialogue.
    pub ids: Ids<'a>,
    /// What may stand in where neither the log nor the user names anything.
    pub usual: Ids<'a>,
    /// What was said, in order.
    pub messages: Vec<Message<'a>>,
    /// What a simulated user was told to be and to want.
    pub brief: Option<Cow<'a, str>>,
    /// What others found it to be worth.
    pub scores: Vec<(Cow<'a, str>, f64)>,
    /// Whatever else the log says about it.
    pub fields: Vec<(Cow<'a, str>, Json<'a>)>,
}

/// What tells conversations apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ids<'a> {
    /// What is compared with what.
    pub experiment: Option<Cow<'a, str>>,
    /// Repetition of the experiment.
    pub run: Option<Cow<'a, str>>,
    /// What is held equal across experiments.
    pub case: Option<Cow<'a, str>>,
    /// The conversation itself.
    pub dialogue: Option<Cow<'a, str>>,
}

/// One message.
#[derive(Debug, Default, PartialEq)]
pub struct Message<'a> {
    /// Who speaks, as the log has it: `user`, `assistant`, `system`, `tool`, …
    pub role: Cow<'a, str>,
    /// What is said; parts that are not text are left out.
    pub text: Cow<'a, str>,
    /// Calls of tools.
    pub calls: Vec<Call<'a>>,
    /// Of a tool's message: the call that it answers.
    pub answers: Option<Cow<'a, str>>,
    /// Whatever else the log says about it.
    pub more: Vec<(Cow<'a, str>, Json<'a>)>,
}

/// A call of a tool.
#[derive(Debug, Default, PartialEq)]
pub struct Call<'a> {
    /// By which its answer names it.
    pub id: Option<Cow<'a, str>>,
    /// The tool.
    pub name: Cow<'a, str>,
    /// What it was given.
    pub arguments: Json<'a>,
}

impl<'a> Conversation<'a> {
    /// A further field of the log, by its name.
    pub fn field(&self, name: &str) -> Option<&Json<'a>> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value).filter(|value| **value != Json::Null)
    }

    /// Takes some of the further fields, by their names, as entries of a record.
    pub fn take_fields(&mut self, names: &[&str]) -> Vec<(Cow<'a, str>, Json<'a>)> {
        take(&mut self.fields, names)
    }
}

impl<'a> Message<'a> {
    /// Takes some of the further fields, by their names, as entries of a record.
    pub fn take_more(&mut self, names: &[&str]) -> Vec<(Cow<'a, str>, Json<'a>)> {
        take(&mut self.more, names)
    }
}

/// Entries of an object.
type Entries<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

fn take<'a>(entries: &mut Entries<'a>, names: &[&str]) -> Entries<'a> {
    let (taken, left) = std::mem::take(entries)
        .into_iter()
        .partition(|(key, value)| names.contains(&key.as_ref()) && !matches!(value, Json::Null));
    *entries = left;
    taken
}

/// A kind of chat logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Conversations of `messages`, as chat interfaces take and give them: lines, a list, or one.
    Chat,
    /// Runs of tau-bench and tau2-bench.
    TauBench,
    /// Logs of Inspect AI.
    Inspect,
}

/// Every format, in the order in which they are tried.
pub const FORMATS: [Format; 3] = [Format::TauBench, Format::Inspect, Format::Chat];

impl Format {
    /// Its name on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Format::Chat => "chat",
            Format::TauBench => "tau-bench",
            Format::Inspect => "inspect",
        }
    }

    /// What it is, in one line.
    pub const fn reads(self) -> &'static str {
        match self {
            Format::Chat => {
                "conversations {\"messages\": [{\"role\", \"content\"}]} as JSON lines, or a JSON list of them"
            }
            Format::TauBench => "results of tau-bench (a JSON list of runs with traj) and tau2-bench (simulations)",
            Format::Inspect => "logs of Inspect AI, .eval and .json",
        }
    }

    /// Endings of the names of its files.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Chat => &[".jsonl", ".json"],
            Format::TauBench => &[".json"],
            Format::Inspect => &[".eval", ".json"],
        }
    }

    /// Whether a document is one of this kind.
    fn is(self, document: &Json<'_>) -> bool {
        match self {
            Format::Chat => messages::is_log(document),
            Format::TauBench => tau_bench::is_log(document),
            Format::Inspect => inspect::is_log(document),
        }
    }

    /// The conversations of a document, or what is wrong with each; places in it stand before the fields of defects.
    pub fn conversations(self, document: Json<'_>) -> Vec<Result<Conversation<'_>, Defect>> {
        match self {
            Format::Chat => messages::conversations(document),
            Format::TauBench => tau_bench::conversations(document),
            Format::Inspect => inspect::conversations(document),
        }
    }
}

/// Unpacks an Inspect log that is an archive: hands on its head and each sample, one document after the other.
pub fn unpack(
    path: &Path,
    limits: Limits,
    take: &mut dyn FnMut(Result<Conversation<'_>, Defect>),
) -> Result<(), Defect> {
    let unreadable = |error: String| Defect::new("unreadable", "an archive of Inspect AI").field("input").value(error);
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    inspect::unpack(file, limits, take)
}

/// The defect of something at a place.
fn bad(field: impl Into<String>, expected: &str, found: Option<&Json<'_>>) -> Defect {
    let defect = Defect::new("bad_record", expected).field(field);
    match found {
        None | Some(Json::Null) => defect,
        Some(Json::Text(text)) => defect.value(text.chars().take(200).collect::<String>()),
        Some(other) => defect.value(crate::text::json::text(other).chars().take(200).collect::<String>()),
    }
}

/// The same defect below a place.
fn below(place: &str, defect: Defect) -> Defect {
    let field = defect.field.clone().unwrap_or_default();
    defect.field(format!("{place}{field}"))
}

/// An id: text that is not empty, or a whole number.
fn id<'a>(value: Option<&Json<'a>>) -> Option<Cow<'a, str>> {
    match value? {
        Json::Text(text) if !text.is_empty() => Some(text.clone()),
        Json::Int(x) => Some(x.to_string().into()),
        _ => None,
    }
}

//! What became of a conversation, in a form that can be written down and joined with others.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::score::measure::Measure;
use crate::suites::records::Key;

/// A conversation that has been judged.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(super) key: Key,
    pub(super) persona: Option<String>,
    pub(super) level: Option<u8>,
    /// Talk messages.
    pub(super) n: u64,
    /// The measures that were asked for, in order.
    pub(super) values: Vec<Measure>,
    /// Share of exploring states, if any state tells.
    pub(super) explore_rate: Option<f64>,
    pub(super) turns: Turns,
    /// Its score rows as lines of JSON.
    pub(super) lines: String,
    pub(super) order_path: Vec<PathRow>,
    pub(super) audits: Vec<Audit>,
    pub(super) used: UsedValues,
    /// What the persona is expected to do, by field.
    pub(super) expected: Option<[Vec<String>; 4]>,
}

/// What became of the guest's messages.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Turns {
    pub(super) exits: u64,
    pub(super) scored: u64,
    pub(super) undefined: BTreeMap<String, u64>,
}

impl Turns {
    /// Books messages without a score.
    pub(super) fn book_undefined(&mut self, reason: &str, count: u64) {
        match self.undefined.get_mut(reason) {
            Some(known) => *known += count,
            None => drop(self.undefined.insert(reason.to_string(), count)),
        }
    }
}

/// How far the order was at a message.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PathRow {
    pub(super) turn: u64,
    pub(super) exploration: Option<Cow<'static, str>>,
    pub(super) size: u64,
    pub(super) ora: Measure,
}

/// Something that the reader of a score should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Audit {
    pub(super) audit: Cow<'static, str>,
    pub(super) severity: Severity,
    pub(super) turn: Option<AuditedMessage>,
    pub(super) field: Option<Cow<'static, str>>,
    pub(super) detail: Option<String>,
}

/// How much an audit matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    Error,
    Warn,
    Info,
}

impl Severity {
    pub(super) fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warn => "warn",
            Severity::Info => "info",
        }
    }
}

/// The message that an audit is about: its place, or what a converter wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum AuditedMessage {
    Turn(i64),
    Text(String),
}

impl Audit {
    pub(super) fn new(audit: &'static str, severity: Severity) -> Audit {
        Audit { audit: Cow::Borrowed(audit), severity, turn: None, field: None, detail: None }
    }

    pub(super) fn turn(mut self, turn: usize) -> Audit {
        self.turn = Some(AuditedMessage::Turn(turn as i64));
        self
    }

    pub(super) fn field(mut self, field: &'static str) -> Audit {
        self.field = Some(Cow::Borrowed(field));
        self
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Audit {
        self.detail = Some(detail.into());
        self
    }
}

/// What was used, for the audits that look across conversations.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct UsedValues {
    /// For each field how many talk states hold it, and the value if it is one throughout.
    pub(super) fields: [(u64, Option<String>); 4],
    /// Where states and orders come from, sorted.
    pub(super) state_sources: Vec<String>,
    pub(super) order_sources: Vec<String>,
}

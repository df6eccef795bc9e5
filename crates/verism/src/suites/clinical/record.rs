//! What a line is: an answered turn, an event of the original project, or a script with a patient's record.

use serde::{Deserialize, Serialize};

use super::instant::Instant;
use super::replies::Replies;
use super::truth::python::text_of;
use crate::error::Defect;
use crate::input::value::Json;
use crate::score::json;
use crate::stats::sum::neumaier;
use crate::suites::clinical::pack::{Pack, short};

/// A line of a log.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Entry {
    Turn(Box<Turn>),
    /// A patient's record, for events that have none of their own.
    Script {
        patient: String,
        slots: String,
    },
}

/// What names a turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TurnKey {
    pub(crate) experiment: String,
    pub(crate) run: String,
    pub(crate) case: String,
    pub(crate) dialogue: String,
    pub(crate) turn: u64,
}

/// Appends a text to a key that is sorted by bytes: what stands behind it does not change its place among others.
pub(crate) fn push_sortable(key: &mut Vec<u8>, text: &str) {
    // A zero inside a text sorts behind the end of one.
    for byte in text.bytes() {
        key.push(byte);
        if byte == 0 {
            key.push(0xff);
        }
    }
    key.extend_from_slice(&[0, 0]);
}

/// One answered turn.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) key: TurnKey,
    /// Of an event: when it ended. Of several events with one key the latest counts.
    pub(crate) event: Option<Option<Instant>>,
    pub(crate) turn_type: Option<String>,
    pub(crate) question: Option<String>,
    pub(crate) answer: String,
    /// The patient's record as JSON.
    pub(crate) slots: Option<String>,
    /// Whether there are retrieved texts.
    pub(crate) contexts: bool,
    pub(crate) replies: Replies,
    /// Values of metrics that others computed.
    pub(crate) provided: Vec<(String, f64)>,
    /// Sum and number of the log probabilities of tokens.
    pub(crate) logprobs: Option<(f64, u64)>,
}

/// A defect of a record at a field.
pub(crate) fn bad(field: impl Into<String>, expected: &str, value: Option<&Json<'_>>) -> Defect {
    let defect = Defect::new("bad_record", expected).field(field);
    match value {
        None | Some(Json::Null) => defect,
        Some(Json::Text(text)) => defect.value(short(text)),
        Some(value) => defect.value(short(&json::text(value))),
    }
}

/// Reads a line; the first thing wrong with it is named.
pub(crate) fn read(record: &Json<'_>, pack: &Pack) -> Result<Entry, Defect> {
    if !matches!(record, Json::Object(_)) {
        return Err(bad("line", "one JSON object", Some(record)));
    }
    let (patient, turn) = (record.entry("patient_id"), record.entry("turn_id"));
    match (patient, turn, record.entry("slots")) {
        (Some(patient), None, Some(slots @ Json::Object(_))) => {
            check_slots("slots", Some(slots), pack)?;
            Ok(Entry::Script { patient: text_of(patient), slots: json::text(slots) })
        }
        (Some(_), Some(_), _) => read_event(record, pack),
        _ => Fields::native(record).read(pack, None),
    }
}

/// The fields of a turn, wherever they stand.
struct Fields<'a> {
    answer: Option<&'a Json<'a>>,
    turn: Option<&'a Json<'a>>,
    case: Option<&'a Json<'a>>,
    experiment: Option<&'a Json<'a>>,
    run: Option<&'a Json<'a>>,
    dialogue: Option<&'a Json<'a>>,
    question: Option<&'a Json<'a>>,
    turn_type: Option<&'a Json<'a>>,
    slots: Option<&'a Json<'a>>,
    judge: Option<&'a Json<'a>>,
    provided: Option<&'a Json<'a>>,
    contexts: Option<&'a Json<'a>>,
    logprobs: Option<&'a Json<'a>>,
}

fn read_event(record: &Json<'_>, pack: &Pack) -> Result<Entry, Defect> {
    let object = |name: &str| match record.get(name) {
        Some(value) if value.object().is_none() => Err(bad(name, "an object", Some(value))),
        value => Ok(value),
    };
    let metadata = object("metadata")?;
    let docs = metadata.and_then(|metadata| metadata.get("retrieved_docs"));
    if let Some(docs) = docs.filter(|docs| docs.list().is_none()) {
        return Err(bad("retrieved_docs", "a list", Some(docs)));
    }
    let metrics = object("metrics")?;
    let ended = object("timestamps")?.and_then(|times| times.get("ended_at_utc")).and_then(Json::text);
    let question = record.get("question");
    let fields = Fields {
        answer: record.get("answer"),
        turn: record.get("turn_id"),
        case: record.get("patient_id"),
        experiment: record.get("mode"),
        run: record.get("run_id"),
        dialogue: None,
        question: question
            .and_then(|question| if question.object().is_some() { question.get("text") } else { Some(question) }),
        turn_type: None,
        // An empty record is none.
        slots: record.get("slots_truth").filter(|slots| !slots.is_nothing()),
        judge: None,
        provided: None,
        contexts: None,
        logprobs: None,
    };
    let Entry::Turn(mut turn) = fields.read(pack, Some(ended.and_then(Instant::read)))? else { unreachable!("a turn") };
    let objects = docs.and_then(Json::list).unwrap_or_default().iter().filter(|doc| doc.object().is_some());
    turn.contexts = objects.count() > 0;
    for name in ["faithfulness", "answer_relevance"] {
        turn.provided
            .extend(metrics.and_then(|metrics| number(metrics.get(name)?)).map(|value| (name.to_string(), value)));
    }
    Ok(Entry::Turn(turn))
}

/// A finite number.
fn number(value: &Json<'_>) -> Option<f64> {
    match value {
        Json::Int(x) => Some(*x as f64),
        Json::Float(x) => Some(*x),
        _ => None,
    }
}

/// Labs and vitals are objects or lists.
fn check_slots(field: &str, slots: Option<&Json<'_>>, pack: &Pack) -> Result<(), Defect> {
    let Some(slots) = slots else { return Ok(()) };
    if slots.object().is_none() {
        return Err(bad(field, "an object", Some(slots)));
    }
    for alias in ["labs", "vitals"].iter().filter_map(|name| pack.slot_aliases.get(name)).flatten() {
        let value = slots.get(alias).filter(|value| !matches!(value, Json::Object(_) | Json::List(_)));
        if let Some(value) = value {
            return Err(bad(format!("{field}.{alias}"), "an object or a list", Some(value)));
        }
    }
    Ok(())
}

impl<'a> Fields<'a> {
    fn native(record: &'a Json<'a>) -> Fields<'a> {
        Fields {
            answer: record.get("answer"),
            turn: record.get("turn"),
            case: record.get("case"),
            experiment: record.get("experiment"),
            run: record.get("run"),
            dialogue: record.get("dialogue"),
            question: record.get("question"),
            turn_type: record.get("turn_type"),
            slots: record.get("slots_truth"),
            judge: record.get("judge"),
            provided: record.get("provided"),
            contexts: record.get("contexts"),
            logprobs: record.get("token_logprobs"),
        }
    }

    fn read(&self, pack: &Pack, event: Option<Option<Instant>>) -> Result<Entry, Defect> {
        let answer = match self.answer {
            Some(answer @ Json::Object(_)) => {
                let text = answer.get("text");
                text.and_then(Json::text).ok_or_else(|| bad("answer.text", "a string", text))?
            }
            answer => {
                answer.and_then(Json::text).ok_or_else(|| bad("answer", "a string, or an object with text", answer))?
            }
        };
        let turn = match self.turn {
            Some(Json::Int(turn)) => u64::try_from(*turn).ok().filter(|turn| (1..=i64::MAX as u64).contains(turn)),
            _ => None,
        };
        let turn = turn.ok_or_else(|| bad("turn", "a whole number >= 1", self.turn))?;
        let case = id(self.case, "case", "text or a whole number")?.filter(|case| !case.is_empty());
        let case = case.ok_or_else(|| bad("case", "text or a whole number", self.case))?;
        let named = |value, field| id(value, field, "text");
        let experiment = named(self.experiment, "experiment")?.unwrap_or_else(|| "default".into());
        let run = named(self.run, "run")?.unwrap_or_else(|| "1".into());
        let dialogue = named(self.dialogue, "dialogue")?.unwrap_or_else(|| case.clone());
        let question = text(self.question, "question")?;
        let turn_type = text(self.turn_type, "turn_type")?;
        check_slots("slots_truth", self.slots, pack)?;
        let replies = Replies::read(self.judge)?;
        let provided = read_provided(self.provided)?;
        if let Some(contexts) = self.contexts.filter(|contexts| contexts.list().is_none()) {
            return Err(bad("contexts", "a list", Some(contexts)));
        }
        let logprobs = self.logprobs.map(read_logprobs).transpose()?;
        Ok(Entry::Turn(Box::new(Turn {
            key: TurnKey { experiment, run, case, dialogue, turn },
            event,
            turn_type: turn_type.filter(|kind| !kind.is_empty()),
            question,
            answer: answer.to_string(),
            slots: self.slots.filter(|slots| !slots.is_nothing()).map(json::text),
            contexts: self.contexts.and_then(Json::list).is_some_and(|contexts| !contexts.is_empty()),
            replies,
            provided,
            logprobs,
        })))
    }
}

/// An id: text, or a whole number.
fn id(value: Option<&Json<'_>>, field: &str, expected: &str) -> Result<Option<String>, Defect> {
    match value {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text.to_string())),
        Some(Json::Int(x)) => Ok(Some(x.to_string())),
        other => Err(bad(field, expected, other)),
    }
}

fn text(value: Option<&Json<'_>>, field: &str) -> Result<Option<String>, Defect> {
    match value {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text.to_string())),
        other => Err(bad(field, "text", other)),
    }
}

/// What is not a finite number is ignored.
fn read_provided(value: Option<&Json<'_>>) -> Result<Vec<(String, f64)>, Defect> {
    let Some(value) = value else { return Ok(vec![]) };
    let entries = value.object().ok_or_else(|| bad("provided", "an object", Some(value)))?;
    Ok(entries.iter().filter_map(|(name, value)| Some((name.to_string(), number(value)?))).collect())
}

fn read_logprobs(value: &Json<'_>) -> Result<(f64, u64), Defect> {
    let wrong = || bad("token_logprobs", "a list of numbers <= 0", Some(value));
    let items = value.list().ok_or_else(wrong)?;
    let numbers: Option<Vec<f64>> = items.iter().map(|item| number(item).filter(|x| *x <= 0.0)).collect();
    let numbers = numbers.ok_or_else(wrong)?;
    Ok((neumaier(numbers.iter().copied()), numbers.len() as u64))
}

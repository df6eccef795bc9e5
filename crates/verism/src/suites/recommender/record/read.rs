//! A JSON record to a dialogue: native, chat style, a log of the original project, or CRSArena-Eval.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::dialogue::{Dialogue, Focus, Meta, Notes, Rater, Turn, note};
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::recommender::catalog::build::scalar;
use crate::suites::recommender::catalog::field::Field;
use crate::suites::records::Key;

/// A defect at a field, with what was found there: a text as it stands, anything else as JSON.
pub(super) fn bad(field: impl Into<String>, expected: impl Into<String>, found: Option<&Json<'_>>) -> Defect {
    let found = match found {
        None => "null".to_string(),
        Some(Json::Text(text)) => text.to_string(),
        Some(other) => crate::score::json::text(other),
    };
    Defect::new("bad_record", expected).field(field).value(found.chars().take(200).collect::<String>())
}

/// A record whose fields stand under a path, such as `[3].` in a list.
struct Record<'a, 'p> {
    json: &'a Json<'a>,
    prefix: &'p str,
}

impl<'a> Record<'a, '_> {
    fn path(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// The first of some keys that is there, null or not.
    fn first(&self, keys: &[&str]) -> Option<&'a Json<'a>> {
        keys.iter().find_map(|key| self.json.entry(key))
    }

    /// An id: text or a whole number.
    fn id(&self, key: &str, found: Option<&Json<'_>>) -> Result<String, Defect> {
        let id = match found {
            Some(Json::Text(text)) if !text.is_empty() => Some(text.to_string()),
            Some(Json::Int(x)) => Some(x.to_string()),
            _ => None,
        };
        id.ok_or_else(|| bad(self.path(key), "text or a whole number", found))
    }
}

/// Reads a record; the first thing wrong with it is named. `prefix` stands before every path: `[3].` in a list.
pub(crate) fn read<'a>(json: &'a Json<'a>, prefix: &str) -> Result<Dialogue<'a>, Defect> {
    let record = Record { json, prefix };
    if json.object().is_none() {
        let defect = bad(prefix, "an object", Some(json));
        return Err(if prefix.is_empty() { Defect { field: None, ..defect } } else { defect });
    }
    if let (Some(conversation), Some(id)) = (json.entry("dialog"), json.entry("conv_id")) {
        return read_arena(&record, conversation, id);
    }
    let experiment = record.id("experiment", record.first(&["experiment", "model_name", "model"]))?;
    let run = json.entry("run").map_or(Ok("1".to_string()), |run| record.id("run", Some(run)))?;
    let case = record.id("case", record.first(&["case", "session_id", "dialogue"]))?;
    let dialogue = match json.entry("dialogue") {
        None => format!("{experiment}/{run}/{case}"),
        found => record.id("dialogue", found)?,
    };
    let key = Key { experiment, run, case, unit: dialogue };
    let labels = [(Rater::Human, "labels", json.entry("labels")), (Rater::Judge, "judge", json.entry("judge"))];
    read_conversation(&record, key, record.first(&["conversation", "messages"]), json.get("shift_events"), &labels)
}

/// A record of CRSArena-Eval: the experiment is the id up to its last `_`.
fn read_arena<'a>(
    record: &Record<'a, '_>,
    conversation: &'a Json<'a>,
    id: &'a Json<'a>,
) -> Result<Dialogue<'a>, Defect> {
    let id = record.id("conv_id", Some(id))?;
    let experiment = id.rsplit_once('_').map_or(id.as_str(), |(experiment, _)| experiment).to_string();
    let experiment = record.id("experiment", Some(&Json::Text(experiment.into())))?;
    let key = Key { experiment, run: "1".into(), case: id.clone(), unit: id };
    let labels = [(Rater::Human, "labels", record.json.entry("dial_level_aggregated"))];
    read_conversation(record, key, Some(conversation), None, &labels)
}

fn read_conversation<'a>(
    record: &Record<'a, '_>,
    key: Key,
    conversation: Option<&'a Json<'a>>,
    events: Option<&'a Json<'a>>,
    labels: &[(Rater, &str, Option<&'a Json<'a>>)],
) -> Result<Dialogue<'a>, Defect> {
    let path = record.path("conversation");
    let messages = conversation.and_then(Json::list);
    let messages = messages.ok_or_else(|| bad(&path, "a list of messages", conversation))?;
    let mut talk = Talk { turns: Vec::with_capacity(messages.len() / 2 + 1), notes: Notes::new() };
    for (number, message) in messages.iter().enumerate() {
        talk.message(message).map_err(|defect| {
            let below = defect.field.clone().unwrap_or_default();
            defect.field(format!("{path}[{number}]{below}"))
        })?;
    }
    let Talk { turns, mut notes } = talk;
    let shifts = read_shifts(record, &turns, events, &mut notes)?;
    let mut found: BTreeMap<(Rater, String), Vec<f64>> = BTreeMap::new();
    for (rater, name, table) in labels {
        read_labels(record, *rater, name, *table, &mut found)?;
    }
    Ok(Dialogue { key, turns, shifts, labels: found, notes })
}

/// Turns as far as they have been read.
struct Talk<'a> {
    turns: Vec<Turn<'a>>,
    notes: Notes,
}

enum Side {
    User,
    System,
    Skip,
}

impl<'a> Talk<'a> {
    fn message(&mut self, message: &'a Json<'a>) -> Result<(), Defect> {
        if message.object().is_none() {
            return Err(bad("", "an object", Some(message)));
        }
        let side = side_of(message)?;
        if matches!(side, Side::Skip) {
            note(&mut self.notes, "ignored_message");
            return Ok(());
        }
        let key = ["text", "utterance", "content"].into_iter().find(|key| message.entry(key).is_some());
        let key = key.unwrap_or("text");
        let Some(Json::Text(text)) = message.entry(key) else {
            return Err(bad(format!(".{key}"), "text", message.entry(key)));
        };
        match side {
            Side::User => self.user(text, message),
            _ => self.system(text, message),
        }
    }

    fn user(&mut self, text: &'a str, message: &'a Json<'a>) -> Result<(), Defect> {
        let told = message.get("user_meta");
        let meta = told.map(read_meta).transpose()?;
        match self.turns.last_mut() {
            Some(turn) if turn.system.is_none() => {
                note(&mut self.notes, "joined_user_message");
                turn.user = Cow::Owned(format!("{}\n{text}", turn.user));
                // What the last of them tells counts; a shift in any of them is a shift.
                if let Some(mut meta) = meta.filter(|_| told.is_some_and(|told| !told.is_nothing())) {
                    let before = turn.meta.as_ref().and_then(|meta| meta.shift);
                    meta.shift = Some(before == Some(true) || meta.shift == Some(true));
                    turn.meta = Some(meta);
                }
            }
            _ => self.turns.push(Turn { user: Cow::Borrowed(text), meta, system: None, rec_titles: vec![] }),
        }
        Ok(())
    }

    fn system(&mut self, text: &'a str, message: &'a Json<'a>) -> Result<(), Defect> {
        let mut titles: Vec<Cow<'a, str>> = vec![];
        if let Some(given) = message.get("rec_titles") {
            let refuse = || bad(".rec_titles", "a list of texts", Some(given));
            for title in given.list().ok_or_else(refuse)? {
                titles.push(Cow::Borrowed(title.text().ok_or_else(refuse)?));
            }
        }
        let Some(turn) = self.turns.last_mut() else {
            note(&mut self.notes, "leading_system_message");
            return Ok(());
        };
        turn.rec_titles.extend(titles);
        turn.system = Some(match turn.system.take() {
            None => Cow::Borrowed(text),
            Some(before) => {
                note(&mut self.notes, "joined_system_message");
                Cow::Owned(format!("{before}\n{text}"))
            }
        });
        Ok(())
    }
}

/// Who speaks: `speaker` USER or SYSTEM, or one of the roles of chat logs.
fn side_of(message: &Json<'_>) -> Result<Side, Defect> {
    let key = if message.entry("speaker").is_some() { "speaker" } else { "role" };
    let found = message.entry(key);
    let name = found.and_then(Json::text).map(str::to_lowercase);
    let side = match (key, name.as_deref()) {
        ("speaker", Some("user")) => Side::User,
        ("speaker", Some("system")) => Side::System,
        ("role", Some("user" | "seeker" | "human")) => Side::User,
        ("role", Some("assistant" | "asst" | "recommender" | "agent" | "bot")) => Side::System,
        ("role", Some("system" | "developer" | "tool")) => Side::Skip,
        _ => return Err(bad(format!(".{key}"), "USER or SYSTEM", found)),
    };
    Ok(side)
}

fn read_meta(meta: &Json<'_>) -> Result<Meta, Defect> {
    if meta.object().is_none() {
        return Err(bad(".user_meta", "an object", Some(meta)));
    }
    let shift = match meta.entry("shift_event") {
        None => None,
        Some(Json::Bool(shift)) => Some(*shift),
        other => return Err(bad(".user_meta.shift_event", "true or false", other)),
    };
    let constraints = meta.get("constraints").and_then(Json::object).map(|constraints| {
        let mut out = vec![];
        for (name, values) in constraints {
            let Some(field) = Field::named(name) else { continue };
            match values {
                Json::List(values) => out.extend(values.iter().map(|value| (field, raw(value)))),
                value => out.push((field, raw(value))),
            }
        }
        out
    });
    let focus = match meta.get("focus_field") {
        None => Focus::Untold,
        Some(field) if field.is_nothing() => Focus::Untold,
        Some(field) => match field.text().and_then(Field::named) {
            Some(field) => Focus::Value(field, meta.get("focus_value").and_then(raw)),
            None => Focus::Unknown,
        },
    };
    Ok(Meta { shift, constraints, focus })
}

/// A value as text.
pub(crate) fn raw(value: &Json<'_>) -> Option<String> {
    match value {
        Json::Bool(x) => Some(if *x { "True" } else { "False" }.to_string()),
        value => scalar(value),
    }
}

/// The turns that `user_meta.shift_event` flags, united with those that `shift_events` lists.
fn read_shifts(
    record: &Record<'_, '_>,
    turns: &[Turn<'_>],
    events: Option<&Json<'_>>,
    notes: &mut Notes,
) -> Result<Option<Vec<usize>>, Defect> {
    let told = |turn: &Turn<'_>| turn.meta.as_ref().and_then(|meta| meta.shift);
    let flags = turns.iter().any(|turn| told(turn).is_some());
    let flagged = turns.iter().enumerate().filter(|(_, turn)| told(turn) == Some(true));
    let flagged: BTreeSet<usize> = flagged.map(|(number, _)| number + 1).collect();
    let Some(events) = events else { return Ok(flags.then(|| flagged.into_iter().collect())) };
    let list = events.list().ok_or_else(|| bad(record.path("shift_events"), "a list", Some(events)))?;
    let mut listed = BTreeSet::new();
    for (number, event) in list.iter().enumerate() {
        let turn = event.entry("turn");
        let place = match turn {
            Some(Json::Int(turn)) => usize::try_from(*turn).ok().filter(|turn| (1..=turns.len()).contains(turn)),
            _ => None,
        };
        listed.insert(place.ok_or_else(|| {
            bad(record.path(&format!("shift_events[{number}].turn")), format!("a turn in 1..{}", turns.len()), turn)
        })?);
    }
    if flags && listed != flagged {
        note(notes, "shift_mismatch");
    }
    Ok(Some(listed.union(&flagged).copied().collect()))
}

fn read_labels(
    record: &Record<'_, '_>,
    rater: Rater,
    name: &str,
    table: Option<&Json<'_>>,
    found: &mut BTreeMap<(Rater, String), Vec<f64>>,
) -> Result<(), Defect> {
    let Some(table) = table.filter(|table| !table.is_nothing()) else { return Ok(()) };
    let entries = table.object().ok_or_else(|| bad(record.path(name), "an object", Some(table)))?;
    for (aspect, value) in entries {
        let value = match value {
            Json::Null => continue,
            Json::Int(x) => *x as f64,
            Json::Float(x) => *x,
            other => return Err(bad(record.path(&format!("{name}.{aspect}")), "a number", Some(other))),
        };
        found.entry((rater, aspect.to_string())).or_default().push(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Result<(Key, usize, Option<Vec<usize>>, Notes), Defect> {
        let json = Json::parse(text).expect("JSON");
        read(&json, "").map(|d| (d.key, d.turns.len(), d.shifts, d.notes))
    }

    #[test]
    fn neighbouring_messages_are_joined_and_leading_replies_ignored() {
        let text = r#"{"model": "m", "session_id": 7, "messages": [
            {"role": "system", "content": "x"}, {"role": "assistant", "content": "hi"},
            {"role": "user", "content": "a", "user_meta": {"shift_event": true}},
            {"role": "seeker", "content": "b", "user_meta": {"shift_event": false}},
            {"role": "bot", "content": "c"}, {"role": "agent", "content": "d"}, {"role": "human", "content": "e"}]}"#;
        let json = Json::parse(text).expect("JSON");
        let dialogue = read(&json, "").expect("a dialogue");
        assert_eq!((dialogue.turns.len(), dialogue.turns[0].user.as_ref()), (2, "a\nb"));
        assert_eq!((dialogue.turns[0].system.as_deref(), dialogue.turns[1].system.as_deref()), (Some("c\nd"), None));
        assert_eq!((dialogue.shifts, dialogue.key.unit.as_str()), (Some(vec![1]), "m/1/7"));
        let notes: Vec<(&str, u64)> = dialogue.notes.iter().map(|(name, n)| (name.as_ref(), *n)).collect();
        let expected = ["ignored_message", "joined_system_message", "joined_user_message", "leading_system_message"];
        assert_eq!(notes, expected.map(|name| (name, 1)));
    }

    #[test]
    fn crs_arena_records_name_their_system() {
        let text = r#"{"conv_id": "kbrd_redial_3", "dialog": [{"role": "USER", "utterance": "hi"}],
            "dial_level_aggregated": {"overall": 3.5, "fun": null}}"#;
        let json = Json::parse(text).expect("JSON");
        let dialogue = read(&json, "").expect("a dialogue");
        assert_eq!((dialogue.key.experiment.as_str(), dialogue.key.case.as_str()), ("kbrd_redial", "kbrd_redial_3"));
        assert_eq!(dialogue.labels, BTreeMap::from([((Rater::Human, "overall".to_string()), vec![3.5])]));
        assert_eq!(dialogue.shifts, None);
    }

    #[test]
    fn shifts_of_both_kinds_are_united() {
        let text = r#"{"experiment": "a", "case": "1", "conversation": [
            {"speaker": "USER", "text": "x", "user_meta": {"shift_event": true}}, {"speaker": "SYSTEM", "text": "y"},
            {"speaker": "USER", "text": "x"}, {"speaker": "SYSTEM", "text": "y"}], "shift_events": [{"turn": 2}]}"#;
        let (_, _, shifts, notes) = told(text).expect("a dialogue");
        assert_eq!((shifts, notes.contains_key("shift_mismatch")), (Some(vec![1, 2]), true));
    }

    #[test]
    fn the_first_defect_is_named_by_its_path() {
        let head = r#""experiment": "a", "case": "1""#;
        for (rest, field) in [
            (r#"{"case": "1"}"#.to_string(), "experiment"),
            (r#"{"experiment": "a", "case": 1.5}"#.to_string(), "case"),
            (format!(r#"{{{head}, "run": null}}"#), "run"),
            (format!(r#"{{{head}}}"#), "conversation"),
            (format!(r#"{{{head}, "conversation": [3]}}"#), "conversation[0]"),
            (format!(r#"{{{head}, "conversation": [{{"speaker": "BOT"}}]}}"#), "conversation[0].speaker"),
            (
                format!(r#"{{{head}, "conversation": [{{"role": "user", "content": null}}]}}"#),
                "conversation[0].content",
            ),
            (
                format!(
                    r#"{{{head}, "conversation": [{{"speaker": "USER", "text": "", "user_meta": {{"shift_event": 1}}}}]}}"#
                ),
                "conversation[0].user_meta.shift_event",
            ),
            (format!(r#"{{{head}, "conversation": [], "shift_events": [{{"turn": 1}}]}}"#), "shift_events[0].turn"),
            (format!(r#"{{{head}, "conversation": [], "judge": {{"fun": "x"}}}}"#), "judge.fun"),
        ] {
            let defect = told(&rest).expect_err(&rest);
            assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("bad_record", Some(field)), "{rest}");
        }
        let json = Json::Int(3);
        assert_eq!(read(&json, "[4].").expect_err("no object").field.as_deref(), Some("[4]."));
    }
}

//! A conversation log of the original project, with its recorded states, as a native record.
//!
//! What is scored is always the record: an original log scores as the file that `convert` makes of it.

pub(crate) mod attributes;
pub(crate) mod python_repr;
pub(crate) mod sources;
pub(crate) mod states;
pub(crate) mod table;
pub(crate) mod tool_cells;

use rustc_hash::FxHashMap;

use self::attributes::Attributes;
use self::python_repr::{DEPTH, is_name};
use self::sources::LogFile;
use self::states::add_states;
use self::table::{Row, read_rows};
use self::tool_cells::CellReading;
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;
use crate::suites::guest::record::order::{Names, innermost, read_order};
use crate::suites::guest::record::persona::read_persona;
use crate::suites::records::{FileReader, base_name};

/// Reads a log of the original project with its states, as a native record.
pub(crate) fn with_record(log: &LogFile, files: &mut FileReader) -> Result<Json<'static>, Defect> {
    let bytes = files.bytes(&log.path)?;
    let states = log.states.as_deref().map(|path| files.bytes(path)).transpose()?;
    for (path, bytes) in [(Some(&log.path), Some(&bytes)), (log.states.as_ref(), states.as_ref())] {
        let Some((path, bytes)) = path.zip(bytes) else { continue };
        files.limits.check_nodes(bytes).map_err(|defect| defect.file(base_name(path)))?;
    }
    let states_name = log.states.as_deref().map(base_name);
    let name = base_name(&log.path);
    let mut record = record(&Log {
        name: &name,
        experiment: &log.experiment,
        level: log.level,
        bytes: &bytes,
        states: states_name.as_deref().zip(states.as_deref()),
        attributes: &log.attributes,
    })?;
    // Such logs name no run.
    files.supply(&mut record, &log.path, 1, &["run"])?;
    Ok(record)
}

/// A log and what belongs to it.
pub(crate) struct Log<'a> {
    /// The file's own name, without folders.
    pub(crate) name: &'a str,
    pub(crate) experiment: &'a str,
    pub(crate) level: Option<u8>,
    pub(crate) bytes: &'a [u8],
    /// Name and bytes of the file with its states.
    pub(crate) states: Option<(&'a str, &'a [u8])>,
    pub(crate) attributes: &'a Attributes,
}

/// A log as far as it has been read.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) messages: Vec<Message>,
    /// Place of the first guest message with an id.
    pub(crate) ids: FxHashMap<String, usize>,
    pub(crate) notes: Vec<Json<'static>>,
    persona: Option<Json<'static>>,
    target: Option<Json<'static>>,
}

/// A message as it goes into the record.
pub(crate) struct Message {
    pub(crate) role: &'static str,
    pub(crate) state: Option<Json<'static>>,
    pub(crate) order: Option<Json<'static>>,
    id: String,
    text: String,
    calls: Option<Json<'static>>,
}

const COLUMNS: [&str; 5] = ["message_id", "role", "content", "name", "tool_calls"];

/// The native record of a log, or the first thing wrong with it at its file, line and field.
pub(crate) fn record(log: &Log<'_>) -> Result<Json<'static>, Defect> {
    let mut reading = read_log(log).map_err(|defect| defect.file(log.name))?;
    if let Some((name, bytes)) = log.states {
        add_states(bytes, &mut reading).map_err(|defect| defect.file(name))?;
    }
    Ok(reading.into_record(log))
}

fn read_log(log: &Log<'_>) -> Result<Reading, Defect> {
    let mut rows = read_rows(log.bytes, COLUMNS)?;
    let mut reading = Reading::default();
    let is_test_case = |row: &mut Row<'_, 5>| row.cells[1] == "system" && row.cells[3] == "test_case_info";
    if let Some(row) = rows.pop_if(is_test_case) {
        reading.test_case(&row.cells[2], log.attributes).map_err(|defect| defect.line(row.line))?;
    }
    for row in rows {
        let line = row.line;
        reading.message(row).map_err(|defect| defect.line(line))?;
    }
    Ok(reading)
}

impl Reading {
    /// Takes persona and target from the row that holds them as JSON.
    fn test_case(&mut self, cell: &str, attributes: &Attributes) -> Result<(), Defect> {
        let unreadable = || bad("content", "a JSON object with guest_persona and target_order", Some(&text(cell)));
        let info = Json::parse(cell).filter(|info| info.object().is_some()).ok_or_else(unreadable)?;
        let guest = match info.get("guest_persona").filter(|guest| !guest.is_nothing()) {
            Some(guest) if guest.object().is_none() => return Err(unreadable()),
            guest => guest.unwrap_or(&Json::Null),
        };
        let part = |key: &str| guest.get(key).cloned().unwrap_or_default();
        let described = Json::Object(vec![("id".into(), part("full_name")), ("bio".into(), part("guest_bio"))]);
        let persona = read_persona(Some(&described))?;
        let expected = persona.id.as_deref().and_then(|id| attributes.expected(id));
        let mut entries = vec![
            ("id".into(), persona.id.as_deref().map_or(Json::Null, text)),
            ("bio".into(), Json::Text(persona.text.into())),
        ];
        entries.extend(expected.map(|expected| ("expected".into(), expected.clone())));
        self.persona = Some(Json::Object(entries));
        if let Some(target) = info.get("target_order") {
            self.target = order(target, "target_order")?;
        }
        Ok(())
    }

    fn message(&mut self, row: Row<'_, 5>) -> Result<(), Defect> {
        let index = self.messages.len();
        let [id, role, content, name, tool_calls] = row.cells;
        let role = match role.as_ref() {
            _ if name.starts_with("guest") => "guest",
            "agent" => "guest",
            "assistant" => "staff",
            "system" => "system",
            other => {
                let hint = "a row whose name begins with `guest` is the guest's, whatever its role";
                return Err(bad("role", "one of agent|assistant|system", Some(&text(other))).hint(hint));
            }
        };
        let mut calls = None;
        if role == "guest" {
            let (found, how) = tool_cells::read(&tool_calls);
            calls = Some(Json::List(found.into_iter().map(call).collect()));
            match how {
                CellReading::Empty | CellReading::Strict => {}
                CellReading::Repaired => self.note("tool_calls_repaired", Some(index), None),
                CellReading::Unreadable => self.note("tool_calls_unreadable", Some(index), None),
            }
            self.ids.entry(id.to_string()).or_insert(index);
        }
        let id = if id.is_empty() { format!("m{index}") } else { id.into_owned() };
        self.messages.push(Message { role, state: None, order: None, id, text: content.into_owned(), calls });
        Ok(())
    }

    /// Notes what should be known about the reading.
    pub(crate) fn note(&mut self, audit: &'static str, turn: Option<usize>, detail: Option<String>) {
        let turn = turn.map_or(Json::Null, |turn| Json::Int(turn as i128));
        let detail = detail.map_or(Json::Null, |detail| Json::Text(detail.into()));
        self.notes.push(object([("audit", text(audit)), ("turn", turn), ("detail", detail)]));
    }

    fn into_record(self, log: &Log<'_>) -> Json<'static> {
        let dialogue = log.name.strip_suffix(".csv").unwrap_or(log.name);
        let mut entries = vec![
            ("experiment".into(), text(log.experiment)),
            ("run".into(), text("1")),
            ("case".into(), text(case_of(dialogue))),
            ("dialogue".into(), text(dialogue)),
        ];
        entries.extend(log.level.map(|level| ("level".into(), Json::Int(level.into()))));
        let nobody = || object([("id", Json::Null), ("bio", text(""))]);
        entries.push(("persona".into(), self.persona.unwrap_or_else(nobody)));
        entries.extend(self.target.map(|target| ("target_order".into(), target)));
        entries.push(("messages".into(), Json::List(self.messages.into_iter().map(Message::into_json).collect())));
        if !self.notes.is_empty() {
            entries.push(("notes".into(), Json::List(self.notes)));
        }
        Json::Object(entries)
    }
}

impl Message {
    fn into_json(self) -> Json<'static> {
        let mut entries = vec![
            ("id".into(), Json::Text(self.id.into())),
            ("role".into(), text(self.role)),
            ("text".into(), Json::Text(self.text.into())),
        ];
        let parts = [("state", self.state), ("order", self.order), ("tool_calls", self.calls)];
        entries.extend(parts.into_iter().filter_map(|(key, value)| Some((key.into(), value?))));
        Json::Object(entries)
    }
}

fn call(call: tool_cells::Call) -> Json<'static> {
    let agent = if call.own { "guest" } else { "sub" };
    object([("name", Json::Text(call.name.into())), ("agent", text(agent)), ("result", call.result)])
}

/// What follows `_test_case_number_` at the end of a dialogue's name, in letters, digits and `_`; else the whole name.
fn case_of(dialogue: &str) -> &str {
    let word = dialogue.rfind(|c| !is_name(c)).map_or(dialogue, |last| &dialogue[last..]);
    match word.split_once("_test_case_number_") {
        Some((_, case)) if !case.is_empty() => case,
        _ => dialogue,
    }
}

/// An order that reads, as `{"items": …}`; none for null.
pub(crate) fn order(value: &Json<'_>, at: &str) -> Result<Option<Json<'static>>, Defect> {
    if read_order(value, at, &mut Names::default())?.is_none() {
        return Ok(None);
    }
    let (path, items) = innermost(value, at);
    let items: Option<Vec<Json<'static>>> = items.list().into_iter().flatten().map(|item| owned(item, DEPTH)).collect();
    let too_deep = || bad(path, "values that stand in each other at most 100 deep", None);
    Ok(Some(object([("items", Json::List(items.ok_or_else(too_deep)?))])))
}

/// A copy that borrows nothing; none if values stand in each other deeper than that.
fn owned(value: &Json<'_>, depth: usize) -> Option<Json<'static>> {
    let depth = depth.checked_sub(1)?;
    Some(match value {
        Json::Null => Json::Null,
        Json::Bool(x) => Json::Bool(*x),
        Json::Int(x) => Json::Int(*x),
        Json::Float(x) => Json::Float(*x),
        Json::Text(words) => text(words),
        Json::List(items) => Json::List(items.iter().map(|item| owned(item, depth)).collect::<Option<_>>()?),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| Some((key.to_string().into(), owned(value, depth)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
    })
}

/// A text as JSON.
pub(crate) fn text(words: &str) -> Json<'static> {
    Json::Text(words.to_string().into())
}

/// An object as JSON.
pub(crate) fn object<const N: usize>(entries: [(&'static str, Json<'static>); N]) -> Json<'static> {
    Json::Object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(log: &str, states: Option<&str>, attributes: &Attributes) -> Result<String, Defect> {
        let log = Log {
            name: "log_Ann_test_case_number_7.csv",
            experiment: "exp5",
            level: Some(5),
            bytes: log.as_bytes(),
            states: states.map(|states| ("s_states.csv", states.as_bytes())),
            attributes,
        };
        record(&log).map(|record| crate::score::json::text(&record))
    }

    fn fault(log: &str, states: Option<&str>) -> (Option<String>, Option<u64>, Option<String>) {
        let defect = read(log, states, &Attributes::default()).expect_err("a defect");
        (defect.file, defect.line, defect.field)
    }

    const HEAD: &str = "message_id,role,content,name,tool_calls\n";
    const STATES: &str = "message_index,message_id,current_items_in_order,is_ordering_complete,\
                          menu_exploration_style,mood_tone,ordering_style\n";

    #[test]
    fn a_log_with_states_becomes_the_record_that_the_reference_writes() {
        let attributes = r#"{"persona_attributes": [{"full_name": "Ann",
            "message_generation_attributes": {"next_message_mood_tones": ["Confused", "casual"], "is_ordering_complete": false}}]}"#;
        let attributes = Attributes::read(attributes.as_bytes(), "a.json").expect("attributes");
        let log = format!(
            "{HEAD}a,assistant,Hello,,\n\n,agent,\"Hi,\nyou\",,\"{{'guest_agent': {{'tool_calls': {{'c': {{'tool_name': 't'}}}}}}}}\"\n\
             b,system,,guest_1,nothing\nz,system,\"{{\"\"guest_persona\"\": {{\"\"full_name\"\": \"\"Ann\"\", \
             \"\"guest_bio\"\": \"\"busy\"\"}}, \"\"target_order\"\": {{\"\"order_items\"\": [\"\"Tea\"\"]}}}}\",test_case_info,\n"
        );
        let states =
            format!("{STATES}1.0,,\"[{{'name': 'Large 12\"\"'}}]\",True,,Very  Happy,\n0,a,,no,,,\n9,b,,,,,\n");
        // An independent reference implementation (Python 3.11, exact) on the same files.
        let expected = concat!(
            r#"{"experiment":"exp5","run":"1","case":"7","dialogue":"log_Ann_test_case_number_7","level":5,"#,
            r#""persona":{"id":"Ann","bio":"busy","expected":{"complete":"no","moods":["casual","confused"]}},"#,
            r#""target_order":{"items":["Tea"]},"messages":[{"id":"a","role":"staff","text":"Hello"},"#,
            r#"{"id":"m1","role":"guest","text":"Hi,\nyou","state":{"mood":"very_happy","complete":"yes"},"#,
            r#""order":{"items":[{"name":"Large 12\""}]},"tool_calls":[{"name":"t","agent":"guest","result":null}]},"#,
            r#"{"id":"b","role":"guest","text":"","tool_calls":[]}],"notes":[{"audit":"tool_calls_unreadable","turn":2,"#,
            r#""detail":null},{"audit":"orphan_state","turn":null,"detail":"state row 0"}]}"#,
        );
        assert_eq!(read(&log, Some(&states), &attributes).expect("a record"), expected);
    }

    #[test]
    fn a_log_of_nothing_but_its_header_is_a_record() {
        let expected = r#"{"experiment":"exp5","run":"1","case":"7","dialogue":"log_Ann_test_case_number_7","level":5,"persona":{"id":null,"bio":""},"messages":[]}"#;
        assert_eq!(read(HEAD, None, &Attributes::default()).expect("a record"), expected);
    }

    #[test]
    fn the_first_fault_is_named_at_its_cell() {
        let at = |file: &str, line, field: &str| (Some(file.to_string()), Some(line), Some(field.to_string()));
        let log = "log_Ann_test_case_number_7.csv";
        let last = |content: &str| format!("{HEAD}1,cook,,,\n2,system,{content},test_case_info,\n");
        // The row of the test case comes before the others, the log before its states.
        assert_eq!(fault(&last("x"), Some("")), at(log, 3, "content"));
        assert_eq!(fault(&last("\"{\"\"guest_persona\"\": 3}\""), None), at(log, 3, "content"));
        assert_eq!(
            fault(&last("\"{\"\"guest_persona\"\": {\"\"full_name\"\": 1.5}}\""), None),
            at(log, 3, "persona.id")
        );
        let order = "\"{\"\"target_order\"\": {\"\"order_items\"\": [{\"\"quantity\"\": 1}]}}\"";
        assert_eq!(fault(&last(order), None), at(log, 3, "target_order.order_items[0].name"));
        assert_eq!(fault(&last("{}"), Some("")), at(log, 2, "role"));
        let good = format!("{HEAD}1,agent,,,\n");
        assert_eq!(fault(&good, Some("a\n")), at("s_states.csv", 1, "message_index"));
        let states = |row: &str| format!("{STATES}\n0,1,\"[\n]\",,,,\n{row}\n");
        assert_eq!(fault(&good, Some(&states("x,,,,,,"))), at("s_states.csv", 5, "message_index"));
        assert_eq!(fault(&good, Some(&states("0,1,[,,,,"))), at("s_states.csv", 5, "current_items_in_order"));
        assert_eq!(fault(&good, Some(&states("0,1,[3],,,,"))), at("s_states.csv", 5, "current_items_in_order[0]"));
    }

    #[test]
    fn an_order_that_nests_too_deep_is_refused_before_it_cannot_be_read_again() {
        let nested =
            |depth: usize| format!("[{{'name': 'a', 'modifiers': {}{}}}]", "[".repeat(depth), "]".repeat(depth));
        let log = format!("{HEAD}1,agent,,,\n");
        let states = |depth| format!("{STATES}0,1,\"{}\",,,,\n", nested(depth));
        for (depth, reads) in [(97, true), (98, true), (99, false), (5000, false)] {
            let found = read(&log, Some(&states(depth)), &Attributes::default());
            assert_eq!(found.is_ok(), reads, "{depth}");
            assert!(found.map_or(true, |record| Json::parse(&record).is_some()));
        }
    }

    #[test]
    fn the_case_is_what_follows_its_mark_at_the_end() {
        // CPython 3.11: re.search(r"_test_case_number_(\w+)$", name).
        for (dialogue, case) in [
            ("log_test_case_number_7", "7"),
            ("p_test_case_number_a_test_case_number_9", "a_test_case_number_9"),
            ("p_test_case_number_a-b_test_case_number_9", "9"),
            ("p_test_case_number_é2", "é2"),
            ("p_test_case_number_", "p_test_case_number_"),
            ("p_test_case_number_1 2", "p_test_case_number_1 2"),
            ("plain", "plain"),
        ] {
            assert_eq!(case_of(dialogue), case, "{dialogue}");
        }
    }
}

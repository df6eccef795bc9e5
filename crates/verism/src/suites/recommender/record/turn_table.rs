//! A table with a row per turn to native records.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::read::bad;
use super::rows::{TableRow, TableRows};
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::records::Supplied;

/// A dialogue of a table: the line of its first row, and its record or the first defect of its rows.
pub(crate) struct TableDialogue {
    pub(crate) line: u64,
    pub(crate) record: Result<Json<'static>, Defect>,
}

type Entry = (Cow<'static, str>, Json<'static>);

/// The rows of a dialogue as far as they have been read.
struct Group {
    line: u64,
    ids: [String; 4],
    turns: BTreeMap<i128, Vec<Json<'static>>>,
    defect: Option<Defect>,
}

/// Makes a record of the rows of each dialogue, in the order of their first rows; turns are sorted and renumbered.
///
/// Ids that options supply need no column.
pub(crate) fn dialogues(table: TableRows, supplied: &Supplied) -> Result<Vec<TableDialogue>, Defect> {
    let needed = ["experiment", "case", "turn", "user", "system"];
    let needed: Vec<&str> = needed.into_iter().filter(|column| supplied.get(column).is_none()).collect();
    table.require(&needed)?;
    let mut groups: Vec<Group> = vec![];
    let mut places: FxHashMap<[String; 4], usize> = FxHashMap::default();
    for row in table.rows {
        let ids = ["experiment", "run", "case", "dialogue"].map(|column| id(row.cells.get(column)));
        let place = *places.entry(ids.clone()).or_insert_with(|| {
            groups.push(Group { line: row.line, ids, turns: BTreeMap::new(), defect: None });
            groups.len() - 1
        });
        let group = &mut groups[place];
        if group.defect.is_some() {
            continue;
        }
        let line = row.line;
        let read = turn(row).and_then(|(turn, messages)| match group.turns.insert(turn, messages) {
            None => Ok(()),
            Some(_) => Err(Defect::new("duplicate_id", "one row per turn").field("turn").value(turn.to_string())),
        });
        group.defect = read.err().map(|defect| defect.line(line));
    }
    Ok(groups.into_iter().map(Group::finish).collect())
}

impl Group {
    fn finish(self) -> TableDialogue {
        let [experiment, run, case, dialogue] = self.ids;
        let text = |name: &'static str, text: String| (Cow::Borrowed(name), Json::Text(text.into()));
        let run = if run.is_empty() { "1".to_string() } else { run };
        let mut entries = vec![text("experiment", experiment), text("run", run), text("case", case)];
        if !dialogue.is_empty() {
            entries.push(text("dialogue", dialogue));
        }
        entries.push((Cow::Borrowed("conversation"), Json::List(self.turns.into_values().flatten().collect())));
        let record = self.defect.map_or(Ok(Json::Object(entries)), Err);
        TableDialogue { line: self.line, record }
    }
}

/// An id as text; an empty cell has none.
fn id(cell: Option<&Json<'_>>) -> String {
    match cell {
        None => String::new(),
        Some(Json::Text(text)) => text.to_string(),
        Some(other) => crate::score::json::text(other),
    }
}

/// The turn of a row and its messages.
fn turn(row: TableRow) -> Result<(i128, Vec<Json<'static>>), Defect> {
    if let Some(defect) = row.defect {
        return Err(defect);
    }
    let cell = |column: &str| row.cells.get(column);
    let number = match cell("turn") {
        Some(Json::Int(turn)) => Some(*turn),
        Some(Json::Text(text)) => whole(text),
        _ => None,
    };
    let number = number.ok_or_else(|| bad("turn", "a whole number", cell("turn")))?;
    let mut texts = [None, None];
    for (text, column) in texts.iter_mut().zip(["user", "system"]) {
        *text = match cell(column) {
            Some(Json::Text(text)) => Some(Json::Text(text.to_string().into())),
            None if column == "system" => None,
            other => return Err(bad(column, "text", other)),
        };
    }
    let [user, system] = texts;
    let mut meta: Vec<Entry> = vec![];
    if let Some(shift) = shift_event(cell("shift_event"))? {
        meta.push((Cow::Borrowed("shift_event"), Json::Bool(shift)));
    }
    for column in ["focus_field", "focus_value"] {
        if let Some(value) = cell(column).filter(|value| !value.is_nothing()) {
            meta.push((Cow::Borrowed(column), Json::Text(id(Some(value)).into())));
        }
    }
    let constraints = json_cell(cell("constraints"), "constraints", "a JSON object", |json| json.object().is_some())?;
    meta.extend(constraints.map(|value| (Cow::Borrowed("constraints"), value)));
    let texts_only = |json: &Json<'_>| json.list().is_some_and(|list| list.iter().all(|item| item.text().is_some()));
    let titles = json_cell(cell("rec_titles"), "rec_titles", "a JSON list of texts", texts_only)?;
    let message = |speaker: &'static str, text: Json<'static>, name: &'static str, more: Option<Json<'static>>| {
        Json::Object(vec![
            (Cow::Borrowed("speaker"), Json::Text(speaker.into())),
            (Cow::Borrowed("text"), text),
            (Cow::Borrowed(name), more.unwrap_or_default()),
        ])
    };
    let meta = (!meta.is_empty()).then_some(Json::Object(meta));
    let mut messages = vec![];
    messages.extend(user.map(|text| message("USER", text, "user_meta", meta)));
    messages.extend(system.map(|text| message("SYSTEM", text, "rec_titles", titles)));
    Ok((number, messages))
}

/// A whole number of at most 18 digits, blanks around it aside.
pub(crate) fn whole(text: &str) -> Option<i128> {
    let text = crate::text::normalize::trim(text);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = (1..=18).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn shift_event(cell: Option<&Json<'_>>) -> Result<Option<bool>, Defect> {
    let word = match cell {
        None => return Ok(None),
        Some(Json::Bool(shift)) => return Ok(Some(*shift)),
        Some(Json::Text(text)) => crate::text::normalize::trim(text).to_lowercase(),
        Some(number) => number.whole().map_or(String::new(), |x| x.to_string()),
    };
    match word.as_str() {
        "true" | "1" => Ok(Some(true)),
        "false" | "0" => Ok(Some(false)),
        "" if matches!(cell, Some(Json::Text(_))) => Ok(None),
        _ => Err(bad("shift_event", "true or false", cell)),
    }
}

/// A cell that holds JSON as text, or in Parquet the value itself.
fn json_cell(
    cell: Option<&Json<'static>>,
    column: &str,
    expected: &str,
    fits: impl Fn(&Json<'_>) -> bool,
) -> Result<Option<Json<'static>>, Defect> {
    let refuse = || bad(column, expected, cell);
    let value = match cell {
        None => return Ok(None),
        Some(Json::Text(text)) if text.is_empty() => return Ok(None),
        Some(Json::Text(text)) => Json::parse(text).ok_or_else(refuse)?.into_owned(),
        Some(value) => value.clone(),
    };
    match value {
        Json::Null => Ok(None),
        Json::Text(text) if text.is_empty() => Ok(None),
        value if fits(&value) => Ok(Some(value)),
        _ => Err(refuse()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::super::rows;
    use super::*;
    use crate::input::Limits;

    #[test]
    fn rows_in_any_order_become_turns_in_order() {
        let text = "experiment,case,turn,user,system,shift_event,constraints\na,1,20,later,yes,true,\"{\"\"genre\"\": \"\"war\"\"}\"\na,1,3,first,,,\n";
        let mut all =
            dialogues(rows::csv(text, Limits::default()).expect("a table"), &Supplied::default()).expect("dialogues");
        assert_eq!((all.len(), all[0].line), (1, 2));
        let json = all.remove(0).record.expect("a record");
        let dialogue = read::read(&json, "").expect("a dialogue");
        let texts: Vec<(&str, Option<&str>)> =
            dialogue.turns.iter().map(|turn| (turn.user.as_ref(), turn.system.as_deref())).collect();
        // An empty cell of a CSV file is a blank reply.
        assert_eq!(texts, [("first", Some("")), ("later", Some("yes"))]);
        assert_eq!((dialogue.shifts, dialogue.key.unit.as_str()), (Some(vec![2]), "a/1/1"));
    }

    #[test]
    fn a_bad_cell_costs_its_dialogue_only() {
        let text = "experiment,case,turn,user,system\na,1,1,x,y\na,1,1,x,y\nb,1,one,x,y\nc,1,1,x,y\n";
        let all =
            dialogues(rows::csv(text, Limits::default()).expect("a table"), &Supplied::default()).expect("dialogues");
        let told: Vec<Option<(u64, String)>> = all
            .into_iter()
            .map(|dialogue| dialogue.record.err().map(|defect| (defect.line.unwrap_or(0), defect.code.to_string())))
            .collect();
        let expected = [Some((3, "duplicate_id".to_string())), Some((4, "bad_record".to_string())), None];
        assert_eq!(told, expected);
    }
}

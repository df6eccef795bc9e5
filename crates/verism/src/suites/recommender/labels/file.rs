//! A file of labels: what people or a judge say about dialogues and turns.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::error::Defect;
use crate::input::Limits;
use crate::input::value::Json;
use crate::suites::recommender::catalog::read::{as_text, parse};
use crate::suites::recommender::record::dialogue::Rater;
use crate::suites::recommender::record::rows;
use crate::suites::recommender::record::turn_table::whole;
use crate::suites::records::Key;
use crate::suites::setting::decimal;

/// A row of the file with its line.
pub(crate) struct LabelRow {
    line: u64,
    row: Result<Json<'static>, Defect>,
}

/// A label whose dialogue has been found, by its number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) dialogue: usize,
    /// Counted from 1; none: of the dialogue as a whole.
    pub(crate) turn: Option<usize>,
    pub(crate) rater: Rater,
    pub(crate) aspect: String,
    pub(crate) value: f64,
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Read {
    Label(Label),
    /// No dialogue has these ids.
    WithoutDialogue,
    /// A judge that gave no answer.
    Undefined,
}

/// Reads the rows of a CSV or JSONL file.
pub(crate) fn rows_of(bytes: &[u8], path: &Path, limits: Limits) -> Result<Vec<LabelRow>, Defect> {
    let text = as_text(bytes, path)?;
    let is_lines = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jsonl"));
    if is_lines {
        let lines = text.split('\n').enumerate().filter(|(_, line)| !crate::text::normalize::trim(line).is_empty());
        let row = |(number, line): (usize, &str)| {
            let line_number = number as u64 + 1;
            let row = parse(line, path, limits).map(Json::into_owned).map_err(|defect| defect.line(line_number))?;
            Ok(LabelRow { line: line_number, row: Ok(row) })
        };
        return lines.map(row).collect();
    }
    let in_file = |defect: Defect| defect.file(crate::suites::recommender::catalog::read::file_name(path));
    let table = rows::csv(text, limits).map_err(in_file)?;
    table.require(&["aspect", "value"]).map_err(in_file)?;
    let row = |row: rows::TableRow| LabelRow { line: row.line, row: row.defect.map_or(Ok(row.cells), Err) };
    Ok(table.rows.into_iter().map(row).collect())
}

/// The dialogues that labels may be about.
pub(crate) struct Dialogues<'k> {
    keys: Vec<&'k Key>,
    turns: Vec<u64>,
    /// For each kind of id the dialogues with it.
    by_id: [FxHashMap<&'k str, Vec<usize>>; 4],
}

const IDS: [&str; 4] = ["dialogue", "experiment", "run", "case"];

fn ids(key: &Key) -> [&str; 4] {
    [&key.unit, &key.experiment, &key.run, &key.case]
}

impl<'k> Dialogues<'k> {
    /// Takes the keys of all dialogues with the number of their turns.
    pub(crate) fn new(all: impl Iterator<Item = (&'k Key, u64)>) -> Dialogues<'k> {
        let (keys, turns): (Vec<&Key>, Vec<u64>) = all.unzip();
        let mut by_id: [FxHashMap<&str, Vec<usize>>; 4] = Default::default();
        for (number, key) in keys.iter().enumerate() {
            for (table, id) in by_id.iter_mut().zip(ids(key)) {
                table.entry(id).or_default().push(number);
            }
        }
        Dialogues { keys, turns, by_id }
    }

    /// What a row says; a defect names its line.
    pub(crate) fn read(&self, row: &LabelRow) -> Result<Read, Defect> {
        let label = row.row.as_ref().map_err(Clone::clone).and_then(|json| self.label(json));
        label.map_err(|defect| Defect { line: defect.line.or(Some(row.line)), ..defect })
    }

    fn label(&self, row: &Json<'_>) -> Result<Read, Defect> {
        let bad = |field: &str, expected: String| {
            let found = row.get(field).map_or("null".to_string(), crate::score::json::text);
            Defect::new("bad_record", expected).field(field).value(found)
        };
        if row.object().is_none() {
            return Err(Defect::new("bad_record", "an object"));
        }
        let given = |key: &str| row.get(key).filter(|value| value.text() != Some(""));
        if given("value").is_none() && given("undefined").is_some_and(|why| !why.is_nothing()) {
            return Ok(Read::Undefined);
        }
        let value = match given("value") {
            Some(Json::Int(x)) => Some(*x as f64),
            Some(Json::Float(x)) => Some(*x),
            Some(Json::Text(text)) => decimal(crate::text::normalize::trim(text)),
            _ => None,
        };
        let value = value.ok_or_else(|| bad("value", "a finite number".into()))?;
        let aspect = given("aspect").and_then(Json::text).ok_or_else(|| bad("aspect", "a name".into()))?;
        let rater = match row.get("source").filter(|source| !source.is_nothing()) {
            None => Rater::Human,
            Some(source) => match source.text() {
                Some("human") => Rater::Human,
                Some("judge") => Rater::Judge,
                _ => return Err(bad("source", "human or judge".into())),
            },
        };
        let named: Vec<(usize, String)> = (IDS.iter().enumerate())
            .filter_map(|(kind, id)| Some((kind, given(id)?)))
            .map(|(kind, id)| (kind, id.text().map_or_else(|| crate::score::json::text(id), String::from)))
            .collect();
        if named.is_empty() {
            return Err(bad("dialogue", "an id of the dialogue".into()));
        }
        let found = self.find(&named);
        let [dialogue] = found[..] else {
            let expected = || format!("ids that name one dialogue, these name {}", found.len());
            return if found.is_empty() { Ok(Read::WithoutDialogue) } else { Err(bad("dialogue", expected())) };
        };
        let last = self.turns[dialogue];
        let turn = match given("turn") {
            None => None,
            Some(turn) => {
                let number = match turn {
                    Json::Int(x) => Some(*x),
                    Json::Text(text) => whole(text),
                    _ => None,
                };
                let number = number.filter(|x| (1..=i128::from(last)).contains(x));
                Some(number.ok_or_else(|| bad("turn", format!("a turn in 1..{last}")))? as usize)
            }
        };
        Ok(Read::Label(Label { dialogue, turn, rater, aspect: aspect.to_string(), value }))
    }

    /// The dialogues that have all of some ids.
    fn find(&self, named: &[(usize, String)]) -> Vec<usize> {
        let lists = named.iter().map(|(kind, id)| self.by_id[*kind].get(id.as_str()).map_or(&[][..], Vec::as_slice));
        let least = lists.min_by_key(|list| list.len()).unwrap_or_default();
        let has_all = |number: &&usize| named.iter().all(|(kind, id)| ids(self.keys[**number])[*kind] == id);
        least.iter().filter(has_all).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(experiment: &str, case: &str) -> Key {
        let unit = format!("{experiment}/{case}");
        Key { experiment: experiment.into(), run: "1".into(), case: case.into(), unit }
    }

    fn read(text: &str) -> Vec<Result<Read, Option<String>>> {
        let keys = [key("a", "1"), key("b", "1"), key("a", "2")];
        let dialogues = Dialogues::new(keys.iter().zip([3, 3, 3]));
        let rows = rows_of(text.as_bytes(), Path::new("labels.csv"), Limits::default()).expect("rows");
        rows.iter().map(|row| dialogues.read(row).map_err(|defect| defect.field)).collect()
    }

    #[test]
    fn any_ids_that_name_one_dialogue_do() {
        let found =
            read("aspect,value,experiment,case,turn\nfun,4,b,,\nfun,3,a,2,2\nfun,3,a,,\nfun,3,c,1,\nfun,3,a,1,9\n");
        let label = |dialogue, turn, value| {
            Ok(Read::Label(Label { dialogue, turn, rater: Rater::Human, aspect: "fun".into(), value }))
        };
        let wrong = |field: &str| Err(Some(field.to_string()));
        let expected =
            [label(1, None, 4.0), label(2, Some(2), 3.0), wrong("dialogue"), Ok(Read::WithoutDialogue), wrong("turn")];
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_without_a_value_name_a_reason_or_are_bad() {
        let found = read(
            "aspect,value,dialogue,source,undefined\nfun,,a/1,judge,refused\nfun,,a/1,judge,\nfun,x,a/1,,\nfun,1,a/1,dog,\n",
        );
        let wrong = |field: &str| Err(Some(field.to_string()));
        assert_eq!(found, [Ok(Read::Undefined), wrong("value"), wrong("value"), wrong("source")]);
    }
}

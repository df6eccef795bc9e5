//! Humor records from JSON lines, CSV, Parquet and results of the original project.

use std::borrow::Cow;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use verism::input::lines::{Lines, read_lines};
use verism::input::value::Json;
use verism::input::{Input, Kind, Limits, Sink, Table, Watch};
use verism::suites::humor::each_record;
use verism::suites::records::{NoFiles, Source, each_below};
use verism::{Defect, Error, Result};

use super::record::Record;

/// A record, or what is wrong with it.
type Found = std::result::Result<Record, Defect>;

/// The files with records below a folder, or the input itself.
pub(super) fn files(input: Input) -> Result<Vec<Input>> {
    match input {
        Input::Path(path) if path.is_dir() => {
            let found = each_below::<NoFiles>(&path, &[".jsonl", ".csv", ".parquet"], Source::Lines);
            let file = |source| match source {
                Source::Lines(path) => Some(Ok(Input::Path(path))),
                Source::Fault(defect) => Some(Err(defect.into())),
                _ => None,
            };
            found.into_iter().filter_map(file).collect()
        }
        input => Ok(vec![input]),
    }
}

/// Hands the records of an input on, in their order; a bad one as a defect with its place.
pub(super) fn read(input: Input, watch: &dyn Watch, take: &mut dyn FnMut(Found) -> Result<()>) -> Result<()> {
    let path = match input {
        Input::Stream(name, reader) => return read_json(reader, &name, watch, take),
        Input::Path(path) => path,
    };
    let name = path.display().to_string();
    let bad =
        |code: &'static str, found: String| Defect::new(code, "a file with humor records").file(&name).value(found);
    let file = File::open(&path).map_err(|error| bad("not_found", error.to_string()))?;
    watch.expect(file.metadata().map_or(0, |facts| facts.len()));
    // A humor record is JSON unless the name says otherwise.
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "csv" => read_table(Table::open(&path, Kind::Csv, watch), &name, watch, take),
        "parquet" | "json" => read_rows(&path, &name, watch, take),
        _ => read_json(Box::new(file), &name, watch, take),
    }
}

/// Reads what is neither lines nor CSV, as the suite does.
fn read_rows(path: &Path, name: &str, watch: &dyn Watch, take: &mut dyn FnMut(Found) -> Result<()>) -> Result<()> {
    let mut ended = Ok(());
    let read = each_record(path, watch.limits(), &mut |number, json| {
        ended = match watch.stop() {
            true => Err(Error::Interrupted),
            false => take(Record::new(without_nulls(json)).map_err(|defect| defect.file(name).line(number))),
        };
        if ended.is_ok() { Ok(()) } else { Err(Defect::new("stopped", "an undisturbed run")) }
    });
    ended?;
    watch.advance(path.metadata().map_or(0, |facts| facts.len()));
    read.map_err(|defect| defect.file(name).into())
}

/// An object without its empty cells.
fn without_nulls(json: Json<'static>) -> Json<'static> {
    match json {
        Json::Object(entries) => {
            Json::Object(entries.into_iter().filter(|(_, value)| !matches!(value, Json::Null)).collect())
        }
        other => other,
    }
}

fn read_json(
    reader: Box<dyn std::io::Read + Send>,
    name: &str,
    watch: &dyn Watch,
    take: &mut dyn FnMut(Found) -> Result<()>,
) -> Result<()> {
    let mut ended = Ok(());
    let limits = watch.limits();
    let work = |lines: Lines<'_>| -> Vec<Option<Found>> { lines.iter().map(|line| read_line(line, limits)).collect() };
    let mut each = |found: Vec<Option<Found>>, before: u64| {
        for (found, line) in found.into_iter().zip(before + 1..) {
            let Some(found) = found else { continue };
            ended = take(found.map_err(|defect| defect.file(name).line(line)));
            if ended.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let read = read_lines(reader, watch, &work, &mut each);
    ended?;
    let unreadable =
        |error: std::io::Error| Defect::new("unreadable", "a file that can be read").value(error.to_string());
    read.map_err(|error| Error::from(unreadable(error).file(name)))?;
    if watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
}

/// The record of a line; none if the line is blank.
fn read_line(line: &[u8], limits: Limits) -> Option<Found> {
    if line.len() > limits.record_bytes {
        return Some(Err(limits.too_long()));
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Some(Err(Defect::new("bad_encoding", "UTF-8")));
    };
    if text.trim().is_empty() {
        return None;
    }
    let json = Json::parse(text).ok_or_else(|| Defect::new("bad_json", "one JSON object per line"));
    Some(json.and_then(Record::new))
}

fn read_table(
    table: Table<'_>,
    name: &str,
    watch: &dyn Watch,
    take: &mut dyn FnMut(Found) -> Result<()>,
) -> Result<()> {
    let columns = table.columns.clone().unwrap_or_default();
    let mut ended = Ok(());
    let make = || Rows { columns: &columns, found: vec![] };
    let end = table.read(&columns, &make, &mut |rows: Rows<'_>, before: u64| {
        for (line, found) in rows.found {
            ended = take(found.map_err(|defect| defect.file(name).line(before + line + 1)));
            if ended.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    ended?;
    match end.defect {
        Some(defect) => Err(defect.file(name).into()),
        None if watch.stop() => Err(Error::Interrupted),
        None => Ok(()),
    }
}

/// Rows of a table as records.
struct Rows<'a> {
    columns: &'a [String],
    found: Vec<(u64, Found)>,
}

impl Sink for Rows<'_> {
    fn record(&mut self, line: u64, cells: &[Option<&str>]) {
        let entries = self.columns.iter().zip(cells).filter_map(|(column, cell)| {
            let cell = cell.filter(|cell| !cell.is_empty() || column == "text")?;
            Some(value(column, cell).map(|value| (Cow::Owned(column.clone()), value)))
        });
        let record = entries.collect::<std::result::Result<Vec<_>, Defect>>();
        self.found.push((line, record.and_then(|entries| Record::new(Json::Object(entries)))));
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        self.found.push((line, Err(defect)));
    }
}

/// A cell as a JSON value: lists, labels and objects are JSON text, `text` may be a list of texts, all else is text.
fn value<'a>(column: &str, cell: &'a str) -> std::result::Result<Json<'a>, Defect> {
    let all_texts = |json: &Json<'_>| {
        json.list().is_some_and(|items| !items.is_empty() && items.iter().all(|item| item.text().is_some()))
    };
    match column {
        "profile" | "embedding" | "context_embedding" | "profile_embeddings" | "label" | "pun" => {
            let wrong = || Defect::new("bad_json", "a JSON value").field(column).value(cell);
            Json::parse(cell).ok_or_else(wrong)
        }
        "text" => Ok(Json::parse(cell).filter(all_texts).unwrap_or(Json::Text(Cow::Borrowed(cell)))),
        _ => Ok(Json::Text(Cow::Borrowed(cell))),
    }
}

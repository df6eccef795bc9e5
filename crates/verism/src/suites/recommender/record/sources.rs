//! What there is to read: JSON lines, JSON documents, tables of turns, folders of them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::read;
use super::rows;
use super::turn_table;
use crate::error::Defect;
use crate::input::value::Json;
use crate::input::{Input, refuse_special, unreadable_folder};
use crate::suites::recommender::catalog::read::{as_text, parse};
use crate::suites::recommender::setup::{Setup, simulated};
use crate::suites::recommender::tables::outcome::{Outcome, judge};
use crate::suites::records::{FileReader, Records, Source, base_name};

/// Everything to read, in order. Of a folder that `simulate` wrote its dialogues alone, of any other its `*.json` and
/// `*.jsonl` in the order of their names.
pub(crate) fn sources(inputs: Vec<Input>) -> Vec<Source<PathBuf>> {
    let mut found = vec![];
    for input in inputs {
        match input {
            Input::Stream(name, reader) => found.push(Source::Stream(name, reader)),
            Input::Path(path) if path.is_dir() => match simulated(&path) {
                Some(dialogues) => found.push(Source::Lines(dialogues)),
                None => match inside(&path) {
                    Ok(files) => found.extend(files.into_iter().map(source)),
                    Err(fault) => found.push(Source::Fault(fault)),
                },
            },
            Input::Path(path) if !path.exists() => {
                let defect = Defect::new("no_file", "a file or folder that exists").file(base_name(&path));
                found.push(Source::Fault(defect));
            }
            Input::Path(path) => found.push(source(path)),
        }
    }
    found
}

fn ending(path: &Path) -> String {
    path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase())
}

fn source(path: PathBuf) -> Source<PathBuf> {
    if ending(&path) == "jsonl" { Source::Lines(path) } else { Source::File(path) }
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>, Defect> {
    let unreadable = |error: std::io::Error| unreadable_folder(folder, &error);
    let mut found = vec![];
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if !path.is_dir() && path.extension().is_some_and(|ending| ending == "json" || ending == "jsonl") {
            refuse_special(&path)?;
            found.push(path);
        }
    }
    found.sort_by_key(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    Ok(found)
}

/// What the dialogues of a JSON document or a table of turns become, each with its line.
pub(crate) fn read_file(setup: &Setup, path: &Path, reader: &mut FileReader) -> Records<Box<Outcome>> {
    let bytes = match reader.bytes(path) {
        Ok(bytes) => bytes,
        Err(defect) => return vec![(0, Err(defect))],
    };
    let read = match ending(path).as_str() {
        "csv" => as_text(&bytes, path)
            .and_then(|text| rows::csv(text, reader.limits))
            .and_then(|table| read_table(setup, table, path, reader)),
        "parquet" => {
            let file = File::open(path).map_err(|_| Defect::new("no_file", "a readable file"));
            file.and_then(|file| rows::parquet(file, reader.limits))
                .and_then(|table| read_table(setup, table, path, reader))
        }
        _ => as_text(&bytes, path)
            .and_then(|text| parse(text, path, reader.limits))
            .map(|json| read_document(setup, json, path, reader)),
    };
    read.unwrap_or_else(|defect| vec![(0, Err(defect))])
}

fn read_table(
    setup: &Setup,
    table: rows::TableRows,
    path: &Path,
    reader: &FileReader,
) -> Result<Records<Box<Outcome>>, Defect> {
    let has_run = table.columns.iter().any(|column| column == "run");
    let unnamed: &[&str] = if has_run { &[] } else { &["run"] };
    let dialogues = turn_table::dialogues(table, &reader.supplied)?;
    let read = |dialogue: turn_table::TableDialogue| {
        let record = dialogue.record.and_then(|mut json| {
            reader.supply(&mut json, path, dialogue.line, unnamed)?;
            read_record(setup, &json, "")
        });
        (dialogue.line, record)
    };
    Ok(dialogues.into_iter().map(read).collect())
}

fn read_document(setup: &Setup, json: Json<'_>, path: &Path, reader: &FileReader) -> Records<Box<Outcome>> {
    let read = |mut json: Json<'_>, number: u64, prefix: &str| {
        let read = reader.supply(&mut json, path, number, &[]).and_then(|()| read_record(setup, &json, prefix));
        (0, read)
    };
    match json {
        Json::List(records) => {
            records.into_iter().zip(0..).map(|(json, number)| read(json, number + 1, &format!("[{number}]."))).collect()
        }
        json => vec![read(json, 1, "")],
    }
}

/// What a record becomes; `prefix` stands before the paths of its defects.
pub(crate) fn read_record(setup: &Setup, json: &Json<'_>, prefix: &str) -> Result<Box<Outcome>, Defect> {
    Ok(Box::new(judge(&read::read(json, prefix)?, &setup.catalog, &setup.params)))
}

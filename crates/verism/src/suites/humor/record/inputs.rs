//! What there is to read: JSON lines, CSV, Parquet, results of the original project; labels and references.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use crate::error::Defect;
use crate::input::value::Json;
use crate::input::{Held, Input, Limits, TakeRow, Wanted, hexadecimal, read_whole};
use crate::suites::humor::options::{Params, ScoreText};
use crate::suites::humor::record::card::{Card, FIELDS, FirstVector, Rejected, duplicate, from_cells, read};
use crate::suites::humor::record::tables_in::{all_rows, csv_cells, each_row, no_column, text_from, text_of};
use crate::suites::records::{FileReader, Source, Supplied, base_name, each_below};
use crate::text::json::{ONE_PER_LINE, why_not};

/// What became of a record of a file, with its line.
type Read = (u64, Result<(Card, FirstVector), Rejected>);

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Everything to read, in order.
pub(crate) fn sources(inputs: Vec<Input>) -> Vec<Source<PathBuf>> {
    let mut found = vec![];
    for input in inputs {
        match input {
            Input::Stream(name, reader) => found.push(Source::Stream(name, reader)),
            Input::Path(path) if path.is_dir() => {
                found.extend(each_below(&path, &[".jsonl", ".csv", ".parquet"], source));
            }
            // The configuration that lies beside records is none of them.
            Input::Path(path) if path.ends_with("verism.toml") => {}
            Input::Path(path) if !path.exists() => {
                found.push(Source::Fault(Defect::new("not_found", "a readable file").file(base_name(&path))));
            }
            Input::Path(path) => found.push(source(path)),
        }
    }
    found
}

fn source(path: PathBuf) -> Source<PathBuf> {
    match ending(&path).as_str() {
        "jsonl" => Source::Lines(path),
        "csv" | "parquet" | "json" => Source::File(path),
        other => {
            let defect = Defect::new("bad_input", ".jsonl, .csv, .parquet or .json").file(base_name(&path));
            Source::Fault(defect.value(other))
        }
    }
}

fn rejected(defect: Defect) -> Rejected {
    Rejected { defect, vector: None }
}

/// The records of a file that is read as a whole.
pub(crate) fn read_file(path: &Path, params: &Params, reader: &mut FileReader) -> Vec<Read> {
    let records = match ending(path).as_str() {
        "csv" => reader.bytes(path).and_then(text_from).and_then(|text| csv_records(&text, path, params, reader)),
        "parquet" => reader.bytes(path).map(drop).and_then(|()| {
            let rows = all_rows(path, reader.limits)?;
            Ok(rows.into_iter().map(|(row, record)| (row, supplied(record, path, row, params, reader))).collect())
        }),
        _ => reader.bytes(path).and_then(text_from).and_then(|text| original(&text, path, params, reader)),
    };
    records.unwrap_or_else(|defect| vec![(0, Err(rejected(defect)))])
}

/// A record with the ids that options supply.
fn supplied(
    mut record: Json<'_>,
    path: &Path,
    line: u64,
    params: &Params,
    reader: &FileReader,
) -> Result<(Card, FirstVector), Rejected> {
    reader.supply(&mut record, path, line, &[]).map_err(rejected)?;
    read(&record, params)
}

fn csv_records(text: &str, path: &Path, params: &Params, reader: &FileReader) -> Result<Vec<Read>, Defect> {
    let mut records = vec![];
    csv_cells(text, reader.limits, |line, cells| {
        let record = (cells.clone())
            .and_then(|cells| from_cells(cells.iter().map(|(name, cell)| (name.as_str(), cell.as_str()))));
        let names = || cells.iter().flat_map(|cells| cells.iter().map(|(name, _)| name.as_str())).collect::<Vec<_>>();
        let record = record.map_err(rejected).and_then(|record| supplied(record, path, line, params, reader));
        records.push((line, record.map_err(|why| Rejected { defect: no_column(why.defect, &names()), ..why })));
    })?;
    Ok(records)
}

/// Results of the original project: `complete_sentences_evaluation_results*.json`; their scores are left aside.
fn original(text: &str, path: &Path, params: &Params, reader: &FileReader) -> Result<Vec<Read>, Defect> {
    let record = |(number, record): (u64, Json<'_>)| match record {
        Json::Object(_) => (number, supplied(record, path, number, params, reader)),
        _ => (number, Err(rejected(Defect::new("not_object", "a JSON object")))),
    };
    Ok(original_records(text, reader.limits)?.into_iter().map(record).collect())
}

/// The records that results of the original project hold, with their numbers; what is no object stays as it is.
fn original_records(text: &str, limits: Limits) -> Result<Vec<(u64, Json<'static>)>, Defect> {
    limits.check_values(text.as_bytes())?;
    let document = Json::parse(text)
        .ok_or_else(|| Defect { hint: why_not(text), ..Defect::new("bad_json", "a JSON document") })?;
    let list = document.get("complete_sentences").and_then(Json::list);
    let list = list.ok_or_else(|| {
        let hint = format!(
            "a .json file holds results of the original project; records stand in a .jsonl file: {ONE_PER_LINE}"
        );
        Defect::new("bad_input", "an array").field("complete_sentences").hint(hint)
    })?;
    let record = |(entry, number): (&Json<'_>, u64)| {
        if !matches!(entry, Json::Object(_)) {
            return (number, entry.clone().into_owned());
        }
        let of = |key: &str| entry.entry(key).map(|value| value.clone().into_owned());
        let id = of("combination_id").unwrap_or(Json::Int(number.into()));
        let pairs = [
            ("id", Some(id)),
            ("context", of("black_card")),
            ("text", of("complete_sentence")),
            ("batch", of("user_id")),
            ("user", of("user_id")),
        ];
        (number, Json::Object(pairs.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()))
    };
    Ok(list.iter().zip(1..).map(record).collect())
}

/// Hands on the records of a Parquet file or of results of the original project (`.json`) as `score` reads them, with their
/// numbers; an error ends the reading.
pub fn each_record(path: &Path, limits: Limits, take: &mut TakeRow<'_>) -> Result<(), Defect> {
    if ending(path) == "parquet" {
        return each_row(path, Wanted::AllBut(&FIELDS), Held::Row, limits, take).map(drop);
    }
    original_records(&text_of(path, limits)?, limits)?.into_iter().try_for_each(|(number, record)| take(number, record))
}

/// The labels of a file: a line 0 or 1 for each record; comments and blank lines are skipped.
pub(crate) fn labels(path: &Path, limits: Limits) -> Result<Vec<bool>, Defect> {
    let name = base_name(path);
    let text = text_of(path, limits)?;
    let mut found = vec![];
    for (line, number) in text.split('\n').zip(1..) {
        match line.trim() {
            "" => {}
            comment if comment.starts_with('#') => {}
            "0" => found.push(false),
            "1" => found.push(true),
            other => {
                return Err(Defect::new("bad_value", "0 or 1").field("label").value(other).file(name).line(number));
            }
        }
    }
    Ok(found)
}

/// The cards of a reference file, which is read strictly, with their lines, and the file's SHA-256.
pub(crate) fn reference(path: &Path, params: &Params, limits: Limits) -> Result<(Vec<(u64, Card)>, String), Defect> {
    let name = base_name(path);
    let plain = Params { score_text: ScoreText::Text, ..params.clone() };
    let bytes = read_whole(path, limits, |_| Defect::new("not_found", "a readable file").file(&name))?;
    let hash = hexadecimal(&Sha256::digest(&bytes));
    let card = |(line, record): Read| {
        let placed = |rejected: Rejected| {
            let line = rejected.defect.line.unwrap_or(line);
            rejected.defect.file(&name).line(line)
        };
        record.map(|(card, _)| (line, card)).map_err(placed)
    };
    let cards: Result<Vec<(u64, Card)>, Defect> = match ending(path).as_str() {
        "jsonl" => {
            let text = text_from(bytes).map_err(|defect| defect.file(&name))?;
            let lines = text.split('\n').zip(1..).filter(|(line, _)| !line.trim().is_empty());
            let record = |line: &str| {
                limits.check_values(line.as_bytes()).map_err(rejected)?;
                match Json::parse(line) {
                    Some(record) => read(&record, &plain),
                    None => Err(rejected(Defect::new("bad_json", "a JSON object"))),
                }
            };
            lines.map(|(line, number)| card((number, record(line)))).collect()
        }
        "csv" | "parquet" | "json" => {
            let records = read_file(path, &plain, &mut FileReader::within(limits, &Supplied::default()));
            records.into_iter().map(card).collect()
        }
        other => {
            return Err(Defect::new("bad_input", ".jsonl, .csv, .parquet or .json").file(&name).value(other));
        }
    };
    let cards = cards?;
    let mut seen = FxHashSet::default();
    for (line, Card { experiment, run, id, .. }) in &cards {
        if !seen.insert((experiment, run, id)) {
            return Err(duplicate(id).file(&name).line(*line));
        }
    }
    Ok((cards, hash))
}

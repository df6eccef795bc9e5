//! The golden cases in `cases/`, run through the library and compared with what the reference program gave.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Humor;
use super::training::train;
use crate::error::Error;
use crate::input::{Input, Unwatched};
use crate::suites::{Destination, Job, Options, score};

/// What a case says of itself.
struct Case {
    facts: Value,
    expected: Value,
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

fn inside(folder: &Path, list: &str) -> String {
    let place = |file: &str| if file.is_empty() { String::new() } else { folder.join(file).display().to_string() };
    list.split(',').map(place).collect::<Vec<_>>().join(",")
}

/// The report of a case as one document, or the error.
fn report(folder: &Path, case: &Case) -> Value {
    let mut options = Options::default();
    for (key, value) in case.facts["options"].as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), String::from);
        let of_file = ["corpus", "labels", "reference", "model"].contains(&key.as_str());
        let value = if of_file { inside(folder, &value) } else { value };
        options.add(&format!("{key}={value}")).expect("a pair");
    }
    let lenient = case.facts["lenient"] == true;
    let inputs: Vec<String> = case.facts["inputs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|name| folder.join(name.as_str().expect("a name")).display().to_string())
        .collect();
    let failed = |error: Error| {
        let mut document = serde_json::json!({ "error": error.defect() });
        if let Error::NothingLeft { dropped, .. } = &error {
            document["errors"] = serde_json::json!(dropped);
        }
        document
    };
    if case.facts["verb"] == "train" {
        return train(&inputs, &options, lenient, &Unwatched).map_or_else(failed, |trained| trained.document);
    }
    let inputs = inputs.into_iter().map(|path| Input::Path(path.into())).collect();
    let job = Job { lenient, ..Job::new(inputs, options, &Unwatched) };
    let to = Destination { memory: true, ..Destination::default() };
    match score(&Humor, job, to) {
        Err(error) => failed(error),
        Ok(scored) => {
            let mut bytes = vec![];
            scored.write_document("humor", &mut bytes).expect("memory");
            serde_json::from_slice(&bytes).expect("JSON")
        }
    }
}

struct Compare<'a> {
    case: &'a str,
    tolerance: &'a Value,
    metric: String,
    found: Vec<String>,
}

impl Compare<'_> {
    fn near(&self, wanted: f64, found: f64, path: &str) -> bool {
        if wanted != 0.0 && wanted.abs() < 1e-60 {
            return (wanted - found).abs() <= 1e-9 * wanted.abs();
        }
        let of = |key: &str| self.tolerance.get(key).and_then(Value::as_f64);
        let mut place = path;
        let mut by_path = of(place);
        while by_path.is_none() && !place.is_empty() {
            place = place.rsplit_once('.').map_or("", |(front, _)| front);
            by_path = of(place);
        }
        let tolerance = self.tolerance.as_f64().or(of(&self.metric)).or(by_path).unwrap_or(1e-12);
        (wanted - found).abs() <= tolerance * wanted.abs().max(1.0)
    }

    fn value(&mut self, wanted: &Value, found: &Value, path: &str) {
        let differs = match (wanted, found) {
            (Value::Object(wanted), Value::Object(found)) => {
                let error = matches!(path, "error" | "errors" | "corpus_errors");
                for (key, value) in wanted {
                    if error && !["code", "file", "line", "field"].contains(&key.as_str()) {
                        continue;
                    }
                    let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    match found.get(key) {
                        None => self.found.push(format!("{}: {inner} is missing", self.case)),
                        Some(other) if inner == "scores" => self.scores(value, other),
                        Some(other) if inner == "ledger" => self.ledger(value, other),
                        Some(other) => self.value(value, other, &inner),
                    }
                }
                false
            }
            (Value::Array(wanted), Value::Array(found)) if wanted.len() == found.len() => {
                wanted.iter().zip(found).for_each(|(wanted, found)| self.value(wanted, found, path));
                false
            }
            (Value::Number(wanted), Value::Number(found)) if wanted.is_f64() => {
                !self.near(wanted.as_f64().expect("a number"), found.as_f64().expect("a number"), path)
            }
            (wanted, found) => wanted != found,
        };
        if differs {
            self.found.push(format!("{}: {path} ({}): wanted {wanted}, found {found}", self.case, self.metric));
        }
    }

    fn scores(&mut self, wanted: &Value, found: &Value) {
        let rows = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let wanted = rows(wanted);
        let asked = |row: &Value| wanted.iter().any(|other| other["metric"] == row["metric"]);
        let found: Vec<Value> = rows(found).into_iter().filter(asked).collect();
        if wanted.len() != found.len() {
            return self.found.push(format!("{}: {} rows, found {}", self.case, wanted.len(), found.len()));
        }
        for (wanted, found) in wanted.iter().zip(&found) {
            self.metric = format!("{}", wanted["metric"].as_str().unwrap_or_default());
            self.value(wanted, found, "scores[]");
        }
        self.metric.clear();
    }

    fn ledger(&mut self, wanted: &Value, found: &Value) {
        for entry in wanted.as_array().into_iter().flatten() {
            let same = |other: &&Value| other["metric"] == entry["metric"];
            match found.as_array().and_then(|all| all.iter().find(same)) {
                None => self.found.push(format!("{}: no account of {}", self.case, entry["metric"])),
                Some(other) => {
                    self.value(entry, other, "ledger");
                    for part in ["undefined", "excluded"] {
                        let count = |entry: &Value| entry[part].as_object().map_or(0, serde_json::Map::len);
                        if count(entry) != count(other) {
                            self.found.push(format!("{}: reasons of {}: {other}", self.case, entry["metric"]));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_case_gives_what_the_reference_program_gave() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/suites/humor/cases");
    let mut folders: Vec<_> = fs::read_dir(home).expect("cases").flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.join("case.json").is_file());
    folders.sort();
    assert_eq!(folders.len(), 54);
    let mut wrong = vec![];
    for folder in folders {
        let case = Case { facts: read(&folder.join("case.json")), expected: read(&folder.join("expected.json")) };
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let found = report(&folder, &case);
        let tolerance = &case.facts["tolerance"];
        let mut compare = Compare { case: &name, tolerance, metric: String::new(), found: vec![] };
        compare.value(&case.expected, &found, "");
        wrong.extend(compare.found);
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}

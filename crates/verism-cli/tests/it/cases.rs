//! The golden cases of every suite: reports equal those of an independent reference, values derived by hand included.
//!
//! A case is a folder below `suites/<suite>/cases` with `case.json` (inputs, options, exit code, what is free or tolerated,
//! values derived by hand), its inputs and `expected.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verism::suites::SUITES;

use crate::look::look;
use crate::program::verism;

/// Largest difference, absolute or relative.
const TOLERANCE: f64 = 1e-12;
/// Below this, numbers agree relatively, so that a false 0 shows.
const TINY: f64 = 1e-60;
const TINY_TOLERANCE: f64 = 1e-9;
/// What names a score row.
const ROW_KEY: [&str; 6] = ["metric", "experiment", "run", "case", "level", "unit"];
/// What counts of an error.
const ERROR_KEY: [&str; 4] = ["code", "file", "line", "field"];

#[test]
fn every_case_of_every_suite_agrees() {
    let mut problems = vec![];
    for suite in SUITES {
        let id = suite.facts().id;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verism/src/suites").join(id).join("cases");
        let entries = fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
        let mut folders: Vec<PathBuf> =
            entries.map(|e| e.unwrap().path()).filter(|p| p.join("case.json").exists()).collect();
        folders.sort();
        assert!(folders.len() >= 40, "{} cases below {}", folders.len(), root.display());
        problems.extend(folders.iter().flat_map(|folder| check(id, folder)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn check(suite: &str, folder: &Path) -> Vec<String> {
    let read = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap() };
    let (case, expected) = (read("case.json"), read("expected.json"));
    let home = tempfile::tempdir().unwrap();
    let verb = case["verb"].as_str().unwrap_or("score");
    let mut arguments = vec![verb.to_string(), suite.to_string()];
    arguments.extend(case["inputs"].as_array().unwrap().iter().map(|i| i.as_str().unwrap().to_string()));
    for (key, value) in case["options"].as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), String::from);
        arguments.extend(["--option".into(), format!("{key}={value}")]);
    }
    if let Some(config) = case["config"].as_str() {
        arguments.extend(["--config".into(), config.into()]);
    }
    if case["lenient"] == true {
        arguments.push("--lenient".into());
    }
    if verb != "score" {
        arguments.extend(["-o".into(), home.path().join("out").display().to_string()]);
    }
    arguments.push("--json".into());
    let ran = verism(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let mut comparison = Comparison::new(suite, &case);
    if i64::from(ran.code) != case["exit"].as_i64().unwrap() {
        comparison.problems.push(format!("exit code {}: {}", ran.code, ran.err));
    }
    let report = ran.json();
    comparison.object(&expected, &report, "report", "");
    comparison.by_hand = true;
    for hand in case["hand"].as_array().into_iter().flatten() {
        let at = hand["at"].as_str().unwrap();
        match look(&report, at) {
            Some(found) => comparison.value(&hand["value"], &found, at, &keys_of(at)),
            None => comparison.problems.push(format!("{at}: not there")),
        }
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    comparison.problems.iter().take(5).map(|problem| format!("{suite} {name}: {problem}")).collect()
}

/// A path without what stands in brackets.
fn keys_of(at: &str) -> String {
    at.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect()
}

/// Collects differences between an expectation and a report.
struct Comparison<'c> {
    suite: &'c str,
    free: Vec<&'c str>,
    tolerance: &'c Value,
    metric: String,
    /// Whether values derived by hand are at hand: a whole number may stand for a fraction.
    by_hand: bool,
    problems: Vec<String>,
}

impl<'c> Comparison<'c> {
    fn new(suite: &'c str, case: &'c Value) -> Comparison<'c> {
        let mut free: Vec<&str> = case["free"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        // Any best assignment of lines is right.
        if suite == "guest" {
            free.push("scores[].evidence.lines");
        }
        Comparison {
            suite,
            free,
            tolerance: &case["tolerance"],
            metric: String::new(),
            by_hand: false,
            problems: vec![],
        }
    }

    fn say(&mut self, at: &str, expected: &Value, found: &Value) {
        let short = |value: &Value| value.to_string().chars().take(160).collect::<String>();
        self.problems.push(format!("{at}: expected {}, found {}", short(expected), short(found)));
    }

    /// `at` is for people, `path` holds keys only.
    fn value(&mut self, expected: &Value, found: &Value, at: &str, path: &str) {
        if self.free.contains(&path) {
            return;
        }
        match (expected, found) {
            (Value::Object(_), Value::Object(_)) => self.object(expected, found, at, path),
            (Value::Array(expected), Value::Array(found)) => self.list(expected, found, at, path),
            (Value::Number(x), Value::Number(y)) => {
                let exact = !(x.is_f64() || self.by_hand && y.is_f64());
                let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
                if if exact { x != y } else { !self.near(x, y, path) } {
                    self.say(at, expected, found);
                }
            }
            _ if expected == found => {}
            _ => self.say(at, expected, found),
        }
    }

    fn near(&self, x: f64, y: f64, path: &str) -> bool {
        if x != 0.0 && x.abs() < TINY {
            return (x - y).abs() <= TINY_TOLERANCE * x.abs();
        }
        let tolerance = match self.tolerance {
            Value::Object(named) => {
                let mut path = path;
                while !path.is_empty() && !named.contains_key(path) {
                    path = path.rsplit_once('.').map_or("", |(front, _)| front);
                }
                named.get(&self.metric).or(named.get(path)).and_then(Value::as_f64)
            }
            one => one.as_f64(),
        };
        (x - y).abs() <= tolerance.unwrap_or(TOLERANCE) * x.abs().max(1.0)
    }

    fn object(&mut self, expected: &Value, found: &Value, at: &str, path: &str) {
        let (Some(expected), Some(there)) = (expected.as_object(), found.as_object()) else {
            return self.say(at, expected, found);
        };
        let error = ["error", "errors", "corpus_errors"].contains(&path);
        let last = path.rsplit('.').next().unwrap_or_default();
        if path.starts_with("ledger.") && ["undefined", "excluded"].contains(&last) {
            for reason in there.keys().filter(|reason| !expected.contains_key(*reason)) {
                self.problems.push(format!("{at}: reason {reason} is not expected"));
            }
        }
        for (key, value) in expected {
            if error && !ERROR_KEY.contains(&key.as_str()) {
                continue;
            }
            // What an undefined row rests on is free in guest's specification.
            if key == "n" && self.suite == "guest" && expected.get("undefined").is_some_and(Value::is_string) {
                continue;
            }
            let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            match there.get(key) {
                _ if self.free.contains(&inner.as_str()) => {}
                None => self.problems.push(format!("{at}.{key}: missing")),
                Some(found) if inner == "scores" => self.scores(value, found),
                Some(found) => self.value(value, found, &format!("{at}.{key}"), &inner),
            }
        }
    }

    fn list(&mut self, expected: &[Value], found: &[Value], at: &str, path: &str) {
        // Audits are a set, and their words are free.
        if self.suite == "guest" && path == "tables.audits" {
            let sorted = |audits: &[Value]| {
                let mut audits: Vec<String> = audits.iter().map(without_detail).collect();
                audits.sort();
                audits
            };
            if sorted(expected) != sorted(found) {
                self.problems.push(format!("{at}: expected {:#?}, found {:#?}", sorted(expected), sorted(found)));
            }
            return;
        }
        let known: Vec<&Value> = expected.iter().map(|entry| &entry["metric"]).collect();
        let found: Vec<&Value> =
            found.iter().filter(|entry| path != "ledger" || known.contains(&&entry["metric"])).collect();
        if expected.len() != found.len() {
            return self.problems.push(format!("{at}: expected {} entries, found {}", expected.len(), found.len()));
        }
        for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
            self.value(expected, found, &format!("{at}[{i}]"), path);
        }
    }

    /// Rows are those of the metrics that the expectation names, in its order.
    fn scores(&mut self, expected: &Value, found: &Value) {
        let (Some(expected), Some(found)) = (expected.as_array(), found.as_array()) else {
            return self.say("scores", expected, found);
        };
        let key = |row: &Value| ROW_KEY.map(|name| row[name].to_string()).join(" ");
        let metrics: Vec<&Value> = expected.iter().map(|row| &row["metric"]).collect();
        let found: Vec<&Value> = found.iter().filter(|row| metrics.contains(&&row["metric"])).collect();
        let mut rows: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for row in found.iter().rev() {
            rows.entry(key(row)).or_default().push(row);
        }
        for row in expected {
            self.metric = row["metric"].as_str().unwrap_or_default().to_string();
            match rows.get_mut(&key(row)).and_then(Vec::pop) {
                Some(found) => self.value(row, found, &format!("scores[{}]", key(row)), "scores[]"),
                None => self.problems.push(format!("scores: no row {}", key(row))),
            }
        }
        self.metric.clear();
        for row in rows.values().flatten() {
            self.problems.push(format!("scores: row {} is not expected", key(row)));
        }
        if expected.iter().map(key).ne(found.iter().map(|row| key(row))) {
            self.problems.push("scores: rows stand in another order".to_string());
        }
    }
}

fn without_detail(audit: &Value) -> String {
    let mut audit = audit.clone();
    audit["detail"].take();
    audit.to_string()
}

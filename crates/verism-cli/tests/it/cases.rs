//! The golden cases: reports equal those of an independent reference, values derived by hand included.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::verism;

const TOLERANCE: f64 = 1e-12;

#[test]
fn every_case_of_adaptation_agrees() {
    check_all("adaptation", 49);
}

#[test]
fn every_case_of_guest_agrees() {
    check_all("guest", 56);
}

#[test]
fn every_case_of_recommender_agrees() {
    check_all("recommender", 59);
}

fn check_all(suite: &str, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verism/src/suites").join(suite).join("cases");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&root).unwrap().map(|e| e.unwrap().path()).filter(|p| p.join("case.json").exists()).collect();
    folders.sort();
    assert!(folders.len() >= least, "cases are missing below {}", root.display());
    let problems: Vec<String> = folders.iter().flat_map(|folder| check(suite, folder)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn check(suite: &str, folder: &Path) -> Vec<String> {
    let read = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap() };
    let (case, expected) = (read("case.json"), read("expected.json"));
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
    arguments.push("--json".into());
    let ran = verism(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let mut problems = vec![];
    if i64::from(ran.code) != case["exit"].as_i64().unwrap() {
        problems.push(format!("exit code {}: {}", ran.code, ran.err));
    }
    compare(&expected, &ran.json(), "report", &mut problems);
    for hand in case["hand"].as_array().into_iter().flatten() {
        let at = hand["at"].as_str().unwrap();
        match look(&ran.json(), at) {
            Some(found) => compare(&hand["value"], &found, at, &mut problems),
            None => problems.push(format!("{at}: not there")),
        }
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    problems.iter().take(5).map(|problem| format!("{name}: {problem}")).collect()
}

/// Notes where a report differs from an expectation.
fn compare(expected: &Value, found: &Value, at: &str, problems: &mut Vec<String>) {
    match (expected, found) {
        // Any best assignment of lines is right.
        _ if at.ends_with(".evidence.lines") => {}
        // Audits are a set, and their words are free.
        (Value::Array(expected), Value::Array(found)) if at == "report.tables.audits" => {
            let sorted = |audits: &[Value]| {
                let mut audits: Vec<String> = audits.iter().map(without_detail).collect();
                audits.sort();
                audits
            };
            if sorted(expected) != sorted(found) {
                problems.push(format!("{at}: expected {:#?}, found {:#?}", sorted(expected), sorted(found)));
            }
        }
        (Value::Object(expected), Value::Object(found)) => {
            let error = at.ends_with(".error") || at.contains(".errors[");
            let counts = at.contains(".ledger.") && (at.ends_with(".undefined") || at.ends_with(".excluded"));
            if counts && expected.keys().ne(found.keys()) {
                problems.push(format!("{at}: expected reasons {:?}, found {:?}", expected.keys(), found.keys()));
            }
            for (key, value) in expected {
                if error && !["code", "file", "line", "field"].contains(&key.as_str()) {
                    continue;
                }
                let guest = expected.get("suite").is_some_and(|suite| suite == "guest");
                if key == "n" && at.contains(".scores[") && guest && expected["value"].is_null() {
                    continue;
                }
                match found.get(key) {
                    Some(found) => compare(value, found, &format!("{at}.{key}"), problems),
                    None => problems.push(format!("{at}.{key}: missing")),
                }
            }
        }
        (Value::Array(expected), Value::Array(found)) => {
            if expected.len() != found.len() {
                problems.push(format!("{at}: expected {} entries, found {}", expected.len(), found.len()));
            }
            for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(expected, found, &format!("{at}[{i}]"), problems);
            }
        }
        (Value::Number(expected), Value::Number(found)) => {
            let (x, y) = (expected.as_f64().unwrap(), found.as_f64().unwrap());
            let near = if expected.is_f64() { (x - y).abs() <= TOLERANCE * x.abs().max(1.0) } else { x == y };
            if !near {
                problems.push(format!("{at}: expected {expected}, found {found}"));
            }
        }
        _ if expected == found => {}
        _ => problems.push(format!("{at}: expected {expected}, found {found}")),
    }
}

fn without_detail(audit: &Value) -> String {
    let mut audit = audit.clone();
    audit["detail"].take();
    audit.to_string()
}

/// The value at a path such as `a.b[3].c`, `a[key=value,key=value].b` (first such row) or `a.#` (how many).
fn look(report: &Value, path: &str) -> Option<Value> {
    let mut now = vec![report.clone()];
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (inside, after) = inner.split_once(']')?;
            let rows = now.first()?.as_array()?.clone();
            now = match inside.parse::<usize>() {
                Ok(i) => vec![rows.get(i)?.clone()],
                Err(_) => {
                    let fits = |row: &Value| {
                        inside.split(',').all(|pair| {
                            let (key, value) = pair.split_once('=').unwrap();
                            row[key].as_str().map_or_else(|| row[key].to_string(), String::from) == value
                        })
                    };
                    rows.into_iter().filter(fits).collect()
                }
            };
            rest = after.strip_prefix('.').unwrap_or(after);
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if key == "#" {
            let count = if now.len() == 1 { now[0].as_array().map_or(1, Vec::len) } else { now.len() };
            return Some(count.into());
        }
        now = vec![now.first()?.get(key)?.clone()];
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    now.into_iter().next()
}

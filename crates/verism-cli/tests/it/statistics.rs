//! The golden cases of the statistics: the calculator, comparisons and correlations.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{fed, verism};

fn source(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../verism/src").join(folder)
}

fn entries(folder: &Path, keep: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| keep(p)).collect();
    found.sort();
    found
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_call_of_the_calculator_agrees() {
    let folder = source("stats/cases");
    let files = entries(&folder, |path| path.extension().is_some_and(|e| e == "json"));
    assert!(files.len() >= 169, "cases are missing below {}", folder.display());
    let cases: Vec<Value> = files.iter().map(|file| read(file)).collect();
    let requests: String = cases.iter().map(|case| format!("{}\n", expand(&case["request"]))).collect();
    let ran = fed(&folder, &["stats"], requests.as_bytes());
    // Some of the cases are about requests that cannot be answered.
    assert_eq!(ran.code, 2, "{}", ran.err);
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), cases.len());
    let mut problems = vec![];
    for (case, answer) in cases.iter().zip(&answers) {
        for (field, expected) in case["expect"].as_object().unwrap() {
            let found = answer.get(field).unwrap_or(&Value::Null);
            let agrees = match field.as_str() {
                "error" => found.as_str().is_some_and(|text| !text.is_empty()),
                _ => is_near(&expected["value"], found, &expected["rel"], &expected["abs"]),
            };
            if !agrees {
                problems.push(format!("{}: {field}: expected {}, found {found}", case["id"], expected["value"]));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Replaces generated samples by their numbers.
fn expand(request: &Value) -> Value {
    let number = |rule: &Value, key: &str| rule[key].as_f64().unwrap();
    let weyl = |rule: &Value| -> Value {
        let value = |i: u64| {
            let f = number(rule, "add") + i as f64 * number(rule, "mul");
            number(rule, "shift") + number(rule, "scale") * (f - f.floor())
        };
        (1..=rule["n"].as_u64().unwrap()).map(value).collect::<Vec<f64>>().into()
    };
    let fields = request.as_object().unwrap().iter();
    fields.map(|(key, value)| (key.clone(), if value["gen"] == "weyl" { weyl(value) } else { value.clone() })).collect()
}

fn is_near(expected: &Value, found: &Value, rel: &Value, abs: &Value) -> bool {
    match (expected, found) {
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(e, f)| is_near(e, f, rel, abs))
        }
        (Value::Number(e), Value::Number(f)) => {
            let tolerance =
                if e.is_f64() { (rel.as_f64().unwrap_or(0.0), abs.as_f64().unwrap_or(0.0)) } else { (0.0, 0.0) };
            near(e.as_f64().unwrap(), f.as_f64().unwrap(), tolerance)
        }
        _ => expected == found,
    }
}

fn near(expected: f64, found: f64, (rel, abs): (f64, f64)) -> bool {
    (found - expected).abs() <= (rel * expected.abs()).max(abs)
}

#[test]
fn every_comparison_and_correlation_agrees() {
    let root = source("compare/cases");
    let folders = entries(&root, |path| path.join("case.json").exists());
    assert!(folders.len() >= 63, "cases are missing below {}", root.display());
    let problems: Vec<String> = folders.iter().flat_map(|folder| check(folder)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn check(folder: &Path) -> Vec<String> {
    let case = read(&folder.join("case.json"));
    let texts = |key: &str| case[key].as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_string());
    let mut arguments: Vec<String> = case["mode"].as_str().unwrap().split(' ').map(String::from).collect();
    arguments.extend(texts("files"));
    arguments.extend(texts("options").flat_map(|option| ["--option".to_string(), option]));
    arguments.push("--json".to_string());
    let ran = verism(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let mut problems = vec![];
    if Some(i64::from(ran.code)) != case["exit"].as_i64() {
        problems.push(format!("exit code {}: {}", ran.code, ran.err));
    } else if ran.code == 0 {
        differ(&read(&folder.join("expected.json")), &ran.json(), "report", "", &mut problems);
    } else {
        let said = ran.out + &ran.err;
        problems.extend(
            texts("error_words").filter(|word| !said.contains(word)).map(|word| format!("no {word:?}: {said}")),
        );
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    problems.iter().take(4).map(|problem| format!("{name}: {problem}")).collect()
}

/// Relative and absolute tolerance of a field of a table.
fn tolerance(field: &str) -> (f64, f64) {
    let is_end = |name: &str| name.ends_with("_lo") || name.ends_with("_hi") || name == "lo" || name == "hi";
    match field {
        name if name.starts_with("log10") => (1e-9, 1e-9),
        name if name == "p" || name.starts_with("p_") => (1e-9, 0.0),
        "d_lo" | "d_hi" | "g_lo" | "g_hi" | "dz_lo" | "dz_hi" | "mde" => (1e-7, 1e-9),
        name if is_end(name) || name.starts_with("min_diff") => (1e-9, 1e-12),
        _ => (1e-11, 1e-13),
    }
}

/// Notes where a report differs from an expectation.
fn differ(expected: &Value, found: &Value, at: &str, field: &str, problems: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (key, value) in expected {
                match found.get(key) {
                    Some(found) => differ(value, found, &format!("{at}.{key}"), key, problems),
                    None => problems.push(format!("{at}.{key}: missing")),
                }
            }
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
                differ(expected, found, &format!("{at}[{i}]"), field, problems);
            }
        }
        (Value::Number(e), Value::Number(f)) => {
            let tolerance = if e.is_f64() { tolerance(field) } else { (0.0, 0.0) };
            if !near(e.as_f64().unwrap(), f.as_f64().unwrap(), tolerance) {
                problems.push(format!("{at}: expected {e}, found {f}"));
            }
        }
        _ if expected == found => {}
        _ => problems.push(format!("{at}: expected {expected}, found {found}")),
    }
}

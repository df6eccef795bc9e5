//! The worked examples of the suites' READMEs hold.
//!
//! Blocks `csv file=…` or `jsonl file=…` are logs, `json file=…` too, with values that may span lines and are written one
//! per line; the next block `expect` says what they score: lines `<metric> <unit> = <number>`,
//! `<metric> <unit> = undefined <reason>`, `event <agent>@<year> <rule>`, `events <count>`, `audit <name> <count>`,
//! `table <name> <column>=<text>,… <column> = <number or text>`, `option key=value` (`LOGS` in it is the folder of the logs). Without a log of its own it is about the
//! logs of the block before.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use verism::suites::SUITES;

use crate::runner::{lines, run};

struct Example {
    /// Path and text of each log.
    logs: Vec<(String, String)>,
    /// Line in the README and text of each expectation.
    expected: Vec<(usize, String)>,
}

fn examples(readme: &str) -> Vec<Example> {
    let mut found: Vec<Example> = vec![];
    let mut logs = vec![];
    let mut numbered = readme.lines().enumerate();
    while let Some((_, line)) = numbered.next() {
        let Some(info) = line.strip_prefix("```").map(str::trim).filter(|info| !info.is_empty()) else { continue };
        let block: Vec<(usize, &str)> = numbered.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        if let Some((kind, file)) = info.split_once(" file=") {
            let text: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
            let text = if kind == "json" { one_per_line(&text.join("\n")) } else { text.join("\n") };
            logs.push((file.to_string(), text + "\n"));
        } else if info == "expect" {
            let expected =
                block.iter().map(|(i, line)| (i + 1, line.trim().to_string())).filter(|(_, line)| !line.is_empty());
            let expected = expected.collect();
            if logs.is_empty() {
                logs = found.last().map(|before| before.logs.clone()).unwrap_or_default();
            }
            found.push(Example { logs: std::mem::take(&mut logs), expected });
        }
    }
    found
}

/// JSON values, however they are laid out, as JSON lines.
fn one_per_line(text: &str) -> String {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Box<serde_json::value::RawValue>>();
    let lines = values.map(|value| value.unwrap().get().replace('\n', " "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_worked_example_holds() {
    for suite in SUITES {
        let facts = suite.facts();
        let examples = examples(facts.readme);
        assert!(examples.len() >= 7, "the README of {} has {} worked examples", facts.id, examples.len());
        for example in examples {
            check(facts.id, &example);
        }
    }
}

fn check(suite: &str, example: &Example) {
    let home = tempfile::tempdir().unwrap();
    let (logs, out) = (home.path().join("logs"), home.path().join("out"));
    for (file, text) in &example.logs {
        let path = logs.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let given = example.expected.iter().filter_map(|(_, line)| line.strip_prefix("option "));
    let given: Vec<String> = given.map(|option| option.replace("LOGS", &logs.display().to_string())).collect();
    let options: Vec<&str> = given.iter().map(String::as_str).collect();
    run(suite, &logs, &out, &options, false, None)
        .unwrap_or_else(|e| panic!("README of {suite}:{}: {e}", example.expected[0].0));
    for (number, line) in &example.expected {
        let holds = holds(&out, line);
        assert!(holds.is_ok(), "README of {suite}:{number}: {line}: {}", holds.unwrap_err());
    }
}

fn holds(out: &Path, line: &str) -> Result<(), String> {
    if line.starts_with("option ") {
        return Ok(());
    }
    if let Some(rest) = line.strip_prefix("table ") {
        return table_holds(out, rest);
    }
    if let Some((name, count)) = line.strip_prefix("audit ").and_then(|rest| rest.split_once(' ')) {
        let found = match out.join("audits.jsonl").exists() {
            true => lines(out, "audits.jsonl").iter().filter(|row| row["audit"] == name).count(),
            false => table(out, "audits").iter().filter(|row| row["audit"] == name).count(),
        };
        return if found.to_string() == count { Ok(()) } else { Err(format!("{found} audits")) };
    }
    if let Some(count) = line.strip_prefix("events ") {
        let events = lines(out, "events.jsonl");
        return if events.len().to_string() == count { Ok(()) } else { Err(format!("{} events", events.len())) };
    }
    if let Some((decision, rule)) = line.strip_prefix("event ").and_then(|rest| rest.split_once(' ')) {
        let is =
            |e: &Value| format!("{}@{}", e["agent_id"].as_str().unwrap(), e["year"]) == decision && e["rule"] == rule;
        return if lines(out, "events.jsonl").iter().any(is) { Ok(()) } else { Err("no such event".into()) };
    }
    let (left, right) = line.split_once(" = ").ok_or("an expectation has the form `metric unit = value`")?;
    let (metric, unit) = left.split_once(' ').ok_or("an expectation names metric and unit")?;
    let id = |row: &Value| {
        let part = |key: &str| row[key].as_str().map(String::from);
        ["model", "group", "run", "case"].into_iter().filter_map(part).collect::<Vec<_>>().join("/")
    };
    let rows = lines(out, "scores.jsonl");
    let row = rows.iter().find(|row| row["metric"] == metric && (row["unit"] == unit || id(row) == unit));
    let row = row.ok_or("no such score")?;
    let found = format!("{} {}", row["value"], row["undefined"]);
    let fits = match right.strip_prefix("undefined ") {
        Some(reason) => row["value"].is_null() && row["undefined"] == reason,
        None => {
            let expected: f64 = right.parse().map_err(|_| "a number or `undefined <reason>`")?;
            row["value"].as_f64().is_some_and(|value| near(value, expected))
        }
    };
    if fits { Ok(()) } else { Err(found) }
}

fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-12 * expected.abs().max(1.0)
}

/// Whether the one row of a table that fits has the value: `<name> <column>=<text>,… <column> = <value>`.
fn table_holds(out: &Path, rest: &str) -> Result<(), String> {
    let form = "a table's expectation has the form `name column=text,… column = value`";
    let (left, right) = rest.split_once(" = ").ok_or(form)?;
    let [name, keys, column] = left.split(' ').collect::<Vec<_>>()[..] else { return Err(form.into()) };
    let keys: Vec<(&str, &str)> = keys.split(',').filter_map(|key| key.split_once('=')).collect();
    let rows = table(out, name);
    let row = rows.iter().find(|row| keys.iter().all(|(key, text)| row.get(*key).is_some_and(|cell| cell == text)));
    let cell = row.and_then(|row| row.get(column)).ok_or("no such row or column")?;
    let fits = match (cell.parse(), right.parse()) {
        (Ok(value), Ok(expected)) => near(value, expected),
        _ => cell == right,
    };
    if fits { Ok(()) } else { Err(format!("{cell:?}")) }
}

/// The rows of a table by the names of its columns.
fn table(out: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(out.join("tables").join(format!("{name}.csv"))).unwrap();
    let mut rows = text.lines().map(cells);
    let header = rows.next().unwrap();
    rows.map(|row| header.iter().cloned().zip(row).collect()).collect()
}

/// The cells of a line of CSV; a comma in quotes does not end a cell.
fn cells(line: &str) -> Vec<String> {
    let mut quoted = false;
    let split = line.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    split.map(|cell| cell.trim_matches('"').to_string()).collect()
}

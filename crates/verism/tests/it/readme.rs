//! The worked examples of the suites' READMEs hold.
//!
//! Blocks `csv file=…` or `jsonl file=…` are logs; the next block `expect` says what they score: lines
//! `<metric> <unit> = <number>`, `<metric> <unit> = undefined <reason>`, `event <agent>@<year> <rule>`, `events <count>`,
//! `option key=value`.

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
    let mut found = vec![];
    let mut logs = vec![];
    let mut numbered = readme.lines().enumerate();
    while let Some((_, line)) = numbered.next() {
        let Some(info) = line.strip_prefix("```").map(str::trim).filter(|info| !info.is_empty()) else { continue };
        let block: Vec<(usize, &str)> = numbered.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        if let Some((_, file)) = info.split_once(" file=") {
            let text: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
            logs.push((file.to_string(), text.join("\n") + "\n"));
        } else if info == "expect" {
            let expected =
                block.iter().map(|(i, line)| (i + 1, line.trim().to_string())).filter(|(_, line)| !line.is_empty());
            found.push(Example { logs: std::mem::take(&mut logs), expected: expected.collect() });
        }
    }
    found
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
    let options: Vec<&str> = example.expected.iter().filter_map(|(_, line)| line.strip_prefix("option ")).collect();
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
    let events = lines(out, "events.jsonl");
    if let Some(count) = line.strip_prefix("events ") {
        return if events.len().to_string() == count { Ok(()) } else { Err(format!("{} events", events.len())) };
    }
    if let Some((decision, rule)) = line.strip_prefix("event ").and_then(|rest| rest.split_once(' ')) {
        let is =
            |e: &Value| format!("{}@{}", e["agent_id"].as_str().unwrap(), e["year"]) == decision && e["rule"] == rule;
        return if events.iter().any(is) { Ok(()) } else { Err("no such event".into()) };
    }
    let (left, right) = line.split_once(" = ").ok_or("an expectation has the form `metric unit = value`")?;
    let (metric, unit) = left.split_once(' ').ok_or("an expectation names metric and unit")?;
    let id = |row: &Value| {
        let part = |key: &str| row[key].as_str().map(String::from);
        ["model", "group", "run", "case"].into_iter().filter_map(part).collect::<Vec<_>>().join("/")
    };
    let rows = lines(out, "scores.jsonl");
    let row = rows.iter().find(|row| row["metric"] == metric && id(row) == unit).ok_or("no such score")?;
    let found = format!("{} {}", row["value"], row["undefined"]);
    let fits = match right.strip_prefix("undefined ") {
        Some(reason) => row["value"].is_null() && row["undefined"] == reason,
        None => {
            let expected: f64 = right.parse().map_err(|_| "a number or `undefined <reason>`")?;
            row["value"].as_f64().is_some_and(|value| (value - expected).abs() <= 1e-12 * expected.abs().max(1.0))
        }
    };
    if fits { Ok(()) } else { Err(found) }
}

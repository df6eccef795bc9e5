//! Bad conversations: each is named by file, line and field, and loses no other one.

use std::fs;

use serde_json::{Value, json};

use crate::program::verism;

/// A conversation that can be scored.
fn good(dialogue: &str) -> Value {
    json!({
        "experiment": "a", "case": "1", "dialogue": dialogue, "level": 3,
        "messages": [
            {"role": "staff", "text": "Welcome."},
            {"role": "guest", "text": "Tea, please.", "order": ["Tea"], "tool_calls": []},
        ],
    })
}

/// A conversation with one thing changed.
fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut record = good("bad");
    change(&mut record);
    record
}

#[test]
fn the_first_thing_wrong_is_named_by_its_path() {
    let home = tempfile::tempdir().unwrap();
    for (record, field) in [
        (with(|r| r["level"] = json!(6)), "level"),
        (with(|r| r["level"] = json!("expert")), "level"),
        (with(|r| r["case"] = json!(null)), "case"),
        (with(|r| r["persona"] = json!(3)), "persona"),
        (with(|r| r["target_order"] = json!("tea")), "target_order"),
        (with(|r| r["messages"] = json!({})), "messages"),
        (with(|r| r["messages"][0]["role"] = json!("cook")), "messages[0].role"),
        (with(|r| r["messages"][1]["order"] = json!("tea")), "messages[1].order"),
        (
            with(|r| r["messages"][1]["order"] = json!([{"name": "Tea", "quantity": 1000}])),
            "messages[1].order[0].quantity",
        ),
        (with(|r| r["messages"][1]["tool_calls"] = json!({"name": "x"})), "messages[1].tool_calls"),
        (with(|r| r["messages"][1]["tool_calls"] = json!([{"result": 1}])), "messages[1].tool_calls[0].name"),
        (with(|r| r["messages"][1]["state"] = json!({"mood": ["casual"]})), "messages[1].state.mood"),
    ] {
        fs::write(home.path().join("log.jsonl"), format!("{}\n{record}\n", good("ok"))).unwrap();
        let ran = verism(home.path(), &["score", "guest", "log.jsonl", "-o", "out"]);
        assert_eq!(ran.code, 2, "{field}");
        assert!(ran.err.contains(&format!("log.jsonl:2: {field}:")), "{field}: {}", ran.err);
        assert!(!home.path().join("out").exists(), "{field}");
    }
}

#[test]
fn one_bad_conversation_does_not_lose_the_others() {
    let home = tempfile::tempdir().unwrap();
    let mut bytes = format!("{}\n", good("first")).into_bytes();
    // "Café" in Latin-1, a line cut off, a number that JSON does not know.
    bytes.extend(b"{\"experiment\": \"caf\xe9\"}\n{\"experiment\": \"a\", \"mess\n{\"level\": NaN}\n");
    bytes.extend(format!("{}\n{}\n", good("first"), good("second")).into_bytes());
    fs::write(home.path().join("log.jsonl"), bytes).unwrap();
    let ran = verism(home.path(), &["score", "guest", "log.jsonl", "--lenient", "-o", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let listed = fs::read_to_string(home.path().join("out/errors.jsonl")).unwrap();
    let errors: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let places: Vec<(u64, &str, &str)> = errors
        .iter()
        .map(|e| (e["line"].as_u64().unwrap(), e["code"].as_str().unwrap(), e["field"].as_str().unwrap()))
        .collect();
    let line = |number| (number, "bad_record", "line");
    assert_eq!(places, [line(2), line(3), line(4), (5, "duplicate_id", "dialogue")]);
    let table = fs::read_to_string(home.path().join("out/tables/conversations.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    let found = verism(home.path(), &["validate", "guest", "log.jsonl"]);
    assert_eq!((found.code, found.out.matches("log.jsonl:").count()), (2, 4), "{}", found.out);
}

#[test]
fn what_was_not_recorded_is_no_error() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("log.jsonl"), "{\"experiment\": \"a\", \"case\": 1, \"messages\": []}\n").unwrap();
    let ran = verism(home.path(), &["score", "guest", "log.jsonl", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = ran.json();
    let reason = |metric: &str| {
        let rows = report["scores"].as_array().unwrap();
        rows.iter().find(|row| row["metric"] == metric).unwrap()["undefined"].clone()
    };
    assert_eq!(reason("pas"), "empty_denominator");
    assert_eq!(reason("ora"), "missing_field:target_order");
    assert_eq!(reason("dei"), "missing_field:level");
    assert_eq!(reason("crrs"), "missing_component:pas+bvs+ora+dei");
}

#[test]
fn a_huge_order_does_not_stall() {
    let home = tempfile::tempdir().unwrap();
    let lines: Vec<Value> = (0..100)
        .map(|i| json!({"name": "Bowl", "quantity": 999, "modifiers": [format!("m{i}"), format!("n{}", i % 7)]}))
        .collect();
    let mut record = good("huge");
    record["target_order"] = json!(lines);
    record["messages"][1]["order"] = json!(lines.iter().rev().collect::<Vec<_>>());
    fs::write(home.path().join("log.jsonl"), record.to_string()).unwrap();
    let ran = verism(home.path(), &["score", "guest", "log.jsonl", "--json"]);
    let report = ran.json();
    let som = report["scores"].as_array().unwrap().iter().find(|row| row["metric"] == "som").unwrap();
    // Every line finds its equal: 100 lines of 999 pieces, each 1 + 2 units.
    assert_eq!((&som["value"], &som["evidence"]["U"]), (&json!(1.0), &json!(299_700)));
}

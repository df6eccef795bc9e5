//! What is wrong is said with its place, ends with the right code, and leaves earlier results alone.

use std::fs;
use std::path::Path;

use crate::program::{Ran, fed, verism, write_tree};

fn score(root: &Path, more: &[&str]) -> Ran {
    verism(root, &[&["score", "adaptation", "logs", "-o", "out"], more].concat())
}

fn log(root: &Path) -> std::path::PathBuf {
    root.join("logs/m/Group_B/Run_1/simulation_log.csv")
}

/// A tree with one earlier result; then the log is changed.
fn changed(change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> (tempfile::TempDir, Vec<u8>) {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    assert_eq!(score(home.path(), &[]).code, 0);
    let before = fs::read(home.path().join("out/scores.jsonl")).unwrap();
    let path = log(home.path());
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, change(bytes)).unwrap();
    (home, before)
}

/// Scoring fails with this beginning of its message and the earlier result still stands.
fn refused(change: impl FnOnce(Vec<u8>) -> Vec<u8>, message: &str) {
    let (home, before) = changed(change);
    let ran = score(home.path(), &[]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.starts_with(&format!("error: m/Group_B/Run_1/simulation_log.csv{message}")), "{}", ran.err);
    assert_eq!(fs::read(home.path().join("out/scores.jsonl")).unwrap(), before);
    let names: Vec<_> = fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "something was left behind: {names:?}");
}

fn replaced(from: &'static str, to: &'static str) -> impl FnOnce(Vec<u8>) -> Vec<u8> {
    move |bytes| String::from_utf8(bytes).unwrap().replacen(from, to, 1).into_bytes()
}

#[test]
fn defects_name_file_line_and_field() {
    refused(replaced("yearly_decision", "yearly"), ":1: yearly_decision: missing column");
    refused(replaced("agent_id", "agent"), ":1: agent_id: missing column: expected column agent_id");
    refused(replaced("a1,2,", "a1,two,"), ":3: year: bad value: expected a whole number, found \"two\"");
    refused(replaced("a1,2,", "a1,,"), ":3: year: missing field");
    refused(replaced("a2,1,", "a1,1,"), ":4: year: duplicate agent year: expected one row per agent and step");
    refused(
        replaced("a1,2,elevate_house", "a1,2,elevate_house,extra"),
        ":3: ragged row: expected 10 cells, found \"11\"",
    );
    refused(replaced("a2,1,do_nothing", "a2,1,\"do_nothing"), ":4: unterminated quote");
    refused(replaced("retry_count", "elevated"), ":1: elevated: duplicate column");
    refused(|_| vec![], ": empty file");
    refused(
        |mut bytes| {
            let at = bytes.len() - 40;
            bytes[at] = 0xff;
            bytes
        },
        ":5: bad utf8",
    );
}

#[test]
fn lenient_goes_on_and_the_ledger_says_what_was_left_out() {
    let (home, _) = changed(replaced("a1,2,", "a1,two,"));
    let ran = score(home.path(), &["--lenient"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(home.path().join("out/manifest.json")).unwrap()).unwrap();
    let rows = manifest["ledger"]["rows"].as_array().unwrap();
    assert_eq!(rows.iter().find(|row| row["group"] == "Group_B").unwrap()["excluded"]["bad_value:year"], 1);
    let errors = fs::read_to_string(home.path().join("out/errors.jsonl")).unwrap();
    assert!(errors.contains("\"line\":3"), "{errors}");
}

#[test]
fn a_damaged_parquet_file_is_unreadable() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("flat.parquet"), b"PAR1 this is no parquet file PAR1").unwrap();
    let ran = verism(home.path(), &["score", "adaptation", "flat.parquet", "-o", "out"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: flat.parquet: unreadable"), "{}", ran.err);
    assert!(!home.path().join("out").exists());
}

#[test]
fn an_error_while_reading_is_told() {
    // Reading the memory of a process at address 0 fails in the middle of the job, whoever asks.
    #[cfg(target_os = "linux")]
    {
        let home = tempfile::tempdir().unwrap();
        write_tree(&home.path().join("logs"));
        fs::remove_file(log(home.path())).unwrap();
        std::os::unix::fs::symlink("/proc/self/mem", log(home.path())).unwrap();
        let ran = score(home.path(), &[]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.starts_with("error: m/Group_B/Run_1/simulation_log.csv: unreadable"), "{}", ran.err);
        assert!(!home.path().join("out").exists());
        assert_eq!(score(home.path(), &["--lenient"]).code, 0);
    }
}

#[test]
fn an_empty_folder_and_a_missing_one_are_no_input() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("logs")).unwrap();
    let ran = score(home.path(), &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no input") && ran.err.contains("hint:"), "{}", ran.err);
    let ran = verism(home.path(), &["score", "adaptation", "nowhere", "-o", "out"]);
    assert!(ran.code == 2 && ran.err.contains("nowhere"), "{}", ran.err);
    let ran = fed(home.path(), &["score", "adaptation", "-", "-o", "out"], b"");
    assert!(ran.code == 2 && ran.err.contains("empty file"), "{}", ran.err);
}

#[test]
fn a_place_that_cannot_be_written_is_told_and_nothing_is_lost() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    fs::write(home.path().join("out"), "a file").unwrap();
    let ran = score(home.path(), &[]);
    assert!(ran.code == 2 && ran.err.contains("bad output"), "{}", ran.err);
    assert_eq!(fs::read_to_string(home.path().join("out")).unwrap(), "a file");
    #[cfg(target_os = "linux")]
    {
        let ran = verism(home.path(), &["score", "adaptation", "logs", "-o", "/proc/out"]);
        assert!(ran.code == 2 && ran.err.contains("cannot write"), "{}", ran.err);
    }
}

#[test]
fn a_group_without_its_baseline_is_a_warning() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    let ran = score(home.path(), &["--option", "baseline=control"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("warning:") && ran.err.contains("control"), "{}", ran.err);
    let manifest = fs::read_to_string(home.path().join("out/manifest.json")).unwrap();
    assert!(manifest.contains("m/Group_B/Run_1"));
}

#[test]
fn unknown_suites_options_and_metrics_list_the_known_ones() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    for (arguments, part) in [
        (vec!["score", "adaption", "logs", "-o", "out"], "expected adaptation"),
        (vec!["score", "adaptation", "logs", "-o", "out", "--option", "baselin=x"], "reading|pack|baseline"),
        (vec!["score", "adaptation", "logs", "-o", "out", "--option", "rows"], "key=value"),
        (vec!["score", "adaptation", "logs", "-o", "out", "--option", "rows=maybe"], "true or false"),
        (vec!["explain", "adaptation.nothing"], "r_h|r_r"),
        (vec!["score", "adaptation", "logs", "-o", "out", "--config", "none.toml"], "bad config"),
        (vec!["why", "logs", "--unit", "a1@1"], "not a result"),
    ] {
        let ran = verism(home.path(), &arguments);
        assert!(ran.code == 2 && ran.err.contains(part), "{arguments:?}: {} {}", ran.code, ran.err);
    }
}

#[test]
fn an_error_in_json_has_the_keys_of_the_contract() {
    let (home, _) = changed(replaced("a1,2,", "a1,two,"));
    let ran = verism(home.path(), &["score", "adaptation", "logs", "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["error"];
    assert_eq!(
        error,
        &serde_json::json!({"code": "bad_value", "file": "m/Group_B/Run_1/simulation_log.csv", "line": 3, "field": "year",
            "value": "two", "expected": "a whole number"})
    );
}

#[test]
fn a_repeated_dialogue_in_a_json_document_has_no_line() {
    let home = tempfile::tempdir().unwrap();
    let record = r#"{"experiment":"a","case":"1","conversation":[{"speaker":"USER","text":"x"}]}"#;
    std::fs::write(home.path().join("twice.json"), format!("[{record},{record}]")).unwrap();
    let ran = verism(home.path(), &["score", "recommender", "twice.json", "--json"]);
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["code"], error["line"].is_null()), (2, &"duplicate_id".into(), true), "{error}");
}

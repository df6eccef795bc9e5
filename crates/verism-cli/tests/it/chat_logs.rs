//! Chat logs of other programs: scored by name, converted, and refused where something is missing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{fed, verism, write_tree};

fn samples() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/chat-logs")).unwrap()
}

/// The samples with their formats.
fn logs() -> Vec<(&'static str, PathBuf)> {
    let tau = "tool-calling-small-0.0_range_0--1_user-large-llm.json";
    let files = [
        ("chat", "guests.jsonl"),
        ("chat", "jokes.json"),
        ("tau-bench", tau),
        ("tau-bench", "tau2-bench.json"),
        ("inspect", "inspect.json"),
        ("inspect", "inspect.eval"),
    ];
    files.into_iter().map(|(format, name)| (format, samples().join(name))).collect()
}

const NAMED: [&str; 4] = ["--option", "experiment={file}", "--option", "case={line}"];

#[test]
fn every_log_scores_in_every_suite_as_the_file_that_convert_makes_of_it_and_in_shares() {
    for (format, log) in logs() {
        let log = log.to_str().unwrap();
        for suite in ["guest", "clinical", "recommender", "humor"] {
            let home = tempfile::tempdir().unwrap();
            let run = |arguments: &[&str]| {
                let ran = verism(home.path(), &[arguments, &["-q"]].concat());
                assert_eq!(ran.code, 0, "{suite} {log} {arguments:?}: {}", ran.err);
            };
            let scored = |folder: &str| fs::read(home.path().join(folder).join("scores.jsonl")).unwrap();
            run(&[&["score", suite, log, "-o", "direct"][..], &NAMED].concat());
            run(&[&["convert", format, log, "--suite", suite, "-o", "records.jsonl"][..], &NAMED].concat());
            run(&["score", suite, "records.jsonl", "-o", "converted"]);
            assert!(!scored("direct").is_empty(), "{suite} {log}");
            assert!(scored("direct") == scored("converted"), "{suite} {log}");
            if !["guest", "humor"].contains(&suite) {
                continue;
            }
            for (share, place) in [("1/2", "one"), ("2/2", "two")] {
                run(&[&["score", suite, log, "-o", place, "--shard", share][..], &NAMED].concat());
            }
            run(&["merge", "two", "one", "-o", "joined"]);
            let file = |folder: &str, name: &str| fs::read(home.path().join(folder).join(name)).unwrap();
            for name in ["scores.jsonl", "manifest.json"] {
                assert!(file("direct", name) == file("joined", name), "{suite} {log}: {name}");
            }
        }
    }
}

// By hand: two answers of one case in two epochs, the model in the head of the log.
#[test]
fn an_archive_and_a_document_of_inspect_give_the_same_records() {
    let home = tempfile::tempdir().unwrap();
    let records = |name: &str| {
        let log = samples().join(name);
        let ran =
            verism(home.path(), &["convert", "inspect", log.to_str().unwrap(), "--suite", "humor", "-o", "r.jsonl"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        fs::read_to_string(home.path().join("r.jsonl")).unwrap()
    };
    let first = r#"{"experiment":"mock/large","run":"1","id":"dm-1","context":"What do my results say?","text":"Your HbA1c is 8.4% and your blood pressure is 131/74 mmHg. You take metformin."}"#;
    assert_eq!(records("inspect.eval").lines().next(), Some(first));
    assert_eq!(records("inspect.eval"), records("inspect.json"));
}

#[test]
fn what_is_missing_is_named_with_the_option_that_supplies_it() {
    let home = tempfile::tempdir().unwrap();
    let line = r#"{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello there"}]}"#;
    fs::write(home.path().join("a.jsonl"), line).unwrap();
    for suite in ["guest", "clinical", "recommender", "humor"] {
        let ran = verism(home.path(), &["score", suite, "a.jsonl", "-o", "out"]);
        assert_eq!(ran.code, 2, "{suite}");
        let said = "experiment and case are missing: supply with --option experiment=NAME --option case={line}";
        assert!(ran.err.contains("a.jsonl:1: experiment") && ran.err.contains(said), "{suite}: {}", ran.err);
    }
    let ran = verism(home.path(), &["convert", "chat", "a.jsonl", "-o", "b.jsonl"]);
    assert!(ran.code == 2 && ran.err.contains("--suite"), "{}", ran.err);
    let ran = verism(home.path(), &["score", "guest", "a.jsonl", "-o", "out", "--option", "experimnt=a"]);
    assert!(ran.code == 2 && ran.err.contains("did you mean experiment?"), "{}", ran.err);
    let ran = verism(home.path(), &["score", "guest", "a.jsonl", "-o", "out", "--option", "wieghts=a"]);
    assert!(ran.code == 2 && ran.err.contains("did you mean weights?"), "{}", ran.err);
}

#[test]
fn options_supply_ids_to_native_records_of_every_suite_and_to_csv_logs() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    write("guest.jsonl", r#"{"messages":[{"role":"guest","text":"Hi"}]}"#);
    write("clinical.jsonl", r#"{"turn":1,"answer":"Rest."}"#);
    write(
        "recommender.jsonl",
        r#"{"conversation":[{"speaker":"USER","text":"Hi"},{"speaker":"SYSTEM","text":"Hello"}]}"#,
    );
    write("humor.jsonl", r#"{"id":"j","text":"Ha"}"#);
    write("humor.csv", "id,text\nj,Ha\n");
    write("turns.csv", "turn,user,system\n1,Hi,Hello\n");
    write("list.json", r#"[{"conversation":[{"speaker":"USER","text":"Hi"},{"speaker":"SYSTEM","text":"Hello"}]}]"#);
    write("log.csv", "message_id,role,content,name,tool_calls\n1,agent,Hi,,\n");
    for (suite, file) in [
        ("guest", "guest.jsonl"),
        ("guest", "log.csv"),
        ("clinical", "clinical.jsonl"),
        ("recommender", "recommender.jsonl"),
        ("humor", "humor.jsonl"),
        ("humor", "humor.csv"),
        ("recommender", "turns.csv"),
        ("recommender", "list.json"),
    ] {
        let options = ["--option", "experiment={file}-x", "--option", "run=7", "--option", "case=c"];
        let ran = verism(home.path(), &[&["score", suite, file, "--json"][..], &options].concat());
        assert_eq!(ran.code, 0, "{suite} {file}: {}", ran.err);
        let row = &ran.json()["scores"][0];
        let stem = file.split('.').next().unwrap();
        assert_eq!((row["experiment"].as_str(), row["run"].as_str()), (Some(format!("{stem}-x").as_str()), Some("7")));
    }
}

#[test]
fn folders_hold_what_the_specification_says() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("logs")).unwrap();
    let line = r#"{"case":"1","experiment":"e","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}"#;
    fs::write(home.path().join("logs/a.jsonl"), line).unwrap();
    let ran = verism(home.path(), &["score", "clinical", "logs", "-o", "out"]);
    assert!(ran.code == 2 && ran.err.contains("answer"), "{}", ran.err);
    assert_eq!(verism(home.path(), &["score", "clinical", "logs/a.jsonl", "-o", "out"]).code, 0);
}

#[test]
fn a_log_without_what_metrics_need_is_told_so_on_the_terminal_and_in_the_manifest() {
    let home = tempfile::tempdir().unwrap();
    let log = samples().join("tau2-bench.json");
    let ran = verism(home.path(), &["score", "guest", log.to_str().unwrap(), "-o", "out"]);
    assert_eq!(ran.code, 0);
    let manifest = fs::read_to_string(home.path().join("out/manifest.json")).unwrap();
    for said in ["it needs target_order (in 0 of 1 records)", "no headline metric of guest has a value"] {
        assert!(ran.err.contains(said) && manifest.contains(said), "{}", ran.err);
    }
}

#[test]
fn validate_says_what_score_would_of_standard_input_too() {
    let home = tempfile::tempdir().unwrap();
    let line = br#"{"experiment":"e","case":"1","messages":[{"role":"guest","text":"Hi"}]}"#;
    let ran = fed(home.path(), &["validate", "guest", "-"], line);
    assert!(ran.code == 0 && ran.err.contains("it needs target_order (in 0 of 1 records)"), "{}", ran.err);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_is_scored_into_itself_as_often_as_one_likes() {
    let home = tempfile::tempdir().unwrap();
    let line = r#"{"experiment":"e","case":"1","messages":[{"role":"guest","text":"Hi"}]}"#;
    fs::write(home.path().join("a.jsonl"), line).unwrap();
    let mut before = vec![];
    for _ in 0..3 {
        let ran = verism(home.path(), &["score", "guest", ".", "-o", "out"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let now = fs::read(home.path().join("out/scores.jsonl")).unwrap();
        assert!(before.is_empty() || before == now);
        before = now;
    }
    write_tree(&home.path().join("tree"));
    for _ in 0..2 {
        let ran = verism(&home.path().join("tree"), &["score", "adaptation", ".", "-o", "out"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    // What is read is still not replaced.
    let ran = verism(home.path(), &["compare", "out", "-o", "out", "--force"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn logs_that_are_read_as_a_whole_have_a_limit_that_names_its_option() {
    let home = tempfile::tempdir().unwrap();
    let log = format!("message_id,role,content,name,tool_calls\n1,agent,{},,\n", "x".repeat(4000));
    fs::write(home.path().join("log.csv"), log).unwrap();
    write_tree(&home.path().join("tree"));
    let small = ["--max-record-bytes", "300"];
    let list = samples().join("jokes.json");
    for arguments in [
        &["score", "guest", "log.csv", "--json", "--option", "experiment=e"][..],
        &["score", "adaptation", "tree", "--json", "--option", "reading=v6-script"],
        &["convert", "chat", list.to_str().unwrap(), "--suite", "humor", "-o", "r.jsonl"],
    ] {
        let ran = verism(home.path(), &[arguments, &small].concat());
        assert!(ran.code == 2 && format!("{}{}", ran.out, ran.err).contains("too"), "{arguments:?}: {}", ran.err);
        assert!(format!("{}{}", ran.out, ran.err).contains("--max-record-bytes"), "{arguments:?}: {}", ran.err);
        assert_eq!(verism(home.path(), arguments).code, 0, "{arguments:?}");
    }
}

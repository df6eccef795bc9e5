//! Foreign logs as native records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::program::{Ran, verism};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../verism/src/suites/guest/cases")
}

/// The trees of the original project among the cases, with the options that they are scored with.
fn trees() -> Vec<(PathBuf, Vec<String>)> {
    let folders = fs::read_dir(cases()).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.join("input/experiments").is_dir()).collect();
    folders.sort();
    let options = |folder: &Path| {
        let case: Value = serde_json::from_str(&fs::read_to_string(folder.join("case.json")).unwrap()).unwrap();
        let options = case["options"].as_object().unwrap().clone();
        options
            .iter()
            .flat_map(|(key, value)| ["--option".into(), format!("{key}={}", value.as_str().unwrap())])
            .collect()
    };
    folders.iter().map(|folder| (folder.join("input"), options(folder))).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn run(folder: &Path, before: &[&str], options: &[String]) -> Ran {
    let all: Vec<&str> = before.iter().copied().chain(options.iter().map(String::as_str)).collect();
    verism(folder, &all)
}

/// A tree of one log with a guest's message for each given id.
fn write_log(root: &Path, experiment: &str, name: &str, rows: &str) {
    let folder = root.join("experiments").join(experiment).join("logs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), format!("message_id,role,content,name,tool_calls\n{rows}")).unwrap();
}

#[test]
fn what_was_converted_scores_as_the_original_with_evidence_and_audits() {
    let mut good = 0;
    for (tree, options) in trees() {
        let home = tempfile::tempdir().unwrap();
        let input = tree.to_str().unwrap();
        let converted = verism(home.path(), &["convert", "guest-csv", input, "-o", "native.jsonl"]);
        let original = run(home.path(), &["score", "guest", input, "--json"], &options);
        assert_eq!(converted.code, original.code, "{input}: {} {}", converted.err, original.err);
        if original.code != 0 {
            assert!(names(home.path()).is_empty(), "{input}");
            continue;
        }
        good += 1;
        let native = run(home.path(), &["score", "guest", "native.jsonl", "--json"], &options);
        assert_eq!(native.code, 0, "{input}: {}", native.err);
        assert_eq!(native.json(), original.json(), "{input}");
        let audits = original.json()["tables"]["audits"].as_array().unwrap().len();
        assert!(audits > 0 && original.json()["scores"][0]["evidence"].is_object(), "{input}");
    }
    assert!(good >= 4, "trees are missing below {}", cases().display());
}

#[test]
fn a_bad_log_is_named_and_leaves_the_earlier_file() {
    let home = tempfile::tempdir().unwrap();
    write_log(&home.path().join("tree"), "exp1", "a.csv", "1,assistant,hi,,\n");
    write_log(&home.path().join("tree"), "exp2", "b.csv", "1,agent,hi,,\n2,cook,hi,,\n");
    fs::write(home.path().join("out.jsonl"), "earlier").unwrap();
    let ran = verism(home.path(), &["convert", "guest-csv", "tree", "-o", "out.jsonl", "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["error"];
    assert_eq!(
        [&error["code"], &error["file"], &error["line"], &error["field"]],
        [&json!("bad_record"), &json!("b.csv"), &json!(3), &json!("role")]
    );
    assert!(ran.err.contains("b.csv:3: role"), "{}", ran.err);
    assert_eq!(fs::read_to_string(home.path().join("out.jsonl")).unwrap(), "earlier");
    assert_eq!(names(home.path()), ["out.jsonl", "tree"]);
    let ran = verism(home.path(), &["convert", "guest-csv", "tree", "-o", "out.jsonl", "--lenient", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!((&ran.json()["records"], &ran.json()["errors"][0]["file"]), (&json!(1), &json!("b.csv")));
    assert!(ran.err.contains("left out: b.csv:3"), "{}", ran.err);
    let text = fs::read_to_string(home.path().join("out.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 1);
    // By hand: the fields of section 2.1 that a log of one staff message has.
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({"experiment": "exp1", "run": "1", "case": "a", "dialogue": "a", "level": 1,
               "persona": {"id": null, "bio": ""}, "messages": [{"id": "1", "role": "staff", "text": "hi"}]})
    );
}

#[test]
fn logs_given_by_name_take_the_options_of_the_suite() {
    let home = tempfile::tempdir().unwrap();
    write_log(home.path(), "any", "x.csv", "1,agent,hi,,\n");
    let log = "experiments/any/logs/x.csv";
    let ran = verism(home.path(), &["convert", "guest-csv", log, "-o", "out.jsonl"]);
    assert!(ran.code == 2 && ran.err.contains("--option experiment=NAME"), "{}", ran.err);
    let ran = verism(home.path(), &["convert", "guest-csv", log, log, "-o", "o.jsonl", "--option", "experiment=e"]);
    assert!(ran.code == 2 && ran.err.contains("duplicate id"), "{}", ran.err);
    let options = ["--option", "experiment=e", "--option", "levels=e:3"].map(String::from);
    let ran = run(home.path(), &["convert", "guest-csv", log, "-o", "new/folder/out.jsonl"], &options);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record: Value = serde_json::from_slice(&fs::read(home.path().join("new/folder/out.jsonl")).unwrap()).unwrap();
    assert_eq!((&record["experiment"], &record["level"]), (&json!("e"), &json!(3)));
    let ran = verism(home.path(), &["convert", "guest-csv", log, "-o", "o.jsonl", "--option", "colour=red"]);
    assert!(ran.code == 2 && ran.err.contains("colour"), "{}", ran.err);
}

#[test]
fn what_cannot_be_converted_or_replaced_is_refused() {
    let home = tempfile::tempdir().unwrap();
    write_log(&home.path().join("tree"), "exp1", "a.csv", "1,agent,hi,,\n");
    fs::create_dir(home.path().join("empty")).unwrap();
    fs::create_dir_all(home.path().join("tree2/experiments")).unwrap();
    fs::write(home.path().join("native.jsonl"), "{}\n").unwrap();
    for (arguments, said) in [
        (["guest-csv", "native.jsonl", "out.jsonl"], "need no conversion"),
        (["guest-csv", "-", "out.jsonl"], "need no conversion"),
        (["guest-csv", "tree2", "out.jsonl"], "nothing to score"),
        (["guest-csv", "nowhere", "out.jsonl"], "nowhere"),
        (["chats", "tree", "out.jsonl"], "guest-csv"),
        (["chat", "tree", "out.jsonl"], "--suite"),
        (["guest-csv", "tree", "out.csv"], ".csv"),
        (["guest-csv", "tree", "empty"], "folders and devices"),
        (["guest-csv", "tree", "/dev/null"], "folders and devices"),
    ] {
        let [from, input, output] = arguments;
        let ran = verism(home.path(), &["convert", from, input, "-o", output]);
        assert!(ran.code == 2 && ran.err.contains(said), "{arguments:?}: {} {}", ran.code, ran.err);
    }
    let log = "tree/experiments/exp1/logs/a.csv";
    fs::rename(home.path().join(log), home.path().join("log.txt")).unwrap();
    let options = ["--option", "format=original_csv", "--option", "experiment=e"].map(String::from);
    let ran = run(home.path(), &["convert", "guest-csv", "log.txt", "-o", "log.txt"], &options);
    assert!(ran.code == 2 && ran.err.contains("not an input"), "{}", ran.err);
    assert_eq!(names(home.path()), ["empty", "log.txt", "native.jsonl", "tree", "tree2"]);
}

#[test]
fn the_help_tells_what_can_be_converted() {
    let home = tempfile::tempdir().unwrap();
    let ran = verism(home.path(), &["convert", "--help"]);
    for part in ["guest-csv: CSV logs of the original project", "verism convert guest-csv project/ -o guest.jsonl"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

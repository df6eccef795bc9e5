//! Suite `humor` as its users run it.

use std::fs;

use serde_json::json;

use crate::program::verism;

#[test]
fn bad_rows_of_a_corpus_stand_beside_an_error() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at("marks.jsonl"), "{\"text\":\"?!\"}\n{\"text\":5}\n").unwrap();
    fs::write(at("cards.jsonl"), "{\"text\":\"a b\"}\n{\"text\":null}\n").unwrap();
    fs::write(at("in.jsonl"), "{\"id\":1}\n").unwrap();
    // No token at all: the specification's `bad_corpus`, with the row of the wrong type beside it.
    let train = verism(home.path(), &["train", "humor", "marks.jsonl", "-o", "m.vrm", "--lenient", "--json"]);
    let said = train.json();
    assert_eq!((train.code, &said["error"]["code"]), (2, &json!("bad_corpus")), "{}", train.err);
    assert_eq!((&said["corpus_errors"][0]["code"], &said["corpus_errors"][0]["line"]), (&json!("bad_type"), &json!(2)));
    assert!(said.get("errors").is_none() && !at("m.vrm").exists());
    // A sound corpus with a bad row, and no record left: both lists.
    let score = ["score", "humor", "in.jsonl", "--json", "--lenient", "--option", "corpus=cards.jsonl"];
    let ran = verism(home.path(), &score);
    let said = ran.json();
    assert_eq!((ran.code, &said["error"]["code"]), (2, &json!("empty_input")), "{}", ran.err);
    assert_eq!((&said["errors"][0]["code"], &said["errors"][0]["field"]), (&json!("missing_field"), &json!("text")));
    assert_eq!(
        (&said["corpus_errors"][0]["code"], &said["corpus_errors"][0]["line"]),
        (&json!("missing_field"), &json!(2))
    );
    // Strict: the first bad row alone.
    let strict = verism(home.path(), &["train", "humor", "cards.jsonl", "-o", "m.vrm", "--json"]);
    assert_eq!((strict.code, strict.json().get("corpus_errors")), (2, None));
}

#[test]
fn a_reference_of_another_dimension_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at("in.jsonl"), "{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"b\",\"embedding\":[1,0,0]}\n").unwrap();
    fs::write(at("r.jsonl"), "\n{\"id\":\"r\",\"text\":\"c\",\"embedding\":[1,0]}\n").unwrap();
    let ran = verism(home.path(), &["score", "humor", "in.jsonl", "--json", "--option", "reference=r.jsonl"]);
    let error = &ran.json()["error"];
    // Section 2.1 of the specification: one dimension in the whole input and the reference, that of the records.
    let wanted = json!({"code": "dimension_mismatch", "file": "r.jsonl", "line": 2, "field": "embedding"});
    let found = |key: &str| error[key].clone();
    let found = json!({"code": found("code"), "file": found("file"), "line": found("line"), "field": found("field")});
    assert_eq!((ran.code, found), (2, wanted), "{}", ran.err);
}

#[test]
fn a_column_that_stands_twice_is_told() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at("in.csv"), "id,text,text,,\na,one,two,,\n").unwrap();
    fs::write(at("corpus.csv"), "text,card_type,text\nhi,white,ho\n").unwrap();
    let job = ["score", "humor", "in.csv", "-o", "out"];
    let train = ["train", "humor", "corpus.csv", "-o", "m.vrm"];
    for (job, said) in [(job, "in.csv:1: text: duplicate column"), (train, "corpus.csv:1: text: duplicate column")] {
        let ran = verism(home.path(), &job);
        assert!(ran.code == 2 && ran.err.contains(said), "{}", ran.err);
    }
    // Columns without a name are none.
    fs::write(at("in.csv"), "id,text,,\na,one,,\n").unwrap();
    assert_eq!(verism(home.path(), &job).code, 0);
}

#[test]
fn a_comma_without_quotes_is_told_and_cuts_no_text() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    // A surplus of empty cells, as spreadsheets write them, is none; a shorter row lacks what it lacks.
    fs::write(at("in.csv"), "id,text,user\na,\"Hello, world\",u,,\nb,Hi\nc,Hello, world again\nd,Hello, world,u\n")
        .unwrap();
    let ran = verism(home.path(), &["score", "humor", "in.csv", "--lenient", "--json"]);
    let said = ran.json();
    let errors: Vec<_> =
        said["errors"].as_array().unwrap().iter().map(|e| (&e["code"], &e["line"], &e["expected"])).collect();
    assert_eq!(errors, [(&json!("bad_value"), &json!(5), &json!("3 cells"))], "{}", ran.err);
    let strict = verism(home.path(), &["score", "humor", "in.csv", "-o", "out"]);
    assert!(
        strict.code == 2 && strict.err.contains("in.csv:5") && strict.err.contains("double quotes"),
        "{}",
        strict.err
    );
    // Tokens of the corpus: hello world, hi.
    fs::write(at("corpus.csv"), "text,card_type\n\"Hello, world\",white,\nhi\nHello, world,white\n").unwrap();
    let ran = verism(home.path(), &["train", "humor", "corpus.csv", "-o", "m.vrm", "--lenient", "--json"]);
    let said = ran.json();
    assert_eq!((&said["model"]["tokens"], &said["corpus_errors"][0]["line"]), (&json!(3), &json!(4)), "{}", ran.err);
    assert_eq!(said["corpus_errors"][0]["code"], "bad_value");
}

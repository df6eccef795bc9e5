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

#[test]
fn a_quote_that_never_closes_costs_the_rows_behind_it_alone() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("in.csv"), "id,text\na,one\nb,two\nc,\"three\nd,four\n").unwrap();
    let said = verism(home.path(), &["score", "humor", "in.csv", "--lenient", "--json"]).json();
    let ids: std::collections::BTreeSet<_> =
        said["tables"]["items"].as_array().unwrap().iter().map(|item| item["item"].as_str().unwrap()).collect();
    assert_eq!(ids.into_iter().collect::<Vec<_>>(), ["a", "b"]);
    let error = &said["errors"][0];
    assert_eq!((&error["code"], &error["line"]), (&json!("bad_input"), &json!(4)));
    let strict = verism(home.path(), &["score", "humor", "in.csv", "-o", "out"]);
    assert!(strict.code == 2 && strict.err.contains("in.csv:4") && strict.err.contains("2 line(s)"), "{}", strict.err);
}

#[test]
fn what_is_wrong_with_a_line_or_a_header_is_told() {
    let home = tempfile::tempdir().unwrap();
    let cases = [
        ("nan.jsonl", "{\"id\":\"b\",\"text\":\"x\",\"embedding\":[NaN]}\n", "JSON has no NaN"),
        ("list.jsonl", "[{\"id\":\"b\",\"text\":\"x\"}]\n", "jq -c '.[]'"),
        ("pretty.jsonl", "{\n \"id\":\"b\"}\n", "jq -c ."),
        ("list.json", "[{\"id\":\"b\",\"text\":\"x\"}]\n", ".jsonl"),
        ("semicolon.csv", "id;text\na;one\n", "the header names `id;text`, and commas separate"),
    ];
    for (name, text, hint) in cases {
        fs::write(home.path().join(name), text).unwrap();
        let ran = verism(home.path(), &["score", "humor", name, "-o", "out"]);
        assert!(ran.code == 2 && ran.err.contains(hint), "{name}: {}", ran.err);
    }
    fs::write(home.path().join("corpus.csv"), "words\none\n").unwrap();
    let ran = verism(home.path(), &["train", "humor", "corpus.csv", "-o", "m.vrm"]);
    assert!(ran.code == 2 && ran.err.contains("there is no column `text`"), "{}", ran.err);
}

#[test]
fn training_replaces_models_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("precious.jsonl"), "{}\n").unwrap();
    let train = |place: &str| verism(home.path(), &["train", "humor", "builtin", "-o", place]);
    let refused = train("precious.jsonl");
    assert!(refused.code == 2 && refused.err.contains("an earlier model"), "{}", refused.err);
    assert_eq!(fs::read_to_string(home.path().join("precious.jsonl")).unwrap(), "{}\n");
    fs::write(home.path().join("m.vrm"), "").unwrap();
    assert_eq!((train("m.vrm").code, train("m.vrm").code), (0, 0));
}

/// Where the configuration lies counts, not where one stands; what is typed wins; a seed does no harm.
#[test]
fn a_configuration_is_understood_from_everywhere() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join("logs").join(name);
    fs::create_dir(home.path().join("logs")).unwrap();
    fs::write(at("in.jsonl"), "{\"id\":1,\"text\":\"a cat\"}\n").unwrap();
    fs::write(at("words.txt"), "a cat\na hat\n").unwrap();
    fs::write(at("verism.toml"), "[suite.humor]\ncorpus = [\"words.txt\"]\n").unwrap();
    let from_above = verism(home.path(), &["score", "humor", "logs/in.jsonl", "--json", "--seed", "3"]);
    let from_beside = verism(&home.path().join("logs"), &["score", "humor", "in.jsonl", "--json"]);
    assert_eq!((from_above.code, from_above.json()), (0, from_beside.json()), "{}", from_above.err);
    assert_eq!(verism(home.path(), &["train", "humor", "builtin", "-o", "m.vrm"]).code, 0);
    let typed = verism(home.path(), &["score", "humor", "logs/in.jsonl", "--json", "--option", "model=m.vrm"]);
    assert_eq!(typed.json()["options"]["model"], "m.vrm", "{}", typed.err);
    fs::write(at("verism.toml"), "[suite.humor]\nreadng = \"published\"\n").unwrap();
    let misspelt = verism(home.path(), &["score", "humor", "logs/in.jsonl", "-o", "out"]);
    assert!(misspelt.code == 2 && misspelt.err.contains("logs/verism.toml: readng"), "{}", misspelt.err);
}

#[test]
fn shares_with_an_embedding_model_are_the_whole() {
    let home = tempfile::tempdir().unwrap();
    let cards: String =
        (0..6).map(|i| format!("{{\"id\":{i},\"text\":\"a cat {i}\",\"context\":\"a _\"}}\n")).collect();
    fs::write(home.path().join("in.jsonl"), cards).unwrap();
    let model = format!("embed={}/../verism-embed/tests/tiny", env!("CARGO_MANIFEST_DIR"));
    let score = |more: &[&str]| {
        let job = [&["score", "humor", "in.jsonl", "--option", &model], more].concat();
        let ran = verism(home.path(), &job);
        assert_eq!(ran.code, 0, "{}", ran.err);
    };
    score(&["-o", "whole"]);
    score(&["-o", "s1", "--shard", "1/2"]);
    score(&["-o", "s2", "--shard", "2/2"]);
    let joined = verism(home.path(), &["merge", "s1", "s2", "-o", "joined"]);
    assert_eq!(joined.code, 0, "{}", joined.err);
    let rows = |folder: &str| fs::read(home.path().join(folder).join("scores.jsonl")).unwrap();
    assert_eq!(rows("joined"), rows("whole"));
    let elsewhere = verism(home.path(), &["merge", "s1", "s2", "-o", "other", "--option", "embed=nowhere"]);
    assert!(elsewhere.code == 2 && elsewhere.err.contains("nowhere"), "{}", elsewhere.err);
}

#[test]
fn what_was_not_given_is_said_with_the_way_to_give_it() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("in.jsonl"), "{\"id\":1,\"text\":\"a cat\"}\n").unwrap();
    fs::write(home.path().join("v.jsonl"), "{\"id\":1,\"text\":\"a cat\",\"embedding\":[1,0]}\n").unwrap();
    let said = |job: &[&str]| {
        let ran = verism(home.path(), &[&["score", "humor"], job, &["-o", "out", "--force"]].concat());
        let lines: String = [ran.out, ran.err].concat();
        ["corpus=builtin to try", "embed=auto"].map(|way| lines.contains(way))
    };
    assert_eq!(said(&["in.jsonl"]), [true, true]);
    assert_eq!(said(&["in.jsonl", "--option", "corpus=builtin"]), [false, true]);
    assert_eq!(said(&["v.jsonl"]), [true, false]);
}

/// Section 11 of the specification: the text and its batch have no unit in common.
#[test]
fn a_text_is_not_correlated_with_its_batch() {
    let home = tempfile::tempdir().unwrap();
    let cards: String = (0..9).map(|i| format!("{{\"id\":{i},\"text\":\"a cat {i}\"}}\n")).collect();
    fs::write(home.path().join("in.jsonl"), cards).unwrap();
    assert_eq!(verism(home.path(), &["score", "humor", "in.jsonl", "-o", "out"]).code, 0);
    let refused = verism(home.path(), &["correlate", "humor.entropy:humor.distinct_2", "out"]);
    assert!(
        refused.code == 2 && refused.err.contains("level item") && refused.err.contains("level batch"),
        "{}",
        refused.err
    );
    assert_eq!(verism(home.path(), &["correlate", "humor.entropy:humor.entropy_raw", "out"]).code, 0);
}

#[test]
fn bad_rows_of_a_corpus_are_told_when_scoring_goes_on() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("in.jsonl"), "{\"id\":1,\"text\":\"a cat\"}\n").unwrap();
    fs::write(home.path().join("corpus.jsonl"), "{\"text\":\"a cat\"}\n{\"text\":null}\n").unwrap();
    let job = ["score", "humor", "in.jsonl", "-o", "out", "--lenient", "--option", "corpus=corpus.jsonl"];
    let ran = verism(home.path(), &job);
    assert!(ran.code == 0 && ran.err.contains("1 row(s) passed over; corpus_errors.jsonl lists them"), "{}", ran.err);
}

#[test]
fn texts_of_a_reference_have_ids_of_their_own() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at("in.jsonl"), "{\"id\":1,\"text\":\"a\",\"embedding\":[1,0]}\n").unwrap();
    let row = |run: u8| format!("{{\"id\":1,\"run\":{run},\"text\":\"b\",\"embedding\":[0,1]}}\n");
    let score = || verism(home.path(), &["score", "humor", "in.jsonl", "--json", "--option", "reference=r.jsonl"]);
    fs::write(at("r.jsonl"), row(1) + &row(2)).unwrap();
    assert_eq!(score().code, 0);
    fs::write(at("r.jsonl"), row(1) + &row(1)).unwrap();
    let error = &score().json()["error"];
    assert_eq!(
        (&error["code"], &error["file"], &error["line"]),
        (&json!("duplicate_id"), &json!("r.jsonl"), &json!(2))
    );
}

/// Of a job that fails, too, the rows of corpora that were passed over are told.
#[test]
fn joined_shares_fail_as_the_whole_does() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at("in.jsonl"), "{\"id\":1}\n{\"id\":2}\n").unwrap();
    fs::write(at("corpus.jsonl"), "{\"text\":\"a cat\"}\n{\"text\":null}\n").unwrap();
    let job = ["score", "humor", "in.jsonl", "--lenient", "--option", "corpus=corpus.jsonl"];
    let whole = verism(home.path(), &[&job[..], &["--json"]].concat());
    for (share, place) in [("1/2", "s1"), ("2/2", "s2")] {
        assert_eq!(verism(home.path(), &[&job[..], &["--shard", share, "-o", place]].concat()).code, 0);
    }
    let joined = verism(home.path(), &["merge", "s1", "s2", "--json"]);
    assert_eq!((joined.code, joined.json()), (2, whole.json()));
    assert_eq!(whole.json()["corpus_errors"][0]["line"], 2);
}

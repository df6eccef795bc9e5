//! `verism why` for the suite `humor`: what a reviewer of texts sees.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::program::verism;

/// The sample set, scored.
fn sample() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/humor/logs");
    let ran = verism(home.path(), &["score", "humor", &logs.to_string_lossy(), "-o", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    home
}

/// The lines that `why` says, each at most 80 columns wide.
fn why(home: &TempDir, more: &[&str]) -> Vec<String> {
    let ran = verism(home.path(), &[&["why", "out", "--unit"], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "too wide:\n{}", ran.out);
    ran.out.lines().map(String::from).collect()
}

/// Whether some lines stand one after the other among others.
fn holds(lines: &[String], wanted: &[String]) -> bool {
    lines.windows(wanted.len()).any(|part| part == wanted)
}

#[test]
fn one_metric_is_told_in_the_words_of_the_whole() {
    let home = sample();
    let all = why(&home, &["wild-03"]);
    // The block of `overall` ends where that of `surprisal` begins.
    let at = |start: &str| all.iter().position(|line| line.starts_with(start)).unwrap();
    let overall = why(&home, &["wild-03", "--metric", "overall"]);
    assert!(holds(&overall, &all[at("overall ")..at("surprisal ")]), "{overall:#?}");
    let surprisal = why(&home, &["wild-03", "--metric", "surprisal"]);
    assert!(holds(&surprisal, &all[at("surprisal ")..at("surprisal ") + 6]), "{surprisal:#?}");
    // The text has nine words: `the soup of the day before yesterday, in court.`
    assert_eq!(surprisal.iter().filter(|line| line.ends_with(" nats")).count(), 9, "{surprisal:#?}");
    for metric in ["surprisal_raw", "kn_bits", "novelty_2", "f1", "pacs", "distinct_3", "intra_cluster_diversity"] {
        let unit = if metric.starts_with("di") || metric.starts_with("in") { "wild/1/night-1" } else { "wild-03" };
        let said = why(&home, &[unit, "--metric", metric]).join("\n");
        assert!(said.split("signature").next().unwrap().split('.').skip(1).all(short_fraction), "{metric}: {said}");
    }
}

/// Whether what follows a point has at most four digits.
fn short_fraction(after: &str) -> bool {
    after.chars().take_while(char::is_ascii_digit).count() <= 4
}

#[test]
fn the_words_of_the_text_and_the_prompt_are_shown() {
    let home = sample();
    let said = why(&home, &["wild-03"]);
    // examples/humor/logs/cards.jsonl: `The soup of the day before yesterday, in court.` and its prompt.
    assert!(said.contains(&"tokens: the soup of the day before yesterday, in court.".into()), "{said:#?}");
    let prompt = "words of the prompt, sorted: _., because, of, printer, stopped, the, working";
    assert!(said.contains(&prompt.into()), "{said:#?}");
    // The evidence counts the texts of a profile from 0, people count them from 1.
    assert!(said.join(" ").contains("the 3rd profile text (0.352)"), "{said:#?}");
}

#[test]
fn an_experiment_with_labels_has_its_overview_and_a_table_of_auc() {
    let home = sample();
    let said = why(&home, &["wild"]);
    assert!(said.len() <= 50, "more than a screen: {said:#?}");
    assert_eq!(said[0], "wild: an experiment; its worst units by metric");
    assert!(said.iter().any(|line| line.starts_with("surprisal (higher is better): mean 3.0142 of 24 units")));
    // The row of `auc_surprisal` of the experiment in scores.jsonl, rounded.
    let row = ["auc_surprisal", "0.397", "[0.093,", "0.701]", "21", "3"];
    assert!(said.iter().any(|line| line.split_whitespace().eq(row)), "{said:#?}");
    let header = "  metric                value  95 % interval    positives  negatives";
    assert!(said.contains(&header.into()), "{said:#?}");
    let one = why(&home, &["wild", "--metric", "auc_surprisal"]);
    assert!(one[0].starts_with("wild: ") && one.iter().any(|line| line.split_whitespace().eq(row)), "{one:#?}");
    assert!(!said.iter().chain(&one).any(|line| line.contains("///")), "{said:#?}");
}

#[test]
fn the_words_of_a_pun_stand_beside_its_meanings() {
    let home = tempfile::tempdir().unwrap();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verism/src/suites/humor/cases/37_kao_pun");
    for name in ["items.jsonl", "pun.txt"] {
        fs::copy(case.join(name), home.path().join(name)).unwrap();
    }
    let job = ["score", "humor", "items.jsonl", "-o", "out", "--option", "corpus=pun.txt"];
    assert_eq!(verism(home.path(), &job).code, 0);
    // By hand, as in the case: ratios 1.1/5.6/(1.4/5.6)² = 22/7 and 0.1/5.6/(1.4/5.6)² = 2/7, each r/(1 + r); by symmetry 1/2.
    let said = why(&home, &["p", "--metric", "kao_distinctiveness"]);
    let rows = ["  fur: hare 0.759, hair 0.222".to_string(), "  gel: hare 0.222, hair 0.759".to_string()];
    assert!(holds(&said, &rows), "{said:#?}");
    assert!(said.join(" ").contains("given the words hare has 0.500, hair 0.500"), "{said:#?}");
}

#[test]
fn long_texts_and_long_words_leave_room_for_the_rest() {
    let home = tempfile::tempdir().unwrap();
    // 350 words that no corpus has, each twice; and words of 3000 letters.
    let many: Vec<String> = (0..350).map(|i| format!("xq{}z", i % 175)).collect();
    let (long, longer) = ("y".repeat(3000), "z".repeat(3000));
    let records = [
        json!({"id": "many", "batch": "a", "text": many.join(" "), "context": "the cat _"}),
        json!({"id": "wide", "batch": "b", "text": format!("the {long} cat {longer}"), "context": format!("{long} _")}),
        json!({"id": "again", "batch": "b", "text": format!("the {long} cat {longer}")}),
    ];
    fs::write(home.path().join("in.jsonl"), records.map(|record| record.to_string()).join("\n")).unwrap();
    let ran = verism(home.path(), &["score", "humor", "in.jsonl", "-o", "out", "--option", "corpus=builtin"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said = why(&home, &["many"]);
    let whole = said.join(" ");
    assert!(said.len() <= 50 && said.last().unwrap().starts_with("signature"), "{said:#?}");
    assert!(whole.contains("not in the corpus: xq0z, xq1z, xq2z, xq3z,       xq4z and 170 more"), "{said:#?}");
    let metrics = ["surprisal", "perplexity", "ambiguity", "distinctiveness", "kn_nats", "novelty_2"];
    for (unit, metrics) in [("wide", metrics.as_slice()), ("b", &["distinct_2", "self_bleu_2"])] {
        assert!(why(&home, &[unit]).iter().any(|line| line.contains('…')));
        why(&home, &[unit, "-v"]);
        for metric in metrics {
            why(&home, &[unit, "--metric", metric]);
        }
    }
}

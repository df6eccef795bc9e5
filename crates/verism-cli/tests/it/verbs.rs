//! The verbs as users call them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::program::{fed, verism, write_tree};

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    let ran = verism(home.path(), &["score", "adaptation", "logs", "-o", "out", "--format", "csv,parquet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    home
}

/// Every file of a result with its bytes, but for the timing.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|(k, v)| (format!("{name}/{k}"), v)));
        } else if name != "timing.json" {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

#[test]
fn score_writes_what_the_contract_names() {
    let home = home();
    let names: Vec<String> = files(&home.path().join("out")).into_keys().collect();
    for name in [
        "scores.jsonl",
        "scores.csv",
        "scores.parquet",
        "manifest.json",
        "events.jsonl",
        "errors.jsonl",
        "tables/wrr_metrics_all_models_v6.csv",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} is missing: {names:?}");
    }
    // By hand: Group_B has four active rows; a1@2 elevates an elevated house (R_H), and under low threat (R_R with a2@1).
    let table = fs::read_to_string(home.path().join("out/tables/wrr_metrics_all_models_v6.csv")).unwrap();
    let row = table.lines().nth(2).unwrap();
    assert!(row.starts_with("m,Group_B,Run_1,4,4,1,2,0.25,0.5,0.5,"), "{row}");
    let csv = fs::read_to_string(home.path().join("out/scores.csv")).unwrap();
    let jsonl = fs::read_to_string(home.path().join("out/scores.jsonl")).unwrap();
    assert_eq!(csv.lines().count(), jsonl.lines().count() + 1);
}

#[test]
fn shares_join_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    verism(home.path(), &["score", "adaptation", "logs", "-o", "whole", "--threads", "2"]);
    for share in ["1/2", "2/2"] {
        let place = format!("share{}", &share[..1]);
        assert_eq!(verism(home.path(), &["score", "adaptation", "logs", "-o", &place, "--shard", share]).code, 0);
    }
    let ran = verism(home.path(), &["why", "share1", "--unit", "a1@2"]);
    assert!(ran.code == 2 && ran.err.contains("verism merge"), "{}", ran.err);
    let ran = verism(home.path(), &["merge", "share1", "-o", "joined"]);
    assert!(ran.code == 2 && ran.err.contains("all 2 shares"), "{}", ran.err);
    assert_eq!(verism(home.path(), &["merge", "share2", "share1", "-o", "joined"]).code, 0);
    assert_eq!(files(&home.path().join("whole")), files(&home.path().join("joined")));
}

#[test]
fn why_tells_the_row_the_rule_and_the_words() {
    let home = home();
    let ran = verism(home.path(), &["why", "out", "--unit", "m/Group_A/Run_1/a1@1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in [
        "m/Group_A/Run_1/simulation_log.csv:2",
        "high_threat_inaction",
        "\"afraid\"",
        "do_nothing",
        "threat in {H, VH}",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert!(ran.out.lines().count() <= 50 && ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    assert_eq!(verism(home.path(), &["why", "out", "--unit", "m/Group_A/Run_1/a1@1", "--metric", "nonsense"]).code, 2);
    assert_eq!(verism(home.path(), &["why", "out", "--unit", "m/Group_A/Run_1/a1@1", "--metric", "R_R"]).code, 0);
    let ran = verism(home.path(), &["why", "out", "--unit", "Run_1"]);
    assert!(ran.code == 2 && ran.err.contains("m/Group_A/Run_1") && ran.err.contains("m/Group_B/Run_1"), "{}", ran.err);
    let ran = verism(home.path(), &["why", "out", "--unit", "m/Group_B/Run_1", "--metric", "r_h"]);
    assert!(ran.out.contains("r_h") && ran.out.contains("1 / 4") && ran.out.contains("a1@2"), "{}", ran.out);
    let ran = verism(home.path(), &["why", "out", "--unit", "nobody@9"]);
    assert!(ran.code == 2 && ran.err.contains("rows=true"), "{}", ran.err);
}

#[test]
fn the_gate_passes_and_fails() {
    let home = home();
    let gate = |rule: &str| verism(home.path(), &["gate", "out", "--rule", rule]).code;
    assert_eq!(gate("adaptation.r_h.max <= 0.25"), 0);
    assert_eq!(gate("adaptation.r_h.max < 0.25"), 1);
    assert_eq!(gate("adaptation.r_r.mean@m/Group_B <= 0.5"), 0);
    // Of seven headline metrics all are defined in both cells.
    assert_eq!(gate("coverage >= 1"), 0);
    assert_eq!(gate("coverage > 1"), 1);
    assert_eq!(gate("adaptation.unknown.mean > 1"), 2);
    assert_eq!(gate("nonsense"), 2);
}

#[test]
fn validate_lists_every_problem_and_scores_nothing() {
    let home = home();
    let ran = verism(home.path(), &["validate", "adaptation", "logs"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let path = home.path().join("logs/m/Group_B/Run_1/simulation_log.csv");
    let text = fs::read_to_string(&path).unwrap().replace("a1,2,", "a1,x,").replace("a2,2,", "a2,y,");
    fs::write(&path, text).unwrap();
    let ran = verism(home.path(), &["validate", "adaptation", "logs"]);
    assert_eq!((ran.code, ran.out.lines().count()), (2, 2), "{}", ran.out);
}

#[test]
fn standard_input_is_a_flat_table() {
    let home = tempfile::tempdir().unwrap();
    let line = r#"{"model":"m","group":"Group_B","run":"Run_1","agent_id":"a","year":1,"yearly_decision":"do_nothing","threat_appraisal":"H","relocated":false,"elevated":false,"retry_count":NaN}"#;
    let ran = fed(home.path(), &["score", "adaptation", "-", "--json"], line.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["tables"]["wrr_metrics_all_models_v6"][0]["R_R"], 1.0);
}

#[test]
fn a_configuration_beside_the_input_counts_and_the_command_line_wins() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    fs::write(home.path().join("verism.toml"), "[suite.adaptation]\nbaseline = \"Group_B\"\nseed = 7\n").unwrap();
    let ran = verism(home.path(), &["score", "adaptation", "logs", "--json", "--option", "seed=8"]);
    let report = ran.json();
    assert_eq!((&report["options"]["baseline"], &report["options"]["seed"]), (&"Group_B".into(), &8.into()));
    assert!(report["signature"].as_str().unwrap().starts_with("adaptation|v1|baseline:Group_B|seed:8|verism:"));
}

#[test]
fn the_demo_runs_twice_into_the_same_folder() {
    let home = tempfile::tempdir().unwrap();
    let mut results = vec![];
    for _ in 0..2 {
        let ran = verism(home.path(), &["demo"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("Group_C") && ran.out.contains("verism why"), "{}", ran.out);
        assert!(ran.out.contains("crrs against l1_prompt\nbetter "), "{}", ran.out);
        let most = 24 * verism::suites::SUITES.len();
        assert!(ran.out.lines().count() < most, "more than half a screen per suite: {}", ran.out);
        results.push(files(&home.path().join("verism-demo")));
    }
    assert_eq!(results[0], results[1]);
    for suite in verism::suites::SUITES {
        let facts = suite.facts();
        let place = |part: &str| home.path().join("verism-demo").join(part).join(facts.id);
        assert!(place("comparison").join("comparison.csv").exists(), "{}", facts.id);
        assert!(place("scores").join(format!("tables/{}.csv", facts.demo.0)).exists(), "{}", facts.id);
        let asked = verism(home.path(), &["why", &place("scores").to_string_lossy(), "--unit", facts.demo.1]);
        assert_eq!(asked.code, 0, "{}", asked.err);
    }
}

// What the demo announces of a comparison is what the command that it names prints.
#[test]
fn the_demo_explains_itself_and_names_commands_that_print_what_it_announced() {
    let home = tempfile::tempdir().unwrap();
    let ran = verism(home.path(), &["demo"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    let mut commands = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some(command) = line.strip_prefix('`').and_then(|rest| rest.split_once('`')).map(|(command, _)| command)
        else {
            continue;
        };
        let announced = lines[..at].iter().rev().find(|line| line.contains(" difference")).unwrap();
        let printed = verism(home.path(), &command.split_whitespace().skip(1).collect::<Vec<_>>());
        assert_eq!(printed.out.lines().next(), Some(*announced), "{command}");
        let shown = lines[..at].iter().rev().take_while(|line| *line != announced).filter(|line| line.contains('['));
        for line in shown {
            assert!(printed.out.lines().any(|other| other == *line), "{line}\n{}", printed.out);
        }
        commands += 1;
    }
    assert!(commands >= 2);
    for part in ["n = 3", "more runs would help", "p_adj          the chance", "verdict        better or worse"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn help_and_explanations_teach() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (vec!["--help"], "Exit codes"),
        (vec!["score", "--help"], "--lenient"),
        (vec!["suites"], "adaptation"),
        (vec!["explain", "adaptation"], "D22"),
        (vec!["explain", "adaptation.h_norm_k5"], "-sum p log2 p"),
        (vec!["explain", "adaptation.R_H", "--json"], "\"better\": \"lower\""),
        (vec!["explain", "humor.embed"], "--option embed=VALUE"),
        (vec!["explain", "humor.embed", "--json"], "\"default\": \"none\""),
        (vec!["explain", "humor.backoff_gate"], "H5: the second level of the back-off"),
        // The name of a metric and of an option.
        (vec!["explain", "humor.coherence"], "--option coherence=VALUE"),
        (vec!["explain", "humor.coherence"], "empty case"),
        (vec!["score", "--help"], "verism score humor"),
        (vec!["train", "--help"], "verism train humor builtin -o"),
        (vec!["explain", "guest"], "`compare` and `gate` give Student's t"),
        (vec!["help", "compare"], "--baseline"),
        (vec!["help"], "table"),
        (vec!["stats", "--help"], "mannwhitney"),
        (vec!["stats", "--help", "welch"], "Welch's t-test"),
        (vec!["docs"], "tutorial"),
        (vec!["docs", "compare"], "Everything is inconclusive"),
        (vec!["completions", "bash"], "_verism"),
        (vec!["--version"], "verism 0.1.0"),
    ] {
        let ran = verism(home.path(), &arguments);
        assert!(ran.code == 0 && ran.out.contains(part), "{arguments:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn help_of_every_verb_has_two_examples_and_names_no_file_that_is_not_installed() {
    let home = tempfile::tempdir().unwrap();
    let ran = verism(home.path(), &["--help"]);
    let verbs = ran.out.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> =
        verbs.filter(|line| !line.starts_with("   ")).filter_map(|l| l.split_whitespace().next()).collect();
    assert!(verbs.len() > 12, "{verbs:?}");
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        let help = verism(home.path(), &[verb, "--help"]).out;
        let examples = help.split("Examples:").nth(1).unwrap_or_default();
        let named = examples.lines().filter(|line| line.contains(&format!("verism {verb}"))).count();
        assert!(named >= 2, "{verb}: {help}");
        assert!(!help.contains("docs/"), "{verb} points at a file: {help}");
    }
}

#[test]
fn mistyped_names_are_recognised() {
    let home = home();
    for (arguments, meant) in [
        (vec!["explain", "adaption"], "adaptation"),
        (vec!["explain", "adaptation.r_hh"], "r_h"),
        (vec!["compare", "out", "--option", "baselin=x"], "baseline"),
        (vec!["compare", "out", "--baseline", "m/Groop_A"], "m/Group_A"),
        (vec!["compare", "out", "--option", "metrics=rationality_pas"], "adaptation.rationality_pass"),
        (vec!["gate", "out", "--rule", "adaptation.r_q >= 1"], "adaptation.r_"),
        (vec!["docs", "comapre"], "compare"),
        (vec!["stats", "--help", "welsh"], "welch"),
    ] {
        let ran = verism(home.path(), &arguments);
        assert!(ran.code == 2 && ran.err.contains(&format!("did you mean {meant}")), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_configuration_with_a_table_that_nobody_reads_is_refused() {
    let home = home();
    for (text, meant) in [("[comapre]\nalpha = 0.1\n", "compare"), ("[suite.adaption]\nseed = 1\n", "suite.adaptation")]
    {
        fs::write(home.path().join("verism.toml"), text).unwrap();
        for arguments in [vec!["compare", "out"], vec!["score", "adaptation", "logs", "--json"]] {
            let ran = verism(home.path(), &arguments);
            assert!(ran.code == 2 && ran.err.contains(&format!("did you mean {meant}?")), "{}", ran.err);
        }
    }
}

#[test]
fn quiet_is_quiet() {
    let home = home();
    for arguments in [
        vec!["compare", "out", "-q", "-o", "cmp"],
        vec!["gate", "out", "-q", "--rule", "coverage >= 1"],
        vec!["demo", "-q"],
        vec!["man", "-q", "-o", "man"],
    ] {
        let ran = verism(home.path(), &arguments);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{arguments:?}");
    }
    assert!(home.path().join("man/verism-compare.1").exists());
}

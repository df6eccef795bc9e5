//! `compare`, `correlate`, `stats` and the rules of `gate` as users call them.

use std::fs;
use std::path::Path;

use crate::program::{Ran, fed, verism, write_tree};

/// Scores of two experiments over the same ten cases: B is above A by 0.2 with a little noise.
fn write_scores(folder: &Path) {
    let mut text = String::from("suite,metric,experiment,case,level,value,undefined\n");
    for case in 0..10 {
        let base = 0.5 + 0.02 * f64::from(case % 5);
        let other = base + 0.2 + 0.01 * f64::from(case * 3 % 7) - 0.03;
        text += &format!("demo,m,A,c{case},case,{base},\ndemo,m,B,c{case},case,{other},\n");
    }
    text += "demo,m,A,c10,case,,judge_failed\n";
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("scores.csv"), text).unwrap();
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    write_scores(&home.path().join("scores"));
    home
}

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

#[test]
fn a_comparison_is_written_whole_and_replaced() {
    let home = home();
    let arguments = ["compare", "scores", "-o", "out", "--format", "md,tex"];
    for _ in 0..2 {
        let ran = ok(verism(home.path(), &arguments));
        assert!(ran.out.starts_with("1 higher: 1 difference in 1 metric\n"), "{}", ran.out);
        assert!(ran.out.contains("judge_failed 1") && ran.out.contains("10 of 10 cases shared"), "{}", ran.out);
    }
    let read = |name: &str| fs::read_to_string(home.path().join("out").join(name)).unwrap();
    assert_eq!(read("comparison.csv").lines().count(), 2);
    assert!(read("comparison.md").starts_with("| metric |") && read("comparison.tex").contains("\\begin{tabular}"));
    let written: serde_json::Value = serde_json::from_str(&read("comparison.json")).unwrap();
    assert_eq!(written["pairs"][0]["verdict"], "better");
    assert_eq!(ok(verism(home.path(), &["compare", "scores", "--json"])).json(), written);
    let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).unwrap();
    let input = &manifest["inputs"][0];
    assert_eq!((&input["path"], &input["bytes"]), (&"scores.csv".into(), &size(home.path()).into()));
    assert_eq!(input["sha256"].as_str().map(str::len), Some(64));
    assert_eq!((&manifest["signature"], &manifest["counts"]["pairs"]), (&written["signature"], &1.into()));
    let ran = verism(home.path(), &["compare", "scores", "-o", "scores"]);
    assert!(ran.code == 2 && home.path().join("scores/scores.csv").exists(), "{}", ran.err);
}

fn size(home: &Path) -> u64 {
    fs::metadata(home.join("scores/scores.csv")).unwrap().len()
}

// Resamples enough for minutes: the interrupt comes in their midst, and what was there before stays.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_earlier_comparison() {
    use std::process::{Command, Stdio};
    let home = home();
    ok(verism(home.path(), &["compare", "scores", "-o", "out"]));
    let before = fs::read(home.path().join("out/comparison.json")).unwrap();
    let arguments = ["compare", "scores", "-o", "out", "--option", "ci=bca", "--option", "resamples=1000000000"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_verism"))
        .args(arguments)
        .current_dir(home.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let staged = || fs::read_dir(home.path()).unwrap().count() > 2;
    while !staged() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!staged());
    assert_eq!(fs::read(home.path().join("out/comparison.json")).unwrap(), before);
}

#[test]
fn inputs_can_be_named_and_the_baseline_chosen() {
    let home = home();
    let arguments = ["compare", "old=scores", "new=scores", "--baseline", "old/A", "--json"];
    let report = ok(verism(home.path(), &arguments)).json();
    assert_eq!(report["experiments"], serde_json::json!(["new/A", "new/B", "old/A", "old/B"]));
    assert_eq!(report["pairs"].as_array().unwrap().len(), 3);
    let ran = verism(home.path(), &["compare", "scores", "--baseline", "C"]);
    assert!(ran.code == 2 && ran.err.contains("A, B") && ran.err.contains("\"C\""), "{}", ran.err);
}

#[test]
fn the_configuration_counts_and_the_command_line_wins() {
    let home = home();
    fs::write(home.path().join("verism.toml"), "[compare]\nalpha = 0.01\nadjust = \"bh\"\n").unwrap();
    let report = ok(verism(home.path(), &["compare", "scores", "--json", "--option", "alpha=0.1"])).json();
    let signature = report["signature"].as_str().unwrap();
    assert!(signature.contains("|alpha:0.1|") && signature.contains("|adj:bh/all|"), "{signature}");
}

#[test]
fn scores_of_a_suite_are_compared_by_the_facts_of_the_registry() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "one"]));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "two", "--option", "seed=7"]));
    let report = ok(verism(home.path(), &["compare", "one", "--json"])).json();
    let pair = report["pairs"].as_array().unwrap().iter().find(|pair| pair["metric"] == "r_h").unwrap();
    assert_eq!((&pair["direction"], &pair["direction_source"]), (&"lower".into(), &"registry".into()));
    let ran = verism(home.path(), &["compare", "a=one", "b=two"]);
    assert!(ran.code == 2 && ran.err.contains("mixed_signatures=true"), "{}", ran.err);
    ok(verism(home.path(), &["compare", "a=one", "b=two", "--option", "mixed_signatures=true"]));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "share", "--shard", "1/2"]));
    let ran = verism(home.path(), &["compare", "share"]);
    assert!(ran.code == 2 && ran.err.contains("verism merge"), "{}", ran.err);
}

#[test]
fn bad_rows_stop_or_are_listed() {
    let home = home();
    let path = home.path().join("scores/scores.csv");
    fs::write(&path, fs::read_to_string(&path).unwrap() + "demo,m,B,c11,case,high,\n").unwrap();
    let ran = verism(home.path(), &["compare", "scores", "--json"]);
    let error = &ran.json()["error"];
    assert_eq!((ran.code, &error["line"], &error["field"]), (2, &23.into(), &"value".into()));
    let ran = ok(verism(home.path(), &["compare", "scores", "--lenient"]));
    assert!(ran.out.contains("rejected: scores/scores.csv:23: value"), "{}", ran.out);
    for inputs in [["compare", "nowhere"], ["correlate", "m"], ["correlate", "m:"]] {
        assert_eq!(verism(home.path(), &inputs).code, 2);
    }
}

#[test]
fn two_metrics_are_correlated() {
    let home = home();
    let path = home.path().join("scores/scores.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        format!("{text}{}", text.lines().skip(1).map(|l| l.replace(",m,", ",twice,") + "\n").collect::<String>()),
    )
    .unwrap();
    fs::write(&path, fs::read_to_string(&path).unwrap() + "demo,m,all,,experiment,0.6,\n").unwrap();
    let ran = ok(verism(home.path(), &["correlate", "m:twice", "scores"]));
    assert!(ran.out.contains("pooled") && ran.out.contains("1.0000"), "{}", ran.out);
    assert!(ran.out.contains("\nno case+run with a value of both: all\n"), "{}", ran.out);
}

#[test]
fn the_calculator_answers_line_by_line_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let requests = b"{\"op\":\"adjust\",\"p\":[0.01,0.04,0.03],\"method\":\"holm\",\"id\":\"a\"}\n\nnonsense\n\xff\n{\"op\":\"x\"}";
    let ran = fed(home.path(), &["stats"], requests);
    assert_eq!(ran.code, 2, "errors were answered: {}", ran.err);
    let answers: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // By hand: 3 * 0.01, then 2 * 0.03, then the larger of 0.06 and 0.04.
    assert_eq!((&answers[0]["id"], &answers[0]["p_adj"]), (&"a".into(), &serde_json::json!([0.03, 0.06, 0.06])));
    assert_eq!(answers.len(), 4);
    assert!(answers[1..].iter().all(|answer| answer["error"].is_string()));
    fs::write(home.path().join("requests"), requests).unwrap();
    assert_eq!(verism(home.path(), &["stats", "requests"]).out, ran.out);
    let first = requests.split(|byte| *byte == b'\n').next().unwrap();
    assert_eq!(fed(home.path(), &["stats"], first).code, 0, "no error, no 2");
    assert_eq!(verism(home.path(), &["stats", "nothing"]).code, 2);
}

#[test]
fn the_gate_holds_rules_against_a_comparison() {
    let home = home();
    ok(verism(home.path(), &["compare", "scores", "-o", "out", "--option", "sesoi=0.05"]));
    let gate = |rules: &[&str]| {
        let arguments: Vec<&str> =
            ["gate", "out"].into_iter().chain(rules.iter().flat_map(|r| ["--rule", r])).collect();
        verism(home.path(), &arguments).code
    };
    assert_eq!(gate(&["demo.m >= 0.4"]), 0);
    assert_eq!(gate(&["demo.m@A >= 0.54"]), 3);
    assert_eq!(gate(&["demo.m >= 0.9", "demo.m@A >= 0.54"]), 1);
    assert_eq!(gate(&["demo.m: B better_than A", "demo.m: B no_worse_than A"]), 0);
    assert_eq!(gate(&["demo.m: A better_than B"]), 1);
    // By hand: 20 of 21 rows have a value.
    assert_eq!((gate(&["coverage >= 0.95"]), gate(&["coverage >= 0.96"])), (0, 1));
    assert_eq!((gate(&["demo.n >= 0.4"]), gate(&["demo.m: C better_than A"]), gate(&["demo.m"])), (2, 2, 2));
}

#[test]
fn the_gate_compares_scores_itself() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "out"]));
    let gate = |rule: &str| verism(home.path(), &["gate", "out", "--rule", rule]).code;
    // One run per group: a mean has no interval, and no pair can be tested.
    assert_eq!(gate("adaptation.r_h <= 0.5"), 3);
    assert_eq!(gate("adaptation.r_h: m/Group_B better_than m/Group_A"), 3);
    // Not a headline metric, and the published spelling.
    assert_eq!(gate("adaptation.retry_sum.max@m/Group_B <= 2"), 0);
    assert_eq!(gate("adaptation.R_H.max <= 0.25"), 0);
    let ran = verism(home.path(), &["gate", "out", "--rule", "adaptation.r_h: m/Group_B no_worse_than m/Group_A"]);
    assert!(ran.code == 2 && ran.err.contains("sesoi"), "{}", ran.err);
}

/// A table of one metric: experiment, family, case, run, value.
fn table(home: &Path, rows: impl Iterator<Item = (&'static str, String, String, u32, f64)>) {
    let mut text = String::from("metric,experiment,family,case,run,value\n");
    for (experiment, family, case, run, value) in rows {
        text += &format!("m,{experiment},{family},{case},{run},{value}\n");
    }
    fs::write(home.join("t.csv"), text).unwrap();
}

/// The only pair of a comparison of `t.csv` with these options.
fn pair(home: &Path, options: &[&str]) -> serde_json::Value {
    let options = options.iter().flat_map(|option| ["--option", option]);
    let arguments: Vec<&str> = ["compare", "t.csv", "--json"].into_iter().chain(options).collect();
    ok(verism(home, &arguments)).json()["pairs"][0].clone()
}

/// What a rule finds in a comparison of `t.csv` with these options: 0 pass, 1 fail, 3 inconclusive.
fn gate(home: &Path, options: &[&str], rule: &str) -> i32 {
    let options = options.iter().flat_map(|option| ["--option", option]);
    let arguments: Vec<&str> = ["compare", "t.csv", "-o", "c", "-q"].into_iter().chain(options).collect();
    ok(verism(home, &arguments));
    verism(home, &["gate", "c", "--rule", rule]).code
}

// Two families in which everything is 1 are two units that agree: with probability 0.05 a family of 22 % or more of all differs from them,
// 1 - 0.05^(1/2) = 0.776.
#[test]
fn a_mean_of_shares_knows_of_clusters() {
    let home = tempfile::tempdir().unwrap();
    table(home.path(), (0..60).map(|i| ("A", format!("f{}", i % 2), format!("c{i}"), 0, 1.0)));
    assert_eq!(gate(home.path(), &["cluster=family"], "m >= 0.95"), 3);
    let json = ok(verism(home.path(), &["compare", "t.csv", "--json", "--option", "cluster=family"])).json();
    let low = json["summary"][0]["ci_lo"].as_f64().unwrap();
    assert!((low - 0.05_f64.sqrt()).abs() < 1e-12, "{low}");
    // Twenty families, half of them all right: the interval is that of twenty shares, not of two hundred.
    table(home.path(), (0..200).map(|i| ("A", format!("f{}", i / 10), format!("c{i}"), 0, f64::from(i / 10 % 2))));
    assert_eq!(gate(home.path(), &["cluster=family"], "m >= 0.4"), 3);
    assert_eq!(gate(home.path(), &["cluster=none"], "m >= 0.4"), 0);
}

#[test]
fn rows_of_equal_weight_do_not_make_a_side_that_never_varied_certain() {
    let home = tempfile::tempdir().unwrap();
    let rows = |i: u32| if i < 10 { ("A", 0.0) } else { ("B", f64::from(u32::from(i < 16))) };
    table(home.path(), (0..110).map(|i| (rows(i).0, String::new(), format!("c{i}"), 0, rows(i).1)));
    for options in [vec![], vec!["weight=row"]] {
        let found = pair(home.path(), &options);
        assert_eq!(found["verdict"], "inconclusive", "{options:?} {found}");
        let told = found["why"].as_str().unwrap().contains("one side does not vary, so that nothing tells the error");
        assert_eq!(told, !options.is_empty(), "{found}");
    }
}

#[test]
fn missing_values_shake_what_is_negligible_or_no_worse() {
    let home = tempfile::tempdir().unwrap();
    let value = |i: u32| 0.6 + 0.001 * f64::from(i % 7);
    let a = (0..40).map(|i| format!("m,A,c{i},{},\n", value(i)));
    let b = |blank: u32| {
        (0..40).map(
            move |i| if i < blank { format!("m,B,c{i},,failed\n") } else { format!("m,B,c{i},{},\n", value(i + 1)) },
        )
    };
    let options = ["range=0..1", "sesoi=0.05", "direction=higher"];
    for (blank, magnitude, code) in [(0, "negligible", 0), (20, "uncertain", 3)] {
        let rows: String = a.clone().chain(b(blank)).collect();
        fs::write(home.path().join("t.csv"), format!("metric,experiment,case,value,undefined\n{rows}")).unwrap();
        let found = pair(home.path(), &options);
        assert_eq!(found["magnitude"], magnitude, "{found}");
        let flagged = found["flags"].as_array().unwrap().contains(&"missing_could_overturn".into());
        assert_eq!(flagged, blank > 0);
        assert_eq!(gate(home.path(), &options, "m: B no_worse_than A"), code);
    }
}

#[test]
fn bootstraps_of_units_give_way_to_shifts_of_runs() {
    let home = tempfile::tempdir().unwrap();
    let shift = |side: &str, run: u32| if side == "A" { [0.0, 1.0][run as usize] } else { [1.1, 2.2][run as usize] };
    let cell = |side: &'static str, i: u32| {
        let (case, run) = (i / 2, i % 2);
        let noise =
            f64::from(case * 7 % 11 + case * (3 + run + side.len() as u32) % 5 + u32::from(side == "B") * (case % 3));
        (side, String::new(), format!("c{case}"), run, shift(side, run) + 0.1 * noise)
    };
    table(home.path(), (0..40).map(|i| cell("A", i)).chain((0..40).map(|i| cell("B", i))));
    let (t, bca) = (pair(home.path(), &[]), pair(home.path(), &["ci=bca"]));
    assert!(t["test"].as_str().unwrap().ends_with("_runs"), "{t}");
    assert_eq!((&t["ci"]["lo"], &t["ci"]["hi"]), (&bca["ci"]["lo"], &bca["ci"]["hi"]));
}

// Every division of 1, 1, 3, 5, 5 and three times 0.5 by hand: 4 of 56 are as far apart as the one at hand.
#[test]
fn an_interval_holds_0_where_its_test_does_not_reject_it() {
    let home = tempfile::tempdir().unwrap();
    let a = [5.0, 3.0, 1.0, 1.0, 5.0].map(|x| ("A", x));
    let all = a.into_iter().chain([("B", 0.5); 3]).zip(0..);
    table(home.path(), all.map(|((side, x), i)| (side, String::new(), format!("{side}{i}"), 0, x)));
    let found = pair(home.path(), &[]);
    assert!((found["p"].as_f64().unwrap() - 4.0 / 56.0).abs() < 1e-12, "{found}");
    assert_eq!(found["ci"]["hi"], 0.0, "{found}");
}

#[test]
fn ties_leave_rank_tests_without_an_interval() {
    let home = tempfile::tempdir().unwrap();
    let side = |side: &'static str, ones: u32| {
        (0..50).map(move |i| (side, String::new(), format!("{side}{i}"), 0, f64::from(u32::from(i < ones))))
    };
    table(home.path(), side("A", 15).chain(side("B", 5)));
    let found = pair(home.path(), &["test=mannwhitney", "sesoi=0.05"]);
    assert!(found["p"].as_f64().unwrap() < 0.05 && found["ci"]["lo"].is_null(), "{found}");
    assert_ne!(found["magnitude"], "negligible");
}

#[test]
fn tests_of_single_units_refuse_what_they_cannot_allow_for() {
    let home = home();
    for (option, field) in [("runs=random", "runs"), ("cluster=family", "cluster")] {
        let ran = verism(home.path(), &["compare", "scores", "--option", "test=signflip", "--option", option]);
        assert!(ran.code == 2 && ran.err.contains(field) && ran.err.contains("test=signflip"), "{}", ran.err);
    }
}

//! What a new user meets in the first hour: tables of their own, parts of names, before and after, guides that run.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{Ran, fed, verism, write_tree};

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

#[test]
fn tables_of_ones_own_are_read_as_they_come() {
    let home = tempfile::tempdir().unwrap();
    let comma = "metric,experiment,case,value\nm,a,1,0.5\nm,a,2,0.25\nm,a,3,\nm,b,1,0.75\nm,b,2,1\nm,b,3,0.5\n";
    let semicolon = comma.replace(',', ";").replace("metric;experiment;case;value", "Metric;EXPERIMENT;Case;Value");
    let tab = comma.replace(',', "\t").replace("m\ta\t3\t", "m\ta\t3\tNA");
    let expected = ok(fed(home.path(), &["compare", "-", "--json"], comma.as_bytes())).json();
    for text in [semicolon, tab, comma.replace("a,3,", "a,3,nan"), comma.replace("a,3,", "a,3,null")] {
        let found = ok(fed(home.path(), &["compare", "-", "--json"], text.as_bytes())).json();
        assert_eq!(found, expected, "{text}");
    }
    let lines: String = "{\"metric\":\"m\",\"experiment\":\"a\",\"value\":NaN}\n".into();
    assert_eq!(fed(home.path(), &["compare", "-"], lines.as_bytes()).code, 2, "JSON has no NaN");
    let wide = "id,system,m,comment\n1,a,0.5,x\n2,a,0.25,\n3,a,,\n1,b,0.75,y\n2,b,1,\n3,b,0.5,\n";
    let arguments = ["compare", "-", "--wide", "case=id,experiment=system"];
    let mut found = ok(fed(home.path(), &[&arguments[..], &["--json"]].concat(), wide.as_bytes())).json();
    let mut plain = expected.clone();
    for document in [&mut found, &mut plain] {
        document["signature"].take();
    }
    assert_eq!(found, plain);
    let shown = ok(fed(home.path(), &arguments, wide.as_bytes())).out;
    assert!(shown.contains("passed over: comment"), "{shown}");
}

#[test]
fn a_table_that_cannot_be_used_says_what_it_needs_and_what_it_found() {
    let home = tempfile::tempdir().unwrap();
    let ran = fed(home.path(), &["compare", "-"], b"Metrik,experiment,score\nm,a,1\n");
    for part in ["needed: metric, experiment, value", "found: Metrik, experiment, score", "--wide"] {
        assert!(ran.code == 2 && ran.err.contains(part), "{}", ran.err);
    }
    let ran = fed(home.path(), &["compare", "-"], b"metric,experiment,case,value\nm,a,c7,1\nm,a,c7,2\n");
    for part in ["metric m, experiment a, case c7", "column run", "repeats"] {
        assert!(ran.code == 2 && ran.err.contains(part), "{}", ran.err);
    }
}

/// Scores of two models and two groups over six runs: Group_B is above Group_A by 0.2.
fn write_groups(folder: &Path, shift: f64) {
    let mut text = String::new();
    for (m, model) in ["gemma", "llama", "phi"].into_iter().enumerate() {
        for group in ["Group_A", "Group_B"] {
            for run in 0..6 {
                let value =
                    0.3 + if group == "Group_B" { 0.2 } else { 0.0 } + 0.01 * ((run * 5 + m * 3) % 7) as f64 + shift;
                text += &format!(
                    "{{\"suite\":\"demo\",\"metric\":\"m\",\"experiment\":\"{model}/{group}\",\"model\":\"{model}\",\"group\":\"{group}\",\"run\":\"{run}\",\"level\":\"run\",\"value\":{value}}}\n"
                );
            }
        }
    }
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("scores.jsonl"), text).unwrap();
}

#[test]
fn a_part_of_the_names_can_be_baseline_and_factor() {
    let home = tempfile::tempdir().unwrap();
    write_groups(&home.path().join("scores"), 0.0);
    let report = |more: &[&str]| ok(verism(home.path(), &[&["compare", "scores", "--json"], more].concat())).json();
    let by_number = report(&["--option", "factor=2", "--option", "baseline=Group_A"]);
    assert_eq!(report(&["--baseline", "Group_A"]), by_number);
    assert_eq!(report(&["--option", "factor=group", "--baseline", "Group_A"]), by_number);
    assert!(by_number["signature"].as_str().unwrap().ends_with("|baseline:Group_A|factor:2"));
    assert_eq!(report(&["--option", "factor=model"])["experiments"], serde_json::json!(["gemma", "llama", "phi"]));
    let told = ok(verism(home.path(), &["compare", "scores", "--baseline", "Group_A"])).out;
    assert!(told.contains("note: Group_A is part 2 of the experiments' names"), "{told}");
    for (arguments, part) in [
        (["--baseline", "Group_C"], "gemma/Group_A"),
        (["--option", "factor=grop"], "did you mean group?"),
        (["--option", "level=dialogue"], "a level that rows have (run)"),
    ] {
        let ran = verism(home.path(), &[&["compare", "scores"], &arguments[..]].concat());
        assert!(ran.code == 2 && ran.err.contains(part), "{}", ran.err);
    }
}

#[test]
fn two_folders_with_the_same_experiments_need_names() {
    let home = tempfile::tempdir().unwrap();
    write_groups(&home.path().join("old"), 0.0);
    write_groups(&home.path().join("new"), 0.1);
    let ran = verism(home.path(), &["compare", "old", "new"]);
    assert!(ran.code == 2 && ran.err.contains("before=old after=new") && ran.err.contains("factor=1"), "{}", ran.err);
    let told = ok(verism(home.path(), &["compare", "before=old", "after=new"])).out;
    assert!(told.contains("--option factor=1 compares before with after"), "{told}");
    let along = ["compare", "before=old", "after=new", "--option", "factor=1", "--json"];
    let report = ok(verism(home.path(), &along)).json();
    let pair = &report["pairs"][0];
    // By hand: every run of every experiment is above by 0.1, so all differences are 0.1.
    assert_eq!((&pair["baseline"], &pair["experiment"]), (&"after".into(), &"before".into()));
    assert!((pair["diff"].as_f64().unwrap() + 0.1).abs() < 1e-12);
    let named = ["compare", "before=old", "after=new", "--option", "factor=group", "--json"];
    assert_eq!(ok(verism(home.path(), &named)).json()["experiments"], serde_json::json!(["Group_A", "Group_B"]));
}

#[test]
fn nothing_to_compare_says_what_is_missing() {
    let home = tempfile::tempdir().unwrap();
    let ran = ok(fed(home.path(), &["compare", "-"], b"metric,experiment,case,value\nm,a,1,1\nm,a,2,2\n"));
    assert!(ran.out.contains("One experiment only (a)") && ran.out.contains("before=DIR after=DIR"), "{}", ran.out);
    let ran = ok(fed(home.path(), &["compare", "-"], b"metric,experiment,case,value\nm,a,1,1\nk,b,2,2\n"));
    assert!(ran.out.contains("  a: m\n  b: k") && ran.out.contains("metrics=all"), "{}", ran.out);
}

#[test]
fn audits_are_not_forgotten_after_scoring() {
    let home = tempfile::tempdir().unwrap();
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/guest/logs");
    ok(verism(home.path(), &["score", "guest", &logs.to_string_lossy(), "-o", "scores"]));
    // examples/guest/output/tables/audits.csv: of l5_full's 12 conversations three have audits of severity error.
    let report = ok(verism(home.path(), &["compare", "scores", "--json", "-o", "out"])).json();
    let caution = report["cautions"].as_array().unwrap().iter().find(|c| c["experiment"] == "l5_full").unwrap();
    assert_eq!((&caution["units"], &caution["with_errors"]), (&12.into(), &3.into()));
    for folder in ["scores", "out"] {
        let ran = verism(home.path(), &["gate", folder, "--rule", "guest.crrs.mean@l5_full >= 0.5"]);
        assert!(ran.code == 0 && ran.out.contains("caution: l5_full: 3 of 12 units"), "{}{}", ran.out, ran.err);
    }
}

// Every action is "Build a levee": R_H and R_R are 0, and that means nothing.
#[test]
fn logs_that_are_not_understood_do_not_look_perfect() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    let path = home.path().join("logs/m/Group_B/Run_1/simulation_log.csv");
    let text = fs::read_to_string(&path).unwrap();
    let levee =
        ["elevate_house", "do_nothing", "buy_insurance"].iter().fold(text, |t, a| t.replace(a, "Build a levee"));
    fs::write(&path, levee).unwrap();
    let scored = ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "out"]));
    let checked = ok(verism(home.path(), &["validate", "adaptation", "logs"]));
    for said in [&scored.err, &checked.err] {
        // By hand: four rows of Group_B, four of Group_A.
        for part in ["warning: actions: 4 of 8 texts (50.0 %)", "\"Build a levee\" 4", "--option pack="] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(home.path().join("out/manifest.json")).unwrap()).unwrap();
    assert!(manifest["cautions"][0].as_str().unwrap().starts_with("actions: 4 of 8"));
    let report = ok(verism(home.path(), &["score", "adaptation", "logs", "--json"])).out;
    assert!(!report.contains("Build a levee\\\" 4"), "the report stays as its specification says");
    for share in ["1", "2"] {
        ok(verism(home.path(), &["score", "adaptation", "logs", "-o", share, "--shard", &format!("{share}/2")]));
    }
    ok(verism(home.path(), &["merge", "1", "2", "-o", "joined"]));
    let read = |folder: &str| fs::read(home.path().join(folder).join("manifest.json")).unwrap();
    assert_eq!(read("joined"), read("out"));
}

#[test]
fn validate_names_the_contradictions_that_score_would_find() {
    let home = tempfile::tempdir().unwrap();
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/guest/logs");
    let ran = ok(verism(home.path(), &["validate", "guest", &logs.to_string_lossy()]));
    assert!(
        ran.err.contains("contradict themselves in 6 place(s)") && ran.err.contains("target_leak 1"),
        "{}",
        ran.err
    );
}

#[test]
fn lenient_says_how_much_was_left_out() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    let path = home.path().join("logs/m/Group_B/Run_1/simulation_log.csv");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("a1,2,", "a1,x,")).unwrap();
    let ran = ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "out", "--lenient"]));
    assert!(ran.err.contains("1 record(s) or file(s) left out; errors.jsonl lists them"), "{}", ran.err);
}

#[test]
fn why_finds_what_is_meant_and_lists_the_worst_where_nothing_is_named() {
    let home = tempfile::tempdir().unwrap();
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/guest/logs");
    ok(verism(home.path(), &["score", "guest", &logs.to_string_lossy(), "-o", "guest"]));
    let why = |folder: &str, more: &[&str]| verism(home.path(), &[&["why", folder], more].concat());
    // examples/guest/output/tables/conversations.csv has the smallest CRRS of all at l1_prompt-02.
    let worst = ok(why("guest", &[])).out;
    let mut crrs = worst.lines().skip_while(|line| !line.starts_with("crrs ("));
    assert!(crrs.find(|line| line.starts_with("  0.")).unwrap().ends_with("l1_prompt/1/02/l1_prompt-02"), "{worst}");
    assert!(worst.lines().all(|line| line.chars().count() <= 80), "{worst}");
    let full = ok(why("guest", &["--unit", "l1_prompt-02"])).out;
    assert_eq!(ok(why("guest", &["--unit", "mpt-02"])).out, full, "any end");
    assert!(
        why("guest", &["--unit", "02"]).err.contains("l5_full/1/02/l5_full-02"),
        "a case alone, in five experiments"
    );
    let experiment = ok(why("guest", &["--unit", "l5_full"])).out;
    assert!(
        experiment.starts_with("l5_full: an experiment") && experiment.contains("bvs (higher is better)"),
        "{experiment}"
    );
    let ran = why("guest", &["--unit", "l1_promt-02"]);
    assert!(ran.code == 2 && ran.err.contains("did you mean l1_prompt"), "{}", ran.err);
    write_tree(&home.path().join("logs"));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "out"]));
    assert!(ok(why("out", &["--unit", "m/Group_B"])).out.contains("r_h (lower is better): mean 0.2500 of 1 units"));
    // By hand: of the four active rows of Group_B two break a rule of thinking, so two of four pass.
    let pass = ok(why("out", &["--unit", "m/Group_A/Run_1", "--metric", "rationality_pass"])).out;
    let rate = ok(why("out", &["--unit", "m/Group_A/Run_1", "--metric", "r_r"])).out;
    let parts = |text: &str| {
        let line = text.lines().find(|line| line.contains(" / ")).unwrap().to_string();
        let words: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        (words[0], words[1])
    };
    let ((passed, of), (broken, all)) = (parts(&pass), parts(&rate));
    assert_eq!((passed + broken, of), (all, all), "{pass}{rate}");
    let ran = why("out", &["--unit", "m/Group_A/Run_1/a1@1", "--metric", "h_norm_k5"]);
    assert!(ok(ran).out.contains("H_norm_k5: -sum p log2 p / log2 k"), "what the metric rests on, of a decision");
}

#[test]
fn rules_come_from_files_and_the_outcome_goes_to_junit() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "out"]));
    assert_eq!(verism(home.path(), &["gate", "out"]).code, 2, "no rule");
    fs::write(home.path().join("rules.txt"), "# all of it\ncoverage >= 1\n").unwrap();
    let ran = ok(verism(home.path(), &["gate", "out", "--rules", "rules.txt", "--junit", "gate.xml"]));
    assert!(ran.out.contains("gate: pass (1 pass)"), "{}", ran.out);
    assert!(fs::read_to_string(home.path().join("gate.xml")).unwrap().contains("tests=\"1\" failures=\"0\""));
    fs::write(home.path().join("verism.toml"), "[gate]\nrules = [\"adaptation.r_h.max < 0.25\"]\n").unwrap();
    let ran = verism(home.path(), &["gate", "out"]);
    assert!(ran.code == 1 && ran.out.contains("fail          adaptation.r_h.max < 0.25"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("why: 0.25 is not < 0.25"), "{}", ran.out);
}

#[test]
fn a_table_for_a_paper_is_printed() {
    let home = tempfile::tempdir().unwrap();
    write_groups(&home.path().join("scores"), 0.0);
    let ran = ok(verism(
        home.path(),
        &["table", "scores", "--option", "factor=group", "--format", "md,tex", "--label", "tab:x"],
    ));
    assert!(ran.out.contains("| Group_A | 3 | 0.3"), "{}", ran.out);
    assert!(ran.out.contains("\\label{tab:x}") && ran.out.contains("Group\\_B & 3 & $0.5"), "{}", ran.out);
}

#[test]
fn the_table_fits_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    write_groups(&home.path().join("scores"), 0.0);
    let mut command = Command::new(env!("CARGO_BIN_EXE_verism"));
    let output = command.args(["compare", "scores"]).env("COLUMNS", "50").current_dir(home.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let table = text.lines().filter(|line| line.contains("0.") && !line.contains(':'));
    assert!(table.clone().count() > 3 && table.clone().all(|line| line.chars().count() <= 50), "{text}");
    assert!(text.contains("left out for lack of room: "), "{text}");
}

/// The blocks of a page: info string and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = vec![];
    let mut open = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(info), false) => {
                out.push((info.to_string(), String::new()));
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                if let Some((_, text)) = out.last_mut() {
                    *text += line;
                    text.push('\n');
                }
            }
            (None, false) => {}
        }
    }
    out
}

fn shell(folder: &Path, script: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_verism")).parent().unwrap().to_path_buf();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh").args(["-c", script]).env("PATH", path).current_dir(folder).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

// Every command of the tutorial runs, and what it shows is what comes out.
#[cfg(unix)]
#[test]
fn the_tutorial_runs() {
    let home = tempfile::tempdir().unwrap();
    copy(&root().join("examples/guest/logs"), &home.path().join("examples/guest/logs"));
    let page = fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let (mut said, mut commands) = (String::new(), 0);
    for (info, text) in blocks(&page) {
        if info == "sh" {
            let ran = ok(shell(home.path(), &text));
            said = if ran.out.is_empty() && ran.err.is_empty() { said } else { ran.out + &ran.err };
            commands += 1;
        } else {
            for line in text.lines() {
                assert!(said.lines().any(|other| other == line), "not printed: {line}\n{said}");
            }
        }
    }
    assert!(commands >= 6);
}

// The pipeline of the guide to the gate, with its rules and script as they stand there.
#[cfg(unix)]
#[test]
fn the_pipeline_of_the_guide_runs() {
    let home = tempfile::tempdir().unwrap();
    copy(&root().join("examples/guest/logs"), &home.path().join("logs"));
    let page = fs::read_to_string(root().join("docs/gate.md")).unwrap();
    for (info, text) in blocks(&page) {
        if let Some((_, name)) = info.split_once("file=") {
            fs::write(home.path().join(name), text).unwrap();
        }
    }
    let ran = ok(shell(home.path(), "sh fidelity.sh"));
    assert!(ran.out.contains("gate: pass (2 pass)"), "{}", ran.out);
    let junit = fs::read_to_string(home.path().join("gate.xml")).unwrap();
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"0\""), "{junit}");
    let shown = blocks(&page).into_iter().find(|(_, text)| text.starts_with("inconclusive")).unwrap().1;
    let ran = verism(home.path(), &["gate", "scores", "--rule", "guest.pas: l2_basic better_than l1_prompt"]);
    assert!(ran.code == 3 && ran.out.starts_with(&shown), "{}\n{shown}", ran.out);
}

//! Nothing is lost: what `-o` replaces, what an interrupt leaves, what reaches the terminal.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::program::{Ran, verism, write_tree};

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

/// Logs and their scores.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "scores"]));
    home
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Asserts that a command is refused with this in its message and that no file changes.
fn refused(folder: &Path, arguments: &[&str], message: &str) {
    let before = files(folder);
    let ran = verism(folder, arguments);
    assert!(ran.code == 2 && ran.err.contains("bad output"), "{arguments:?}: {}", ran.err);
    assert!(ran.err.contains(message), "{arguments:?}: {}", ran.err);
    assert!(files(folder) == before, "{arguments:?} changed something");
}

#[test]
fn a_result_replaces_only_its_like() {
    let home = home();
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "scores"]));
    ok(verism(home.path(), &["compare", "scores", "-o", "comparison"]));
    refused(home.path(), &["compare", "scores", "-o", "scores", "--force"], "input");
    refused(home.path(), &["score", "adaptation", "logs", "-o", "comparison"], "--force");
    refused(home.path(), &["score", "adaptation", "logs", "-o", "scores", "--shard", "1/2"], "--force");
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "comparison", "--force"]));
    assert!(home.path().join("comparison/scores.jsonl").exists());
    fs::write(home.path().join("scores/notes.txt"), "mine").unwrap();
    refused(home.path(), &["score", "adaptation", "logs", "-o", "scores", "--force"], "notes.txt");
}

#[test]
fn what_a_job_reads_is_not_replaced() {
    let home = home();
    for share in ["1/2", "2/2"] {
        let place = format!("share{}", &share[..1]);
        ok(verism(home.path(), &["score", "adaptation", "logs", "-o", &place, "--shard", share]));
    }
    refused(home.path(), &["merge", "share1", "share2", "-o", "share2", "--force"], "input");
    // A result below an input folder is not read, and so may be replaced.
    for _ in 0..2 {
        ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "logs/scores"]));
    }
    refused(home.path(), &["compare", "logs/scores/scores.jsonl", "-o", "logs/scores", "--force"], "input");
}

#[test]
fn a_demo_is_replaced_until_somebody_has_worked_in_it() {
    let home = tempfile::tempdir().unwrap();
    ok(verism(home.path(), &["demo", "-o", "d"]));
    ok(verism(home.path(), &["demo", "-o", "d"]));
    refused(home.path(), &["score", "adaptation", "d/logs/adaptation", "-o", "d", "--force"], "input");
    let log = files(&home.path().join("d/logs")).into_keys().next().unwrap();
    let log = home.path().join("d/logs").join(log);
    let mut text = fs::read(&log).unwrap();
    text.push(b'\n');
    fs::write(&log, text).unwrap();
    refused(home.path(), &["demo", "-o", "d", "--force"], &log.file_name().unwrap().to_string_lossy());
    let inner = "d/scores/adaptation";
    ok(verism(home.path(), &["score", "adaptation", "d/logs/adaptation", "-o", inner]));
}

#[test]
fn the_manifest_does_not_depend_on_the_folder_of_the_caller() {
    let home = home();
    let inside = home.path().join("logs/m");
    ok(verism(&inside, &["score", "adaptation", "..", "-o", "../../elsewhere"]));
    let read = |name: &str| fs::read_to_string(home.path().join(name).join("manifest.json")).unwrap();
    assert_eq!(read("scores"), read("elsewhere"));
    assert!(read("scores").contains("\"Group_A/Run_1/simulation_log.csv\""), "{}", read("scores"));
}

#[test]
fn the_manifest_names_every_file() {
    let home = home();
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(home.path().join("scores/manifest.json")).unwrap()).unwrap();
    let named: Vec<&str> = manifest["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    let all = files(&home.path().join("scores"));
    let there: Vec<&String> =
        all.keys().filter(|name| !["manifest.json", "timing.json"].contains(&name.as_str())).collect();
    assert_eq!(named, there);
}

/// Ends a program that waits for standard input by a signal, and asserts that it leaves nothing.
#[cfg(unix)]
fn stopped_while_waiting(signal: &str, arguments: &[&str]) {
    use std::process::{Command, Stdio};
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_verism"))
        .args(arguments)
        .current_dir(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Standard input stays open and silent.
    let _input = child.stdin.take();
    while fs::read_dir(home.path()).unwrap().count() == 0 {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{signal}");
}

#[cfg(unix)]
#[test]
fn the_first_interrupt_ends_a_job_that_waits_for_input() {
    for signal in ["-INT", "-TERM"] {
        stopped_while_waiting(signal, &["score", "adaptation", "-", "-o", "out"]);
        stopped_while_waiting(signal, &["score", "guest", "-", "-o", "out"]);
    }
}

#[test]
fn control_characters_of_logs_do_not_reach_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let escape = "\u{1b}]0;owned\u{7}\u{9b}31m";
    let log = home.path().join("flat.csv");
    let row =
        |agent: &str, year: u32, group: &str| format!("m,{group},1,{agent},{year},elevate_house,H,M,True,False\n");
    let mut text =
        "model,group,run,agent_id,year,yearly_decision,threat_appraisal,coping_appraisal,elevated,relocated\n"
            .to_string();
    for group in [escape.to_string(), "Group_B".into()] {
        for year in 1..4 {
            text += &row(&format!("a{escape}"), year, &group);
        }
    }
    fs::write(&log, &text).unwrap();
    let clean = |ran: &Ran| {
        let sent = |c: char| c.is_control() && !['\n', '\t'].contains(&c);
        assert!(!ran.out.contains(sent) && !ran.err.contains(sent), "{:?}{:?}", ran.out, ran.err);
    };
    let ran = ok(verism(home.path(), &["score", "adaptation", "flat.csv", "-o", "out"]));
    clean(&ran);
    assert!(ran.err.contains("\\u001b]0;owned\\u0007\\u009b31m"), "{}", ran.err);
    let scores = fs::read_to_string(home.path().join("out/scores.jsonl")).unwrap();
    assert!(scores.contains("\\u001b]0;owned\\u0007\u{9b}31m"), "files keep the data");
    clean(&ok(verism(home.path(), &["why", "out", "--unit", &format!("m/Group_B/1/a{escape}@2")])));
    clean(&ok(verism(home.path(), &["compare", "out"])));
    clean(&ok(verism(home.path(), &["compare", "out", "--json"])));
    clean(&verism(home.path(), &["gate", "out", "--rule", "adaptation.r_h.max <= 0.1"]));
    clean(&verism(home.path(), &["why", "out", "--unit", escape]));
    fs::write(&log, text.replace(",2,", &format!(",{escape},"))).unwrap();
    let ran = verism(home.path(), &["validate", "adaptation", "flat.csv"]);
    clean(&ran);
    assert_eq!(ran.code, 2);
}

#[cfg(unix)]
#[test]
fn linked_folders_are_not_followed_and_told_once() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "plain"]));
    std::os::unix::fs::symlink(home.path().join("logs"), home.path().join("logs/loop")).unwrap();
    std::os::unix::fs::symlink("Group_A", home.path().join("logs/m/Group_Z")).unwrap();
    let ran = ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "linked"]));
    assert_eq!(ran.err.matches("linked folder").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("2 linked folder(s)"), "{}", ran.err);
    let scores = |name: &str| fs::read(home.path().join(name).join("scores.jsonl")).unwrap();
    assert!(scores("plain") == scores("linked"));
    ok(verism(home.path(), &["score", "adaptation", "logs/loop", "-o", "by-name"]));
    assert!(scores("plain") == scores("by-name"), "a link given by name is followed");
}

#[test]
fn cut_off_text_is_read_with_a_notice() {
    let home = tempfile::tempdir().unwrap();
    ok(verism(home.path(), &["demo", "-o", "d"]));
    let logs = home.path().join("d/logs/guest");
    let name = files(&logs).into_keys().find(|name| name.ends_with(".jsonl")).unwrap();
    let text = fs::read_to_string(logs.join(name)).unwrap();
    let line = text.lines().next().unwrap().replacen("\"text\":\"", "\"text\":\"\\ud83d ", 1);
    assert!(line.contains("ud83d"), "{line}");
    fs::write(home.path().join("cut.jsonl"), line).unwrap();
    let ran = ok(verism(home.path(), &["score", "guest", "cut.jsonl", "-o", "out"]));
    assert!(ran.err.contains("1 record(s) hold half of a surrogate pair"), "{}", ran.err);
    let row = "{\"model\":\"m\",\"group\":\"g\",\"run\":\"1\",\"agent_id\":\"a\",\"year\":1,\"decision\":\"relocate \\ud83d\",\"elevated\":\"False\",\"relocated\":\"False\",\"retry_count\":-0}\n";
    fs::write(home.path().join("cut.jsonl"), row).unwrap();
    let ran = ok(verism(home.path(), &["score", "adaptation", "cut.jsonl", "-o", "rows"]));
    assert!(ran.err.contains("1 record(s) hold half of a surrogate pair"), "{}", ran.err);
}

#[test]
fn validate_and_score_agree_on_nothing_to_score() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    for more in [vec![], vec!["--option", "groups=Nobody"]] {
        let validated = verism(home.path(), &[&["validate", "adaptation", "logs", "--json"], &more[..]].concat());
        let scored = verism(home.path(), &[&["score", "adaptation", "logs", "--json"], &more[..]].concat());
        assert_eq!(validated.code, scored.code, "{}", validated.err);
        assert_eq!(validated.json()["error"], scored.json()["error"]);
    }
}

#[test]
fn a_record_beyond_the_limit_names_the_option_and_is_dropped_if_asked() {
    let home = tempfile::tempdir().unwrap();
    write_tree(&home.path().join("logs"));
    let log = home.path().join("logs/m/Group_B/Run_1/simulation_log.csv");
    let text = fs::read_to_string(&log).unwrap() + &format!("a9,1,{},H,M,True,False,False,False,0\n", "x".repeat(500));
    fs::write(&log, text).unwrap();
    let arguments = ["score", "adaptation", "logs", "-o", "out", "--max-record-bytes", "300"];
    let ran = verism(home.path(), &arguments);
    assert!(ran.code == 2 && ran.err.contains("simulation_log.csv:6: too large"), "{}", ran.err);
    assert!(ran.err.contains("--max-record-bytes"), "{}", ran.err);
    ok(verism(home.path(), &[&arguments[..], &["--lenient"]].concat()));
    let errors = fs::read_to_string(home.path().join("out/errors.jsonl")).unwrap();
    assert!(errors.lines().count() == 1 && errors.contains("too_large"), "{errors}");
    ok(verism(home.path(), &["score", "adaptation", "logs", "-o", "out"]));
}

#[test]
fn a_file_that_is_read_is_not_replaced_by_what_is_made_of_it() {
    let home = home();
    let cards = "{\"id\":\"1\",\"text\":\"a tiny hat\"}\n";
    fs::create_dir(home.path().join("cards")).unwrap();
    fs::write(home.path().join("cards/one.jsonl"), cards).unwrap();
    fs::write(home.path().join("humor.toml"), "[suite.humor]\n").unwrap();
    fs::write(home.path().join("rules.txt"), "coverage >= 0.1\n").unwrap();
    let chat = r#"{"experiment": "e", "case": "1", "messages": [{"role": "user", "content": "hi"}]}"#;
    fs::create_dir(home.path().join("chats")).unwrap();
    fs::write(home.path().join("chats/one.jsonl"), format!("{chat}\n")).unwrap();
    let convert = ["convert", "chat", "--suite", "guest"];
    for (arguments, place) in [
        (&["train", "humor", "cards/one.jsonl"][..], "cards/one.jsonl"),
        (&["train", "humor", "cards/one.jsonl*3"], "cards/one.jsonl"),
        (&["train", "humor", "cards/*.jsonl"], "cards/one.jsonl"),
        (&["train", "humor", "cards/one.jsonl", "--config", "humor.toml"], "humor.toml"),
        (&[&convert[..], &["chats/*.jsonl"]].concat(), "chats/one.jsonl"),
        (&[&convert[..], &["chats"]].concat(), "chats/one.jsonl"),
    ] {
        refused(home.path(), &[arguments, &["-o", place]].concat(), "not an input");
    }
    let gate = ["gate", "scores", "--rules", "rules.txt", "--junit"];
    for place in ["scores/scores.jsonl", "rules.txt"] {
        refused(home.path(), &[&gate[..], &[place]].concat(), "not an input");
    }
    ok(verism(home.path(), &["train", "humor", "cards/one.jsonl", "-o", "new/model.vrm", "-q"]));
    ok(verism(home.path(), &[&gate[..], &["gate.xml"]].concat()));
    assert_eq!(files(home.path()).keys().filter(|path| path.contains(".verism")).count(), 0, "nothing is left");
}

#[test]
fn results_that_a_copy_cut_off_are_not_taken_for_whole_ones() {
    let home = home();
    let cut = |path: &str, lines: usize| {
        let path = home.path().join(path);
        let text = fs::read_to_string(&path).unwrap();
        let kept: Vec<&str> = text.split_inclusive('\n').collect();
        fs::write(path, kept[..kept.len() - lines].concat()).unwrap();
    };
    for share in ["1/2", "2/2"] {
        let place = format!("share{}", &share[..1]);
        ok(verism(home.path(), &["score", "adaptation", "logs", "-o", &place, "--shard", share]));
    }
    cut("share1/events.jsonl", 1);
    let merged = verism(home.path(), &["merge", "share1", "share2", "-o", "joined"]);
    assert!(merged.code == 2 && merged.err.contains("events.jsonl"), "{}", merged.err);
    cut("scores/scores.jsonl", 3);
    for arguments in [&["compare", "scores"][..], &["table", "scores"], &["gate", "scores", "--rule", "coverage >= 0"]]
    {
        let ran = verism(home.path(), arguments);
        assert!(ran.code == 2 && ran.err.contains("as they were written"), "{arguments:?}: {}", ran.err);
    }
    ok(verism(home.path(), &["compare", "scores/scores.jsonl"]));
}

#[test]
fn a_name_with_a_line_end_begins_no_line_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let card = |id: &str, experiment: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"x {id}\",\"experiment\":\"{experiment}\"}}\n")
    };
    let evil = "evil\\nbetter  99";
    let log = card("a", evil) + &card("b", evil) + &card("a", "ok") + &card("b", "ok");
    fs::write(home.path().join("log.jsonl"), log).unwrap();
    let one_line = |ran: &Ran| {
        let all = format!("{}{}", ran.out, ran.err);
        assert!(
            all.contains("evil\\nbetter  99") && !all.lines().any(|line| line.trim_start().starts_with("better  99")),
            "{all}"
        );
    };
    one_line(&ok(verism(home.path(), &["score", "humor", "log.jsonl", "-o", "out"])));
    one_line(&ok(verism(home.path(), &["compare", "out"])));
    one_line(&ok(verism(home.path(), &["compare", "out", "--option", "experiments=evil\nbetter  99"])));
    one_line(&verism(home.path(), &["gate", "out", "--rule", "humor.distinct_2 >= 0.5"]));
    let scores = fs::read_to_string(home.path().join("out/scores.jsonl")).unwrap();
    assert!(scores.contains("evil\\nbetter  99"), "files keep the data");
}

//! `simulate`: killed, stopped or disturbed, it loses nothing and ends with the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::verism;

const JOB: [&str; 7] = ["simulate", "recommender", "--agents", "rules,random", "--seeds", "1..400", "--no-progress"];

fn start(folder: &Path, place: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verism"));
    command.args(JOB).args(["-o", place]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn job<'a>(place: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&JOB[..], &["-o", place], more].concat()
}

/// Waits until some dialogues are done, or all.
fn wait_for_some(folder: &Path, child: &mut Child) {
    let half = folder.join(".out.verism.half/dialogues.jsonl");
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(120) {
        if fs::metadata(&half).is_ok_and(|file| file.len() > 0) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name != "timing.json")
        .map(|name| (name.clone(), fs::read(folder.join(name)).unwrap()))
        .collect()
}

#[test]
fn a_job_that_was_killed_goes_on_and_ends_with_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert_eq!(verism(home, &job("whole", &[])).code, 0);
    let mut child = start(home, "out");
    wait_for_some(home, &mut child);
    let second = verism(home, &job("out", &[]));
    if child.try_wait().unwrap().is_none() {
        assert_eq!(second.code, 2, "{}", second.err);
        assert!(
            second.err.contains("out: in use: expected a folder that no other process is writing to"),
            "{}",
            second.err
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    if !home.join("out").exists() {
        let other = verism(home, &job("out", &["--option", "turns=19"]));
        assert_eq!(other.code, 2);
        assert!(other.err.contains("out: turns: bad option: expected 20, with which the dialogues"), "{}", other.err);
    }
    let ran = verism(home, &job("out", &[]));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(files(&home.join("out")), files(&home.join("whole")));
    let again = verism(home, &job("out", &[]));
    assert_eq!((again.code, again.err.trim()), (0, "out has all of its 800 dialogues already"));
    let scored = verism(home, &["score", "recommender", "out", "-o", "scores", "-q"]);
    assert_eq!(scored.code, 0, "{}", scored.err);
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut child = start(home, "out");
    wait_for_some(home, &mut child);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait().unwrap();
    if sent.success() && !home.join("out").exists() {
        assert_eq!(ended.code(), Some(130));
        let ran = verism(home, &job("out", &[]));
        assert!(ran.err.starts_with("going on: "), "{}", ran.err);
    }
    assert!(home.join("out/manifest.json").exists());
}

#[test]
fn what_is_wrong_is_named_and_the_nearest_name_told() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (&["--agents", "rulse"][..], "did you mean rules?"),
        (&["--option", "turn=3"], "did you mean turns?"),
        (&["--option", "turns=8"], "shifts: bad option: expected a schedule that fits 8 turns, found \"4\""),
        (&["--option", "min_support=500"], "opening_field: bad option: expected a field with usable values"),
        (&["--seeds", "9..1"], "seeds: bad option: expected 7, 1..100"),
    ] {
        let ran = verism(home.path(), &[&["simulate", "recommender", "-o", "out"], arguments].concat());
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    let ran = verism(home.path(), &["simulate", "recomender", "-o", "out"]);
    assert!(ran.code == 2 && ran.err.contains("did you mean recommender?"), "{}", ran.err);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "nothing is left behind");
}

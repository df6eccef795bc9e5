//! A suite that somebody else wrote, against the public interface alone, works like a built-in one.

mod suite;

use std::fs;
use std::path::{Path, PathBuf};

use verism::compare::{self, compare};
use verism::input::{Input, Unwatched};
use verism::suites::{self, Destination, Job, Options, Shard, Suite, register, score};

use crate::runner::{files, join, lines, run};

static BREVITY: suite::Brevity = suite::Brevity;

fn registered() -> &'static dyn Suite {
    register(vec![&BREVITY]);
    suites::suite("brevity").unwrap()
}

fn demo(home: &Path) -> PathBuf {
    let logs = home.join("logs");
    fs::create_dir(&logs).unwrap();
    registered().write_demo(&logs).unwrap();
    logs
}

#[test]
fn it_is_scored_into_memory_and_into_a_folder() {
    let home = tempfile::tempdir().unwrap();
    let logs = demo(home.path());
    let job = Job::new(vec![Input::Path(logs.clone())], Options::default(), &Unwatched);
    let to = Destination { memory: true, ..Destination::default() };
    let scored = score(registered(), job, to).unwrap();
    run("brevity", &logs, &home.path().join("out"), &[], false, None).unwrap();
    let rows = lines(&home.path().join("out"), "scores.jsonl");
    assert_eq!(scored.results.unwrap().scores, fs::read(home.path().join("out/scores.jsonl")).unwrap());
    // By hand: a9 has 10 words, a19 has 20; the limit is 10.
    let value = |unit: &str| rows.iter().find(|row| row["unit"] == unit).unwrap()["value"].as_f64();
    assert_eq!((value("a9"), value("a19")), (Some(1.0), Some(0.5)));
    run("brevity", &logs, &home.path().join("more"), &["words=5"], false, None).unwrap();
    let manifest = fs::read_to_string(home.path().join("more/manifest.json")).unwrap();
    assert!(manifest.contains("brevity|v1|words:5|verism:"), "{manifest}");
}

#[test]
fn its_shares_join_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    let logs = demo(home.path());
    let whole = home.path().join("whole");
    run("brevity", &logs, &whole, &[], false, None).unwrap();
    let shards: Vec<PathBuf> = (1..=3)
        .map(|index| {
            let shard = home.path().join(format!("share{index}"));
            run("brevity", &logs, &shard, &[], false, Some(Shard { index, count: 3 })).unwrap();
            shard
        })
        .collect();
    let joined = home.path().join("joined");
    join("brevity", &shards.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &joined).unwrap();
    assert_eq!(files(&whole), files(&joined));
}

#[test]
fn its_defects_and_repeated_ids_are_named() {
    let home = tempfile::tempdir().unwrap();
    let logs = demo(home.path());
    let more = "{\"experiment\":\"a\",\"id\":\"a1\",\"text\":\"x\"}\n{\"experiment\":\"a\",\"id\":\"z\"}\nno JSON\n";
    fs::write(logs.join("u.jsonl"), more).unwrap();
    let job = |lenient| Job { lenient, ..Job::new(vec![Input::Path(logs.clone())], Options::default(), &Unwatched) };
    let mut found = vec![];
    let mut take = |defect| {
        found.push(defect);
        Ok(())
    };
    verism::suites::validate(registered(), job(true), &mut take).unwrap();
    let place = |defect: &verism::Defect| (defect.code.to_string(), defect.line, defect.field.clone().unwrap());
    let expected = [("duplicate_id", 1, "unit"), ("bad_record", 2, "text"), ("bad_record", 3, "line")];
    let expected: Vec<_> = expected.map(|(code, line, field)| (code.into(), Some(line), field.into())).into();
    assert_eq!(found.iter().map(place).collect::<Vec<_>>(), expected);
    let strict = run("brevity", &logs, &home.path().join("strict"), &[], false, None).unwrap_err();
    assert_eq!(strict.defect(), found[0]);
    run("brevity", &logs, &home.path().join("out"), &[], true, None).unwrap();
    assert_eq!(lines(&home.path().join("out"), "errors.jsonl").len(), 3);
}

#[test]
fn it_is_asked_why_and_compared() {
    let home = tempfile::tempdir().unwrap();
    let logs = demo(home.path());
    let out = home.path().join("out");
    run("brevity", &logs, &out, &[], false, None).unwrap();
    let told = registered().why(&out, "a19", None, false).unwrap().lines;
    assert!(told.iter().any(|line| line == "BREVITY 0.500 (n = 20)"), "{told:?}");
    assert!(told.iter().any(|line| line == "  words: 20"), "{told:?}");
    let input = [compare::Input::at(out)];
    let comparison = compare(&input, &compare::Options::default(), &Unwatched).unwrap();
    let pair = &comparison.pairs[0];
    assert_eq!((pair.suite.as_deref(), pair.metric.as_str()), (Some("brevity"), "brevity"));
    // The registry's direction, not a default: b has twice the words.
    let json = serde_json::to_value(pair).unwrap();
    assert_eq!((&json["direction_source"], &json["verdict"]), (&"registry".into(), &"worse".into()));
}

#[test]
fn the_guide_shows_this_very_suite() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("docs/own-suite.md")).unwrap();
    let code = include_str!("suite.rs");
    let blocks: Vec<&str> = guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```\n").next()).collect();
    assert!(blocks.len() >= 5, "{} blocks", blocks.len());
    for block in blocks {
        assert!(code.contains(block), "not in the suite of the tests:\n{block}");
    }
}

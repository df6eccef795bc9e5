//! Under every option and every value that it takes: threads and shards change no byte, the order of inputs no value, with
//! defects in the logs, strict and lenient. What an option takes is asked of the suite, so that a new one is covered.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verism::Result;
use verism::input::{Input, Unwatched};
use verism::suites::{Destination, Job, OptionFacts, Options, SUITES, Shard, Suite, score};

use crate::runner::{files, join, run};

/// Lines of a log that are kept: enough for every rule to be met, few enough for every option to be tried.
const KEPT: usize = 7;
/// Logs and folders that are kept of each folder.
const FEW: usize = 2;

/// Cuts the logs of a demo short and breaks a line of each.
fn shorten(folder: &Path) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for (i, path) in paths.into_iter().enumerate() {
        match (path.is_dir(), i < FEW) {
            (true, true) => shorten(&path),
            (true, false) => fs::remove_dir_all(&path).unwrap(),
            (false, false) => fs::remove_file(&path).unwrap(),
            (false, true) => {}
        }
        if !path.is_file() {
            continue;
        }
        let broken = match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => "no JSON",
            Some("csv") => "one,two",
            _ => continue,
        };
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = text.lines().take(KEPT).collect();
        lines.insert(lines.len().min(4), broken);
        lines.push(lines[1]);
        fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
}

/// The demo of a suite, cut short; whole where the suite needs all of it.
fn demo_logs(suite: &dyn Suite, home: &Path) -> PathBuf {
    let [short, whole] = ["short", "whole-demo"].map(|name| home.join(name));
    for folder in [&short, &whole] {
        fs::create_dir(folder).unwrap();
        suite.write_demo(folder).unwrap();
    }
    shorten(&short);
    if in_memory(suite, std::slice::from_ref(&short), None, true).is_ok() { short } else { whole }
}

/// What the rows of a demo are about: names that options may ask for.
fn names_in(suite: &dyn Suite, logs: &Path) -> Vec<String> {
    let job = Job { lenient: true, ..Job::new(vec![Input::Path(logs.to_path_buf())], options(None), &Unwatched) };
    let to = Destination { memory: true, ..Destination::default() };
    let scores = score(suite, job, to).unwrap().results.unwrap().scores;
    let lines = scores.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    let rows: Vec<Value> = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
    let last = |field: &&str| rows.iter().rev().find_map(|row| row[*field].as_str()).map(String::from);
    ["experiment", "model", "group", "run", "case"].iter().filter_map(last).collect()
}

/// Small files of what options name: an option that takes one of them is tried with it.
const FILES: [(&str, &str); 8] = [
    ("catalog.json", r#"{"k1": {"name": "Night Ferry (2001)", "genre": ["Comedy", "Drama"]}, "k2": {"name": "War"}}"#),
    ("lexicon.json", r#"{"stop_words": ["ferry"]}"#),
    ("labels.csv", "aspect,value,case\ntas,0.5,1\n"),
    ("labels.txt", "# one line for each record\n1\n0\n1\n"),
    ("pack.yaml", "extends: default\nid: house\nversion: 3\n"),
    ("pack.toml", include_str!("../../src/suites/adaptation/pack/flood.toml")),
    ("corpus.txt", "a tiny hat\nMy cat wants _.\na tiny cat\n"),
    ("reference.jsonl", "{\"id\":\"r\",\"text\":\"a tiny hat\",\"embedding\":[1.0,0.5]}\n"),
];

/// Writes the files and gives their paths.
fn files_to_name(logs: &Path) -> Vec<String> {
    let folder = logs.with_file_name("named");
    fs::create_dir_all(&folder).unwrap();
    let write = |(name, text): &(&str, &str)| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    };
    FILES.iter().map(write).collect()
}

/// Values to try, and how many of them: all that the suite names when it refuses one, or one of another kind.
fn candidates(suite: &dyn Suite, option: &OptionFacts, logs: &Path) -> (Vec<String>, usize) {
    let asked = in_memory(suite, &[logs.to_path_buf()], Some(&format!("{}=\u{1}", option.name)), true);
    let expected = asked.err().and_then(|error| error.defect().expected).unwrap_or_default();
    let mut found: Vec<String> = expected.split('|').filter(|word| !word.contains(' ')).map(String::from).collect();
    let most = found.len().max(1);
    found.extend(names_in(suite, logs));
    found.extend(["3", "0.5", "1", "true", "false", "builtin"].map(String::from));
    found.extend(files_to_name(logs));
    // The default is tried where no option is given.
    found.retain(|value| value != option.default);
    found.push(option.default.to_string());
    (found, most)
}

fn options(option: Option<&str>) -> Options {
    let mut options = Options::default();
    option.into_iter().for_each(|pair| options.add(pair).unwrap());
    options
}

type Rows = BTreeMap<String, Value>;

/// The values of all rows by what they are about.
fn in_memory(suite: &dyn Suite, inputs: &[PathBuf], option: Option<&str>, lenient: bool) -> Result<Rows> {
    let inputs = inputs.iter().cloned().map(Input::Path).collect();
    let job = Job { lenient, ..Job::new(inputs, options(option), &Unwatched) };
    let to = Destination { memory: true, ..Destination::default() };
    let results = score(suite, job, to)?.results.unwrap();
    let rows = results.scores.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    let rows = rows.map(|line| serde_json::from_slice::<Value>(line).unwrap());
    let key = |row: &Value| ["metric", "experiment", "run", "case", "level", "unit"].map(|name| row[name].to_string());
    Ok(rows.map(|row| (key(&row).join(" "), row["value"].clone())).collect())
}

/// Tries one setting; false if the suite does not take it.
fn holds(suite: &dyn Suite, home: &Path, logs: &Path, option: Option<&str>) -> bool {
    let id = suite.facts().id;
    let given: Vec<&str> = option.into_iter().collect();
    let place = |name: &str| home.join(name);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let whole = pool(1).install(|| run(id, logs, &place("whole"), &given, true, None));
    if let Err(refused) = whole {
        let threaded = pool(3).install(|| run(id, logs, &place("threaded"), &given, true, None));
        assert_eq!(refused.defect(), threaded.unwrap_err().defect(), "{id} {given:?}");
        return false;
    }
    pool(3).install(|| run(id, logs, &place("threaded"), &given, true, None)).unwrap();
    let expected = files(&place("whole"));
    assert!(expected == files(&place("threaded")), "{id} {given:?}: three threads");
    let shards: Vec<PathBuf> = (1..=2).map(|index| place(&format!("share{index}"))).collect();
    for (shard, index) in shards.iter().zip(1..) {
        run(id, logs, shard, &given, true, Some(Shard { index, count: 2 })).unwrap();
    }
    join(id, &shards.iter().rev().map(PathBuf::as_path).collect::<Vec<_>>(), &place("joined")).unwrap();
    let joined = files(&place("joined"));
    for (name, bytes) in &expected {
        assert!(joined.get(name) == Some(bytes), "{id} {given:?}: {name} of two shares");
    }
    assert_eq!(expected.len(), joined.len(), "{id} {given:?}");
    let strict = |threads| pool(threads).install(|| in_memory(suite, &[logs.to_path_buf()], option, false));
    match (strict(1), strict(3)) {
        (Ok(one), Ok(three)) => assert!(one == three, "{id} {given:?}: strict"),
        (Err(one), Err(three)) => assert_eq!(one.defect(), three.defect(), "{id} {given:?}: strict"),
        _ => panic!("{id} {given:?}: a defect that only some numbers of threads find"),
    }
    true
}

#[test]
fn every_option_keeps_the_laws() {
    for suite in SUITES {
        let home = tempfile::tempdir().unwrap();
        let logs = demo_logs(*suite, home.path());
        let fresh = || tempfile::tempdir().unwrap();
        assert!(holds(*suite, fresh().path(), &logs, None), "{}", suite.facts().id);
        let mut covered = 0;
        for option in (suite.facts().options)() {
            let mut taken = 0;
            let (values, most) = candidates(*suite, &option, &logs);
            for value in values {
                let pair = format!("{}={value}", option.name);
                taken += usize::from(taken < most && holds(*suite, fresh().path(), &logs, Some(&pair)));
            }
            covered += usize::from(taken > 0);
        }
        // Some options take what only a user has: a file, a model. Most take something that was tried.
        assert!(2 * covered >= (suite.facts().options)().len(), "{}: {covered} options tried", suite.facts().id);
    }
}

#[test]
fn the_order_of_inputs_changes_no_value_under_any_option() {
    for suite in SUITES {
        let home = tempfile::tempdir().unwrap();
        let logs = demo_logs(*suite, home.path());
        let mut inputs: Vec<PathBuf> = fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        let backwards: Vec<PathBuf> = inputs.iter().rev().cloned().collect();
        for option in (suite.facts().options)() {
            let (values, _) = candidates(*suite, &option, &logs);
            let pair = values
                .into_iter()
                .map(|value| format!("{}={value}", option.name))
                .find(|pair| in_memory(*suite, &inputs, Some(pair), true).is_ok());
            let there = in_memory(*suite, &inputs, pair.as_deref(), true);
            let back = in_memory(*suite, &backwards, pair.as_deref(), true);
            match (there, back) {
                (Ok(there), Ok(back)) => assert!(there == back, "{} {pair:?}", suite.facts().id),
                (Err(_), Err(_)) => {}
                _ => panic!("{} {pair:?}: one order is refused", suite.facts().id),
            }
        }
    }
}

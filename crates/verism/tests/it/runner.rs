//! Scores a folder and reads the result back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use verism::Result;
use verism::input::{Input, Unwatched};
use verism::suites::{Destination, Job, Joined, Options, Shard, merge, score, suite};

/// Scores logs into a folder.
pub(crate) fn run(
    suite_id: &str,
    logs: &Path,
    out: &Path,
    options: &[&str],
    lenient: bool,
    shard: Option<Shard>,
) -> Result<()> {
    let mut given = Options::default();
    for option in options {
        given.add(option)?;
    }
    fs::create_dir_all(out).unwrap();
    let inputs = vec![Input::Path(logs.to_path_buf())];
    let job = Job { lenient, shard, ..Job::new(inputs, given, &Unwatched) };
    score(suite(suite_id)?, job, Destination { folder: Some(out), ..Destination::default() }).map(drop)
}

/// Joins shards into a folder.
pub(crate) fn join(suite_id: &str, shards: &[&Path], out: &Path) -> Result<()> {
    fs::create_dir_all(out).unwrap();
    let to = Destination { folder: Some(out), ..Destination::default() };
    let shards = Joined { folders: shards, options: &Options::default(), embed: None };
    merge(suite(suite_id)?, &shards, &Unwatched, to).map(drop)
}

/// The lines of a list of JSON lines.
pub(crate) fn lines(folder: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every file below a folder with its bytes.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
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

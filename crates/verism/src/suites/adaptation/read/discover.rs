//! Which logs there are and which cell `(model, group, run)` each belongs to.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::Defect;
use crate::input::{Input, Kind, is_folder, refuse_special, unreadable_folder};
use crate::score::content::is_result;

/// The columns that name a cell.
pub(crate) const IDS: [&str; 3] = ["model", "group", "run"];

/// The three ids of a cell: model, group, run.
pub(crate) type CellId = [String; 3];

/// Where the bytes of a log are.
pub(crate) enum Origin {
    File(PathBuf),
    Stream(Box<dyn Read + Send>),
}

/// One input file.
pub(crate) struct Log {
    pub(crate) origin: Origin,
    /// Name in messages: relative to the folder given, else the file's name.
    pub(crate) shown: String,
    /// Path as given, for the manifest.
    pub(crate) path: String,
    pub(crate) kind: Option<Kind>,
    /// The cell that its place in a tree names.
    pub(crate) cell: Option<CellId>,
    /// The ids that the path of a log given by name has.
    pub(crate) ids: Option<CellId>,
}

/// What was found below the inputs.
#[derive(Default)]
pub(crate) struct FoundLogs {
    /// Logs in file order: inputs as given, then relative path by code point.
    pub(crate) logs: Vec<Log>,
    /// Directories of trees: one, two or three ids.
    pub(crate) folders: BTreeSet<Vec<String>>,
}

/// What to say when there is nothing to score.
pub(crate) fn nothing() -> Defect {
    Defect::new("no_input", "<root>/<model>/<group>/<run>/simulation_log.csv (or .jsonl, .parquet), or a flat table")
        .hint(
            "give the folder above the models, a folder below it, a log, or a table with the columns model, group, run",
        )
}

/// Finds the logs below the inputs.
pub(crate) fn discover(inputs: Vec<Input>) -> Result<FoundLogs, Defect> {
    let mut found = FoundLogs::default();
    for input in inputs {
        match input {
            Input::Stream(name, reader) => found.logs.push(Log {
                origin: Origin::Stream(reader),
                shown: name.clone(),
                path: name,
                kind: None,
                cell: None,
                ids: None,
            }),
            Input::Path(path) if path.is_dir() => tree(&path, &mut found)?,
            Input::Path(path) if path.exists() => found.logs.push(named(path)),
            Input::Path(path) => {
                let text = path.display().to_string();
                let name = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_string();
                return Err(Defect::new("no_input", "an existing file or directory").file(name).value(text));
            }
        }
    }
    if found.logs.is_empty() { Err(nothing()) } else { Ok(found) }
}

/// A file given by name: a log of the cell that its path names, or a flat table.
fn named(path: PathBuf) -> Log {
    let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_log = shown.starts_with("simulation_log") && has_log_ending(&shown);
    let parent = path.parent().unwrap_or(Path::new("")).to_string_lossy().into_owned();
    let ids = is_log.then(|| outer_ids(&parent, 3).try_into().expect("three ids"));
    let (kind, text) = (Kind::of(&shown), path.display().to_string());
    Log { origin: Origin::File(path), shown, path: text, kind: Some(kind), cell: None, ids }
}

fn has_log_ending(name: &str) -> bool {
    [".csv", ".jsonl", ".parquet"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file of a tree is a log or a shard of one: `simulation_log.csv`, `simulation_log-3.csv`.
fn is_log(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("simulation_log").filter(|_| has_log_ending(name)) else { return false };
    rest.starts_with('-') || rest.find('.') == Some(0) && rest.matches('.').count() == 1
}

/// The last `count` directory names of a path as given; `-` for what it does not name.
fn outer_ids(path: &str, count: usize) -> Vec<String> {
    let mut names: Vec<&str> = vec![];
    for part in path.split('/') {
        match part {
            ".." => names.clear(),
            "" | "." => {}
            name => names.push(name),
        }
    }
    let known = names.len().min(count);
    let mut ids = vec!["-".to_string(); count - known];
    ids.extend(names[names.len() - known..].iter().map(|name| name.to_string()));
    ids
}

/// A log found in a tree: the directories above it, its path, its name in messages.
type Leaf = (Vec<String>, PathBuf, String);

/// Finds the logs of a folder: of the depths 3, 2, 1, 0 below it the first with a log counts.
fn tree(root: &Path, found: &mut FoundLogs) -> Result<(), Defect> {
    let mut leaves: [Vec<Leaf>; 4] = Default::default();
    let mut folders: Vec<Vec<String>> = vec![];
    walk(root, &mut vec![], &mut leaves, &mut folders)?;
    let Some(depth) = (0..4).rev().find(|&depth| !leaves[depth].is_empty()) else { return Ok(()) };
    let outer = outer_ids(&root.to_string_lossy(), 3 - depth);
    found.folders.extend((1..=outer.len()).map(|i| outer[..i].to_vec()));
    for parts in folders.into_iter().filter(|parts| parts.len() <= depth) {
        let ids = [outer.clone(), parts].concat();
        if !ids.is_empty() {
            found.folders.insert(ids);
        }
    }
    let mut logs = std::mem::take(&mut leaves[depth]);
    logs.sort_by(|a, b| a.2.cmp(&b.2));
    for (parts, path, shown) in logs {
        let cell: CellId = [outer.clone(), parts].concat().try_into().expect("three ids at this depth");
        let (kind, text) = (Kind::of(&shown), path.display().to_string());
        found.logs.push(Log {
            origin: Origin::File(path),
            shown,
            path: text,
            kind: Some(kind),
            cell: Some(cell),
            ids: None,
        });
    }
    Ok(())
}

fn walk(
    folder: &Path,
    parts: &mut Vec<String>,
    leaves: &mut [Vec<Leaf>; 4],
    folders: &mut Vec<Vec<String>>,
) -> Result<(), Defect> {
    folders.push(parts.clone());
    let failed = |error: std::io::Error| unreadable_folder(folder, &error);
    let mut below = vec![];
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if is_folder(&entry) {
            if parts.len() < 3 && !name.starts_with('.') && !is_result(&path) {
                below.push(name);
            }
        } else if is_log(&name) && !path.is_dir() {
            refuse_special(&path)?;
            let shown = [parts.as_slice(), std::slice::from_ref(&name)].concat().join("/");
            leaves[parts.len()].push((parts.clone(), path, shown));
        }
    }
    below.sort();
    for name in below {
        let path = folder.join(&name);
        parts.push(name);
        walk(&path, parts, leaves, folders)?;
        parts.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_and_their_shards_are_logs() {
        for (name, yes) in [
            ("simulation_log.csv", true),
            ("simulation_log-b.2.jsonl", true),
            ("simulation_log.parquet", true),
            ("simulation_log2.csv", false),
            ("simulation_log.csv.bak", false),
            ("simulation_log.old.csv", false),
            ("notes.csv", false),
        ] {
            assert_eq!(is_log(name), yes, "{name}");
        }
    }

    #[test]
    fn paths_name_their_last_directories() {
        assert_eq!(outer_ids("a/b/c/d", 3), ["b", "c", "d"]);
        assert_eq!(outer_ids("./x/../b/", 3), ["-", "-", "b"]);
        assert_eq!(outer_ids("", 2), ["-", "-"]);
        assert_eq!(outer_ids("a/b", 0), [""; 0]);
    }
}

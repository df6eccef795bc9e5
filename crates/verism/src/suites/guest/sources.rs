//! Where conversations come from: files of JSON lines, streams, logs of the original project.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bad_input;
use super::options::{FileFormat, Params};
use super::original_attributes::Attributes;
use crate::error::Defect;
use crate::input::{Input, hexadecimal};
use crate::score::manifest::InputFacts;
use sha2::{Digest, Sha256};

/// One thing to read.
pub(super) enum Source {
    /// A file of records.
    File(PathBuf),
    /// A stream of records with its name.
    Stream(String, Box<dyn Read + Send>),
    /// A log of the original project.
    Log(LogFile),
    /// A file that was read already.
    Read(InputFacts),
    /// What is wrong at this place, whatever else can be read.
    Fault(Defect),
}

/// A log of the original project and what belongs to it.
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    pub(super) experiment: String,
    pub(super) level: Option<u8>,
    pub(super) states: Option<PathBuf>,
    pub(super) attributes: Arc<Attributes>,
}

/// The last part of a path, as messages name it.
pub(super) fn base_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Everything to read, in order.
pub(super) fn sources(inputs: Vec<Input>, params: &Params) -> Vec<Source> {
    let mut found = vec![];
    for input in inputs {
        match input {
            Input::Stream(name, reader) => found.push(Source::Stream(name, reader)),
            Input::Path(path) if path.is_dir() => folder(&path, params, &mut found),
            Input::Path(path) if !path.exists() => {
                let defect = bad_input("input", "an existing file or folder", &path);
                found.push(Source::Fault(defect.value(path.display().to_string())));
            }
            Input::Path(path) => file(path, params, &mut found),
        }
    }
    found
}

/// A tree of the original project, or every file of JSON lines below a folder.
fn folder(path: &Path, params: &Params, found: &mut Vec<Source>) {
    let root = path.join("experiments");
    if !root.is_dir() {
        let mut files = vec![];
        walk(path, &mut vec![], &mut files);
        files.sort();
        found.extend(files.into_iter().map(|(_, path)| Source::File(path)));
        return;
    }
    let usual = path.join("test_case_generation/data/message_generation_attributes_for_personas.json");
    let attributes = params.attributes.as_ref().map(PathBuf::from).or_else(|| usual.exists().then_some(usual));
    let Some(attributes) = read_attributes(attributes.as_deref(), found) else { return };
    for experiment in names_in(&root) {
        let logs = root.join(&experiment).join("logs");
        for name in names_in(&logs).into_iter().filter(|name| name.ends_with(".csv")) {
            let states = path.join("evaluations/results/extracted_states").join(&experiment).join(states_name(&name));
            found.push(Source::Log(LogFile {
                path: logs.join(&name),
                level: params.level_of(&experiment),
                experiment: experiment.clone(),
                states: Some(states).filter(|states| states.exists()),
                attributes: attributes.clone(),
            }));
        }
    }
}

/// Names of a folder's entries in code point order.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Files of JSON lines below a folder with the parts of their paths; linked folders are not entered.
fn walk(folder: &Path, parts: &mut Vec<String>, files: &mut Vec<(Vec<String>, PathBuf)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        parts.push(entry.file_name().to_string_lossy().into_owned());
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, parts, files);
        } else if parts.last().is_some_and(|name| name.ends_with(".jsonl")) && !path.is_dir() {
            files.push((parts.clone(), path));
        }
        parts.pop();
    }
}

/// The file with the states of a log: named as the log is, whatever its ending of three letters.
fn states_name(log: &str) -> String {
    let stem = log.char_indices().rev().nth(3).map_or("", |(end, _)| &log[..end]);
    format!("{stem}_states.csv")
}

/// A file given by name.
fn file(path: PathBuf, params: &Params, found: &mut Vec<Source>) {
    let csv = path.to_string_lossy().ends_with(".csv");
    if !matches!((params.format, csv), (FileFormat::OriginalCsv, _) | (FileFormat::Auto, true)) {
        found.push(Source::File(path));
        return;
    }
    let Some(experiment) = params.experiment.clone().or_else(|| experiment_of(&path)) else {
        let hint = "name it with --option experiment=NAME";
        let defect = bad_input("experiment", "an option experiment=NAME, or a folder named exp<level>", &path);
        found.push(Source::Fault(defect.hint(hint)));
        return;
    };
    let Some(attributes) = read_attributes(params.attributes.as_ref().map(Path::new), found) else { return };
    let states = params.states.as_ref().map(|folder| Path::new(folder).join(states_name(&base_name(&path))));
    found.push(Source::Log(LogFile {
        level: params.level_of(&experiment),
        experiment,
        states: states.filter(|states| states.exists()),
        attributes,
        path,
    }));
}

/// The first folder of a path that is named `exp<number>`.
fn experiment_of(path: &Path) -> Option<String> {
    let text = path.to_string_lossy();
    let folders = text.rsplit_once(['/', '\\'])?.0;
    let numbered =
        |name: &&str| name.strip_prefix("exp").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    folders.split(['/', '\\']).find(numbered).map(String::from)
}

/// Reads the file with the expected attributes, if there is one; none after a fault.
fn read_attributes(path: Option<&Path>, found: &mut Vec<Source>) -> Option<Arc<Attributes>> {
    let Some(path) = path else { return Some(Arc::default()) };
    let read = fs::read(path).map_err(|error| {
        let expected = "a list of {full_name, message_generation_attributes}";
        bad_input("persona_attributes", expected, path).value(error.to_string())
    });
    let read = read.and_then(|bytes| {
        let sha256 = hexadecimal(&Sha256::digest(&bytes));
        let facts = InputFacts { path: path.display().to_string(), bytes: bytes.len() as u64, sha256 };
        Ok((Attributes::read(&bytes, &base_name(path))?, facts))
    });
    match read {
        Ok((attributes, facts)) => {
            found.push(Source::Read(facts));
            Some(Arc::new(attributes))
        }
        Err(defect) => {
            found.push(Source::Fault(defect));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbered_folder_is_the_experiment() {
        for (path, experiment) in [
            ("exp3/log.csv", Some("exp3")),
            ("/data/exp12/logs/exp2/log.csv", Some("exp12")),
            ("exp3.csv", None),
            ("exp/log.csv", None),
            ("data/exp3", None),
        ] {
            assert_eq!(experiment_of(Path::new(path)).as_deref(), experiment, "{path}");
        }
    }

    #[test]
    fn states_are_named_by_the_log() {
        assert_eq!(states_name("log_7.csv"), "log_7_states.csv");
        assert_eq!(states_name("log_é.txt"), "log_é_states.csv");
    }

    #[test]
    fn files_go_by_the_parts_of_their_paths() {
        let home = tempfile::tempdir().expect("a folder");
        for name in ["b.jsonl", "a/z.jsonl", "a.jsonl", "a-b/y.jsonl", "a/note.txt"] {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        let found = sources(vec![Input::Path(home.path().into())], &Params::default());
        let names: Vec<String> = found
            .iter()
            .map(|source| match source {
                Source::File(path) => path.strip_prefix(home.path()).expect("inside").display().to_string(),
                _ => String::new(),
            })
            .collect();
        assert_eq!(names, ["a/z.jsonl", "a-b/y.jsonl", "a.jsonl", "b.jsonl"]);
    }
}

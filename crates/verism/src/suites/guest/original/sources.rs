//! Where conversations come from: files of JSON lines, streams, logs of the original project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::attributes::Attributes;
use crate::input::{Input, Limits, refuse_special, unreadable_folder};
use crate::suites::guest::bad_input;
use crate::suites::guest::options::{FileFormat, Params};
use crate::suites::records::{FileReader, SourceFile, Supplied, base_name, for_file, json_lines};

/// One thing to read.
pub(crate) type Source = crate::suites::records::Source<LogFile>;

/// A log of the original project and what belongs to it.
pub(crate) struct LogFile {
    pub(crate) path: PathBuf,
    pub(crate) experiment: String,
    pub(crate) level: Option<u8>,
    pub(crate) states: Option<PathBuf>,
    pub(crate) attributes: Arc<Attributes>,
}

impl SourceFile for LogFile {
    fn paths(&self) -> Vec<&Path> {
        [Some(self.path.as_path()), self.states.as_deref()].into_iter().flatten().collect()
    }
}

/// Everything to read, in order.
pub(crate) fn sources(inputs: Vec<Input>, params: &Params, limits: Limits) -> Vec<Source> {
    let missing = |path: &Path| {
        let defect = bad_input("input", "an existing file or folder", path);
        defect.value(path.display().to_string())
    };
    let mut found = vec![];
    for input in inputs {
        match input {
            Input::Path(path) if path.join("experiments").is_dir() => tree(&path, params, limits, &mut found),
            Input::Path(path) if path.is_file() && is_log(&path, params) => log(path, params, limits, &mut found),
            other => found.extend(json_lines(vec![other], &[".jsonl"], &missing)),
        }
    }
    found
}

/// A tree of the original project.
fn tree(path: &Path, params: &Params, limits: Limits, found: &mut Vec<Source>) {
    let root = path.join("experiments");
    let usual = path.join("test_case_generation/data/message_generation_attributes_for_personas.json");
    let attributes = params.attributes.as_ref().map(PathBuf::from).or_else(|| usual.exists().then_some(usual));
    let Some(attributes) = read_attributes(attributes.as_deref(), limits, found) else { return };
    for experiment in names_in(&root, found) {
        let logs = root.join(&experiment).join("logs");
        // Linked folders are not entered.
        if [root.join(&experiment), logs.clone()].iter().any(|folder| folder.is_symlink()) {
            continue;
        }
        for name in names_in(&logs, found).into_iter().filter(|name| name.ends_with(".csv")) {
            if let Err(special) = refuse_special(&logs.join(&name)) {
                found.push(Source::Fault(special));
                continue;
            }
            let states = path.join("evaluations/results/extracted_states").join(&experiment).join(states_name(&name));
            found.push(Source::File(LogFile {
                path: logs.join(&name),
                level: params.level_of(&experiment),
                experiment: experiment.clone(),
                states: Some(states).filter(|states| states.exists()),
                attributes: attributes.clone(),
            }));
        }
    }
}

/// Names of a folder's entries in code point order; what cannot be looked into is a fault, what is not there holds nothing.
fn names_in(folder: &Path, found: &mut Vec<Source>) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let mut names = match fs::read_dir(folder).and_then(|entries| entries.map(name).collect::<io::Result<Vec<_>>>()) {
        Ok(names) => names,
        Err(error) => {
            let there = !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
            found.extend(there.then(|| Source::Fault(unreadable_folder(folder, &error))));
            return vec![];
        }
    };
    names.sort();
    names
}

/// The file with the states of a log: named as the log is, whatever its ending of three letters.
fn states_name(log: &str) -> String {
    let stem = log.char_indices().rev().nth(3).map_or("", |(end, _)| &log[..end]);
    format!("{stem}_states.csv")
}

/// Whether a file given by name is a log of the original project.
fn is_log(path: &Path, params: &Params) -> bool {
    let csv = path.to_string_lossy().ends_with(".csv");
    matches!((params.format, csv), (FileFormat::OriginalCsv, _) | (FileFormat::Auto, true))
}

/// A log given by name.
fn log(path: PathBuf, params: &Params, limits: Limits, found: &mut Vec<Source>) {
    let named = params.experiment.as_ref().map(|text| for_file(text, &base_name(&path)));
    let Some(experiment) = named.or_else(|| experiment_of(&path)) else {
        let hint = "name it with --option experiment=NAME";
        let defect = bad_input("experiment", "an option experiment=NAME, or a folder named exp<level>", &path);
        found.push(Source::Fault(defect.hint(hint)));
        return;
    };
    let Some(attributes) = read_attributes(params.attributes.as_ref().map(Path::new), limits, found) else { return };
    let states = params.states.as_ref().map(|folder| Path::new(folder).join(states_name(&base_name(&path))));
    found.push(Source::File(LogFile {
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
fn read_attributes(path: Option<&Path>, limits: Limits, found: &mut Vec<Source>) -> Option<Arc<Attributes>> {
    let Some(path) = path else { return Some(Arc::default()) };
    let mut reader = FileReader::within(limits, &Supplied::default());
    let bytes = reader.bytes(path).map_err(|defect| {
        if defect.code == "too_large" {
            return defect.field("persona_attributes");
        }
        let expected = "a list of {full_name, message_generation_attributes}";
        bad_input("persona_attributes", expected, path).value(defect.value.unwrap_or_default())
    });
    match bytes.and_then(|bytes| Attributes::read(&bytes, &base_name(path))) {
        Ok(attributes) => {
            found.extend(reader.into_read().into_iter().map(Source::Read));
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
}

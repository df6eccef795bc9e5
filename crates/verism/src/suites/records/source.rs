//! What there is to read.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::chat::ChatFile;
use crate::error::Defect;
use crate::input::{Input, is_folder, refuse_special, unreadable_folder};
use crate::score::content::is_result;
use crate::score::manifest::InputFacts;

/// One thing to read.
pub enum Source<F> {
    /// A file of JSON lines.
    Lines(PathBuf),
    /// A stream of JSON lines with its name.
    Stream(String, Box<dyn Read + Send>),
    /// A file that the suite reads as a whole.
    File(F),
    /// A chat log of another program.
    Chat(ChatFile),
    /// A file that was read already.
    Read(InputFacts),
    /// What is wrong at this place, whatever else can be read.
    Fault(Defect),
}

/// A file that is read as a whole, perhaps with others that belong to it.
pub trait SourceFile: Send + Sync {
    /// The file, then those that belong to it.
    fn paths(&self) -> Vec<&Path>;
}

/// There are no files that are read as a whole.
#[derive(Debug)]
pub enum NoFiles {}

impl SourceFile for NoFiles {
    fn paths(&self) -> Vec<&Path> {
        match *self {}
    }
}

/// The simplest: a path.
impl SourceFile for PathBuf {
    fn paths(&self) -> Vec<&Path> {
        vec![self]
    }
}

impl<F: SourceFile> Source<F> {
    /// Its name as messages show it.
    pub(super) fn name(&self) -> String {
        match self {
            Source::Lines(path) | Source::Chat(ChatFile { path, .. }) => base_name(path),
            Source::Stream(name, _) => name.clone(),
            Source::File(file) => file.paths().first().map(|path| base_name(path)).unwrap_or_default(),
            Source::Read(facts) => facts.path.clone(),
            Source::Fault(defect) => defect.file.clone().unwrap_or_default(),
        }
    }

    /// Bytes to read.
    pub(super) fn bytes(&self) -> u64 {
        let of = |path: &Path| path.metadata().map_or(0, |facts| facts.len());
        match self {
            Source::Lines(path) | Source::Chat(ChatFile { path, .. }) => of(path),
            Source::File(file) => file.paths().into_iter().map(of).sum(),
            _ => 0,
        }
    }
}

/// The last part of a path, as messages name it.
pub fn base_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Files and streams of JSON lines; of a folder every file below it whose name has one of the endings, in the order of
/// the parts of their paths. `missing` makes the defect of a path that does not exist.
pub fn json_lines<F>(inputs: Vec<Input>, endings: &[&str], missing: &dyn Fn(&Path) -> Defect) -> Vec<Source<F>> {
    let mut found = vec![];
    for input in inputs {
        match input {
            Input::Stream(name, reader) => found.push(Source::Stream(name, reader)),
            Input::Path(path) if path.is_dir() => found.extend(each_below(&path, endings, Source::Lines)),
            Input::Path(path) if !path.exists() => found.push(Source::Fault(missing(&path))),
            Input::Path(path) => found.push(Source::Lines(path)),
        }
    }
    found
}

/// A source for every file below a folder whose name has one of the endings, in the order of the parts of their paths. What
/// cannot be looked into is a fault at its place.
pub fn each_below<F>(folder: &Path, endings: &[&str], source: impl Fn(PathBuf) -> Source<F>) -> Vec<Source<F>> {
    let mut found = vec![];
    walk(folder, endings, &mut vec![], &mut found);
    found.sort_by(|(parts, path, _), (others, other, _)| (parts, path).cmp(&(others, other)));
    let made = |(_, path, fault): SourceLine| fault.map_or_else(|| source(path), Source::Fault);
    found.into_iter().map(made).collect()
}

/// What lies below a folder: the parts of its path, the path, and what is wrong with it.
type SourceLine = (Vec<String>, PathBuf, Option<Defect>);

/// Linked folders and earlier results are not entered.
fn walk(folder: &Path, endings: &[&str], parts: &mut Vec<String>, found: &mut Vec<SourceLine>) {
    let failed = |error: io::Error| (parts.clone(), folder.to_path_buf(), Some(unreadable_folder(folder, &error)));
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let entries = match entries.map_err(failed) {
        Ok(entries) => entries,
        Err(place) => return found.push(place),
    };
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let wanted = endings.iter().any(|ending| name.ends_with(ending));
        let path = entry.path();
        parts.push(name);
        if is_folder(&entry) {
            if !is_result(&path) {
                walk(&path, endings, parts, found);
            }
        } else if wanted && !path.is_dir() {
            let fault = refuse_special(&path).err();
            found.push((parts.clone(), path, fault));
        }
        parts.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_by_the_parts_of_their_paths() {
        let home = tempfile::tempdir().expect("a folder");
        for name in ["b.jsonl", "a/z.jsonl", "a.jsonl", "a-b/y.jsonl", "a/note.txt"] {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        let inside = |path: PathBuf| path.strip_prefix(home.path()).expect("inside").display().to_string();
        let found =
            each_below::<NoFiles>(home.path(), &[".jsonl"], |path| Source::Stream(inside(path), Box::new(&[][..])));
        let names: Vec<String> = found.iter().map(Source::name).collect();
        assert_eq!(names, ["a/z.jsonl", "a-b/y.jsonl", "a.jsonl", "b.jsonl"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_looked_into_is_a_fault_and_a_pipe_is_not_waited_for() {
        let home = tempfile::tempdir().expect("a folder");
        fs::write(home.path().join("a.jsonl"), "").expect("a file");
        let _socket = std::os::unix::net::UnixListener::bind(home.path().join("b.jsonl")).expect("a socket");
        let found = each_below::<NoFiles>(home.path(), &[".jsonl"], Source::Lines);
        assert!(matches!(&found[..], [Source::Lines(_), Source::Fault(defect)] if defect.code == "unreadable"));
        let found = each_below::<NoFiles>(&home.path().join("nowhere"), &[".jsonl"], Source::Lines);
        assert!(matches!(&found[..], [Source::Fault(defect)] if defect.code == "unreadable"));
    }
}

//! The files of a result folder: what its manifest says about them, and whether that still holds.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use twox_hash::xxhash3_128;

use super::manifest::MANIFEST;
use crate::error::{Error, Result};

/// Timings of a run, which no manifest names: they are never the same twice.
pub const TIMING: &str = "timing.json";

/// A file of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Path inside the folder, its parts separated by `/`.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// XXH3 of the bytes with 128 bits, in hexadecimal, as `xxhsum -H2` prints it. It tells an edited file from the one that
    /// was written, in a tenth of the time that SHA-256 takes where the processor has no instructions for that.
    /// Empty in manifests that have none: such a file may be read, and counts as edited.
    #[serde(default)]
    pub xxh3_128: String,
}

/// Files that were hashed while they were written, each with its size and its hash, so that nobody needs to read them
/// again.
#[derive(Clone, Debug, Default)]
pub struct Hashed(Arc<Mutex<FxHashMap<PathBuf, (u64, String)>>>);

impl Hashed {
    fn all(&self) -> MutexGuard<'_, FxHashMap<PathBuf, (u64, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hash of a file of so many bytes, if it was made.
    fn of(&self, path: &Path, bytes: u64) -> Option<String> {
        self.all().get(path).filter(|(written, _)| *written == bytes).map(|(_, hash)| hash.clone())
    }
}

/// A file whose bytes are hashed on their way.
pub(super) struct HashedFile {
    file: File,
    hash: xxhash3_128::Hasher,
    bytes: u64,
}

impl fmt::Debug for HashedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashedFile").field("file", &self.file).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl HashedFile {
    pub(super) fn create(path: &Path) -> io::Result<HashedFile> {
        Ok(HashedFile { file: File::create(path)?, hash: xxhash3_128::Hasher::new(), bytes: 0 })
    }

    /// Notes the file, which is complete.
    pub(super) fn finish(self, path: PathBuf, hashed: &Hashed) {
        hashed.all().insert(path, (self.bytes, shown(&self.hash)));
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.write(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Gives the files of a folder in the order of their paths, all but its manifest and its timings.
pub fn files_of(folder: &Path) -> Result<Vec<FileFacts>> {
    files_known(folder, &Hashed::default())
}

/// The same; what was hashed while it was written is not read again.
pub fn files_known(folder: &Path, hashed: &Hashed) -> Result<Vec<FileFacts>> {
    let facts = || -> io::Result<Vec<FileFacts>> {
        let entries = entries(folder)?;
        let of = |entry: &Entry| {
            let path = folder.join(&entry.path);
            let xxh3_128 = hashed.of(&path, entry.bytes).map_or_else(|| hash(&path), Ok)?;
            Ok(FileFacts { path: entry.path.clone(), bytes: entry.bytes, xxh3_128 })
        };
        entries.par_iter().filter(|entry| entry.plain && !is_exempt(&entry.path)).map(of).collect()
    };
    facts().map_err(Error::write(folder.display().to_string()))
}

/// Gives the first file of a folder that its manifest names and that is missing or has another size, as a copy that was
/// cut off leaves them.
pub fn not_as_written<'f>(folder: &Path, named: &'f [FileFacts]) -> Option<&'f FileFacts> {
    named.iter().find(|file| fs::metadata(folder.join(&file.path)).map_or(true, |facts| facts.len() != file.bytes))
}

fn is_exempt(path: &str) -> bool {
    path == MANIFEST || path == TIMING
}

/// What lies in a folder besides the files that its manifest names, unchanged.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Surplus {
    /// A file that the manifest does not name.
    Foreign(String),
    /// A file that is not as it was written.
    Edited(String),
}

/// Gives the first thing in a folder that is not among the files named, as they are named. Files that are missing are no
/// loss.
pub(super) fn surplus(folder: &Path, entries: &[Entry], named: &[FileFacts]) -> io::Result<Option<Surplus>> {
    let by_path: FxHashMap<&str, &FileFacts> = named.iter().map(|file| (file.path.as_str(), file)).collect();
    let of = |entry: &Entry| -> io::Result<Option<Surplus>> {
        if entry.plain && is_exempt(&entry.path) {
            return Ok(None);
        }
        Ok(match by_path.get(entry.path.as_str()) {
            None => Some(Surplus::Foreign(entry.path.clone())),
            Some(file) if !entry.plain || entry.bytes != file.bytes => Some(Surplus::Edited(entry.path.clone())),
            Some(file) if hash(&folder.join(&entry.path))? != file.xxh3_128 => {
                Some(Surplus::Edited(entry.path.clone()))
            }
            Some(_) => None,
        })
    };
    let found: Vec<Option<Surplus>> = entries.par_iter().map(of).collect::<io::Result<_>>()?;
    Ok(found.into_iter().flatten().next())
}

/// Something in a folder that is not a folder, as far as it can be seen without opening it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    path: String,
    /// An ordinary file with a name in Unicode: no link, no device.
    plain: bool,
    bytes: u64,
    changed: Option<SystemTime>,
}

/// Everything below a folder, in the order of paths. Links are not followed.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut found = vec![];
    walk(folder, "", &mut found)?;
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, above: &str, found: &mut Vec<Entry>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, facts) = (entry.file_name(), entry.metadata()?);
        let path = format!("{above}{}", name.to_string_lossy());
        if facts.is_dir() {
            walk(&entry.path(), &format!("{path}/"), found)?;
        } else {
            let plain = facts.is_file() && name.to_str().is_some();
            found.push(Entry { path, plain, bytes: facts.len(), changed: facts.modified().ok() });
        }
    }
    Ok(())
}

/// The hash of a file.
fn hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = xxhash3_128::Hasher::new();
    let mut buffer = vec![0; 1 << 17];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(shown(&hash)),
            Ok(got) => hash.write(&buffer[..got]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn shown(hash: &xxhash3_128::Hasher) -> String {
    format!("{:032x}", hash.finish_128())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir(home.path().join("tables")).expect("a folder");
        for (name, text) in [("b.txt", "abc"), ("tables/a.csv", ""), (MANIFEST, "{}"), (TIMING, "{}")] {
            fs::write(home.path().join(name), text).expect("written");
        }
        home
    }

    fn looked_at(home: &Path, named: &[FileFacts]) -> Option<Surplus> {
        surplus(home, &entries(home).expect("entries"), named).expect("read")
    }

    #[test]
    fn files_are_listed_by_path_with_size_and_hash() {
        let home = folder();
        let files = files_of(home.path()).expect("files");
        let paths: Vec<(&str, u64)> = files.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
        assert_eq!(paths, [("b.txt", 3), ("tables/a.csv", 0)]);
        // XXH3-128 of "abc": Python's xxhash 4.1.0 with libxxhash 0.8.4.
        assert_eq!(files[0].xxh3_128, "06b05ab6733a618578af5f94892f3950");
    }

    #[test]
    fn what_was_hashed_on_its_way_is_not_read_again() {
        let (home, hashed) = (tempfile::tempdir().expect("a folder"), Hashed::default());
        let path = home.path().join("b.txt");
        let mut file = HashedFile::create(&path).expect("a file");
        file.write_all(b"a").and_then(|()| file.write_all(b"bc")).expect("written");
        file.finish(path.clone(), &hashed);
        let of = |hashed: &Hashed| files_known(home.path(), hashed).expect("files");
        assert_eq!(of(&hashed), files_of(home.path()).expect("files"));
        // Of the same size, so that only the note tells what was written.
        fs::write(&path, "xyz").expect("written");
        assert_eq!(of(&hashed)[0].xxh3_128, "06b05ab6733a618578af5f94892f3950");
        fs::write(&path, "longer").expect("written");
        assert_eq!(of(&hashed), files_of(home.path()).expect("files"), "another size: read again");
    }

    #[test]
    fn what_is_named_and_unchanged_is_no_surplus() {
        let home = folder();
        let files = files_of(home.path()).expect("files");
        assert_eq!(looked_at(home.path(), &files), None);
        fs::remove_file(home.path().join("b.txt")).expect("removed");
        assert_eq!(looked_at(home.path(), &files), None, "a missing file is no loss");
    }

    #[test]
    fn what_was_added_or_edited_is() {
        let home = folder();
        let files = files_of(home.path()).expect("files");
        fs::write(home.path().join("b.txt"), "abd").expect("written");
        assert_eq!(looked_at(home.path(), &files), Some(Surplus::Edited("b.txt".into())));
        fs::write(home.path().join("b.txt"), "abc").expect("written");
        fs::write(home.path().join("tables/manifest.json"), "").expect("written");
        assert_eq!(looked_at(home.path(), &files), Some(Surplus::Foreign("tables/manifest.json".into())));
    }

    #[test]
    fn files_named_without_a_hash_are_read_and_count_as_edited() {
        let home = folder();
        let named = r#"[{"path": "b.txt", "bytes": 3, "sha256": "ba78"}, {"path": "tables/a.csv", "bytes": 0}]"#;
        let named: Vec<FileFacts> = serde_json::from_str(named).expect("facts");
        assert_eq!(not_as_written(home.path(), &named), None);
        assert_eq!(looked_at(home.path(), &named), Some(Surplus::Edited("b.txt".into())));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_the_file_that_it_replaced() {
        let home = folder();
        let files = files_of(home.path()).expect("files");
        fs::rename(home.path().join("b.txt"), home.path().join(TIMING)).expect("moved");
        std::os::unix::fs::symlink(home.path().join(TIMING), home.path().join("b.txt")).expect("linked");
        assert_eq!(looked_at(home.path(), &files), Some(Surplus::Edited("b.txt".into())));
    }
}

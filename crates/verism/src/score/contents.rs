//! The files of a result folder: what its manifest says about them, and whether that still holds.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::manifest::MANIFEST;
use crate::error::{Error, Result};
use crate::input::hexadecimal;

/// Timings of a run, which no manifest names: they are never the same twice.
pub const TIMING: &str = "timing.json";

/// A file of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Path inside the folder, its parts separated by `/`.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
}

/// Files that were hashed while they were written, each with its size and its SHA-256, so that nobody needs to read them
/// again.
#[derive(Clone, Debug, Default)]
pub struct Hashed(Arc<Mutex<FxHashMap<PathBuf, (u64, String)>>>);

impl Hashed {
    fn all(&self) -> MutexGuard<'_, FxHashMap<PathBuf, (u64, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The SHA-256 of a file of so many bytes, if it was hashed.
    fn of(&self, path: &Path, bytes: u64) -> Option<String> {
        self.all().get(path).filter(|(written, _)| *written == bytes).map(|(_, sha256)| sha256.clone())
    }
}

/// A file whose bytes are hashed on their way.
#[derive(Debug)]
pub(super) struct HashedFile {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl HashedFile {
    pub(super) fn create(path: &Path) -> io::Result<HashedFile> {
        Ok(HashedFile { file: File::create(path)?, hash: Sha256::new(), bytes: 0 })
    }

    /// Notes the file, which is complete.
    pub(super) fn finish(self, path: PathBuf, hashed: &Hashed) {
        hashed.all().insert(path, (self.bytes, hexadecimal(&self.hash.finalize())));
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
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
            let sha256 = hashed.of(&path, entry.bytes).map_or_else(|| digest(&path), Ok)?;
            Ok(FileFacts { path: entry.path.clone(), bytes: entry.bytes, sha256 })
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
            Some(file) if digest(&folder.join(&entry.path))? != file.sha256 => {
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

/// SHA-256 of a file in hexadecimal.
fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 17];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hash.finalize())),
            Ok(got) => hash.update(&buffer[..got]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
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
        // SHA-256 of "abc": FIPS 180-2, appendix B.1.
        assert_eq!(files[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
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
        assert_eq!(of(&hashed)[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
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

//! A file is written under another name and then put in its place as a whole, as result folders are.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::place::{above, resolve, sync_folder};
use super::stage::StageNames;
use crate::error::{Defect, Error, Result};

/// A file under construction beside its place. Dropped before it is put there, it is removed and its place keeps what it
/// had; what a killed process left is removed by the next that writes to the same place.
#[derive(Debug)]
pub struct FileStage {
    place: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
    /// Dropped, and so removed, after the file.
    _lock: Lock,
}

impl FileStage {
    /// Starts a file that will replace what stands at a path, or what a link there leads to. Folders, devices, and files
    /// that the job reads are not replaced: those that `read` names, and those in folders that it names.
    pub fn beside(place: &Path, read: &[PathBuf]) -> Result<FileStage> {
        let shown = place.display().to_string();
        let place = resolve(place).map_err(Error::write(&shown))?;
        check(&place, &shown, read)?;
        let begin = || {
            let beside = StageNames::of(&place).ok_or(io::ErrorKind::InvalidInput)?;
            let held = beside.hold()?;
            beside.sweep(&place);
            let begun = beside.begin(|path| File::create_new(path));
            drop(held);
            begun
        };
        let (path, file, lock) = begin().map_err(Error::write(shown))?;
        Ok(FileStage { place, path, file: BufWriter::new(file), _lock: lock })
    }

    /// Puts the file in its place once all of it is on disk.
    pub fn put_in_place(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, &self.place)?;
        self.place.parent().map_or(Ok(()), sync_folder)
    }
}

/// Refuses an absolute path whose replacement would lose something.
fn check(place: &Path, shown: &str, read: &[PathBuf]) -> Result<()> {
    let refused = |expected: &str, hint: &str| Err(Defect::new("bad_output", expected).file(shown).hint(hint).into());
    let elsewhere = "name another place";
    match fs::metadata(place) {
        _ if place.file_name().is_none() => refused("a file that can be created", elsewhere),
        Ok(facts) if !facts.is_file() => refused("a file", "folders and devices are not replaced; name another place"),
        Ok(_) if read.iter().any(|read| above(read, place)) => refused("a file that is not an input", elsewhere),
        _ => Ok(()),
    }
}

impl Write for FileStage {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for FileStage {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_whole_and_nothing_is_left() {
        let home = tempfile::tempdir().expect("a folder");
        let place = home.path().join("out.jsonl");
        for left in [".out.jsonl.verism-aaaaaa", ".out.jsonl.verism-aaaaaa.lock", ".out.jsonl.verism.lock"] {
            fs::write(home.path().join(left), "left by a process that was killed").expect("written");
        }
        let mut stage = FileStage::beside(&place, &[]).expect("a stage");
        let mut other = FileStage::beside(&place, &[]).expect("a second one");
        other.write_all(b"never finished").expect("written");
        stage.write_all(b"whole").expect("written");
        assert!(!place.exists());
        stage.put_in_place().expect("in place");
        drop(other);
        assert_eq!(fs::read_to_string(&place).expect("read"), "whole");
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn what_is_read_is_not_replaced() {
        let home = tempfile::tempdir().expect("a folder");
        let (folder, file) = (home.path().join("logs"), home.path().join("logs/a.jsonl"));
        fs::create_dir(&folder).expect("a folder");
        fs::write(&file, "a log").expect("written");
        for read in [&folder, &file] {
            let error = FileStage::beside(&file, std::slice::from_ref(read)).expect_err("refused");
            assert_eq!(error.defect().code, "bad_output", "{read:?}");
        }
        assert!(FileStage::beside(&folder, &[]).is_err(), "a folder");
        FileStage::beside(&folder.join("new.jsonl"), std::slice::from_ref(&folder)).expect("nothing stands there");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    }
}

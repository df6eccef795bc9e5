//! A file is written beside its place and then put there whole, as result folders are.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::stage::StageNames;

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
    /// Starts a file that will replace an absolute path.
    pub fn beside(place: &Path) -> io::Result<FileStage> {
        let beside = StageNames::of(place).ok_or(io::ErrorKind::InvalidInput)?;
        let held = beside.hold()?;
        beside.sweep(place);
        let (path, file, lock) = beside.begin(|path| File::create_new(path))?;
        drop(held);
        Ok(FileStage { place: place.to_path_buf(), path, file: BufWriter::new(file), _lock: lock })
    }

    /// Puts the file in its place once all of it is on disk.
    pub fn put_in_place(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, &self.place)
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
        let mut stage = FileStage::beside(&place).expect("a stage");
        let mut other = FileStage::beside(&place).expect("a second one");
        other.write_all(b"never finished").expect("written");
        stage.write_all(b"whole").expect("written");
        assert!(!place.exists());
        stage.put_in_place().expect("in place");
        drop(other);
        assert_eq!(fs::read_to_string(&place).expect("read"), "whole");
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 1);
    }
}

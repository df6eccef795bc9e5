//! A result folder is written beside its place and then put there whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::manifest::MANIFEST;
use crate::error::{Defect, Error, Result};

/// Name of the file whose lock says that a staging folder is in use.
const LOCK: &str = ".lock";

/// A folder under construction beside the place where it will stand.
///
/// Dropped without [`Stage::put_in_place`], it is removed and its place keeps what it had. What a killed process left
/// behind is removed by the next one that writes to the same place.
#[derive(Debug)]
pub struct Stage {
    place: PathBuf,
    folder: TempDir,
    _lock: File,
}

impl Stage {
    /// Starts a folder that will replace `place`: nothing there yet, an empty folder, or an earlier result.
    pub fn beside(place: &Path) -> Result<Stage> {
        let shown = place.display().to_string();
        refuse_foreign(place, &shown)?;
        let absolute = std::path::absolute(place).map_err(Error::write(&shown))?;
        let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return Err(Defect::new("bad_output", "a folder that can be created").file(shown).into());
        };
        fs::create_dir_all(parent).map_err(Error::write(&shown))?;
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".verism-");
        remove_abandoned(parent, &prefix);
        let start = || -> io::Result<(TempDir, File)> {
            let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent)?;
            let lock = File::create(folder.path().join(LOCK))?;
            lock.lock()?;
            Ok((folder, lock))
        };
        let (folder, lock) = start().map_err(Error::write(&shown))?;
        Ok(Stage { place: absolute, folder, _lock: lock })
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts the finished folder in its place; what stood there is gone only after that.
    pub fn put_in_place(self) -> Result<()> {
        let put = || -> io::Result<()> {
            fs::remove_file(self.folder.path().join(LOCK))?;
            make_public(self.folder.path())?;
            if self.place.symlink_metadata().is_ok() {
                swap(self.folder.path(), &self.place)
            } else {
                fs::rename(self.folder.path(), &self.place)
            }
        };
        put().map_err(Error::write(self.place.display().to_string()))
    }
}

/// Gives the folder the permissions of any other new folder; temporary ones are private.
fn make_public(folder: &Path) -> io::Result<()> {
    let probe = folder.join(LOCK);
    fs::create_dir(&probe)?;
    let permissions = fs::metadata(&probe)?.permissions();
    fs::remove_dir(&probe)?;
    fs::set_permissions(folder, permissions)
}

/// Exchanges two folders in one step, where the system can.
#[cfg(target_os = "linux")]
fn swap(new: &Path, old: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => swap_in_two(new, old),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn swap(new: &Path, old: &Path) -> io::Result<()> {
    swap_in_two(new, old)
}

/// Moves the old folder aside, the new one in, and the old one back if that fails.
fn swap_in_two(new: &Path, old: &Path) -> io::Result<()> {
    let aside = new.join(".replaced");
    let parking = tempfile::Builder::new().prefix(".verism-replaced-").tempdir_in(new.parent().unwrap_or(new))?;
    let parked = parking.path().join(aside.file_name().unwrap_or_default());
    fs::rename(old, &parked)?;
    fs::rename(new, old).inspect_err(|_| {
        let _ = fs::rename(&parked, old);
    })
}

fn refuse_foreign(place: &Path, shown: &str) -> Result<()> {
    let defect = |expected: &str| Defect::new("bad_output", expected).file(shown);
    let mut entries = match fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(defect("a folder, not a file").hint("name another place with -o").into());
        }
        Err(error) => return Err(Error::write(shown)(error)),
    };
    if entries.next().is_none() || super::manifest::is_ours(&place.join(MANIFEST)) {
        return Ok(());
    }
    let hint = "it holds files that verism did not write; name another folder with -o, or empty this one";
    Err(defect("a new or empty folder, or an earlier result of verism").hint(hint).into())
}

/// Removes staging folders whose process is gone: nobody holds their lock any more.
fn remove_abandoned(parent: &Path, prefix: &OsString) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let begins = |name: &OsString| name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes());
    for entry in entries.flatten().filter(|entry| begins(&entry.file_name())) {
        let free = File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if free {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(place: &Path, text: &str) {
        let stage = Stage::beside(place).expect("a stage");
        fs::write(stage.path().join(MANIFEST), r#"{"tool":"verism"}"#).expect("written");
        fs::write(stage.path().join("a.txt"), text).expect("written");
        stage.put_in_place().expect("in place");
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_result_replaces_an_earlier_one_whole() {
        let home = tempfile::tempdir().expect("a folder");
        let place = home.path().join("out");
        ours(&place, "one");
        ours(&place, "two");
        assert_eq!(fs::read_to_string(place.join("a.txt")).expect("read"), "two");
        assert_eq!(names(home.path()), ["out"]);
    }

    #[test]
    fn an_unfinished_result_changes_nothing() {
        let home = tempfile::tempdir().expect("a folder");
        let place = home.path().join("out");
        ours(&place, "one");
        let stage = Stage::beside(&place).expect("a stage");
        fs::write(stage.path().join("a.txt"), "half").expect("written");
        drop(stage);
        assert_eq!(fs::read_to_string(place.join("a.txt")).expect("read"), "one");
        assert_eq!(names(home.path()), ["out"]);
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let home = tempfile::tempdir().expect("a folder");
        let left = home.path().join(".out.verism-killed");
        fs::create_dir(&left).expect("created");
        fs::write(left.join(LOCK), "").expect("written");
        let live = Stage::beside(&home.path().join("out")).expect("a stage");
        let other = Stage::beside(&home.path().join("out")).expect("a second stage");
        assert!(!left.exists());
        assert!(live.path().exists() && other.path().exists());
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        let home = tempfile::tempdir().expect("a folder");
        fs::write(home.path().join("thesis.doc"), "years of work").expect("written");
        let refused = Stage::beside(home.path()).expect_err("refused");
        assert_eq!(refused.defect().code, "bad_output");
        assert_eq!(names(home.path()), ["thesis.doc"]);
    }
}

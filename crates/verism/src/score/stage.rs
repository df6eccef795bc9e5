//! What stands beside a place while somebody writes: a lock, and a stage with its own lock for each writer.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::lock::Lock;
use crate::input::hexadecimal;
use sha2::{Digest, Sha256};

/// Characters that tell the stages of one place apart.
const RANDOM: usize = 6;
/// Longest name that stands in the names of stages; longer ones are told by a hash.
const LONGEST_NAME: usize = 160;
/// Ending of locks.
const LOCK: &str = ".lock";
/// Ending of what stays for the next writer to go on with.
const HALF_DONE: &str = ".half";
/// Ending of what was moved aside where two folders cannot be exchanged in one step.
pub(super) const ASIDE: &str = ".old";

/// The surroundings of a place.
#[derive(Debug)]
pub(super) struct StageNames {
    pub(super) parent: PathBuf,
    /// `.<name>.verism`, with which all names beside the place begin.
    stem: OsString,
}

impl StageNames {
    /// The surroundings of an absolute path; none if it has no parent or no name.
    pub(super) fn of(place: &Path) -> Option<StageNames> {
        let (parent, name) = (place.parent()?, place.file_name()?);
        let mut stem = OsString::from(".");
        match name.len() > LONGEST_NAME {
            true => stem.push(&hexadecimal(&Sha256::digest(name.as_encoded_bytes()))[..32]),
            false => stem.push(name),
        }
        stem.push(".verism");
        Some(StageNames { parent: parent.to_path_buf(), stem })
    }

    fn named(&self, ending: &str) -> PathBuf {
        let mut name = self.stem.clone();
        name.push(ending);
        self.parent.join(name)
    }

    /// Waits for the lock of the place.
    pub(super) fn hold(&self) -> io::Result<Lock> {
        fs::create_dir_all(&self.parent)?;
        Lock::wait(self.named(LOCK))
    }

    /// Begins a stage, made by a function under a new name; the lock of the place must be held.
    pub(super) fn begin<T>(&self, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T, Lock)> {
        let mut prefix = self.stem.clone();
        prefix.push("-");
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix(&prefix).suffix(LOCK).rand_bytes(RANDOM).make_in(&self.parent, |path| {
            let (lock, stage) = (Lock::create(path.to_path_buf())?, path.with_extension(""));
            make(&stage).map(|made| (stage, made, lock))
        })?;
        let (begun, name) = made.into_parts();
        // The lock removes its file itself.
        name.keep()?;
        Ok(begun)
    }

    /// Takes up what an earlier writer left half done, or begins it; none while somebody works on it. The lock of the
    /// place must be held.
    pub(super) fn take_up(&self, place: &Path) -> io::Result<Option<(PathBuf, Lock)>> {
        let folder = self.named(HALF_DONE);
        let Some(lock) = Lock::attempt(self.named(&format!("{HALF_DONE}{LOCK}")))? else { return Ok(None) };
        restore(&self.named(&format!("{HALF_DONE}{ASIDE}")), place);
        fs::create_dir_all(&folder)?;
        Ok(Some((folder, lock)))
    }

    /// Removes what writers left behind that were killed; the lock of the place must be held.
    pub(super) fn sweep(&self, place: &Path) {
        let Ok(entries) = fs::read_dir(&self.parent) else { return };
        let stages: BTreeSet<String> =
            entries.flatten().filter_map(|entry| self.stage_of(&entry.file_name())).collect();
        for stage in stages {
            let path = |ending: &str| self.named(&format!("-{stage}{ending}"));
            let Some(_lock) = Lock::abandoned(path(LOCK)) else { continue };
            restore(&path(ASIDE), place);
            let stage = path("");
            let _ = if stage.is_file() { fs::remove_file(stage) } else { fs::remove_dir_all(stage) };
        }
    }

    /// The characters that tell a stage, if a name is one that belongs to a stage of this place.
    fn stage_of(&self, name: &OsStr) -> Option<String> {
        let rest = name.as_encoded_bytes().strip_prefix(self.stem.as_encoded_bytes())?.strip_prefix(b"-")?;
        let (random, ending) = rest.split_at_checked(RANDOM)?;
        let ours = random.iter().all(u8::is_ascii_alphanumeric)
            && [b"".as_slice(), LOCK.as_bytes(), ASIDE.as_bytes()].contains(&ending);
        ours.then(|| String::from_utf8_lossy(random).into_owned())
    }
}

/// Brings back what was moved aside by a writer that was killed before it put another in its place.
fn restore(aside: &Path, place: &Path) {
    if aside.exists() && !place.exists() {
        let _ = fs::rename(aside, place);
    }
    let _ = fs::remove_dir_all(aside);
}

/// Exchanges two folders in one step, where the system can.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn swap(new: &Path, old: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => swap_in_two(new, old),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn swap(new: &Path, old: &Path) -> io::Result<()> {
    swap_in_two(new, old)
}

/// Moves the old folder aside, the new one in, and the old one back if that fails. Killed in between, the next writer
/// moves it back.
pub(super) fn swap_in_two(new: &Path, old: &Path) -> io::Result<()> {
    let mut aside = new.as_os_str().to_os_string();
    aside.push(ASIDE);
    fs::rename(old, &aside)?;
    fs::rename(new, old).inspect_err(|_| {
        let _ = fs::rename(&aside, old);
    })?;
    let _ = fs::remove_dir_all(&aside);
    Ok(())
}

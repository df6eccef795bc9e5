//! A result folder is written beside its place and then put there whole.
//!
//! Beside the place `out` stand, while somebody writes: the lock `.out.verism.lock`, held for the moments in which stages
//! are begun, removed or exchanged; for each writer a stage `.out.verism-XXXXXX` and its lock
//! `.out.verism-XXXXXX.lock`, held as long as the writer lives. What has no living writer is removed by the next one.
//!
//! Long jobs that can go on where they stopped have one stage, `.out.verism.half`, with its lock `.out.verism.half.lock`:
//! it stays until it is put in place, and no two work on it at a time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::content::{Content, ManifestMark, is_result};
use super::contents::{Entry, Surplus, entries, surplus};
use super::lock::Lock;
use super::stage::{StageNames, swap};
use crate::error::{Defect, Error, Result};

/// Where a result is to stand, and what may be replaced for it.
#[derive(Debug)]
pub struct ResultPlace {
    /// The folder as it was named.
    pub place: PathBuf,
    /// What will be written.
    pub content: Content,
    /// Files and folders that the job reads: nothing is replaced that holds one of them, or that lies in one and is read.
    pub inputs: Vec<PathBuf>,
    /// Whether an earlier result of another kind may be replaced.
    pub force: bool,
}

/// A folder under construction beside the place where it will stand.
///
/// Dropped without [`Stage::put_in_place`], it is removed, or kept for the next writer if it was begun by
/// [`Stage::take_up`]; its place keeps what it had.
#[derive(Debug)]
pub struct Stage {
    wanted: ResultPlace,
    place: PathBuf,
    beside: StageNames,
    folder: PathBuf,
    /// What was in the place when it was found to be replaceable.
    seen: Vec<Entry>,
    /// Whether it stays for the next writer unless it is finished.
    lasting: bool,
    /// Dropped, and so removed, after the folder.
    _lock: Lock,
}

impl Stage {
    /// Starts a folder that will replace its place: nothing there yet, an empty folder, or an earlier result of the same
    /// kind that is as it was written.
    pub fn beside(wanted: ResultPlace) -> Result<Stage> {
        Stage::begin(wanted, false)
    }

    /// The same for a job that can go on where it stopped: the folder holds what an earlier writer left there. While
    /// somebody else works on it, it is refused.
    pub fn take_up(wanted: ResultPlace) -> Result<Stage> {
        Stage::begin(wanted, true)
    }

    fn begin(wanted: ResultPlace, lasting: bool) -> Result<Stage> {
        let shown = wanted.place.display().to_string();
        let place = resolve(&wanted.place).map_err(Error::write(&shown))?;
        let Some(beside) = StageNames::of(&place) else {
            return Err(Defect::new("bad_output", "a folder that can be created").file(shown).into());
        };
        let held = beside.hold().map_err(Error::write(&shown))?;
        beside.sweep(&place);
        let seen = wanted.check(&place)?;
        let (folder, lock) = match lasting {
            true => beside.take_up(&place).map_err(Error::write(&shown))?.ok_or_else(|| in_use(&shown))?,
            false => {
                let (folder, (), lock) = beside.begin(|path| fs::create_dir(path)).map_err(Error::write(&shown))?;
                (folder, lock)
            }
        };
        drop(held);
        Ok(Stage { wanted, place, beside, folder, seen, lasting, _lock: lock })
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Puts the finished folder in its place; what stood there is gone only after that.
    ///
    /// Of several that write to one place at the same time each comes in turn, and the last one stays.
    pub fn put_in_place(mut self) -> Result<()> {
        let failed = |error: io::Error| Error::write(self.wanted.place.display().to_string())(error);
        sync_below(&self.folder).map_err(failed)?;
        let _held = self.beside.hold().map_err(failed)?;
        if entries(&self.place).ok().as_ref() != Some(&self.seen) {
            self.wanted.check(&self.place)?;
        }
        let put = || match self.place.symlink_metadata() {
            Ok(_) => swap(&self.folder, &self.place),
            Err(_) => fs::rename(&self.folder, &self.place),
        };
        put().and_then(|()| sync_folder(&self.beside.parent)).map_err(failed)?;
        // Under its name is now what stood in the place.
        self.lasting = false;
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = match self.lasting {
            // Only if nothing was begun in it.
            true => fs::remove_dir(&self.folder),
            false => fs::remove_dir_all(&self.folder),
        };
    }
}

/// The defect of a place that another process is writing to.
fn in_use(place: &str) -> Defect {
    let hint = "another process is writing there: wait for it, or name another folder with -o";
    Defect::new("in_use", "a folder that no other process is writing to").file(place).hint(hint)
}

/// The place itself: absolute, and behind a link what the link points to.
fn resolve(place: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(place).or_else(|_| std::path::absolute(place))
}

impl ResultPlace {
    /// Refuses a place whose replacement would lose something; gives what lies there.
    fn check(&self, place: &Path) -> Result<Vec<Entry>> {
        let shown = self.place.display().to_string();
        let refuse = |expected: String, value: Option<String>, hint: &str| -> Result<Vec<Entry>> {
            let defect = Defect { value, ..Defect::new("bad_output", expected) };
            Err(defect.file(&shown).hint(hint).into())
        };
        let elsewhere = "name another folder with -o";
        if is_mount_point(place) {
            // The system would refuse the exchange, after all the work.
            return refuse("a folder that is no mount point".into(), None, "name a folder in it with -o");
        }
        match fs::read_dir(place).map(|mut entries| entries.next().is_none()) {
            Ok(true) => return Ok(vec![]),
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound && place.is_symlink() => {
                return refuse("a folder, not a link that leads nowhere".into(), None, elsewhere);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return refuse("a folder, not a file".into(), None, elsewhere);
            }
            Err(error) => return Err(Error::write(shown)(error)),
        }
        let Some(marked) = ManifestMark::read(place) else {
            let hint = "it holds files that verism did not write; name another folder with -o, or empty this one";
            return refuse("a new or empty folder, or an earlier result of verism".into(), None, hint);
        };
        // An earlier result below an input folder is not read.
        let is_read = !is_result(place);
        if let Some(input) =
            self.inputs.iter().find(|input| lies_in_or_at(input, place) || is_read && above(input, place))
        {
            let expected = "a folder that neither holds an input of this job nor lies in one";
            return refuse(expected.into(), Some(input.display().to_string()), elsewhere);
        }
        if marked.content != self.content && !self.force {
            let expected = format!("a new folder, or an earlier result of the same kind: {}", self.content);
            let hint = "name another folder with -o, or replace this result with --force";
            return refuse(expected, Some(marked.content.to_string()), hint);
        }
        let kept = "move what you want to keep and remove the folder, or name another one with -o";
        let Some(files) = marked.files else {
            let expected = "a result whose manifest lists its files";
            return refuse(expected.into(), Some("written by an earlier version".into()), kept);
        };
        let looked = entries(place).and_then(|entries| Ok((surplus(place, &entries, &files)?, entries)));
        let (expected, path) = match looked.map_err(Error::write(&shown))? {
            (None, entries) => return Ok(entries),
            (Some(Surplus::Foreign(path)), _) => ("only files that verism wrote there", path),
            (Some(Surplus::Edited(path)), _) => ("files as verism wrote them, not edited since", path),
        };
        refuse(expected.into(), Some(path), kept)
    }
}

/// Whether another file system, or a part of one, is mounted at a place. Where the system does not tell, it is not known.
fn is_mount_point(place: &Path) -> bool {
    let mounted = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let places = mounted.lines().filter_map(|line| line.split(' ').nth(4));
    places.map(|path| path.replace("\\040", " ")).any(|path| Path::new(&path) == place)
}

fn lies_in_or_at(input: &Path, place: &Path) -> bool {
    fs::canonicalize(input).is_ok_and(|input| input.starts_with(place))
}

fn above(input: &Path, place: &Path) -> bool {
    fs::canonicalize(input).is_ok_and(|input| place.starts_with(&input))
}

/// Brings everything below a folder to the disk.
fn sync_below(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => sync_below(&entry.path())?,
            // Windows syncs only what is open for writing.
            false => File::options().read(true).write(true).open(entry.path())?.sync_all()?,
        }
    }
    sync_folder(folder)
}

/// Brings the names in a folder to the disk, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some systems open or sync no folders: names are then as safe as they make them.
        Err(error) if cfg!(unix) && ![InvalidInput, PermissionDenied, Unsupported].contains(&error.kind()) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;

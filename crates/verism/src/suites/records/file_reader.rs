//! Files that a suite reads as a whole: their bytes, the ids that options supply, and what the manifest says of them.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::base_name;
use super::supplied::{RecordLine, Supplied};
use crate::error::Defect;
use crate::input::value::Json;
use crate::input::{Limits, hexadecimal, read_whole};
use crate::score::manifest::InputFacts;

/// A file that could not be read.
#[derive(Debug)]
pub struct Unreadable;

impl Unreadable {
    /// Its defect.
    pub fn defect(path: &Path, error: &io::Error) -> Defect {
        let defect = Defect::new("unreadable", "a file that can be read").file(base_name(path));
        defect.field("input").value(error.to_string())
    }
}

/// Reads files as a whole and notes what was read.
#[derive(Debug, Default)]
pub struct FileReader {
    read: Vec<InputFacts>,
    /// How large records may be.
    pub limits: Limits,
    /// Ids that options supply.
    pub supplied: Supplied,
}

impl FileReader {
    /// A reader of a job.
    pub fn within(limits: Limits, supplied: &Supplied) -> FileReader {
        FileReader { read: vec![], limits, supplied: supplied.clone() }
    }

    /// The bytes of a file; no more of them than a record may have.
    pub fn bytes(&mut self, path: &Path) -> std::result::Result<Vec<u8>, Defect> {
        let unreadable = |error| Unreadable::defect(path, &error);
        let bytes = read_whole(path, self.limits, unreadable).map_err(|defect| defect.field("input"))?;
        self.note(path, bytes.len() as u64, hexadecimal(&Sha256::digest(&bytes)));
        Ok(bytes)
    }

    /// Gives a record of a file the ids that it lacks and options supply; `unnamed` are those that such files cannot name.
    pub fn supply(
        &self,
        record: &mut Json<'_>,
        path: &Path,
        line: u64,
        unnamed: &[&str],
    ) -> std::result::Result<(), Defect> {
        if self.supplied.is_empty() {
            return Ok(());
        }
        if let Json::Object(entries) = record {
            let stand_in = |key: &str| unnamed.contains(&key) && self.supplied.get(key).is_some();
            entries.retain(|(key, _)| !stand_in(key));
        }
        self.supplied.fill(record, RecordLine { file: &base_name(path), line })
    }

    /// Notes a file without keeping its bytes.
    pub(super) fn hash(&mut self, path: &Path) -> std::result::Result<(), Defect> {
        let unreadable = |error| Unreadable::defect(path, &error);
        let mut file = File::open(path).map_err(unreadable)?;
        let (mut digest, mut all) = (Sha256::new(), 0);
        let mut some = vec![0; 1 << 18];
        loop {
            let read = file.read(&mut some).map_err(unreadable)?;
            if read == 0 {
                self.note(path, all, hexadecimal(&digest.finalize()));
                return Ok(());
            }
            digest.update(&some[..read]);
            all += read as u64;
        }
    }

    /// Notes a file that was read elsewhere.
    pub fn note(&mut self, path: &Path, bytes: u64, sha256: String) {
        self.read.push(InputFacts { path: path.display().to_string(), bytes, sha256 });
    }

    /// What was read.
    pub fn into_read(self) -> Vec<InputFacts> {
        self.read
    }
}

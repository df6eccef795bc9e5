//! Shares of a job: what one process judged, written down record by record and joined in reading order.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::collect::Collector;
use super::options::Params;
use super::outcome::Outcome;
use super::run::{Place, Record, Sink};
use super::{ID, conclude};
use crate::error::{Defect, Error, Result};
use crate::score::json;
use crate::score::manifest::Manifest;
use crate::score::output::{LineFile, Output};
use crate::suites::Report;
use crate::suites::shares::{bad_share, check, read_share};

/// What a share says about the job.
#[derive(Serialize, Deserialize)]
struct Head {
    params: Params,
    lenient: bool,
    /// Names of the sources in order.
    files: Vec<String>,
}

const HEAD: &str = "share.json";
const RECORDS: &str = "tallies";

/// A record as it is written down.
#[derive(Serialize, Deserialize)]
struct Entry {
    place: Place,
    outcome: Option<Box<Outcome>>,
    defect: Option<Defect>,
}

/// Writes records down for `merge`.
pub(super) struct ShareWriter {
    lenient: bool,
    records: LineFile,
    line: Vec<u8>,
    /// Records written.
    pub(super) count: u64,
}

impl ShareWriter {
    pub(super) fn new(params: &Params, lenient: bool, files: Vec<String>, output: &mut Output) -> Result<ShareWriter> {
        let path = output.folder().join(HEAD);
        let head = json::text(&Head { params: params.clone(), lenient, files });
        fs::write(&path, head).map_err(Error::write(path.display().to_string()))?;
        Ok(ShareWriter { lenient, records: output.list(RECORDS)?, line: vec![], count: 0 })
    }

    pub(super) fn finish(self) -> Result<()> {
        self.records.finish()
    }
}

impl Sink for ShareWriter {
    fn take(&mut self, place: Place, record: Record) -> Result<()> {
        let entry = match record {
            Ok(outcome) => Entry { place, outcome: Some(outcome), defect: None },
            Err(defect) if self.lenient => Entry { place, outcome: None, defect: Some(defect) },
            Err(defect) => return Err(defect.into()),
        };
        self.line.clear();
        json::push(&mut self.line, &entry);
        self.line.push(b'\n');
        self.count += 1;
        self.records.write(&self.line)
    }
}

/// The records of a share in reading order.
struct Records<'f> {
    folder: &'f Path,
    lines: BufReader<File>,
    line: Vec<u8>,
    next: Option<Entry>,
}

impl<'f> Records<'f> {
    fn open(folder: &'f Path) -> Result<Records<'f>> {
        let lines =
            read_share(folder, &format!("{RECORDS}.jsonl"), |file| Ok(BufReader::with_capacity(1 << 18, file)))?;
        let mut records = Records { folder, lines, line: vec![], next: None };
        records.advance()?;
        Ok(records)
    }

    /// Gives the record at hand and reads on.
    fn advance(&mut self) -> Result<Option<Entry>> {
        let broken = |error: String| bad_share(self.folder, &format!("{RECORDS}.jsonl"), error);
        self.line.clear();
        let read = self.lines.read_until(b'\n', &mut self.line).map_err(|e| broken(e.to_string()))?;
        let next = match read {
            0 => None,
            _ => Some(serde_json::from_slice(&self.line).map_err(|e| broken(e.to_string()))?),
        };
        Ok(std::mem::replace(&mut self.next, next))
    }
}

/// Joins the shares of one job.
pub(super) fn merge(folders: &[&Path], output: &mut Output) -> Result<Report> {
    let manifests = folders.iter().map(|folder| Manifest::read(folder)).collect::<Result<Vec<_>>>()?;
    check(ID, folders, &manifests)?;
    let head: Head =
        read_share(folders[0], HEAD, |file| serde_json::from_reader(BufReader::new(file)).map_err(|e| e.to_string()))?;
    let mut shares = folders.iter().map(|folder| Records::open(folder)).collect::<Result<Vec<_>>>()?;
    let mut collector = Collector::new(&head.params, head.lenient, head.files, output)?;
    loop {
        let place = |share: &Records<'_>| share.next.as_ref().map(|entry| entry.place);
        let first = shares.iter_mut().filter(|share| share.next.is_some()).min_by_key(|share| place(share));
        let Some(entry) = first.map(Records::advance).transpose()?.flatten() else { break };
        match (entry.outcome, entry.defect) {
            (Some(outcome), _) => collector.take(entry.place, Ok(outcome))?,
            (None, defect) => collector.take(entry.place, Err(defect.unwrap_or_default()))?,
        }
    }
    let first = manifests[0].inputs.first().map(|input| input.path.clone());
    conclude(collector, manifests[0].inputs.clone(), first.as_deref().map(Path::new))
}

//! Logs of the original project as native records, one JSON object per line.

use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::sources::{LogFile, Source, sources};
use super::with_record;
use crate::error::{Defect, Error, Result};
use crate::suites::guest::options::Params;
use crate::suites::guest::record::Reader;
use crate::suites::guest::{Guest, ID, bad_input};
use crate::suites::records::{FileReader, Key, RecordSuite, SourceFile, base_name};
use crate::suites::{Converted, Converter, Job, TakeLine};

/// CSV logs of the original project with their states and expected attributes.
pub(crate) const CSV: Converter = Converter {
    id: "guest-csv",
    suite: ID,
    reads: "CSV logs of the original project, with recorded states and tool calls in Python's notation",
    convert,
};

/// Logs that are read at the same time.
const LOGS_AT_ONCE: usize = 64;

/// Hands on the record of every log, in the order in which `score` would read them.
fn convert(job: Job<'_>, take: &mut TakeLine<'_>) -> Result<Converted> {
    let params = Params::read(&job.options)?;
    let first = job.first_path();
    let (logs, fault) = logs_of(sources(job.inputs, &params));
    let size = |path: &Path| path.metadata().map_or(0, |facts| facts.len());
    job.watch.expect(logs.iter().flat_map(LogFile::paths).map(size).sum());
    let reader = Reader { levels: &params.levels, roles: &params.role_map };
    let mut seen = FxHashSet::default();
    let mut done = Converted::default();
    for some in logs.chunks(LOGS_AT_ONCE) {
        let read: Vec<_> = some.par_iter().map(|log| line_of(log, &reader)).collect();
        for (log, (bytes, line)) in some.iter().zip(read) {
            job.watch.advance(bytes);
            let line = line.and_then(|(key, line)| match seen.contains(&key) {
                true => Err(Guest.duplicate(&key).file(base_name(&log.path)).line(1)),
                false => {
                    seen.insert(key);
                    Ok(line)
                }
            });
            match line {
                Ok(line) => {
                    take(&line)?;
                    done.records += 1;
                }
                Err(defect) if job.lenient => done.dropped.push(defect),
                Err(defect) => return Err(defect.into()),
            }
        }
        if job.watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    match fault {
        Some(fault) => Err(fault.into()),
        None if done.records == 0 => {
            Err(Error::NothingLeft { defect: Box::new(Guest.nothing(first.as_deref())), dropped: done.dropped })
        }
        None => Ok(done),
    }
}

/// The logs up to the first source that is none, and what is wrong with that one.
fn logs_of(sources: Vec<Source>) -> (Vec<LogFile>, Option<Defect>) {
    let mut logs = vec![];
    for source in sources {
        let fault = match source {
            Source::File(log) => {
                logs.push(log);
                continue;
            }
            Source::Read(_) => continue,
            Source::Fault(defect) => defect,
            Source::Lines(path) => no_csv(&path),
            Source::Stream(name, _) => no_csv(Path::new(&name)),
        };
        return (logs, Some(fault));
    }
    (logs, None)
}

fn no_csv(path: &Path) -> Defect {
    let hint = "JSON lines need no conversion: `verism score guest` reads them; for a CSV log with another ending say \
                --option format=original_csv";
    bad_input("input", "a CSV log, or a folder with experiments/*/logs/*.csv", path).hint(hint)
}

/// The bytes that were read for a log, and its record with its id.
fn line_of(log: &LogFile, reader: &Reader<'_>) -> (u64, std::result::Result<(Key, String), Defect>) {
    let mut files = FileReader::default();
    let line = with_record(log, &mut files).and_then(|record| {
        // What is written can be read: the file's name alone may still make an id that cannot.
        let dialogue = reader.read(&record).map_err(|defect| defect.file(base_name(&log.path)).line(1))?;
        let key = Key {
            experiment: dialogue.experiment.to_string(),
            run: dialogue.run.to_string(),
            case: dialogue.case.to_string(),
            unit: dialogue.dialogue.to_string(),
        };
        Ok((key, crate::score::json::text(&record)))
    });
    (files.into_read().iter().map(|facts| facts.bytes).sum(), line)
}

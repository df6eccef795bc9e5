//! From sources to judged conversations, many at a time, handed on in reading order.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::judge::Judge;
use super::options::Params;
use super::original::{self, Log};
use super::outcome::Outcome;
use super::record::Reader;
use super::sources::{LogFile, Source, base_name};
use super::{bad, bad_input};
use crate::error::{Defect, Error, Result};
use crate::input::lines::{Lines, read_lines};
use crate::input::value::Json;
use crate::input::{Watch, hexadecimal};
use crate::score::manifest::InputFacts;
use crate::suites::Shard;
use crate::text::normalize::trim;

/// Where a record stands among all: which source, which line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) source: u32,
    pub(super) line: u64,
}

/// Takes what became of each record, in reading order; an error ends the reading.
pub(super) trait Sink {
    fn take(&mut self, place: Place, record: Record) -> Result<()>;
}

/// A record's outcome, or what is wrong with it.
pub(super) type Record = std::result::Result<Box<Outcome>, Defect>;

/// How sources are to be read.
pub(super) struct Setup<'a> {
    pub(super) params: &'a Params,
    pub(super) shard: Option<Shard>,
    pub(super) watch: &'a dyn Watch,
}

/// Logs that are judged at the same time.
const LOGS_AT_ONCE: usize = 64;

/// Reads and judges everything; gives the inputs as they were read.
pub(super) fn run(setup: &Setup<'_>, sources: Vec<Source>, sink: &mut dyn Sink) -> Result<Vec<InputFacts>> {
    setup.watch.expect(sources.iter().map(size).sum());
    let mut inputs = vec![];
    let reader = Reader { levels: &setup.params.levels, roles: &setup.params.role_map };
    let worker = Worker { reader, judge: Judge::new(setup.params), shard: setup.shard };
    let mut sources = sources.into_iter().zip(0..).peekable();
    while let Some((source, number)) = sources.next() {
        match source {
            Source::Read(facts) => inputs.push(facts),
            Source::Fault(defect) => return Err(defect.into()),
            Source::File(path) => match File::open(&path) {
                Ok(file) => worker.lines(setup, &path, Box::new(file), number, &mut inputs, sink)?,
                Err(error) => sink.take(Place { source: number, line: 0 }, Err(unreadable(&path, &error)))?,
            },
            Source::Stream(name, reader) => {
                worker.lines(setup, Path::new(&name), reader, number, &mut inputs, sink)?;
            }
            Source::Log(log) => {
                let mut logs = vec![(log, number)];
                while logs.len() < LOGS_AT_ONCE
                    && let Some((Source::Log(_), _)) = sources.peek()
                    && let Some((Source::Log(log), number)) = sources.next()
                {
                    logs.push((log, number));
                }
                worker.logs(setup, logs, &mut inputs, sink)?;
            }
        }
        if setup.watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    Ok(inputs)
}

fn size(source: &Source) -> u64 {
    let of = |path: &Path| path.metadata().map_or(0, |facts| facts.len());
    match source {
        Source::File(path) => of(path),
        Source::Log(log) => of(&log.path) + log.states.as_deref().map_or(0, of),
        _ => 0,
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Defect {
    Defect::new("unreadable", "a file that can be read").file(base_name(path)).field("input").value(error.to_string())
}

/// Turns records into outcomes.
struct Worker<'p> {
    reader: Reader<'p>,
    judge: Judge<'p>,
    shard: Option<Shard>,
}

impl Worker<'_> {
    /// Reads a file or stream of JSON lines.
    fn lines(
        &self,
        setup: &Setup<'_>,
        path: &Path,
        reader: Box<dyn Read + Send>,
        source: u32,
        inputs: &mut Vec<InputFacts>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let name = base_name(path);
        let mut failed = None;
        let mut last = 0;
        let work = |lines: Lines<'_>| -> Vec<(u64, Record)> {
            let numbered = lines.iter().zip(0_u64..);
            numbered.filter_map(|(line, number)| Some((number, self.line(line)?))).collect()
        };
        let mut take = |records: Vec<(u64, Record)>, before: u64| {
            for (number, record) in records {
                let place = Place { source, line: before + number + 1 };
                last = place.line;
                let record = record.map_err(|defect| defect.file(&name).line(place.line));
                if let Err(error) = sink.take(place, record) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        let read = read_lines(reader, setup.watch, &work, &mut take);
        if let Some(error) = failed {
            return Err(error);
        }
        match read {
            Ok((bytes, sha256)) => {
                inputs.push(InputFacts { path: path.display().to_string(), bytes, sha256 });
                Ok(())
            }
            Err(error) => sink.take(Place { source, line: last + 1 }, Err(unreadable(path, &error))),
        }
    }

    /// What became of a line; none if it is blank or belongs to another share.
    fn line(&self, bytes: &[u8]) -> Option<Record> {
        if self.shard.is_some_and(|shard| !owns(shard, bytes)) {
            return None;
        }
        let Ok(text) = simdutf8::basic::from_utf8(bytes) else {
            return Some(Err(bad("line", "UTF-8 text", None).hint("save the file as UTF-8")));
        };
        if trim(text).is_empty() {
            return None;
        }
        let Some(json) = Json::parse(text) else {
            let start: String = trim(text).chars().take(60).collect();
            return Some(Err(bad("line", "one JSON object", None).value(start)));
        };
        Some(self.record(&json))
    }

    fn record(&self, json: &Json<'_>) -> Record {
        Ok(Box::new(self.judge.judge(self.reader.read(json)?)))
    }

    /// Reads logs of the original project.
    fn logs(
        &self,
        setup: &Setup<'_>,
        logs: Vec<(LogFile, u32)>,
        inputs: &mut Vec<InputFacts>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let done: Vec<(Vec<InputFacts>, Option<Record>)> = logs.par_iter().map(|(log, _)| self.log(log)).collect();
        for ((_, source), (read, record)) in logs.iter().zip(done) {
            setup.watch.advance(read.iter().map(|facts| facts.bytes).sum());
            inputs.extend(read);
            if let Some(record) = record {
                sink.take(Place { source: *source, line: 1 }, record)?;
            }
        }
        Ok(())
    }

    fn log(&self, log: &LogFile) -> (Vec<InputFacts>, Option<Record>) {
        let mut read = vec![];
        let record = with_record(log, &mut read, |json| {
            let mine = format!("{}/{}", log.experiment, base_name(&log.path));
            let skip = self.shard.is_some_and(|shard| !owns(shard, mine.as_bytes()));
            (!skip).then(|| json.and_then(|json| self.record(&json)).map_err(|defect| at_log(defect, log)))
        });
        (read, record)
    }
}

/// A defect of a log that names no place of its own stands at its first line.
fn at_log(defect: Defect, log: &LogFile) -> Defect {
    let file = defect.file.clone().unwrap_or_else(|| base_name(&log.path));
    let line = defect.line.unwrap_or(1);
    defect.file(file).line(line)
}

/// Reads a log of the original project with its states and hands the record on.
pub(super) fn with_record<T>(
    log: &LogFile,
    read: &mut Vec<InputFacts>,
    use_record: impl FnOnce(std::result::Result<Json<'static>, Defect>) -> T,
) -> T {
    let mut bytes_of = |path: &Path| -> std::result::Result<Vec<u8>, Defect> {
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let sha256 = hexadecimal(&Sha256::digest(&bytes));
        read.push(InputFacts { path: path.display().to_string(), bytes: bytes.len() as u64, sha256 });
        Ok(bytes)
    };
    let files =
        bytes_of(&log.path).and_then(|bytes| Ok((bytes, log.states.as_deref().map(&mut bytes_of).transpose()?)));
    use_record(files.and_then(|(bytes, states)| {
        let states_name = log.states.as_deref().map(base_name);
        original::record(&Log {
            name: &base_name(&log.path),
            experiment: &log.experiment,
            level: log.level,
            bytes: &bytes,
            states: states_name.as_deref().zip(states.as_deref()),
            attributes: &log.attributes,
        })
    }))
}

/// Whether a share owns a record. Only its bytes decide, so that no share needs to know what stands before it.
fn owns(shard: Shard, bytes: &[u8]) -> bool {
    // FNV-1a over the ends and the length: enough to spread records evenly, and quick for long ones.
    const ENDS: usize = 256;
    let ends = [&bytes[..bytes.len().min(ENDS)], &bytes[bytes.len().saturating_sub(ENDS)..]].concat();
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = ends.iter().chain(&(bytes.len() as u64).to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of FNV alone depend on the low bits of the bytes alone.
    (hash ^ hash >> 32) % u64::from(shard.count) + 1 == u64::from(shard.index)
}

/// There is nothing to score in the inputs.
pub(super) fn nothing(first: Option<&Path>) -> Defect {
    let expected = "at least one readable conversation";
    let hint = "one JSON object per line, or a tree of the original project; `verism explain guest` describes them";
    let defect = bad_input("input", expected, first.unwrap_or(Path::new("-"))).hint(hint);
    Defect { code: "nothing_to_score".into(), ..defect }
}

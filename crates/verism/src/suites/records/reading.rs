//! From sources to entries, many at a time, handed on in reading order.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{BrokenLine, Place, RecordSuite, Records, Source, SourceFile, base_name};
use crate::error::{Defect, Error, Result};
use crate::input::lines::{Lines, read_lines};
use crate::input::value::Json;
use crate::input::{Limits, Watch, hexadecimal};
use crate::score::manifest::InputFacts;
use crate::suites::Shard;
use crate::text::normalize::trim;

/// Takes what became of each record, in reading order; an error ends the reading.
pub(super) trait Take<E> {
    fn take(&mut self, place: Place, record: std::result::Result<E, Defect>) -> Result<()>;
}

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
}

impl FileReader {
    /// The bytes of a file.
    pub fn bytes(&mut self, path: &Path) -> std::result::Result<Vec<u8>, Defect> {
        let bytes = std::fs::read(path).map_err(|error| Unreadable::defect(path, &error))?;
        self.note(path, bytes.len() as u64, hexadecimal(&Sha256::digest(&bytes)));
        Ok(bytes)
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

/// Files up to this size are read side by side, larger ones block by block.
const SMALL: u64 = 1 << 20;
/// Files that are read at the same time.
const FILES_AT_ONCE: usize = 256;
/// Bytes that are read at the same time.
const BYTES_AT_ONCE: u64 = 16 << 20;

/// Reads everything; gives the inputs as they were read.
pub(super) fn read_all<S: RecordSuite>(
    suite: &S,
    setup: &S::Setup,
    sources: Vec<Source<S::File>>,
    shard: Option<Shard>,
    watch: &dyn Watch,
    take: &mut dyn Take<S::Entry>,
) -> Result<Read> {
    watch.expect(sources.iter().map(Source::bytes).sum());
    let reader = Reader { suite, setup, shard, watch, limits: watch.limits(), cut_off: AtomicU64::new(0) };
    let mut inputs = vec![];
    let mut sources = sources.into_iter().zip(0..).peekable();
    while let Some((source, number)) = sources.next() {
        match source {
            Source::Read(facts) => inputs.push(facts),
            Source::Fault(defect) => return Err(defect.into()),
            Source::Stream(name, stream) => {
                inputs.extend(reader.large(Path::new(&name), stream, number, take)?);
            }
            Source::Lines(path) if Source::<S::File>::Lines(path.clone()).bytes() > SMALL => match File::open(&path) {
                Ok(file) => inputs.extend(reader.large(&path, Box::new(file), number, take)?),
                Err(error) => {
                    take.take(Place { source: number, line: 0 }, Err(Unreadable::defect(&path, &error)))?;
                }
            },
            Source::Lines(_) | Source::File(_) => {
                let mut bytes = source.bytes();
                let mut some = vec![(source, number)];
                while some.len() < FILES_AT_ONCE
                    && bytes < BYTES_AT_ONCE
                    && let Some(next) = sources.next_if(|(next, _)| small(next))
                {
                    bytes += next.0.bytes();
                    some.push(next);
                }
                reader.files(some, &mut inputs, take)?;
            }
        }
        if watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    Ok(Read { inputs, cut_off: reader.cut_off.into_inner() })
}

/// What was read.
pub(super) struct Read {
    pub(super) inputs: Vec<InputFacts>,
    /// Records with half of a surrogate pair.
    pub(super) cut_off: u64,
}

fn small<F: SourceFile>(source: &Source<F>) -> bool {
    match source {
        Source::Lines(_) => source.bytes() <= SMALL,
        Source::File(_) => true,
        _ => false,
    }
}

struct Reader<'r, S: RecordSuite> {
    suite: &'r S,
    setup: &'r S::Setup,
    shard: Option<Shard>,
    watch: &'r dyn Watch,
    limits: Limits,
    cut_off: AtomicU64,
}

impl<S: RecordSuite> Reader<'_, S> {
    /// Reads a large file or a stream of JSON lines, block by block.
    fn large(
        &self,
        path: &Path,
        stream: Box<dyn io::Read + Send>,
        source: u32,
        take: &mut dyn Take<S::Entry>,
    ) -> Result<Option<InputFacts>> {
        let name = base_name(path);
        let mut failed = None;
        let mut last = 0;
        let work = |lines: Lines<'_>| self.block(lines);
        let mut hand_on = |records: Records<S::Entry>, before: u64| {
            for (number, record) in records {
                let place = Place { source, line: before + number + 1 };
                last = place.line;
                let record = record.map_err(|defect| defect.file(&name).line(place.line));
                if let Err(error) = take.take(place, record) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        let read = read_lines(stream, self.watch, &work, &mut hand_on);
        match (failed, read) {
            (Some(error), _) => Err(error),
            (None, Ok((bytes, sha256))) => Ok(Some(InputFacts { path: path.display().to_string(), bytes, sha256 })),
            (None, Err(error)) => {
                let place = Place { source, line: last + 1 };
                take.take(place, Err(Unreadable::defect(path, &error)))?;
                Ok(None)
            }
        }
    }

    /// Reads small files side by side.
    fn files(
        &self,
        files: Vec<(Source<S::File>, u32)>,
        inputs: &mut Vec<InputFacts>,
        take: &mut dyn Take<S::Entry>,
    ) -> Result<()> {
        let work = |(source, number): (Source<S::File>, u32)| {
            let (read, records) = match source {
                Source::Lines(path) => self.small_lines(&path),
                Source::File(file) => self.whole(&file, number),
                _ => (vec![], vec![]),
            };
            (number, read, records)
        };
        let done: Vec<_> = match files.len() {
            1 => files.into_iter().map(work).collect(),
            _ => files.into_par_iter().with_max_len(1).map(work).collect(),
        };
        for (source, read, records) in done {
            inputs.extend(read);
            for (line, record) in records {
                take.take(Place { source, line }, record)?;
            }
        }
        Ok(())
    }

    /// The records of a small file of JSON lines.
    fn small_lines(&self, path: &Path) -> (Vec<InputFacts>, Records<S::Entry>) {
        let name = base_name(path);
        let mut records: Records<S::Entry> = vec![];
        let read = File::open(path).and_then(|file| {
            let mut hand_on = |block: Records<S::Entry>, before: u64| {
                records.extend(block.into_iter().map(|(number, record)| {
                    let line = before + number + 1;
                    (line, record.map_err(|defect| defect.file(&name).line(line)))
                }));
                ControlFlow::Continue(())
            };
            read_lines(Box::new(file), self.watch, &|lines| self.block(lines), &mut hand_on)
        });
        match read {
            Ok((bytes, sha256)) => (vec![InputFacts { path: path.display().to_string(), bytes, sha256 }], records),
            Err(error) => {
                let line = records.last().map_or(0, |(line, _)| line + 1);
                records.push((line, Err(Unreadable::defect(path, &error))));
                (vec![], records)
            }
        }
    }

    /// The records of a file that the suite reads as a whole.
    fn whole(&self, file: &S::File, number: u32) -> (Vec<InputFacts>, Records<S::Entry>) {
        let mut reader = FileReader::default();
        let paths = file.paths();
        // By its number, not by its path: a share may be scored in another folder or on another machine.
        let records = if self.shard.is_none_or(|shard| number % shard.count + 1 == shard.index) {
            self.suite.read_file(self.setup, file, &mut reader)
        } else {
            // Another share reads it; this one only notes that it is there.
            let unreadable = |path: &&Path| reader.bytes(path).err();
            paths.iter().find_map(unreadable).map(|_| vec![]).unwrap_or_default()
        };
        let read = reader.into_read();
        self.watch.advance(read.iter().map(|facts| facts.bytes).sum());
        let name = paths.first().map(|path| base_name(path)).unwrap_or_default();
        let placed = |(line, record): (u64, std::result::Result<S::Entry, Defect>)| {
            let record = record.map_err(|mut defect| {
                defect.line = defect.line.or((line > 0).then_some(line));
                defect.file = Some(defect.file.unwrap_or_else(|| name.clone()));
                defect
            });
            (line, record)
        };
        (read, records.into_iter().map(placed).collect())
    }

    /// What the lines of a block become, each with its number in the block.
    fn block(&self, lines: Lines<'_>) -> Records<S::Entry> {
        let numbered = lines.iter().zip(0_u64..);
        numbered.filter_map(|(line, number)| Some((number, self.line(line)?))).collect()
    }

    /// What became of a line; none if it is blank or belongs to another share.
    fn line(&self, bytes: &[u8]) -> Option<std::result::Result<S::Entry, Defect>> {
        // Of a line that is too long every share sees the same bytes.
        let long = bytes.len() > self.limits.record_bytes;
        let bytes = if long { &bytes[..self.limits.record_bytes + 1] } else { bytes };
        if self.shard.is_some_and(|shard| !owns(shard, bytes)) {
            return None;
        }
        if long {
            return Some(Err(self.limits.too_long().field("line")));
        }
        let Ok(text) = simdutf8::basic::from_utf8(bytes) else {
            return Some(Err(self.suite.broken_line(BrokenLine::Encoding, "")));
        };
        if trim(text).is_empty() {
            return None;
        }
        let parsed = match self.suite.reads_cut_off_text() {
            true => Json::parse_cut_off(text),
            false => Json::parse(text).map(|json| (json, false)),
        };
        let Some((json, cut_off)) = parsed else {
            let start: String = trim(text).chars().take(60).collect();
            return Some(Err(self.suite.broken_line(BrokenLine::Json, &start)));
        };
        if cut_off {
            self.cut_off.fetch_add(1, Ordering::Relaxed);
        }
        Some(self.suite.read(self.setup, &json))
    }
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

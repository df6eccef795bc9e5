//! From sources to entries, many at a time, handed on in reading order.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::chat::{self, ChatFile};
use super::file_reader::{FileReader, Unreadable};
use super::needs::{NeedCounts, NeedTally};
use super::supplied::{RecordLine, Supplied, hinted};
use super::{BrokenLine, RecordSuite, Records, Source, SourceFile, SourceLine, base_name};
use crate::error::{Defect, Error, Result};
use crate::input::chat::Shape;
use crate::input::lines::{Lines, read_lines};
use crate::input::value::Json;
use crate::input::{Limits, Watch};
use crate::score::manifest::InputFacts;
use crate::suites::Shard;
use crate::text::json::why_not;
use crate::text::normalize::trim;

/// Takes what became of each record, in reading order; an error ends the reading.
pub(super) trait TakeRecord<E> {
    fn take(&mut self, place: SourceLine, record: std::result::Result<E, Defect>) -> Result<()>;
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
    supplied: &Supplied,
    sources: Vec<Source<S::File>>,
    shard: Option<Shard>,
    watch: &dyn Watch,
    take: &mut dyn TakeRecord<S::Entry>,
) -> Result<Read> {
    watch.expect(sources.iter().map(Source::bytes).sum());
    let (limits, needs) = (watch.limits(), NeedTally::new(suite.needs()));
    let reader = Reader { suite, setup, supplied, shard, watch, limits, cut_off: AtomicU64::new(0), needs };
    let mut inputs = vec![];
    let mut sources = sources.into_iter().zip(0..).peekable();
    while let Some((source, number)) = sources.next() {
        match source {
            Source::Read(facts) => inputs.push(facts),
            Source::Fault(defect) => return Err(defect.into()),
            Source::Stream(name, stream) => {
                inputs.extend(reader.large(Path::new(&name), stream, number, false, take)?);
            }
            source if small(&source) => {
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
            Source::Lines(path) => inputs.extend(reader.large_file(&path, number, false, take)?),
            Source::Chat(file) => inputs.extend(reader.large_file(&file.path, number, true, take)?),
            Source::File(_) => unreachable!("files are small"),
        }
        if watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    Ok(Read { inputs, cut_off: reader.cut_off.into_inner(), needs: reader.needs.finish() })
}

/// What was read.
pub(super) struct Read {
    pub(super) inputs: Vec<InputFacts>,
    /// Records with half of a surrogate pair.
    pub(super) cut_off: u64,
    /// What records have of what is needed.
    pub(super) needs: NeedCounts,
}

/// Whether a source is read at once, beside others.
fn small<F: SourceFile>(source: &Source<F>) -> bool {
    match source {
        Source::Chat(ChatFile { shape: Shape::Lines, .. }) | Source::Lines(_) => source.bytes() <= SMALL,
        Source::File(_) | Source::Chat(_) => true,
        _ => false,
    }
}

/// A line that is one JSON value, and whether it holds half of a surrogate pair; none if it is blank.
pub(super) fn parse_line<'a, S: RecordSuite>(
    suite: &S,
    limits: Limits,
    bytes: &'a [u8],
) -> Option<std::result::Result<(Json<'a>, bool), Defect>> {
    if bytes.len() > limits.record_bytes {
        return Some(Err(limits.too_long().field("line")));
    }
    let Ok(text) = simdutf8::basic::from_utf8(bytes) else {
        return Some(Err(suite.broken_line(BrokenLine::Encoding, "")));
    };
    if trim(text).is_empty() {
        return None;
    }
    if let Err(defect) = limits.check_values(bytes) {
        return Some(Err(defect.field("line")));
    }
    let parsed = match suite.reads_cut_off_text() {
        true => Json::parse_cut_off(text),
        false => Json::parse(text).map(|json| (json, false)),
    };
    Some(parsed.ok_or_else(|| {
        let start: String = trim(text).chars().take(60).collect();
        let defect = suite.broken_line(BrokenLine::Json, &start);
        Defect { hint: defect.hint.clone().or_else(|| why_not(trim(text))), ..defect }
    }))
}

struct Reader<'r, S: RecordSuite> {
    suite: &'r S,
    setup: &'r S::Setup,
    supplied: &'r Supplied,
    shard: Option<Shard>,
    watch: &'r dyn Watch,
    limits: Limits,
    cut_off: AtomicU64,
    needs: NeedTally,
}

/// Numbers the records that stand on one line.
#[derive(Default)]
struct LineParts {
    line: u64,
    part: u32,
}

impl LineParts {
    fn place(&mut self, source: u32, line: u64) -> SourceLine {
        self.part = if line == self.line { self.part + 1 } else { 0 };
        self.line = line;
        SourceLine { source, line, part: self.part }
    }
}

impl<S: RecordSuite> Reader<'_, S> {
    fn large_file(
        &self,
        path: &Path,
        source: u32,
        chat: bool,
        take: &mut dyn TakeRecord<S::Entry>,
    ) -> Result<Option<InputFacts>> {
        match File::open(path) {
            Ok(file) => self.large(path, Box::new(file), source, chat, take),
            Err(error) => {
                take.take(SourceLine { source, line: 0, part: 0 }, Err(Unreadable::defect(path, &error)))?;
                Ok(None)
            }
        }
    }

    /// Reads a large file or a stream of JSON lines, block by block.
    fn large(
        &self,
        path: &Path,
        stream: Box<dyn io::Read + Send>,
        source: u32,
        chat: bool,
        take: &mut dyn TakeRecord<S::Entry>,
    ) -> Result<Option<InputFacts>> {
        let name = base_name(path);
        let mut failed = None;
        let mut parts = LineParts::default();
        let work = |lines: Lines<'_>| self.block(lines, &name, chat);
        let mut hand_on = |records: Records<S::Entry>, _: u64| {
            for (line, record) in records {
                let record = record.map_err(|defect| defect.file(&name).line(line));
                if let Err(error) = take.take(parts.place(source, line), record) {
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
                let place = SourceLine { source, line: parts.line + 1, part: 0 };
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
        take: &mut dyn TakeRecord<S::Entry>,
    ) -> Result<()> {
        let work = |(source, number): (Source<S::File>, u32)| {
            let (read, records) = match source {
                Source::Lines(path) => self.small_lines(&path, false),
                Source::Chat(ChatFile { path, shape: Shape::Lines }) => self.small_lines(&path, true),
                Source::Chat(file) => self.chat(&file, number),
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
            let mut parts = LineParts { line: u64::MAX, part: 0 };
            for (line, record) in records {
                take.take(parts.place(source, line), record)?;
            }
        }
        Ok(())
    }

    /// The records of a small file of JSON lines.
    fn small_lines(&self, path: &Path, chat: bool) -> (Vec<InputFacts>, Records<S::Entry>) {
        let name = base_name(path);
        let mut records: Records<S::Entry> = vec![];
        let read = File::open(path).and_then(|file| {
            let mut hand_on = |block: Records<S::Entry>, _: u64| {
                let placed = |(line, record): (u64, std::result::Result<S::Entry, Defect>)| {
                    (line, record.map_err(|defect| defect.file(&name).line(line)))
                };
                records.extend(block.into_iter().map(placed));
                ControlFlow::Continue(())
            };
            read_lines(Box::new(file), self.watch, &|lines| self.block(lines, &name, chat), &mut hand_on)
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

    /// Whether a file that is read as a whole belongs to this shard.
    ///
    /// By its number, not by its path: a shard may be scored in another folder or on another machine.
    fn is_ours(&self, number: u32) -> bool {
        self.shard.is_none_or(|shard| number % shard.count + 1 == shard.index)
    }

    /// The records of a file that the suite reads as a whole.
    fn whole(&self, file: &S::File, number: u32) -> (Vec<InputFacts>, Records<S::Entry>) {
        let mut reader = FileReader::within(self.limits, self.supplied);
        let paths = file.paths();
        let records = if self.is_ours(number) {
            self.suite.read_file(self.setup, file, &mut reader)
        } else {
            // Another shard reads it; this one only notes that it is there.
            let _ = paths.iter().try_for_each(|path| reader.hash(path));
            vec![]
        };
        let name = paths.first().map(|path| base_name(path)).unwrap_or_default();
        self.placed(reader, &name, records)
    }

    /// The records of a chat log that is read as a whole.
    fn chat(&self, file: &ChatFile, number: u32) -> (Vec<InputFacts>, Records<S::Entry>) {
        let mut reader = FileReader::within(self.limits, self.supplied);
        let name = base_name(&file.path);
        let mut records = vec![];
        if self.is_ours(number) {
            let read = chat::each(file, self.suite.reads_cut_off_text(), &mut reader, &mut |conversation, line| {
                let at = RecordLine { file: &name, line };
                match conversation.and_then(|one| chat::records(self.suite, self.supplied, one, at)) {
                    Ok(made) => records.extend(made.iter().map(|record| (0, self.record(record)))),
                    Err(defect) => records.push((0, Err(defect))),
                }
            });
            match read {
                Ok(cut_off) => self.cut_off.fetch_add(u64::from(cut_off), Ordering::Relaxed),
                Err(defect) => {
                    records.push((0, Err(defect)));
                    0
                }
            };
        } else {
            let _ = reader.hash(&file.path);
        }
        self.placed(reader, &name, records)
    }

    /// What was read of a file as a whole; its defects know the file.
    fn placed(
        &self,
        reader: FileReader,
        name: &str,
        records: Records<S::Entry>,
    ) -> (Vec<InputFacts>, Records<S::Entry>) {
        let read = reader.into_read();
        self.watch.advance(read.iter().map(|facts| facts.bytes).sum());
        let placed = |(line, record): (u64, std::result::Result<S::Entry, Defect>)| {
            let record = record.map_err(|mut defect| {
                defect.line = defect.line.or((line > 0).then_some(line));
                defect.file = Some(defect.file.unwrap_or_else(|| name.to_string()));
                defect
            });
            (line, record)
        };
        (read, records.into_iter().map(placed).collect())
    }

    /// What the lines of a block become, each with its number in the file.
    fn block(&self, lines: Lines<'_>, name: &str, chat: bool) -> Records<S::Entry> {
        let mut records = vec![];
        for (bytes, line) in lines.iter().zip(lines.before + 1..) {
            self.line(bytes, RecordLine { file: name, line }, chat, &mut records);
        }
        records
    }

    /// Adds what became of a line; nothing if it is blank or belongs to another shard.
    fn line(&self, bytes: &[u8], at: RecordLine<'_>, chat: bool, records: &mut Records<S::Entry>) {
        // Of a line that is too long every shard sees the same bytes.
        let bytes = &bytes[..bytes.len().min(self.limits.record_bytes + 1)];
        if self.shard.is_some_and(|shard| !owns(shard, bytes)) {
            return;
        }
        let (mut json, cut_off) = match parse_line(self.suite, self.limits, bytes) {
            None => return,
            Some(Ok(parsed)) => parsed,
            Some(Err(defect)) => return records.push((at.line, Err(defect))),
        };
        if cut_off {
            self.cut_off.fetch_add(1, Ordering::Relaxed);
        }
        if chat {
            match chat::line(self.suite, self.supplied, json, at) {
                Ok(made) => records.extend(made.iter().map(|record| (at.line, self.record(record)))),
                Err(defect) => records.push((at.line, Err(defect))),
            }
            return;
        }
        if !self.supplied.is_empty()
            && let Err(defect) = self.supplied.fill(&mut json, at)
        {
            return records.push((at.line, Err(defect)));
        }
        records.push((at.line, self.record(&json)));
    }

    fn record(&self, record: &Json<'_>) -> std::result::Result<S::Entry, Defect> {
        self.needs.look(record);
        self.suite.read(self.setup, record).map_err(|defect| hinted(self.suite.ids(), record, defect))
    }
}

/// Whether a shard owns a record. Only its bytes decide, so that no shard needs to know what stands before it.
fn owns(shard: Shard, bytes: &[u8]) -> bool {
    // FNV-1a over the ends and the length: enough to spread records evenly, and quick for long ones.
    const ENDS: usize = 256;
    let ends = [&bytes[..bytes.len().min(ENDS)], &bytes[bytes.len().saturating_sub(ENDS)..]].concat();
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = ends.iter().chain(&(bytes.len() as u64).to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of FNV alone depend on the low bits of the bytes alone.
    (hash ^ hash >> 32) % u64::from(shard.count) + 1 == u64::from(shard.index)
}

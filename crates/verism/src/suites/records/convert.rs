//! Foreign logs as native records, one JSON object per line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::chat::{self, ChatFile};
use super::reading::{Unreadable, parse_line};
use super::supplied::{RecordLine, Supplied, hinted};
use super::{FileReader, Key, Opening, RecordSuite, Source, SourceFile, base_name, each_below};
use crate::error::{Defect, Error, Result};
use crate::input::chat::{Format, Shape};
use crate::input::lines::{Lines, read_lines};
use crate::input::value::Json;
use crate::input::{Input, Watch};
use crate::suites::{Converted, Job, TakeLine};

/// Files that are read at the same time.
const FILES_AT_ONCE: usize = 64;

/// A record as it is written, with its id, or what is wrong with it.
type Written = std::result::Result<(Option<Key>, String), Defect>;

/// Hands on the records of foreign logs: chat logs of a format, or, without one, the logs of the suite's own original
/// project, in the order in which `score` would read them.
pub(super) fn convert<S: RecordSuite>(
    suite: &S,
    format: Option<Format>,
    mut job: Job<'_>,
    take: &mut TakeLine<'_>,
) -> Result<Converted> {
    let supplied = Supplied::take(&mut job.options, suite.ids());
    let inputs = job.inputs.iter().map(Input::path).collect();
    let opening = Opening {
        options: &job.options,
        inputs,
        carried: None,
        embed: None,
        lenient: job.lenient,
        supplied: &supplied,
        watch: job.watch,
    };
    let setup = super::open(suite, &opening)?;
    let first = job.first_path();
    let sources: Vec<Source<S::File>> = match format {
        Some(format) => job.inputs.into_iter().flat_map(|input| chat_sources(input, format)).collect(),
        None => suite.sources(&setup, job.inputs),
    };
    job.watch.expect(sources.iter().map(Source::bytes).sum());
    let one = Converter { suite, setup: &setup, supplied: &supplied, watch: job.watch };
    let mut taking =
        TakeConverted { suite, lenient: job.lenient, seen: FxHashSet::default(), done: Converted::default(), take };
    let mut sources = sources.into_iter().peekable();
    while let Some(source) = sources.next() {
        match source {
            Source::Read(_) => {}
            Source::Fault(defect) => return Err(defect.into()),
            Source::Lines(path) => return Err(suite.no_conversion(&path).into()),
            Source::Stream(name, _) => return Err(suite.no_conversion(Path::new(&name)).into()),
            Source::Chat(file) if file.shape == Shape::Lines => one.lines(&file.path, &mut taking)?,
            Source::Chat(file) => {
                one.chat(&file).into_iter().try_for_each(|(name, line, record)| taking.take(&name, line, record))?
            }
            Source::File(file) => {
                let mut some = vec![file];
                while some.len() < FILES_AT_ONCE
                    && let Some(Source::File(file)) = sources.next_if(|next| matches!(next, Source::File(_)))
                {
                    some.push(file);
                }
                let done: Vec<_> = some.par_iter().map(|file| one.file(file)).collect();
                done.into_iter().flatten().try_for_each(|(name, line, record)| taking.take(&name, line, record))?;
            }
        }
        if job.watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    let done = taking.done;
    match done.records {
        0 => Err(Error::NothingLeft { defect: Box::new(suite.nothing(first.as_deref())), dropped: done.dropped }),
        _ => Ok(done),
    }
}

/// What to read of an input that is said to hold chat logs.
fn chat_sources<F: SourceFile>(input: Input, format: Format) -> Vec<Source<F>> {
    let chat = |path: PathBuf| {
        let shape = shape(&path, format);
        Source::Chat(ChatFile { path, shape })
    };
    match input {
        Input::Stream(name, _) => {
            let hint = "save the log to a file, and name that";
            vec![Source::Fault(Defect::new("bad_input", "a file or folder").field("input").file(name).hint(hint))]
        }
        Input::Path(path) if path.is_dir() => each_below(&path, format.endings(), chat),
        Input::Path(path) if !path.exists() => {
            let defect = Defect::new("no_file", "an existing file or folder").field("input").file(base_name(&path));
            vec![Source::Fault(defect)]
        }
        Input::Path(path) => vec![chat(path)],
    }
}

/// An archive, lines, or one document.
fn shape(path: &Path, format: Format) -> Shape {
    let Ok(mut file) = File::open(path).map(BufReader::new) else { return Shape::Document(format) };
    if file.fill_buf().is_ok_and(|bytes| bytes.starts_with(b"PK\x03\x04")) {
        return Shape::Archive;
    }
    if format != Format::Chat || path.extension().is_some_and(|ending| ending == "jsonl") {
        return if format == Format::Chat { Shape::Lines } else { Shape::Document(format) };
    }
    // Whatever the file's name: lines are lines.
    let mut first = vec![];
    let read = file.take(1 << 26).read_until(b'\n', &mut first).is_ok();
    let text = std::str::from_utf8(first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&first)).ok();
    let whole = text.and_then(Json::parse_cut_off).is_some_and(|(json, _)| json.object().is_some());
    if read && whole { Shape::Lines } else { Shape::Document(format) }
}

/// Makes lines of records.
struct Converter<'c, S: RecordSuite> {
    suite: &'c S,
    setup: &'c S::Setup,
    supplied: &'c Supplied,
    watch: &'c dyn Watch,
}

impl<S: RecordSuite> Converter<'_, S> {
    /// A record as it is written: what is written can be read.
    fn write(&self, record: &Json<'_>) -> Written {
        let entry = self.suite.read(self.setup, record).map_err(|defect| hinted(self.suite.ids(), record, defect))?;
        Ok((self.suite.key(&entry), crate::score::json::text(record)))
    }

    fn write_all(&self, records: std::result::Result<Vec<Json<'_>>, Defect>) -> Vec<Written> {
        match records {
            Ok(records) => records.iter().map(|record| self.write(record)).collect(),
            Err(defect) => vec![Err(defect)],
        }
    }

    fn file(&self, file: &S::File) -> Vec<(String, Option<u64>, Written)> {
        let name = file.paths().first().map(|path| base_name(path)).unwrap_or_default();
        let mut reader = FileReader::within(self.watch.limits(), self.supplied);
        let records = self.suite.file_records(self.setup, file, &mut reader);
        let records = records.into_iter().map(|(line, record)| {
            (name.clone(), (line > 0).then_some(line), record.and_then(|record| self.write(&record)))
        });
        let records = records.collect();
        self.watch.advance(reader.into_read().iter().map(|facts| facts.bytes).sum());
        records
    }

    fn chat(&self, file: &ChatFile) -> Vec<(String, Option<u64>, Written)> {
        let name = base_name(&file.path);
        let mut reader = FileReader::within(self.watch.limits(), self.supplied);
        let mut records = vec![];
        let read = chat::each(file, self.suite.reads_cut_off_text(), &mut reader, &mut |conversation, line| {
            let at = RecordLine { file: &name, line };
            let made = conversation.and_then(|one| chat::records(self.suite, self.supplied, one, at));
            records.extend(self.write_all(made).into_iter().map(|record| (name.clone(), None, record)));
        });
        records.extend(read.err().map(|defect| (name.clone(), None, Err(defect))));
        self.watch.advance(reader.into_read().iter().map(|facts| facts.bytes).sum());
        records
    }

    /// Takes the conversations of lines.
    fn lines(&self, path: &Path, taking: &mut TakeConverted<'_, '_, S>) -> Result<()> {
        let name = base_name(path);
        let limits = self.watch.limits();
        let line = |(bytes, line): (&[u8], u64)| {
            let records = match parse_line(self.suite, limits, bytes)? {
                Ok((json, _)) => chat::line(self.suite, self.supplied, json, RecordLine { file: &name, line }),
                Err(defect) => Err(defect),
            };
            Some((line, self.write_all(records)))
        };
        let work = |lines: Lines<'_>| lines.iter().zip(lines.before + 1..).filter_map(line).collect::<Vec<_>>();
        let mut taken = Ok(());
        let mut hand_on = |some: Vec<(u64, Vec<Written>)>, _: u64| {
            let mut all = some.into_iter().flat_map(|(line, records)| records.into_iter().map(move |r| (line, r)));
            taken = all.try_for_each(|(line, record)| taking.take(&name, Some(line), record));
            if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let read = File::open(path).and_then(|file| read_lines(Box::new(file), self.watch, &work, &mut hand_on));
        taken?;
        match read {
            Ok(_) => Ok(()),
            Err(error) => taking.take(&name, None, Err(Unreadable::defect(path, &error))),
        }
    }
}

/// Takes records in order.
struct TakeConverted<'c, 't, S: RecordSuite> {
    suite: &'c S,
    lenient: bool,
    seen: FxHashSet<Key>,
    done: Converted,
    take: &'c mut TakeLine<'t>,
}

impl<S: RecordSuite> TakeConverted<'_, '_, S> {
    fn take(&mut self, name: &str, line: Option<u64>, record: Written) -> Result<()> {
        let record = record.and_then(|(key, text)| match key {
            Some(key) if self.seen.contains(&key) => Err(self.suite.duplicate(&key)),
            key => {
                self.seen.extend(key);
                Ok(text)
            }
        });
        let mut defect = match record {
            Ok(text) => {
                (self.take)(&text)?;
                self.done.records += 1;
                return Ok(());
            }
            Err(defect) => defect,
        };
        defect.file = defect.file.or_else(|| Some(name.to_string()));
        defect.line = defect.line.or(line);
        if !self.lenient {
            return Err(defect.into());
        }
        self.done.dropped.push(defect);
        Ok(())
    }
}

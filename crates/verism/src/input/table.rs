//! A table of records, whatever its kind.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use memchr::memchr;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::blocks::{BLOCK, csv_cuts, line_cuts};
use super::csv::{After, Found, Scanner, Span, count_lines, has_surplus};
use super::feed::Feed;
use super::parquet::Groups;
use super::skip::Skipper;
use super::{Kind, Limits, Sink, Watch, jsonl};
use crate::error::Defect;

/// A table whose header has been read.
pub struct Table<'a> {
    /// Its columns; none for JSON lines, where every record has its own keys.
    pub columns: Option<Vec<String>>,
    body: Body<'a>,
    watch: &'a dyn Watch,
    /// Whether rows of another length than the header are records too.
    ragged: bool,
}

enum Body<'a> {
    /// Text and how much of the feed's buffer has been consumed; lines before that.
    Text {
        kind: Kind,
        feed: Feed<'a>,
        consumed: usize,
        lines: u64,
    },
    Parquet {
        groups: Box<Groups>,
        feed: Feed<'a>,
    },
    /// Only the defect is left, and bytes to hash.
    Broken {
        defect: Box<Defect>,
        feed: Option<Feed<'a>>,
    },
}

/// How a table ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// What was wrong with the file as a whole.
    pub defect: Option<Defect>,
    /// Size in bytes and SHA-256; none if it could not be read.
    pub hash: Option<(u64, String)>,
}

fn unreadable(error: &io::Error) -> Defect {
    Defect::new("unreadable", "a file that can be read").value(error.to_string())
}

const BOM: &[u8] = b"\xef\xbb\xbf";

impl<'a> Table<'a> {
    /// Opens a file.
    pub fn open(path: &Path, kind: Kind, watch: &'a dyn Watch) -> Table<'a> {
        match File::open(path) {
            Ok(file) => match kind {
                Kind::Parquet => Table::parquet(path, file, watch),
                kind => {
                    let size = file.metadata().map_or(BLOCK, |facts| facts.len() as usize + 1);
                    Table::start(Box::new(file), Some(kind), size.min(BLOCK), watch)
                }
            },
            Err(error) => Table::broken(unreadable(&error), None, watch),
        }
    }

    /// Opens a stream of CSV or JSON lines; without a kind, JSON lines are told by their first brace.
    pub fn text(reader: Box<dyn Read + Send + 'a>, kind: Option<Kind>, watch: &'a dyn Watch) -> Table<'a> {
        Table::start(reader, kind, BLOCK, watch)
    }

    /// Reads the first bytes, up to `size` of them, and the header.
    fn start(reader: Box<dyn Read + Send + 'a>, kind: Option<Kind>, size: usize, watch: &'a dyn Watch) -> Table<'a> {
        let mut feed = Feed::new(reader, watch);
        if let Err(error) = feed.refill(0, size) {
            return Table::broken(unreadable(&error), None, watch);
        }
        let start = if feed.buffer.starts_with(BOM) { BOM.len() } else { 0 };
        let first = feed.buffer[start..].iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
        let kind = kind.unwrap_or(if first == Some(&b'{') { Kind::Jsonl } else { Kind::Csv });
        if kind == Kind::Csv {
            return Table::csv(feed, start, watch);
        }
        Table { columns: None, body: Body::Text { kind, feed, consumed: start, lines: 0 }, watch, ragged: false }
    }

    fn broken(defect: Defect, feed: Option<Feed<'a>>, watch: &'a dyn Watch) -> Table<'a> {
        Table { columns: Some(vec![]), body: Body::Broken { defect: Box::new(defect), feed }, watch, ragged: false }
    }

    fn parquet(path: &Path, file: File, watch: &'a dyn Watch) -> Table<'a> {
        let feed = match File::open(path) {
            Ok(again) => Feed::new(Box::new(again), watch),
            Err(error) => return Table::broken(unreadable(&error), None, watch),
        };
        match Groups::open(path, &file, watch.limits()) {
            Ok(groups) => {
                let columns = Some(groups.columns.clone());
                Table { columns, body: Body::Parquet { groups: Box::new(groups), feed }, watch, ragged: false }
            }
            Err(defect) => Table::broken(defect, Some(feed), watch),
        }
    }

    /// Reads the header of a CSV file.
    fn csv(mut feed: Feed<'a>, start: usize, watch: &'a dyn Watch) -> Table<'a> {
        let limits = watch.limits();
        let mut fields = vec![];
        let mut most = HEADER;
        loop {
            let (text, after) = readable(&feed, start, most);
            let mut scanner = Scanner::new(text, after).keeping(limits.fields);
            let found = scanner.next(&mut fields);
            let defect = match found {
                Found::Record(line) if scanner.count > limits.fields => limits.too_wide(scanner.count).line(line + 1),
                Found::Record(line) if scanner.at - scanner.began > limits.record_bytes => {
                    limits.too_long().line(line + 1)
                }
                Found::Record(line) => {
                    let columns: Vec<String> = fields.iter().map(|f: &Span| f.text(text).into_owned()).collect();
                    if let Some(twice) = repeated(&columns) {
                        return Table::broken(twice.line(line + 1), Some(feed), watch);
                    }
                    let (consumed, lines) = (start + scanner.at, scanner.lines);
                    let body = Body::Text { kind: Kind::Csv, feed, consumed, lines };
                    return Table { columns: Some(columns), body, watch, ragged: false };
                }
                _ if most == HEADER => {
                    most = usize::MAX;
                    continue;
                }
                Found::Unfinished(line, open) if text.len() - scanner.at > limits.record_bytes => {
                    if open && after == After::End { open_quote(line) } else { limits.too_long().line(line + 1) }
                }
                _ if after == After::Cut => bad_utf8(count_lines(text.as_bytes())),
                Found::Unfinished(line, true) if after == After::End => open_quote(line),
                _ if after == After::End => Defect::new("empty_file", "a header line"),
                _ => match feed.refill(0, BLOCK) {
                    Ok(()) => continue,
                    Err(error) => return Table::broken(unreadable(&error), None, watch),
                },
            };
            return Table::broken(defect, Some(feed), watch);
        }
    }

    /// The same table, whose rows may be shorter than the header, or longer by empty cells: what they lack is none.
    pub fn ragged(self) -> Table<'a> {
        Table { ragged: true, ..self }
    }

    /// Reads no record, only the bytes for the hash.
    pub fn skip(self) -> Ended {
        match self.body {
            Body::Broken { defect, feed } => Ended { defect: Some(*defect), hash: feed.and_then(|f| f.finish().ok()) },
            Body::Parquet { feed, .. } | Body::Text { feed, .. } => Ended { defect: None, hash: feed.finish().ok() },
        }
    }

    /// Whether the file is broken before its first record.
    pub fn is_broken(&self) -> bool {
        matches!(self.body, Body::Broken { .. })
    }

    /// Reads all records. Each block goes into a sink that `make` gives; `take` gets the sinks in the order of the file
    /// with the number of lines before them, and may end the reading.
    pub fn read<S: Sink>(
        self,
        wanted: &[String],
        make: &(dyn Fn() -> S + Sync),
        take: &mut dyn FnMut(S, u64) -> ControlFlow<()>,
    ) -> Ended {
        let watch = self.watch;
        match self.body {
            body @ Body::Broken { .. } => Table { columns: None, body, watch, ragged: false }.skip(),
            Body::Parquet { groups, feed } => {
                let defect = read_groups(&groups, wanted, make, take, watch);
                Ended { defect, hash: feed.finish().ok() }
            }
            Body::Text { kind, feed, consumed, lines } => {
                let width = self.columns.as_ref().map_or(0, Vec::len);
                let slots = self.columns.map(|columns| {
                    wanted.iter().map(|name| columns.iter().position(|column| column == name)).collect::<Vec<_>>()
                });
                let (slots, limits, ragged) = (slots.unwrap_or_default(), watch.limits(), self.ragged);
                let plan = Plan { kind, wanted, width, ragged, slots, limits };
                plan.read_text(feed, consumed, lines, make, take)
            }
        }
    }
}

/// The defect of a column that stands there twice; columns without a name, as spreadsheets write them, are none.
pub(crate) fn repeated(columns: &[String]) -> Option<Defect> {
    let mut seen = FxHashSet::default();
    let twice: FxHashSet<&String> =
        columns.iter().filter(|column| !column.is_empty() && !seen.insert(*column)).collect();
    let first = columns.iter().find(|column| twice.contains(column))?;
    let hint = "rename one of them, or leave it out";
    Some(Defect::new("duplicate_column", "each column once").field(first).hint(hint))
}

/// A header is looked for in so many bytes first, so that the rest is checked for UTF-8 only once.
const HEADER: usize = 1 << 12;

/// The text that can be read in the buffer from `start`, up to `most` bytes of it, and what follows it.
fn readable<'b>(feed: &'b Feed<'_>, start: usize, most: usize) -> (&'b str, After) {
    let rest = &feed.buffer[start..];
    let bytes = rest.get(..most).unwrap_or(rest);
    let ended = feed.ended && bytes.len() == rest.len();
    // Only the slower check tells where the text goes wrong.
    match simdutf8::basic::from_utf8(bytes).or_else(|_| std::str::from_utf8(bytes)) {
        Ok(text) => (text, if ended { After::End } else { After::More }),
        Err(error) => {
            let text = std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("valid up to there");
            let unfinished = error.error_len().is_none() && !ended;
            (text, if unfinished { After::More } else { After::Cut })
        }
    }
}

fn bad_utf8(lines_before: u64) -> Defect {
    let hint = "save the file as UTF-8";
    Defect::new("bad_utf8", "UTF-8 text").line(lines_before + 1).hint(hint)
}

fn open_quote(line: u64) -> Defect {
    let hint = "a quote that opens in this record never closes; the file may be cut off";
    Defect::new("unterminated_quote", "a closing double quote").line(line + 1).hint(hint)
}

fn read_groups<S: Sink>(
    groups: &Groups,
    wanted: &[String],
    make: &(dyn Fn() -> S + Sync),
    take: &mut dyn FnMut(S, u64) -> ControlFlow<()>,
    watch: &dyn Watch,
) -> Option<Defect> {
    let all: Vec<usize> = (0..groups.rows.len()).collect();
    let mut before = 0;
    // Large groups one after the other: each takes the memory of a page of every column.
    let at_once = if groups.are_large(wanted) { 1 } else { rayon::current_num_threads() };
    for some in all.chunks(at_once) {
        let read = |&group: &usize| {
            let mut sink = make();
            (groups.read(group, wanted, &mut sink), sink)
        };
        let done: Vec<_> =
            if some.len() == 1 { some.iter().map(read).collect() } else { some.par_iter().map(read).collect() };
        for (&group, (result, sink)) in some.iter().zip(done) {
            if let Err(defect) = result {
                return Some(defect);
            }
            if take(sink, before).is_break() || watch.stop() {
                return None;
            }
            before += groups.rows[group];
        }
    }
    None
}

/// How the text of a table is to be read.
struct Plan<'w> {
    kind: Kind,
    wanted: &'w [String],
    width: usize,
    ragged: bool,
    slots: Vec<Option<usize>>,
    limits: Limits,
}

/// A block that has been read: bytes consumed, lines in them, what stopped it.
struct Block<S> {
    sink: S,
    consumed: usize,
    lines: u64,
    end: Found,
}

impl Plan<'_> {
    fn read_text<S: Sink>(
        &self,
        mut feed: Feed<'_>,
        mut consumed: usize,
        mut lines: u64,
        make: &(dyn Fn() -> S + Sync),
        take: &mut dyn FnMut(S, u64) -> ControlFlow<()>,
    ) -> Ended {
        let batch = BLOCK * 2 * rayon::current_num_threads();
        let mut any = self.kind == Kind::Csv;
        loop {
            let (text, after) = readable(&feed, consumed, usize::MAX);
            let (blocks, end) = self.read_blocks(text, after, make);
            any |= !text.trim_ascii().is_empty();
            let mut used = 0;
            for block in blocks {
                used += block.consumed;
                let before = lines;
                lines += block.lines;
                if take(block.sink, before).is_break() {
                    return Ended { defect: None, hash: feed.finish().ok() };
                }
            }
            if after != After::End && text.len() - used > self.limits.record_bytes {
                // A record that goes on beyond what may be kept: it is passed over.
                let (next, passed) = match self.pass_over(&mut feed, consumed + used) {
                    Ok(Some(found)) => found,
                    Ok(None) => return Ended { defect: Some(open_quote(lines)), hash: feed.finish().ok() },
                    Err(error) => return Ended { defect: Some(unreadable(&error)), hash: None },
                };
                let mut sink = make();
                sink.defect(0, self.limits.too_long());
                let stopped = take(sink, lines).is_break();
                (consumed, lines, any) = (next, lines + passed, true);
                if stopped {
                    return Ended { defect: None, hash: feed.finish().ok() };
                }
                continue;
            }
            let defect = match (after, end) {
                (After::Cut, _) => Some(bad_utf8(lines + self.lines_of(&text[used..]))),
                (After::End, Found::Unfinished(line, true)) => Some(open_quote(lines + line)),
                (After::End, _) if !any => Some(Defect::new("empty_file", "one JSON object per line")),
                (After::End, _) => None,
                (After::More, _) => match feed.refill(consumed + used, batch) {
                    Ok(()) => {
                        consumed = 0;
                        continue;
                    }
                    Err(error) => return Ended { defect: Some(unreadable(&error)), hash: None },
                },
            };
            return match feed.finish() {
                Ok(hash) => Ended { defect, hash: Some(hash) },
                Err(error) => Ended { defect: Some(unreadable(&error)), hash: None },
            };
        }
    }

    /// Drops the record that begins at a place of the buffer. Gives where the next one begins and how many lines that
    /// took; none if its quote stays open to the end of the file.
    fn pass_over(&self, feed: &mut Feed<'_>, mut at: usize) -> io::Result<Option<(usize, u64)>> {
        let mut skipper = Skipper::new();
        loop {
            let rest = &feed.buffer[at..];
            let (end, lines, open) = match self.kind {
                Kind::Csv => (skipper.skip(rest), skipper.lines, skipper.is_open()),
                _ => (memchr(b'\n', rest).map(|end| end + 1), 1, false),
            };
            match end {
                Some(end) => return Ok(Some((at + end, lines))),
                None if feed.ended => return Ok((!open).then_some((feed.buffer.len(), lines))),
                None => feed.refill(feed.buffer.len(), BLOCK)?,
            }
            at = 0;
        }
    }

    fn lines_of(&self, text: &str) -> u64 {
        if self.kind == Kind::Csv { count_lines(text.as_bytes()) } else { 0 }
    }

    /// Reads a text that begins with a record, in blocks where it is long. The last value tells what stopped the reading.
    fn read_blocks<S: Sink>(&self, text: &str, after: After, make: &(dyn Fn() -> S + Sync)) -> (Vec<Block<S>>, Found) {
        let cuts = match self.kind {
            Kind::Csv if text.len() < 2 * BLOCK => vec![],
            Kind::Csv => csv_cuts(text.as_bytes()),
            _ => line_cuts(text.as_bytes()),
        };
        let bounds: Vec<usize> = [0].into_iter().chain(cuts).chain([text.len()]).collect();
        let last = bounds.len() - 2;
        let read = |i: usize| {
            let after = if i == last { after } else { After::More };
            self.read_block(&text[bounds[i]..bounds[i + 1]], after, make())
        };
        let mut blocks: Vec<Block<S>> =
            if last == 0 { vec![read(0)] } else { (0..=last).into_par_iter().map(read).collect() };
        // A block that does not end where the next one begins was cut inside a record: read the rest in one piece.
        let short = |i: &usize| bounds[*i] + blocks[*i].consumed != bounds[*i + 1];
        if let Some(i) = (0..last).find(short) {
            blocks.truncate(i);
            blocks.push(self.read_block(&text[bounds[i]..], after, make()));
        }
        let end = blocks.last_mut().map_or(Found::Nothing, |block| std::mem::replace(&mut block.end, Found::Nothing));
        let end = match end {
            // Lines are counted from the block's start; the caller counts them from its end.
            Found::Unfinished(line, quoted) => {
                Found::Unfinished(line - blocks.last().map_or(0, |block| block.lines), quoted)
            }
            end => end,
        };
        (blocks, end)
    }

    fn read_block<S: Sink>(&self, text: &str, after: After, mut sink: S) -> Block<S> {
        if self.kind == Kind::Jsonl {
            let whole = if after == After::End { text.len() } else { text.rfind('\n').map_or(0, |i| i + 1) };
            let lines = jsonl::read_block(&text[..whole], self.wanted, self.limits, &mut sink);
            return Block { sink, consumed: whole, lines, end: Found::Nothing };
        }
        let kept = if self.ragged { self.limits.fields } else { self.width };
        let mut scanner = Scanner::new(text, after).keeping(kept);
        let mut fields = Vec::with_capacity(self.width);
        let mut unquoted: Vec<String> = vec![];
        loop {
            match scanner.next(&mut fields) {
                Found::Record(line) if scanner.at - scanner.began > self.limits.record_bytes => {
                    sink.defect(line, self.limits.too_long());
                }
                Found::Record(line) if scanner.count > self.limits.fields => {
                    sink.defect(line, self.limits.too_wide(scanner.count));
                }
                Found::Record(line)
                    if scanner.count != self.width && (!self.ragged || has_surplus(&fields, self.width, text)) =>
                {
                    let defect = Defect::new("ragged_row", format!("{} cells", self.width));
                    sink.defect(line, defect.value(scanner.count.to_string()));
                }
                Found::Record(line) => {
                    let mut few = [None; FEW];
                    let mut many = vec![];
                    let cells: &mut [Option<&str>] = match few.get_mut(..self.slots.len()) {
                        Some(few) => few,
                        None => {
                            many.resize(self.slots.len(), None);
                            &mut many
                        }
                    };
                    unquoted.clear();
                    for (cell, slot) in cells.iter_mut().zip(&self.slots) {
                        let Some(field) = slot.and_then(|slot| fields.get(slot)) else { continue };
                        *cell = field.plain(text);
                        if cell.is_none() {
                            unquoted.push(field.text(text).into_owned());
                        }
                    }
                    let mut unquoted = unquoted.iter();
                    if unquoted.len() > 0 {
                        let messy = cells
                            .iter_mut()
                            .zip(&self.slots)
                            .filter(|(cell, slot)| cell.is_none() && slot.is_some_and(|slot| slot < fields.len()));
                        messy.for_each(|(cell, _)| *cell = unquoted.next().map(String::as_str));
                    }
                    sink.record(line, cells);
                }
                end => return Block { sink, consumed: scanner.at, lines: scanner.lines, end },
            }
        }
    }
}

/// Up to this many wanted columns need no memory of their own.
const FEW: usize = 20;

#[cfg(test)]
mod tests;

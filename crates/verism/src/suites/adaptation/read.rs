//! Reads logs into a collector.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::collect::Collector;
use super::discover::{CellId, Log, Place};
use super::record::{Block, Context, FileFacts, IDS};
use crate::error::{Defect, Error, Result};
use crate::input::{Ended, Kind, Table, Watch};

/// Files up to this size are read whole and several at a time.
const SMALL_BYTES: u64 = 1 << 21;

/// What reading is told: who watches, whether to go on past defects, and the first file with a defect so far.
pub(super) struct Reading<'a> {
    pub(super) watch: &'a dyn Watch,
    pub(super) lenient: bool,
    pub(super) first_bad: &'a AtomicU32,
}

impl Reading<'_> {
    /// Whether a file need not be read because an earlier one is at fault already.
    pub(super) fn needless(&self, file: u32) -> bool {
        !self.lenient && file > self.first_bad.load(Ordering::Relaxed)
    }

    fn note(&self, file: u32) {
        self.first_bad.fetch_min(file, Ordering::Relaxed);
    }
}

/// Size and SHA-256 of a file by its number; none if it could not be read.
pub(super) type Hashes = Vec<(u32, Option<(u64, String)>)>;

/// Reads the logs in file order.
pub(super) fn read_logs<'a>(
    context: &'a Context<'a>,
    logs: Vec<(u32, Log)>,
    reading: &Reading<'_>,
    collector: &mut Collector<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    let mut waiting: Vec<(u32, Log)> = vec![];
    for (file, log) in logs {
        if is_small(&log) {
            waiting.push((file, log));
            if waiting.len() < 4 * rayon::current_num_threads() {
                continue;
            }
            read_small(context, std::mem::take(&mut waiting), reading, collector, hashes)?;
            continue;
        }
        read_small(context, std::mem::take(&mut waiting), reading, collector, hashes)?;
        read_large(context, file, log, reading, collector, hashes)?;
    }
    read_small(context, waiting, reading, collector, hashes)
}

fn is_small(log: &Log) -> bool {
    match &log.place {
        Place::File(path) => path.metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= SMALL_BYTES),
        Place::Stream(_) => false,
    }
}

/// A file on its way: its shape, its blocks with the lines before them, how it ended.
struct Done<'a> {
    facts: Arc<FileFacts>,
    blocks: Vec<(Block<'a>, u64)>,
    ended: Ended,
}

fn read_small<'a>(
    context: &'a Context<'a>,
    logs: Vec<(u32, Log)>,
    reading: &Reading<'_>,
    collector: &mut Collector<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    let read = |(file, log): (u32, Log)| {
        let shown = log.shown.clone();
        if reading.needless(file) {
            return (file, shown, None);
        }
        let mut blocks = vec![];
        let read = read_log(context, log, reading.watch, &mut |_| {}, &mut |block, before| {
            blocks.push((block, before));
            ControlFlow::Continue(())
        });
        (file, shown, Some(read.map(|(facts, ended)| Done { facts, blocks, ended })))
    };
    let done: Vec<_> =
        if logs.len() == 1 { logs.into_iter().map(read).collect() } else { logs.into_par_iter().map(read).collect() };
    for (file, shown, done) in done {
        let Done { facts, blocks, ended } = match done {
            None => continue,
            Some(Err(cell)) => {
                collector.leave_out(&cell);
                continue;
            }
            Some(Ok(done)) => done,
        };
        collector.begin_file(facts.cell.as_ref(), facts.format);
        for (block, before) in blocks {
            collector.take(file, &shown, block, before).map_err(spill_failed)?;
        }
        finish_file(file, &shown, ended, reading, collector, hashes);
    }
    if reading.watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
}

fn read_large<'a>(
    context: &'a Context<'a>,
    file: u32,
    log: Log,
    reading: &Reading<'_>,
    collector: &mut Collector<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    if reading.needless(file) {
        return Ok(());
    }
    let shown = log.shown.clone();
    let mut failed = None;
    let collector = std::cell::RefCell::new(collector);
    let read = read_log(
        context,
        log,
        reading.watch,
        &mut |facts| collector.borrow_mut().begin_file(facts.cell.as_ref(), facts.format),
        &mut |block, before| {
            let mut collector = collector.borrow_mut();
            failed = collector.take(file, &shown, block, before).err();
            let faulty = !reading.lenient && collector.has_complained(file);
            if failed.is_some() || faulty || reading.watch.stop() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    if let Some(error) = failed {
        return Err(spill_failed(error));
    }
    let collector = collector.into_inner();
    match read {
        Ok((_, ended)) => finish_file(file, &shown, ended, reading, collector, hashes),
        Err(cell) => collector.leave_out(&cell),
    }
    if reading.watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
}

fn finish_file(
    file: u32,
    shown: &str,
    ended: Ended,
    reading: &Reading<'_>,
    collector: &mut Collector<'_>,
    hashes: &mut Hashes,
) {
    collector.end_file(file, shown, ended.defect);
    hashes.push((file, ended.hash));
    if collector.has_complained(file) {
        reading.note(file);
    }
}

fn spill_failed(error: io::Error) -> Error {
    Error::write("temporary files")(error)
}

/// Reads one log. `begin` learns its shape before the first block. The error is a cell that the declared axes leave out.
fn read_log<'a>(
    context: &'a Context<'a>,
    log: Log,
    watch: &dyn Watch,
    begin: &mut dyn FnMut(&FileFacts),
    take: &mut dyn FnMut(Block<'a>, u64) -> ControlFlow<()>,
) -> std::result::Result<(Arc<FileFacts>, Ended), CellId> {
    let pack = context.pack;
    let table = match log.place {
        Place::File(path) => Table::open(&path, log.kind.unwrap_or(Kind::Csv), watch),
        Place::Stream(reader) => Table::text(reader, log.kind, watch),
    };
    let has = |name: &str| table.columns.as_ref().is_some_and(|columns| columns.iter().any(|column| column == name));
    let mut cell = log.cell;
    if cell.is_none() && log.ids.is_some() && table.columns.is_some() && !IDS.iter().any(|id| has(id)) {
        // A log given by name: its path names the cell.
        cell = log.ids.clone();
        if let Some(cell) = cell.take_if(|cell| !context.params.wants(cell.as_slice())) {
            return Err(cell);
        }
    }
    let mut facts = FileFacts { cell, ids: log.ids, columns: table.columns.clone(), format: None };
    let defect = if table.is_broken() || table.columns.is_none() {
        None
    } else {
        let ids: &[&str] = if facts.cell.is_some() || facts.ids.is_some() { &[] } else { &IDS };
        let needed = [pack.agent.as_str(), pack.step.as_str()].into_iter().chain(ids.iter().copied());
        let lacking = needed.into_iter().find(|name| !has(name));
        let missing = |name: &str| Defect::new("missing_column", format!("column {name}")).line(1).field(name);
        match (lacking, &facts.cell) {
            (Some(name), _) => Some(missing(name)),
            (None, Some(cell)) => match context.format(&cell[1], &has, false, false) {
                Ok(format) => {
                    facts.format = Some(format);
                    None
                }
                Err(defect) => Some(defect.line(1)),
            },
            (None, None) => None,
        }
    };
    let facts = Arc::new(facts);
    begin(&facts);
    if let Some(defect) = defect {
        let hint = format!("the columns are: {}", table.columns.as_deref().unwrap_or_default().join(", "));
        let ended = table.skip();
        return Ok((facts, Ended { defect: Some(defect.hint(hint)), ..ended }));
    }
    let make = || Block::new(context, facts.clone());
    let ended = table.read(&context.columns, &make, take);
    Ok((facts.clone(), ended))
}

//! Opens logs and reads them into a store of rows.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::context::{Context, FileShape};
use super::discover::{CellId, IDS, Log, Origin};
use super::record::Block;
use super::store::RowStore;
use crate::error::{Defect, Error, Result};
use crate::input::{Ended, Kind, Table, Watch};

/// Files up to this size are read whole and several at a time.
const SMALL_BYTES: u64 = 1 << 21;

/// What control is told: who watches, whether to go on past defects, and the first file with a defect so far.
pub(crate) struct Control<'a> {
    pub(crate) watch: &'a dyn Watch,
    pub(crate) lenient: bool,
    pub(crate) first_bad: &'a AtomicU32,
}

impl Control<'_> {
    /// Whether a file need not be read because an earlier one is at fault already.
    pub(crate) fn needless(&self, file: u32) -> bool {
        !self.lenient && file > self.first_bad.load(Ordering::Relaxed)
    }

    /// Notes that a file is at fault.
    pub(crate) fn note(&self, file: u32) {
        self.first_bad.fetch_min(file, Ordering::Relaxed);
    }
}

/// Size and SHA-256 of a file by its number; none if it could not be read.
pub(crate) type Hashes = Vec<(u32, Option<(u64, String)>)>;

/// Reads the logs in file order.
pub(crate) fn read_logs<'a>(
    context: &'a Context<'a>,
    logs: Vec<(u32, Log)>,
    control: &Control<'_>,
    store: &mut RowStore<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    let mut waiting: Vec<(u32, Log)> = vec![];
    for (file, log) in logs {
        if is_small(&log) {
            waiting.push((file, log));
            if waiting.len() < 4 * rayon::current_num_threads() {
                continue;
            }
            read_small(context, std::mem::take(&mut waiting), control, store, hashes)?;
            continue;
        }
        read_small(context, std::mem::take(&mut waiting), control, store, hashes)?;
        read_large(context, file, log, control, store, hashes)?;
    }
    read_small(context, waiting, control, store, hashes)
}

fn is_small(log: &Log) -> bool {
    match &log.origin {
        Origin::File(path) => path.metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= SMALL_BYTES),
        Origin::Stream(_) => false,
    }
}

/// A file on its way: its shape, its blocks with the lines before them, how it ended.
struct FileRead<'a> {
    shape: Arc<FileShape>,
    blocks: Vec<(Block<'a>, u64)>,
    ended: Ended,
}

fn read_small<'a>(
    context: &'a Context<'a>,
    logs: Vec<(u32, Log)>,
    control: &Control<'_>,
    store: &mut RowStore<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    let read = |(file, log): (u32, Log)| {
        let shown = log.shown.clone();
        if control.needless(file) {
            return (file, shown, None);
        }
        let mut blocks = vec![];
        let read = read_log(context, log, control.watch, &mut |_| {}, &mut |block, before| {
            blocks.push((block, before));
            ControlFlow::Continue(())
        });
        (file, shown, Some(read.map(|(shape, ended)| FileRead { shape, blocks, ended })))
    };
    let done: Vec<_> =
        if logs.len() == 1 { logs.into_iter().map(read).collect() } else { logs.into_par_iter().map(read).collect() };
    for (file, shown, done) in done {
        let FileRead { shape, blocks, ended } = match done {
            None => continue,
            Some(Err(cell)) => {
                store.leave_out(&cell);
                continue;
            }
            Some(Ok(done)) => done,
        };
        store.begin_file(shape.cell.as_ref(), shape.format);
        for (block, before) in blocks {
            store.take(file, &shown, block, before).map_err(spill_failed)?;
        }
        finish_file(file, &shown, ended, control, store, hashes);
    }
    if control.watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
}

fn read_large<'a>(
    context: &'a Context<'a>,
    file: u32,
    log: Log,
    control: &Control<'_>,
    store: &mut RowStore<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    if control.needless(file) {
        return Ok(());
    }
    let shown = log.shown.clone();
    let mut failed = None;
    let store = std::cell::RefCell::new(store);
    let read = read_log(
        context,
        log,
        control.watch,
        &mut |shape| store.borrow_mut().begin_file(shape.cell.as_ref(), shape.format),
        &mut |block, before| {
            let mut store = store.borrow_mut();
            failed = store.take(file, &shown, block, before).err();
            let faulty = !control.lenient && store.is_faulty(file);
            if failed.is_some() || faulty || control.watch.stop() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    if let Some(error) = failed {
        return Err(spill_failed(error));
    }
    let store = store.into_inner();
    match read {
        Ok((_, ended)) => finish_file(file, &shown, ended, control, store, hashes),
        Err(cell) => store.leave_out(&cell),
    }
    if control.watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
}

fn finish_file(
    file: u32,
    shown: &str,
    ended: Ended,
    control: &Control<'_>,
    store: &mut RowStore<'_>,
    hashes: &mut Hashes,
) {
    store.end_file(file, shown, ended.defect);
    hashes.push((file, ended.hash));
    if store.is_faulty(file) {
        control.note(file);
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
    begin: &mut dyn FnMut(&FileShape),
    take: &mut dyn FnMut(Block<'a>, u64) -> ControlFlow<()>,
) -> std::result::Result<(Arc<FileShape>, Ended), CellId> {
    let pack = context.pack;
    let table = match log.origin {
        Origin::File(path) => Table::open(&path, log.kind.unwrap_or(Kind::Csv), watch),
        Origin::Stream(reader) => Table::text(reader, log.kind, watch),
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
    let mut shape = FileShape { cell, ids: log.ids, columns: table.columns.clone(), format: None };
    let defect = if table.is_broken() || table.columns.is_none() {
        None
    } else {
        let ids: &[&str] = if shape.cell.is_some() || shape.ids.is_some() { &[] } else { &IDS };
        let needed = [pack.agent.as_str(), pack.step.as_str()].into_iter().chain(ids.iter().copied());
        let lacking = needed.into_iter().find(|name| !has(name));
        let missing = |name: &str| Defect::new("missing_column", format!("column {name}")).line(1).field(name);
        match (lacking, &shape.cell) {
            (Some(name), _) => Some(missing(name)),
            (None, Some(cell)) => match context.format(&cell[1], &has, false, false) {
                Ok(format) => {
                    shape.format = Some(format);
                    None
                }
                Err(defect) => Some(defect.line(1)),
            },
            (None, None) => None,
        }
    };
    let shape = Arc::new(shape);
    begin(&shape);
    if let Some(defect) = defect {
        let hint = format!("the columns are: {}", table.columns.as_deref().unwrap_or_default().join(", "));
        let ended = table.skip();
        return Ok((shape, Ended { defect: Some(defect.hint(hint)), ..ended }));
    }
    let make = || Block::new(context, shape.clone());
    let ended = table.read(&context.columns, &make, take);
    Ok((shape, ended))
}

//! From inputs to judged cells: logs are read, sorted and judged, many at a time, in the order of cells.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::AtomicU32;

use rayon::prelude::*;
use tempfile::SpooledTempFile;

use super::cells::{GroupJudged, judge_group};
use super::packed::JudgedCell;
use crate::error::{Error, Result};
use crate::input::Watch;
use crate::score::manifest::InputFacts;
use crate::score::output::LineFile;
use crate::suites::Shard;
use crate::suites::adaptation::axes::Order;
use crate::suites::adaptation::options::Params;
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::read::context::Context;
use crate::suites::adaptation::read::defects::DefectList;
use crate::suites::adaptation::read::discover::{CellId, FoundLogs, Log, Origin};
use crate::suites::adaptation::read::logs::{Control, Hashes};
use crate::suites::adaptation::read::not_understood::NotUnderstood;

/// Rows that all workers together keep in memory; more go to disk.
const ROWS_IN_MEMORY: usize = 3_000_000;
/// Bytes of logs that are read before what was found is written out.
const WINDOW_BYTES: u64 = 64 << 20;

/// How the inputs are to be read.
pub(crate) struct Setup<'a> {
    pub(crate) pack: &'a Pack,
    pub(crate) params: &'a Params,
    pub(crate) lenient: bool,
    pub(crate) shard: Option<Shard>,
    pub(crate) watch: &'a dyn Watch,
    /// Where rows go that do not fit into memory.
    pub(crate) folder: &'a Path,
}

/// Where events and rows go as they are found.
pub(crate) struct Lists<'a> {
    pub(crate) events: &'a mut LineFile,
    pub(crate) rows: Option<&'a mut LineFile>,
}

/// What reading and judging gave.
pub(crate) struct Judgement {
    pub(crate) cells: BTreeMap<CellId, JudgedCell>,
    pub(crate) defects: DefectList,
    /// Records with half of a surrogate pair.
    pub(crate) cut_off: u64,
    pub(crate) ignored: BTreeMap<String, u64>,
    pub(crate) not_understood: NotUnderstood,
    pub(crate) inputs: Vec<InputFacts>,
    pub(crate) events: u64,
}

impl Judgement {
    fn new(folder: &Path) -> Judgement {
        let (cells, ignored) = (BTreeMap::new(), BTreeMap::new());
        let not_understood = NotUnderstood::default();
        let defects = DefectList::new(folder);
        Judgement { cells, defects, cut_off: 0, ignored, not_understood, inputs: vec![], events: 0 }
    }

    /// Whether nothing can be scored and the reading refuses that.
    pub(crate) fn is_empty(&self, params: &Params) -> bool {
        params.reading.needs_a_cell() && self.cells.values().all(|cell| cell.broken.is_some())
    }
}

/// The logs of one cell, or all logs where cells cannot be told apart by their paths.
pub(super) struct LogGroup {
    pub(super) logs: Vec<(u32, Log)>,
    bytes: u64,
}

/// Reads and judges everything; events and rows are written in the order of cells.
pub(crate) fn run(setup: &Setup<'_>, mut found: FoundLogs, mut lists: Option<Lists<'_>>) -> Result<Judgement> {
    let order = Order::of_cells(setup.params);
    let files: Vec<String> = found.logs.iter().map(|log| log.shown.clone()).collect();
    let paths: Vec<String> = found.logs.iter_mut().map(|log| std::mem::take(&mut log.path)).collect();
    let mut judgement = Judgement::new(setup.folder);
    let groups = group(setup, found.logs, &order, &mut judgement.ignored)?;
    setup.watch.expect(groups.iter().map(|group| group.bytes).sum());
    let context = Context::new(setup.pack, setup.params, setup.shard);
    let first_bad = AtomicU32::new(u32::MAX);
    let control = Control { watch: setup.watch, lenient: setup.lenient, first_bad: &first_bad };
    let mut hashes: Hashes = vec![];
    let mut groups = groups.into_iter().peekable();
    while groups.peek().is_some() {
        let mut window = vec![];
        let mut bytes = 0;
        while bytes < WINDOW_BYTES
            && let Some(group) = groups.next()
        {
            bytes += group.bytes;
            window.push(group);
        }
        let at_once = window.len().clamp(1, rayon::current_num_threads());
        let work = |group: LogGroup| {
            if group.logs.iter().all(|(file, _)| control.needless(*file)) {
                return Ok(None);
            }
            judge_group(setup, &context, &order, &files, group, &control, ROWS_IN_MEMORY / at_once).map(Some)
        };
        let done: Vec<Result<Option<GroupJudged>>> = if window.len() == 1 {
            window.into_iter().map(work).collect()
        } else {
            window.into_par_iter().map(work).collect()
        };
        for done in done {
            let Some(done) = done? else { continue };
            take(done, &mut judgement, &mut hashes, lists.as_mut())?;
        }
        if setup.watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    hashes.sort();
    judgement.inputs = hashes
        .into_iter()
        .map(|(file, hash)| {
            let (bytes, sha256) = hash.unwrap_or_default();
            InputFacts { path: paths[file as usize].clone(), bytes, sha256 }
        })
        .collect();
    Ok(judgement)
}

/// Adds what became of a group, and writes its events and rows.
fn take(
    mut done: GroupJudged,
    judgement: &mut Judgement,
    hashes: &mut Hashes,
    lists: Option<&mut Lists<'_>>,
) -> Result<()> {
    if let Some(lists) = lists {
        copy(&mut done.events, lists.events)?;
        if let Some(rows) = &mut lists.rows {
            copy(&mut done.rows, rows)?;
        }
    }
    judgement.events += done.event_count;
    judgement.not_understood.merge(&done.not_understood);
    judgement.cells.extend(done.cells);
    judgement.defects.append(done.defects)?;
    judgement.cut_off += done.cut_off;
    hashes.extend(done.hashes);
    for (cell, count) in done.ignored {
        *judgement.ignored.entry(cell).or_default() += count;
    }
    Ok(())
}

/// Puts logs together that must be judged together, in the order of cells.
fn group(
    setup: &Setup<'_>,
    logs: Vec<Log>,
    order: &Order,
    ignored: &mut BTreeMap<String, u64>,
) -> Result<Vec<LogGroup>> {
    let size = |log: &Log| match &log.origin {
        Origin::File(path) => path.metadata().map_or(0, |facts| facts.len()),
        Origin::Stream(_) => 0,
    };
    setup.params.reading.check(&logs)?;
    let by_cell = logs.iter().all(|log| log.cell.is_some());
    let mut groups: Vec<(CellId, LogGroup)> = vec![];
    let mut numbers: BTreeMap<CellId, usize> = BTreeMap::new();
    for (file, log) in logs.into_iter().enumerate() {
        if let Some(cell) = log.cell.as_ref().filter(|cell| !setup.params.wants(cell.as_slice())) {
            *ignored.entry(cell.join("/")).or_default() += 1;
            continue;
        }
        let key = log.cell.clone().filter(|_| by_cell).unwrap_or_default();
        let number = *numbers.entry(key.clone()).or_insert(groups.len());
        if number == groups.len() {
            groups.push((key, LogGroup { logs: Vec::with_capacity(1), bytes: 0 }));
        }
        groups[number].1.bytes += size(&log);
        groups[number].1.logs.push((file as u32, log));
    }
    groups.sort_by(|a, b| order.compare(&a.0, &b.0));
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

fn copy(from: &mut SpooledTempFile, to: &mut LineFile) -> Result<()> {
    let mut copy = || -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![];
        from.take(1 << 20).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    loop {
        let bytes = copy().map_err(Error::write("temporary files"))?;
        if bytes.is_empty() {
            return Ok(());
        }
        to.write(&bytes)?;
    }
}

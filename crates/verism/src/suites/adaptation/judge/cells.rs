//! Judges the cells of a group of logs: reads them, puts their rows in order and walks them, whole agents at a time.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use rayon::prelude::*;
use tempfile::SpooledTempFile;

use super::agent::{Judge, Judged};
use super::events::{Writer, without_activity};
use super::packed::{JudgedCell, PackedTally};
use super::run::{LogGroup, Setup};
use super::tally::{RowTally, Tally};
use crate::error::{Error, Result};
use crate::suites::adaptation::axes::Order;
use crate::suites::adaptation::published;
use crate::suites::adaptation::read::context::Context;
use crate::suites::adaptation::read::defects::{DefectList, FileDefect};
use crate::suites::adaptation::read::discover::CellId;
use crate::suites::adaptation::read::logs::{Control, Hashes, read_logs};
use crate::suites::adaptation::read::not_understood::NotUnderstood;
use crate::suites::adaptation::read::store::{CellRead, RowStore, StoredRows};
use crate::suites::adaptation::row::LogRow;

/// Most and fewest rows that are judged in one piece.
const MOST_ROWS: usize = 1 << 15;
const FEWEST_ROWS: usize = 1 << 11;
/// Events of a group up to this size wait in memory.
const SPOOL_BYTES: usize = 4 << 20;

/// What became of a group.
pub(super) struct GroupJudged {
    pub(super) cells: Vec<(CellId, JudgedCell)>,
    pub(super) defects: DefectList,
    pub(super) cut_off: u64,
    pub(super) ignored: BTreeMap<String, u64>,
    pub(super) not_understood: NotUnderstood,
    pub(super) hashes: Hashes,
    pub(super) events: SpooledTempFile,
    pub(super) rows: SpooledTempFile,
    pub(super) event_count: u64,
}

/// Reads and judges a group; up to `limit` of its rows stay in memory.
pub(super) fn judge_group<'a>(
    setup: &Setup<'_>,
    context: &'a Context<'a>,
    order: &Order,
    files: &[String],
    group: LogGroup,
    control: &Control<'_>,
    limit: usize,
) -> Result<GroupJudged> {
    let mut store = RowStore::new(context, control, order, setup.folder, limit);
    let mut hashes = vec![];
    if setup.params.reading.reads_as_python() {
        published::log::read_logs(setup.pack, group.logs, control, &mut store, &mut hashes)?;
    } else {
        read_logs(context, group.logs, control, &mut store, &mut hashes)?;
    }
    let stored = store.finish()?;
    judge_stored(setup, files, stored, hashes, control)
}

fn failed(error: io::Error) -> Error {
    Error::write("temporary files")(error)
}

/// A part of a cell that has been judged.
struct JudgedPart {
    cell: u32,
    tally: Tally,
    duplicates: Vec<FileDefect>,
    events: Vec<u8>,
    rows: Vec<u8>,
    event_count: u64,
}

fn judge_stored(
    setup: &Setup<'_>,
    files: &[String],
    mut stored: StoredRows,
    hashes: Hashes,
    control: &Control<'_>,
) -> Result<GroupJudged> {
    let at_once = 2 * rayon::current_num_threads();
    let size = (stored.sorted.len() / at_once).clamp(FEWEST_ROWS, MOST_ROWS);
    let mut cells = Cells::new(setup, stored.cells.len());
    let mut held = None;
    loop {
        let mut window = vec![];
        while window.len() < at_once {
            let chunk = stored.sorted.chunk(size, &mut held).map_err(failed)?;
            if chunk.is_empty() {
                break;
            }
            window.push(chunk);
        }
        let work = |chunk: &Vec<LogRow>| judge_chunk(setup, files, &stored, chunk);
        let parts: Vec<Vec<JudgedPart>> =
            if window.len() <= 1 { window.iter().map(work).collect() } else { window.par_iter().map(work).collect() };
        if parts.is_empty() {
            break;
        }
        for mut part in parts.into_iter().flatten() {
            if let Some(first) = part.duplicates.iter().map(|found| found.file).min() {
                control.note(first);
            }
            let duplicates = std::mem::take(&mut part.duplicates);
            let reason = duplicates.first().map(|found| (found.defect.reason(), duplicates.len() as u64));
            if let Some((reason, count)) = reason {
                *stored.cells[part.cell as usize].bad.entry(reason).or_default() += count;
            }
            duplicates.into_iter().try_for_each(|found| stored.defects.push(found))?;
            cells.add(part, &mut stored).map_err(failed)?;
        }
        if control.watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    cells.finish(stored, hashes).map_err(failed)
}

/// The cells of a group as far as they are judged. Their rows come one cell after the other.
struct Cells<'s> {
    setup: &'s Setup<'s>,
    done: Vec<Option<JudgedCell>>,
    at_work: Option<CellAtWork>,
    events: SpooledTempFile,
    rows: SpooledTempFile,
    event_count: u64,
}

/// The cell whose rows are coming.
struct CellAtWork {
    number: u32,
    tally: Tally,
    event_count: u64,
    /// Where its events and rows begin.
    events_at: u64,
    rows_at: u64,
}

impl<'s> Cells<'s> {
    fn new(setup: &'s Setup<'s>, count: usize) -> Cells<'s> {
        let spool = || tempfile::spooled_tempfile_in(SPOOL_BYTES, setup.folder);
        let done = (0..count).map(|_| None).collect();
        Cells { setup, done, at_work: None, events: spool(), rows: spool(), event_count: 0 }
    }

    /// Adds a part of a cell.
    fn add(&mut self, part: JudgedPart, stored: &mut StoredRows) -> io::Result<()> {
        if self.at_work.as_ref().is_none_or(|cell| cell.number != part.cell) {
            self.close_cell(stored)?;
            self.at_work = Some(CellAtWork {
                number: part.cell,
                tally: Tally::new(self.setup.pack, self.setup.params.reading),
                event_count: 0,
                events_at: self.events.stream_position()?,
                rows_at: self.rows.stream_position()?,
            });
        }
        let (Some(cell), read) = (&mut self.at_work, &stored.cells[part.cell as usize]) else { return Ok(()) };
        if read.broken.is_none() {
            self.events.write_all(&part.events)?;
            self.rows.write_all(&part.rows)?;
            cell.event_count += part.event_count;
        }
        cell.tally.merge(&part.tally);
        Ok(())
    }

    /// Closes the cell at work. In a shard, `merge` tells later whether it is known which rows are active.
    fn close_cell(&mut self, stored: &mut StoredRows) -> io::Result<()> {
        let Some(mut cell) = self.at_work.take() else { return Ok(()) };
        let Setup { pack, params, shard, .. } = *self.setup;
        let (tally, known) = match shard {
            None => cell.tally.settle(pack, params.reading),
            Some(_) => (cell.tally, true),
        };
        if !known {
            cell.event_count = 0;
            cut(&mut self.events, cell.events_at)?;
            let rows = without_activity(&cut(&mut self.rows, cell.rows_at)?);
            self.rows.write_all(&rows)?;
        }
        self.event_count += cell.event_count;
        self.done[cell.number as usize] = Some(judged(tally, &mut stored.cells[cell.number as usize]));
        Ok(())
    }

    fn finish(mut self, mut stored: StoredRows, hashes: Hashes) -> io::Result<GroupJudged> {
        self.close_cell(&mut stored)?;
        for spool in [&mut self.events, &mut self.rows] {
            spool.rewind()?;
        }
        let empty = || Tally::new(self.setup.pack, self.setup.params.reading);
        let cells = self.done.into_iter().zip(&mut stored.cells);
        let cells = cells.map(|(done, read)| done.unwrap_or_else(|| judged(empty(), read)));
        Ok(GroupJudged {
            cells: stored.cell_ids.into_iter().zip(cells).collect(),
            defects: stored.defects,
            cut_off: stored.cut_off,
            ignored: stored.ignored,
            not_understood: stored.not_understood,
            hashes,
            events: self.events,
            rows: self.rows,
            event_count: self.event_count,
        })
    }
}

/// A judged cell of a tally and of what reading found.
fn judged(mut tally: Tally, read: &mut CellRead) -> JudgedCell {
    tally.bad = std::mem::take(&mut read.bad);
    JudgedCell { format: read.format, broken: read.broken.take(), tally: PackedTally::from(&tally) }
}

/// Cuts a file off at a place, and gives what stood behind it.
fn cut(spool: &mut SpooledTempFile, at: u64) -> io::Result<Vec<u8>> {
    let mut rest = vec![];
    spool.seek(SeekFrom::Start(at))?;
    spool.read_to_end(&mut rest)?;
    spool.set_len(at)?;
    spool.seek(SeekFrom::Start(at))?;
    Ok(rest)
}

/// Judges whole agents.
fn judge_chunk(setup: &Setup<'_>, files: &[String], stored: &StoredRows, chunk: &[LogRow]) -> Vec<JudgedPart> {
    let of_cell = |rows: &[LogRow]| judge_part(setup, files, stored, rows);
    chunk.chunk_by(|a, b| a.cell == b.cell).map(of_cell).collect()
}

/// Judges rows of one cell.
fn judge_part(setup: &Setup<'_>, files: &[String], stored: &StoredRows, rows: &[LogRow]) -> JudgedPart {
    let (pack, reading, cell) = (setup.pack, setup.params.reading, rows[0].cell);
    let tally = Tally::new(pack, reading);
    let mut part = JudgedPart { cell, tally, duplicates: vec![], events: vec![], rows: vec![], event_count: 0 };
    let mut once: Vec<LogRow> = Vec::with_capacity(rows.len());
    for row in rows {
        let again = once.last().is_some_and(|last| (last.agent, last.year) == (row.agent, row.year));
        if again && reading.refuses_duplicates() {
            part.duplicates.push(stored.duplicate(pack, row, files));
        } else {
            once.push(*row);
        }
    }
    let judge = Judge::new(pack, reading);
    let writer = Writer::new(pack, &stored.cell_ids[cell as usize], files, &stored.cues);
    let keep_agents = setup.params.bootstrap > 0 || setup.params.score_cases;
    for rows in once.chunk_by(|a, b| a.agent == b.agent) {
        let name = &stored.agents[rows[0].agent as usize];
        let mut core = keep_agents.then(|| RowTally::new(pack, reading));
        let (events, audit, count) = (&mut part.events, &mut part.rows, &mut part.event_count);
        judge.agent(rows, name, &mut part.tally, &mut |judged: &Judged<'_>| {
            if judged.broken != 0 {
                writer.events(judged, name, events);
                *count += u64::from(judged.broken.count_ones());
            }
            if setup.params.rows {
                writer.row(judged, name, audit);
            }
            if let Some(core) = &mut core {
                judge.add_to_agent(core, judged, name);
            }
        });
        if let Some(core) = core {
            part.tally.agents.insert(name.to_string(), core);
        }
    }
    part
}

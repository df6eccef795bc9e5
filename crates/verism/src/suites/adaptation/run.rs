//! From inputs to judged cells: logs are read, sorted and judged, many at a time, in the order of cells.

use std::collections::BTreeMap;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use tempfile::SpooledTempFile;

use super::axes::Order;
use super::collect::{Cell, Collected, Collector};
use super::complaints::{Complaint, Complaints};
use super::discover::{CellId, Found, Log, Place};
use super::events::Writer;
use super::fact::{Fact, Known};
use super::judge::{Judge, Judged};
use super::not_understood::NotUnderstood;
use super::options::Params;
use super::pack::Pack;
use super::read::{Hashes, Reading, read_logs};
use super::record::Context;
use super::tally::Tally;
use super::v6_read;
use crate::error::{Defect, Error, Result};
use crate::input::{Kind, Watch};
use crate::score::manifest::InputFacts;
use crate::score::output::LineFile;
use crate::suites::Shard;

/// Facts that all workers together keep in memory; more go to disk.
const FACTS_IN_MEMORY: usize = 3_000_000;
/// Facts that are judged in one piece.
const CHUNK: usize = 1 << 15;
/// Bytes of logs that are read before what was found is written out.
const WINDOW_BYTES: u64 = 64 << 20;
/// Events of a cell up to this size wait in memory.
const SPOOL_BYTES: usize = 4 << 20;

/// How the inputs are to be read.
pub(super) struct Setup<'a> {
    pub(super) pack: &'a Pack,
    pub(super) params: &'a Params,
    pub(super) lenient: bool,
    pub(super) shard: Option<Shard>,
    pub(super) watch: &'a dyn Watch,
    /// Where facts go that do not fit into memory.
    pub(super) folder: &'a Path,
}

/// Where events and rows go as they are found.
pub(super) struct Sheets<'a> {
    pub(super) events: &'a mut LineFile,
    pub(super) rows: Option<&'a mut LineFile>,
}

/// What reading and judging gave.
pub(super) struct Judgement {
    pub(super) cells: BTreeMap<CellId, Cell>,
    pub(super) complaints: Complaints,
    /// Records with half of a surrogate pair.
    pub(super) cut_off: u64,
    pub(super) ignored: BTreeMap<String, u64>,
    pub(super) inputs: Vec<InputFacts>,
    pub(super) events: u64,
    pub(super) not_understood: NotUnderstood,
}

impl Judgement {
    /// Whether nothing can be scored. The published program writes empty tables then.
    pub(super) fn is_empty(&self, params: &Params) -> bool {
        !params.v6() && self.cells.values().all(|cell| cell.broken.is_some())
    }
}

/// The logs of one cell, or all logs where cells cannot be told apart by their places.
struct Group {
    logs: Vec<(u32, Log)>,
    bytes: u64,
}

/// What became of a group.
struct Done {
    cells: Vec<(CellId, Cell)>,
    complaints: Complaints,
    cut_off: u64,
    ignored: BTreeMap<String, u64>,
    hashes: Hashes,
    events: SpooledTempFile,
    rows: SpooledTempFile,
    event_count: u64,
    not_understood: NotUnderstood,
}

/// Reads and judges everything; events and rows are written in the order of cells.
pub(super) fn run(setup: &Setup<'_>, mut found: Found, mut sheets: Option<Sheets<'_>>) -> Result<Judgement> {
    let order = Order::of_cells(setup.params);
    let files: Vec<String> = found.logs.iter().map(|log| log.shown.clone()).collect();
    let paths: Vec<String> = found.logs.iter_mut().map(|log| std::mem::take(&mut log.path)).collect();
    let mut judgement = Judgement {
        cells: BTreeMap::new(),
        complaints: Complaints::new(setup.folder),
        cut_off: 0,
        ignored: BTreeMap::new(),
        inputs: vec![],
        events: 0,
        not_understood: NotUnderstood::default(),
    };
    let groups = group(setup, found.logs, &order, &mut judgement.ignored)?;
    setup.watch.expect(groups.iter().map(|group| group.bytes).sum());
    let context = Context::new(setup.pack, setup.params, setup.shard);
    let first_bad = AtomicU32::new(u32::MAX);
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
        let share = window.len().clamp(1, rayon::current_num_threads());
        let work = |group: Group| {
            let reading = Reading { watch: setup.watch, lenient: setup.lenient, first_bad: &first_bad };
            if group.logs.iter().all(|(file, _)| reading.needless(*file)) {
                return Ok(None);
            }
            judge_group(setup, &context, &order, &files, group, &reading, FACTS_IN_MEMORY / share).map(Some)
        };
        let done: Vec<Result<Option<Done>>> = if window.len() == 1 {
            window.into_iter().map(work).collect()
        } else {
            window.into_par_iter().map(work).collect()
        };
        for done in done {
            let Some(mut done) = done? else { continue };
            if let Some(sheets) = &mut sheets {
                copy(&mut done.events, sheets.events)?;
                if let Some(rows) = &mut sheets.rows {
                    copy(&mut done.rows, rows)?;
                }
            }
            judgement.events += done.event_count;
            judgement.not_understood.merge(&done.not_understood);
            judgement.cells.extend(done.cells);
            judgement.complaints.append(done.complaints)?;
            judgement.cut_off += done.cut_off;
            hashes.extend(done.hashes);
            for (cell, count) in done.ignored {
                *judgement.ignored.entry(cell).or_default() += count;
            }
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

/// Puts logs together that must be judged together, in the order of cells.
fn group(setup: &Setup<'_>, logs: Vec<Log>, order: &Order, ignored: &mut BTreeMap<String, u64>) -> Result<Vec<Group>> {
    let size = |log: &Log| match &log.place {
        Place::File(path) => path.metadata().map_or(0, |facts| facts.len()),
        Place::Stream(_) => 0,
    };
    if setup.params.v6()
        && let Some(log) = logs.iter().find(|log| log.cell.is_none() || log.kind != Some(Kind::Csv))
    {
        let expected = "reading v6-script: a tree of simulation_log.csv files";
        return Err(Defect::new("unsupported", expected).file(&log.shown).into());
    }
    let by_cell = logs.iter().all(|log| log.cell.is_some());
    let mut groups: Vec<(CellId, Group)> = vec![];
    let mut places: BTreeMap<CellId, usize> = BTreeMap::new();
    for (file, log) in logs.into_iter().enumerate() {
        if let Some(cell) = log.cell.as_ref().filter(|cell| !setup.params.wants(cell.as_slice())) {
            *ignored.entry(cell.join("/")).or_default() += 1;
            continue;
        }
        let key = log.cell.clone().filter(|_| by_cell).unwrap_or_default();
        let place = *places.entry(key.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push((key, Group { logs: Vec::with_capacity(1), bytes: 0 }));
        }
        groups[place].1.bytes += size(&log);
        groups[place].1.logs.push((file as u32, log));
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

fn judge_group<'a>(
    setup: &Setup<'_>,
    context: &'a Context<'a>,
    order: &Order,
    files: &[String],
    group: Group,
    reading: &Reading<'_>,
    limit: usize,
) -> Result<Done> {
    let mut collector = Collector::new(setup, order, limit);
    let mut hashes = vec![];
    if setup.params.v6() {
        for (file, log) in group.logs {
            let (Some(cell), Place::File(path)) = (&log.cell, &log.place) else { continue };
            match v6_read::read(setup.pack, cell, file, path, &log.shown, &mut collector) {
                Ok(bytes) => {
                    setup.watch.advance(bytes.len() as u64);
                    let hash = crate::input::hexadecimal(&Sha256::digest(&bytes));
                    hashes.push((file, Some((bytes.len() as u64, hash))));
                }
                Err(Error::Defect(defect)) => {
                    collector.complain(file, *defect);
                    reading.first_bad.fetch_min(file, Ordering::Relaxed);
                }
                Err(error) => return Err(error),
            }
        }
    } else {
        read_logs(context, group.logs, reading, &mut collector, &mut hashes)?;
    }
    let collected = collector.finish()?;
    judge_collected(setup, files, collected, hashes, reading)
}

/// A part of a cell that has been judged.
struct Part {
    cell: u32,
    tally: Tally,
    duplicates: Vec<Complaint>,
    events: Vec<u8>,
    rows: Vec<u8>,
    event_count: u64,
}

fn judge_collected(
    setup: &Setup<'_>,
    files: &[String],
    mut collected: Collected,
    hashes: Hashes,
    reading: &Reading<'_>,
) -> Result<Done> {
    let failed = Error::write;
    let v6 = setup.params.v6();
    let spool = || tempfile::spooled_tempfile_in(SPOOL_BYTES, setup.folder);
    let (mut events, mut rows, mut event_count) = (spool(), spool(), 0);
    let mut tallies: Vec<Option<Tally>> = collected.cells.iter().map(|_| None).collect();
    let mut held = None;
    let mut before = None;
    loop {
        let mut window = vec![];
        while window.len() < 2 * rayon::current_num_threads() {
            let chunk = collected.sorted.chunk(CHUNK, &mut held).map_err(failed("temporary files"))?;
            let Some(last) = chunk.last() else { break };
            let (last, after) = (last.cell, held.map(|fact: Fact| fact.cell));
            window.push((chunk, before.replace(last), after));
        }
        let work = |(chunk, before, after): &(Vec<Fact>, Option<u32>, Option<u32>)| {
            judge_chunk(setup, files, &collected, chunk, *before, *after)
        };
        let parts: Vec<Vec<Part>> =
            if window.len() <= 1 { window.iter().map(work).collect() } else { window.par_iter().map(work).collect() };
        if parts.is_empty() {
            break;
        }
        for part in parts.into_iter().flatten() {
            let facts = &mut collected.cells[part.cell as usize];
            if !part.duplicates.is_empty() {
                let reason = part.duplicates[0].defect.reason();
                *facts.bad.entry(reason).or_default() += part.duplicates.len() as u64;
                let first = part.duplicates.iter().map(|complaint| complaint.file).min();
                reading.first_bad.fetch_min(first.unwrap_or(u32::MAX), Ordering::Relaxed);
            }
            part.duplicates.into_iter().try_for_each(|complaint| collected.complaints.push(complaint))?;
            if facts.broken.is_none() {
                events.write_all(&part.events).map_err(failed("temporary files"))?;
                rows.write_all(&part.rows).map_err(failed("temporary files"))?;
                event_count += part.event_count;
            }
            match &mut tallies[part.cell as usize] {
                Some(tally) => tally.merge(&part.tally),
                none => *none = Some(part.tally),
            }
        }
        if reading.watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    for spool in [&mut events, &mut rows] {
        spool.rewind().map_err(failed("temporary files"))?;
    }
    let ids = std::mem::take(&mut collected.cell_ids).into_iter();
    let cells = ids.zip(std::mem::take(&mut collected.cells)).zip(tallies).map(|((id, facts), tally)| {
        let mut tally = tally.unwrap_or_else(|| Tally::new(setup.pack, v6));
        tally.bad = facts.bad;
        (id, Cell { format: facts.format, broken: facts.broken, tally: tally.into() })
    });
    let cells = cells.collect();
    let Collected { complaints, cut_off, ignored, not_understood, .. } = collected;
    Ok(Done { cells, complaints, cut_off, ignored, hashes, events, rows, event_count, not_understood })
}

/// Judges whole agents. `before` and `after` are the cells that the facts around the chunk belong to.
fn judge_chunk(
    setup: &Setup<'_>,
    files: &[String],
    collected: &Collected,
    chunk: &[Fact],
    before: Option<u32>,
    after: Option<u32>,
) -> Vec<Part> {
    let (pack, v6) = (setup.pack, setup.params.v6());
    let mut parts = vec![];
    for facts in chunk.chunk_by(|a, b| a.cell == b.cell) {
        let cell = facts[0].cell;
        let mut part = Part {
            cell,
            tally: Tally::new(pack, v6),
            duplicates: vec![],
            events: vec![],
            rows: vec![],
            event_count: 0,
        };
        let mut once: Vec<Fact> = Vec::with_capacity(facts.len());
        for fact in facts {
            let again = !v6 && once.last().is_some_and(|last| (last.agent, last.year) == (fact.agent, fact.year));
            if again {
                part.duplicates.push(collected.duplicate(pack, fact, files));
            } else {
                once.push(*fact);
            }
        }
        let whole = setup.shard.is_none() && before != Some(cell) && after != Some(cell);
        let seen = collected.cells[cell as usize].exits;
        let filled = |exit: usize| match whole {
            true => once.iter().any(|fact| fact.after.get(exit) != Known::No),
            false => seen >> exit & 1 == 1,
        };
        let blind = !pack.exits().all(filled);
        let judge = Judge::new(pack, v6, blind);
        let writer = Writer::new(pack, &collected.cell_ids[cell as usize], files, &collected.cues);
        let keep_agents = setup.params.bootstrap > 0 || setup.params.score_cases;
        for facts in once.chunk_by(|a, b| a.agent == b.agent) {
            let name = &collected.agents[facts[0].agent as usize];
            let mut core = keep_agents.then(|| super::tally::Core::new(pack, v6));
            let (events, rows, count) = (&mut part.events, &mut part.rows, &mut part.event_count);
            judge.agent(facts, name, &mut part.tally, &mut |row: &Judged<'_>| {
                if row.broken != 0 {
                    writer.events(row, name, events);
                    *count += u64::from(row.broken.count_ones());
                }
                if setup.params.rows {
                    writer.row(row, name, rows);
                }
                if let Some(core) = &mut core {
                    judge.add_to_agent(core, row, name);
                }
            });
            if let Some(core) = core {
                part.tally.agents.insert(name.to_string(), core);
            }
        }
        parts.push(part);
    }
    parts
}

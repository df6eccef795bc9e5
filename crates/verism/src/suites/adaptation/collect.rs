//! Gathers what the blocks of files hold into cells, agents and facts in one numbering.

use std::collections::BTreeMap;
use std::io;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::axes::Order;
use super::complaints::{Complaint, Complaints};
use super::discover::CellId;
use super::events::shown_line;
use super::fact::{Fact, Known};
use super::kept::Kept;
use super::not_understood::NotUnderstood;
use super::pack::Pack;
use super::record::{Block, share_of};
use super::run::Setup;
use super::sorter::{Ranks, Sorter};
use crate::error::{Defect, Error, Result};
use crate::suites::Shard;
use crate::suites::numbered::Numbered;

/// A cell as far as reading went.
#[derive(Debug, Default)]
pub(super) struct CellFacts {
    pub(super) format: Option<usize>,
    /// Records lost, by reason.
    pub(super) bad: BTreeMap<String, u64>,
    /// Code of the first defect of a file of it.
    pub(super) broken: Option<String>,
    /// Exit states that some record fills, as bits.
    pub(super) exits: u32,
}

impl CellFacts {
    fn break_by(&mut self, defect: &Defect) {
        self.broken.get_or_insert_with(|| defect.code.to_string());
    }
}

/// What has been read of a set of files.
pub(super) struct Collector<'a> {
    pack: &'a Pack,
    order: &'a Order,
    /// The share of the job that is wanted, if not all of it.
    shard: Option<Shard>,
    /// Whether records are booked that every share finds bad: by the first share alone, unless one ends the job.
    books: bool,
    cell_numbers: BTreeMap<CellId, u32>,
    cell_ids: Vec<CellId>,
    cells: Vec<CellFacts>,
    agents: Numbered,
    cue_numbers: FxHashMap<Box<[u32]>, u32>,
    cues: Vec<Box<[u32]>>,
    sorter: Sorter,
    complaints: Complaints,
    /// The last file with a complaint.
    complained: Option<u32>,
    /// Why complaints could not be put aside.
    failed: Option<Error>,
    /// Records with half of a surrogate pair.
    cut_off: u64,
    /// Records of cells that were left out, by cell; and those that name none.
    pub(super) ignored: BTreeMap<String, u64>,
    /// Cells that the current file names.
    file_cells: FxHashSet<u32>,
    not_understood: NotUnderstood,
}

/// Code of a record whose format is not that of its cell.
pub(super) const MIXED: &str = "mixed_format";
/// Key of records whose cell cannot be read.
const WITHOUT_CELL: &str = "bad_record_without_cell";

impl<'a> Collector<'a> {
    pub(super) fn new(setup: &Setup<'a>, order: &'a Order, limit: usize) -> Collector<'a> {
        let Setup { pack, shard, lenient, folder, .. } = *setup;
        Collector {
            pack,
            order,
            shard,
            books: !lenient || shard.is_none_or(|shard| shard.index == 1),
            cell_numbers: BTreeMap::new(),
            cell_ids: vec![],
            cells: vec![],
            agents: Numbered::default(),
            cue_numbers: FxHashMap::default(),
            cues: vec![Box::default()],
            sorter: Sorter::new(folder, limit),
            complaints: Complaints::new(folder),
            complained: None,
            failed: None,
            cut_off: 0,
            ignored: BTreeMap::new(),
            file_cells: FxHashSet::default(),
            not_understood: NotUnderstood::default(),
        }
    }

    fn cell(&mut self, id: &CellId) -> u32 {
        if let Some(&number) = self.cell_numbers.get(id) {
            return number;
        }
        let number = self.cells.len() as u32;
        self.cell_numbers.insert(id.clone(), number);
        self.cell_ids.push(id.clone());
        self.cells.push(CellFacts::default());
        number
    }

    /// A file begins; if all of it belongs to one cell, that cell exists even without a record.
    pub(super) fn begin_file(&mut self, cell: Option<&CellId>, format: Option<usize>) {
        self.file_cells.clear();
        if let Some(id) = cell {
            let number = self.cell(id);
            self.file_cells.insert(number);
            let facts = &mut self.cells[number as usize];
            facts.format = facts.format.or(format);
        }
    }

    /// Takes a block of a file whose lines before it are `before`.
    pub(super) fn take(&mut self, file: u32, shown: &str, mut block: Block<'_>, before: u64) -> io::Result<()> {
        self.not_understood.merge(&block.not_understood);
        // Streams in order of appearance: the first one of a cell decides its format.
        let mut homes = Vec::with_capacity(block.streams.len());
        for (stream, exits) in std::mem::take(&mut block.streams).into_iter().zip(&block.exits) {
            let number = self.cell(&stream.cell);
            let named = !self.file_cells.insert(number);
            let cell = &mut self.cells[number as usize];
            cell.exits |= exits;
            let mixed = match stream.format {
                Ok(format) => (*cell.format.get_or_insert(format) != format).then_some(format),
                Err(Some(defect)) if !named => {
                    cell.break_by(&defect);
                    self.complain(file, defect.file(shown));
                    None
                }
                Err(_) => None,
            };
            homes.push((number, mixed));
        }
        self.cut_off += block.cut_off;
        for (cell, count) in std::mem::take(&mut block.ignored) {
            *self.ignored.entry(cell.join("/")).or_default() += count;
        }
        let booked = if self.books { std::mem::take(&mut block.bad) } else { vec![] };
        for bad in booked {
            let line = before + bad.line + 1;
            let home = bad.stream.map(|stream| homes[stream as usize]);
            let defect = match home {
                Some((_, Some(format))) if bad.split => self.mixed(format),
                _ => bad.defect,
            };
            self.lose(file, home.map(|(cell, _)| cell), defect.file(shown).line(line));
        }
        let agents: Vec<u32> = block.agents.iter().map(|name| self.agents.number(name)).collect();
        let cues: Vec<u32> = block.cues.iter().map(|list| self.cue_number(list)).collect();
        self.sorter.expect(block.facts.len());
        for fact in &block.facts {
            let (cell, mixed) = homes[fact.cell as usize];
            let line = before + fact.line + 1;
            if let Some(format) = mixed {
                let defect = self.mixed(format).file(shown).line(line);
                self.lose(file, Some(cell), defect);
                continue;
            }
            let (agent, cues) = (agents[fact.agent as usize], cues[fact.cues as usize]);
            self.sorter.push(Fact { cell, agent, cues, file, line, ..*fact });
        }
        if self.sorter.is_full() {
            let ranks = self.ranks();
            self.sorter.spill(&ranks)?;
        }
        Ok(())
    }

    /// Takes one record of the published program's reading.
    pub(super) fn take_v6(&mut self, cell: &CellId, agent: &str, fact: Fact) -> io::Result<()> {
        let number = self.cell(cell);
        for exit in self.pack.exits().filter(|&exit| fact.after.get(exit) != Known::No) {
            self.cells[number as usize].exits |= 1 << exit;
        }
        if self.shard.is_some_and(|shard| share_of(cell, agent, shard.count) != shard.index) {
            return Ok(());
        }
        let agent = self.agents.number(agent);
        self.sorter.push(Fact { cell: number, agent, ..fact });
        if self.sorter.is_full() {
            let ranks = self.ranks();
            self.sorter.spill(&ranks)?;
        }
        Ok(())
    }

    fn mixed(&self, format: usize) -> Defect {
        let hint = "a cell is governed or ungoverned, not both; name its format with --option formats=";
        Defect::new(MIXED, "one format per cell").field(&self.pack.formats[format].action).hint(hint)
    }

    fn cue_number(&mut self, list: &[u32]) -> u32 {
        if list.is_empty() {
            return 0;
        }
        if let Some(&number) = self.cue_numbers.get(list) {
            return number;
        }
        let number = self.cues.len() as u32;
        self.cues.push(list.into());
        self.cue_numbers.insert(list.into(), number);
        number
    }

    /// Books a record that was dropped.
    fn lose(&mut self, file: u32, cell: Option<u32>, defect: Defect) {
        match cell {
            Some(cell) => *self.cells[cell as usize].bad.entry(defect.reason()).or_default() += 1,
            None => *self.ignored.entry(WITHOUT_CELL.into()).or_default() += 1,
        }
        self.complain(file, defect);
    }

    pub(super) fn complain(&mut self, file: u32, defect: Defect) {
        self.complained = Some(file);
        let pushed = self.complaints.push(Complaint::new(file, defect));
        self.failed = self.failed.take().or(pushed.err());
    }

    /// Whether something is wrong with the file that is being read.
    pub(super) fn has_complained(&self, file: u32) -> bool {
        self.complained == Some(file)
    }

    /// Notes a record or a file of a cell that the declared axes leave out.
    pub(super) fn leave_out(&mut self, cell: &CellId) {
        *self.ignored.entry(cell.join("/")).or_default() += 1;
    }

    /// A file ends; a defect of it drops every cell that it names.
    pub(super) fn end_file(&mut self, file: u32, shown: &str, defect: Option<Defect>) {
        let Some(defect) = defect else { return };
        for &number in &self.file_cells {
            let cell = &mut self.cells[number as usize];
            cell.break_by(&defect);
        }
        self.complain(file, defect.file(shown));
    }

    fn ranks(&self) -> Ranks {
        let mut order: Vec<u32> = (0..self.cell_ids.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| self.order.compare(&self.cell_ids[a as usize], &self.cell_ids[b as usize]));
        let mut cells = vec![0; order.len()];
        for (rank, number) in order.into_iter().enumerate() {
            cells[number as usize] = rank as u32;
        }
        Ranks { cells, agents: self.agents.ranks() }
    }

    /// Everything read, ready to be judged.
    pub(super) fn finish(self) -> Result<Collected> {
        let ranks = self.ranks();
        self.failed.map_or(Ok(()), Err)?;
        Ok(Collected {
            cell_ids: self.cell_ids,
            cells: self.cells,
            agents: self.agents.into_names(),
            cues: self.cues,
            sorted: self.sorter.finish(ranks).map_err(Error::write("temporary files"))?,
            complaints: self.complaints,
            cut_off: self.cut_off,
            ignored: self.ignored,
            not_understood: self.not_understood,
        })
    }
}

/// What was read, in order.
pub(super) struct Collected {
    pub(super) cell_ids: Vec<CellId>,
    pub(super) cells: Vec<CellFacts>,
    pub(super) agents: Vec<Box<str>>,
    pub(super) cues: Vec<Box<[u32]>>,
    pub(super) sorted: super::sorter::Sorted,
    pub(super) complaints: Complaints,
    pub(super) cut_off: u64,
    pub(super) ignored: BTreeMap<String, u64>,
    pub(super) not_understood: NotUnderstood,
}

impl Collected {
    /// The defect of a second row of the same agent and year.
    pub(super) fn duplicate(&self, pack: &Pack, fact: &Fact, files: &[String]) -> Complaint {
        let value = format!("{},{}", self.agents[fact.agent as usize], fact.year);
        let mut defect = Defect::new("duplicate_agent_year", "one row per agent and step")
            .file(files[fact.file as usize].clone())
            .field(&pack.step)
            .value(value);
        defect.line = shown_line(fact.line);
        Complaint::new(fact.file, defect)
    }
}

/// A cell that has been judged.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Cell {
    pub(super) format: Option<usize>,
    pub(super) broken: Option<String>,
    pub(super) tally: Kept,
}

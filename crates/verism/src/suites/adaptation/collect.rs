//! Gathers what the blocks of files hold into cells, agents and facts in one numbering.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::axes::Order;
use super::discover::CellId;
use super::events::shown_line;
use super::fact::Fact;
use super::kept::Kept;
use super::not_understood::NotUnderstood;
use super::pack::Pack;
use super::record::Block;
use super::sorter::{Ranks, Sorter};
use crate::error::Defect;
use crate::suites::numbered::Numbered;

/// A defect with its place among all: file order, line, code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Complaint {
    pub(super) file: u32,
    pub(super) defect: Defect,
}

impl Complaint {
    pub(super) fn place(&self) -> (u32, u64, &str) {
        (self.file, self.defect.line.unwrap_or(0), &self.defect.code)
    }
}

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
    cell_numbers: BTreeMap<CellId, u32>,
    cell_ids: Vec<CellId>,
    cells: Vec<CellFacts>,
    agents: Numbered,
    cue_numbers: FxHashMap<Box<[u16]>, u32>,
    cues: Vec<Box<[u16]>>,
    sorter: Sorter,
    pub(super) complaints: Vec<Complaint>,
    /// Records of cells that were left out, by cell; and those that name none.
    pub(super) ignored: BTreeMap<String, u64>,
    /// Cells that the current file names.
    file_cells: FxHashSet<u32>,
    not_understood: NotUnderstood,
}

/// Key of records whose cell cannot be read.
const WITHOUT_CELL: &str = "bad_record_without_cell";

impl<'a> Collector<'a> {
    pub(super) fn new(pack: &'a Pack, order: &'a Order, folder: &Path, limit: usize) -> Collector<'a> {
        Collector {
            pack,
            order,
            cell_numbers: BTreeMap::new(),
            cell_ids: vec![],
            cells: vec![],
            agents: Numbered::default(),
            cue_numbers: FxHashMap::default(),
            cues: vec![Box::default()],
            sorter: Sorter::new(folder, limit),
            complaints: vec![],
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
        for (cell, count) in std::mem::take(&mut block.ignored) {
            *self.ignored.entry(cell.join("/")).or_default() += count;
        }
        for bad in std::mem::take(&mut block.bad) {
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
        let (cell, agent) = (self.cell(cell), self.agents.number(agent));
        self.sorter.push(Fact { cell, agent, ..fact });
        if self.sorter.is_full() {
            let ranks = self.ranks();
            self.sorter.spill(&ranks)?;
        }
        Ok(())
    }

    fn mixed(&self, format: usize) -> Defect {
        let hint = "a cell is governed or ungoverned, not both; name its format with --option formats=";
        Defect::new("mixed_format", "one format per cell").field(&self.pack.formats[format].action).hint(hint)
    }

    fn cue_number(&mut self, list: &[u16]) -> u32 {
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
        self.complaints.push(Complaint { file, defect });
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
    pub(super) fn finish(self) -> io::Result<Collected> {
        let ranks = self.ranks();
        Ok(Collected {
            cell_ids: self.cell_ids,
            cells: self.cells,
            agents: self.agents.into_names(),
            cues: self.cues,
            sorted: self.sorter.finish(ranks)?,
            complaints: self.complaints,
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
    pub(super) cues: Vec<Box<[u16]>>,
    pub(super) sorted: super::sorter::Sorted,
    pub(super) complaints: Vec<Complaint>,
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
        Complaint { file: fact.file, defect }
    }
}

/// A cell that has been judged.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Cell {
    pub(super) format: Option<usize>,
    pub(super) broken: Option<String>,
    pub(super) tally: Kept,
}

//! Holds the rows of a group of logs, with one numbering of cells and agents for all files.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::defects::{DefectList, FileDefect};
use super::discover::CellId;
use super::logs::Control;
use super::not_understood::NotUnderstood;
use super::record::{Block, shard_of};
use super::sorter::{Ranks, Sorted, Sorter};
use crate::error::{Defect, Error, Result};
use crate::suites::Shard;
use crate::suites::adaptation::axes::Order;
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::row::{LogRow, shown_line};
use crate::text::numbered::Numbered;

/// A cell as far as reading went.
#[derive(Debug, Default)]
pub(crate) struct CellRead {
    pub(crate) format: Option<usize>,
    /// Records lost, by reason.
    pub(crate) bad: BTreeMap<String, u64>,
    /// Code of the first defect of a file of it.
    pub(crate) broken: Option<String>,
}

impl CellRead {
    fn break_by(&mut self, defect: &Defect) {
        self.broken.get_or_insert_with(|| defect.code.to_string());
    }
}

/// What has been read of a group of logs so far.
pub(crate) struct RowStore<'a> {
    pack: &'a Pack,
    order: &'a Order,
    /// The shard of the job that is wanted, if not all of it.
    shard: Option<Shard>,
    /// Whether records are booked that every shard finds bad: by the first shard alone, unless one ends the job.
    books: bool,
    cell_numbers: BTreeMap<CellId, u32>,
    cell_ids: Vec<CellId>,
    cells: Vec<CellRead>,
    agents: Numbered,
    cue_numbers: FxHashMap<Box<[u32]>, u32>,
    cues: Vec<Box<[u32]>>,
    sorter: Sorter,
    defects: DefectList,
    /// The last file with a defect.
    faulty: Option<u32>,
    /// Why defects could not be put aside.
    failed: Option<Error>,
    /// Records with half of a surrogate pair.
    cut_off: u64,
    /// Records of cells that were left out, by cell; and those that name none.
    pub(crate) ignored: BTreeMap<String, u64>,
    /// Cells that the current file names.
    file_cells: FxHashSet<u32>,
    not_understood: NotUnderstood,
}

/// Code of a record whose format is not that of its cell.
pub(crate) const MIXED: &str = "mixed_format";
/// Key of records whose cell cannot be read.
const WITHOUT_CELL: &str = "bad_record_without_cell";

impl<'a> RowStore<'a> {
    /// An empty store that keeps up to `limit` rows in memory and the rest in `folder`.
    pub(crate) fn new(
        context: &Context<'a>,
        control: &Control<'_>,
        order: &'a Order,
        folder: &Path,
        limit: usize,
    ) -> RowStore<'a> {
        let Context { pack, shard, .. } = *context;
        RowStore {
            pack,
            order,
            shard,
            books: !control.lenient || shard.is_none_or(|shard| shard.index == 1),
            cell_numbers: BTreeMap::new(),
            cell_ids: vec![],
            cells: vec![],
            agents: Numbered::default(),
            cue_numbers: FxHashMap::default(),
            cues: vec![Box::default()],
            sorter: Sorter::new(folder, limit),
            defects: DefectList::new(folder),
            faulty: None,
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
        self.cells.push(CellRead::default());
        number
    }

    /// A file begins; if all of it belongs to one cell, that cell exists even without a record.
    pub(crate) fn begin_file(&mut self, cell: Option<&CellId>, format: Option<usize>) {
        self.file_cells.clear();
        if let Some(id) = cell {
            let number = self.cell(id);
            self.file_cells.insert(number);
            let cell = &mut self.cells[number as usize];
            cell.format = cell.format.or(format);
        }
    }

    /// Takes a block of a file whose lines before it are `before`.
    pub(crate) fn take(&mut self, file: u32, shown: &str, mut block: Block<'_>, before: u64) -> io::Result<()> {
        self.not_understood.merge(&block.not_understood);
        // Streams in order of appearance: the first one of a cell decides its format.
        let mut cells = Vec::with_capacity(block.sections.len());
        for section in std::mem::take(&mut block.sections) {
            let number = self.cell(&section.cell);
            let named = !self.file_cells.insert(number);
            let cell = &mut self.cells[number as usize];
            let mixed = match section.format {
                Ok(format) => (*cell.format.get_or_insert(format) != format).then_some(format),
                Err(Some(defect)) if !named => {
                    cell.break_by(&defect);
                    self.note(file, defect.file(shown));
                    None
                }
                Err(_) => None,
            };
            cells.push((number, mixed));
        }
        self.cut_off += block.cut_off;
        for (cell, count) in std::mem::take(&mut block.ignored) {
            *self.ignored.entry(cell.join("/")).or_default() += count;
        }
        let booked = if self.books { std::mem::take(&mut block.bad) } else { vec![] };
        for bad in booked {
            let line = before + bad.line + 1;
            let cell = bad.section.map(|section| cells[section as usize]);
            let defect = match cell {
                Some((_, Some(format))) if bad.split => self.mixed(format),
                _ => bad.defect,
            };
            self.lose(file, cell.map(|(cell, _)| cell), defect.file(shown).line(line));
        }
        let agents: Vec<u32> = block.agents.iter().map(|name| self.agents.number(name)).collect();
        let cues: Vec<u32> = block.cues.iter().map(|list| self.cue_number(list)).collect();
        self.sorter.expect(block.rows.len());
        for row in &block.rows {
            let (cell, mixed) = cells[row.cell as usize];
            let line = before + row.line + 1;
            if let Some(format) = mixed {
                let defect = self.mixed(format).file(shown).line(line);
                self.lose(file, Some(cell), defect);
                continue;
            }
            let (agent, cues) = (agents[row.agent as usize], cues[row.cues as usize]);
            self.sorter.push(LogRow { cell, agent, cues, file, line, ..*row });
        }
        self.spill_if_full()
    }

    /// Takes one row, if it belongs to the shard that is wanted.
    pub(crate) fn push(&mut self, cell: &CellId, agent: &str, row: LogRow) -> io::Result<()> {
        let number = self.cell(cell);
        if self.shard.is_some_and(|shard| shard_of(cell, agent, shard.count) != shard.index) {
            return Ok(());
        }
        let agent = self.agents.number(agent);
        self.sorter.push(LogRow { cell: number, agent, ..row });
        self.spill_if_full()
    }

    fn spill_if_full(&mut self) -> io::Result<()> {
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
        self.note(file, defect);
    }

    pub(crate) fn note(&mut self, file: u32, defect: Defect) {
        self.faulty = Some(file);
        let pushed = self.defects.push(FileDefect::new(file, defect));
        self.failed = self.failed.take().or(pushed.err());
    }

    /// Whether something is wrong with the file that is being read.
    pub(crate) fn is_faulty(&self, file: u32) -> bool {
        self.faulty == Some(file)
    }

    /// Notes a record or a file of a cell that the declared axes leave out.
    pub(crate) fn leave_out(&mut self, cell: &CellId) {
        *self.ignored.entry(cell.join("/")).or_default() += 1;
    }

    /// A file ends; a defect of it drops every cell that it names.
    pub(crate) fn end_file(&mut self, file: u32, shown: &str, defect: Option<Defect>) {
        let Some(defect) = defect else { return };
        for &number in &self.file_cells {
            let cell = &mut self.cells[number as usize];
            cell.break_by(&defect);
        }
        self.note(file, defect.file(shown));
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
    pub(crate) fn finish(self) -> Result<StoredRows> {
        let ranks = self.ranks();
        self.failed.map_or(Ok(()), Err)?;
        Ok(StoredRows {
            cell_ids: self.cell_ids,
            cells: self.cells,
            agents: self.agents.into_names(),
            cues: self.cues,
            sorted: self.sorter.finish(ranks).map_err(Error::write("temporary files"))?,
            defects: self.defects,
            cut_off: self.cut_off,
            ignored: self.ignored,
            not_understood: self.not_understood,
        })
    }
}

/// What was read, with its rows in order.
pub(crate) struct StoredRows {
    pub(crate) cell_ids: Vec<CellId>,
    pub(crate) cells: Vec<CellRead>,
    pub(crate) agents: Vec<Box<str>>,
    pub(crate) cues: Vec<Box<[u32]>>,
    pub(crate) sorted: Sorted,
    pub(crate) defects: DefectList,
    pub(crate) cut_off: u64,
    pub(crate) ignored: BTreeMap<String, u64>,
    pub(crate) not_understood: NotUnderstood,
}

impl StoredRows {
    /// The defect of a second row of the same agent and year.
    pub(crate) fn duplicate(&self, pack: &Pack, row: &LogRow, files: &[String]) -> FileDefect {
        let value = format!("{},{}", self.agents[row.agent as usize], row.year);
        let mut defect = Defect::new("duplicate_agent_year", "one row per agent and step")
            .file(files[row.file as usize].clone())
            .field(&pack.step)
            .value(value);
        defect.line = shown_line(row.line);
        FileDefect::new(row.file, defect)
    }
}

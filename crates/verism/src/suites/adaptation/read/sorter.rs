//! Rows in the order in which they are judged, however many there are: what does not fit into memory goes to disk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;

use crate::suites::adaptation::row::LogRow;

/// Ranks of cells and agents by their numbers.
pub(crate) struct Ranks {
    pub(crate) cells: Vec<u32>,
    pub(crate) agents: Vec<u32>,
}

/// Where a row stands: cell, agent, year, file, line.
type Key = (u32, u32, i64, u32, u64);

impl Ranks {
    fn key(&self, row: &LogRow) -> Key {
        let (cell, agent) = (self.cells[row.cell as usize], self.agents[row.agent as usize]);
        (cell, agent, row.year, row.file, row.line)
    }

    /// The order of rows, as their places.
    ///
    /// Logs hold year after year, or agent after agent: rows are sorted by cell and agent through counting, which keeps
    /// their order otherwise; what is left to sort are the few of one agent that do not stand in order yet.
    fn order(&self, rows: &[LogRow]) -> Vec<u32> {
        let agent = |row: &LogRow| self.agents[row.agent as usize];
        let cell = |row: &LogRow| self.cells[row.cell as usize];
        let places: Vec<u32> = (0..rows.len() as u32).collect();
        let places = sort_by_rank(places, self.agents.len(), |place| agent(&rows[place as usize]));
        let mut places = sort_by_rank(places, self.cells.len(), |place| cell(&rows[place as usize]));
        let same = |a: &u32, b: &u32| {
            let (a, b) = (&rows[*a as usize], &rows[*b as usize]);
            (a.cell, a.agent) == (b.cell, b.agent)
        };
        for own in places.chunk_by_mut(same) {
            let key = |place: &u32| {
                let row = &rows[*place as usize];
                (row.year, row.file, row.line)
            };
            if !own.is_sorted_by_key(key) {
                own.sort_by_key(key);
            }
        }
        places
    }
}

/// Places by rank; those of one rank keep their order.
fn sort_by_rank(places: Vec<u32>, ranks: usize, rank: impl Fn(u32) -> u32) -> Vec<u32> {
    if ranks < 2 {
        return places;
    }
    let mut starts = vec![0_u32; ranks + 1];
    for &place in &places {
        starts[rank(place) as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut sorted = vec![0; places.len()];
    for place in places {
        let start = &mut starts[rank(place) as usize];
        sorted[*start as usize] = place;
        *start += 1;
    }
    sorted
}

/// Gathers rows; sorted runs of them go to temporary files that vanish with the process.
pub(crate) struct Sorter {
    folder: PathBuf,
    limit: usize,
    rows: Vec<LogRow>,
    runs: Vec<File>,
    spilled: usize,
}

impl Sorter {
    /// A sorter that keeps up to `limit` rows in memory and the rest in `folder`.
    pub(crate) fn new(folder: &Path, limit: usize) -> Sorter {
        Sorter { folder: folder.to_path_buf(), limit, rows: vec![], runs: vec![], spilled: 0 }
    }

    /// Makes room for more rows.
    pub(crate) fn expect(&mut self, rows: usize) {
        self.rows.reserve(rows);
    }

    pub(crate) fn push(&mut self, row: LogRow) {
        self.rows.push(row);
    }

    /// Whether it is time to spill.
    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= self.limit
    }

    /// Writes what is in memory as a sorted run. Ranks may grow from run to run as long as their order stays.
    pub(crate) fn spill(&mut self, ranks: &Ranks) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(&self.folder)?);
        for place in ranks.order(&self.rows) {
            file.write_all(bytemuck::bytes_of(&self.rows[place as usize]))?;
        }
        self.runs.push(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        self.spilled += self.rows.len();
        self.rows.clear();
        Ok(())
    }

    /// All rows in order.
    pub(crate) fn finish(self, ranks: Ranks) -> io::Result<Sorted> {
        let order = ranks.order(&self.rows).into_iter();
        let count = self.spilled + self.rows.len();
        let mut sorted = Sorted { ranks, rows: self.rows, order, runs: vec![], heap: BinaryHeap::new(), count };
        for mut file in self.runs {
            file.rewind()?;
            sorted.runs.push(BufReader::with_capacity(1 << 18, file));
            sorted.advance(sorted.runs.len() - 1)?;
        }
        Ok(sorted)
    }
}

/// A row at the head of a run.
struct Head(Key, usize, LogRow);

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        (self.0, self.1) == (other.0, other.1)
    }
}

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0, self.1).cmp(&(other.0, other.1))
    }
}

/// Facts in order, from memory and from runs.
pub(crate) struct Sorted {
    ranks: Ranks,
    rows: Vec<LogRow>,
    /// Places of the rows in memory that are still to come.
    order: std::vec::IntoIter<u32>,
    runs: Vec<BufReader<File>>,
    heap: BinaryHeap<Reverse<Head>>,
    count: usize,
}

impl Sorted {
    /// Rows in all, those already given included.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Puts the next row of a run into the heap.
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let mut row = LogRow::zeroed();
        let bytes = bytemuck::bytes_of_mut(&mut row);
        match self.runs[run].read_exact(bytes) {
            Ok(()) => self.heap.push(Reverse(Head(self.ranks.key(&row), run, row))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<LogRow>> {
        let waiting = self.order.as_slice().first().map(|&place| self.rows[place as usize]);
        if let Some(Reverse(head)) = self.heap.peek()
            && waiting.is_none_or(|row| head.0 < self.ranks.key(&row))
        {
            let Some(Reverse(Head(_, run, row))) = self.heap.pop() else { return Ok(None) };
            self.advance(run)?;
            return Ok(Some(row));
        }
        self.order.next();
        Ok(waiting)
    }

    /// Whole agents with about `size` rows in all; empty at the end.
    pub(crate) fn chunk(&mut self, size: usize, held: &mut Option<LogRow>) -> io::Result<Vec<LogRow>> {
        let mut chunk: Vec<LogRow> = held.take().into_iter().collect();
        while let Some(row) = self.next()? {
            let same = chunk.last().is_none_or(|last| (last.cell, last.agent) == (row.cell, row.agent));
            if chunk.len() >= size && !same {
                *held = Some(row);
                break;
            }
            chunk.push(row);
        }
        Ok(chunk)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn spilled_or_not_the_order_is_the_same(rows in prop::collection::vec((0_u32..3, 0_u32..5, 0_i64..4), 0..80), limit in 1_usize..40) {
            let folder = tempfile::tempdir().expect("a folder");
            let ranks = || Ranks { cells: vec![2, 0, 1], agents: vec![4, 3, 2, 1, 0] };
            let mut sorter = Sorter::new(folder.path(), limit);
            let mut all = vec![];
            for (line, (cell, agent, year)) in rows.into_iter().enumerate() {
                let row = LogRow { cell, agent, year, line: line as u64, ..LogRow::zeroed() };
                all.push(ranks().key(&row));
                sorter.push(row);
                if sorter.is_full() {
                    sorter.spill(&ranks()).expect("written");
                }
            }
            all.sort_unstable();
            let mut sorted = sorter.finish(ranks()).expect("read");
            let (mut held, mut got) = (None, vec![]);
            loop {
                let chunk = sorted.chunk(7, &mut held).expect("read");
                if chunk.is_empty() {
                    break;
                }
                got.extend(chunk.iter().map(|row| ranks().key(row)));
            }
            prop_assert_eq!(got, all);
        }
    }
}

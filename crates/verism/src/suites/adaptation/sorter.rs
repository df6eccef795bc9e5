//! Facts in the order in which they are judged, however many there are: what does not fit into memory goes to disk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;

use super::fact::Fact;

/// Ranks of cells and agents by their numbers.
pub(super) struct Ranks {
    pub(super) cells: Vec<u32>,
    pub(super) agents: Vec<u32>,
}

/// Where a fact stands: cell, agent, year, file, line.
type Key = (u32, u32, i64, u32, u64);

impl Ranks {
    fn key(&self, fact: &Fact) -> Key {
        let (cell, agent) = (self.cells[fact.cell as usize], self.agents[fact.agent as usize]);
        (cell, agent, fact.year, fact.file, fact.line)
    }

    /// The order of facts, as their places.
    ///
    /// Logs hold year after year, or agent after agent: facts are dealt out by cell and agent, which keeps their order
    /// otherwise, and what is left to sort are the few of one agent that do not stand in order yet.
    fn order(&self, facts: &[Fact]) -> Vec<u32> {
        let agent = |fact: &Fact| self.agents[fact.agent as usize];
        let cell = |fact: &Fact| self.cells[fact.cell as usize];
        let places: Vec<u32> = (0..facts.len() as u32).collect();
        let places = deal(places, self.agents.len(), |place| agent(&facts[place as usize]));
        let mut places = deal(places, self.cells.len(), |place| cell(&facts[place as usize]));
        let same = |a: &u32, b: &u32| {
            let (a, b) = (&facts[*a as usize], &facts[*b as usize]);
            (a.cell, a.agent) == (b.cell, b.agent)
        };
        for own in places.chunk_by_mut(same) {
            let key = |place: &u32| {
                let fact = &facts[*place as usize];
                (fact.year, fact.file, fact.line)
            };
            if !own.is_sorted_by_key(key) {
                own.sort_by_key(key);
            }
        }
        places
    }
}

/// Places by rank; those of one rank keep their order.
fn deal(places: Vec<u32>, ranks: usize, rank: impl Fn(u32) -> u32) -> Vec<u32> {
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
    let mut dealt = vec![0; places.len()];
    for place in places {
        let start = &mut starts[rank(place) as usize];
        dealt[*start as usize] = place;
        *start += 1;
    }
    dealt
}

/// Gathers facts; sorted runs of them go to temporary files that vanish with the process.
pub(super) struct Sorter {
    folder: PathBuf,
    limit: usize,
    facts: Vec<Fact>,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that keeps up to `limit` facts in memory and the rest in `folder`.
    pub(super) fn new(folder: &Path, limit: usize) -> Sorter {
        Sorter { folder: folder.to_path_buf(), limit, facts: vec![], runs: vec![] }
    }

    /// Makes room for more facts.
    pub(super) fn expect(&mut self, facts: usize) {
        self.facts.reserve(facts);
    }

    pub(super) fn push(&mut self, fact: Fact) {
        self.facts.push(fact);
    }

    /// Whether it is time to spill.
    pub(super) fn is_full(&self) -> bool {
        self.facts.len() >= self.limit
    }

    /// Writes what is in memory as a sorted run. Ranks may grow from run to run as long as their order stays.
    pub(super) fn spill(&mut self, ranks: &Ranks) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(&self.folder)?);
        for place in ranks.order(&self.facts) {
            file.write_all(bytemuck::bytes_of(&self.facts[place as usize]))?;
        }
        self.runs.push(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        self.facts.clear();
        Ok(())
    }

    /// All facts in order.
    pub(super) fn finish(self, ranks: Ranks) -> io::Result<Sorted> {
        let order = ranks.order(&self.facts).into_iter();
        let mut sorted = Sorted { ranks, facts: self.facts, order, runs: vec![], heap: BinaryHeap::new() };
        for mut file in self.runs {
            file.rewind()?;
            sorted.runs.push(BufReader::with_capacity(1 << 18, file));
            sorted.advance(sorted.runs.len() - 1)?;
        }
        Ok(sorted)
    }
}

/// A fact at the head of a run.
struct Head(Key, usize, Fact);

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
pub(super) struct Sorted {
    ranks: Ranks,
    facts: Vec<Fact>,
    /// Places of the facts in memory that are still to come.
    order: std::vec::IntoIter<u32>,
    runs: Vec<BufReader<File>>,
    heap: BinaryHeap<Reverse<Head>>,
}

impl Sorted {
    /// Puts the next fact of a run into the heap.
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let mut fact = Fact::zeroed();
        let bytes = bytemuck::bytes_of_mut(&mut fact);
        match self.runs[run].read_exact(bytes) {
            Ok(()) => self.heap.push(Reverse(Head(self.ranks.key(&fact), run, fact))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<Fact>> {
        let waiting = self.order.as_slice().first().map(|&place| self.facts[place as usize]);
        if let Some(Reverse(head)) = self.heap.peek()
            && waiting.is_none_or(|fact| head.0 < self.ranks.key(&fact))
        {
            let Some(Reverse(Head(_, run, fact))) = self.heap.pop() else { return Ok(None) };
            self.advance(run)?;
            return Ok(Some(fact));
        }
        self.order.next();
        Ok(waiting)
    }

    /// Whole agents with about `size` facts in all; empty at the end.
    pub(super) fn chunk(&mut self, size: usize, held: &mut Option<Fact>) -> io::Result<Vec<Fact>> {
        let mut chunk: Vec<Fact> = held.take().into_iter().collect();
        while let Some(fact) = self.next()? {
            let same = chunk.last().is_none_or(|last| (last.cell, last.agent) == (fact.cell, fact.agent));
            if chunk.len() >= size && !same {
                *held = Some(fact);
                break;
            }
            chunk.push(fact);
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
                let fact = Fact { cell, agent, year, line: line as u64, ..Fact::zeroed() };
                all.push(ranks().key(&fact));
                sorter.push(fact);
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
                got.extend(chunk.iter().map(|fact| ranks().key(fact)));
            }
            prop_assert_eq!(got, all);
        }
    }
}

//! Entries in the order of their keys, with a bounded amount of memory.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SourceLine;
use crate::error::{Error, Result};

/// Bytes that wait in memory; more go to disk as sorted runs.
const IN_MEMORY: usize = 64 << 20;

/// Bytes of entries that are handed on at a time.
const BLOCK: usize = 4 << 20;

/// Key, place and bytes of an entry. Entries with one key stand in reading order.
type Item = (Vec<u8>, SourceLine, Vec<u8>);

/// Takes entries in any order.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    folder: PathBuf,
    limit: usize,
    items: Vec<Item>,
    bytes: usize,
    runs: Vec<File>,
}

fn failed(error: io::Error) -> Error {
    Error::write("temporary files")(error)
}

/// The order in which entries are handed on.
fn by_key_and_place(a: &Item, b: &Item) -> Ordering {
    // To compare nothing with nothing takes some processors longer than to compare a few bytes.
    let keys = if a.0.is_empty() && b.0.is_empty() { Ordering::Equal } else { a.0.cmp(&b.0) };
    keys.then_with(|| a.1.cmp(&b.1))
}

/// The bytes of an entry, in no more memory than they need.
pub(super) fn pack(entry: &impl Serialize) -> Vec<u8> {
    let size = postcard::experimental::serialized_size(entry);
    let packed = size.and_then(|size| postcard::to_extend(entry, Vec::with_capacity(size)));
    packed.expect("an entry that has a binary form")
}

impl Sorter {
    /// A sorter that puts its runs into a folder, in files without a name.
    pub(crate) fn new(folder: PathBuf) -> Sorter {
        Sorter { folder, limit: IN_MEMORY, ..Sorter::default() }
    }

    pub(crate) fn add(&mut self, key: &[u8], place: SourceLine, entry: &impl Serialize) -> Result<()> {
        let bytes = pack(entry);
        self.bytes += key.len() + bytes.len() + std::mem::size_of::<Item>();
        self.items.push((key.to_vec(), place, bytes));
        if self.bytes > self.limit { self.spill().map_err(failed) } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.items.sort_unstable_by(by_key_and_place);
        let mut run = BufWriter::with_capacity(1 << 18, tempfile::tempfile_in(&self.folder)?);
        for (key, place, bytes) in self.items.drain(..) {
            for length in [key.len() as u64, place.source.into(), place.line, place.part.into(), bytes.len() as u64] {
                run.write_all(&length.to_le_bytes())?;
            }
            run.write_all(&key)?;
            run.write_all(&bytes)?;
        }
        self.bytes = 0;
        self.runs.push(run.into_inner()?);
        Ok(())
    }

    /// Everything in order.
    pub(crate) fn finish(mut self) -> Result<Sorted> {
        self.items.sort_unstable_by(|a, b| by_key_and_place(b, a));
        let mut sorted = Sorted { runs: vec![], rest: self.items, heads: BinaryHeap::new() };
        for mut run in self.runs {
            run.rewind().map_err(failed)?;
            sorted.runs.push(BufReader::with_capacity(1 << 18, run));
        }
        for run in 0..=sorted.runs.len() {
            sorted.advance(run).map_err(failed)?;
        }
        Ok(sorted)
    }
}

/// Gives entries in order.
#[derive(Debug)]
pub(crate) struct Sorted {
    runs: Vec<BufReader<File>>,
    /// What never left memory, last first.
    rest: Vec<Item>,
    heads: BinaryHeap<Reverse<(Item, usize)>>,
}

impl Sorted {
    /// Reads the next item of a run; the last run is the rest in memory.
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let item = match self.runs.get_mut(run) {
            None => self.rest.pop(),
            Some(file) => read(file)?,
        };
        self.heads.extend(item.map(|item| Reverse((item, run))));
        Ok(())
    }

    /// The next few entries; none at the end.
    pub(crate) fn block<E: DeserializeOwned>(&mut self, most: usize) -> Result<Vec<(SourceLine, E)>> {
        self.block_within(most, BLOCK)
    }

    /// The same with so many bytes, and one entry more.
    pub(crate) fn block_within<E: DeserializeOwned>(
        &mut self,
        most: usize,
        bytes: usize,
    ) -> Result<Vec<(SourceLine, E)>> {
        let mut block = vec![];
        let mut size = 0;
        while block.len() < most
            && size < bytes
            && let Some(Reverse(((_, place, bytes), run))) = self.heads.pop()
        {
            size += bytes.len();
            block.push((place, postcard::from_bytes(&bytes).expect("bytes of our own making")));
            self.advance(run).map_err(failed)?;
        }
        Ok(block)
    }
}

fn read(file: &mut BufReader<File>) -> io::Result<Option<Item>> {
    let mut lengths = [0; 40];
    match file.read_exact(&mut lengths) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = |i: usize| u64::from_le_bytes(lengths[8 * i..8 * i + 8].try_into().expect("eight bytes"));
    let mut bytes = |length: u64| {
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes).map(|()| bytes)
    };
    let key = bytes(length(0))?;
    let place = SourceLine { source: length(1) as u32, line: length(2), part: length(3) as u32 };
    Ok(Some((key, place, bytes(length(4))?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_come_by_key_and_then_by_place(
            keys in prop::collection::vec(prop::collection::vec(0..3_u8, 0..3), 0..60),
            limit in 1..4000_usize,
            room in 1..40_usize,
        ) {
            let home = tempfile::tempdir().expect("a folder");
            let mut sorter = Sorter { limit, ..Sorter::new(home.path().to_path_buf()) };
            for (line, key) in keys.iter().enumerate() {
                let place = SourceLine { source: 0, line: line as u64 / 2, part: line as u32 % 2 };
                sorter.add(key, place, &(key, line as u64)).expect("room");
            }
            let mut sorted = sorter.finish().expect("runs");
            let mut found: Vec<(Vec<u8>, u64)> = vec![];
            loop {
                let block = sorted.block_within::<(Vec<u8>, u64)>(7, room).expect("runs");
                if block.is_empty() {
                    break;
                }
                let size: usize = block.iter().skip(1).map(|(_, entry)| pack(entry).len()).sum();
                prop_assert!(block.len() <= 7 && size < room + 8);
                found.extend(block.into_iter().map(|(_, entry)| entry));
            }
            let mut expected: Vec<(Vec<u8>, u64)> = keys.into_iter().zip(0..).collect();
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }
}

//! Entries in the order of their keys: as they are while they are few, by the sorter if they are many.

use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SourceLine;
use super::sorted::{Sorted, Sorter};
use crate::error::Result;

/// Bytes, written down, of entries that wait as they are.
const FEW: usize = 16 << 20;

/// Takes entries in any order.
#[derive(Debug)]
pub(super) struct InOrder<E> {
    few: Vec<(Vec<u8>, SourceLine, E)>,
    bytes: usize,
    limit: usize,
    many: Option<Sorter>,
    folder: PathBuf,
}

/// Gives entries in order.
#[derive(Debug)]
pub(super) enum Ordered<E> {
    /// In the order of their keys.
    Few(std::vec::IntoIter<(Vec<u8>, SourceLine, E)>),
    /// As the sorter gives them.
    Many(Sorted),
}

impl<E: Serialize + DeserializeOwned> InOrder<E> {
    /// What does not fit into memory goes into a folder, in files without a name.
    pub(super) fn new(folder: PathBuf) -> InOrder<E> {
        InOrder { few: vec![], bytes: 0, limit: FEW, many: None, folder }
    }

    pub(super) fn add(&mut self, key: &[u8], place: SourceLine, entry: E) -> Result<()> {
        if let Some(sorter) = &mut self.many {
            return sorter.add(key, place, &entry);
        }
        self.bytes += postcard::experimental::serialized_size(&entry).expect("an entry that has a binary form");
        self.few.push((key.to_vec(), place, entry));
        if self.bytes > self.limit {
            let mut sorter = Sorter::new(self.folder.clone());
            self.few.drain(..).try_for_each(|(key, place, entry)| sorter.add(&key, place, &entry))?;
            self.many = Some(sorter);
        }
        Ok(())
    }

    /// Everything in order.
    pub(super) fn finish(mut self) -> Result<Ordered<E>> {
        if let Some(sorter) = self.many {
            return Ok(Ordered::Many(sorter.finish()?));
        }
        self.few.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        Ok(Ordered::Few(self.few.into_iter()))
    }
}

impl<E: DeserializeOwned> Ordered<E> {
    /// The next few entries; none at the end.
    pub(super) fn block(&mut self, most: usize) -> Result<Vec<(SourceLine, E)>> {
        match self {
            Ordered::Few(entries) => Ok(entries.take(most).map(|(_, place, entry)| (place, entry)).collect()),
            Ordered::Many(sorted) => sorted.block(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn few_and_many_come_alike(keys in prop::collection::vec(0..9_u8, 0..60), limit in 0..200_usize) {
            let home = tempfile::tempdir().expect("a folder");
            let mut entries = InOrder { limit, ..InOrder::new(home.path().to_path_buf()) };
            for (line, key) in keys.iter().enumerate() {
                entries.add(&[*key], SourceLine { source: 0, line: line as u64, part: 0 }, (*key, line as u64)).expect("room");
            }
            let mut ordered = entries.finish().expect("in order");
            let mut found: Vec<(u8, u64)> = vec![];
            loop {
                let block = ordered.block(7).expect("entries");
                if block.is_empty() {
                    break;
                }
                found.extend(block.into_iter().map(|(_, entry)| entry));
            }
            let mut expected: Vec<(u8, u64)> = keys.iter().copied().zip(0..).collect();
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }
}

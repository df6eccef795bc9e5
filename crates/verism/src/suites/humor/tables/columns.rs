//! Columns of numbers that grow row by row, in a bounded amount of memory.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::error::{Error, Result};

/// Numbers of all columns that wait in memory; more go to disk.
const IN_MEMORY: usize = 1 << 22;

/// Which column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column(u32);

/// The numbers of one column: those on disk by where they begin and how many they are, then those in memory.
#[derive(Debug, Default)]
struct Numbers {
    written: Vec<(u64, usize)>,
    waiting: Vec<f64>,
}

/// Numbers by column.
#[derive(Debug)]
pub(crate) struct Columns {
    folder: PathBuf,
    limit: usize,
    columns: Vec<Numbers>,
    waiting: usize,
    file: Option<File>,
    end: u64,
}

fn failed(error: std::io::Error) -> Error {
    Error::write("temporary files")(error)
}

impl Columns {
    /// No columns yet; what does not fit into memory goes into a file without a name in the folder.
    pub(crate) fn new(folder: PathBuf) -> Columns {
        Columns { folder, limit: IN_MEMORY, columns: vec![], waiting: 0, file: None, end: 0 }
    }

    /// A new column.
    pub(crate) fn column(&mut self) -> Column {
        self.columns.push(Numbers::default());
        Column(self.columns.len() as u32 - 1)
    }

    /// Appends a number to a column.
    pub(crate) fn push(&mut self, column: Column, x: f64) -> Result<()> {
        self.columns[column.0 as usize].waiting.push(x);
        self.waiting += 1;
        if self.waiting > self.limit { self.spill().map_err(failed) } else { Ok(()) }
    }

    fn spill(&mut self) -> std::io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(&self.folder)?,
        };
        for numbers in self.columns.iter_mut().filter(|numbers| !numbers.waiting.is_empty()) {
            let waiting = std::mem::take(&mut numbers.waiting);
            let bytes: &[u8] = bytemuck::cast_slice(&waiting);
            file.write_all(bytes)?;
            numbers.written.push((self.end, waiting.len()));
            self.end += bytes.len() as u64;
        }
        self.waiting = 0;
        self.file = Some(file);
        Ok(())
    }

    /// All numbers of a column, in the order in which they came.
    pub(crate) fn read(&mut self, column: Column) -> Result<Vec<f64>> {
        let numbers = &self.columns[column.0 as usize];
        let written: usize = numbers.written.iter().map(|(_, length)| length).sum();
        let mut all = vec![0.0; written];
        let mut at = 0;
        for &(start, length) in &numbers.written {
            let Some(file) = &mut self.file else { break };
            file.seek(SeekFrom::Start(start)).map_err(failed)?;
            file.read_exact(bytemuck::cast_slice_mut(&mut all[at..at + length])).map_err(failed)?;
            at += length;
        }
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(self.end)).map_err(failed)?;
        }
        all.extend_from_slice(&numbers.waiting);
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn columns_hold_what_they_were_given(rows in prop::collection::vec((0_usize..3, -9.0..9.0), 0..60), limit in 1_usize..80) {
            let home = tempfile::tempdir().expect("a folder");
            let mut columns = Columns { limit, ..Columns::new(home.path().to_path_buf()) };
            let names: Vec<Column> = (0..3).map(|_| columns.column()).collect();
            let mut expected = vec![vec![]; 3];
            for (i, (column, x)) in rows.iter().enumerate() {
                columns.push(names[*column], *x).expect("room");
                expected[*column].push(*x);
                if i % 7 == 0 {
                    prop_assert_eq!(&columns.read(names[*column]).expect("read"), &expected[*column]);
                }
            }
            for (name, expected) in names.iter().zip(&expected) {
                prop_assert_eq!(&columns.read(*name).expect("read"), expected);
            }
        }
    }
}

//! What is wrong with records: in the order of files and lines, and in a stated amount of memory however many there are.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Defect, Error, Result};

/// DefectList that are in_memory in memory; more go to disk.
const IN_MEMORY: usize = 50_000;

/// A defect of a file, by its number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FileDefect {
    pub(crate) file: u32,
    pub(crate) defect: Defect,
    /// The hint of the defect, which its own written form leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl FileDefect {
    pub(crate) fn new(file: u32, mut defect: Defect) -> FileDefect {
        let hint = defect.hint.take();
        FileDefect { file, defect, hint }
    }

    pub(crate) fn into_defect(self) -> Defect {
        Defect { hint: self.hint, ..self.defect }
    }

    /// What defects are ordered by: file, line, code.
    fn order(&self) -> (u32, u64, &str) {
        (self.file, self.defect.line.unwrap_or(0), &self.defect.code)
    }
}

/// DefectList in the order in which they were found.
#[derive(Debug)]
pub(crate) struct DefectList {
    in_memory: Vec<FileDefect>,
    limit: usize,
    /// Sorted runs in unnamed files, earlier ones first.
    runs: Vec<File>,
    folder: PathBuf,
    count: u64,
}

impl DefectList {
    /// None yet; files go into this folder.
    pub(crate) fn new(folder: &Path) -> DefectList {
        DefectList { in_memory: vec![], limit: IN_MEMORY, runs: vec![], folder: folder.to_path_buf(), count: 0 }
    }

    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    pub(crate) fn push(&mut self, found: FileDefect) -> Result<()> {
        self.in_memory.push(found);
        self.count += 1;
        if self.in_memory.len() > self.limit { self.spill() } else { Ok(()) }
    }

    /// Takes all defects of another list, which were found later.
    pub(crate) fn append(&mut self, other: DefectList) -> Result<()> {
        if !other.runs.is_empty() {
            self.spill()?;
            self.runs.extend(other.runs);
        }
        self.count += other.count;
        self.in_memory.extend(other.in_memory);
        if self.in_memory.len() > self.limit { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<()> {
        if self.in_memory.is_empty() {
            return Ok(());
        }
        let mut in_memory = std::mem::take(&mut self.in_memory);
        in_memory.sort_by(|a, b| a.order().cmp(&b.order()));
        let mut write = || -> io::Result<File> {
            let mut out = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
            for found in in_memory.drain(..) {
                serde_json::to_writer(&mut out, &found)?;
                out.write_all(b"\n")?;
            }
            let mut file = out.into_inner()?;
            file.rewind()?;
            Ok(file)
        };
        self.runs.push(write().map_err(Error::write("temporary files"))?);
        Ok(())
    }

    /// Hands on all defects in order; of equal ones the earlier found first.
    pub(crate) fn each(mut self, take: &mut dyn FnMut(FileDefect) -> Result<()>) -> Result<()> {
        if self.runs.is_empty() {
            self.in_memory.sort_by(|a, b| a.order().cmp(&b.order()));
            return self.in_memory.into_iter().try_for_each(take);
        }
        self.spill()?;
        let mut runs = self.runs.into_iter().map(Run::open).collect::<Result<Vec<_>>>()?;
        loop {
            let waiting = runs.iter().enumerate().filter_map(|(i, run)| Some((i, run.next.as_ref()?)));
            let Some((first, _)) = waiting.min_by(|(_, a), (_, b)| a.order().cmp(&b.order())) else { return Ok(()) };
            if let Some(found) = runs[first].advance()? {
                take(found)?;
            }
        }
    }

    /// The first defects in order.
    pub(crate) fn first(self, most: usize) -> Result<Vec<FileDefect>> {
        let mut first = vec![];
        self.each(&mut |found| {
            if first.len() < most {
                first.push(found);
            }
            Ok(())
        })?;
        Ok(first)
    }
}

/// A sorted run that is being read.
struct Run {
    lines: BufReader<File>,
    next: Option<FileDefect>,
}

impl Run {
    fn open(file: File) -> Result<Run> {
        let mut run = Run { lines: BufReader::new(file), next: None };
        run.advance()?;
        Ok(run)
    }

    fn advance(&mut self) -> Result<Option<FileDefect>> {
        let mut line = vec![];
        let read = self.lines.read_until(b'\n', &mut line).and_then(|got| match got {
            0 => Ok(None),
            _ => Ok(Some(serde_json::from_slice(&line)?)),
        });
        Ok(std::mem::replace(&mut self.next, read.map_err(Error::write("temporary files"))?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(defects: DefectList) -> Vec<(u32, Option<u64>, Option<String>, Option<String>)> {
        let mut all = vec![];
        let mut take = |found: FileDefect| {
            let file = found.file;
            let defect = found.into_defect();
            all.push((file, defect.line, defect.value, defect.hint));
            Ok(())
        };
        defects.each(&mut take).expect("read");
        all
    }

    proptest! {
        #[test]
        fn memory_and_disk_give_the_same_order(
            places in prop::collection::vec((0..3_u32, 1..5_u64), 0..60), limits in (1..20_usize, 1..20_usize), cut in 0..60_usize,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let filled = |limits: [usize; 2]| {
                let mut parts = limits.map(|limit| DefectList { limit, ..DefectList::new(folder.path()) });
                for (i, (file, line)) in places.iter().enumerate() {
                    let defect = Defect::new("x", "y").line(*line).value(i.to_string()).hint(format!("h{i}"));
                    parts[usize::from(i >= cut)].push(FileDefect::new(*file, defect)).expect("kept");
                }
                let [mut all, later] = parts;
                all.append(later).expect("kept");
                all
            };
            let (in_memory, on_disk) = (filled([1000; 2]), filled([limits.0, limits.1]));
            prop_assert_eq!(in_memory.len(), places.len() as u64);
            prop_assert_eq!(on_disk.len(), places.len() as u64);
            prop_assert!(on_disk.in_memory.len() <= limits.0.max(limits.1) + 1, "so much is in memory at most");
            prop_assert_eq!(read(in_memory), read(on_disk));
        }
    }
}

//! What is wrong with records: in the order of files and lines, and in a stated amount of memory however many there are.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Defect, Error, Result};

/// Complaints that are kept in memory; more go to disk.
const KEPT: usize = 50_000;

/// A defect with its place among all: file order, line, code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Complaint {
    pub(super) file: u32,
    pub(super) defect: Defect,
    /// The hint of the defect, which its own written form leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Complaint {
    pub(super) fn new(file: u32, mut defect: Defect) -> Complaint {
        let hint = defect.hint.take();
        Complaint { file, defect, hint }
    }

    pub(super) fn into_defect(self) -> Defect {
        Defect { hint: self.hint, ..self.defect }
    }

    fn place(&self) -> (u32, u64, &str) {
        (self.file, self.defect.line.unwrap_or(0), &self.defect.code)
    }
}

/// Complaints in the order in which they were found.
#[derive(Debug)]
pub(super) struct Complaints {
    kept: Vec<Complaint>,
    limit: usize,
    /// Sorted runs in unnamed files, earlier ones first.
    runs: Vec<File>,
    folder: PathBuf,
    count: u64,
}

impl Complaints {
    /// None yet; files go into this folder.
    pub(super) fn new(folder: &Path) -> Complaints {
        Complaints { kept: vec![], limit: KEPT, runs: vec![], folder: folder.to_path_buf(), count: 0 }
    }

    pub(super) fn len(&self) -> u64 {
        self.count
    }

    pub(super) fn push(&mut self, complaint: Complaint) -> Result<()> {
        self.kept.push(complaint);
        self.count += 1;
        if self.kept.len() > self.limit { self.spill() } else { Ok(()) }
    }

    /// Takes all complaints of another, which were found later.
    pub(super) fn append(&mut self, other: Complaints) -> Result<()> {
        if !other.runs.is_empty() {
            self.spill()?;
            self.runs.extend(other.runs);
        }
        self.count += other.count;
        self.kept.extend(other.kept);
        if self.kept.len() > self.limit { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<()> {
        if self.kept.is_empty() {
            return Ok(());
        }
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by(|a, b| a.place().cmp(&b.place()));
        let mut write = || -> io::Result<File> {
            let mut out = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
            for complaint in kept.drain(..) {
                serde_json::to_writer(&mut out, &complaint)?;
                out.write_all(b"\n")?;
            }
            let mut file = out.into_inner()?;
            file.rewind()?;
            Ok(file)
        };
        self.runs.push(write().map_err(Error::write("temporary files"))?);
        Ok(())
    }

    /// Hands on all complaints in the order of their places; of equal ones the earlier found first.
    pub(super) fn each(mut self, take: &mut dyn FnMut(Complaint) -> Result<()>) -> Result<()> {
        if self.runs.is_empty() {
            self.kept.sort_by(|a, b| a.place().cmp(&b.place()));
            return self.kept.into_iter().try_for_each(take);
        }
        self.spill()?;
        let mut runs = self.runs.into_iter().map(Run::open).collect::<Result<Vec<_>>>()?;
        loop {
            let waiting = runs.iter().enumerate().filter_map(|(i, run)| Some((i, run.next.as_ref()?)));
            let Some((first, _)) = waiting.min_by(|(_, a), (_, b)| a.place().cmp(&b.place())) else { return Ok(()) };
            if let Some(complaint) = runs[first].advance()? {
                take(complaint)?;
            }
        }
    }

    /// The first complaints in the order of their places.
    pub(super) fn first(self, most: usize) -> Result<Vec<Complaint>> {
        let mut first = vec![];
        self.each(&mut |complaint| {
            if first.len() < most {
                first.push(complaint);
            }
            Ok(())
        })?;
        Ok(first)
    }
}

/// A sorted run that is being read.
struct Run {
    lines: BufReader<File>,
    next: Option<Complaint>,
}

impl Run {
    fn open(file: File) -> Result<Run> {
        let mut run = Run { lines: BufReader::new(file), next: None };
        run.advance()?;
        Ok(run)
    }

    fn advance(&mut self) -> Result<Option<Complaint>> {
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

    fn read(complaints: Complaints) -> Vec<(u32, Option<u64>, Option<String>, Option<String>)> {
        let mut all = vec![];
        let mut take = |complaint: Complaint| {
            let file = complaint.file;
            let defect = complaint.into_defect();
            all.push((file, defect.line, defect.value, defect.hint));
            Ok(())
        };
        complaints.each(&mut take).expect("read");
        all
    }

    proptest! {
        #[test]
        fn memory_and_disk_give_the_same_order(
            places in prop::collection::vec((0..3_u32, 1..5_u64), 0..60), limits in (1..20_usize, 1..20_usize), cut in 0..60_usize,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let filled = |limits: [usize; 2]| {
                let mut parts = limits.map(|limit| Complaints { limit, ..Complaints::new(folder.path()) });
                for (i, (file, line)) in places.iter().enumerate() {
                    let defect = Defect::new("x", "y").line(*line).value(i.to_string()).hint(format!("h{i}"));
                    parts[usize::from(i >= cut)].push(Complaint::new(*file, defect)).expect("kept");
                }
                let [mut all, later] = parts;
                all.append(later).expect("kept");
                all
            };
            let (in_memory, on_disk) = (filled([1000; 2]), filled([limits.0, limits.1]));
            prop_assert_eq!(in_memory.len(), places.len() as u64);
            prop_assert_eq!(on_disk.len(), places.len() as u64);
            prop_assert!(on_disk.kept.len() <= limits.0.max(limits.1) + 1, "so much is in memory at most");
            prop_assert_eq!(read(in_memory), read(on_disk));
        }
    }
}

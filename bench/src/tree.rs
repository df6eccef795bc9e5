//! Where cells lie: a tree of logs as the original project has it, or one flat table per format.

use crate::cell::{Format, ROWS, Writer};
use crate::random::Random;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

const BOM: &str = "\u{feff}";
const RUNS: usize = 10;
const FAMILIES: [&str; 6] = ["gemma3", "llama3", "ministral3", "deepseek_r1", "qwen3", "phi4"];
const SIZES: [&str; 4] = ["1b", "4b", "12b", "27b"];

/// One cell: its number, its ids, its format, how many rows it has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    number: usize,
    model: String,
    group: &'static str,
    run: String,
    format: Format,
    rows: usize,
}

/// The cells that hold `rows` rows: per model ten runs of `Group_A` and ten of `Group_B` or, every second model,
/// `Group_C`. The last cell may be cut short.
fn cells(rows: usize) -> Vec<Cell> {
    (0..rows.div_ceil(ROWS))
        .map(|number| {
            let model = number / (2 * RUNS);
            let format = if number.is_multiple_of(2) { Format::Ungoverned } else { Format::Governed };
            let group = match format {
                Format::Ungoverned => "Group_A",
                Format::Governed => ["Group_B", "Group_C"][model % 2],
            };
            let family = FAMILIES[model % FAMILIES.len()];
            let size = SIZES[model / FAMILIES.len() % SIZES.len()];
            Cell {
                number,
                model: format!("{family}_{size}_{model:04}"),
                group,
                run: format!("Run_{}", number / 2 % RUNS + 1),
                format,
                rows: ROWS.min(rows - number * ROWS),
            }
        })
        .collect()
}

impl Cell {
    fn generator(&self, seed: u64) -> Random {
        Random::new(seed, self.number as u64)
    }

    /// The path of the cell's log below the root.
    fn path(&self) -> PathBuf {
        [&self.model, self.group, &self.run, "simulation_log.csv"].iter().collect()
    }

    /// The whole log; ungoverned ones begin with a byte order mark.
    fn log(&self, seed: u64, writer: &mut Writer, out: &mut String) {
        if self.format == Format::Ungoverned {
            out.push_str(BOM);
        }
        out.push_str(self.format.header());
        out.push('\n');
        writer.cell(self.format, self.rows, "", &mut self.generator(seed), out);
    }
}

/// Writes `<root>/<model>/<group>/<run>/simulation_log.csv` for every cell; returns the bytes written.
///
/// # Errors
/// The first input/output error of any thread.
///
/// # Panics
/// If a worker panics, which none does.
pub fn write_tree(root: &Path, rows: usize, seed: u64, threads: usize) -> io::Result<u64> {
    let cells = cells(rows);
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<u64> {
        let (mut writer, mut text, mut bytes) = (Writer::default(), String::new(), 0);
        while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            text.clear();
            cell.log(seed, &mut writer, &mut text);
            let path = root.join(cell.path());
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, &text)?;
            bytes += text.len() as u64;
        }
        Ok(bytes)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).sum()
    })
}

/// Writes `ungoverned.csv` and `governed.csv` with the columns `model`, `group`, `run` in front; returns the bytes
/// written.
///
/// # Errors
/// The first input/output error.
pub fn write_flat(root: &Path, rows: usize, seed: u64) -> io::Result<u64> {
    fs::create_dir_all(root)?;
    let (mut writer, mut text, mut bytes) = (Writer::default(), String::new(), 0);
    for (format, name) in [(Format::Ungoverned, "ungoverned.csv"), (Format::Governed, "governed.csv")] {
        let mut file = BufWriter::new(File::create(root.join(name))?);
        text.clear();
        text.push_str("model,group,run,");
        text.push_str(format.header());
        text.push('\n');
        for cell in cells(rows).iter().filter(|cell| cell.format == format) {
            let prefix = format!("{},{},{},", cell.model, cell.group, cell.run);
            writer.cell(format, cell.rows, &prefix, &mut cell.generator(seed), &mut text);
            file.write_all(text.as_bytes())?;
            bytes += text.len() as u64;
            text.clear();
        }
        file.write_all(text.as_bytes())?;
        bytes += text.len() as u64;
        file.flush()?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn half_of_the_cells_are_ungoverned_and_no_two_share_a_path() {
        let cells = cells(200_500);
        assert_eq!(cells.len(), 201);
        assert_eq!(cells.iter().filter(|cell| cell.format == Format::Governed).count(), 100);
        assert_eq!(cells.iter().map(Cell::path).collect::<HashSet<_>>().len(), 201);
        assert_eq!(cells.iter().map(|cell| cell.rows).sum::<usize>(), 200_500);
    }

    #[test]
    fn every_governed_cell_has_its_baseline() {
        let cells = cells(100_000);
        let ids: HashSet<_> = cells.iter().map(|cell| (&cell.model, cell.group, &cell.run)).collect();
        assert!(cells.iter().all(|cell| ids.contains(&(&cell.model, "Group_A", &cell.run))));
    }
}

//! Where a suite writes: score rows, tables, lists.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::row::Row;
use super::row_files::{CsvRows, ParquetRows, RowFile};
use super::table::{Cell, Dialect, push_csv, push_json};
use crate::error::{Error, Result};

/// A further form of the score rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// One JSON object per line; always written.
    Jsonl,
    /// Comma-separated values, the evidence as JSON text.
    Csv,
    /// Apache Parquet, the evidence as JSON text.
    Parquet,
}

/// A file that grows by whole lines and knows its path when writing fails.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl LineFile {
    /// Creates the file.
    pub fn create(path: PathBuf) -> Result<LineFile> {
        let file = File::create(&path).map_err(Error::write(path.display().to_string()))?;
        Ok(LineFile { path, file: BufWriter::with_capacity(1 << 18, file) })
    }

    /// Appends lines.
    pub fn write(&mut self, lines: &[u8]) -> Result<()> {
        self.file.write_all(lines).map_err(|source| self.failed(source))
    }

    /// Makes sure that every line has reached the system.
    pub fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::write(self.path.display().to_string())(source)
    }
}

/// A table under construction.
#[derive(Debug)]
pub struct TableFile {
    columns: Vec<String>,
    dialect: Dialect,
    csv: LineFile,
    json: Option<LineFile>,
    line: Vec<u8>,
}

impl TableFile {
    /// Appends a row; its cells stand in the order of the columns.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.line.clear();
        push_csv(&mut self.line, cells, self.dialect);
        self.csv.write(&self.line)?;
        if let Some(json) = &mut self.json {
            self.line.clear();
            push_json(&mut self.line, &self.columns, cells);
            json.write(&self.line)?;
        }
        Ok(())
    }

    /// Closes the table.
    pub fn finish(self) -> Result<()> {
        self.csv.finish()?;
        self.json.map_or(Ok(()), LineFile::finish)
    }
}

/// The parts of a result under construction in a folder.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    /// Where rows of tables go as JSON lines when one JSON document is wanted.
    json_tables: Option<PathBuf>,
    tables: Vec<String>,
    lists: Vec<String>,
    scores: LineFile,
    further: Vec<Box<dyn RowFile>>,
    line: Vec<u8>,
    /// Score rows so far.
    pub score_rows: u64,
}

impl Output {
    /// Starts a result in a folder. `extra` are the score columns that the suite adds.
    pub fn new(
        folder: &Path,
        json_tables: Option<&Path>,
        formats: &[Format],
        extra: &[&'static str],
    ) -> Result<Output> {
        let tables = folder.join("tables");
        fs::create_dir_all(&tables).map_err(Error::write(tables.display().to_string()))?;
        let mut further: Vec<Box<dyn RowFile>> = vec![];
        if formats.contains(&Format::Csv) {
            further.push(Box::new(CsvRows::create(folder.join("scores.csv"), extra)?));
        }
        if formats.contains(&Format::Parquet) {
            further.push(Box::new(ParquetRows::create(folder.join("scores.parquet"), extra)?));
        }
        Ok(Output {
            folder: folder.to_path_buf(),
            json_tables: json_tables.map(Path::to_path_buf),
            tables: vec![],
            lists: vec![],
            scores: LineFile::create(folder.join("scores.jsonl"))?,
            further,
            line: vec![],
            score_rows: 0,
        })
    }

    /// The folder, for what a suite must put aside while it works.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends a score row.
    pub fn score(&mut self, row: &Row<'_>) -> Result<()> {
        self.line.clear();
        row.push_line(&mut self.line);
        self.scores.write(&self.line)?;
        for file in &mut self.further {
            file.row(row)?;
        }
        self.score_rows += 1;
        Ok(())
    }

    /// Appends score rows that were written as lines by [`Row::push_line`], without columns that a suite adds.
    pub fn score_lines(&mut self, lines: &[u8]) -> Result<()> {
        self.scores.write(lines)?;
        self.score_rows += memchr::memchr_iter(b'\n', lines).count() as u64;
        if self.further.is_empty() {
            return Ok(());
        }
        for line in lines.split_inclusive(|b| *b == b'\n') {
            let row = Row::read_line(line).expect("a row of our own making");
            for file in &mut self.further {
                file.row(&row.as_row())?;
            }
        }
        Ok(())
    }

    /// Starts a table.
    pub fn table(&mut self, name: &str, columns: Vec<String>, dialect: Dialect) -> Result<TableFile> {
        self.tables.push(name.to_string());
        let mut csv = LineFile::create(self.folder.join("tables").join(format!("{name}.csv")))?;
        let mut line = vec![];
        push_csv(&mut line, &columns.iter().map(|c| Cell::Text(c)).collect::<Vec<_>>(), dialect);
        csv.write(&line)?;
        let json = self.json_tables.as_ref().map(|folder| LineFile::create(folder.join(format!("{name}.jsonl"))));
        Ok(TableFile { columns, dialect, csv, json: json.transpose()?, line })
    }

    /// Starts a list of JSON lines such as `events`.
    pub fn list(&mut self, name: &str) -> Result<LineFile> {
        self.lists.push(name.to_string());
        LineFile::create(self.folder.join(format!("{name}.jsonl")))
    }

    /// Closes the score rows; the other parts are closed by whoever opened them.
    pub fn finish(self) -> Result<Parts> {
        self.scores.finish()?;
        for file in self.further {
            file.finish()?;
        }
        Ok(Parts {
            folder: self.folder,
            json_tables: self.json_tables,
            tables: self.tables,
            lists: self.lists,
            score_rows: self.score_rows,
        })
    }
}

/// The finished parts of a result.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    json_tables: Option<PathBuf>,
    tables: Vec<String>,
    lists: Vec<String>,
    /// How many score rows there are.
    pub score_rows: u64,
}

impl Parts {
    /// Writes everything as one JSON document. `head` are its first keys, `tail` its last, as JSON texts.
    pub fn write_document(&self, out: &mut impl Write, head: &[(&str, &str)], tail: &[(&str, &str)]) -> io::Result<()> {
        let mut lead = '{';
        for (key, value) in head {
            write!(out, "{lead}\n\"{key}\": {value}")?;
            lead = ',';
        }
        write!(out, "{lead}\n\"tables\": {{")?;
        let tables = self.json_tables.as_deref().unwrap_or(&self.folder);
        for (i, name) in self.tables.iter().enumerate() {
            write!(out, "{}\n \"{name}\": ", if i > 0 { "," } else { "" })?;
            copy_lines(out, &tables.join(format!("{name}.jsonl")))?;
        }
        write!(out, "}}")?;
        for name in self.lists.iter().map(String::as_str).chain(["scores"]) {
            write!(out, ",\n\"{name}\": ")?;
            copy_lines(out, &self.folder.join(format!("{name}.jsonl")))?;
        }
        for (key, value) in tail {
            write!(out, ",\n\"{key}\": {value}")?;
        }
        writeln!(out, "\n}}")
    }
}

/// Copies a file of JSON lines as a JSON array.
fn copy_lines(out: &mut impl Write, path: &Path) -> io::Result<()> {
    let mut lines = BufReader::new(File::open(path)?);
    let mut line = vec![];
    write!(out, "[")?;
    let mut first = true;
    while lines.read_until(b'\n', &mut line)? > 0 {
        write!(out, "{}", if first { "\n  " } else { ",\n  " })?;
        out.write_all(line.strip_suffix(b"\n").unwrap_or(&line))?;
        line.clear();
        first = false;
    }
    write!(out, "]")
}

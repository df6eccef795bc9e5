//! Where a suite writes: score rows, tables, lists. They go into a folder, stay in memory, or both.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::contents::{Hashed, HashedFile};
use super::parquet_rows::ParquetRows;
use super::results::{ListData, Results, TableData};
use super::row::Row;
use super::row_files::{CsvRows, RowFile};
use super::table::{Cell, Dialect, push_csv};
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

/// Something in memory that a writer fills while the output keeps hold of it.
#[derive(Clone, Debug, Default)]
struct Shared<T>(Arc<Mutex<T>>);

impl<T: Default> Shared<T> {
    fn with(&self, work: impl FnOnce(&mut T)) {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn take(&self) -> T {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Lines that grow, in a file, in memory, or both. It knows its path when writing fails.
#[derive(Debug)]
pub struct LineFile {
    file: Option<(PathBuf, BufWriter<HashedFile>)>,
    memory: Option<Shared<Vec<u8>>>,
    /// Where the file is noted when it is complete.
    hashed: Hashed,
}

impl LineFile {
    /// Creates a file, which is noted as hashed when it is complete.
    pub fn create(path: PathBuf, hashed: &Hashed) -> Result<LineFile> {
        let file = HashedFile::create(&path).map_err(Error::write(path.display().to_string()))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(LineFile { file: Some((path, file)), memory: None, hashed: hashed.clone() })
    }

    /// Appends lines.
    pub fn write(&mut self, lines: &[u8]) -> Result<()> {
        if let Some(memory) = &self.memory {
            memory.with(|bytes| bytes.extend_from_slice(lines));
        }
        match &mut self.file {
            Some((path, file)) => file.write_all(lines).map_err(|source| failed(path, source)),
            None => Ok(()),
        }
    }

    /// Makes sure that every line has reached the system.
    pub fn finish(self) -> Result<()> {
        let Some((path, file)) = self.file else { return Ok(()) };
        let file = file.into_inner().map_err(|error| failed(&path, error.into_error()))?;
        file.finish(path, &self.hashed);
        Ok(())
    }
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::write(path.display().to_string())(source)
}

/// A table under construction.
#[derive(Debug)]
pub struct TableFile {
    width: usize,
    dialect: Dialect,
    csv: Option<LineFile>,
    memory: Option<Shared<TableData>>,
    /// Of a table of audits: where name and severity stand, and how often each error was found.
    errors: Option<(usize, usize, Shared<BTreeMap<String, u64>>)>,
    line: Vec<u8>,
}

impl TableFile {
    /// Appends a row; its cells stand in the order of the columns.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        debug_assert_eq!(cells.len(), self.width);
        if let Some((audit, severity, errors)) = &self.errors
            && let (Some(Cell::Text(audit)), Some(Cell::Text("error"))) = (cells.get(*audit), cells.get(*severity))
        {
            errors.with(|errors| *errors.entry(audit.to_string()).or_default() += 1);
        }
        if let Some(table) = &self.memory {
            table.with(|table| table.push(cells));
        }
        match &mut self.csv {
            Some(csv) => {
                self.line.clear();
                push_csv(&mut self.line, cells, self.dialect);
                csv.write(&self.line)
            }
            None => Ok(()),
        }
    }

    /// Closes the table.
    pub fn finish(self) -> Result<()> {
        self.csv.map_or(Ok(()), LineFile::finish)
    }
}

/// Where a result is to be put.
#[derive(Clone, Copy, Debug, Default)]
pub struct Destination<'a> {
    /// An empty folder, if files are wanted.
    pub folder: Option<&'a Path>,
    /// Further forms of the score rows in that folder.
    pub formats: &'a [Format],
    /// Whether the result is wanted as values.
    pub memory: bool,
}

/// What some metrics need and not all records have: the metrics, and the field in words with how many have it.
pub(crate) type Missing = (&'static [&'static str], String);

/// The parts of a result under construction.
#[derive(Debug)]
pub struct Output {
    folder: Option<PathBuf>,
    memory: bool,
    tables: Vec<Shared<TableData>>,
    lists: Vec<(String, Shared<Vec<u8>>)>,
    objects: Vec<(String, String)>,
    scores: LineFile,
    scores_in_memory: Shared<Vec<u8>>,
    further: Vec<Box<dyn RowFile>>,
    columns: &'static [&'static str],
    line: Vec<u8>,
    cautions: Vec<String>,
    missing: Vec<Missing>,
    error_audits: Shared<BTreeMap<String, u64>>,
    hashed: Hashed,
    /// Score rows so far.
    pub score_rows: u64,
}

impl Output {
    /// Starts a result. `columns` are the score columns that the suite adds.
    pub fn new(to: Destination<'_>, columns: &'static [&'static str]) -> Result<Output> {
        let (mut further, hashed): (Vec<Box<dyn RowFile>>, Hashed) = Default::default();
        if let Some(folder) = to.folder {
            let tables = folder.join("tables");
            fs::create_dir_all(&tables).map_err(Error::write(tables.display().to_string()))?;
            if to.formats.contains(&Format::Csv) {
                further.push(Box::new(CsvRows::create(folder.join("scores.csv"), columns, &hashed)?));
            }
            if to.formats.contains(&Format::Parquet) {
                further.push(Box::new(ParquetRows::create(folder.join("scores.parquet"), columns)?));
            }
        }
        let scores_in_memory = Shared::default();
        let scores = lines(to.folder, "scores.jsonl", to.memory.then(|| scores_in_memory.clone()), &hashed)?;
        Ok(Output {
            folder: to.folder.map(Path::to_path_buf),
            memory: to.memory,
            tables: vec![],
            lists: vec![],
            objects: vec![],
            scores,
            scores_in_memory,
            further,
            columns,
            line: vec![],
            cautions: vec![],
            missing: vec![],
            error_audits: Shared::default(),
            hashed,
            score_rows: 0,
        })
    }

    /// A result in memory alone.
    pub fn in_memory(columns: &'static [&'static str]) -> Output {
        let to = Destination { memory: true, ..Destination::default() };
        Output::new(to, columns).expect("memory takes everything")
    }

    /// Notes that the scores may not mean what they seem to: people are told, and the manifest holds it; reports do not.
    pub fn caution(&mut self, text: String) {
        self.cautions.push(text);
    }

    /// Takes the cautions noted so far.
    pub(crate) fn take_cautions(&mut self) -> Vec<String> {
        std::mem::take(&mut self.cautions)
    }

    /// How often each audit of severity `error` was written to a table of audits.
    pub(crate) fn error_audits(&self) -> BTreeMap<String, u64> {
        self.error_audits.take()
    }

    /// Notes what records lack of what metrics need.
    pub(crate) fn note_missing(&mut self, missing: Vec<Missing>) {
        self.missing = missing;
    }

    /// Takes what records lack.
    pub(crate) fn take_missing(&mut self) -> Vec<Missing> {
        std::mem::take(&mut self.missing)
    }

    /// The files that were hashed while they were written; those that are complete stand in it.
    pub(crate) fn hashed(&self) -> Hashed {
        self.hashed.clone()
    }

    /// The folder for what a suite must put aside while it works: the result's own, or the system's for temporary files.
    pub fn scratch(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(std::env::temp_dir)
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

    /// Appends score rows that were written as lines by [`Row::push_line`].
    pub fn score_lines(&mut self, lines: &[u8]) -> Result<()> {
        self.scores.write(lines)?;
        self.score_rows += memchr::memchr_iter(b'\n', lines).count() as u64;
        if self.further.is_empty() {
            return Ok(());
        }
        for line in lines.split_inclusive(|b| *b == b'\n') {
            let row = Row::read_line(line, self.columns).expect("a row of our own making");
            let extra = row.extra();
            for file in &mut self.further {
                file.row(&row.as_row(&extra))?;
            }
        }
        Ok(())
    }

    /// Starts a table.
    pub fn table(&mut self, name: &str, columns: Vec<String>, dialect: Dialect) -> Result<TableFile> {
        let memory = self.memory.then(|| Shared(Arc::new(Mutex::new(TableData::new(name, &columns)))));
        self.tables.extend(memory.clone());
        let mut csv = None;
        if let Some(folder) = &self.folder {
            let mut file = LineFile::create(folder.join("tables").join(format!("{name}.csv")), &self.hashed)?;
            let mut line = vec![];
            push_csv(&mut line, &columns.iter().map(|c| Cell::Text(c)).collect::<Vec<_>>(), dialect);
            file.write(&line)?;
            csv = Some(file);
        }
        let place = |name: &str| columns.iter().position(|column| column == name);
        let errors = place("audit").zip(place("severity")).map(|(a, s)| (a, s, self.error_audits.clone()));
        Ok(TableFile { width: columns.len(), dialect, csv, memory, errors, line: vec![] })
    }

    /// Starts a list of JSON lines such as `events`.
    pub fn list(&mut self, name: &str) -> Result<LineFile> {
        let memory = self.memory.then(Shared::default);
        self.lists.extend(memory.clone().map(|memory| (name.to_string(), memory)));
        lines(self.folder.as_deref(), &format!("{name}.jsonl"), memory, &self.hashed)
    }

    /// Starts a file of the suite's own form that is not a part of the document; in memory it is left out.
    pub fn raw(&mut self, name: &str) -> Result<LineFile> {
        lines(self.folder.as_deref(), name, None, &self.hashed)
    }

    /// Adds a single JSON object such as `catalog`: a file of its own, a key of the document.
    pub fn object(&mut self, name: &str, json: String) -> Result<()> {
        self.file(&format!("{name}.json"), format!("{json}\n").as_bytes())?;
        if self.memory {
            self.objects.push((name.to_string(), json));
        }
        Ok(())
    }

    /// Adds a file that is not a part of the document; in memory it is left out.
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(Error::write(path.display().to_string()))
    }

    /// Closes the score rows; the other parts are closed by whoever opened them. Gives what memory holds, if asked to.
    pub fn finish(self) -> Result<Option<Results>> {
        self.scores.finish()?;
        for file in self.further {
            file.finish()?;
        }
        let list = |(name, lines): (String, Shared<Vec<u8>>)| ListData { name, lines: lines.take() };
        Ok(self.memory.then(|| Results {
            tables: self.tables.iter().map(Shared::take).collect(),
            lists: self.lists.into_iter().map(list).collect(),
            objects: self.objects,
            scores: self.scores_in_memory.take(),
        }))
    }
}

fn lines(folder: Option<&Path>, name: &str, memory: Option<Shared<Vec<u8>>>, hashed: &Hashed) -> Result<LineFile> {
    let file = folder.map(|folder| LineFile::create(folder.join(name), hashed)).transpose()?;
    Ok(LineFile { file: file.and_then(|file| file.file), memory, hashed: hashed.clone() })
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::super::row::Row;
    use super::*;
    use crate::input::{Held, Limits, Wanted, parquet_rows};
    use crate::score::json;

    fn row<'a>(extra: &'a [(&'static str, Option<&'a str>)]) -> Row<'a> {
        Row {
            suite: "s",
            metric: "m",
            experiment: "e",
            extra,
            run: Some("1"),
            case: Some("c"),
            dialogue: None,
            turn: None,
            level: "item",
            unit: "u",
            value: Ok(0.5),
            n: Some(1),
            band: None,
            evidence: "{}",
        }
    }

    #[test]
    fn columns_of_a_suite_reach_csv_and_parquet_by_either_way() {
        let home = tempfile::tempdir().expect("a folder");
        let to = |name: &str| {
            let folder = home.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            folder
        };
        let extra = [("batch", Some("night, 1")), ("user", None)];
        let mut csv = vec![];
        for (name, as_lines) in [("rows", false), ("lines", true)] {
            let folder = to(name);
            let formats = [Format::Csv, Format::Parquet];
            let to = Destination { folder: Some(&folder), formats: &formats, memory: false };
            let mut output = Output::new(to, &["batch", "user"]).expect("a folder");
            if as_lines {
                let mut line = vec![];
                row(&extra).push_line(&mut line);
                output.score_lines(&line).expect("a row");
            } else {
                output.score(&row(&extra)).expect("a row");
            }
            output.finish().expect("files");
            csv.push(fs::read_to_string(folder.join("scores.csv")).expect("a file"));
            let file = File::open(folder.join("scores.parquet")).expect("a file");
            let mut rows = vec![];
            let read = parquet_rows(file, Wanted::All, Held::Row, Limits::default(), &mut |_, row| {
                rows.push(json::text(&row));
                Ok(())
            });
            read.expect("Parquet");
            // By hand: the row as it is made above.
            let expected = r#"{"suite":"s","metric":"m","experiment":"e","batch":"night, 1","user":null,"run":"1","case":"c","dialogue":null,"turn":null,"level":"item","unit":"u","value":0.5,"undefined":null,"n":1,"band":null,"evidence":"{}"}"#;
            assert_eq!(rows, [expected]);
        }
        // By hand: the columns stand after `experiment`, in the order of the suite.
        let expected = "suite,metric,experiment,batch,user,run,case,dialogue,turn,level,unit,value,undefined,n,band,\
                        evidence\ns,m,e,\"night, 1\",,1,c,,,item,u,0.5,,1,,{}\n";
        assert_eq!(csv, [expected, expected]);
    }

    #[test]
    fn memory_and_folder_hold_the_same() {
        let home = tempfile::tempdir().expect("a folder");
        let to = Destination { folder: Some(home.path()), formats: &[], memory: true };
        let mut output = Output::new(to, &[]).expect("a folder");
        output.score(&row(&[])).expect("a row");
        let mut list = output.list("errors").expect("a list");
        list.write(b"{}\n").expect("a line");
        list.finish().expect("a list");
        let mut table = output.table("t", vec!["a".into()], Dialect::Plain).expect("a table");
        table.row(&[Cell::Int(3)]).expect("a row");
        table.finish().expect("a table");
        let results = output.finish().expect("files").expect("memory");
        let file = |name: &str| fs::read(home.path().join(name)).expect("a file");
        assert_eq!(results.scores, file("scores.jsonl"));
        assert_eq!(results.list("errors").map(|list| list.lines.clone()), Some(file("errors.jsonl")));
        assert_eq!(results.table("t").map(TableData::len), Some(1));
        assert_eq!(file("tables/t.csv"), b"a\n3\n");
    }
}

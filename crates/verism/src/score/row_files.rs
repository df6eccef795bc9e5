//! Files beside `scores.jsonl` that take every score row, and CSV as one of them.

use std::fmt;
use std::path::PathBuf;

use super::contents::Hashed;
use super::output::LineFile;
use super::row::Row;
use super::table::{Cell, Dialect, push_csv};
use crate::error::Result;

/// A further file that takes every score row.
pub(super) trait RowFile: fmt::Debug + Send {
    fn row(&mut self, row: &Row<'_>) -> Result<()>;
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Columns of the tidy table with those that the suite adds.
pub(super) fn columns(extra: &[&'static str]) -> Vec<&'static str> {
    let mut names = vec!["suite", "metric", "experiment"];
    names.extend(extra);
    names.extend(["run", "case", "dialogue", "turn", "level", "unit", "value", "undefined", "n", "band", "evidence"]);
    names
}

/// The cells of a row, one for each of the columns.
pub(super) fn cells<'a>(row: &'a Row<'_>) -> Vec<Cell<'a>> {
    let (value, undefined) = match &row.value {
        Ok(value) => (Cell::Float(*value), Cell::Empty),
        Err(why) => (Cell::Empty, Cell::Text(why.reason())),
    };
    let mut cells = vec![row.suite.into(), row.metric.into(), row.experiment.into()];
    cells.extend(row.extra.iter().map(|(_, value)| Cell::from(*value)));
    let place: [Cell<'_>; 5] =
        [row.run.into(), row.case.into(), row.dialogue.into(), row.turn.into(), row.level.into()];
    cells.extend(place);
    cells.extend([row.unit.into(), value, undefined, row.n.into(), row.band.into(), row.evidence.into()]);
    cells
}

#[derive(Debug)]
pub(super) struct CsvRows {
    file: LineFile,
    line: Vec<u8>,
}

impl CsvRows {
    pub(super) fn create(path: PathBuf, extra: &[&'static str], hashed: &Hashed) -> Result<CsvRows> {
        let mut file = LineFile::create(path, hashed)?;
        let mut line = vec![];
        push_csv(&mut line, &columns(extra).into_iter().map(Cell::Text).collect::<Vec<_>>(), Dialect::Plain);
        file.write(&line)?;
        Ok(CsvRows { file, line })
    }
}

impl RowFile for CsvRows {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        self.line.clear();
        push_csv(&mut self.line, &cells(row), Dialect::Plain);
        self.file.write(&self.line)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.file.finish()
    }
}

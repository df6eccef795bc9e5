//! Score rows as CSV and as Parquet.

use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::contents::Hashed;
use super::output::LineFile;
use super::row::Row;
use super::table::{Cell, Dialect, push_csv};
use crate::error::{Error, Result};

/// A further file that takes every score row.
pub(super) trait RowFile: fmt::Debug {
    fn row(&mut self, row: &Row<'_>) -> Result<()>;
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Columns of the tidy table with those that the suite adds.
fn columns(extra: &[&'static str]) -> Vec<&'static str> {
    let mut names = vec!["suite", "metric", "experiment"];
    names.extend(extra);
    names.extend(["run", "case", "dialogue", "turn", "level", "unit", "value", "undefined", "n", "band", "evidence"]);
    names
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
        let value = row.value.as_ref();
        let mut cells: Vec<Cell<'_>> = vec![row.suite.into(), row.metric.into(), row.experiment.into()];
        cells.extend(row.extra.iter().map(|(_, value)| Cell::from(*value)));
        let place: [Cell<'_>; 6] =
            [row.run.into(), row.case.into(), row.dialogue.into(), row.turn.into(), row.level.into(), row.unit.into()];
        let result: [Cell<'_>; 5] = [
            value.ok().copied().into(),
            value.err().map(|why| why.reason()).into(),
            row.n.into(),
            row.band.into(),
            row.evidence.into(),
        ];
        cells.extend(place);
        cells.extend(result);
        self.line.clear();
        push_csv(&mut self.line, &cells, Dialect::Plain);
        self.file.write(&self.line)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.file.finish()
    }
}

/// Rows that are gathered before they are written as one batch.
const BATCH_ROWS: usize = 8192;

#[derive(Debug)]
pub(super) struct ParquetRows {
    path: PathBuf,
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    texts: Vec<StringBuilder>,
    turn: Int64Builder,
    value: Float64Builder,
    n: UInt64Builder,
    rows: usize,
}

impl ParquetRows {
    pub(super) fn create(path: PathBuf, extra: &[&'static str]) -> Result<ParquetRows> {
        let kind = |name: &str| match name {
            "turn" => DataType::Int64,
            "value" => DataType::Float64,
            "n" => DataType::UInt64,
            _ => DataType::Utf8,
        };
        let fields: Vec<Field> = columns(extra).into_iter().map(|name| Field::new(name, kind(name), true)).collect();
        let texts = fields.iter().filter(|f| *f.data_type() == DataType::Utf8).map(|_| StringBuilder::new()).collect();
        let schema = Arc::new(Schema::new(fields));
        let zstd = Compression::ZSTD(ZstdLevel::try_new(3).expect("a level of zstd"));
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let shown = path.display().to_string();
        let file = File::create(&path).map_err(Error::write(&shown))?;
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(|e| failed(&shown, e))?;
        let (turn, value, n) = (Int64Builder::new(), Float64Builder::new(), UInt64Builder::new());
        Ok(ParquetRows { path, writer, schema, texts, turn, value, n, rows: 0 })
    }

    fn flush(&mut self) -> Result<()> {
        let mut texts = self.texts.iter_mut().map(StringBuilder::finish);
        let columns: Vec<ArrayRef> = self
            .schema
            .fields()
            .iter()
            .map(|field| -> ArrayRef {
                match field.data_type() {
                    DataType::Int64 => Arc::new(self.turn.finish()),
                    DataType::Float64 => Arc::new(self.value.finish()),
                    DataType::UInt64 => Arc::new(self.n.finish()),
                    _ => Arc::new(texts.next().expect("a builder for every text column")),
                }
            })
            .collect();
        drop(texts);
        self.rows = 0;
        let shown = self.path.display().to_string();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).expect("columns of one length");
        self.writer.write(&batch).map_err(|e| failed(&shown, e))
    }
}

impl RowFile for ParquetRows {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        let mut texts = vec![Some(row.suite), Some(row.metric), Some(row.experiment)];
        texts.extend(row.extra.iter().map(|(_, value)| *value));
        let reason = row.value.as_ref().err().map(|why| why.reason());
        texts.extend([row.run, row.case, row.dialogue, Some(row.level), Some(row.unit)]);
        texts.extend([reason, row.band, Some(row.evidence)]);
        for (builder, text) in self.texts.iter_mut().zip(texts) {
            builder.append_option(text);
        }
        self.turn.append_option(row.turn);
        self.value.append_option(row.value.as_ref().ok().copied());
        self.n.append_option(row.n);
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.flush()?;
        let shown = self.path.display().to_string();
        self.writer.close().map(drop).map_err(|e| failed(&shown, e))
    }
}

fn failed(path: &str, error: ParquetError) -> Error {
    Error::write(path)(std::io::Error::other(error))
}

//! Score rows as Parquet.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::row::Row;
use super::row_files::{RowFile, cells, columns};
use super::table::Cell;
use crate::error::{Error, Result};

/// Rows of a row group at most, all of which wait in memory.
const GROUP_ROWS: usize = 1 << 17;
/// Bytes of text after which a row group ends, however few rows it has.
const GROUP_BYTES: usize = 32 << 20;

#[derive(Debug)]
pub(super) struct ParquetRows {
    path: PathBuf,
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
}

impl ParquetRows {
    pub(super) fn create(path: PathBuf, extra: &[&'static str]) -> Result<ParquetRows> {
        let names = columns(extra);
        let fields: String = names.iter().map(|name| format!("optional {};", field(name))).collect();
        let schema = parse_message_type(&format!("message scores {{ {fields} }}")).expect("a schema");
        let zstd = Compression::ZSTD(ZstdLevel::try_new(3).expect("a level of zstd"));
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let shown = path.display().to_string();
        let file = File::create(&path).map_err(Error::write(&shown))?;
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        let writer = writer.map_err(|e| failed(&shown, e))?;
        let columns = names.into_iter().map(Column::named).collect();
        Ok(ParquetRows { path, writer, columns, rows: 0, bytes: 0 })
    }

    /// Writes the rows at hand as a row group.
    fn flush(&mut self) -> Result<()> {
        let mut write = || {
            let mut group = self.writer.next_row_group()?;
            for column in &mut self.columns {
                let mut writer = group.next_column()?.expect("as many columns as the schema has");
                column.write(&mut writer)?;
                writer.close()?;
            }
            group.close().map(drop)
        };
        let written: std::result::Result<(), ParquetError> = write();
        (self.rows, self.bytes) = (0, 0);
        written.map_err(|e| failed(&self.path.display().to_string(), e))
    }
}

impl RowFile for ParquetRows {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells(row)) {
            self.bytes += column.push(cell);
        }
        self.rows += 1;
        if self.rows == GROUP_ROWS || self.bytes >= GROUP_BYTES { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if self.rows > 0 {
            self.flush()?;
        }
        let shown = self.path.display().to_string();
        self.writer.close().map(drop).map_err(|e| failed(&shown, e))
    }
}

fn failed(path: &str, error: ParquetError) -> Error {
    Error::write(path)(std::io::Error::other(error))
}

/// A column in the language of Parquet's schemas.
fn field(name: &str) -> String {
    match name {
        "turn" => format!("int64 {name}"),
        "n" => format!("int64 {name} (INTEGER(64, false))"),
        "value" => format!("double {name}"),
        _ => format!("binary {name} (STRING)"),
    }
}

/// The cells of a column that wait to be written.
#[derive(Debug)]
struct Column {
    values: Values,
    /// Of each row 1 if it has a value, 0 if its cell is empty.
    levels: Vec<i16>,
}

#[derive(Debug)]
enum Values {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    /// All texts in one, and the length of each.
    Texts(Vec<u8>, Vec<usize>),
}

impl Column {
    fn named(name: &str) -> Column {
        let values = match name {
            "turn" | "n" => Values::Whole(vec![]),
            "value" => Values::Real(vec![]),
            _ => Values::Texts(vec![], vec![]),
        };
        Column { values, levels: vec![] }
    }

    /// Adds a cell and gives the length of its text.
    fn push(&mut self, cell: Cell<'_>) -> usize {
        self.levels.push(i16::from(cell != Cell::Empty));
        match (&mut self.values, cell) {
            (_, Cell::Empty) => 0,
            (Values::Texts(all, lengths), Cell::Text(text)) => {
                all.extend_from_slice(text.as_bytes());
                lengths.push(text.len());
                text.len()
            }
            // Counts beyond the signed numbers keep their bits: the schema says that there is no sign.
            (Values::Whole(values), Cell::Int(n)) => {
                values.push(n as i64);
                0
            }
            (Values::Real(values), Cell::Float(x)) => {
                values.push(x);
                0
            }
            (_, cell) => unreachable!("a score row has no such cell: {cell:?}"),
        }
    }

    /// Writes the cells and forgets them.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> std::result::Result<usize, ParquetError> {
        let levels = std::mem::take(&mut self.levels);
        match &mut self.values {
            Values::Whole(values) => {
                let values = std::mem::take(values);
                writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)
            }
            Values::Real(values) => {
                let values = std::mem::take(values);
                writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)
            }
            Values::Texts(all, lengths) => {
                let all = ByteArray::from(std::mem::take(all));
                let mut start = 0;
                let text = |length| {
                    start += length;
                    all.slice(start - length, length)
                };
                let texts: Vec<ByteArray> = std::mem::take(lengths).into_iter().map(text).collect();
                writer.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None)
            }
        }
    }
}

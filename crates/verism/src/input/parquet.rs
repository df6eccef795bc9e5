//! Parquet, read through the text form of its values.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ColumnChunkMetaData;

use super::jsonl::python_float;
use super::pages::largest_page;
use super::table::repeated;
use super::{Limits, Sink};
use crate::error::Defect;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 4096;
/// Groups whose wanted columns are larger are read one after the other.
const LARGE_BYTES: u64 = 128 << 20;
/// A page, which is taken into memory whole, may be so many times as large as a record.
pub(super) const PAGES_PER_RECORD: u64 = 4;

/// An open Parquet file: its columns and the rows of each of its groups.
pub(super) struct Groups {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    pub(super) columns: Vec<String>,
    /// Rows of each row group.
    pub(super) rows: Vec<u64>,
    limits: Limits,
}

pub(super) fn unreadable() -> Defect {
    Defect::new("unreadable", "a whole Parquet file").hint("the file is damaged or was cut off; write it anew")
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread reads foreign bytes with a crate that may panic on damaged ones. Such a panic is caught and told as a
/// defect of the file: whoever prints panics can leave it out.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Runs a reader of foreign bytes; should it panic on damaged ones, that is a defect of the file.
pub(super) fn guarded<T>(read: impl FnOnce() -> Result<T, Defect>) -> Result<T, Defect> {
    let before = GUARDED.replace(true);
    let read = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(unreadable()));
    GUARDED.set(before);
    read
}

impl Groups {
    pub(super) fn open(path: &Path, file: &File, limits: Limits) -> Result<Groups, Defect> {
        guarded(|| {
            // The types of the file itself: hints of the writing program (categories, views) would change nothing in the text.
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let metadata = ArrowReaderMetadata::load(file, options.clone()).map_err(|_| unreadable())?;
            let columns: Vec<String> = metadata.schema().fields().iter().map(|field| field.name().clone()).collect();
            if columns.len() > limits.fields {
                return Err(limits.too_wide(columns.len()));
            }
            if let Some(twice) = repeated(&columns) {
                return Err(twice);
            }
            // Views of texts instead of copies: a long text that many rows share is there once.
            let options = options.with_schema(Arc::new(with_views(metadata.schema())));
            let metadata =
                ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).map_err(|_| unreadable())?;
            let groups = metadata.metadata().row_groups();
            let rows = groups.iter().map(|group| u64::try_from(group.num_rows())).collect::<Result<_, _>>();
            Ok(Groups { path: path.to_path_buf(), columns, rows: rows.map_err(|_| unreadable())?, metadata, limits })
        })
    }

    /// The parts of a group that hold wanted columns.
    fn chunks<'a>(&'a self, group: usize, wanted: &'a [String]) -> impl Iterator<Item = &'a ColumnChunkMetaData> {
        let is_wanted = |name: &String| wanted.contains(name);
        let columns = self.metadata.metadata().row_group(group).columns().iter();
        columns.filter(move |column| column.column_path().parts().first().is_some_and(is_wanted))
    }

    /// Whether some group takes more memory than several should at the same time.
    pub(super) fn are_large(&self, wanted: &[String]) -> bool {
        let size = |group| self.chunks(group, wanted).map(|chunk| chunk.uncompressed_size().max(0) as u64).sum::<u64>();
        (0..self.rows.len()).any(|group| size(group) > LARGE_BYTES)
    }

    /// Reads a row group. Lines count its rows from 0.
    pub(super) fn read(&self, group: usize, wanted: &[String], sink: &mut impl Sink) -> Result<(), Defect> {
        guarded(|| {
            // A file of its own: copies of one share their place in it, and groups are read at the same time.
            let file = File::open(&self.path).map_err(|_| unreadable())?;
            let most = PAGES_PER_RECORD * self.limits.record_bytes as u64;
            let suspect = |chunk: &&ColumnChunkMetaData| chunk.uncompressed_size() as u64 > most;
            for chunk in self.chunks(group, wanted).filter(suspect) {
                let (start, length) = chunk.byte_range();
                if largest_page(&file, start, length).is_ok_and(|largest| largest > most) {
                    // Nobody knows which of its rows are too large before the page is in memory.
                    let name = chunk.column_path().parts().first().cloned().unwrap_or_default();
                    (0..self.rows[group]).for_each(|row| sink.defect(row, self.limits.too_long().field(&name)));
                    return Ok(());
                }
            }
            let places: Vec<Option<usize>> =
                wanted.iter().map(|name| self.columns.iter().position(|column| column == name)).collect();
            let roots = places.iter().flatten().copied();
            let mask = ProjectionMask::roots(self.metadata.parquet_schema(), roots);
            let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_row_groups(vec![group])
                .with_projection(mask)
                .with_batch_size(BATCH_ROWS)
                .build()
                .map_err(|_| unreadable())?;
            let mut line = 0;
            for batch in reader {
                let batch = batch.map_err(|_| unreadable())?;
                line += hand_over(&batch, wanted, line, self.limits, sink)?;
            }
            Ok(())
        })
    }
}

/// The schema with views of texts.
pub(super) fn with_views(schema: &Schema) -> Schema {
    let fields: Vec<_> = schema.fields().iter().map(with_view).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

/// A field with views of texts, those in lists and objects too.
fn with_view(field: &Arc<Field>) -> Arc<Field> {
    let kind = match field.data_type() {
        DataType::Utf8 => DataType::Utf8View,
        DataType::List(item) => DataType::List(with_view(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(with_view).collect()),
        _ => return field.clone(),
    };
    Arc::new(field.as_ref().clone().with_data_type(kind))
}

/// Hands the rows of a batch to a sink and gives their number.
fn hand_over(
    batch: &RecordBatch,
    wanted: &[String],
    first: u64,
    limits: Limits,
    sink: &mut impl Sink,
) -> Result<u64, Defect> {
    let columns = wanted
        .iter()
        .map(|name| batch.column_by_name(name).map(|column| Texts::of(name, column)).transpose())
        .collect::<Result<Vec<_>, Defect>>()?;
    for row in 0..batch.num_rows() {
        let cells: Vec<Option<Cow<'_, str>>> =
            columns.iter().map(|column| column.as_ref().map(|c| c.at(row))).collect();
        let bytes: usize = cells.iter().flatten().map(|cell| cell.len()).sum();
        if bytes > limits.record_bytes {
            sink.defect(first + row as u64, limits.too_long());
            continue;
        }
        sink.record(first + row as u64, &cells.iter().map(Option::as_deref).collect::<Vec<_>>());
    }
    Ok(batch.num_rows() as u64)
}

/// A column whose cells can be read as texts.
struct Texts<'a> {
    column: &'a dyn Array,
    text: fn(&'a dyn Array, usize) -> Cow<'a, str>,
}

impl<'a> Texts<'a> {
    fn of(name: &str, column: &'a dyn Array) -> Result<Texts<'a>, Defect> {
        macro_rules! number {
            ($kind:ty) => {
                |column, row| Cow::Owned(column.as_primitive::<$kind>().value(row).to_string())
            };
        }
        let text: fn(&'a dyn Array, usize) -> Cow<'a, str> = match column.data_type() {
            DataType::Null => |_, _| Cow::Borrowed(""),
            DataType::Utf8 => |column, row| Cow::Borrowed(column.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => |column, row| Cow::Borrowed(column.as_string::<i64>().value(row)),
            DataType::Utf8View => |column, row| Cow::Borrowed(column.as_string_view().value(row)),
            DataType::Boolean => {
                |column, row| Cow::Borrowed(if column.as_boolean().value(row) { "true" } else { "false" })
            }
            DataType::Int8 => number!(Int8Type),
            DataType::Int16 => number!(Int16Type),
            DataType::Int32 => number!(Int32Type),
            DataType::Int64 => number!(Int64Type),
            DataType::UInt8 => number!(UInt8Type),
            DataType::UInt16 => number!(UInt16Type),
            DataType::UInt32 => number!(UInt32Type),
            DataType::UInt64 => number!(UInt64Type),
            DataType::Float32 => {
                |column, row| Cow::Owned(python_float(column.as_primitive::<Float32Type>().value(row).into()))
            }
            DataType::Float64 => {
                |column, row| Cow::Owned(python_float(column.as_primitive::<Float64Type>().value(row)))
            }
            other => {
                let expected = "a column of texts, numbers or booleans";
                return Err(Defect::new("unsupported", expected).field(name).value(other.to_string()));
            }
        };
        Ok(Texts { column, text })
    }

    fn at(&self, row: usize) -> Cow<'a, str> {
        if self.column.is_null(row) { Cow::Borrowed("") } else { (self.text)(self.column, row) }
    }
}

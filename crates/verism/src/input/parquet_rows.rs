//! Rows of a Parquet file as JSON objects, for suites whose tables hold lists and objects.

use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use super::pages::largest_page;
use super::parquet::{PAGES_PER_RECORD, guarded, unreadable, with_views};
use super::value::Json;
use super::{FIELDS_OF_A_ROW, Limits};
use crate::error::Defect;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 1024;

/// What the caller holds of a file at the same time, and so what the limits of a record are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// One row after the other.
    Row,
    /// All of them.
    Table,
}

/// Takes a row, counted from 1, of a table with these columns; an error ends the reading.
pub type TakeRow<'t> = dyn FnMut(u64, Json<'static>) -> Result<(), Defect> + 't;

/// Hands on the rows of a file, of the columns wanted, or of all if none are named; gives the names of all its columns.
///
/// What is held may not be larger than a record; nor may a page be several times as large, since it is unpacked as a whole.
/// A type that has no JSON form is `unsupported`, whatever is no Parquet `unreadable`.
pub fn parquet_rows(
    file: File,
    wanted: &[&str],
    held: Held,
    limits: Limits,
    take: &mut TakeRow<'_>,
) -> Result<Vec<String>, Defect> {
    guarded(|| {
        let broken = |_| unreadable();
        // The types of the file itself, and views of texts instead of copies: a long text that rows share is there once.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::load(&file, options.clone()).map_err(broken)?;
        let columns: Vec<String> = metadata.schema().fields().iter().map(|field| field.name().clone()).collect();
        limits.check_fields(columns.len())?;
        let options = options.with_schema(Arc::new(with_views(metadata.schema())));
        let metadata = ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).map_err(broken)?;
        let is_wanted = |name: &String| wanted.is_empty() || wanted.contains(&name.as_str());
        let most = PAGES_PER_RECORD * limits.record_bytes as u64;
        for chunk in metadata.metadata().row_groups().iter().flat_map(|group| group.columns()) {
            let Some(name) = chunk.column_path().parts().first().filter(|name| is_wanted(name)) else { continue };
            let (start, length) = chunk.byte_range();
            if largest_page(&file, start, length).is_ok_and(|largest| largest > most) {
                return Err(limits.too_long().field(name));
            }
        }
        let roots = (0..columns.len()).filter(|place| is_wanted(&columns[*place]));
        let mask = ProjectionMask::roots(metadata.parquet_schema(), roots);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_projection(mask)
            .with_batch_size(BATCH_ROWS)
            .build()
            .map_err(broken)?;
        let mut rows = Rows { read: 0, held, room: Room::of(limits) };
        for batch in reader {
            rows.hand_on(&batch.map_err(|_| unreadable())?, take)?;
        }
        Ok(columns)
    })
}

/// Rows on their way.
struct Rows {
    read: u64,
    held: Held,
    room: Room,
}

impl Rows {
    fn hand_on(&mut self, batch: &RecordBatch, take: &mut TakeRow<'_>) -> Result<(), Defect> {
        let schema = batch.schema();
        for place in 0..batch.num_rows() {
            self.read += 1;
            if self.held == Held::Row {
                self.room = Room::of(self.room.limits);
            }
            self.room.values(batch.num_columns().max(FIELDS_OF_A_ROW)).map_err(|defect| defect.line(self.read))?;
            let mut entries = vec![];
            for (field, column) in schema.fields().iter().zip(batch.columns()) {
                let at = |defect: Defect| defect.field(field.name()).line(self.read);
                entries.push((field.name().clone().into(), value(column, place, &mut self.room).map_err(at)?));
            }
            take(self.read, Json::Object(entries))?;
        }
        Ok(())
    }
}

/// How much more may be held.
struct Room {
    bytes: usize,
    values: usize,
    limits: Limits,
}

impl Room {
    fn of(limits: Limits) -> Room {
        Room { bytes: limits.record_bytes, values: limits.fields, limits }
    }

    fn text(&mut self, text: &str) -> Result<Json<'static>, Defect> {
        self.bytes = self.bytes.checked_sub(text.len()).ok_or_else(|| self.limits.too_long())?;
        Ok(Json::Text(text.to_string().into()))
    }

    fn values(&mut self, count: usize) -> Result<(), Defect> {
        self.values = self.values.checked_sub(count).ok_or_else(|| self.limits.too_wide(self.limits.fields + 1))?;
        Ok(())
    }
}

/// A value of a column.
fn value(column: &dyn Array, row: usize, room: &mut Room) -> Result<Json<'static>, Defect> {
    macro_rules! whole {
        ($kind:ty) => {
            Json::Int(column.as_primitive::<$kind>().value(row).into())
        };
    }
    if column.is_null(row) {
        return Ok(Json::Null);
    }
    let mut list = |items: &dyn Array| -> Result<Json<'static>, Defect> {
        room.values(items.len())?;
        Ok(Json::List((0..items.len()).map(|place| value(items, place, room)).collect::<Result<_, Defect>>()?))
    };
    Ok(match column.data_type() {
        DataType::Null => Json::Null,
        DataType::Utf8 => room.text(column.as_string::<i32>().value(row))?,
        DataType::LargeUtf8 => room.text(column.as_string::<i64>().value(row))?,
        DataType::Utf8View => room.text(column.as_string_view().value(row))?,
        DataType::Boolean => Json::Bool(column.as_boolean().value(row)),
        DataType::Int8 => whole!(Int8Type),
        DataType::Int16 => whole!(Int16Type),
        DataType::Int32 => whole!(Int32Type),
        DataType::Int64 => whole!(Int64Type),
        DataType::UInt8 => whole!(UInt8Type),
        DataType::UInt16 => whole!(UInt16Type),
        DataType::UInt32 => whole!(UInt32Type),
        DataType::UInt64 => whole!(UInt64Type),
        DataType::Float32 => Json::Float(column.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => Json::Float(column.as_primitive::<Float64Type>().value(row)),
        DataType::List(_) => list(&column.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => list(&column.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(..) => list(&column.as_fixed_size_list().value(row))?,
        DataType::Struct(fields) => {
            let mut entries = vec![];
            for (field, column) in fields.iter().zip(column.as_struct().columns()) {
                entries.push((field.name().clone().into(), value(column, row, room)?));
            }
            Json::Object(entries)
        }
        other => {
            let expected = "a column of texts, numbers, booleans, lists or objects of them";
            return Err(Defect::new("unsupported", expected).value(other.to_string()));
        }
    })
}

#[cfg(test)]
mod tests {
    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::{ArrayRef, Int64Array, StringArray};
    use parquet::arrow::ArrowWriter;

    use super::*;

    fn file(columns: Vec<(&str, ArrayRef)>) -> File {
        let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
        let mut file = tempfile::tempfile().expect("a file");
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        file
    }

    fn sample() -> File {
        let mut lists = ListBuilder::new(StringBuilder::new());
        lists.append_value([Some("a"), Some("b")]);
        lists.append_value([Some("b".repeat(20).as_str()), None]);
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), None]));
        file(vec![("t", texts), ("n", Arc::new(Int64Array::from(vec![1, 2]))), ("l", Arc::new(lists.finish()))])
    }

    fn read(file: File, wanted: &[&str], held: Held, limits: Limits) -> (Vec<String>, Result<Vec<String>, Defect>) {
        let mut rows = vec![];
        let read = parquet_rows(file, wanted, held, limits, &mut |row, json| {
            rows.push(format!("{row} {}", crate::score::json::text(&json)));
            Ok(())
        });
        (rows, read)
    }

    #[test]
    fn rows_are_objects_with_lists() {
        let (rows, columns) = read(sample(), &[], Held::Row, Limits::default());
        let long = "b".repeat(20);
        assert_eq!(
            rows,
            [r#"1 {"t":"x","n":1,"l":["a","b"]}"#.into(), format!(r#"2 {{"t":null,"n":2,"l":["{long}",null]}}"#)]
        );
        assert_eq!(columns, Ok(["t", "n", "l"].map(String::from).to_vec()));
        assert_eq!(read(sample(), &["n"], Held::Row, Limits::default()).0, [r#"1 {"n":1}"#, r#"2 {"n":2}"#]);
    }

    #[test]
    fn a_row_beyond_the_limits_is_named() {
        let place = |held, record_bytes, fields| {
            let (rows, read) = read(sample(), &[], held, Limits { record_bytes, fields });
            let defect = read.expect_err("too large");
            (rows.len(), defect.code.into_owned(), defect.line, defect.field)
        };
        let named = |field: &str| Some(field.to_string());
        // Pages of the first column are larger than four records: nothing is unpacked.
        assert_eq!(place(Held::Row, 1, 10), (0, "too_large".into(), None, named("t")));
        // The second row has 20 bytes of text; both have 23, and count for 12 values: four each, and two in each list.
        assert_eq!(place(Held::Row, 19, 10), (1, "too_large".into(), Some(2), named("l")));
        assert_eq!(place(Held::Table, 22, 12), (1, "too_large".into(), Some(2), named("l")));
        assert_eq!(place(Held::Table, 23, 11), (1, "too_large".into(), Some(2), named("l")));
        assert_eq!(read(sample(), &[], Held::Table, Limits { record_bytes: 23, fields: 12 }).0.len(), 2);
    }
}

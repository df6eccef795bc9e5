//! Tables as lists of records: CSV, Parquet.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::error::Defect;
use crate::input::csv::{After, Found, Scanner};
use crate::input::value::Json;
use crate::suites::records::base_name;

/// A row with its line (of a Parquet file: its number).
type Rows = Vec<(u64, Json<'static>)>;

fn not_found(path: &Path) -> Defect {
    Defect::new("not_found", "a readable file").file(base_name(path))
}

/// The text of a file without a byte order mark.
pub(crate) fn text_of(path: &Path) -> Result<String, Defect> {
    let bytes = std::fs::read(path).map_err(|_| not_found(path))?;
    text_from(bytes).map_err(|defect| defect.file(base_name(path)))
}

/// Bytes as text without a byte order mark.
pub(crate) fn text_from(bytes: Vec<u8>) -> Result<String, Defect> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = memchr::memchr_iter(b'\n', good).count() as u64 + 1;
        Defect::new("bad_encoding", "UTF-8").line(line).hint("save the file as UTF-8")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The rows of a CSV text as pairs of column and cell; a row may be shorter or longer than the header.
pub(crate) fn csv_cells(text: &str, mut take: impl FnMut(u64, &[(String, String)])) -> Result<(), Defect> {
    let mut scanner = Scanner::new(text, After::End);
    let mut fields = vec![];
    let mut header: Option<Vec<String>> = None;
    loop {
        match scanner.next(&mut fields) {
            Found::Record(line) => {
                let cells = fields.iter().map(|field| field.text(text).into_owned());
                match &header {
                    None => header = Some(cells.collect()),
                    Some(header) => take(line + 1, &header.iter().cloned().zip(cells).collect::<Vec<_>>()),
                }
            }
            Found::Nothing => return Ok(()),
            Found::Unfinished(line, _) => {
                let hint = "a quote that opens in this record never closes; the file may be cut off";
                return Err(Defect::new("bad_input", "a closing double quote").line(line + 1).hint(hint));
            }
        }
    }
}

/// The rows of a CSV file as objects of texts.
pub(crate) fn csv_rows(path: &Path) -> Result<Rows, Defect> {
    let text = text_of(path)?;
    let mut rows = vec![];
    csv_cells(&text, |line, cells| {
        let entry = |(name, cell): &(String, String)| (name.clone().into(), Json::Text(cell.clone().into()));
        rows.push((line, Json::Object(cells.iter().map(entry).collect())));
    })?;
    Ok(rows)
}

fn damaged() -> Defect {
    Defect::new("bad_input", "a whole Parquet file").hint("the file is damaged or was cut off; write it anew")
}

/// The rows of a Parquet file; of the columns wanted, or all if none are named. One column may be needed.
pub(crate) fn parquet_rows(path: &Path, wanted: &[&str], needed: Option<&str>) -> Result<Rows, Defect> {
    let file = File::open(path).map_err(|_| not_found(path))?;
    // Should the reader panic on foreign bytes, that is a defect of the file.
    catch_unwind(AssertUnwindSafe(|| read_parquet(file, wanted, needed))).unwrap_or_else(|_| Err(damaged()))
}

fn read_parquet(file: File, wanted: &[&str], needed: Option<&str>) -> Result<Rows, Defect> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(|_| damaged())?;
    let names: Vec<String> = builder.schema().fields().iter().map(|field| field.name().clone()).collect();
    if let Some(needed) = needed.filter(|needed| !names.iter().any(|name| name == needed)) {
        return Err(Defect::new("missing_field", format!("a column named {needed}")).field(needed));
    }
    let roots = (0..names.len()).filter(|i| wanted.is_empty() || wanted.contains(&names[*i].as_str()));
    let mask = ProjectionMask::roots(builder.parquet_schema(), roots);
    let reader = builder.with_projection(mask).build().map_err(|_| damaged())?;
    let columns: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let mut rows = vec![];
    for batch in reader {
        let batch: RecordBatch = batch.map_err(|_| damaged())?;
        for row in 0..batch.num_rows() {
            let cells = columns.iter().zip(batch.columns());
            let entries = cells.map(|(name, column)| Ok((name.clone().into(), value(column, row)?)));
            rows.push((rows.len() as u64 + 1, Json::Object(entries.collect::<Result<_, Defect>>()?)));
        }
    }
    Ok(rows)
}

/// A value of a column.
fn value(column: &dyn Array, row: usize) -> Result<Json<'static>, Defect> {
    macro_rules! whole {
        ($kind:ty) => {
            Json::Int(column.as_primitive::<$kind>().value(row).into())
        };
    }
    if column.is_null(row) {
        return Ok(Json::Null);
    }
    let list = |items: &dyn Array| -> Result<Json<'static>, Defect> {
        Ok(Json::List((0..items.len()).map(|i| value(items, i)).collect::<Result<_, Defect>>()?))
    };
    Ok(match column.data_type() {
        DataType::Null => Json::Null,
        DataType::Utf8 => Json::Text(column.as_string::<i32>().value(row).to_string().into()),
        DataType::LargeUtf8 => Json::Text(column.as_string::<i64>().value(row).to_string().into()),
        DataType::Utf8View => Json::Text(column.as_string_view().value(row).to_string().into()),
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
            let inner = column.as_struct();
            let entries = fields.iter().zip(inner.columns());
            let entries = entries.map(|(field, column)| Ok((field.name().clone().into(), value(column, row)?)));
            Json::Object(entries.collect::<Result<_, Defect>>()?)
        }
        other => {
            return Err(Defect::new("bad_input", "texts, numbers, booleans and lists of them").value(other.to_string()));
        }
    })
}

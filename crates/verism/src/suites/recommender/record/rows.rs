//! Rows of a CSV or Parquet table as JSON objects: what a catalog and a table of turns are read from.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;

use crate::error::Defect;
use crate::input::csv::{After, Found, Scanner};
use crate::input::value::Json;

/// A row: where it stands, and its cells or what is wrong with it.
pub(crate) struct TableRow {
    /// First physical line, of Parquet the row, counted from 1.
    pub(crate) line: u64,
    /// The cells by column.
    pub(crate) cells: Json<'static>,
    /// A row with more or fewer cells than the header.
    pub(crate) defect: Option<Defect>,
}

/// A table: its columns and rows.
pub(crate) struct TableRows {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<TableRow>,
}

impl TableRows {
    /// Refuses a table that lacks a column.
    pub(crate) fn require(&self, columns: &[&str]) -> Result<(), Defect> {
        match columns.iter().find(|column| !self.columns.iter().any(|known| known == *column)) {
            Some(missing) => Err(Defect::new("bad_record", "a column").line(1).field(*missing).value("missing")),
            None => Ok(()),
        }
    }
}

/// Reads a CSV text, blank lines aside; of columns with the same name the last counts.
pub(crate) fn csv(text: &str) -> Result<TableRows, Defect> {
    let mut scanner = Scanner::new(text, After::End);
    let mut fields = vec![];
    let mut columns: Option<Vec<String>> = None;
    let mut rows = vec![];
    loop {
        let line = match scanner.next(&mut fields) {
            Found::Nothing => break,
            Found::Record(line) => line + 1,
            Found::Unfinished(line, _) => {
                return Err(Defect::new("bad_record", "a closing quote").line(line + 1));
            }
        };
        let cells = fields.iter().map(|field| field.text(text).into_owned());
        let Some(columns) = &columns else {
            columns = Some(cells.collect());
            continue;
        };
        let defect = (fields.len() != columns.len()).then(|| {
            let defect = Defect::new("bad_record", format!("{} cells", columns.len())).line(line);
            defect.value(fields.len().to_string())
        });
        let texts = cells.chain(std::iter::repeat(String::new()));
        let entry = |(column, text): (&String, String)| (Cow::Owned(column.clone()), Json::Text(text.into()));
        let cells = Json::Object(once(columns.iter().zip(texts).map(entry).collect()));
        rows.push(TableRow { line, cells, defect });
    }
    Ok(TableRows { columns: columns.unwrap_or_default(), rows })
}

type Entries = Vec<(Cow<'static, str>, Json<'static>)>;

/// The entries with the last of each name at the place of the first.
fn once(entries: Entries) -> Entries {
    let mut out: Entries = Vec::with_capacity(entries.len());
    for (name, value) in entries {
        match out.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => out.push((name, value)),
        }
    }
    out
}

fn unreadable() -> Defect {
    Defect::new("bad_record", "a Parquet file").value("something else")
}

/// Reads a Parquet file with columns of texts, numbers, booleans and lists of them.
pub(crate) fn parquet(file: impl ChunkReader + 'static) -> Result<TableRows, Defect> {
    // Should the reader panic on damaged bytes, that is a defect of the file.
    let read = || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|_| unreadable())?;
        let columns = builder.schema().fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = vec![];
        for batch in builder.build().map_err(|_| unreadable())? {
            push_batch(&batch.map_err(|_| unreadable())?, &mut rows)?;
        }
        Ok(TableRows { columns, rows })
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(unreadable()))
}

fn push_batch(batch: &RecordBatch, rows: &mut Vec<TableRow>) -> Result<(), Defect> {
    let names: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
    for row in 0..batch.num_rows() {
        let line = rows.len() as u64 + 1;
        let mut entries = vec![];
        for (name, column) in names.iter().zip(batch.columns()) {
            let cell = cell(column, row).map_err(|defect| defect.field(name).line(line))?;
            entries.push((Cow::Owned(name.clone()), cell));
        }
        rows.push(TableRow { line, cells: Json::Object(once(entries)), defect: None });
    }
    Ok(())
}

/// A cell as JSON.
fn cell(column: &Arc<dyn Array>, row: usize) -> Result<Json<'static>, Defect> {
    macro_rules! whole {
        ($kind:ty) => {
            Json::Int(column.as_primitive::<$kind>().value(row).into())
        };
    }
    macro_rules! list {
        ($size:ty) => {{
            let values = column.as_list::<$size>().value(row);
            Json::List((0..values.len()).map(|place| cell(&values, place)).collect::<Result<_, _>>()?)
        }};
    }
    if column.is_null(row) {
        return Ok(Json::Null);
    }
    let text = |text: &str| Json::Text(text.to_string().into());
    let float = |x: f64| if x.is_finite() { Json::Float(x) } else { Json::Text(x.to_string().into()) };
    Ok(match column.data_type() {
        DataType::Null => Json::Null,
        DataType::Utf8 => text(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(column.as_string::<i64>().value(row)),
        DataType::Utf8View => text(column.as_string_view().value(row)),
        DataType::Boolean => Json::Bool(column.as_boolean().value(row)),
        DataType::Int8 => whole!(Int8Type),
        DataType::Int16 => whole!(Int16Type),
        DataType::Int32 => whole!(Int32Type),
        DataType::Int64 => whole!(Int64Type),
        DataType::UInt8 => whole!(UInt8Type),
        DataType::UInt16 => whole!(UInt16Type),
        DataType::UInt32 => whole!(UInt32Type),
        DataType::UInt64 => whole!(UInt64Type),
        DataType::Float32 => float(column.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => float(column.as_primitive::<Float64Type>().value(row)),
        DataType::List(_) => list!(i32),
        DataType::LargeList(_) => list!(i64),
        other => {
            let expected = "a column of texts, numbers, booleans or lists of them";
            return Err(Defect::new("bad_record", expected).value(other.to_string()));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_knows_its_first_line_and_its_cells() {
        let table = csv("a,b\n\n\"x\ny\",1\n2\n").expect("a table");
        let lines: Vec<(u64, bool)> = table.rows.iter().map(|row| (row.line, row.defect.is_some())).collect();
        assert_eq!((table.columns.len(), lines), (2, vec![(3, false), (5, true)]));
        assert_eq!(table.rows[0].cells.get("a").and_then(Json::text), Some("x\ny"));
        assert!(table.require(&["b"]).is_ok() && table.require(&["c"]).is_err());
    }

    #[test]
    fn what_is_no_parquet_is_refused() {
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, b"PAR1 and no more").expect("bytes");
        assert_eq!(parquet(file).err().map(|defect| defect.code), Some("bad_record".into()));
    }
}

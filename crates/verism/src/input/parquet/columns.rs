//! The values of a column of a row group as texts, some rows at a time.

use std::borrow::Cow;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};

use super::kind::Kind;
use super::unreadable;
use crate::error::Defect;
use crate::input::jsonl::python_float;

/// A column that is read as texts.
pub(super) trait Texts {
    /// The texts of the next rows; a null is an empty one.
    fn next(&mut self, rows: usize) -> Result<Vec<Cow<'_, str>>, Defect>;
}

/// Reads the values of a column as texts.
pub(super) fn texts(kind: Kind, reader: ColumnReader) -> Result<Box<dyn Texts>, Defect> {
    use ColumnReader as Of;
    Ok(match (kind, reader) {
        (Kind::Nothing, _) => Box::new(Nothing),
        (Kind::Text, Of::ByteArrayColumnReader(reader)) => column(reader, utf8),
        (Kind::Bool, Of::BoolColumnReader(reader)) => {
            column(reader, |truth| Ok(Cow::Borrowed(if *truth { "true" } else { "false" })))
        }
        (Kind::Signed, Of::Int32ColumnReader(reader)) => column(reader, |n| Ok(n.to_string().into())),
        (Kind::Signed, Of::Int64ColumnReader(reader)) => column(reader, |n| Ok(n.to_string().into())),
        (Kind::Unsigned, Of::Int32ColumnReader(reader)) => column(reader, |n| Ok((*n as u32).to_string().into())),
        (Kind::Unsigned, Of::Int64ColumnReader(reader)) => column(reader, |n| Ok((*n as u64).to_string().into())),
        (Kind::Float, Of::FloatColumnReader(reader)) => column(reader, |x| Ok(python_float((*x).into()).into())),
        (Kind::Float, Of::DoubleColumnReader(reader)) => column(reader, |x| Ok(python_float(*x).into())),
        _ => return Err(unreadable()),
    })
}

fn utf8(bytes: &ByteArray) -> Result<Cow<'_, str>, Defect> {
    simdutf8::basic::from_utf8(bytes.data()).map(Cow::Borrowed).map_err(|_| unreadable())
}

/// A column of nulls.
struct Nothing;

impl Texts for Nothing {
    fn next(&mut self, rows: usize) -> Result<Vec<Cow<'_, str>>, Defect> {
        Ok(vec![Cow::Borrowed(""); rows])
    }
}

/// The text of a value.
type Show<T> = fn(&T) -> Result<Cow<'_, str>, Defect>;

struct Column<T: DataType> {
    reader: ColumnReaderImpl<T>,
    show: Show<T::T>,
    /// The values of the rows at hand that are not null.
    values: Vec<T::T>,
    /// Of each row 1 if it has a value, 0 if it is null; empty if the column has no nulls.
    levels: Vec<i16>,
}

fn column<T: DataType>(reader: ColumnReaderImpl<T>, show: Show<T::T>) -> Box<dyn Texts>
where
    ColumnReaderImpl<T>: 'static,
{
    Box::new(Column { reader, show, values: vec![], levels: vec![] })
}

impl<T: DataType> Texts for Column<T> {
    fn next(&mut self, rows: usize) -> Result<Vec<Cow<'_, str>>, Defect> {
        self.values.clear();
        self.levels.clear();
        let read = self.reader.read_records(rows, Some(&mut self.levels), None, &mut self.values);
        let (records, _, _) = read.map_err(|_| unreadable())?;
        if records != rows {
            return Err(unreadable());
        }
        let mut values = self.values.iter().map(self.show);
        if self.levels.is_empty() {
            return values.collect();
        }
        let text = |level: &i16| match level {
            0 => Ok(Cow::Borrowed("")),
            _ => values.next().unwrap_or_else(|| Err(unreadable())),
        };
        self.levels.iter().map(text).collect()
    }
}

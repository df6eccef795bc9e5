//! Tables of a suite: typed cells, written as CSV and as JSON objects.

use super::json;
pub use crate::text::number::python_repr;

/// A cell of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Undefined, unknown or not applicable: an empty cell, null in JSON.
    Empty,
    /// Text.
    Text(&'a str),
    /// A count or another whole number.
    Int(i128),
    /// A finite number.
    Float(f64),
    /// Yes or no.
    Bool(bool),
    /// A list or an object, as JSON text.
    Json(&'a str),
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(text)
    }
}

impl From<f64> for Cell<'_> {
    fn from(x: f64) -> Self {
        Cell::Float(x)
    }
}

impl From<bool> for Cell<'_> {
    fn from(x: bool) -> Self {
        Cell::Bool(x)
    }
}

impl From<u64> for Cell<'_> {
    fn from(x: u64) -> Self {
        Cell::Int(x.into())
    }
}

impl From<i64> for Cell<'_> {
    fn from(x: i64) -> Self {
        Cell::Int(x.into())
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// How a table is written: line ends and the form of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// LF, numbers as in JSON.
    Plain,
    /// CRLF, numbers as CPython prints them; what `csv.writer` with `repr` gives.
    Python,
}

impl Dialect {
    fn line_end(self) -> &'static [u8] {
        match self {
            Dialect::Plain => b"\n",
            Dialect::Python => b"\r\n",
        }
    }
}

/// Appends a line of CSV.
pub fn push_csv(out: &mut Vec<u8>, cells: &[Cell<'_>], dialect: Dialect) {
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        match cell {
            Cell::Empty => {}
            Cell::Text(text) | Cell::Json(text) => push_csv_text(out, text),
            Cell::Int(x) => json::push(out, x),
            Cell::Bool(x) => json::push(out, x),
            Cell::Float(x) if dialect == Dialect::Python => out.extend_from_slice(python_repr(*x).as_bytes()),
            Cell::Float(x) => json::push_float(out, *x),
        }
    }
    out.extend_from_slice(dialect.line_end());
}

fn push_csv_text(out: &mut Vec<u8>, text: &str) {
    if text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Appends a row as a JSON object with the columns as keys.
pub fn push_json(out: &mut Vec<u8>, columns: &[String], cells: &[Cell<'_>]) {
    out.push(b'{');
    for (column, cell) in columns.iter().zip(cells) {
        match cell {
            Cell::Empty => json::push_field(out, column, &()),
            Cell::Text(text) => json::push_field(out, column, text),
            Cell::Int(x) => json::push_field(out, column, x),
            Cell::Float(x) => json::push_field(out, column, x),
            Cell::Bool(x) => json::push_field(out, column, x),
            Cell::Json(text) => json::push_raw_field(out, column, text),
        }
    }
    out.extend_from_slice(b"}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut out = vec![];
        push_csv(&mut out, &["a,b".into(), "say \"x\"".into(), Cell::Empty, 3_u64.into(), 1.0.into()], Dialect::Plain);
        assert_eq!(out, b"\"a,b\",\"say \"\"x\"\"\",,3,1.0\n");
    }

    #[test]
    fn a_row_is_an_object() {
        let mut out = vec![];
        push_json(&mut out, &["a".into(), "b".into(), "c".into()], &[Cell::Empty, "x".into(), 0.5.into()]);
        assert_eq!(out, b"{\"a\":null,\"b\":\"x\",\"c\":0.5}\n");
    }
}

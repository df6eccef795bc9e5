//! A result in memory: score rows, tables and lists as values.

use std::io::{self, Write};

use super::json;
use super::table::{Cell, push_json};

/// A finished result that no folder holds.
#[derive(Debug, Default)]
pub struct Results {
    /// Tables in the order in which they were begun.
    pub tables: Vec<TableData>,
    /// Lists of JSON objects such as `events` and `errors`, in the order in which they were begun.
    pub lists: Vec<ListData>,
    /// Single objects such as `catalog`: name and JSON.
    pub objects: Vec<(String, String)>,
    /// Score rows as lines of JSON.
    pub scores: Vec<u8>,
}

/// A table in memory.
#[derive(Clone, Debug, Default)]
pub struct TableData {
    /// Its name.
    pub name: String,
    /// Its columns; all have the same number of values.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values from the first row to the last.
    pub values: Vec<Value>,
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Undefined, unknown or not applicable.
    Empty,
    /// Text.
    Text(String),
    /// A whole number.
    Int(i128),
    /// A finite number.
    Float(f64),
    /// Yes or no.
    Bool(bool),
    /// A list or an object, as JSON text.
    Json(String),
}

impl From<&Cell<'_>> for Value {
    fn from(cell: &Cell<'_>) -> Value {
        match cell {
            Cell::Empty => Value::Empty,
            Cell::Text(text) => Value::Text(text.to_string()),
            Cell::Int(x) => Value::Int(*x),
            Cell::Float(x) => Value::Float(*x),
            Cell::Bool(x) => Value::Bool(*x),
            Cell::Json(text) => Value::Json(text.to_string()),
        }
    }
}

impl Value {
    /// The value as a cell.
    pub fn cell(&self) -> Cell<'_> {
        match self {
            Value::Empty => Cell::Empty,
            Value::Text(text) => Cell::Text(text),
            Value::Int(x) => Cell::Int(*x),
            Value::Float(x) => Cell::Float(*x),
            Value::Bool(x) => Cell::Bool(*x),
            Value::Json(text) => Cell::Json(text),
        }
    }
}

impl TableData {
    /// A table without rows.
    pub fn new(name: &str, columns: &[String]) -> TableData {
        let column = |name: &String| Column { name: name.clone(), values: vec![] };
        TableData { name: name.to_string(), columns: columns.iter().map(column).collect() }
    }

    /// Appends a row.
    pub fn push(&mut self, cells: &[Cell<'_>]) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.values.push(cell.into());
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of a column, if there is one of that name.
    pub fn column(&self, name: &str) -> Option<&[Value]> {
        self.columns.iter().find(|column| column.name == name).map(|column| column.values.as_slice())
    }

    /// The rows as lines of JSON.
    fn push_lines(&self, out: &mut Vec<u8>) {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        for row in 0..self.len() {
            let cells: Vec<Cell<'_>> = self.columns.iter().map(|column| column.values[row].cell()).collect();
            push_json(out, &names, &cells);
        }
    }
}

/// A list of JSON objects in memory.
#[derive(Clone, Debug, Default)]
pub struct ListData {
    /// Its name.
    pub name: String,
    /// Its objects, one per line.
    pub lines: Vec<u8>,
}

impl Results {
    /// A table by name.
    pub fn table(&self, name: &str) -> Option<&TableData> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// A list by name.
    pub fn list(&self, name: &str) -> Option<&ListData> {
        self.lists.iter().find(|list| list.name == name)
    }

    /// Writes everything as one JSON document. `head` are its first keys, `tail` its last, as JSON texts.
    pub fn write_document(&self, out: &mut impl Write, head: &[(&str, &str)], tail: &[(&str, &str)]) -> io::Result<()> {
        let mut lead = '{';
        for (key, value) in head {
            write!(out, "{lead}\n{}: {value}", json::text(key))?;
            lead = ',';
        }
        write!(out, "{lead}\n\"tables\": {{")?;
        let mut lines = vec![];
        for (i, table) in self.tables.iter().enumerate() {
            write!(out, "{}\n {}: ", if i > 0 { "," } else { "" }, json::text(&table.name))?;
            lines.clear();
            table.push_lines(&mut lines);
            write_array(out, &lines)?;
        }
        write!(out, "}}")?;
        for (name, object) in &self.objects {
            write!(out, ",\n{}: {object}", json::text(name))?;
        }
        let lists = self.lists.iter().map(|list| (list.name.as_str(), list.lines.as_slice()));
        for (name, lines) in lists.chain([("scores", self.scores.as_slice())]) {
            write!(out, ",\n{}: ", json::text(&name))?;
            write_array(out, lines)?;
        }
        for (key, value) in tail {
            write!(out, ",\n{}: {value}", json::text(key))?;
        }
        writeln!(out, "\n}}")
    }
}

/// Writes lines of JSON as one array.
fn write_array(out: &mut impl Write, lines: &[u8]) -> io::Result<()> {
    write!(out, "[")?;
    for (i, line) in lines.split(|b| *b == b'\n').filter(|line| !line.is_empty()).enumerate() {
        write!(out, "{}", if i > 0 { ",\n  " } else { "\n  " })?;
        out.write_all(line)?;
    }
    write!(out, "]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_holds_every_part() {
        let mut table = TableData::new("t", &["a".into(), "b".into()]);
        table.push(&["x".into(), 0.5.into()]);
        table.push(&[Cell::Empty, Cell::Json("[1]")]);
        let list = ListData { name: "errors".into(), lines: b"{\"code\":1}\n".to_vec() };
        let results = Results {
            tables: vec![table],
            lists: vec![list],
            objects: vec![("notes".into(), "{\"n\":2}".into())],
            scores: b"{\"m\":1}\n{\"m\":2}\n".to_vec(),
        };
        let mut out = vec![];
        results.write_document(&mut out, &[("suite", "\"s\"")], &[("ledger", "[]")]).expect("memory");
        let document: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
        let expected = serde_json::json!({
            "suite": "s", "tables": {"t": [{"a": "x", "b": 0.5}, {"a": null, "b": [1]}]}, "notes": {"n": 2},
            "errors": [{"code": 1}], "scores": [{"m": 1}, {"m": 2}], "ledger": [],
        });
        assert_eq!(document, expected);
        assert_eq!(results.table("t").and_then(|table| table.column("b")).map(<[Value]>::len), Some(2));
    }
}

//! Rows of a CSV or Parquet table as JSON objects: what a catalog and a table of turns are read from.

use std::borrow::Cow;
use std::fs::File;

use rustc_hash::FxHashMap;

use crate::error::Defect;
use crate::input::csv::{After, Found, Scanner};
use crate::input::value::Json;
use crate::input::{FIELDS_OF_A_ROW, Held, Limits, Wanted, parquet_rows};

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
pub(crate) fn csv(text: &str, limits: Limits) -> Result<TableRows, Defect> {
    let mut scanner = Scanner::new(text, After::End).keeping(limits.fields);
    let mut fields = vec![];
    let mut columns: Option<Vec<String>> = None;
    let mut rows = vec![];
    let mut left = limits.fields;
    loop {
        let line = match scanner.next(&mut fields) {
            Found::Nothing => break,
            Found::Record(line) => line + 1,
            Found::Unfinished(line, _) => {
                return Err(Defect::new("bad_record", "a closing quote").line(line + 1));
            }
        };
        // All cells of the table are held at the same time.
        left = left
            .checked_sub(scanner.count.max(FIELDS_OF_A_ROW))
            .ok_or_else(|| limits.too_wide(limits.fields + 1).line(line))?;
        let cells = fields.iter().map(|field| field.text(text).into_owned());
        let Some(columns) = &columns else {
            columns = Some(cells.collect());
            continue;
        };
        let defect = (fields.len() != columns.len()).then(|| {
            let defect = Defect::new("bad_record", format!("{} cells", columns.len())).line(line);
            defect.value(fields.len().to_string())
        });
        // A row that is too short lacks its last cells.
        let entry = |(column, text): (&String, String)| (Cow::Owned(column.clone()), Json::Text(text.into()));
        let cells = Json::Object(once(columns.iter().zip(cells).map(entry).collect()));
        rows.push(TableRow { line, cells, defect });
    }
    Ok(TableRows { columns: columns.unwrap_or_default(), rows })
}

type Entries = Vec<(Cow<'static, str>, Json<'static>)>;

/// The entries with the last of each name at the place of the first.
fn once(entries: Entries) -> Entries {
    let mut places: FxHashMap<Cow<'static, str>, usize> = FxHashMap::default();
    let mut out: Entries = Vec::with_capacity(entries.len());
    for (name, value) in entries {
        let next = out.len();
        match *places.entry(name.clone()).or_insert(next) {
            place if place < next => out[place].1 = value,
            _ => out.push((name, value)),
        }
    }
    out
}

/// Reads a Parquet file with columns of texts, numbers, booleans, lists and objects of them.
pub(crate) fn parquet(file: File, limits: Limits) -> Result<TableRows, Defect> {
    let mut rows = vec![];
    let columns = parquet_rows(file, Wanted::All, Held::Table, limits, &mut |line, row| {
        let Json::Object(mut entries) = row else { return Ok(()) };
        entries.iter_mut().for_each(|(_, value)| spell(value));
        rows.push(TableRow { line, cells: Json::Object(once(entries)), defect: None });
        Ok(())
    });
    let columns = columns.map_err(|defect| match defect.code.as_ref() {
        "too_large" => defect,
        "unsupported" => Defect { code: "bad_record".into(), ..defect },
        _ => Defect::new("bad_record", "a Parquet file").value("something else"),
    })?;
    Ok(TableRows { columns, rows })
}

/// A number that JSON has no form for is its text.
fn spell(value: &mut Json<'static>) {
    match value {
        Json::Float(x) if !x.is_finite() => *value = Json::Text(x.to_string().into()),
        Json::List(items) => items.iter_mut().for_each(spell),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_knows_its_first_line_and_its_cells() {
        let table = csv("a,b\n\n\"x\ny\",1\n2\n", Limits::default()).expect("a table");
        let lines: Vec<(u64, bool)> = table.rows.iter().map(|row| (row.line, row.defect.is_some())).collect();
        assert_eq!((table.columns.len(), lines), (2, vec![(3, false), (5, true)]));
        assert_eq!(table.rows[0].cells.get("a").and_then(Json::text), Some("x\ny"));
        assert!(table.require(&["b"]).is_ok() && table.require(&["c"]).is_err());
    }

    #[test]
    fn what_is_no_parquet_is_refused() {
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, b"PAR1 and no more").expect("bytes");
        assert_eq!(parquet(file, Limits::default()).err().map(|defect| defect.code), Some("bad_record".into()));
    }
}

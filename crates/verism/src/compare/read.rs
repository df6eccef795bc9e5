//! Score tables from text: CSV with a header, or JSON lines.

use std::collections::HashMap;

use super::error::BadRow;
use super::field::{COLUMNS, Field, Fields, Record, VALUE};
use super::names::{Id, Interner, Names};
use super::row::{Columns, Place, Row, place};
use crate::input::csv::{After, Found, Scanner};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    JsonLines,
}

/// A table that grows file by file.
#[derive(Debug, Default)]
pub struct Reader {
    interner: Interner,
    rows: Vec<Row>,
    seen: HashMap<[Id; 8], (u32, u64)>,
    files: Vec<String>,
    problems: Vec<BadRow>,
}

/// A complete table: rows whose ids sort like their text, and what was rejected.
#[derive(Debug, Default)]
pub struct Table {
    pub names: Names,
    pub rows: Vec<Row>,
    pub rejected: Vec<BadRow>,
}

impl Reader {
    /// Adds the rows of a file. With a label its experiments are renamed: to the label if there is one, else `label/name`.
    pub fn add(&mut self, file: &str, text: &str, format: Format, label: Option<&str>) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut broken, mut wrong) = (Vec::new(), Vec::new());
        let mut mine: Vec<(u64, Row)> = Vec::new();
        let mut last = [Id::NONE; 9];
        let mut take = |interner: &mut Interner, line: u64, fields: &Fields| match row(
            interner,
            &mut last,
            fields,
            format == Format::Csv,
        ) {
            Ok(row) => mine.push((line, row)),
            Err((field, expected)) => wrong.push(bad(file, line, field, expected)),
        };
        match format {
            Format::Csv => read_csv(file, text, &mut broken, |line, fields| take(&mut self.interner, line, fields)),
            Format::JsonLines => {
                read_lines(file, text, &mut broken, |line, fields| take(&mut self.interner, line, fields))
            }
        }
        if let Some(label) = label {
            self.rename(&mut mine, label);
        }
        self.problems.extend(broken);
        self.problems.extend(wrong);
        self.keep_unique(file, mine);
    }

    fn rename(&mut self, rows: &mut [(u64, Row)], label: &str) {
        let first = rows.first().map(|(_, row)| row.experiment);
        let single = rows.iter().all(|(_, row)| Some(row.experiment) == first);
        for (_, row) in rows {
            let renamed =
                if single { label.to_string() } else { format!("{label}/{}", self.interner.text(row.experiment)) };
            row.experiment = self.interner.id(&renamed);
        }
    }

    fn keep_unique(&mut self, file: &str, rows: Vec<(u64, Row)>) {
        let number = self.files.len() as u32;
        self.files.push(file.to_string());
        self.seen.reserve(rows.len());
        for (line, row) in rows {
            let Row { suite, metric, experiment, level, run, case, dialogue, turn, .. } = row;
            let key = [suite, metric, experiment, level, run, case, dialogue, turn];
            if let Some((first, at)) = self.seen.get(&key) {
                let expected = format!("a unique row; it repeats {} line {at}", self.files[*first as usize]);
                self.problems.push(bad(file, line, "record", expected));
                continue;
            }
            self.seen.insert(key, (number, line));
            self.rows.push(row);
        }
    }

    /// Compares experiments named `a/b/…` along part k: the other parts go in front of the case id.
    pub fn along_factor(&mut self, k: usize) -> Result<(), String> {
        let mut parts_of: HashMap<(Id, Id), (Id, Id)> = HashMap::new();
        for row in &mut self.rows {
            let key = (row.experiment, row.case);
            if let Some((experiment, case)) = parts_of.get(&key) {
                (row.experiment, row.case) = (*experiment, *case);
                continue;
            }
            let experiment = self.interner.text(row.experiment).to_string();
            let mut parts: Vec<&str> = experiment.split('/').collect();
            if parts.len() < k {
                return Err(format!("a part that every experiment's name has; {experiment:?} has no part {k}"));
            }
            let chosen = parts.remove(k - 1);
            let case = self.interner.text(row.case).to_string();
            if !case.is_empty() {
                parts.push(&case);
            }
            (row.experiment, row.case) = (self.interner.id(chosen), self.interner.id(&parts.join("/")));
            parts_of.insert(key, (row.experiment, row.case));
        }
        Ok(())
    }

    /// Gives the first problem, if any.
    pub fn first_problem(&self) -> Option<&BadRow> {
        self.problems.first()
    }

    /// Gives the complete table.
    pub fn finish(self) -> Table {
        let (names, place) = self.interner.finish();
        let mut rows = self.rows;
        for row in &mut rows {
            let Row { suite, metric, experiment, level, run, case, dialogue, turn, reason, .. } = row;
            for id in [suite, metric, experiment, level, run, case, dialogue, turn, reason] {
                *id = place(*id);
            }
        }
        Table { names, rows, rejected: self.problems }
    }
}

fn bad(file: &str, line: u64, field: &str, expected: impl Into<String>) -> BadRow {
    BadRow { file: file.to_string(), line, field: field.to_string(), expected: expected.into() }
}

/// Makes a row of its fields, or says which field is wrong and what was expected. `last` holds the ids of the row before.
fn row(
    interner: &mut Interner,
    last: &mut [Id; 9],
    fields: &Fields,
    from_csv: bool,
) -> Result<Row, (&'static str, String)> {
    let mut texts = [""; VALUE];
    for (at, text) in texts.iter_mut().enumerate() {
        *text = fields[at].id().ok_or((COLUMNS[at], "text or an integer".to_string()))?;
    }
    let [suite, metric, experiment, run, case, level, unit, dialogue, turn] = texts;
    for (name, text) in [("metric", metric), ("experiment", experiment)] {
        if text.is_empty() {
            return Err((name, "a non-empty name".to_string()));
        }
    }
    let value = fields[VALUE].value(from_csv).ok_or(("value", "a finite number or empty".to_string()))?;
    let given = |at: usize| fields[at].id().filter(|text| !text.is_empty());
    let reason = given(VALUE + 1).or(given(VALUE + 2)).unwrap_or("unspecified");
    let Place { level, dialogue, turn } =
        place(&Columns { level, unit, dialogue, turn, case, run }).map_err(|expected| ("unit", expected))?;
    let reason = if value.is_none() { reason } else { "" };
    let texts = [suite, metric, experiment, level, run, case, dialogue, turn, reason];
    for (id, text) in last.iter_mut().zip(texts) {
        interner.id_after(id, text);
    }
    let [suite, metric, experiment, level, run, case, dialogue, turn, reason] = *last;
    Ok(Row { suite, metric, experiment, level, run, case, dialogue, turn, value, reason })
}

fn read_lines(file: &str, text: &str, broken: &mut Vec<BadRow>, mut take: impl FnMut(u64, &Fields)) {
    for (line, content) in (1..).zip(text.split('\n')) {
        if content.trim().is_empty() {
            continue;
        }
        let quoted;
        let record = match serde_json::from_str::<Record>(content) {
            Ok(record) => Some(record),
            Err(_) => {
                quoted = quote_non_numbers(content);
                serde_json::from_str::<Record>(&quoted).ok()
            }
        };
        match record {
            Some(Record(fields)) => take(line, &fields),
            None => broken.push(bad(file, line, "record", "a JSON object")),
        }
    }
}

/// Puts NaN and Infinity, which JSON does not know, in quotes, so that the field they stand in can be named.
fn quote_non_numbers(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let (mut rest, mut in_text) = (line, false);
    while let Some(first) = rest.chars().next() {
        let word = ["NaN", "-Infinity", "Infinity"].into_iter().find(|word| !in_text && rest.starts_with(word));
        let taken = match word {
            Some(word) => {
                out.extend(['"', '?', '"']);
                word.len()
            }
            None if in_text && first == '\\' => {
                let escaped = first.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..escaped]);
                escaped
            }
            None => {
                in_text ^= first == '"';
                out.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    out
}

fn read_csv(file: &str, text: &str, broken: &mut Vec<BadRow>, mut take: impl FnMut(u64, &Fields)) {
    let mut scanner = Scanner::new(text, After::End);
    let mut spans = Vec::new();
    let header: Vec<String> = match scanner.next(&mut spans) {
        Found::Record(_) => spans.iter().map(|span| span.text(text).into_owned()).collect(),
        Found::Nothing | Found::Unfinished(..) => Vec::new(),
    };
    let missing: Vec<&str> =
        ["metric", "experiment", "value"].into_iter().filter(|name| !header.iter().any(|h| h == name)).collect();
    if !missing.is_empty() {
        broken.extend(missing.iter().map(|name| bad(file, 1, name, "a column of this name")));
        return;
    }
    let columns: Vec<Option<usize>> = header.iter().map(|h| COLUMNS.iter().position(|column| column == h)).collect();
    loop {
        let line = match scanner.next(&mut spans) {
            Found::Record(line) => line + 1,
            Found::Nothing => return,
            Found::Unfinished(line, _) => {
                broken.push(bad(file, line + 1, "record", "a closing quote"));
                return;
            }
        };
        if spans.len() != header.len() {
            broken.push(bad(file, line, "record", format!("{} fields, got {}", header.len(), spans.len())));
            continue;
        }
        let mut fields = Fields::default();
        for (column, span) in columns.iter().zip(&spans) {
            if let Some(at) = column {
                fields[*at] = Field::Text(span.text(text));
            }
        }
        take(line, &fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: Format) -> Table {
        let mut reader = Reader::default();
        reader.add("t", text, format, None);
        reader.finish()
    }

    #[test]
    fn both_formats_give_the_same_rows() {
        let csv = "metric,experiment,case,value,undefined\nm,a,c1,0.5,\nm,a,2,,not_applicable\n";
        let lines = "{\"metric\":\"m\",\"experiment\":\"a\",\"case\":\"c1\",\"value\":0.5}\n\n\
                     {\"metric\":\"m\",\"experiment\":\"a\",\"case\":2,\"value\":null,\"undefined\":\"not_applicable\",\"evidence\":{}}";
        for (text, format) in [(csv, Format::Csv), (lines, Format::JsonLines)] {
            let table = read(text, format);
            assert!(table.rejected.is_empty());
            assert_eq!(table.rows[0].value, Some(0.5));
            assert_eq!(table.names.text(table.rows[1].reason), "not_applicable");
            assert_eq!(table.names.text(table.rows[1].case), "2");
        }
    }

    #[test]
    fn problems_name_line_and_field() {
        let cases = [
            ("metric,experiment,value\nm,a,0.5\nm,b,mid\n", Format::Csv, (3, "value")),
            ("metric,experiment,value\nm,a,inf\n", Format::Csv, (2, "value")),
            ("metric,experiment\nm,a\n", Format::Csv, (1, "value")),
            ("metric,experiment,value\nm,a\n", Format::Csv, (2, "record")),
            ("metric,experiment,value\n,a,1\n", Format::Csv, (2, "metric")),
            ("{\"metric\":\"m\",\"experiment\":\"a\",\"value\":NaN}", Format::JsonLines, (1, "value")),
            ("{\"metric\":\"m\",\"experiment\":\"a\",\"value\":\"0.5\"}", Format::JsonLines, (1, "value")),
            ("{\"metric\":\"m\",\"experiment\":\"a\",\"value\":true}", Format::JsonLines, (1, "value")),
            ("{\"metric\":\"m\",\"experiment\":[],\"value\":1}", Format::JsonLines, (1, "experiment")),
            ("[1]", Format::JsonLines, (1, "record")),
        ];
        for (text, format, (line, field)) in cases {
            let rejected = read(text, format).rejected;
            assert_eq!((rejected[0].line, rejected[0].field.as_str()), (line, field), "{text}");
        }
        assert_eq!(read("", Format::Csv).rejected.len(), 3);
    }

    #[test]
    fn a_repeated_row_names_the_first() {
        let table = read("metric,experiment,value\nm,a,1\nm,a,2\n", Format::Csv);
        assert!(table.rejected[0].expected.contains("t line 2"));
        assert_eq!(table.rows.len(), 1);
    }

    #[test]
    fn labels_and_factors_rename_experiments() {
        let mut reader = Reader::default();
        reader.add("t", "metric,experiment,value\nm,a,1\nm,b,2\n", Format::Csv, Some("new"));
        reader.along_factor(2).unwrap();
        assert!(reader.along_factor(3).is_err());
        let table = reader.finish();
        let shown: Vec<_> =
            table.rows.iter().map(|r| (table.names.text(r.experiment), table.names.text(r.case))).collect();
        assert_eq!(shown, [("a", "new"), ("b", "new")]);
    }

    #[test]
    fn words_in_quotes_stay() {
        assert_eq!(quote_non_numbers(r#"{"NaN":NaN,"a\"NaN":-Infinity}"#), r#"{"NaN":"?","a\"NaN":"?"}"#);
    }
}

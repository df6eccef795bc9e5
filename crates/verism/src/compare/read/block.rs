//! Rows of one block of a score table: CSV or JSON lines in, ids and values out.

use crate::compare::read::bad_row::BadRow;
use crate::compare::read::evidence::Evidence;
use crate::compare::read::field::{CLUSTER, COLUMNS, Field, Fields, PARTS, VALUE, record};
use crate::compare::read::names::{Id, Interner};
use crate::compare::read::row::{Columns, Row, RowPlace, place};
use crate::input::csv::{After, Found, Scanner};

/// The rows of a block, with ids of its own and lines counted from the block's first.
#[derive(Default)]
pub(crate) struct Block {
    pub interner: Interner,
    pub rows: Vec<(u64, Row)>,
    /// Records that are none.
    pub broken: Vec<BadRow>,
    /// Records with a field that cannot be used.
    pub wrong: Vec<BadRow>,
    /// How many lines the block holds.
    pub lines: u64,
}

/// The ids of the row before, which are often those of the next.
pub(super) type Last = [Id; 11];

impl Block {
    /// A block whose rows need not move while their number grows.
    fn with_room_for(text: &str) -> Block {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        Block { rows: Vec::with_capacity(lines + 1), lines: lines as u64, ..Block::default() }
    }

    /// Reads JSON lines; `cluster` is the column that was asked for.
    pub(crate) fn of_lines(text: &str, cluster: Option<&str>) -> Block {
        let mut block = Block::with_room_for(text);
        let mut last = Last::default();
        for (line, content) in (0..).zip(text.split('\n')) {
            if content.trim().is_empty() {
                continue;
            }
            let quoted;
            let record = match record(content, cluster) {
                Ok(record) => Some(record),
                Err(_) => {
                    quoted = quote_non_numbers(content);
                    record(&quoted, cluster).ok()
                }
            };
            match record {
                Some(fields) => block.take(&mut last, line, &fields, false),
                None => block.broken.push(BadRow::at(line, "record", "a JSON object")),
            }
        }
        block
    }

    /// Reads CSV records below a header.
    pub(crate) fn of_csv(text: &str, header: &Header) -> Block {
        let mut block = Block::with_room_for(text);
        let mut scanner = Scanner::new(text, After::End);
        let (mut spans, mut last) = (Vec::new(), Last::default());
        loop {
            let line = match scanner.next(&mut spans) {
                Found::Record(line) => line,
                Found::Nothing => break,
                Found::Unfinished(line, _) => {
                    block.broken.push(BadRow::at(line, "record", "a closing quote"));
                    break;
                }
            };
            if spans.len() != header.0.len() {
                let expected = format!("{} fields, got {}", header.0.len(), spans.len());
                block.broken.push(BadRow::at(line, "record", expected));
                continue;
            }
            let mut fields = Fields::default();
            for (column, span) in header.0.iter().zip(&spans) {
                match column {
                    Some(PARTS) => fields[PARTS] = Evidence::of_cell(&span.text(text)),
                    Some(at) => fields[*at] = Field::Text(span.text(text)),
                    None => {}
                }
            }
            block.take(&mut last, line, &fields, true);
        }
        block.lines = scanner.lines;
        block
    }

    pub(super) fn take(&mut self, last: &mut Last, line: u64, fields: &Fields, from_csv: bool) {
        match row(&mut self.interner, last, fields, from_csv) {
            Ok(row) => self.rows.push((line, row)),
            Err((field, expected)) => {
                let found = COLUMNS.iter().position(|column| *column == field).and_then(|at| fields[at].shown());
                self.wrong.push(BadRow { found, ..BadRow::at(line, field, expected) });
            }
        }
    }
}

/// For each column of a CSV table the field it fills, if any.
pub(crate) struct Header(Vec<Option<usize>>);

impl Header {
    /// Reads the header; gives it with its text and its number of lines, or the columns that are missing or stand there twice.
    pub(crate) fn of(text: &str, cluster: Option<&str>) -> Result<(Header, usize, u64), Vec<BadRow>> {
        let mut scanner = Scanner::new(text, After::End);
        let mut spans = Vec::new();
        let names: Vec<String> = match scanner.next(&mut spans) {
            Found::Record(_) => spans.iter().map(|span| span.text(text).into_owned()).collect(),
            Found::Nothing | Found::Unfinished(..) => Vec::new(),
        };
        let at = |column: &str| column_at(&names, column);
        let needed = ["metric", "experiment", "value"];
        let missing = needed.into_iter().filter(|name| at(name).is_none());
        let missing = missing.map(|name| missing_column(name, &names));
        let twice = |column: &&str| names.iter().filter(|name| name == column).count() > 1;
        let repeated =
            COLUMNS.into_iter().chain(cluster).filter(twice).map(|name| BadRow::at(0, name, "this column once"));
        let wrong: Vec<BadRow> = missing.chain(repeated).collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut columns = vec![None; names.len()];
        for (field, column) in COLUMNS.iter().enumerate() {
            if let Some(at) = at(column) {
                columns[at] = Some(field);
            }
        }
        for (field, column) in [(PARTS, Some("evidence")), (CLUSTER, cluster)] {
            if let Some(at) = column.and_then(at).filter(|at| columns[*at].is_none()) {
                columns[at] = Some(field);
            }
        }
        Ok((Header(columns), scanner.at, scanner.lines))
    }
}

/// Gives the place of a column: of that name, else of that name in any case.
pub(super) fn column_at(names: &[String], column: &str) -> Option<usize> {
    let same = names.iter().position(|name| name == column);
    same.or_else(|| names.iter().position(|name| name.trim().eq_ignore_ascii_case(column)))
}

/// The first names of many.
pub(super) fn few(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let more = names.len().saturating_sub(SHOWN);
    let shown = names[..names.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

fn missing_column(name: &str, found: &[String]) -> BadRow {
    let found = if found.is_empty() { "none".to_string() } else { few(found) };
    let expected = format!("a column of this name; needed: metric, experiment, value; found: {found}");
    let hint = "a table with a column for each metric is read with --wide experiment=COLUMN,case=COLUMN; \
                `verism docs compare` describes both forms";
    BadRow { hint: Some(hint.into()), ..BadRow::at(0, name, expected) }
}

/// Makes a row of its fields, or says which field is wrong and what was expected. `last` holds the ids of the row before.
fn row(
    interner: &mut Interner,
    last: &mut Last,
    fields: &Fields,
    from_csv: bool,
) -> Result<Row, (&'static str, String)> {
    let mut texts = [""; VALUE];
    for (at, text) in texts.iter_mut().enumerate() {
        *text = fields[at].id().ok_or_else(|| (COLUMNS[at], "text or an integer".to_string()))?;
    }
    let [suite, metric, experiment, run, case, level, unit, dialogue, turn] = texts;
    for (name, text) in [("metric", metric), ("experiment", experiment)] {
        if text.is_empty() {
            return Err((name, "a non-empty name".to_string()));
        }
    }
    let value = fields[VALUE].value(from_csv).ok_or_else(|| ("value", "a finite number or empty".to_string()))?;
    let given = |at: usize| fields[at].id().filter(|text| !text.is_empty());
    let reason = given(VALUE + 1).or(given(VALUE + 2)).unwrap_or("unspecified");
    let RowPlace { level, dialogue, turn } =
        place(&Columns { level, unit, dialogue, turn, case, run }).map_err(|expected| ("unit", expected))?;
    let reason = if value.is_none() { reason } else { "" };
    let cluster = fields[CLUSTER].id().ok_or_else(|| ("cluster", "text or an integer".to_string()))?;
    let parts = fields[PARTS].id().unwrap_or_default();
    let texts = [suite, metric, experiment, level, run, case, dialogue, turn, reason, cluster, parts];
    for (id, text) in last.iter_mut().zip(texts) {
        interner.id_after(id, text);
    }
    let [suite, metric, experiment, level, run, case, dialogue, turn, reason, cluster, parts] = *last;
    Ok(Row { suite, metric, experiment, level, run, case, dialogue, turn, value, reason, cluster, parts })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_stay() {
        assert_eq!(quote_non_numbers(r#"{"NaN":NaN,"a\"NaN":-Infinity}"#), r#"{"NaN":"?","a\"NaN":"?"}"#);
    }
}

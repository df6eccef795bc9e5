//! Tables as lists of records: CSV, Parquet.

use std::fs::File;
use std::path::Path;

use crate::error::Defect;
use crate::input::csv::{After, Found, Scanner, has_surplus};
use crate::input::value::Json;
use crate::input::{FIELDS_OF_A_ROW, Held, Limits, TakeRow, Wanted, parquet_rows, read_whole, repeated};
use crate::suites::humor::record::card::FIELDS;
use crate::suites::records::base_name;

/// A row with its line (of a Parquet file: its number).
type Rows = Vec<(u64, Json<'static>)>;

fn not_found(path: &Path) -> Defect {
    Defect::new("not_found", "a readable file").file(base_name(path))
}

/// The text of a file without a byte order mark.
pub(crate) fn text_of(path: &Path, limits: Limits) -> Result<String, Defect> {
    let bytes = read_whole(path, limits, |_| not_found(path))?;
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

/// What to do about a row of more cells than the header has.
pub(crate) const TOO_MANY: &str = "a text that holds a comma has to stand in double quotes";

/// A row of more cells than the header has, where they are not empty: a comma without quotes has cut a text in two.
pub(crate) fn too_many(columns: usize, cells: usize) -> Defect {
    Defect::new("bad_value", format!("{columns} cells")).value(cells.to_string()).hint(TOO_MANY)
}

/// What a field lacks because its column does, with the columns that there are.
pub(crate) fn no_column(defect: Defect, columns: &[impl AsRef<str>]) -> Defect {
    match &defect.field {
        Some(field) if defect.code == "missing_field" && !columns.iter().any(|name| name.as_ref() == field) => {
            let hint = format!(
                "there is no column `{field}`; the header names `{}`, and commas separate its columns",
                columns.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("`, `")
            );
            defect.hint(hint)
        }
        _ => defect,
    }
}

/// The rows of a CSV text as pairs of column and cell; a row may be shorter than the header, or longer by empty cells.
pub(crate) fn csv_cells(
    text: &str,
    limits: Limits,
    mut take: impl FnMut(u64, Result<&[(String, String)], Defect>),
) -> Result<(), Defect> {
    let mut scanner = Scanner::new(text, After::End).keeping(limits.fields);
    let mut fields = vec![];
    let mut left = limits.fields;
    let mut header: Option<Vec<String>> = None;
    loop {
        match scanner.next(&mut fields) {
            Found::Record(line) => {
                // Whoever takes them holds all rows at the same time.
                let more = left.checked_sub(scanner.count.max(FIELDS_OF_A_ROW));
                left = more.ok_or_else(|| limits.too_wide(limits.fields + 1).line(line + 1))?;
                let cells = fields.iter().map(|field| field.text(text).into_owned());
                match &header {
                    None => {
                        let columns: Vec<String> = cells.collect();
                        if let Some(twice) = repeated(&columns) {
                            return Err(twice.line(line + 1));
                        }
                        header = Some(columns);
                    }
                    Some(header) if has_surplus(&fields, header.len(), text) => {
                        take(line + 1, Err(too_many(header.len(), fields.len())));
                    }
                    Some(header) => take(line + 1, Ok(&header.iter().cloned().zip(cells).collect::<Vec<_>>())),
                }
            }
            Found::Nothing => return Ok(()),
            Found::Unfinished(line, _) => {
                let lines = text.lines().count() as u64 - line;
                let hint = format!(
                    "a quote that opens in this record never closes; the file may be cut off. From here to its end: {lines} line(s)"
                );
                take(line + 1, Err(Defect::new("bad_input", "a closing double quote").line(line + 1).hint(hint)));
                return Ok(());
            }
        }
    }
}

fn damaged() -> Defect {
    Defect::new("bad_input", "a whole Parquet file").hint("the file is damaged or was cut off; write it anew")
}

/// Hands on the rows of a Parquet file; of the columns wanted, or all if none are named.
pub(crate) fn each_row(
    path: &Path,
    wanted: Wanted<'_>,
    held: Held,
    limits: Limits,
    take: &mut TakeRow<'_>,
) -> Result<Vec<String>, Defect> {
    let file = File::open(path).map_err(|_| not_found(path))?;
    parquet_rows(file, wanted, held, limits, take).map_err(|defect| match defect.code.as_ref() {
        "unreadable" => damaged(),
        "unsupported" => Defect { code: "bad_input".into(), ..defect },
        _ => defect,
    })
}

/// The rows of a Parquet file; columns of dates and other values that are not read are left out, unless they count.
pub(crate) fn all_rows(path: &Path, limits: Limits) -> Result<Rows, Defect> {
    let mut rows = vec![];
    each_row(path, Wanted::AllBut(&FIELDS), Held::Table, limits, &mut |row, record| {
        rows.push((row, record));
        Ok(())
    })?;
    Ok(rows)
}

//! Reads a log as the published program does: Python's `csv.DictReader` over text with universal line ends.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::fields;
use crate::error::{Defect, Error, Result};
use crate::input::Limits;
use crate::input::csv::{After, Found, Scanner, Span, count_lines};
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::read::discover::{CellId, Log, Origin};
use crate::suites::adaptation::read::logs::{Control, Hashes};
use crate::suites::adaptation::read::store::RowStore;
use crate::suites::adaptation::row::{LogRow, NO_RETRIES, UNKNOWN_LINE, shown_line};

/// Longest field that Python's csv module takes.
const FIELD_LIMIT_CHARS: usize = 131_072;

/// Reads the logs in file order.
pub(crate) fn read_logs(
    pack: &Pack,
    logs: Vec<(u32, Log)>,
    control: &Control<'_>,
    store: &mut RowStore<'_>,
    hashes: &mut Hashes,
) -> Result<()> {
    for (file, log) in logs {
        let (Some(cell), Origin::File(path)) = (&log.cell, &log.origin) else { continue };
        match read(pack, cell, file, path, &log.shown, control.watch.limits(), store) {
            Ok(bytes) => {
                control.watch.advance(bytes.len() as u64);
                let hash = crate::input::hexadecimal(&Sha256::digest(&bytes));
                hashes.push((file, Some((bytes.len() as u64, hash))));
            }
            Err(Error::Defect(defect)) => {
                store.note(file, *defect);
                control.note(file);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads a whole log into the store and gives its bytes for the hash.
fn read(
    pack: &Pack,
    cell: &CellId,
    file: u32,
    path: &Path,
    shown: &str,
    limits: Limits,
    into: &mut RowStore<'_>,
) -> Result<Vec<u8>> {
    let unreadable = |expected: &str| Defect::new("unreadable", expected).file(shown);
    // As the published program does it, a log is read as a whole: it may be as large as a record.
    let most = limits.record_bytes as u64 + 1;
    let mut bytes = vec![];
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|e| Error::from(unreadable("a UTF-8 CSV file").value(e.to_string())))?;
    if bytes.len() as u64 == most {
        let expected = format!("a log of at most {} bytes (--max-record-bytes)", limits.record_bytes);
        let hint = "reading=v6-script holds a log as a whole; raise --max-record-bytes, or score without that option";
        return Err(Defect::new("too_large", expected).file(shown).hint(hint).into());
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| Error::from(unreadable("UTF-8 text")))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let plain: Cow<'_, str> = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let format = if cell[1] == "Group_A" { "ungoverned" } else { "governed" };
    into.begin_file(Some(cell), pack.formats.iter().position(|f| f.id == format));

    // A first line without a character is a header without a column.
    let blank_header = plain.starts_with('\n');
    let mut closed = plain.into_owned();
    let mut scanner = Scanner::new(&closed, After::End);
    let mut fields = vec![];
    while let Found::Record(_) = scanner.next(&mut fields) {}
    let open_quote = scanner.at < closed.len();
    if open_quote {
        // The last record ends with the file although its quote is open; lines are then not told.
        closed.push('"');
    }
    let mut scanner = Scanner::new(&closed, After::End);
    let mut columns: Vec<String> = vec![];
    let mut header = !blank_header;
    let mut number = 0;
    let known = !open_quote && !blank_header;
    while let Found::Record(line) = scanner.next(&mut fields) {
        let texts: Vec<Cow<'_, str>> = fields.iter().map(|span: &Span| span.text(&closed)).collect();
        if texts.iter().any(|text| text.len() > FIELD_LIMIT_CHARS && text.chars().count() > FIELD_LIMIT_CHARS) {
            return Err(unreadable("fields of at most 131072 characters").into());
        }
        if header {
            columns = texts.into_iter().map(Cow::into_owned).collect();
            header = false;
            continue;
        }
        number += 1;
        let line = if known { line + 1 } else { UNKNOWN_LINE + number };
        let cells = |name: &str| {
            let place = columns.iter().rposition(|column| column == name)?;
            texts.get(place).map(|text| text.as_ref())
        };
        let year = cells("year").unwrap_or("");
        let bad = |field: &str, value: &str, expected: &'static str| {
            let defect = Defect::new("bad_value", expected).file(shown).field(field).value(value);
            Error::from(Defect { line: shown_line(line), ..defect })
        };
        let step = fields::year(year).ok_or_else(|| bad("year", year, "a whole number"))?;
        let row = LogRow { year: step, line, file, ..fields::read(pack, &cell[1], &cells) };
        if row.retries == NO_RETRIES {
            return Err(bad("retry_count", cells("retry_count").unwrap_or(""), "a number below 2^64"));
        }
        into.push(cell, cells("agent_id").unwrap_or(""), row).map_err(Error::write("temporary files"))?;
    }
    debug_assert!(count_lines(closed.as_bytes()) >= number.saturating_sub(1));
    Ok(bytes)
}

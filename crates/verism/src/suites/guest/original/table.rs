//! The rows of an original CSV file by the columns that are needed, as Python's `csv` reads them.

use std::borrow::Cow;

use crate::error::Defect;
use crate::input::csv::{After, Found, Scanner, Span};
use crate::input::value::Json;
use crate::suites::guest::bad;

/// A row: its first physical line, counted from 1, and its cells in the order of the columns asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row<'a, const N: usize> {
    pub(crate) line: u64,
    pub(crate) cells: [Cow<'a, str>; N],
}

/// The rows below the header. Blank rows are none; a missing cell is empty, a surplus one is passed over. A quote that
/// never closes reaches to the end of the file.
pub(crate) fn read_rows<'a, const N: usize>(
    bytes: &'a [u8],
    columns: [&'static str; N],
) -> Result<Vec<Row<'a, N>>, Defect> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let mut scanner = Scanner::new(text, After::End);
    let mut places: Option<[Vec<usize>; N]> = None;
    let (mut fields, mut rows) = (vec![], vec![]);
    loop {
        let found = scanner.next(&mut fields);
        let (line, cells): (u64, Vec<Cow<'a, str>>) = match found {
            Found::Record(line) => (line, fields.iter().map(|field: &Span| field.text(text)).collect()),
            Found::Unfinished(line, _) => (line, closed(&text[scanner.at..])),
            Found::Nothing => break,
        };
        match &places {
            None => places = Some(find_columns(&cells, columns)?),
            Some(places) => {
                let cell = |places: &Vec<usize>| places.iter().rev().find_map(|&place| cells.get(place)).cloned();
                let cells = std::array::from_fn(|i| cell(&places[i]).unwrap_or_default());
                rows.push(Row { line: line + 1, cells });
            }
        }
        if matches!(found, Found::Unfinished(..)) {
            break;
        }
    }
    match places {
        Some(_) => Ok(rows),
        None => find_columns(&[], columns).map(|_| rows),
    }
}

/// Where each column stands; of two with one name the later counts, as long as the row has it.
fn find_columns<const N: usize>(
    header: &[Cow<'_, str>],
    columns: [&'static str; N],
) -> Result<[Vec<usize>; N], Defect> {
    let places = columns.map(|column| (0..header.len()).filter(|&i| header[i] == column).collect::<Vec<usize>>());
    match places.iter().position(Vec::is_empty) {
        None => Ok(places),
        Some(missing) => {
            let found = Json::Text(header.join(",").into());
            Err(bad(columns[missing], "a column of the original log format", Some(&found)).line(1))
        }
    }
}

/// The cells of the last row, whose quote is still open.
fn closed<'a>(rest: &str) -> Vec<Cow<'a, str>> {
    let text = format!("{rest}\"");
    let mut fields = vec![];
    Scanner::new(&text, After::End).next(&mut fields);
    fields.iter().map(|field: &Span| Cow::Owned(field.text(&text).into_owned())).collect()
}

/// The defect of a file whose bytes from `offset` on are no UTF-8, at the row that holds them.
fn not_utf8(bytes: &[u8], offset: usize) -> Defect {
    // What stands in for the bad bytes is not a comma, quote or line end either.
    let text = String::from_utf8_lossy(bytes);
    let mut scanner = Scanner::new(&text, After::End);
    let mut fields = vec![];
    let line = loop {
        match scanner.next(&mut fields) {
            Found::Record(_) if scanner.at <= offset => {}
            Found::Record(line) | Found::Unfinished(line, _) => break line,
            Found::Nothing => break scanner.lines,
        }
    };
    bad("line", "UTF-8 text", None).line(line + 1).hint("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8]) -> Vec<(u64, String, String)> {
        let rows = read_rows(bytes, ["a", "b"]).expect("a table");
        rows.into_iter().map(|Row { line, cells: [a, b] }| (line, a.into_owned(), b.into_owned())).collect()
    }

    fn row(line: u64, a: &str, b: &str) -> (u64, String, String) {
        (line, a.into(), b.into())
    }

    #[test]
    fn rows_know_their_first_line_and_blank_ones_are_none() {
        let text = b"\xef\xbb\xbf\r\nb,x,a\r\n1,\"two\nlines\",2\n\n\"\"\n3,,\"4\r\n\"";
        assert_eq!(read(text), [row(3, "2", "1"), row(6, "", ""), row(7, "4\r\n", "3")]);
    }

    #[test]
    fn short_rows_are_filled_and_long_ones_cut() {
        assert_eq!(read(b"a,b\n1\n1,2,3\n,\n"), [row(2, "1", ""), row(3, "1", "2"), row(4, "", "")]);
    }

    #[test]
    fn of_two_columns_with_one_name_the_later_counts() {
        // CPython 3.11: dict(zip(["a", "b", "a"], cells)).
        assert_eq!(read(b"a,b,a\n1,2,3\n4,5\n"), [row(2, "3", "2"), row(3, "4", "5")]);
    }

    #[test]
    fn quotes_are_read_as_python_reads_them() {
        // CPython 3.11: csv.reader(io.StringIO(text, newline="")).
        assert_eq!(read(b"a,b\nx\"y,\"p\"q\"r\n\"s\"\"t\",\"\"\n"), [row(2, "x\"y", "pq\"r"), row(3, "s\"t", "")]);
        assert_eq!(read(b"a,b\n1,\"open\n,2\n"), [row(2, "1", "open\n,2\n")]);
        assert_eq!(read(b"a,b\n1,\""), [row(2, "1", "")]);
        assert_eq!(read(b"a,b\n1,\"x\"\""), [row(2, "1", "x\"")]);
    }

    #[test]
    fn a_missing_column_is_named_on_line_one() {
        for text in [&b"\n\na,c\n1,2\n"[..], b"", b"\n"] {
            let defect = read_rows(text, ["b", "c"]).expect_err("no column b");
            assert_eq!((defect.line, defect.field.as_deref()), (Some(1), Some("b")));
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_found_at_the_first_line_of_their_row() {
        for (text, line) in [
            (&b"a,b\n1,2\n\n\"x\ny\xff\",2\n3,\xfe\n"[..], 4),
            (b"a,\xc3\n1,2\n", 1),
            (b"a,b\n1,\"\xff", 2),
            (b"a,b\n1,2\n\xff", 3),
            (b"a,b\n1,2\n3,4\xe2\x82\n5,6\n", 3),
        ] {
            let defect = read_rows(text, ["a", "b"]).expect_err("no UTF-8");
            assert_eq!((defect.line, defect.field.as_deref()), (Some(line), Some("line")), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(prop_oneof![
            Just(b','), Just(b'"'), Just(b'\n'), Just(b'\r'), Just(b'a'), any::<u8>(),
        ], 0..60)) {
            let with_header = [b"a,b\n", bytes.as_slice()].concat();
            for bytes in [&bytes, &with_header] {
                let _ = read_rows(bytes, ["a", "b"]);
            }
        }
    }
}

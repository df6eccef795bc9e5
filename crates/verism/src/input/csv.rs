//! CSV as in RFC 4180, cut into records that know their line.
//!
//! A quote inside an unquoted field is literal; text after a closing quote is appended; LF, CRLF and a lone CR end a
//! record; blank lines are not records. Hand-written because record boundaries, physical lines and unfinished records must
//! be known exactly, and because reading is most of the work: the ends of fields are found many bytes at a time, and no
//! field is copied.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use crate::text::bits::{Bytes, WIDTH};

/// What follows the text that a scanner was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// More text.
    More,
    /// Nothing that can be read: an unfinished record is not a record.
    Cut,
    /// The end of the file.
    End,
}

/// A field of a record: its place in the text, and whether quotes must be taken out of it.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    start: usize,
    end: usize,
    messy: bool,
}

/// Whether a row has cells beyond the columns that are not empty.
pub fn has_surplus(row: &[Span], columns: usize, text: &str) -> bool {
    row.iter().skip(columns).any(|cell| !cell.text(text).is_empty())
}

impl Span {
    /// The field's text.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.plain(text).map_or_else(|| Cow::Owned(unquote(&text[self.start..self.end])), Cow::Borrowed)
    }

    /// The field's text, unless quotes must be taken out of it.
    pub fn plain<'a>(&self, text: &'a str) -> Option<&'a str> {
        if self.messy { None } else { Some(&text[self.start..self.end]) }
    }
}

/// The text of a field that begins with a quote and has quotes inside or text after the closing one.
fn unquote(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = &raw[1..];
    while let Some(quote) = memchr(b'"', rest.as_bytes()) {
        out.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                out.push('"');
                rest = after;
            }
            None => break,
        }
    }
    out.push_str(rest);
    out
}

/// What a scanner found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A record that starts on this line, counted from 0.
    Record(u64),
    /// No further record.
    Nothing,
    /// A record that starts on this line and is not finished; true if a quote is open.
    Unfinished(u64, bool),
}

/// Bytes at which something may end, found [`WIDTH`] at a time.
#[derive(Debug)]
struct Stops<'a> {
    text: &'a [u8],
    /// Where the bytes begin that the bits below are about.
    from: usize,
    /// What ends a field without quotes: commas and line ends.
    plain: u64,
    /// What matters inside quotes: quotes and line ends.
    quoted: u64,
}

impl<'a> Stops<'a> {
    fn new(text: &'a [u8]) -> Stops<'a> {
        let mut stops = Stops { text, from: 0, plain: 0, quoted: 0 };
        stops.look(0);
        stops
    }

    fn look(&mut self, from: usize) {
        let bytes = Bytes::at(self.text, from);
        self.from = from;
        self.plain = bytes.one_of([b',', b'\n', b'\r']);
        self.quoted = bytes.one_of([b'"', b'\n', b'\r']);
    }

    /// The first stop of a kind from `at` on, which never goes back.
    #[inline]
    fn find(&mut self, mut at: usize, kind: impl Fn(&Self) -> u64) -> Option<usize> {
        loop {
            if at >= self.from + WIDTH {
                let from = at - at % WIDTH;
                if from >= self.text.len() {
                    return None;
                }
                self.look(from);
            }
            let bits = kind(self) >> (at - self.from);
            if bits != 0 {
                return Some(at + bits.trailing_zeros() as usize);
            }
            at = self.from + WIDTH;
        }
    }

    #[inline]
    fn plain(&mut self, at: usize) -> Option<usize> {
        self.find(at, |stops| stops.plain)
    }

    #[inline]
    fn quoted(&mut self, at: usize) -> Option<usize> {
        self.find(at, |stops| stops.quoted)
    }
}

/// Walks over the records of a text that begins where a record begins.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a [u8],
    stops: Stops<'a>,
    after: After,
    /// Where the next record begins.
    pub at: usize,
    /// Line ends so far.
    pub lines: u64,
    /// Where the last record began.
    pub began: usize,
    /// Fields of the last record, those that were not kept among them.
    pub count: usize,
    /// Fields that are kept of a record.
    kept: usize,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of a text.
    pub fn new(text: &'a str, after: After) -> Scanner<'a> {
        let text = text.as_bytes();
        Scanner { text, stops: Stops::new(text), after, at: 0, lines: 0, began: 0, count: 0, kept: usize::MAX }
    }

    /// The same, keeping so many fields of a record and only counting the rest.
    pub fn keeping(self, kept: usize) -> Scanner<'a> {
        Scanner { kept, ..self }
    }

    /// Reads the next record into `fields`.
    pub fn next(&mut self, fields: &mut Vec<Span>) -> Found {
        let found = self.record(fields);
        #[cfg(test)]
        tests::SCANNED.with(|scanned| {
            let end = if matches!(found, Found::Unfinished(..)) { self.text.len() } else { self.at };
            scanned.set(scanned.get() + end - self.began.min(end));
        });
        found
    }

    fn record(&mut self, fields: &mut Vec<Span>) -> Found {
        fields.clear();
        while let Some(b'\r' | b'\n') = self.text.get(self.at) {
            match self.line_end(self.at) {
                Some(next) => self.at = next,
                None => return Found::Unfinished(self.lines, false),
            }
            self.lines += 1;
        }
        if self.at == self.text.len() {
            return Found::Nothing;
        }
        let first_line = self.lines;
        let mut at = self.at;
        (self.began, self.count) = (at, 0);
        loop {
            let (span, stop) = if self.text.get(at) == Some(&b'"') {
                match self.quoted(at) {
                    Some(found) => found,
                    None => return self.unfinished(first_line, true),
                }
            } else {
                let stop = self.stops.plain(at);
                (Span { start: at, end: stop.unwrap_or(self.text.len()), messy: false }, stop)
            };
            self.count += 1;
            if self.count <= self.kept {
                fields.push(span);
            }
            match stop {
                Some(comma) if self.text[comma] == b',' => at = comma + 1,
                Some(end) => match self.line_end(end) {
                    Some(next) => {
                        self.at = next;
                        self.lines += 1;
                        return Found::Record(first_line);
                    }
                    None => return self.unfinished(first_line, false),
                },
                None if self.after == After::End => {
                    self.at = self.text.len();
                    return Found::Record(first_line);
                }
                None => return self.unfinished(first_line, false),
            }
        }
    }

    fn unfinished(&mut self, first_line: u64, quoted: bool) -> Found {
        self.lines = first_line;
        Found::Unfinished(first_line, quoted)
    }

    /// The field whose opening quote stands at `open`, and the comma or line end after it (none: the text ends); none if
    /// the quote does not close, as far as can be seen.
    fn quoted(&mut self, open: usize) -> Option<(Span, Option<usize>)> {
        let mut at = open + 1;
        let mut messy = false;
        loop {
            let i = self.stops.quoted(at)?;
            match (self.text[i], self.text.get(i + 1)) {
                (b'"', Some(b'"')) => {
                    messy = true;
                    at = i + 2;
                }
                (b'"', None) if self.after == After::More => return None,
                (b'"', Some(b',' | b'\n' | b'\r')) | (b'"', None) => {
                    let stop = (i + 1 < self.text.len()).then_some(i + 1);
                    let span = if messy { (open, i + 1) } else { (open + 1, i) };
                    return Some((Span { start: span.0, end: span.1, messy }, stop));
                }
                (b'"', Some(_)) => {
                    let stop = self.stops.plain(i + 1);
                    let end = stop.unwrap_or(self.text.len());
                    return Some((Span { start: open, end, messy: true }, stop));
                }
                (b'\r', Some(b'\n')) => {
                    self.lines += 1;
                    at = i + 2;
                }
                _ => {
                    self.lines += 1;
                    at = i + 1;
                }
            }
        }
    }

    /// Where the text goes on after the line end at `at`; none if that cannot be told yet.
    fn line_end(&self, at: usize) -> Option<usize> {
        match (self.text[at], self.text.get(at + 1)) {
            (b'\r', Some(b'\n')) => Some(at + 2),
            (b'\r', None) if self.after == After::More => None,
            _ => Some(at + 1),
        }
    }
}

/// How many lines end in a text: LF, CRLF or a lone CR.
pub fn count_lines(text: &[u8]) -> u64 {
    let mut lines = 0;
    let mut at = 0;
    while let Some(i) = memchr2(b'\n', b'\r', &text[at..]) {
        at += i + 1;
        if text[at - 1] == b'\r' && text.get(at) == Some(&b'\n') {
            at += 1;
        }
        lines += 1;
    }
    lines
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        /// Bytes of records that scanners of this thread have looked at.
        pub(crate) static SCANNED: Cell<usize> = const { Cell::new(0) };
    }

    type Records = Vec<(u64, Vec<String>)>;

    fn scan(text: &str, after: After) -> (Records, Found) {
        let mut scanner = Scanner::new(text, after);
        let (mut fields, mut out) = (vec![], vec![]);
        loop {
            match scanner.next(&mut fields) {
                Found::Record(line) => out.push((line, fields.iter().map(|f| f.text(text).into_owned()).collect())),
                end => return (out, end),
            }
        }
    }

    fn row(line: u64, cells: &[&str]) -> (u64, Vec<String>) {
        (line, cells.iter().map(|c| c.to_string()).collect())
    }

    #[test]
    fn line_ends_of_all_kinds_and_blank_lines() {
        let (rows, end) = scan("a,b\r\n\n1,2\r3,4\n\n\r\n5,", After::End);
        assert_eq!(rows, [row(0, &["a", "b"]), row(2, &["1", "2"]), row(3, &["3", "4"]), row(6, &["5", ""])]);
        assert_eq!(end, Found::Nothing);
    }

    #[test]
    fn quotes_hold_commas_line_ends_and_quotes() {
        let (rows, _) = scan("\"a,\r\nb\",\"say \"\"x\"\"\"\n\"\",\"y\"z\"w\",q\"r\n", After::End);
        assert_eq!(rows, [row(0, &["a,\r\nb", "say \"x\""]), row(2, &["", "yz\"w\"", "q\"r"])]);
    }

    #[test]
    fn fields_beyond_the_limit_are_only_counted() {
        let mut scanner = Scanner::new("a,b,c,d\ne\n", After::End).keeping(2);
        let mut fields = vec![];
        assert_eq!(scanner.next(&mut fields), Found::Record(0));
        assert_eq!((fields.len(), scanner.count), (2, 4));
        assert_eq!(scanner.next(&mut fields), Found::Record(1));
        assert_eq!((fields.len(), scanner.count, scanner.began), (1, 1, 8));
    }

    #[test]
    fn an_open_quote_is_found_at_its_record() {
        let (rows, end) = scan("a\nb,\"c\nd\n", After::End);
        assert_eq!((rows, end), (vec![row(0, &["a"])], Found::Unfinished(1, true)));
    }

    #[test]
    fn what_may_go_on_is_not_a_record_yet() {
        for text in ["a,b", "a,\"b\"", "a,b\r", "\r", "a,\"b"] {
            let (rows, end) = scan(text, After::More);
            assert!(rows.is_empty() && matches!(end, Found::Unfinished(0, _)), "{text:?}: {rows:?}");
        }
        assert_eq!(scan("a,b", After::Cut).0, []);
        assert_eq!(scan("a\r", After::Cut).0, [row(0, &["a"])]);
    }

    /// The records of a whole text and whether a quote stays open, byte by byte as the module's first lines say it.
    fn one_by_one(text: &str) -> (Records, bool) {
        let (mut rows, mut row, mut field) = (vec![], vec![], String::new());
        let (mut line, mut row_line) = (0, 0);
        let (mut fresh, mut quoted) = (true, false);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let line_end = c == '\n' || c == '\r' && chars.peek() != Some(&'\n');
            line += u64::from(line_end);
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
                '"' if quoted => quoted = false,
                _ if quoted => field.push(c),
                '"' if fresh => (quoted, fresh) = (true, false),
                ',' => {
                    row.push(std::mem::take(&mut field));
                    fresh = true;
                }
                '\r' | '\n' => {
                    if line_end && !(row.is_empty() && fresh) {
                        row.push(std::mem::take(&mut field));
                        rows.push((row_line, std::mem::take(&mut row)));
                    }
                    if line_end {
                        (fresh, row_line) = (true, line);
                    }
                }
                _ => {
                    field.push(c);
                    fresh = false;
                }
            }
        }
        let begun = !(row.is_empty() && fresh);
        if begun && !quoted {
            row.push(field);
            rows.push((row_line, row));
        }
        (rows, quoted)
    }

    proptest! {
        #[test]
        fn many_bytes_at_a_time_give_what_one_by_one_does(text in "[ab,\"\n\r]{0,40}|([a,\"\n]|[añ ]{0,80}){0,30}") {
            let (expected, open) = one_by_one(&text);
            let (rows, end) = scan(&text, After::End);
            prop_assert_eq!(rows, expected);
            prop_assert_eq!(matches!(end, Found::Unfinished(_, true)), open);
        }
    }

    #[test]
    fn a_quoted_empty_field_is_a_record() {
        assert_eq!(scan("\"\"", After::End).0, [row(0, &[""])]);
        assert_eq!(scan("\"\"\n", After::End).0, [row(0, &[""])]);
    }

    #[test]
    fn lines_are_counted_as_a_person_would() {
        assert_eq!(count_lines(b"a\nb\r\nc\rd"), 3);
        assert_eq!(count_lines(b""), 0);
    }
}

//! CSV as in RFC 4180, cut into records that know their line.
//!
//! A quote inside an unquoted field is literal; text after a closing quote is appended; LF, CRLF and a lone CR end a
//! record; blank lines are no records. Hand-written because record boundaries, physical lines and unfinished records must
//! be known exactly, and because reading is most of the work: fields are found by vectorised search and not copied.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

/// What follows the text that a scanner was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// More text.
    More,
    /// Nothing that can be read: an unfinished record is no record.
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
    let mut chars = raw[1..].chars().peekable();
    let mut quoted = true;
    while let Some(c) = chars.next() {
        if !quoted || c != '"' {
            out.push(c);
        } else if chars.peek() == Some(&'"') {
            out.push('"');
            chars.next();
        } else {
            quoted = false;
        }
    }
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

/// Walks over the records of a text that begins where a record begins.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a [u8],
    after: After,
    /// Where the next record begins.
    pub at: usize,
    /// Line ends so far.
    pub lines: u64,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of a text.
    pub fn new(text: &'a str, after: After) -> Scanner<'a> {
        Scanner { text: text.as_bytes(), after, at: 0, lines: 0 }
    }

    /// Reads the next record into `fields`.
    pub fn next(&mut self, fields: &mut Vec<Span>) -> Found {
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
        loop {
            let (span, stop) = if self.text.get(at) == Some(&b'"') {
                match self.quoted(at) {
                    Some(found) => found,
                    None => return self.unfinished(first_line, true),
                }
            } else {
                let stop = field_end(self.text, at);
                (Span { start: at, end: stop.unwrap_or(self.text.len()), messy: false }, stop)
            };
            fields.push(span);
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
            let i = at + memchr3(b'"', b'\n', b'\r', &self.text[at..])?;
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
                    let stop = memchr3(b',', b'\n', b'\r', &self.text[i + 1..]).map(|k| i + 1 + k);
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

/// The comma or line end from `at` on. Most fields are short: the first eight bytes are looked at as one number.
fn field_end(text: &[u8], at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let Some((eight, _)) = text[at..].split_first_chunk::<8>() else {
        return memchr3(b',', b'\n', b'\r', &text[at..]).map(|i| at + i);
    };
    let eight = u64::from_le_bytes(*eight);
    // The lowest high bit left marks the first byte that is equal.
    let equal = |byte: u8| {
        let zero_where_equal = eight ^ (ONES * u64::from(byte));
        zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & (0x80 * ONES)
    };
    let found = equal(b',') | equal(b'\n') | equal(b'\r');
    if found != 0 {
        return Some(at + found.trailing_zeros() as usize / 8);
    }
    memchr3(b',', b'\n', b'\r', &text[at + 8..]).map(|i| at + 8 + i)
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
mod tests {
    use super::*;

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

    #[test]
    fn fields_of_any_length_end_at_their_comma() {
        for length in 0..40 {
            for end in [',', '\n', '\r'] {
                let field: String = "añb,\n\r".chars().filter(|c| !",\n\r".contains(*c)).cycle().take(length).collect();
                let text = format!("{field}{end}rest of it");
                assert_eq!(field_end(text.as_bytes(), 0), Some(field.len()), "{text:?}");
                assert_eq!(field_end(field.as_bytes(), 0), None);
            }
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

//! The end of a CSV record that is too long to be kept, found piece by piece.

use memchr::memchr3;

/// Where in a record the bytes so far have led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// At the start of a field.
    Fresh,
    /// In a field without quotes, or after its closing quote.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a quote between quotes: a closing one, or the first of two.
    Quote,
    /// After a carriage return between quotes.
    QuotedReturn,
    /// After the carriage return that ends the record; a line feed may belong to it.
    Return,
}

/// Walks over one record, in any number of pieces.
#[derive(Debug)]
pub(super) struct Skipper {
    inside: Inside,
    /// Line ends so far.
    pub(super) lines: u64,
}

impl Skipper {
    /// At the start of a record.
    pub(super) fn new() -> Skipper {
        Skipper { inside: Inside::Fresh, lines: 0 }
    }

    /// Whether a quote is open, should nothing follow.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.inside, Inside::Quoted | Inside::QuotedReturn)
    }

    /// Goes on over the next bytes; gives how many of them belong to the record, once that is known.
    pub(super) fn skip(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            match self.inside {
                Inside::Quoted => {
                    let stop = memchr3(b'"', b'\n', b'\r', &bytes[at..])?;
                    at += stop;
                    match bytes[at] {
                        b'"' => self.inside = Inside::Quote,
                        b'\n' => self.lines += 1,
                        _ => {
                            self.lines += 1;
                            self.inside = Inside::QuotedReturn;
                        }
                    }
                }
                Inside::QuotedReturn => {
                    self.inside = Inside::Quoted;
                    if byte != b'\n' {
                        continue;
                    }
                }
                Inside::Quote if byte == b'"' => self.inside = Inside::Quoted,
                Inside::Fresh if byte == b'"' => self.inside = Inside::Quoted,
                Inside::Return => return Some(if byte == b'\n' { at + 1 } else { at }),
                Inside::Plain | Inside::Quote | Inside::Fresh => {
                    self.inside = Inside::Plain;
                    let stop = memchr3(b',', b'\n', b'\r', &bytes[at..])?;
                    at += stop;
                    match bytes[at] {
                        b',' => self.inside = Inside::Fresh,
                        b'\n' => {
                            self.lines += 1;
                            return Some(at + 1);
                        }
                        _ => {
                            self.lines += 1;
                            self.inside = Inside::Return;
                        }
                    }
                }
            }
            at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::csv::{After, Found, Scanner};
    use super::*;

    proptest! {
        #[test]
        fn a_record_ends_where_the_scanner_says_in_any_pieces(
            text in "[ab,\"\n\r]{1,40}", cuts in prop::collection::vec(0..40_usize, 0..4),
        ) {
            prop_assume!(!text.starts_with(['\n', '\r']));
            let mut scanner = Scanner::new(&text, After::End);
            let found = scanner.next(&mut vec![]);
            let mut bounds: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).chain([0, text.len()]).collect();
            bounds.sort_unstable();
            let mut skipper = Skipper::new();
            let mut end = None;
            for pair in bounds.windows(2) {
                if let Some(length) = skipper.skip(&text.as_bytes()[pair[0]..pair[1]]) {
                    end = Some(pair[0] + length);
                    break;
                }
            }
            match found {
                Found::Unfinished(_, true) => prop_assert!(end.is_none() && skipper.is_open()),
                _ => {
                    prop_assert_eq!(end.unwrap_or(text.len()), scanner.at);
                    prop_assert_eq!(skipper.lines, scanner.lines);
                    prop_assert!(!skipper.is_open());
                }
            }
        }
    }
}

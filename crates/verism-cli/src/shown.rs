//! What is printed holds names and texts of logs: control characters in them are shown, never sent to a terminal.

use std::io::{self, Write};

/// A writer that shows control characters as JSON writes them (`\u001b`) and lets line feeds and tabs pass, so that JSON
/// stays the same JSON. Marks that turn the direction of writing are shown too.
pub(crate) struct EscapingWriter<W: Write> {
    out: W,
    /// The first bytes of a character whose last ones have not come yet.
    begun: Vec<u8>,
}

impl<W: Write> EscapingWriter<W> {
    pub(crate) fn new(out: W) -> EscapingWriter<W> {
        EscapingWriter { out, begun: vec![] }
    }

    /// Writes what was held back: a character that nobody finished.
    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.begun))
    }

    /// Writes whole characters, and holds back the beginning of one that is cut off.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut plain = 0;
        let mut at = 0;
        while at < bytes.len() {
            let (length, code) = match bytes[at..] {
                [b'\n' | b'\t', ..] => (1, None),
                [byte @ (0..0x20 | 0x7f), ..] => (1, Some(u32::from(byte))),
                [0xc2, low @ 0x80..0xa0, ..] => (2, Some(u32::from(low))),
                [0xe2, 0x80, low @ 0xaa..=0xae, ..] => (3, Some(0x2000 + u32::from(low) - 0x80)),
                [0xe2, 0x81, low @ 0xa6..=0xa9, ..] => (3, Some(0x2040 + u32::from(low) - 0x80)),
                [0xc2] | [0xe2] | [0xe2, 0x80 | 0x81] => {
                    self.out.write_all(&bytes[plain..at])?;
                    self.begun = bytes[at..].to_vec();
                    return Ok(());
                }
                _ => (1, None),
            };
            if let Some(code) = code {
                self.out.write_all(&bytes[plain..at])?;
                write!(self.out, "\\u{code:04x}")?;
                plain = at + length;
            }
            at += length;
        }
        self.out.write_all(&bytes[plain..])
    }
}

/// Whether some byte may need a closer look.
fn is_doubtful(bytes: &[u8]) -> bool {
    // Without a way out of the loop it takes many bytes at a time.
    let doubtful = |b: u8| (b < b' ') & (b != b'\n') & (b != b'\t') | (b == 0x7f) | (b == 0xc2) | (b == 0xe2);
    bytes.iter().fold(false, |found, &b| found | doubtful(b))
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.begun.is_empty() {
            let mut whole = std::mem::take(&mut self.begun);
            whole.extend_from_slice(bytes);
            self.pass(&whole)?;
        } else if is_doubtful(bytes) {
            self.pass(bytes)?;
        } else {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end()?;
        self.out.flush()
    }
}

/// A text as it can be printed.
pub(crate) fn shown(text: &str) -> String {
    let mut out = EscapingWriter::new(vec![]);
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    String::from_utf8_lossy(&out.out).into_owned()
}

/// A text as it can be printed in one line.
pub(crate) fn shown_line(text: &str) -> String {
    shown(text).replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_the_rest_is_not_touched() {
        assert_eq!(shown("a\u{1b}[31mred\r\n\tb\u{7f}"), "a\\u001b[31mred\\u000d\n\tb\\u007f");
        assert_eq!(shown("\u{9b}2J \u{202e}x\u{2066}"), "\\u009b2J \\u202ex\\u2066");
        let plain = "Grüße, ° “Karte” … 메뉴 \u{a0}\n";
        assert_eq!(shown(plain), plain);
        assert_eq!(shown_line("one\ntwo"), "one\\ntwo");
    }

    #[test]
    fn a_character_in_two_pieces_is_one_character() {
        let text = "a\u{9b}b\u{202e}c“d\u{e9}";
        for cut in 0..=text.len() {
            let mut out = EscapingWriter::new(vec![]);
            out.write_all(&text.as_bytes()[..cut]).unwrap();
            out.write_all(&text.as_bytes()[cut..]).unwrap();
            out.flush().unwrap();
            assert_eq!(String::from_utf8(out.out).unwrap(), shown(text), "{cut}");
        }
    }

    #[test]
    fn json_stays_the_same_json() {
        let value = serde_json::json!({"name": "a\u{1b}[0m\u{9b}\u{7f}\u{202e}", "n": [1, "é"]});
        for text in [value.to_string(), format!("{value:#}")] {
            let read: serde_json::Value = serde_json::from_str(&shown(&text)).unwrap();
            assert_eq!(read, value);
        }
    }
}

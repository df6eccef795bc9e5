//! Conversations of the suite `guest`: five experiments play the same cases, one JSON line each.

mod conversation;
mod menu;
mod order;
pub(crate) mod phrases;
mod state;
mod talk;

use conversation::Writer;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// Size of the file.
    pub bytes: u64,
    /// Messages of guests, exits included.
    pub guest_messages: u64,
}

/// Writes the first `conversations` conversations of a seed; fewer of them are a prefix of more.
///
/// # Errors
/// The first input/output error.
pub fn write(path: &Path, conversations: usize, seed: u64) -> io::Result<Written> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut writer, mut line, mut bytes) = (Writer::new(seed), String::new(), 0);
    for number in 0..conversations {
        line.clear();
        writer.conversation(number, &mut line);
        file.write_all(line.as_bytes())?;
        bytes += line.len() as u64;
    }
    file.flush()?;
    Ok(Written { bytes, guest_messages: writer.guest_messages })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(seed: u64, numbers: std::ops::Range<usize>) -> (String, u64) {
        let (mut writer, mut out) = (Writer::new(seed), String::new());
        numbers.for_each(|number| writer.conversation(number, &mut out));
        (out, writer.guest_messages)
    }

    #[test]
    fn a_conversation_has_about_twelve_kilobytes_and_six_guest_messages() {
        let (text, guests) = lines(1, 0..2000);
        assert!((11_500..=12_500).contains(&(text.len() / 2000)), "{} bytes", text.len() / 2000);
        assert!((11_400..=12_200).contains(&guests), "{guests} guest messages in 2000 conversations");
    }

    #[test]
    fn same_seed_same_bytes_and_no_conversation_depends_on_another() {
        assert_eq!(lines(7, 0..20), lines(7, 0..20));
        assert_eq!(lines(7, 0..20).0, lines(7, 0..10).0 + &lines(7, 10..20).0);
        assert_ne!(lines(7, 0..5).0, lines(8, 0..5).0);
    }
}

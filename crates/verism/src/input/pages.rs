//! How large the pages of a Parquet column are, told by their headers before anything is unpacked.
//!
//! A header is a structure of Thrift's compact protocol. Of each we read the sizes and pass over the rest.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Nesting of a header that is still believed; real ones have three levels.
const DEPTH: usize = 16;

/// Gives the size of the largest page, unpacked, among `length` bytes of a file from `start` on.
pub(super) fn largest_page(file: &File, start: u64, length: u64) -> io::Result<u64> {
    let end = start.checked_add(length).ok_or_else(broken)?;
    let mut header = Header { file: BufReader::with_capacity(1 << 12, file), at: start, end };
    header.file.seek(SeekFrom::Start(start))?;
    let mut largest = 0;
    while header.at < end {
        let (unpacked, packed) = header.sizes()?;
        largest = largest.max(unpacked);
        header.pass(packed)?;
    }
    Ok(largest)
}

/// A file at the header of a page.
struct Header<R> {
    file: R,
    at: u64,
    /// Where the pages end. Nothing goes on beyond it: a list that claims 2^60 items ends here too.
    end: u64,
}

fn broken() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

impl<R: Read + Seek> Header<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.file.read_exact(&mut byte)?;
        self.at += 1;
        Ok(byte[0])
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        let at = self.at.checked_add(bytes).filter(|at| *at <= self.end).ok_or_else(broken)?;
        self.file.seek_relative(i64::try_from(bytes).map_err(|_| broken())?)?;
        self.at = at;
        Ok(())
    }

    /// A number of seven bits per byte.
    fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(broken())
    }

    /// A size: a number whose lowest bit is its sign.
    fn size(&mut self) -> io::Result<u64> {
        let number = self.number()?;
        if number & 1 == 0 { Ok(number >> 1) } else { Err(broken()) }
    }

    /// The size of the page unpacked, and as it stands in the file.
    fn sizes(&mut self) -> io::Result<(u64, u64)> {
        let (mut unpacked, mut packed) = (None, None);
        let mut last = 0;
        while let Some((field, kind)) = self.field(&mut last)? {
            match (field, kind) {
                (2, 5) => unpacked = Some(self.size()?),
                (3, 5) => packed = Some(self.size()?),
                (_, kind) => self.value(kind, DEPTH)?,
            }
        }
        unpacked.zip(packed).ok_or_else(broken)
    }

    /// Number and kind of the next field of a structure; none at its end.
    fn field(&mut self, last: &mut i64) -> io::Result<Option<(i64, u8)>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *last = match byte >> 4 {
            0 => {
                let number = self.number()?;
                (number >> 1) as i64 ^ -((number & 1) as i64)
            }
            step => last.checked_add(i64::from(step)).ok_or_else(broken)?,
        };
        Ok(Some((*last, byte & 15)))
    }

    /// Passes over a value.
    fn value(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        let depth = depth.checked_sub(1).ok_or_else(broken)?;
        match kind {
            1 | 2 => Ok(()),
            3 => self.pass(1),
            4..=6 => self.number().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.number()?;
                self.pass(length)
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 15 { self.number()? } else { u64::from(byte >> 4) };
                // A truth value takes a byte of its own in a list.
                let kind = if byte & 15 <= 2 { 3 } else { byte & 15 };
                (0..count).try_for_each(|_| self.value(kind, depth))
            }
            12 => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.value(kind, depth)?;
                }
                Ok(())
            }
            _ => Err(broken()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::file::reader::FileReader;
    use parquet::file::serialized_reader::SerializedFileReader;

    use super::*;
    use crate::input::parquet::written::write_texts;

    #[test]
    fn the_largest_page_is_found_in_what_the_writer_wrote() {
        let texts = ["a".repeat(10), "b".repeat(3_000_000), "c".repeat(20)];
        for dictionary in [true, false] {
            let file = tempfile::tempfile().expect("a file");
            write_texts(file.try_clone().expect("a copy"), &["x"], &texts, 3, dictionary);
            let reader = SerializedFileReader::new(file.try_clone().expect("a copy")).expect("Parquet");
            let (start, length) = reader.metadata().row_group(0).column(0).byte_range();
            let largest = largest_page(&file, start, length).expect("pages");
            assert!((3_000_000..3_001_000).contains(&largest), "{largest}");
        }
    }

    #[test]
    fn damaged_headers_are_an_error_and_no_loop() {
        // The last one is a list that claims 2^62 truth values, which take no reading to pass over.
        let endless = [0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        for bytes in [&[0_u8; 8][..], &[0x19; 64], &[0x15, 0xff, 0xff], &[0x1c; 300], &endless] {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(bytes).expect("written");
            assert!(largest_page(&file, 0, bytes.len() as u64).is_err(), "{bytes:?}");
        }
    }
}

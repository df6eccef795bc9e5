//! Bytes from a reader, hashed on the way.

use std::cell::Cell;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

use super::Watch;

/// A buffer that is filled from a reader while every byte goes into a hash.
pub(super) struct Feed<'a> {
    reader: Box<dyn Read + Send + 'a>,
    watch: &'a dyn Watch,
    hash: Sha256,
    bytes: u64,
    /// What has been read and not yet been consumed.
    pub(super) buffer: Vec<u8>,
    /// Whether the reader has come to its end.
    pub(super) ended: bool,
}

thread_local! {
    /// A buffer of a file that is done: memory that the system need not clear again for the next file.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Bytes that are hashed at a time, while they are still in the processor's cache.
const PIECE: usize = 1 << 17;

/// Largest buffer that is kept for the next file.
const SPARE_BYTES: usize = 4 << 20;

impl Drop for Feed<'_> {
    fn drop(&mut self) {
        if self.buffer.capacity() <= SPARE_BYTES {
            self.buffer.clear();
            SPARE.set(std::mem::take(&mut self.buffer));
        }
    }
}

impl<'a> Feed<'a> {
    pub(super) fn new(reader: Box<dyn Read + Send + 'a>, watch: &'a dyn Watch) -> Feed<'a> {
        Feed { reader, watch, hash: Sha256::new(), bytes: 0, buffer: SPARE.take(), ended: false }
    }

    /// Drops the first bytes of the buffer and reads on until it holds `target` bytes or the reader ends.
    pub(super) fn refill(&mut self, consumed: usize, target: usize) -> io::Result<()> {
        let kept = self.buffer.len() - consumed;
        self.buffer.copy_within(consumed.., 0);
        self.buffer.truncate(kept);
        // A record longer than the buffer: take more and more, so that it is looked at a few times only.
        let target = if consumed == 0 { target.max(kept * 2) } else { target };
        self.buffer.reserve(target.saturating_sub(kept) + 1);
        while self.buffer.len() < target && !self.ended {
            let before = self.buffer.len();
            let room = (target - before).min(PIECE) as u64;
            let got = self.reader.by_ref().take(room).read_to_end(&mut self.buffer)?;
            self.ended = (got as u64) < room || self.watch.stop();
            self.hash.update(&self.buffer[before..]);
            self.bytes += got as u64;
            self.watch.advance(got as u64);
        }
        Ok(())
    }

    /// Reads to the end for the hash alone, and gives size and hash in hexadecimal.
    pub(super) fn finish(mut self) -> io::Result<(u64, String)> {
        while !self.ended {
            let all = self.buffer.len();
            self.refill(all, 1 << 20)?;
        }
        Ok((self.bytes, hexadecimal(&self.hash.finalize_reset())))
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Unwatched;
    use super::*;

    #[test]
    fn the_hash_covers_all_bytes_whatever_was_consumed() {
        let mut feed = Feed::new(Box::new(&b"abc"[..]), &Unwatched);
        feed.refill(0, 2).expect("read");
        assert_eq!((feed.buffer.as_slice(), feed.ended), (&b"ab"[..], false));
        // SHA-256 of "abc": FIPS 180-2, appendix B.1.
        let (bytes, hash) = feed.finish().expect("read");
        assert_eq!(bytes, 3);
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

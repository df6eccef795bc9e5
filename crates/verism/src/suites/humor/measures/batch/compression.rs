//! Compression ratio: how much of the texts a compressor finds repeated.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, TriedClustering};

/// Evidence of `compression_ratio`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sizes {
    pub(crate) bytes: u64,
    pub(crate) compressed: u64,
}

/// Counts the bytes that it is given.
#[derive(Debug, Default)]
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes that are compressed at a time.
const WAITING: usize = 1 << 15;

/// Compresses texts as they come and keeps the sizes alone.
#[derive(Debug)]
pub(crate) struct Compressor {
    encoder: ZlibEncoder<Counter>,
    /// Texts that wait to be compressed: each write costs as much as a long text.
    waiting: Vec<u8>,
    bytes: u64,
    texts: u64,
    /// Whether some text has words.
    words: bool,
}

impl Compressor {
    pub(crate) fn new() -> Compressor {
        Compressor {
            encoder: ZlibEncoder::new(Counter::default(), Compression::new(9)),
            waiting: vec![],
            bytes: 0,
            texts: 0,
            words: false,
        }
    }

    /// Adds a text, with a line feed between it and the one before.
    pub(crate) fn add(&mut self, text: &str, has_words: bool) {
        for part in [if self.texts > 0 { "\n" } else { "" }, text] {
            self.waiting.extend_from_slice(part.as_bytes());
            self.bytes += part.len() as u64;
        }
        if self.waiting.len() >= WAITING {
            self.compress();
        }
        self.texts += 1;
        self.words |= has_words;
    }

    fn compress(&mut self) {
        self.encoder.write_all(&self.waiting).expect("a counter takes all bytes");
        self.waiting.clear();
    }

    /// Bytes divided by compressed bytes.
    ///
    /// ```math
    /// compression_ratio = |texts joined by line feeds| / |zlib at level 9|
    /// ```
    /// Encoders differ by up to 3 %, below a kilobyte 10 %. Undefined: `empty_text` without words.
    /// Source: Shaib et al., 2024.
    pub(crate) fn finish(mut self) -> TriedClustering<Sizes> {
        if !self.words {
            return Err(EMPTY_TEXT);
        }
        self.compress();
        let compressed = self.encoder.finish().expect("a counter takes all bytes").0;
        let value = self.bytes as f64 / compressed as f64;
        Ok(Found { value, n: self.bytes, evidence: Sizes { bytes: self.bytes, compressed } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_texts_shrink() {
        let mut same = Compressor::new();
        (0..50).for_each(|_| same.add("The same joke again.", true));
        let found = same.finish().expect("defined");
        assert_eq!(found.n, 50 * 20 + 49);
        // CPython 3.11, zlib 1.2.13: len(zlib.compress(b"\n".join([b"The same joke again."] * 50), 9)) = 38.
        assert!((found.evidence.compressed as f64 - 38.0).abs() <= 3.8, "{:?}", found.evidence);
        assert_eq!(Compressor::new().finish().expect_err("undefined"), EMPTY_TEXT);
    }
}

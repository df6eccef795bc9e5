//! Compression ratio: how much of the texts a compressor finds repeated.

use std::cell::RefCell;

use flate2::{Compress, Compression, FlushCompress};
use serde::{Deserialize, Serialize};

use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, Tried};

/// Evidence of `compression_ratio`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sizes {
    pub(crate) bytes: u64,
    pub(crate) compressed: u64,
}

/// Bytes that are compressed at a time.
const WAITING: usize = 1 << 15;

thread_local! {
    /// An encoder out of use: a new one costs more than to compress a small batch.
    static IDLE: RefCell<Option<Compress>> = const { RefCell::new(None) };
}

/// Compresses texts as they come and keeps the sizes alone.
#[derive(Debug)]
pub(crate) struct Compressor {
    encoder: Compress,
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
            encoder: IDLE.take().unwrap_or_else(|| Compress::new(Compression::new(9), true)),
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
            self.compress(FlushCompress::None);
        }
        self.texts += 1;
        self.words |= has_words;
    }

    /// Compresses what waits; what comes out is counted by the encoder.
    fn compress(&mut self, flush: FlushCompress) {
        let (mut out, mut rest) = ([0; 1 << 12], self.waiting.as_slice());
        loop {
            let [read, written] = [self.encoder.total_in(), self.encoder.total_out()];
            self.encoder.compress(rest, &mut out, flush).expect("an encoder that is not at its end");
            rest = &rest[(self.encoder.total_in() - read) as usize..];
            if rest.is_empty() && self.encoder.total_out() - written < out.len() as u64 {
                break;
            }
        }
        self.waiting.clear();
    }

    /// Bytes divided by compressed bytes.
    ///
    /// ```math
    /// compression_ratio = |texts joined by line feeds| / |zlib at level 9|
    /// ```
    /// Encoders differ by up to 3 %, below a kilobyte 10 %. Undefined: `empty_text` without words.
    /// Source: Shaib et al., 2024.
    pub(crate) fn finish(mut self) -> Tried<Sizes> {
        if !self.words {
            return Err(EMPTY_TEXT);
        }
        self.compress(FlushCompress::Finish);
        let compressed = self.encoder.total_out();
        self.encoder.reset();
        IDLE.set(Some(self.encoder));
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

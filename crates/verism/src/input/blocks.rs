//! Where a large text can be cut so that its parts can be read at the same time.

use memchr::{memchr, memchr_iter, memchr2};
use rayon::prelude::*;

/// Bytes of a block.
pub(super) const BLOCK: usize = 1 << 20;

/// Places after line feeds that are probably ends of CSV records, about every [`BLOCK`] bytes, guessed by the number of
/// quotes before them. Whoever uses them must check that a record really ends there.
pub(super) fn csv_cuts(text: &[u8]) -> Vec<usize> {
    let quotes: Vec<usize> = text.par_chunks(BLOCK).map(|block| memchr_iter(b'"', block).count()).collect();
    let mut before = 0;
    let mut cuts = vec![];
    for (i, count) in quotes.iter().enumerate() {
        if i > 0
            && let Some(cut) = next_record(text, i * BLOCK, before % 2 == 1)
            && cut < text.len()
            && cuts.last().is_none_or(|&last| last < cut)
        {
            cuts.push(cut);
        }
        before += count;
    }
    cuts
}

/// Where the first record after `at` probably begins.
fn next_record(text: &[u8], mut at: usize, mut quoted: bool) -> Option<usize> {
    loop {
        at += memchr2(b'\n', b'"', &text[at..])? + 1;
        if text[at - 1] == b'"' {
            quoted = !quoted;
        } else if !quoted {
            return Some(at);
        }
    }
}

/// Places after line feeds, about every [`BLOCK`] bytes.
pub(super) fn line_cuts(text: &[u8]) -> Vec<usize> {
    let mut cuts = vec![];
    let mut at = BLOCK;
    while let Some(i) = text.get(at..).and_then(|rest| memchr(b'\n', rest)) {
        at += i + 1;
        if at < text.len() {
            cuts.push(at);
        }
        at += BLOCK;
    }
    cuts
}

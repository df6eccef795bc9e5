//! Where a large text can be cut so that its parts can be read at the same time.

use memchr::{memchr, memchr_iter, memchr2};
use rayon::prelude::*;

/// Bytes of a block.
pub(super) const BLOCK: usize = 1 << 20;

/// Places after line feeds that are probably ends of CSV records, one in most blocks of [`BLOCK`] bytes, guessed by the
/// number of quotes before them. Whoever uses them must check that a record really ends there.
///
/// Each block is searched by itself: a record that goes through many has no cut in them, and no byte is looked at twice.
pub(super) fn csv_cuts(text: &[u8]) -> Vec<usize> {
    let quotes: Vec<usize> = text.par_chunks(BLOCK).map(|block| memchr_iter(b'"', block).count()).collect();
    let mut before = 0;
    let mut cuts = vec![];
    for (i, count) in quotes.iter().enumerate() {
        if i > 0
            && let Some(cut) = next_record(block(text, i), before % 2 == 1).map(|cut| i * BLOCK + cut)
            && cut < text.len()
        {
            cuts.push(cut);
        }
        before += count;
    }
    cuts
}

/// The bytes of a block.
fn block(text: &[u8], number: usize) -> &[u8] {
    &text[number * BLOCK..text.len().min((number + 1) * BLOCK)]
}

/// Where the first record of a block probably begins.
fn next_record(block: &[u8], mut quoted: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr2(b'\n', b'"', &block[at..])? + 1;
        if block[at - 1] == b'"' {
            quoted = !quoted;
        } else if !quoted {
            return Some(at);
        }
    }
}

/// Bytes of lines that are worth a block of their own.
const FEWEST_BYTES: usize = 1 << 17;

/// Places after line feeds that cut a text for all threads: into blocks of [`FEWEST_BYTES`] at least and about [`BLOCK`] at
/// most.
pub(super) fn line_cuts(text: &[u8]) -> Vec<usize> {
    let size = (text.len() / (2 * rayon::current_num_threads())).clamp(FEWEST_BYTES, BLOCK);
    cuts_every(text, size)
}

fn cuts_every(text: &[u8], size: usize) -> Vec<usize> {
    let mut cuts = vec![];
    let mut at = size;
    while let Some(i) = text.get(at..).and_then(|rest| memchr(b'\n', rest)) {
        at += i + 1;
        if at < text.len() {
            cuts.push(at);
        }
        at += size;
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_text_of_lines_is_cut_for_all_threads() {
        let text = "{}\n".repeat(FEWEST_BYTES);
        let cuts = cuts_every(text.as_bytes(), FEWEST_BYTES);
        assert_eq!(cuts.len(), 2);
        assert!(cuts.iter().all(|&cut| text.as_bytes()[cut - 1] == b'\n'));
        assert!(line_cuts(&text.as_bytes()[..FEWEST_BYTES]).is_empty(), "less than that stays whole");
    }

    #[test]
    fn a_block_is_cut_inside_itself_or_not_at_all() {
        // A field of five blocks full of line ends, and rows after it.
        let field = format!("a,\"{}\"\n", "x\n".repeat(5 * BLOCK / 2));
        let text = format!("{field}{}", "1,2\n".repeat(BLOCK));
        let cuts = csv_cuts(text.as_bytes());
        assert!(cuts.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(cuts.iter().all(|&cut| cut >= field.len() && text.as_bytes()[cut - 1] == b'\n'), "{cuts:?}");
        assert_eq!(cuts.len(), text.len().div_ceil(BLOCK) - field.len() / BLOCK);
        assert_eq!(csv_cuts(&field.as_bytes()[..field.len() - 2]), [0_usize; 0], "a quote that stays open");
    }
}

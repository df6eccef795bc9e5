//! Where a phrase may begin and end inside a run of Hangul.

use super::letters::{SYLLABLES, ends_hangul, hangul_end, hangul_index, is_hangul};
use crate::suites::clinical::pack::Pack;

/// Prefixes and tails of the pack.
#[derive(Debug)]
pub(crate) struct Edges {
    prefixes: Vec<String>,
    /// For each syllable whether some prefix ends with it.
    ends_prefix: Vec<bool>,
    /// For each syllable which tails start with it: 0 for none, else one more than their place in `tails`.
    by_first: Vec<u16>,
    tails: Vec<Tails>,
    /// Whether some prefix or tail holds a space, so that an edge may hang on the next token.
    spaced: bool,
}

/// Tails without the syllable that they start with.
#[derive(Debug, Default)]
struct Tails {
    /// Whether the syllable alone is enough.
    enough: bool,
    /// Enough by themselves.
    open: Vec<Box<[u8]>>,
    /// The rest must parse again.
    closed: Vec<Box<[u8]>>,
}

/// What is known about the right edges of one text.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// For each byte at which a syllable starts: 0 if not asked yet, 1 if the run parses from here, 2 if not.
    known: Vec<u8>,
    /// Syllables looked at, so that tests can count.
    pub(crate) steps: u64,
}

impl Parsed {
    /// Forgets the last text.
    pub(crate) fn reset(&mut self, length: usize) {
        self.known.clear();
        self.known.resize(length, 0);
        self.steps = 0;
    }
}

impl Edges {
    pub(crate) fn new(pack: &Pack) -> Edges {
        let mut edges = Edges {
            prefixes: pack.text.ko_prefixes.clone(),
            ends_prefix: vec![false; SYLLABLES],
            by_first: vec![0; SYLLABLES],
            tails: vec![],
            spaced: [&pack.text.ko_prefixes, &pack.text.ko_tails_open, &pack.text.ko_tails_closed]
                .into_iter()
                .flatten()
                .any(|text| text.contains(' ')),
        };
        for prefix in edges.prefixes.iter().map(String::as_bytes).filter(|prefix| ends_hangul(prefix, prefix.len())) {
            edges.ends_prefix[hangul_index(prefix, prefix.len() - 3)] = true;
        }
        for (words, open) in [(&pack.text.ko_tails_open, true), (&pack.text.ko_tails_closed, false)] {
            for word in words.iter().filter(|word| is_hangul(word.as_bytes(), 0)) {
                let slot = &mut edges.by_first[hangul_index(word.as_bytes(), 0)];
                if *slot == 0 {
                    edges.tails.push(Tails::default());
                    *slot = edges.tails.len() as u16;
                }
                let tails = &mut edges.tails[usize::from(*slot) - 1];
                let rest = &word.as_bytes()[3..];
                tails.enough |= open && rest.is_empty();
                if open { &mut tails.open } else { &mut tails.closed }.push(rest.into());
            }
        }
        edges
    }

    /// Whether the edges of a word hang on more than its token.
    pub(crate) fn spaced(&self) -> bool {
        self.spaced
    }

    /// Whether a Hangul phrase may begin here: no Hangul before it, but for a prefix that begins a word.
    pub(crate) fn begins(&self, text: &[u8], at: usize) -> bool {
        if !ends_hangul(text, at) {
            return true;
        }
        let begins = |prefix: &String| text[..at].ends_with(prefix.as_bytes()) && !ends_hangul(text, at - prefix.len());
        self.ends_prefix[hangul_index(text, at - 3)] && self.prefixes.iter().any(begins)
    }

    /// Whether the run of Hangul that starts here parses as tails. Each run is worked out once, from its end.
    pub(crate) fn tail_ok(&self, text: &[u8], at: usize, parsed: &mut Parsed) -> bool {
        if !is_hangul(text, at) {
            return true;
        }
        if parsed.known[at] == 0 {
            let mut from = at;
            while is_hangul(text, from) && parsed.known[from] == 0 {
                from += 3;
            }
            let end = if is_hangul(text, from) { hangul_end(text, from) } else { from };
            while from > at {
                from -= 3;
                parsed.steps += 1;
                parsed.known[from] = if self.parses(text, from, end, &parsed.known) { 1 } else { 2 };
            }
        }
        parsed.known[at] == 1
    }

    fn parses(&self, text: &[u8], at: usize, end: usize, known: &[u8]) -> bool {
        let slot = usize::from(self.by_first[hangul_index(text, at)]);
        if slot == 0 {
            return false;
        }
        let tails = &self.tails[slot - 1];
        let behind = &text[at + 3..];
        let goes_on = |rest: &[u8]| {
            let next = at + 3 + rest.len();
            (next == end || next < end && known[next] == 1) && (rest.is_empty() || behind.starts_with(rest))
        };
        tails.enough
            || tails.closed.iter().any(|rest| goes_on(rest))
            || tails.open.iter().any(|rest| behind.starts_with(rest))
    }
}

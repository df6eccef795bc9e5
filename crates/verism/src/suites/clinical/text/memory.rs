//! What a matcher found inside tokens, so that each distinct one is read once while it is remembered.
//!
//! A word of a phrase holds no space, so it stands inside a token, and so do a phrase of one word and both its edges. Only
//! phrases of several words are left to the text around the token.

use std::ops::Range;

use super::edges::Parsed;
use super::hits::Hit;
use super::list::List;
use crate::text::numbered::Numbered;

/// Tokens that are remembered before all are forgotten.
const MOST: usize = 1 << 16;
/// Bytes of the longest token that is remembered.
const LONGEST: usize = 64;

/// Tokens that were read.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Whose they are.
    matcher: u64,
    names: Numbered,
    /// Where what was found in each ends in the lists below.
    ends: Vec<(u32, u32)>,
    /// Phrases of one word, their spans counted from the token's start.
    pub(super) hits: Vec<(List, Hit)>,
    /// Words of longer phrases: the phrase's candidate, and where the word starts in the token.
    pub(super) anchors: Vec<(u32, u32)>,
    /// What others keep of each token; 0 if nothing.
    notes: Vec<u8>,
    pub(super) parsed: Parsed,
}

/// What was found in a token.
pub(super) struct Found {
    pub(super) hits: Range<usize>,
    pub(super) anchors: Range<usize>,
    /// The token's number; none if it is not remembered.
    pub(super) number: Option<u32>,
}

impl Memory {
    /// Makes ready for a text that a matcher reads.
    pub(super) fn start(&mut self, matcher: u64) {
        if self.matcher != matcher || self.ends.len() > MOST {
            *self = Memory { matcher, ..Memory::default() };
        }
    }

    /// What was found in a token; `read` reads one that is not known into the lists.
    #[inline]
    pub(super) fn look(&mut self, token: &str, read: impl FnOnce(&mut Memory, &str)) -> Found {
        let known = self.ends.len();
        let number = if token.len() <= LONGEST { self.names.number(token) as usize } else { known };
        if number < known {
            let before = number.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
            let end = self.ends[number];
            let range = |from: u32, to: u32| from as usize..to as usize;
            return Found {
                hits: range(before.0, end.0),
                anchors: range(before.1, end.1),
                number: Some(number as u32),
            };
        }
        let before = (self.hits.len(), self.anchors.len());
        read(self, token);
        let found = Found { hits: before.0..self.hits.len(), anchors: before.1..self.anchors.len(), number: None };
        if token.len() > LONGEST {
            return found;
        }
        self.ends.push((self.hits.len() as u32, self.anchors.len() as u32));
        self.notes.push(0);
        Found { number: Some(number as u32), ..found }
    }

    /// Forgets what was found in a token that is not remembered.
    pub(super) fn forget(&mut self, found: &Found) {
        if found.number.is_none() {
            self.hits.truncate(found.hits.start);
            self.anchors.truncate(found.anchors.start);
        }
    }

    /// What is kept of a token by its number, worked out if nothing is yet; it must not be 0.
    pub(crate) fn note(&mut self, number: u32, work_out: impl FnOnce() -> u8) -> u8 {
        let note = &mut self.notes[number as usize];
        if *note == 0 {
            *note = work_out();
        }
        *note
    }
}

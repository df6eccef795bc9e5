//! A cue found: its class, its phrase and where it stands.

use crate::suites::clinical::text::list::Class;

/// A cue, or another reason for a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cue<'a> {
    pub(crate) class: Class,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: &'a str,
}

impl<'a> Cue<'a> {
    pub(crate) fn new(class: Class, start: usize, end: usize, text: &'a str) -> Cue<'a> {
        Cue { class, start, end, text }
    }
}

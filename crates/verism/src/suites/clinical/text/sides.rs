//! Where a phrase may begin and end.

use super::edges::{Edges, Parsed};
use super::letters::is_alnum;
use super::phrase::{Edge, Phrase};

/// How the edges of a list's phrases are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Looseness {
    /// No left edge is checked.
    pub(crate) free_left: bool,
    /// One plural `s` may be added.
    pub(crate) plural: bool,
}

/// What must be checked at an end of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Free,
    /// No letter or digit beyond.
    Latin,
    /// Where a run of Hangul may begin or go on.
    Hangul,
}

impl Side {
    fn of(free: bool, edge: Edge) -> Side {
        match edge {
            _ if free => Side::Free,
            Edge::Letter | Edge::Digit => Side::Latin,
            Edge::Hangul => Side::Hangul,
            Edge::Other => Side::Free,
        }
    }
}

/// Both ends of a phrase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) left: Side,
    right: Side,
    /// One `s` may be added.
    plural: bool,
}

impl Sides {
    pub(super) fn of(phrase: &Phrase, loose: Looseness) -> Sides {
        let (starts, ends) = (phrase.starts(), phrase.ends());
        Sides {
            left: Side::of(phrase.left_free || loose.free_left, starts),
            right: Side::of(phrase.right_free, ends),
            plural: loose.plural && ends == Edge::Letter,
        }
    }

    /// Whether a phrase may begin here.
    pub(super) fn begins(self, text: &[u8], start: usize, edges: &Edges) -> bool {
        match self.left {
            Side::Free => true,
            Side::Latin => start == 0 || !is_alnum(text[start - 1]),
            Side::Hangul => edges.begins(text, start),
        }
    }

    /// The end of a phrase whose body ends here; none if it must not.
    pub(super) fn end(self, text: &[u8], end: usize, edges: &Edges, parsed: &mut Parsed) -> Option<usize> {
        let alnum = |at: usize| text.get(at).is_some_and(|byte| is_alnum(*byte));
        match self.right {
            Side::Latin if alnum(end) => (self.plural && text[end] == b's' && !alnum(end + 1)).then_some(end + 1),
            Side::Hangul => edges.tail_ok(text, end, parsed).then_some(end),
            _ => Some(end),
        }
    }
}

//! What is kept of a record once its texts have been read: compact, sortable, ready to be spilled.

use bytemuck::{Pod, Zeroable};

/// No action, no proposal.
pub(super) const NONE: u8 = u8::MAX;

/// A state as far as it is known; two bits of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    No,
    False,
    True,
}

impl Known {
    pub(super) fn of(value: Option<bool>) -> Known {
        match value {
            None => Known::No,
            Some(false) => Known::False,
            Some(true) => Known::True,
        }
    }

    pub(super) fn value(self) -> Option<bool> {
        match self {
            Known::No => None,
            Known::False => Some(false),
            Known::True => Some(true),
        }
    }
}

/// Up to sixteen states in two bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct States(u32);

/// Most states a pack may have.
pub(super) const MOST_STATES: usize = 16;

impl States {
    pub(super) fn get(self, state: usize) -> Known {
        match (self.0 >> (2 * state)) & 3 {
            1 => Known::False,
            2 => Known::True,
            _ => Known::No,
        }
    }

    pub(super) fn set(&mut self, state: usize, known: Known) {
        self.0 = (self.0 & !(3 << (2 * state))) | ((known as u32) << (2 * state));
    }
}

/// Where a construct's label came from, in the order of the table of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Token,
    Word,
    Keyword,
    Default,
    Missing,
}

/// Names of the sources.
pub(super) const SOURCES: [&str; 5] = ["token", "word", "keyword", "default", "missing"];

/// The label of a construct: a level (or none) and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) level: Option<u8>,
    pub(super) source: Source,
}

impl Label {
    /// Whether the label was really read from the field.
    pub(super) fn informed(self) -> bool {
        matches!(self.source, Source::Token | Source::Word | Source::Keyword)
    }
}

/// Up to eight labels in a byte each: five bits for the level, three for the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Labels(u64);

/// Most constructs a pack may have.
pub(super) const MOST_CONSTRUCTS: usize = 8;
/// Most levels a construct may have.
pub(super) const MOST_LEVELS: usize = 31;

impl Labels {
    pub(super) fn get(self, construct: usize) -> Label {
        let byte = (self.0 >> (8 * construct)) as u8;
        let source = match byte >> 5 {
            0 => Source::Token,
            1 => Source::Word,
            2 => Source::Keyword,
            3 => Source::Default,
            _ => Source::Missing,
        };
        let level = byte & 31;
        Label { level: (level < MOST_LEVELS as u8).then_some(level), source }
    }

    pub(super) fn set(&mut self, construct: usize, label: Label) {
        let byte = label.level.unwrap_or(MOST_LEVELS as u8) | ((label.source as u8) << 5);
        self.0 = (self.0 & !(0xff << (8 * construct))) | (u64::from(byte) << (8 * construct));
    }
}

/// How an action's label was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Alias,
    Text,
    UnknownAlias,
    Unparsed,
    Ambiguous,
    V6,
    Placeholder,
}

/// Names of the ways, in order.
const WHYS: [&str; 7] = ["alias", "text", "unknown_alias", "unparsed", "ambiguous", "v6", "placeholder"];

/// The row's own yes-or-no facts and the way its intent was found, in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Marks(u8);

impl Marks {
    pub(super) fn new(why: Why, fallback: bool, intervened: Known) -> Marks {
        Marks(why as u8 | (u8::from(fallback) << 3) | ((intervened as u8) << 4))
    }

    pub(super) fn intervened(self) -> Known {
        match self.0 >> 4 {
            1 => Known::False,
            2 => Known::True,
            _ => Known::No,
        }
    }

    /// The source of the intent as events name it.
    pub(super) fn intent_source(self) -> String {
        let why = WHYS[usize::from(self.0 & 7).min(WHYS.len() - 1)];
        if self.0 & 8 == 0 { why.to_string() } else { format!("fallback:{why}") }
    }
}

/// No retry count was given.
pub(super) const NO_RETRIES: u64 = u64::MAX;

/// A record as the judge needs it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Fact {
    pub(super) year: i64,
    /// Line in the file; 0 if unknown.
    pub(super) line: u64,
    pub(super) retries: u64,
    pub(super) labels: Labels,
    pub(super) cell: u32,
    pub(super) agent: u32,
    /// Number of the file in file order.
    pub(super) file: u32,
    /// Number of the list of cues that made the labels; 0 if it was not kept.
    pub(super) cues: u32,
    /// States at the end of the year.
    pub(super) after: States,
    /// Label of the action, [`NONE`] for a placeholder; the number after the last action is `other`.
    pub(super) action: u8,
    pub(super) intent: u8,
    pub(super) proposed: u8,
    pub(super) marks: Marks,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_out(values in prop::collection::vec(prop::option::of(any::<bool>()), MOST_STATES)) {
            let mut states = States::default();
            for (i, value) in values.iter().enumerate() {
                states.set(i, Known::True);
                states.set(i, Known::of(*value));
            }
            for (i, value) in values.iter().enumerate() {
                prop_assert_eq!(states.get(i).value(), *value);
            }
        }

        #[test]
        fn labels_keep_their_places(levels in prop::collection::vec(prop::option::of(0_u8..31), MOST_CONSTRUCTS)) {
            let mut labels = Labels::default();
            let label = |level: Option<u8>| Label { level, source: if level.is_some() { Source::Keyword } else { Source::Missing } };
            for (i, level) in levels.iter().enumerate() {
                labels.set(i, label(*level));
            }
            for (i, level) in levels.iter().enumerate() {
                prop_assert_eq!(labels.get(i), label(*level));
            }
        }
    }

    #[test]
    fn marks_tell_how_the_intent_was_found() {
        let marks = Marks::new(Why::UnknownAlias, true, Known::True);
        assert_eq!((marks.intent_source().as_str(), marks.intervened()), ("fallback:unknown_alias", Known::True));
        assert_eq!(Marks::new(Why::V6, false, Known::No).intent_source(), "v6");
    }
}

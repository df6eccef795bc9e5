//! A row of a log: what is kept of a record once its texts have been read. Of fixed size, so that it can be sorted and
//! written to disk.

use bytemuck::{Pod, Zeroable};

/// No action, no proposal.
pub(crate) const NONE: u8 = u8::MAX;

/// A yes or no as far as it is known; two bits of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flag {
    Unknown,
    False,
    True,
}

impl Flag {
    pub(crate) fn of(value: Option<bool>) -> Flag {
        match value {
            None => Flag::Unknown,
            Some(false) => Flag::False,
            Some(true) => Flag::True,
        }
    }

    pub(crate) fn value(self) -> Option<bool> {
        match self {
            Flag::Unknown => None,
            Flag::False => Some(false),
            Flag::True => Some(true),
        }
    }
}

/// Up to sixteen states in two bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct States(u32);

/// Most states a pack may have.
pub(crate) const MOST_STATES: usize = 16;

impl States {
    pub(crate) fn get(self, state: usize) -> Flag {
        match (self.0 >> (2 * state)) & 3 {
            1 => Flag::False,
            2 => Flag::True,
            _ => Flag::Unknown,
        }
    }

    pub(crate) fn set(&mut self, state: usize, known: Flag) {
        self.0 = (self.0 & !(3 << (2 * state))) | ((known as u32) << (2 * state));
    }
}

/// Where a construct's label came from, in the order of the table of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Token,
    Word,
    Keyword,
    Default,
    Missing,
}

/// Names of the sources.
pub(crate) const SOURCES: [&str; 5] = ["token", "word", "keyword", "default", "missing"];

/// The label of a construct: a level (or none) and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) level: Option<u8>,
    pub(crate) source: Source,
}

impl Label {
    /// Whether the label was really read from the field.
    pub(crate) fn informed(self) -> bool {
        matches!(self.source, Source::Token | Source::Word | Source::Keyword)
    }
}

/// Up to eight labels in a byte each: five bits for the level, three for the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Labels(u64);

/// Most constructs a pack may have.
pub(crate) const MOST_CONSTRUCTS: usize = 8;
/// Most levels a construct may have.
pub(crate) const MOST_LEVELS: usize = 31;

impl Labels {
    pub(crate) fn get(self, construct: usize) -> Label {
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

    pub(crate) fn set(&mut self, construct: usize, label: Label) {
        let byte = label.level.unwrap_or(MOST_LEVELS as u8) | ((label.source as u8) << 5);
        self.0 = (self.0 & !(0xff << (8 * construct))) | (u64::from(byte) << (8 * construct));
    }
}

/// How an action's label was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundBy {
    Alias,
    Text,
    UnknownAlias,
    Unparsed,
    Ambiguous,
    /// By the published program's rules.
    V6,
    Placeholder,
}

/// Names of the ways, in order.
const WHYS: [&str; 7] = ["alias", "text", "unknown_alias", "unparsed", "ambiguous", "v6", "placeholder"];

/// Whether governance intervened and the way its intent was found, in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Marks(u8);

impl Marks {
    pub(crate) fn new(why: FoundBy, fallback: bool, intervened: Flag) -> Marks {
        Marks(why as u8 | (u8::from(fallback) << 3) | ((intervened as u8) << 4))
    }

    pub(crate) fn intervened(self) -> Flag {
        match self.0 >> 4 {
            1 => Flag::False,
            2 => Flag::True,
            _ => Flag::Unknown,
        }
    }

    /// The source of the intent as events name it.
    pub(crate) fn intent_source(self) -> String {
        let why = WHYS[usize::from(self.0 & 7).min(WHYS.len() - 1)];
        if self.0 & 8 == 0 { why.to_string() } else { format!("fallback:{why}") }
    }
}

/// Line numbers from here on stand for an unknown line; what is above it keeps the order of the file.
pub(crate) const UNKNOWN_LINE: u64 = 1 << 63;

/// A line number as it is shown.
pub(crate) fn shown_line(line: u64) -> Option<u64> {
    (line < UNKNOWN_LINE).then_some(line)
}

/// No retry count was given.
pub(crate) const NO_RETRIES: u64 = u64::MAX;

/// A record as the judge needs it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LogRow {
    pub(crate) year: i64,
    /// Line in the file; from [`UNKNOWN_LINE`] on if unknown.
    pub(crate) line: u64,
    pub(crate) retries: u64,
    pub(crate) labels: Labels,
    pub(crate) cell: u32,
    pub(crate) agent: u32,
    /// Number of the file in file order.
    pub(crate) file: u32,
    /// Number of the list of cues that made the labels; 0 if it was not kept.
    pub(crate) cues: u32,
    /// States at the end of the year.
    pub(crate) after: States,
    /// Label of the action, [`NONE`] for a placeholder; the number after the last action is `other`.
    pub(crate) action: u8,
    pub(crate) intent: u8,
    pub(crate) proposed: u8,
    pub(crate) marks: Marks,
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
                states.set(i, Flag::True);
                states.set(i, Flag::of(*value));
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
        let marks = Marks::new(FoundBy::UnknownAlias, true, Flag::True);
        assert_eq!((marks.intent_source().as_str(), marks.intervened()), ("fallback:unknown_alias", Flag::True));
        assert_eq!(Marks::new(FoundBy::V6, false, Flag::Unknown).intent_source(), "v6");
    }
}

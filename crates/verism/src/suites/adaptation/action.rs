//! The action that a text names.

use super::fact::{NONE, Why};
use super::pack::{Format, Pack};
use crate::text::lexicon::Hit;
use crate::text::normalize::lookup_key;
use crate::text::words::Words;

/// An action's label and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) label: u8,
    pub(super) why: Why,
}

/// What holds the buffers for reading texts.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) words: Words,
    /// Words of the text that are worth a closer look.
    pub(super) worth: Vec<u32>,
    pub(super) hits: Vec<Hit>,
}

/// What an agent did: [`NONE`] for a placeholder.
pub(super) fn done(pack: &Pack, format: &Format, text: &str, desk: &mut Desk) -> Named {
    let key = lookup_key(text);
    if format.placeholders.contains(&key) {
        return Named { label: NONE, why: Why::Placeholder };
    }
    name(pack, format, text, &key, desk)
}

/// What an agent said it would do, or proposed: [`NONE`] if the cell is missing.
pub(super) fn said(pack: &Pack, format: &Format, text: &str, desk: &mut Desk) -> Named {
    let key = lookup_key(text);
    if pack.missing.contains(&key) {
        return Named { label: NONE, why: Why::Placeholder };
    }
    name(pack, format, text, &key, desk)
}

/// The label of a text: by alias; in formats of free text by the cues that are not negated.
///
/// A combined action is taken if only it and its parts occur and either its own cue or all its parts do.
fn name(pack: &Pack, format: &Format, text: &str, key: &str, desk: &mut Desk) -> Named {
    let other = |why| Named { label: pack.other(), why };
    if let Some(&label) = pack.aliases.get(key) {
        return Named { label, why: Why::Alias };
    }
    if !format.free_text {
        return other(Why::UnknownAlias);
    }
    desk.words.read(text);
    pack.action_cues.sieve().sift(&desk.words, &mut desk.worth);
    pack.action_cues.find(&desk.words, &desk.worth, &pack.negation, &mut desk.hits);
    let found = desk.hits.iter().fold(0_u64, |found, hit| found | 1 << hit.group);
    if found == 0 {
        return other(Why::Unparsed);
    }
    for (label, action) in pack.actions.iter().enumerate() {
        let (own, parts) = (1_u64 << label, action.components);
        if parts != 0 && (found & !own) & !parts == 0 && (found & own != 0 || parts & !found == 0) {
            return Named { label: label as u8, why: Why::Text };
        }
    }
    if found.count_ones() == 1 {
        return Named { label: found.trailing_zeros() as u8, why: Why::Text };
    }
    other(Why::Ambiguous)
}

#[cfg(test)]
mod tests {
    use super::super::pack::FLOOD;
    use super::*;

    #[test]
    fn free_text_is_read_by_cues_and_governed_fields_by_aliases() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let read = |format: usize, text: &str| {
            let named = done(&pack, &pack.formats[format], text, &mut Desk::default());
            (pack.action_name(named.label).unwrap_or("none").to_string(), named.why)
        };
        for (format, text, label, why) in [
            (0, "Elevate_House", "elevation", Why::Alias),
            (0, "[FI]", "insurance", Why::Alias),
            (0, "elevate it", "other", Why::UnknownAlias),
            (0, "relocated", "none", Why::Placeholder),
            (1, "Already relocated", "none", Why::Placeholder),
            (1, "I will elevate and insure", "both", Why::Text),
            (1, "not insured; elevated", "elevation", Why::Text),
            (1, "relocate or insure", "other", Why::Ambiguous),
            (1, "both of us insure", "both", Why::Text),
            (1, "Unknown", "other", Why::Unparsed),
        ] {
            assert_eq!(read(format, text), (label.to_string(), why), "{text:?}");
        }
    }
}

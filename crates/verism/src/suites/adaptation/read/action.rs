//! The action that a text names.

use crate::suites::adaptation::pack::construct::Buffers;
use crate::suites::adaptation::pack::{Format, Pack};
use crate::suites::adaptation::row::{FoundBy, NONE};
use crate::text::normalize::lookup_key;

/// An action's label and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundAction {
    pub(crate) label: u8,
    pub(crate) why: FoundBy,
}

/// What an agent did: [`NONE`] for a placeholder.
pub(crate) fn done(pack: &Pack, format: &Format, text: &str, buffers: &mut Buffers) -> FoundAction {
    let key = lookup_key(text);
    if format.placeholders.contains(&key) {
        return FoundAction { label: NONE, why: FoundBy::Placeholder };
    }
    name(pack, format, text, &key, buffers)
}

/// What an agent said it would do, or proposed: [`NONE`] if the cell is missing.
pub(crate) fn said(pack: &Pack, format: &Format, text: &str, buffers: &mut Buffers) -> FoundAction {
    let key = lookup_key(text);
    if pack.missing.contains(&key) {
        return FoundAction { label: NONE, why: FoundBy::Placeholder };
    }
    name(pack, format, text, &key, buffers)
}

/// The label of a text: by alias; in formats of free text by the cues that are not negated.
///
/// A combined action is taken if only it and its parts occur and either its own cue or all its parts do.
fn name(pack: &Pack, format: &Format, text: &str, key: &str, buffers: &mut Buffers) -> FoundAction {
    let other = |why| FoundAction { label: pack.other(), why };
    if let Some(&label) = pack.aliases.get(key) {
        return FoundAction { label, why: FoundBy::Alias };
    }
    if !format.free_text {
        return other(FoundBy::UnknownAlias);
    }
    buffers.words.read(text);
    pack.action_cues.sieve().sift(&buffers.words, &mut buffers.candidates);
    pack.action_cues.find(&buffers.words, &buffers.candidates, &pack.negation, &mut buffers.hits);
    let found = buffers.hits.iter().fold(0_u64, |found, hit| found | 1 << hit.group);
    if found == 0 {
        return other(FoundBy::Unparsed);
    }
    for (label, action) in pack.actions.iter().enumerate() {
        let (own, parts) = (1_u64 << label, action.components);
        if parts != 0 && (found & !own) & !parts == 0 && (found & own != 0 || parts & !found == 0) {
            return FoundAction { label: label as u8, why: FoundBy::Text };
        }
    }
    if found.count_ones() == 1 {
        return FoundAction { label: found.trailing_zeros() as u8, why: FoundBy::Text };
    }
    other(FoundBy::Ambiguous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::adaptation::pack::FLOOD;

    #[test]
    fn free_text_is_read_by_cues_and_governed_fields_by_aliases() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let read = |format: usize, text: &str| {
            let named = done(&pack, &pack.formats[format], text, &mut Buffers::default());
            (pack.action_name(named.label).unwrap_or("none").to_string(), named.why)
        };
        for (format, text, label, why) in [
            (0, "Elevate_House", "elevation", FoundBy::Alias),
            (0, "[FI]", "insurance", FoundBy::Alias),
            (0, "elevate it", "other", FoundBy::UnknownAlias),
            (0, "relocated", "none", FoundBy::Placeholder),
            (1, "Already relocated", "none", FoundBy::Placeholder),
            (1, "I will elevate and insure", "both", FoundBy::Text),
            (1, "not insured; elevated", "elevation", FoundBy::Text),
            (1, "relocate or insure", "other", FoundBy::Ambiguous),
            (1, "both of us insure", "both", FoundBy::Text),
            (1, "Unknown", "other", FoundBy::Unparsed),
        ] {
            assert_eq!(read(format, text), (label.to_string(), why), "{text:?}");
        }
    }
}

//! Texts that no label was found for: how many there are, and the most frequent of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::suites::adaptation::pack::Pack;

/// Different texts that are kept of a field.
const KEPT: usize = 256;
/// Longest part of a text that is kept.
const CHARS: usize = 60;
/// A share of texts above this is worth a caution: one in twenty.
const TOLERATED: u64 = 20;
/// Texts that a caution shows.
const SHOWN: usize = 5;

/// Where the actions and the intents stand; constructs follow.
pub(crate) const ACTION: usize = 0;
pub(crate) const INTENT: usize = 1;
pub(crate) const CONSTRUCTS: usize = 2;

/// The texts of one field.
///
/// Of more different texts than are kept, those with the smallest hashes stay. Whatever stays was never dropped before, so
/// that its count is right, and the result does not depend on the order or the parts in which texts were read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Field {
    /// Texts read.
    read: u64,
    /// Those without a label.
    unknown: u64,
    /// How often each occurs, by hash and text.
    texts: BTreeMap<u64, (String, u64)>,
}

impl Field {
    fn add(&mut self, hash: u64, text: &str, count: u64) {
        if let Some((_, n)) = self.texts.get_mut(&hash) {
            *n += count;
            return;
        }
        if self.texts.len() == KEPT && self.texts.last_key_value().is_some_and(|(largest, _)| hash > *largest) {
            return;
        }
        self.texts.insert(hash, (text.to_string(), count));
        if self.texts.len() > KEPT {
            self.texts.pop_last();
        }
    }
}

/// What was not understood, field by field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NotUnderstood {
    fields: Vec<Field>,
}

impl NotUnderstood {
    fn field(&mut self, at: usize) -> &mut Field {
        if self.fields.len() <= at {
            self.fields.resize_with(at + 1, Field::default);
        }
        &mut self.fields[at]
    }

    /// Notes a text that a label was found for.
    pub(crate) fn understood(&mut self, at: usize) {
        self.field(at).read += 1;
    }

    /// Notes a text that no label was found for.
    pub(crate) fn unknown(&mut self, at: usize, text: &str) {
        let field = self.field(at);
        field.read += 1;
        field.unknown += 1;
        let text = text.trim();
        let short = text.char_indices().nth(CHARS).map_or(text, |(end, _)| &text[..end]);
        field.add(hash(short), short, 1);
    }

    /// Adds what was noted elsewhere.
    pub(crate) fn merge(&mut self, other: &NotUnderstood) {
        for (at, theirs) in other.fields.iter().enumerate() {
            let mine = self.field(at);
            mine.read += theirs.read;
            mine.unknown += theirs.unknown;
            for (hash, (text, count)) in &theirs.texts {
                mine.add(*hash, text, *count);
            }
        }
    }

    /// Gives a caution for every field of which more than one text in twenty has no label.
    pub(crate) fn cautions(&self, pack: &Pack) -> Vec<String> {
        let mut out = vec![];
        for (at, field) in self.fields.iter().enumerate() {
            if field.unknown * TOLERATED <= field.read {
                continue;
            }
            let name = match at {
                ACTION => "actions",
                INTENT => "intents",
                _ => pack.constructs.get(at - CONSTRUCTS).map_or("", |construct| construct.id.as_str()),
            };
            let means = if at < CONSTRUCTS { "count as `other`" } else { "count as the default level" };
            let mut texts: Vec<&(String, u64)> = field.texts.values().collect();
            texts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let shown: Vec<String> = texts.iter().take(SHOWN).map(|(text, n)| format!("{text:?} {n}")).collect();
            let percent = 100.0 * field.unknown as f64 / field.read as f64;
            out.push(format!(
                "{name}: {} of {} texts ({percent:.1} %) were not understood and {means}: {}; rules cannot see them. If these \
                 are choices of your domain, describe them in a pack: --option pack=FILE.toml",
                field.unknown,
                field.read,
                shown.join(", ")
            ));
        }
        out
    }
}

/// A hash that is the same on every machine (FNV-1a, mixed so that similar texts spread).
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let plain = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    let mixed = (plain ^ (plain >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::adaptation::pack::FLOOD;

    fn pack() -> Pack {
        Pack::parse(FLOOD, "flood.toml").unwrap()
    }

    // 2 of 40 is 5 %, and not more; with a third it is.
    #[test]
    fn more_than_one_in_twenty_is_worth_a_caution() {
        let mut notes = NotUnderstood::default();
        (0..38).for_each(|_| notes.understood(ACTION));
        notes.unknown(ACTION, "Build a levee");
        notes.unknown(ACTION, " Build a levee");
        assert_eq!(notes.cautions(&pack()), Vec::<String>::new());
        notes.unknown(ACTION, "Pray");
        let said = notes.cautions(&pack());
        assert!(said[0].starts_with("actions: 3 of 41 texts (7.3 %)"), "{said:?}");
        assert!(said[0].contains("\"Build a levee\" 2, \"Pray\" 1") && said[0].contains("pack="), "{said:?}");
    }

    // A thousand different texts in two parts, in two orders: the same is kept, with the right counts.
    #[test]
    fn parts_and_order_do_not_matter() {
        let texts: Vec<String> = (0..1000).map(|i| format!("text {}", i % 700)).collect();
        let all = |texts: &mut dyn Iterator<Item = &String>| {
            let mut notes = NotUnderstood::default();
            texts.for_each(|text| notes.unknown(INTENT, text));
            notes
        };
        let whole = all(&mut texts.iter());
        let mut joined = all(&mut texts[400..].iter().rev());
        joined.merge(&all(&mut texts[..400].iter()));
        assert_eq!(whole, joined);
        for (text, count) in whole.fields[INTENT].texts.values() {
            assert_eq!(*count, texts.iter().filter(|other| *other == text).count() as u64);
        }
        assert_eq!(whole.fields[INTENT].texts.len(), KEPT);
    }
}

//! What short texts were found to mean: logs say the same few things over and over.

use rustc_hash::FxHashMap;

use super::action::{self, FoundAction};
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::pack::construct::Buffers;
use crate::suites::adaptation::row::{Label, Source};
use crate::text::normalize::lookup_key;

/// The label of a text and the numbers of the cues that decided it.
type Read = (Label, Box<[u32]>);

/// What short texts were found to mean; handed on from block to block.
#[derive(Default)]
pub(super) struct MeaningCache {
    done: Vec<FxHashMap<Box<str>, FoundAction>>,
    said: Vec<FxHashMap<Box<str>, FoundAction>>,
    labels: Vec<FxHashMap<Box<str>, Read>>,
    buffers: Buffers,
}

/// Texts up to this length are remembered, up to this many of each kind.
const SHORT: usize = 40;
const REMEMBERED: usize = 4096;

impl MeaningCache {
    /// A memo of the formats and constructs of a pack.
    pub(super) fn new(pack: &Pack) -> MeaningCache {
        let per_format = || pack.formats.iter().map(|_| FxHashMap::default()).collect();
        let labels = pack.constructs.iter().map(|_| FxHashMap::default()).collect();
        MeaningCache { done: per_format(), said: per_format(), labels, buffers: Buffers::default() }
    }

    /// What an agent did.
    pub(super) fn done(&mut self, pack: &Pack, format: usize, text: &str) -> FoundAction {
        let MeaningCache { done, buffers, .. } = self;
        remember(&mut done[format], text, || action::done(pack, &pack.formats[format], text, buffers))
    }

    /// What an agent said it would do, or proposed.
    pub(super) fn said(&mut self, pack: &Pack, format: usize, text: &str) -> FoundAction {
        let MeaningCache { said, buffers, .. } = self;
        remember(&mut said[format], text, || action::said(pack, &pack.formats[format], text, buffers))
    }

    /// The label of a text about a construct. Appends to `cues` how many texts decided it, and their numbers.
    pub(super) fn label(&mut self, pack: &Pack, construct: usize, text: &str, cues: &mut Vec<u32>) -> Label {
        let MeaningCache { labels, buffers, .. } = self;
        let known = &mut labels[construct];
        if text.len() <= SHORT
            && let Some((label, decided)) = known.get(text)
        {
            cues.push(decided.len() as u32);
            cues.extend_from_slice(decided);
            return *label;
        }
        let count_at = cues.len();
        cues.push(0);
        let label = if is_missing(pack, text) {
            Label { level: None, source: Source::Missing }
        } else {
            buffers.words.read(text);
            pack.constructs[construct].label(&pack.negation, buffers, cues)
        };
        cues[count_at] = (cues.len() - count_at - 1) as u32;
        if text.len() <= SHORT && known.len() < REMEMBERED {
            known.insert(text.into(), (label, cues[count_at + 1..].into()));
        }
        label
    }
}

/// Whether a text means that there is none. Every letter of it would be in its key: one with more letters than the
/// longest word for missing is spared the look-up.
fn is_missing(pack: &Pack, text: &str) -> bool {
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    letters.take(pack.longest_missing + 1).count() <= pack.longest_missing && pack.missing.contains(&lookup_key(text))
}

/// What a text was found to mean before, or is found now.
fn remember(
    known: &mut FxHashMap<Box<str>, FoundAction>,
    text: &str,
    find: impl FnOnce() -> FoundAction,
) -> FoundAction {
    if text.len() > SHORT {
        return find();
    }
    if let Some(&named) = known.get(text) {
        return named;
    }
    let named = find();
    if known.len() < REMEMBERED {
        known.insert(text.into(), named);
    }
    named
}

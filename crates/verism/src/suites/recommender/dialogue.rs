//! A dialogue as it is scored.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::field::Field;
use crate::suites::records::Key;

/// Who gave a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Rater {
    Human,
    Judge,
}

impl Rater {
    pub(super) fn name(self) -> &'static str {
        match self {
            Rater::Human => "human",
            Rater::Judge => "judge",
        }
    }
}

/// How often something happened, by name.
pub(super) type Notes = BTreeMap<Cow<'static, str>, u64>;

/// Counts something once more.
pub(super) fn note(notes: &mut Notes, name: &'static str) {
    *notes.entry(Cow::Borrowed(name)).or_default() += 1;
}

/// What a simulator tells about a message of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Meta {
    /// Whether the user changes the focus here, if that is told.
    pub(super) shift: Option<bool>,
    /// Fields and values that the user wants; a value that is no text or number is none.
    pub(super) constraints: Option<Vec<(Field, Option<String>)>>,
    pub(super) focus: Focus,
}

/// The field and value that steer the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Focus {
    /// Nothing is told.
    #[default]
    Untold,
    /// A field that is none of ours.
    Unknown,
    /// A field and a value, if there is one.
    Value(Field, Option<String>),
}

/// The user's messages and the reply to them.
#[derive(Clone, Debug)]
pub(super) struct Turn<'a> {
    pub(super) user: Cow<'a, str>,
    pub(super) meta: Option<Meta>,
    pub(super) system: Option<Cow<'a, str>>,
    pub(super) rec_titles: Vec<Cow<'a, str>>,
}

/// A dialogue.
#[derive(Clone, Debug)]
pub(super) struct Dialogue<'a> {
    pub(super) key: Key,
    pub(super) turns: Vec<Turn<'a>>,
    /// Turns where the focus changes, counted from 1; none if nothing tells.
    pub(super) shifts: Option<Vec<usize>>,
    pub(super) labels: BTreeMap<(Rater, String), Vec<f64>>,
    pub(super) notes: Notes,
}

impl Turn<'_> {
    /// The same turn with texts of its own.
    pub(super) fn into_owned(self) -> Turn<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Turn {
            user: own(self.user),
            meta: self.meta,
            system: self.system.map(own),
            rec_titles: self.rec_titles.into_iter().map(own).collect(),
        }
    }
}

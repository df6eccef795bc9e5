//! A dialogue as it is scored.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::suites::recommender::catalog::field::Field;
use crate::suites::records::Key;

/// Who gave a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Rater {
    Human,
    Judge,
}

impl Rater {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rater::Human => "human",
            Rater::Judge => "judge",
        }
    }
}

/// How often something happened, by name.
pub(crate) type Notes = BTreeMap<Cow<'static, str>, u64>;

/// Counts something once more.
pub(crate) fn note(notes: &mut Notes, name: &'static str) {
    *notes.entry(Cow::Borrowed(name)).or_default() += 1;
}

/// What a simulator tells about a message of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Meta {
    /// Whether the user changes the focus here, if that is told.
    pub(crate) shift: Option<bool>,
    /// Fields and values that the user wants; a value that is not text or number is none.
    pub(crate) constraints: Option<Vec<(Field, Option<String>)>>,
    pub(crate) focus: Focus,
}

/// The field and value that steer the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Focus {
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
pub(crate) struct Turn<'a> {
    pub(crate) user: Cow<'a, str>,
    pub(crate) meta: Option<Meta>,
    pub(crate) system: Option<Cow<'a, str>>,
    pub(crate) rec_titles: Vec<Cow<'a, str>>,
}

/// A dialogue.
#[derive(Clone, Debug)]
pub(crate) struct Dialogue<'a> {
    pub(crate) key: Key,
    pub(crate) turns: Vec<Turn<'a>>,
    /// Turns where the focus changes, counted from 1; none if nothing tells.
    pub(crate) shifts: Option<Vec<usize>>,
    pub(crate) labels: BTreeMap<(Rater, String), Vec<f64>>,
    pub(crate) notes: Notes,
}

impl Turn<'_> {
    /// The same turn with texts of its own.
    pub(crate) fn into_owned(self) -> Turn<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Turn {
            user: own(self.user),
            meta: self.meta,
            system: self.system.map(own),
            rec_titles: self.rec_titles.into_iter().map(own).collect(),
        }
    }
}

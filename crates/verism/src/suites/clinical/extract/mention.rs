//! Where a mention stands, and what becomes of it.

use super::analysis::Analysis;
use super::cue::Cue;
use super::engine::Kind;
use crate::suites::clinical::text::list::Class;

/// A mention inside its segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MentionSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) segment: usize,
    pub(crate) segment_start: usize,
    pub(crate) segment_end: usize,
    /// Whether a pseudo cue overlaps the mention itself, and so does not count.
    pub(crate) clash: bool,
}

impl MentionSpan {
    /// The place of a mention, if it is in a segment.
    pub(crate) fn of(analysis: &Analysis, start: usize, end: usize) -> Option<MentionSpan> {
        let place = MentionSpan::plain(analysis, start, end, start)?;
        Some(MentionSpan { clash: analysis.has_pseudo(start, end), ..place })
    }

    /// The same for a number, whose segment is that of `at`; every pseudo cue counts.
    pub(crate) fn plain(analysis: &Analysis, start: usize, end: usize, at: usize) -> Option<MentionSpan> {
        let segment = analysis.doc.segment_at(at)?;
        let bounds = analysis.doc.segments[segment];
        let (segment_start, segment_end) = (bounds.start, bounds.end);
        Some(MentionSpan { start, end, segment, segment_start, segment_end, clash: false })
    }

    /// Whether a pseudo cue cancels a cue of this class.
    pub(crate) fn cancels(&self, analysis: &Analysis, class: Class, start: usize, end: usize) -> bool {
        class.is_negative() && self.overlaid(analysis, start, end)
    }

    /// Whether a pseudo cue that counts overlaps a span.
    pub(crate) fn overlaid(&self, analysis: &Analysis, start: usize, end: usize) -> bool {
        if self.clash {
            analysis.has_pseudo_beside(start, end, (self.start, self.end))
        } else {
            analysis.has_pseudo(start, end)
        }
    }
}

/// What is said about a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    Asserted,
    Denied,
    Avoided,
    Unasserted,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Asserted => "asserted",
            Status::Denied => "denied",
            Status::Avoided => "avoided",
            Status::Unasserted => "unasserted",
        }
    }
}

/// The value of a lab or vital, or an age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    /// In the canonical unit.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// As written.
    pub(crate) stated: f64,
    /// Place of the unit among those of the entity, if one was written.
    pub(crate) stated_unit: Option<usize>,
    /// Half a step of the last decimal written.
    pub(crate) half: f64,
    pub(crate) approximate: bool,
}

/// A fact as it is mentioned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention<'a> {
    pub(crate) kind: Kind,
    /// An entity, or a name of the patient.
    pub(crate) entity: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: Option<Value>,
    pub(crate) status: Status,
    pub(crate) why: Option<Cue<'a>>,
    /// Where the name of a value stands.
    pub(crate) name_start: Option<usize>,
}

//! Is a drug or a condition said of this patient? The first step that finds something decides.

use super::analysis::{Analysis, Blanked};
use super::chain::FurtherGapWords;
use super::clusters::Asked;
use super::cue::Cue;
use super::engine::{Engine, Kind};
use super::english::{Before, Behind};
use super::mention::{Mention, MentionSpan, Status};
use crate::suites::clinical::text::list::{Class, List};

/// What is said, and the cue for it.
pub(crate) type StatusCue<'a> = (Status, Option<Cue<'a>>);

/// Whether a mention without any claim counts as asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByDefault(pub(crate) Status);

impl Analysis {
    /// The status of a drug or condition; `people` are the mentions of age and sex.
    pub(crate) fn entity_status<'a>(
        &'a self,
        engine: &'a Engine,
        kind: Kind,
        place: &MentionSpan,
        people: &People<'_>,
        by_default: ByDefault,
    ) -> StatusCue<'a> {
        let forward = self.forward(engine, place, false);
        if let Some(said) = self.korean_status(engine, kind, place, forward) {
            return said;
        }
        if let Some(said) = self.english_status(engine, kind, place, people) {
            return said;
        }
        let drug = kind == Kind::Med;
        let inherits = self.doc.segments[place.segment].inherits_avoid;
        if drug && (forward.is_some_and(|cue| cue.class == Class::Avoid) || inherits) {
            return (Status::Avoided, forward);
        }
        (by_default.0, None)
    }

    /// Steps 1 to 11.
    fn korean_status<'a>(
        &'a self,
        engine: &'a Engine,
        kind: Kind,
        place: &MentionSpan,
        forward: Option<Cue<'a>>,
    ) -> Option<StatusCue<'a>> {
        let drug = kind == Kind::Med;
        let names = Blanked::Names;
        let unasserted = |cue| Some((Status::Unasserted, Some(cue)));
        let asserted = |cue| Some((Status::Asserted, Some(cue)));
        if let Some(cue) = forward.filter(|cue| cue.class == Class::Family) {
            return unasserted(cue);
        }
        let near = self.chain_hits(place);
        let chain = |classes| self.chain_cue_of(engine, place, near, classes, names);
        if let Some(cue) = chain(Class::Deny.bit()) {
            return match self.conditional(engine, place, &cue) {
                Some(condition) => unasserted(condition),
                None => Some((Status::Denied, Some(cue))),
            };
        }
        if drug {
            if let Some(cue) = chain(Class::Avoid.bit()) {
                return Some((Status::Avoided, Some(cue)));
            }
            if let Some(cue) = self.replaced_by(engine, place) {
                return unasserted(cue);
            }
        }
        let asked = if drug { Asked::Drug } else { Asked::Condition };
        let governing = self.governing(engine, place.segment, (place.start, place.end), asked, names, place.clash);
        let conditional = governing.filter(|cue| cue.class == Class::HypoCond);
        if let Some(cue) = chain(Class::Generic.bit() | Class::Hypo.bit()) {
            return unasserted(cue);
        }
        if conditional.is_none()
            && let Some(cue) = self.forward_chain(engine, place, true, names)
        {
            return asserted(cue);
        }
        if let Some(cue) = governing.filter(|cue| drug && cue.class == Class::Avoid) {
            return Some((Status::Avoided, Some(cue)));
        }
        if let Some(cue) = chain(Class::Example.bit()) {
            return unasserted(cue);
        }
        if let Some(cue) = forward.filter(|cue| matches!(cue.class, Class::Example | Class::Generic | Class::Hypo)) {
            return unasserted(cue);
        }
        if let Some(cue) = conditional.filter(|_| drug) {
            return unasserted(cue);
        }
        if let Some(cue) = self.forward_chain(engine, place, false, names) {
            return asserted(cue);
        }
        if !drug {
            if let Some(cue) = chain(Class::Claim.bit()) {
                return match self.conditional(engine, place, &cue) {
                    Some(condition) => unasserted(condition),
                    None => asserted(cue),
                };
            }
            if let Some(cue) = self.honorific_claim(engine, place) {
                return asserted(cue);
            }
        }
        governing.and_then(|cue| match cue.class {
            Class::Claim | Class::Continue => asserted(cue),
            _ => unasserted(cue),
        })
    }

    /// A token in -(으)시니, -셔서, -십니다 behind a condition: the addressee has it.
    fn honorific_claim<'a>(&'a self, engine: &'a Engine, place: &MentionSpan) -> Option<Cue<'a>> {
        let (start, end) = self.honorific_behind(place.end, place.segment_end)?;
        let open = self.left_open(engine, place, end);
        (!open).then(|| Cue::new(Class::Claim, start, end, "honorific"))
    }

    /// Step 12.
    fn english_status<'a>(
        &'a self,
        engine: &'a Engine,
        kind: Kind,
        place: &MentionSpan,
        people: &People<'_>,
    ) -> Option<StatusCue<'a>> {
        let drug = kind == Kind::Med;
        let asked = if drug { Before::Drug } else { Before::Condition };
        let before = self.before(engine, place, asked, Blanked::Names);
        let behind = self.behind(engine, place, if drug { Behind::Drug } else { Behind::Condition });
        let class = before.map(|cue| cue.class);
        if matches!(class, None | Some(Class::Recommend | Class::Generic))
            && let Some(cue) = self.with_claim(engine, place, people)
        {
            return Some((Status::Asserted, Some(cue)));
        }
        if drug && matches!(class, None | Some(Class::Example | Class::Recommend)) {
            if let Some(cue) = behind.filter(|cue| cue.class == Class::Avoid) {
                return Some((Status::Avoided, Some(cue)));
            }
            if let Some(cue) = self.pronoun(engine, place).filter(|cue| cue.class != Class::Recommend) {
                let status = if cue.class == Class::Avoid { Status::Avoided } else { Status::Asserted };
                return Some((status, Some(cue)));
            }
        }
        if let Some(cue) = before.filter(|cue| cue.class != Class::Recommend) {
            let status = match cue.class {
                Class::Claim | Class::Continue => Status::Asserted,
                Class::Deny => Status::Denied,
                Class::Avoid => Status::Avoided,
                _ => Status::Unasserted,
            };
            return Some((status, Some(cue)));
        }
        if let Some(cue) = self.adjacent(engine, place) {
            return Some((Status::Asserted, Some(cue)));
        }
        if let Some(cue) = behind {
            let status = match cue.class {
                Class::Avoid => Status::Avoided,
                Class::Deny => Status::Denied,
                Class::Claim => Status::Asserted,
                _ => Status::Unasserted,
            };
            return Some((status, Some(cue)));
        }
        before.map(|cue| (Status::Unasserted, Some(cue)))
    }

    /// "X you take": a claim one space behind the mention.
    fn adjacent<'a>(&'a self, engine: &'a Engine, place: &MentionSpan) -> Option<Cue<'a>> {
        if self.doc.bytes().get(place.end) != Some(&b' ') {
            return None;
        }
        let hits = self.hits.starting(List::EnAdjacent, place.end + 1, place.end + 2);
        let hit = hits.iter().filter(|hit| hit.end as usize <= place.segment_end).min_by_key(|hit| hit.place)?;
        let text = &engine.cue(List::EnAdjacent, hit.place).text;
        Some(Cue::new(Class::Claim, hit.start as usize, hit.end as usize, text))
    }

    /// AGE or SEX + "with" + the mention: "a 67-year-old man with …".
    fn with_claim<'a>(&'a self, engine: &'a Engine, place: &MentionSpan, people: &People<'_>) -> Option<Cue<'a>> {
        let from = self.chain_back(place.start, place.segment_start);
        let text = self.text();
        for hit in self.hits.ending(List::With, from, place.start) {
            let (start, end) = hit.span();
            if start < place.segment_start
                || !self.chain_gap(engine, end, place.start, Blanked::Names, FurtherGapWords::Nothing)
            {
                continue;
            }
            let mut before = &text[place.segment_start..start];
            before = before.trim_end_matches([' ', ',']);
            before = before.strip_suffix(" patient").unwrap_or(before);
            if people.ends_at(place.segment_start + before.len()) {
                return Some(Cue::new(Class::Claim, start, end, "with"));
            }
        }
        None
    }
}

/// Where asserted ages and sexes end, in order.
#[derive(Debug, Default)]
pub(crate) struct People<'v> {
    pub(crate) ends: &'v [usize],
}

impl People<'_> {
    fn ends_at(&self, at: usize) -> bool {
        self.ends.binary_search(&at).is_ok()
    }
}

impl<'a> Mention<'a> {
    /// Whether the cue leaves room for the speaker's own claim.
    pub(crate) fn may_be_own(&self) -> bool {
        let open = |cue: &Cue<'_>| {
            matches!(cue.class, Class::Recommend | Class::Continue | Class::Benefit | Class::Neutral | Class::Claim)
        };
        matches!(self.kind, Kind::Med | Kind::Condition)
            && self.status == Status::Unasserted
            && self.why.as_ref().is_none_or(open)
    }
}

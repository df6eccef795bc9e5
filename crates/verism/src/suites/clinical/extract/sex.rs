//! Is the sex said of this patient?

use super::analysis::{Analysis, Blanked, Named};
use super::cue::Cue;
use super::engine::Engine;
use super::mention::{Mention, MentionSpan, Status};
use super::status::StatusCue;
use crate::suites::clinical::text::letters::{ends_hangul, token_end};
use crate::suites::clinical::text::list::{Class, List};

impl Analysis {
    pub(crate) fn sex_status<'a>(&'a self, engine: &'a Engine, name: &Named, ages: &[Mention<'a>]) -> StatusCue<'a> {
        let Some(place) = MentionSpan::plain(self, name.start, name.end, name.start) else {
            return (Status::Unasserted, None);
        };
        if let Some(cue) = self.next_to_age(engine, &place, ages) {
            return (Status::Asserted, Some(cue));
        }
        if let Some(said) = self.korean_sex_claim(engine, &place) {
            return said;
        }
        let asserted = |cue| (Status::Asserted, Some(cue));
        let text = self.text();
        let before =
            name.start.checked_sub(1).filter(|end| *end > place.segment_start && self.doc.bytes()[*end] == b' ');
        if let Some(end) = before {
            let hits = self.hits.ending(List::SexClaimBefore, end, end).iter();
            let inside = hits.filter(|hit| hit.start as usize >= place.segment_start);
            if let Some(hit) = inside.min_by_key(|hit| (hit.place, hit.start)) {
                let word = &engine.pack.sex.en_claim_before[hit.place as usize];
                return asserted(Cue::new(Class::Claim, hit.start as usize, hit.end as usize, word));
            }
        }
        let behind = |word: &&String| {
            let rest = text[name.end..].strip_prefix(' ').and_then(|rest| rest.strip_prefix(word.as_str()));
            rest.is_some_and(|rest| !rest.starts_with('s'))
        };
        if let Some(word) = engine.pack.sex.en_claim_after.iter().find(behind) {
            return asserted(Cue::new(Class::Claim, name.end, name.end, word));
        }
        match self.forward_chain(engine, &place, false, Blanked::None) {
            Some(cue) => asserted(cue),
            None => (Status::Unasserted, None),
        }
    }

    /// An asserted age of the segment with nothing but known words between.
    fn next_to_age<'a>(&self, engine: &Engine, place: &MentionSpan, ages: &[Mention<'a>]) -> Option<Cue<'a>> {
        let most = engine.pack.sex.age_gap_max;
        let far = place.start.saturating_sub(4 * most as usize + 256).max(place.segment_start);
        let first = ages.partition_point(|age| age.start < far);
        let last = place.end + 4 * most as usize + 1;
        for age in ages[first..].iter().take_while(|age| age.start < last.min(place.segment_end)) {
            if age.status != Status::Asserted {
                continue;
            }
            let (start, end) = if age.end <= place.start {
                (age.end, place.start)
            } else if place.end <= age.start {
                (place.end, age.start)
            } else {
                continue;
            };
            let gap = &self.text()[start..end];
            let known = |word: &str| word.is_empty() || engine.age_gap.contains(word);
            if self.doc.width(start, end) as f64 <= most && gap.split([' ', ',', '(', ')', '/', '-']).all(known) {
                return Some(Cue::new(Class::Age, age.start, age.end, "next to age"));
            }
        }
        None
    }

    /// A tail that claims, unless the token has a conditional ending.
    fn korean_sex_claim<'a>(&'a self, engine: &'a Engine, place: &MentionSpan) -> Option<StatusCue<'a>> {
        let bytes = self.doc.bytes();
        if !ends_hangul(bytes, place.end) {
            return None;
        }
        let (tail, _) = engine.sex_tails.iter().find(|(_, body)| body.at(bytes, place.end).is_some())?;
        let token = token_end(bytes, place.end, place.segment_end);
        let hits = self.hits.starting(List::KoPred, place.end, token);
        let condition = hits.iter().filter(|hit| {
            let class = engine.cue(List::KoPred, hit.place).class;
            let (start, end) = hit.span();
            class == Class::HypoCond && end <= place.segment_end && !place.cancels(self, class, start, end)
        });
        Some(match condition.min_by_key(|hit| (hit.place, hit.start)) {
            Some(hit) => {
                let text = &engine.cue(List::KoPred, hit.place).text;
                (Status::Unasserted, Some(Cue::new(Class::HypoCond, hit.start as usize, hit.end as usize, text)))
            }
            None => (Status::Asserted, Some(Cue::new(Class::Claim, place.end, place.end, tail))),
        })
    }
}

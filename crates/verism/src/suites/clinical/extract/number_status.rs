//! Is a value said of this patient, or a goal, a limit, an example?

use super::analysis::{Analysis, Blanked};
use super::chain::FurtherGapWords;
use super::clusters::Asked;
use super::cue::Cue;
use super::engine::Engine;
use super::english::Before;
use super::mention::{MentionSpan, Status};
use super::status::StatusCue;
use super::values::Valued;
use crate::suites::clinical::text::list::{Class, List};

impl Analysis {
    pub(crate) fn number_status<'a>(&'a self, engine: &'a Engine, valued: &Valued<'a>) -> StatusCue<'a> {
        let mention = &valued.mention;
        let place = MentionSpan::plain(self, valued.name_start, valued.value_end, mention.start);
        let Some(place) = place else { return (Status::Unasserted, None) };
        let target =
            |text: &'a str| (Status::Unasserted, Some(Cue::new(Class::Target, mention.start, mention.end, text)));
        if let Some(word) = valued.words.iter().find(|word| engine.words.target.contains(**word)) {
            return target(word);
        }
        if let Some(sign) = engine.pack.numeric.target_signs.iter().find(|sign| valued.gap.contains(sign.as_str())) {
            return target(sign);
        }
        if let Some(cue) = self.behind_value(engine, valued.value_end, place.segment_end) {
            return (Status::Unasserted, Some(cue));
        }
        if let Some(cue) = self.target_before(engine, valued, &place) {
            return (Status::Unasserted, Some(cue));
        }
        let forward = self.forward(engine, &place, false);
        let general =
            |cue: &Cue<'_>| matches!(cue.class, Class::Family | Class::Example | Class::Generic | Class::Hypo);
        if let Some(cue) = forward.filter(general) {
            return (Status::Unasserted, Some(cue));
        }
        let before = self.before(engine, &place, Before::Number, Blanked::Names);
        if let Some(cue) = before.filter(|cue| cue.class != Class::Claim) {
            return (Status::Unasserted, Some(cue));
        }
        let range = mention.value.is_some_and(|value| value.low != value.high);
        if range && !self.range_is_claimed(engine, &place, before.is_some()) {
            return (Status::Unasserted, Some(Cue::new(Class::Range, mention.start, mention.end, "range")));
        }
        (Status::Asserted, before)
    }

    /// Whether a claim supports a range.
    fn range_is_claimed(&self, engine: &Engine, place: &MentionSpan, claimed: bool) -> bool {
        let span = (place.start, place.end);
        let governing = self.governing(engine, place.segment, span, Asked::Range, Blanked::Names, false);
        governing.is_some_and(|cue| cue.class == Class::Claim)
            || claimed
            || self.forward_chain(engine, place, false, Blanked::Names).is_some()
    }

    /// A phrase for a goal or limit right behind a value, or behind a filler with its particle.
    fn behind_value<'a>(&'a self, engine: &'a Engine, mut at: usize, limit: usize) -> Option<Cue<'a>> {
        let bytes = self.doc.bytes();
        let numeric = &engine.pack.numeric;
        let skipped = |words: &[String], at: usize| {
            words.iter().find(|word| bytes[at..].starts_with(word.as_bytes())).map(|word| at + word.len())
        };
        for _ in 0..2 {
            while at < limit && matches!(bytes[at], b' ' | b')') {
                at += 1;
            }
            let hits = self.hits.starting(List::TargetAfter, at, at + 1);
            if let Some(hit) = hits.iter().filter(|hit| hit.end as usize <= limit).min_by_key(|hit| hit.place) {
                let text = &engine.cue(List::TargetAfter, hit.place).text;
                return Some(Cue::new(Class::Target, at, hit.end as usize, text));
            }
            at = skipped(&numeric.after_fillers, at)?;
            at = skipped(&numeric.after_particles, at).unwrap_or(at);
        }
        None
    }

    /// A phrase for a goal or limit before the name, with a chain gap.
    fn target_before<'a>(&'a self, engine: &'a Engine, valued: &Valued<'a>, place: &MentionSpan) -> Option<Cue<'a>> {
        let from = self.chain_back(place.start, place.segment_start);
        let mut best: Option<(u32, usize, usize)> = None;
        for hit in self.hits.ending(List::TargetBefore, from, place.start) {
            let (start, end) = hit.span();
            let text = &engine.cue(List::TargetBefore, hit.place).text;
            let exempt = engine.pack.numeric.of_exempt.contains(text) && valued.words.first() == Some(&"of");
            if start < place.segment_start || exempt || best.is_some_and(|best| best <= (hit.place, start, end)) {
                continue;
            }
            if self.chain_gap(engine, end, place.start, Blanked::Names, FurtherGapWords::Figures) {
                best = Some((hit.place, start, end));
            }
        }
        best.map(|(number, start, end)| {
            Cue::new(Class::Target, start, end, &engine.cue(List::TargetBefore, number).text)
        })
    }
}

//! Is an occurrence of an answer pattern recommended?

use super::analysis::{Analysis, Blanked, Occurrence};
use super::clusters::Asked;
use super::cue::Cue;
use super::engine::{Engine, PatternInfo};
use super::english::{Before, Behind};
use super::mention::MentionSpan;
use crate::suites::clinical::text::list::{Class, List};

/// Whether it is recommended, and the cue for it.
pub(crate) type Verdict<'a> = (bool, Option<Cue<'a>>);

impl Analysis {
    /// Decides for one occurrence; none if it is in no segment.
    pub(crate) fn pushed<'a>(&'a self, engine: &'a Engine, occurrence: &Occurrence) -> Option<Verdict<'a>> {
        let place = MentionSpan::of(self, occurrence.start, occurrence.end)?;
        let pattern = &engine.patterns[occurrence.pattern as usize];
        Some(if pattern.predicate { self.predicate(engine, &place) } else { self.push(engine, &place, pattern) })
    }

    /// Its words carry the verdict; only direct negation takes it back.
    fn predicate<'a>(&'a self, engine: &'a Engine, place: &MentionSpan) -> Verdict<'a> {
        let close = self.close_behind(engine, List::PredNegKo, place);
        let clause = self.clause(place);
        let denied = close
            .or_else(|| self.first_of(engine, List::PredNegEn, clause.start, place.start))
            .or_else(|| self.first_of(engine, List::PredNegAfter, place.end, place.segment_end));
        (denied.is_none(), denied)
    }

    fn push<'a>(&'a self, engine: &'a Engine, place: &MentionSpan, pattern: &PatternInfo) -> Verdict<'a> {
        let lexicon = pattern.is_lexicon;
        let all = Blanked::All;
        if let Some(cue) = self.replaced_by(engine, place) {
            return (true, Some(cue));
        }
        if let Some(cue) = self.chain_cue(engine, place, Class::Avoid.bit(), all) {
            return (false, Some(cue));
        }
        let asked = if lexicon { Asked::PushLexicon } else { Asked::Push };
        let governing = self.governing(engine, place.segment, (place.start, place.end), asked, all, place.clash);
        match governing.map(|cue| (cue.class, cue)) {
            Some((Class::HypoCond, cue)) => return self.under_condition(engine, place, cue),
            Some((class, cue)) if class != Class::Neutral => return (class.is_plus(), Some(cue)),
            _ => {}
        }
        let pronoun = self.pronoun(engine, place);
        if let Some(cue) = pronoun.filter(|cue| cue.class == Class::Avoid) {
            return (false, Some(cue));
        }
        let clause = self.clause(place);
        if let Some(cue) = self.first_of(engine, List::EnLimit, clause.start, clause.end) {
            return (false, Some(cue));
        }
        let before = self.before(engine, place, if lexicon { Before::PushLexicon } else { Before::Push }, all);
        let behind = self.behind(engine, place, if lexicon { Behind::PushLexicon } else { Behind::Push });
        if let Some(cue) = before.filter(|cue| !matches!(cue.class, Class::Recommend | Class::Continue)) {
            return (false, Some(cue));
        }
        if let Some(cue) = behind.filter(|cue| cue.class != Class::Recommend) {
            return (false, Some(cue));
        }
        if let Some(cue) = before.or(behind).or(pronoun) {
            return (true, Some(cue));
        }
        if let Some(cue) = self.forward(engine, place, true) {
            return (false, Some(cue));
        }
        let segment = self.doc.segments[place.segment];
        if segment.inherits_avoid {
            return (false, Some(Cue::new(Class::Avoid, segment.start, segment.start, "header")));
        }
        if let Some(cue) = self.word_in(engine, List::Risk, clause.start, clause.end, place) {
            return (false, Some(cue));
        }
        if lexicon || governing.is_some() {
            return (false, governing);
        }
        if let Some(cue) = self.word_in(engine, List::Praise, clause.start, clause.end, place) {
            return (true, Some(cue));
        }
        let item = self.doc.lines[segment.line].kind.is_item();
        if item && self.doc.width(segment.start, segment.end) as f64 <= engine.pack.cues.plan.item_max_chars {
            return (true, Some(Cue::new(Class::Plan, segment.start, segment.start, "list item")));
        }
        let plan = self.plan(engine, clause.start, clause.end);
        (plan.is_some(), plan)
    }

    /// Under a condition: recommended if praise follows and no risk, about the same thing.
    fn under_condition<'a>(&'a self, engine: &'a Engine, place: &MentionSpan, condition: Cue<'a>) -> Verdict<'a> {
        let end = place.segment_end;
        let praise = self.word_in(engine, List::Praise, condition.end, end, place);
        let risk = || self.word_in(engine, List::Risk, condition.end, end, place);
        match praise {
            Some(mut cue) if risk().is_none() && !self.new_argument(engine, condition.end, cue.start) => {
                cue.class = Class::Word;
                (true, Some(cue))
            }
            _ => (false, Some(condition)),
        }
    }

    /// A phrase or expression of a plan in the clause.
    fn plan<'a>(&'a self, engine: &'a Engine, start: usize, end: usize) -> Option<Cue<'a>> {
        if let Some(cue) = self.first_of(engine, List::Plan, start, end) {
            return Some(cue);
        }
        let found = {
            let mut known = self.plans.borrow_mut();
            *known.entry((start, end)).or_insert_with(|| {
                let clause = &self.text()[start..end];
                let first = engine.plan.iter().find_map(|regex| regex.find(clause));
                first.map(|found| (start + found.start(), start + found.end()))
            })
        };
        found.map(|(from, to)| Cue::new(Class::Plan, from, to, &self.text()[from..to]))
    }
}

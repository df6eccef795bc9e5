//! CUS: does an answer use what the record says about the patient?

use std::borrow::Cow;

use serde::Serialize;

use super::sfs::{Nearness, compare};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure, NOT_APPLICABLE};
use crate::stats::sum::neumaier;
use crate::suites::clinical::extract::Extracted;
use crate::suites::clinical::extract::analysis::{Analysis, Named};
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::extract::mention::Status;
use crate::suites::clinical::options::{CusSemantic, Params};
use crate::suites::clinical::replies::Judge;
use crate::suites::clinical::text::list::{Class, List};
use crate::suites::clinical::text::matcher::Single;
use crate::suites::clinical::truth::{Slot, TextItem, Truth};

/// A required slot and how it was used.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum SlotShown<'a> {
    Missing { slot: &'a str, weight: f64, score: Option<f64>, reason: &'static str },
    Used { slot: &'a str, weight: f64, score: f64, how: Option<&'static str>, matched: Option<Cow<'a, str>> },
}

/// What CUS rests on.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Evidence<'a> {
    None {},
    Undefined { slots: Vec<SlotShown<'a>> },
    Used { slots: Vec<SlotShown<'a>>, total_weight: f64, n_used_slots: u64, meets_expected: bool },
}

/// How much an item is used, how, and by which words.
type Usage<'a> = (f64, Option<&'static str>, Option<Cow<'a, str>>);

const UNUSED: Usage<'static> = (0.0, None, None);

/// An answer and what it is held against.
pub(crate) struct Usages<'a, 'x> {
    pub(crate) engine: &'a Engine,
    pub(crate) params: &'a Params,
    pub(crate) truth: &'a Truth,
    pub(crate) analysis: &'a Analysis,
    pub(crate) extracted: &'x Extracted<'a>,
}

impl<'a> Usages<'a, '_> {
    /// CUS, weighted and basic, with n, and the evidence.
    ///
    /// ```math
    /// CUS = Σ w·usage / Σ w over slots with a true value; CUS_weighted = Σ w[usage > 0] / Σ w; CUS_basic = share of slots used
    /// ```
    /// No profile: not applicable. No slot with a value: empty denominator.
    pub(crate) fn cus(&self, profile: Option<usize>, judge: &dyn Judge) -> ([Measure; 3], u64, Evidence<'a>) {
        let turn = profile.map(|place| (&self.engine.pack.turns[place], &self.truth.slots[place]));
        let Some((turn, slots)) = turn.filter(|(turn, _)| !turn.required_slots.is_empty()) else {
            return ([NOT_APPLICABLE; 3].map(Err), 0, Evidence::None {});
        };
        let mut shown = vec![];
        let mut used: Vec<(f64, f64)> = vec![];
        for ((name, weight), slot) in turn.required_slots.iter().zip(slots) {
            let Some((mut score, mut how, matched)) = self.slot(slot) else {
                shown.push(SlotShown::Missing { slot: name, weight: *weight, score: None, reason: "missing_in_truth" });
                continue;
            };
            if score == 0.0 && self.params.cus_semantic == CusSemantic::Judge && judge.uses(name) {
                (score, how) = (0.5, Some("judge"));
            }
            used.push((*weight, score));
            shown.push(SlotShown::Used { slot: name, weight: *weight, score, how, matched });
        }
        if used.is_empty() {
            return ([EMPTY_DENOMINATOR; 3].map(Err), 0, Evidence::Undefined { slots: shown });
        }
        let total = neumaier(used.iter().map(|(weight, _)| *weight));
        let partial = neumaier(used.iter().map(|(weight, score)| weight * score)) / total;
        let touched = || used.iter().filter(|(_, score)| *score > 0.0);
        let weighted = neumaier(touched().map(|(weight, _)| *weight)) / total;
        let basic = touched().count() as f64 / used.len() as f64;
        let n = used.len() as u64;
        let meets_expected = partial >= turn.cus_min_expected;
        let evidence = Evidence::Used { slots: shown, total_weight: total, n_used_slots: n, meets_expected };
        ([Ok(partial), Ok(weighted), Ok(basic)], n, evidence)
    }

    /// The best use among the items of a slot; none if the record has no value for it.
    fn slot(&self, slot: &Slot) -> Option<Usage<'a>> {
        let best = |items: &mut dyn Iterator<Item = Usage<'a>>| {
            let mut best = UNUSED;
            for usage in items {
                if usage.0 > best.0 {
                    best = usage;
                }
                if best.0 >= 1.0 {
                    break;
                }
            }
            best
        };
        match slot {
            Slot::Missing => None,
            Slot::Age => Some(self.age()),
            Slot::Sex => Some(self.sex()),
            Slot::Numbers(numbers) => Some(best(&mut numbers.iter().map(|number| self.number(*number)))),
            Slot::Texts(items) => Some(best(&mut items.iter().map(|item| self.text(item)))),
        }
    }

    fn words(&self, start: usize, end: usize) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(&self.analysis.text()[start..end]))
    }

    fn age(&self) -> Usage<'a> {
        let Some(age) = self.truth.age else { return UNUSED };
        let ages = || {
            self.extracted
                .facts
                .iter()
                .filter(|fact| fact.kind == Kind::Age)
                .filter_map(|fact| Some((fact, fact.value?)))
        };
        if let Some((fact, _)) = ages().find(|(_, value)| value.low == age && value.high == age) {
            return (1.0, Some("explicit"), self.words(fact.start, fact.end));
        }
        if let Some((fact, _)) =
            ages().find(|(_, value)| value.low < value.high && value.low <= age && age <= value.high)
        {
            return (0.5, Some("decade"), self.words(fact.start, fact.end));
        }
        for (theme, places) in self.engine.pack.age.themes.iter().zip(&self.engine.age_themes) {
            if theme.min <= age
                && age <= theme.max
                && let Some((start, end)) = self.first_theme(List::AgeThemes, places.clone())
            {
                return (0.5, Some("theme"), self.words(start, end));
            }
        }
        UNUSED
    }

    /// The first hit of the first phrase of a range of places that occurs.
    fn first_theme(&self, list: List, places: std::ops::Range<u32>) -> Option<(usize, usize)> {
        let hits = self.analysis.hits.of(list);
        let first = hits.partition_point(|hit| hit.place < places.start);
        hits.get(first).filter(|hit| hit.place < places.end).map(|hit| hit.span())
    }

    fn sex(&self) -> Usage<'a> {
        let named =
            self.extracted.names.iter().find(|name| name.kind == Kind::Sex && Some(name.entity) == self.truth.sex);
        named.map_or(UNUSED, |name| (1.0, Some("explicit"), self.words(name.start, name.end)))
    }

    fn number(&self, entity: u32) -> Usage<'a> {
        let Some(truth) = self.truth.number(entity) else { return UNUSED };
        let values = || self.extracted.facts.iter().filter(|fact| fact.entity == entity && fact.kind.is_number());
        for fact in values() {
            let target = fact.why.is_some_and(|cue| matches!(cue.class, Class::Target | Class::Range));
            if !target
                && let Some(value) = fact.value
                && compare(self.engine, self.params, &value, truth.value, truth.half) == Nearness::Match
            {
                return (1.0, Some("explicit"), self.words(fact.start, fact.end));
            }
        }
        let pressure = self.engine.pressures.is_some_and(|both| both.contains(&entity));
        let parent = |name: &Named| pressure && self.engine.entity(name.entity).id == "bp";
        for name in self.extracted.names.iter().filter(|name| name.kind.is_number()) {
            let wrong = || values().any(|fact| fact.name_start == Some(name.start) && fact.status == Status::Asserted);
            if (name.entity == entity || parent(name)) && !wrong() {
                return (0.5, Some("name"), self.words(name.start, name.end));
            }
        }
        UNUSED
    }

    /// The first span of a phrase that overlaps no denied mention.
    fn free(&self, single: &Single, denied: &[(usize, usize)]) -> Option<(usize, usize)> {
        let mut found = None;
        let (bytes, edges) = (self.analysis.doc.bytes(), &self.engine.edges);
        single.find(bytes, edges, &mut self.analysis.parsed.borrow_mut(), |start, end| {
            let next = denied.partition_point(|(_, to)| *to <= start);
            // Denied names do not overlap each other.
            let overlaps = denied.get(next).is_some_and(|(from, _)| *from < end);
            if found.is_none() && !overlaps {
                found = Some((start, end));
            }
        });
        found
    }

    fn text(&self, item: &TextItem) -> Usage<'a> {
        let mut denied: Vec<(usize, usize)> = self
            .extracted
            .facts
            .iter()
            .filter(|fact| fact.status == Status::Denied)
            .map(|fact| (fact.start, fact.end))
            .collect();
        denied.sort_unstable_by_key(|(start, end)| (*end, *start));
        if let Some((start, end)) = self.free(&item.literal, &denied) {
            return (1.0, Some("explicit"), self.words(start, end));
        }
        let names = || {
            let own = self.extracted.names.iter().filter(|name| name.kind == item.kind);
            own.filter(|name| {
                denied.binary_search_by_key(&(name.end, name.start), |(start, end)| (*end, *start)).is_err()
            })
        };
        if let Some(name) = names().find(|name| item.ids.contains(&name.entity)) {
            return (1.0, Some("explicit"), self.words(name.start, name.end));
        }
        if let Some(name) = names().find(|name| item.ancestors.contains(&name.entity)) {
            return (0.5, Some("broader"), self.words(name.start, name.end));
        }
        if !self.analysis.hits.of(List::Themes).is_empty() {
            for entity in item.ids.iter().chain(&item.ancestors) {
                for &place in &self.engine.entity(*entity).themes {
                    if let Some((start, end)) = self.first_theme(List::Themes, place..place + 1) {
                        return (0.5, Some("theme"), self.words(start, end));
                    }
                }
            }
        }
        if item.words.is_empty() {
            return UNUSED;
        }
        let found: Vec<&str> = item
            .words
            .iter()
            .filter(|(_, single)| self.free(single, &denied).is_some())
            .map(|(word, _)| word.as_str())
            .collect();
        match 2 * found.len() >= item.words.len() {
            true => (0.5, Some("partial"), Some(Cow::Owned(found.join(" ")))),
            false => UNUSED,
        }
    }
}

//! Nearest cues and words around a mention.

use std::cell::OnceCell;

use super::analysis::Analysis;
use super::cue::Cue;
use super::engine::Engine;
use super::mention::MentionSpan;
use crate::suites::clinical::text::hits::Hit;
use crate::suites::clinical::text::list::{Class, List};

/// Hits that no pseudo cue overlaps, of the lists in which that matters.
#[derive(Debug, Default)]
pub(crate) struct LiveHits {
    forward: OnceCell<Vec<Hit>>,
    forward_avoid: OnceCell<Vec<Hit>>,
    risk: OnceCell<Vec<Hit>>,
    praise: OnceCell<Vec<Hit>>,
}

impl Analysis {
    /// The nearest Korean forward cue before a mention; `avoid_only`: of that class.
    pub(crate) fn forward<'a>(&'a self, engine: &'a Engine, place: &MentionSpan, avoid_only: bool) -> Option<Cue<'a>> {
        let all = self.hits.of(List::KoFwd);
        if all.is_empty() {
            return None;
        }
        let class = |hit: &Hit| engine.cue(List::KoFwd, hit.place).class;
        let alive = |hit: &&Hit| {
            let class = class(hit);
            (!avoid_only || class == Class::Avoid)
                && !(class.is_negative() && self.has_pseudo(hit.start as usize, hit.end as usize))
        };
        let list = |cell: &'a OnceCell<Vec<Hit>>| cell.get_or_init(|| all.iter().filter(alive).copied().collect());
        let hits = match (place.clash, avoid_only) {
            (true, _) => all,
            (false, true) => list(&self.living.forward_avoid),
            (false, false) => list(&self.living.forward),
        };
        let before = hits.partition_point(|hit| (hit.start as usize) < place.start);
        let mut best: Option<&Hit> = None;
        for hit in hits[..before].iter().rev().take_while(|hit| hit.start as usize >= place.segment_start) {
            self.step();
            if best.is_some_and(|best| best.start != hit.start) {
                break;
            }
            let (start, end) = hit.span();
            let dead = place.clash
                && (avoid_only && class(hit) != Class::Avoid || place.cancels(self, class(hit), start, end));
            if end > place.start || dead {
                continue;
            }
            // Hits of one start come shortest first, of equal ones the last of the pack first.
            best = Some(hit);
        }
        let hit = best?;
        let info = engine.cue(List::KoFwd, hit.place);
        Some(Cue::new(info.class, hit.start as usize, hit.end as usize, &info.text))
    }

    /// The earliest word of risk or praise in a range that overlaps neither the mention nor a pseudo cue.
    pub(crate) fn word_in<'a>(
        &'a self,
        engine: &'a Engine,
        list: List,
        start: usize,
        end: usize,
        place: &MentionSpan,
    ) -> Option<Cue<'a>> {
        let all = self.hits.of(list);
        if all.is_empty() {
            return None;
        }
        let cell = if list == List::Risk { &self.living.risk } else { &self.living.praise };
        let alive = |hit: &&Hit| !self.has_pseudo(hit.start as usize, hit.end as usize);
        let hits = if place.clash { all } else { cell.get_or_init(|| all.iter().filter(alive).copied().collect()) };
        let first = hits.partition_point(|hit| (hit.start as usize) < start);
        let counts = |hit: &&Hit| {
            self.step();
            (hit.end as usize) <= end
                && !hit.overlaps(place.start, place.end)
                && !(place.clash && place.overlaid(self, hit.start as usize, hit.end as usize))
        };
        let hit = hits[first..].iter().take_while(|hit| (hit.start as usize) < end).find(counts)?;
        let info = engine.cue(list, hit.place);
        Some(Cue::new(info.class, hit.start as usize, hit.end as usize, &info.text))
    }

    /// The first phrase of a list with an order of its own that lies in a range.
    pub(crate) fn first_of<'a>(&'a self, engine: &'a Engine, list: List, start: usize, end: usize) -> Option<Cue<'a>> {
        let hit = self.hits.first_inside(list, start, end).next()?;
        let info = engine.cue(list, hit.place);
        Some(Cue::new(info.class, hit.start as usize, hit.end as usize, &info.text))
    }

    /// The first phrase of a list whose hit starts at most three characters behind the mention.
    pub(crate) fn close_behind<'a>(&'a self, engine: &'a Engine, list: List, place: &MentionSpan) -> Option<Cue<'a>> {
        let hits = self.hits.starting(list, place.end, place.end + 4 * 3 + 1);
        let close =
            |hit: &&Hit| hit.end as usize <= place.segment_end && self.doc.width(place.end, hit.start as usize) <= 3;
        let hit = hits.iter().filter(close).min_by_key(|hit| (hit.place, hit.start))?;
        let info = engine.cue(list, hit.place);
        Some(Cue::new(info.class, hit.start as usize, hit.end as usize, &info.text))
    }
}

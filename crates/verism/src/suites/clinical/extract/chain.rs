//! Gaps that hold nothing but other names, fillers and light punctuation, and the cues that need one.

use super::analysis::{Analysis, Blanked};
use super::cue::Cue;
use super::engine::Engine;
use super::mention::MentionSpan;
use crate::suites::clinical::pack::CHAIN_SPLIT;
use crate::suites::clinical::text::hits::Hit;
use crate::suites::clinical::text::letters::{skip_spaces, token_end};
use crate::suites::clinical::text::list::{Class, List};

/// Longest chain gap, in characters.
const LONGEST: usize = 60;

/// Further words that a gap may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FurtherGapWords {
    Nothing,
    /// Words between names and values, figures and words for limits.
    Figures,
}

impl Analysis {
    /// Whether a gap is a chain gap.
    pub(crate) fn chain_gap(
        &self,
        engine: &Engine,
        start: usize,
        end: usize,
        what: Blanked,
        also: FurtherGapWords,
    ) -> bool {
        if end < start {
            return false;
        }
        // A character has four bytes at most.
        if end - start > 4 * LONGEST || self.doc.width(start, end) > LONGEST {
            return false;
        }
        self.step();
        let mut blanked = self.blanked(what, start, end).peekable();
        if blanked.peek().is_none() {
            return Self::fills(engine, &self.text()[start..end], also);
        }
        let mut gap = [b' '; 4 * LONGEST];
        let gap = &mut gap[..end - start];
        gap.copy_from_slice(&self.doc.bytes()[start..end]);
        for (from, to) in blanked {
            gap[from - start..to - start].fill(b' ');
        }
        // Names begin and end between characters, so what is left is still text.
        std::str::from_utf8(gap).is_ok_and(|gap| Self::fills(engine, gap, also))
    }

    /// Whether a text holds nothing but fillers.
    fn fills(engine: &Engine, gap: &str, also: FurtherGapWords) -> bool {
        let words = &engine.words;
        gap.split(CHAIN_SPLIT).all(|word| {
            word.is_empty()
                || words.fillers.contains(word)
                || also == FurtherGapWords::Figures && (words.gap.contains(word) || words.limit.contains(word))
                || words.chain_number.is_match(word)
                || also == FurtherGapWords::Figures && words.chain_figure.is_match(word)
        })
    }

    /// The end of the part of a text within reach of a chain gap, at most the limit.
    fn chain_reach(&self, start: usize, limit: usize) -> usize {
        let far = start + 4 * LONGEST;
        if far < limit { self.floor(far) } else { limit }
    }

    /// The start of the part of a text within reach of a chain gap that ends here, at least the limit.
    pub(crate) fn chain_back(&self, end: usize, limit: usize) -> usize {
        let far = end.saturating_sub(4 * LONGEST);
        if far > limit { self.floor(far) } else { limit }
    }

    /// The start of the character that holds a byte.
    fn floor(&self, mut at: usize) -> usize {
        while !self.doc.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The Korean cues within reach of a chain gap behind the mention.
    pub(crate) fn chain_hits(&self, place: &MentionSpan) -> &[Hit] {
        if self.hits.of(List::KoChain).is_empty() {
            return &[];
        }
        let reach = self.chain_reach(place.end, place.segment_end) + 1;
        self.hits.starting(List::KoChain, place.end, reach)
    }

    /// The Korean cue of one of these classes behind the mention with a chain gap: smallest start, then longest.
    pub(crate) fn chain_cue<'a>(
        &'a self,
        engine: &'a Engine,
        place: &MentionSpan,
        classes: u32,
        what: Blanked,
    ) -> Option<Cue<'a>> {
        self.chain_cue_of(engine, place, self.chain_hits(place), classes, what)
    }

    /// The same among the cues within reach.
    pub(crate) fn chain_cue_of<'a>(
        &'a self,
        engine: &'a Engine,
        place: &MentionSpan,
        hits: &[Hit],
        classes: u32,
        what: Blanked,
    ) -> Option<Cue<'a>> {
        let mut gap: Option<(usize, bool)> = None;
        for hit in hits {
            self.step();
            let info = engine.cue(List::KoChain, hit.place);
            let (start, end) = hit.span();
            if classes & info.class.bit() == 0 || end > place.segment_end || place.cancels(self, info.class, start, end)
            {
                continue;
            }
            // Several cues may start at one place.
            let fits = match gap {
                Some((known, fits)) if known == start => fits,
                _ => self.chain_gap(engine, place.end, start, what, FurtherGapWords::Nothing),
            };
            gap = Some((start, fits));
            if fits {
                return Some(Cue::new(info.class, start, end, &info.text));
            }
        }
        None
    }

    /// "…로 바꾸", "…로 대체" glued to the mention.
    pub(crate) fn replaced_by<'a>(&'a self, engine: &'a Engine, place: &MentionSpan) -> Option<Cue<'a>> {
        let hits = self.hits.starting(List::KoChain, place.end, place.end + 1);
        let fits = hits.iter().filter_map(|hit| {
            let info = engine.cue(List::KoChain, hit.place);
            let (start, end) = hit.span();
            (info.class == Class::Recommend && end <= place.segment_end).then_some((hit.place, start, end, info))
        });
        fits.min_by_key(|(place, ..)| *place).map(|(_, start, end, info)| Cue::new(info.class, start, end, &info.text))
    }

    /// The nearest Korean claim before the mention with a chain gap.
    pub(crate) fn forward_chain<'a>(
        &'a self,
        engine: &'a Engine,
        place: &MentionSpan,
        strong_only: bool,
        what: Blanked,
    ) -> Option<Cue<'a>> {
        let from = self.chain_back(place.start, place.segment_start);
        let hits = self.hits.ending(List::KoFwdChain, from, place.start);
        let mut best: Option<Cue<'a>> = None;
        for hit in hits.iter().rev() {
            let (start, end) = hit.span();
            if start < place.segment_start || strong_only && hit.place >= engine.strong {
                continue;
            }
            let nearer = best.is_none_or(|best| (start, end) > (best.start, best.end));
            // Of equal spans the first of the list counts.
            let earlier = best.is_some_and(|best| (start, end) == (best.start, best.end));
            if (nearer || earlier) && self.chain_gap(engine, end, place.start, what, FurtherGapWords::Nothing) {
                best = Some(Cue::new(Class::Claim, start, end, &engine.cue(List::KoFwdChain, hit.place).text));
            }
        }
        best
    }

    /// A conditional ending inside the predicate (with its auxiliaries) that holds the cue.
    pub(crate) fn conditional<'a>(&'a self, engine: &'a Engine, place: &MentionSpan, cue: &Cue<'_>) -> Option<Cue<'a>> {
        let (bytes, limit) = (self.doc.bytes(), place.segment_end);
        let mut end = token_end(bytes, cue.end.saturating_sub(1), limit);
        loop {
            let next = skip_spaces(bytes, end, limit);
            if next > end && next < limit && engine.token_ends.is_auxiliary(&self.text()[next..limit]) {
                end = token_end(bytes, next, limit);
            } else {
                break;
            }
        }
        let hits = self.hits.starting(List::KoPred, place.end, end);
        let inside = hits.iter().filter(|hit| hit.end as usize <= end && hit.end as usize > cue.start);
        let fits = inside.filter(|hit| {
            let class = engine.cue(List::KoPred, hit.place).class;
            class == Class::HypoCond && !place.cancels(self, class, hit.start as usize, hit.end as usize)
        });
        // The first of the list, then of the text.
        let first = fits.min_by_key(|hit| (hit.place, hit.start))?;
        let info = engine.cue(List::KoPred, first.place);
        Some(Cue::new(info.class, first.start as usize, first.end as usize, &info.text))
    }
}

//! A text with everything that decisions look up: names, patterns, cues, clusters of predicates, clauses.

use std::cell::{Cell, OnceCell, RefCell};

use rustc_hash::FxHashMap;

use super::clusters::Korean;
use super::engine::{DECOY, Engine, Kind};
use super::english::{Clauses, VIEWS, View};
use super::numbers::Number;
use super::words::LiveHits;
use crate::suites::clinical::text::document::{Document, LineKind};
use crate::suites::clinical::text::edges::Parsed;
use crate::suites::clinical::text::hits::{Hit, Hits};
use crate::suites::clinical::text::letters::hangul_end;
use crate::suites::clinical::text::list::{Class, List};
use crate::suites::clinical::text::matcher::Single;
use crate::suites::clinical::text::memory::Memory;

/// Start and end.
type Span = (usize, usize);

/// Names of one patient only are numbered from here.
pub(crate) const OWN: u32 = 1 << 30;

/// A name of one patient only.
#[derive(Debug)]
pub(crate) struct OwnName {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) single: Single,
}

/// A name found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) kind: Kind,
    /// An entity, or from [`OWN`] on a name of the patient.
    pub(crate) entity: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// An occurrence of an answer pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) pattern: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Which spans are blanked in a chain gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blanked {
    None,
    Names,
    /// Names and occurrences of patterns.
    All,
}

/// A text read with an engine. Its buffers serve one text after the other.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) doc: Document,
    pub(crate) parsed: RefCell<Parsed>,
    pub(crate) hits: Hits,
    pub(crate) memory: Memory,
    pub(crate) numbers: Vec<Number>,
    /// In the order of the text, those in segments only.
    pub(crate) names: Vec<Named>,
    /// By pattern, then in the order of the text.
    pub(crate) occurrences: Vec<Occurrence>,
    /// Spans of occurrences in the order of the text.
    pattern_spans: Vec<(u32, u32)>,
    /// Pseudo cues that lie in one segment, by start.
    pseudo: Vec<(u32, u32)>,
    /// The furthest end among the pseudo cues up to this one.
    pseudo_reach: Vec<u32>,
    pub(crate) korean: Korean,
    pub(crate) clauses: Clauses,
    pub(crate) views: [OnceCell<View>; VIEWS],
    arguments: OnceCell<Vec<(u32, u32)>>,
    brackets: OnceCell<[Vec<u32>; 2]>,
    /// Occurrences that may overlap: pattern, start, and the end counted from the back.
    found: Vec<(u32, u32, u32)>,
    pub(crate) living: LiveHits,
    /// Things looked at by decisions, so that tests can count.
    steps: Cell<u64>,
    /// Expressions of a plan, by clause.
    pub(crate) plans: RefCell<FxHashMap<Span, Option<Span>>>,
}

impl Analysis {
    /// Reads another text; `own` are the patient's own names.
    pub(crate) fn read(&mut self, engine: &Engine, text: &str, own: &[OwnName]) {
        self.doc.read(text, &engine.abbreviations);
        self.parsed.get_mut().reset(self.doc.text.len());
        engine.matcher.find(&self.doc.text, &engine.edges, self.parsed.get_mut(), &mut self.memory, &mut self.hits);
        self.views = Default::default();
        self.arguments = OnceCell::new();
        self.brackets = OnceCell::new();
        self.living = LiveHits::default();
        self.steps.set(0);
        self.plans.get_mut().clear();
        self.read_numbers();
        self.scan(engine, own);
        let doc = &self.doc;
        self.names.retain(|name| doc.segment_at(name.start).is_some());
        self.find_occurrences(engine);
        self.read_pseudo();
        self.headers(engine);
        self.read_korean(engine);
        self.read_clauses(engine);
    }

    /// Reads a short text for its names only.
    pub(crate) fn read_names(&mut self, engine: &Engine, text: &str) -> &[Named] {
        self.doc.text.clear();
        self.doc.text.push_str(text);
        self.parsed.get_mut().reset(text.len());
        engine.matcher.find(text, &engine.edges, self.parsed.get_mut(), &mut self.memory, &mut self.hits);
        self.scan(engine, &[]);
        &self.names
    }

    pub(crate) fn text(&self) -> &str {
        &self.doc.text
    }

    /// Counts something that a decision looks at.
    pub(crate) fn step(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// Everything that was looked at for this text: words and phrases found, syllables, cues.
    #[cfg(test)]
    pub(crate) fn all_steps(&self) -> u64 {
        self.hits.steps + self.parsed.borrow().steps + self.steps.get()
    }

    /// At each place the longest name wins, then the first of the pack; the scan goes on behind it.
    fn scan(&mut self, engine: &Engine, own: &[OwnName]) {
        self.names.clear();
        let text = self.doc.text.as_bytes();
        let mut found: Vec<(usize, usize, u32, u32)> = vec![];
        for (number, name) in own.iter().enumerate() {
            let order = OWN + number as u32;
            let right_free = name.single.right_free();
            name.single.find(text, &engine.edges, self.parsed.get_mut(), |start, end| {
                let end = if right_free { hangul_end(text, end) } else { end };
                found.push((start, end, order, order));
            });
        }
        found.sort_unstable();
        let mut others = found.into_iter().peekable();
        let mut hits = self.hits.of(List::Names).iter().peekable();
        let mut from = 0;
        loop {
            let next = hits.peek().map(|hit| hit.start as usize);
            let other = others.peek().map(|(start, ..)| *start);
            let Some(start) = next.into_iter().chain(other).min() else { break };
            let mut best: Option<(usize, u32, u32)> = None;
            let mut offer = |end: usize, order: u32, entity: u32| {
                if best.is_none_or(|(known, before, _)| end > known || end == known && order < before) {
                    best = Some((end, order, entity));
                }
            };
            while let Some(hit) = hits.next_if(|hit| hit.start as usize == start) {
                let (entity, right_free) = engine.names[hit.place as usize];
                let end = hit.end as usize;
                offer(if right_free { hangul_end(text, end) } else { end }, hit.place, entity);
            }
            while let Some((_, end, order, entity)) = others.next_if(|(at, ..)| *at == start) {
                offer(end, order, entity);
            }
            let Some((end, _, entity)) = best.filter(|_| start >= from) else { continue };
            from = end;
            let kind = match entity {
                DECOY => continue,
                entity if entity >= OWN => own[(entity - OWN) as usize].kind,
                entity => engine.entity(entity).kind,
            };
            self.names.push(Named { kind, entity, start, end });
        }
    }

    /// Occurrences of each pattern: leftmost, longest, without overlap.
    fn find_occurrences(&mut self, engine: &Engine) {
        self.occurrences.clear();
        self.pattern_spans.clear();
        let found = &mut self.found;
        found.clear();
        let hits = self.hits.of(List::Patterns).iter();
        found.extend(hits.map(|hit| (engine.pattern_of[hit.place as usize], hit.start, u32::MAX - hit.end)));
        for name in self.names.iter().filter(|name| name.kind == Kind::Med && name.entity < OWN) {
            let span = (name.start as u32, u32::MAX - name.end as u32);
            found.extend(engine.entity(name.entity).patterns.iter().map(|&pattern| (pattern, span.0, span.1)));
        }
        // By pattern and start, longest first.
        found.sort_unstable();
        let (mut last, mut end) = (None, 0);
        for &mut (pattern, start, back) in found {
            let to = u32::MAX - back;
            if last != Some(pattern) || start >= end {
                self.occurrences.push(Occurrence { pattern, start: start as usize, end: to as usize });
                self.pattern_spans.push((start, to));
                (last, end) = (Some(pattern), to);
            }
        }
        self.pattern_spans.sort_unstable();
    }

    fn read_pseudo(&mut self) {
        self.pseudo.clear();
        self.pseudo_reach.clear();
        let mut reach = 0;
        for hit in self.hits.of(List::Pseudo) {
            let (start, end) = hit.span();
            if self.doc.segment_at(start).is_some_and(|segment| end <= self.doc.segments[segment].end) {
                reach = reach.max(hit.end);
                self.pseudo.push((hit.start, hit.end));
                self.pseudo_reach.push(reach);
            }
        }
    }

    /// The pseudo cues that share a character with a span, last first.
    fn pseudo_over(&self, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
        let mut at = self.pseudo.partition_point(|(from, _)| (*from as usize) < end);
        std::iter::from_fn(move || {
            while at > 0 && self.pseudo_reach[at - 1] as usize > start {
                self.step();
                at -= 1;
                let (from, to) = self.pseudo[at];
                if to as usize > start {
                    return Some((from as usize, to as usize));
                }
            }
            None
        })
    }

    /// Whether a pseudo cue overlaps a span.
    pub(crate) fn has_pseudo(&self, start: usize, end: usize) -> bool {
        !self.pseudo.is_empty() && self.pseudo_over(start, end).next().is_some()
    }

    /// Whether a pseudo cue overlaps a span but not the mention.
    pub(crate) fn has_pseudo_beside(&self, start: usize, end: usize, mention: (usize, usize)) -> bool {
        self.pseudo_over(start, end).any(|(from, to)| !(from < mention.1 && mention.0 < to))
    }

    /// The furthest end of a pseudo cue that overlaps a span.
    pub(crate) fn pseudo_end(&self, start: usize, end: usize) -> Option<usize> {
        self.pseudo_over(start, end).map(|(_, to)| to).max()
    }

    /// The spans that are blanked in a gap, each inside it.
    pub(crate) fn blanked(&self, what: Blanked, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
        let names = if what == Blanked::None { &[] } else { self.names.as_slice() };
        let first = names.partition_point(|name| name.start < start);
        let names = names[first..].iter().map(|name| (name.start, name.end));
        let spans = if what == Blanked::All { self.pattern_spans.as_slice() } else { &[] };
        let first = spans.partition_point(|(from, _)| (*from as usize) < start);
        let spans = spans[first..].iter().map(|(from, to)| (*from as usize, *to as usize));
        let inside = move |(_, to): &(usize, usize)| *to <= end;
        let before = move |(from, _): &(usize, usize)| *from < end;
        names.take_while(before).filter(inside).chain(spans.take_while(before).filter(inside))
    }

    /// Whether some name or occurrence ends here and starts at or behind a place.
    pub(crate) fn ends_here(&self, what: Blanked, from: usize, end: usize) -> bool {
        self.blanked(what, from, end).any(|(_, to)| to == end)
    }

    /// Marks segments that inherit the advice against something: list items below a header, examples behind a sentence.
    fn headers(&mut self, engine: &Engine) {
        let mut active = false;
        let mut next = 0;
        let count = self.doc.lines.len();
        let following = {
            let mut following = vec![None; count];
            let mut kind = None;
            for (line, slot) in self.doc.lines.iter().zip(&mut following).rev() {
                *slot = kind;
                if line.kind != LineKind::Blank {
                    kind = Some(line.kind);
                }
            }
            following
        };
        for (number, following) in following.into_iter().enumerate() {
            let line = self.doc.lines[number];
            if line.kind == LineKind::Blank {
                continue;
            }
            let content = self.doc.text[line.content..line.end].trim_end_matches(' ');
            let bare = line.kind == LineKind::Text
                && following.is_some_and(LineKind::is_item)
                && !content.ends_with(['.', '!', '?'])
                && content.chars().take(41).count() <= 40;
            if line.kind == LineKind::Head || content.ends_with(':') || bare {
                active = self.header_avoids(engine, line.content, line.end);
            } else if line.kind.is_item() {
                while self.doc.segments.get(next).is_some_and(|segment| segment.line < number) {
                    next += 1;
                }
                while active && self.doc.segments.get(next).is_some_and(|segment| segment.line == number) {
                    self.doc.segments[next].inherits_avoid = true;
                    next += 1;
                }
            } else {
                active = false;
            }
        }
        for number in 1..self.doc.segments.len() {
            let (before, segment) = (self.doc.segments[number - 1], self.doc.segments[number]);
            if before.line == segment.line
                && !segment.inherits_avoid
                && self.starts_with_example(engine, segment.start)
                && self.last_is_against(engine, number - 1)
            {
                self.doc.segments[number].inherits_avoid = true;
            }
        }
    }

    fn header_avoids(&self, engine: &Engine, start: usize, end: usize) -> bool {
        let inside = |hit: &&Hit| hit.end as usize <= end;
        let pseudo = || self.hits.starting(List::Pseudo, start, end).iter().filter(inside);
        [List::KoPred, List::KoFwd, List::EnFwd, List::EnBack].into_iter().any(|list| {
            self.hits.starting(list, start, end).iter().filter(inside).any(|hit| {
                engine.cue(list, hit.place).class == Class::Avoid
                    && !pseudo().any(|known| known.overlaps(hit.start as usize, hit.end as usize))
            })
        })
    }

    fn starts_with_example(&self, engine: &Engine, start: usize) -> bool {
        [List::KoFwd, List::EnFwd].into_iter().any(|list| {
            let here = self.hits.starting(list, start, start + 1);
            here.iter().any(|hit| engine.cue(list, hit.place).class == Class::Example)
        })
    }

    /// Whether some token between two places is a new argument; tokens are cut at both ends.
    pub(crate) fn new_argument(&self, engine: &Engine, start: usize, end: usize) -> bool {
        /// Up to here reading the tokens is quicker than looking them up.
        const NEAR: usize = 256;
        let (text, endings) = (self.text(), &engine.token_ends);
        if end <= start + NEAR {
            return endings.new_argument(text, start, end);
        }
        let all = self.arguments.get_or_init(|| {
            let tokens = crate::suites::clinical::text::letters::tokens(text.as_bytes(), 0, text.len());
            let lines = tokens.filter(|(from, to)| endings.is_argument(&text[*from..*to]));
            lines.map(|(from, to)| (from as u32, to as u32)).collect()
        });
        let bytes = text.as_bytes();
        let first = crate::suites::clinical::text::letters::token_end(bytes, start, end);
        let last = bytes[..end].iter().rposition(|byte| *byte == b' ').map_or(0, |space| space + 1).max(start);
        let next = all.partition_point(|(from, _)| (*from as usize) < first);
        endings.new_argument(text, start, first)
            || endings.new_argument(text, last, end)
            || all.get(next).is_some_and(|(_, to)| (*to as usize) < last)
    }

    /// Whether no bracket is open before a place in its segment.
    pub(crate) fn no_open_bracket(&self, segment_start: usize, at: usize) -> bool {
        let [open, close] = self.brackets.get_or_init(|| {
            [b'(', b')'].map(|byte| memchr::memchr_iter(byte, self.doc.bytes()).map(|at| at as u32).collect())
        });
        let count = |places: &[u32]| {
            let before = |end: usize| places.partition_point(|place| (*place as usize) < end);
            before(at) - before(segment_start)
        };
        count(open) <= count(close)
    }
}

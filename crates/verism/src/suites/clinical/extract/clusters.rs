//! Korean predicates behind a mention: clusters, the tokens that stop the search, and the predicate that governs.
//!
//! Clusters do not depend on the mention but for the one it cuts in two, so all are built once and the answer of every
//! walk is worked out once, from the end: a mention costs the same wherever it stands.

use super::analysis::{Analysis, Blanked};
use super::cue::Cue;
use super::engine::Engine;
use super::tokens::{HONORIFIC, STOPS};
use crate::suites::clinical::text::hits::Hit;
use crate::suites::clinical::text::letters::{token_end, trim_end};
use crate::suites::clinical::text::list::{Class, List};
use crate::suites::clinical::text::memory::Memory;

/// Sets of classes that a governing predicate may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Drug,
    Condition,
    Push,
    PushLexicon,
    Range,
}

const SETS: usize = 5;

impl Asked {
    const ALL: [Asked; SETS] = [Asked::Drug, Asked::Condition, Asked::Push, Asked::PushLexicon, Asked::Range];

    const fn classes(self) -> u32 {
        use Class::*;
        let all = Avoid.bit()
            | Limit.bit()
            | HypoCond.bit()
            | Neg.bit()
            | Continue.bit()
            | Neutral.bit()
            | Recommend.bit()
            | Benefit.bit()
            | HypoPoss.bit()
            | Claim.bit();
        match self {
            Asked::Drug => all & !(Benefit.bit() | Neutral.bit()),
            Asked::Condition => HypoCond.bit() | HypoPoss.bit(),
            Asked::Push => all & !(HypoPoss.bit() | Claim.bit()),
            Asked::PushLexicon => all & !HypoPoss.bit(),
            Asked::Range => HypoCond.bit() | Neg.bit() | Claim.bit() | HypoPoss.bit(),
        }
    }
}

/// Overlapping predicates, each extended to the end of its token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cluster {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The highest class, and the hit that has it.
    pub(crate) class: Class,
    hit: Hit,
    segment: usize,
    /// Place of its first cue among the living ones.
    first: usize,
}

/// Classes that leave open whether something is so.
const OPEN: u32 =
    Class::HypoCond.bit() | Class::HypoPoss.bit() | Class::Avoid.bit() | Class::Limit.bit() | Class::Recommend.bit();

/// What a walk does at a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    GoOn,
    This,
    /// The next cluster's cue.
    Next,
}

/// No cluster.
const NONE: u32 = u32::MAX;
/// Added to a cluster's place where the walk takes the cue of the next one.
const TAKE_NEXT: u32 = 1 << 31;

/// A token that stops the search.
#[derive(Clone, Copy, Debug)]
struct StopToken {
    start: usize,
    end: usize,
    /// Whether `하고` is a particle behind a name, or behind a name or pattern.
    particle: [bool; 2],
}

/// The Korean predicates of a text.
#[derive(Debug, Default)]
pub(crate) struct Korean {
    /// Predicates that no pseudo cue cancels, with their segments.
    cues: Vec<(Hit, Class, usize)>,
    clusters: Vec<Cluster>,
    /// For each set, from each cluster on: the cluster at which the walk ends.
    ends: [Vec<u32>; SETS],
    /// From each cluster on: the first that is a mere possibility.
    maybe: Vec<u32>,
    stops: Vec<StopToken>,
    /// Starts of stops that touch no cluster, for both ways to see particles.
    free: [Vec<u32>; 2],
    /// Tokens with the addressee as their subject.
    honorifics: Vec<(u32, u32)>,
    /// How many of the cues before each leave open whether something is so.
    open: Vec<u32>,
}

impl Analysis {
    /// Builds clusters and what follows from them.
    pub(crate) fn read_korean(&mut self, engine: &Engine) {
        let mut korean = std::mem::take(&mut self.korean);
        korean.cues.clear();
        korean.clusters.clear();
        korean.stops.clear();
        korean.honorifics.clear();
        for hit in self.hits.of(List::KoPred) {
            let class = engine.cue(List::KoPred, hit.place).class;
            let (start, end) = hit.span();
            let Some(segment) = self.doc.segment_at(start) else { continue };
            if end <= self.doc.segments[segment].end && !(class.is_negative() && self.has_pseudo(start, end)) {
                korean.cues.push((*hit, class, segment));
            }
        }
        korean.open.clear();
        let mut open = 0;
        for (_, class, _) in &korean.cues {
            korean.open.push(open);
            open += u32::from(OPEN & class.bit() != 0);
        }
        korean.open.push(open);
        let mut from = 0;
        while from < korean.cues.len() {
            let segment = korean.cues[from].2;
            let to = from + korean.cues[from..].iter().take_while(|cue| cue.2 == segment).count();
            let cues = korean.cues[from..to].iter().enumerate().map(|(i, (hit, class, _))| (*hit, *class, from + i));
            self.build(engine, cues, segment, &mut korean.clusters);
            from = to;
        }
        self.work_out(engine, &mut korean);
        if !self.doc.text.is_ascii() {
            let mut memory = std::mem::take(&mut self.memory);
            self.read_tokens(engine, &mut korean, &mut memory);
            self.memory = memory;
        }
        self.korean = korean;
    }

    /// Builds the clusters of cues of a segment, which come by start, longest first, highest class first.
    fn build(
        &self,
        engine: &Engine,
        cues: impl Iterator<Item = (Hit, Class, usize)>,
        segment: usize,
        out: &mut Vec<Cluster>,
    ) {
        let limit = self.doc.segments[segment].end;
        let first = out.len();
        let mut reach = 0;
        let mut last: Option<(Hit, Class)> = None;
        let mut kept = false;
        for (hit, class, number) in cues {
            self.step();
            if let Some((known, rank)) = last
                && (known.start, known.end) == (hit.start, hit.end)
            {
                // Two phrases of one class and span: the one whose text comes first names the cluster.
                if let Some(cluster) = out.last_mut()
                    && kept
                    && rank == class
                    && cluster.hit == known
                    && engine.cue(List::KoPred, hit.place).text < engine.cue(List::KoPred, known.place).text
                {
                    cluster.hit = hit;
                    last = Some((hit, class));
                }
                continue;
            }
            last = Some((hit, class));
            kept = hit.end > reach;
            if !kept {
                continue;
            }
            reach = hit.end;
            let (start, end) = hit.span();
            let end = token_end(self.doc.bytes(), end, limit);
            match out[first..].last_mut() {
                Some(cluster) if start < cluster.end => {
                    cluster.end = cluster.end.max(end);
                    if class < cluster.class {
                        cluster.class = class;
                        cluster.hit = hit;
                    }
                }
                _ => out.push(Cluster { start, end, class, hit, segment, first: number }),
            }
        }
    }

    /// The answer of every walk, from the last cluster to the first.
    fn work_out(&self, engine: &Engine, korean: &mut Korean) {
        let count = korean.clusters.len();
        korean.maybe.clear();
        korean.maybe.resize(count, NONE);
        for ends in &mut korean.ends {
            ends.clear();
            ends.resize(count, NONE);
        }
        for place in (0..count).rev() {
            let cluster = korean.clusters[place];
            let next = korean.clusters.get(place + 1).filter(|next| next.segment == cluster.segment);
            let behind = if next.is_some() { place + 1 } else { count };
            korean.maybe[place] = match cluster.class {
                Class::HypoPoss => place as u32,
                _ => korean.maybe.get(behind).copied().unwrap_or(NONE),
            };
            for (set, asked) in Asked::ALL.iter().enumerate() {
                let verdict = self.verdict(engine, &cluster, next, *asked);
                let on = korean.ends[set].get(behind).copied().unwrap_or(NONE);
                korean.ends[set][place] = match verdict {
                    Verdict::GoOn => on,
                    Verdict::This => place as u32,
                    Verdict::Next => place as u32 | TAKE_NEXT,
                };
            }
        }
    }

    fn verdict(&self, engine: &Engine, cluster: &Cluster, next: Option<&Cluster>, asked: Asked) -> Verdict {
        let classes = asked.classes();
        if classes & cluster.class.bit() == 0 || cluster.class == Class::HypoPoss {
            return Verdict::GoOn;
        }
        let Some(next) = next else { return Verdict::This };
        let text = self.text();
        let joined = || !engine.token_ends.new_argument(text, cluster.end, next.start);
        if cluster.class.is_plus() {
            let word = trim_end(&text[cluster.start..cluster.end]);
            return if engine.token_ends.of(word).is_soft() && joined() { Verdict::GoOn } else { Verdict::This };
        }
        let better = cluster.class == Class::HypoCond && classes & Class::Benefit.bit() != 0;
        if better && next.class == Class::Benefit && joined() { Verdict::Next } else { Verdict::This }
    }

    /// Tokens that stop a search, and tokens with the addressee as subject.
    fn read_tokens(&self, engine: &Engine, korean: &mut Korean, memory: &mut Memory) {
        let text = self.text();
        let endings = &engine.token_ends;
        let wanted = !korean.clusters.is_empty();
        for free in &mut korean.free {
            free.clear();
        }
        let mut tokens = self.hits.tokens.iter().peekable();
        for segment in &self.doc.segments {
            while let Some(&&(start, end, number)) = tokens.peek() {
                let token = (start as usize, end as usize);
                let (from, to) = (token.0.max(segment.start), token.1.min(segment.end));
                if from < to {
                    let work_out = || endings.note(&text[from..to]);
                    let remembered = (from, to) == token && number != u32::MAX;
                    let note = if remembered { memory.note(number, work_out) } else { work_out() };
                    self.read_token((from, to), note, wanted, korean);
                }
                // Where segments meet inside a token, each has a part of it.
                if token.1 > segment.end {
                    break;
                }
                tokens.next();
            }
        }
        let mut at = 0;
        for stop in &korean.stops {
            while korean.clusters.get(at).is_some_and(|cluster| cluster.end <= stop.start) {
                at += 1;
            }
            if korean.clusters.get(at).is_none_or(|cluster| cluster.start >= stop.end) {
                for (free, particle) in korean.free.iter_mut().zip(stop.particle) {
                    if !particle {
                        free.push(stop.start as u32);
                    }
                }
            }
        }
    }

    /// Adds a token to those that stop a search and to those with the addressee as subject.
    fn read_token(&self, (start, end): (usize, usize), note: u8, wanted: bool, korean: &mut Korean) {
        if note & HONORIFIC != 0 {
            korean.honorifics.push((start as u32, end as u32));
        }
        if wanted && note & STOPS != 0 {
            let name_end = trim_end(&self.text()[start..end]).strip_suffix("하고").map(|name| start + name.len());
            let behind = |what| name_end.is_some_and(|end| self.ends_here(what, start, end));
            korean.stops.push(StopToken { start, end, particle: [behind(Blanked::Names), behind(Blanked::All)] });
        }
    }

    /// The cue of a cluster.
    fn cluster_cue<'a>(&'a self, engine: &'a Engine, cluster: &Cluster) -> Cue<'a> {
        let (start, end) = cluster.hit.span();
        Cue::new(cluster.class, start, end, &engine.cue(List::KoPred, cluster.hit.place).text)
    }

    /// The predicate behind a mention that governs it.
    ///
    /// `clash`: a pseudo cue overlaps the mention itself, and so does not count.
    pub(crate) fn governing<'a>(
        &'a self,
        engine: &'a Engine,
        segment: usize,
        mention: (usize, usize),
        asked: Asked,
        what: Blanked,
        clash: bool,
    ) -> Option<Cue<'a>> {
        let korean = &self.korean;
        let limit = self.doc.segments[segment].end;
        let (local, next) = self.cut_clusters(engine, segment, mention, clash);
        let in_segment = |place: usize| korean.clusters.get(place).filter(|cluster| cluster.segment == segment);
        if local.is_empty() && in_segment(next).is_none() {
            return None;
        }
        // Behind this the clusters are those of the whole text.
        let whole = match next.checked_sub(1).and_then(in_segment) {
            _ if clash => in_segment(next).map_or(limit, |cluster| cluster.start),
            Some(cut) => cut.end.max(mention.1),
            None => mention.1,
        };
        let zone = local.iter().map(|cluster| cluster.end).fold(whole, usize::max);
        let stop = self.first_stop((mention.1, zone, limit), &local, in_segment(next), what);
        let beyond = |cluster: &Cluster| stop.is_some_and(|stop| cluster.start > stop);
        let mut maybe: Option<Cue<'a>> = None;
        for (place, cluster) in local.iter().enumerate() {
            self.step();
            if beyond(cluster) {
                return maybe;
            }
            let follower = local.get(place + 1).or(in_segment(next));
            match self.verdict(engine, cluster, follower, asked) {
                Verdict::This => return Some(self.cluster_cue(engine, cluster)),
                Verdict::Next => return follower.map(|follower| self.cluster_cue(engine, follower)),
                Verdict::GoOn => {
                    if cluster.class == Class::HypoPoss && asked.classes() & Class::HypoPoss.bit() != 0 {
                        maybe = maybe.or(Some(self.cluster_cue(engine, cluster)));
                    }
                }
            }
        }
        in_segment(next)?;
        self.step();
        if asked.classes() & Class::HypoPoss.bit() != 0 && maybe.is_none() {
            let first = korean.clusters.get(korean.maybe[next] as usize);
            maybe = first.filter(|first| !beyond(first)).map(|first| self.cluster_cue(engine, first));
        }
        let end = korean.ends[asked as usize][next];
        if end == NONE {
            return maybe;
        }
        let place = (end & !TAKE_NEXT) as usize;
        if beyond(&korean.clusters[place]) {
            return maybe;
        }
        let cluster = if end & TAKE_NEXT == 0 { place } else { place + 1 };
        Some(self.cluster_cue(engine, &korean.clusters[cluster]))
    }

    /// The clusters that the mention cuts, built anew, and the first whole one behind them.
    fn cut_clusters(
        &self,
        engine: &Engine,
        segment: usize,
        mention: (usize, usize),
        clash: bool,
    ) -> (Vec<Cluster>, usize) {
        let korean = &self.korean;
        let first = korean.cues.partition_point(|(hit, ..)| (hit.start as usize) < mention.1);
        let mut next = korean.clusters.partition_point(|cluster| cluster.first < first);
        let mut local = vec![];
        if clash {
            return self.cut_with_clash(engine, segment, mention, next);
        }
        let whole = korean.clusters.get(next).map_or(korean.cues.len(), |cluster| cluster.first);
        if first < whole && korean.cues[first].2 == segment {
            let cues = korean.cues[first..whole].iter().filter(|cue| cue.2 == segment);
            self.build(engine, cues.map(|(hit, class, _)| (*hit, *class, 0)), segment, &mut local);
        }
        // Clusters of earlier segments may lie between.
        while korean.clusters.get(next).is_some_and(|cluster| cluster.segment < segment) {
            next += 1;
        }
        (local, next)
    }

    /// The same where a pseudo cue overlaps the mention: the predicates that only it cancels count.
    fn cut_with_clash(
        &self,
        engine: &Engine,
        segment: usize,
        mention: (usize, usize),
        mut next: usize,
    ) -> (Vec<Cluster>, usize) {
        let limit = self.doc.segments[segment].end;
        let bytes = self.doc.bytes();
        let lives = |hit: &Hit| {
            let class = engine.cue(List::KoPred, hit.place).class;
            let (start, end) = hit.span();
            (end <= limit && !(class.is_negative() && self.has_pseudo_beside(start, end, mention))).then_some(class)
        };
        let mut zone = self.pseudo_end(mention.0, mention.1).unwrap_or(mention.1);
        let mut seen = mention.1;
        while seen < zone {
            let hits = self.hits.starting(List::KoPred, seen, zone);
            seen = zone;
            zone = hits
                .iter()
                .filter(|hit| lives(hit).is_some())
                .fold(zone, |zone, hit| zone.max(token_end(bytes, hit.end as usize, limit)));
        }
        while self.korean.clusters.get(next).is_some_and(|cluster| cluster.segment <= segment && cluster.start < zone) {
            next += 1;
        }
        let whole = self.korean.clusters.get(next).filter(|cluster| cluster.segment == segment);
        let to = whole.map_or(limit, |cluster| cluster.start);
        let cues = self.hits.starting(List::KoPred, mention.1, to).iter();
        let cues = cues.filter_map(|hit| Some((*hit, lives(hit)?, 0)));
        let mut local = vec![];
        self.build(engine, cues, segment, &mut local);
        (local, next)
    }

    /// The first token behind the mention that stops the search.
    fn first_stop(
        &self,
        (from, zone, limit): (usize, usize, usize),
        local: &[Cluster],
        next: Option<&Cluster>,
        what: Blanked,
    ) -> Option<usize> {
        let korean = &self.korean;
        let way = usize::from(what == Blanked::All);
        let particle = |stop: &StopToken| what != Blanked::None && stop.particle[way];
        let first = korean.stops.partition_point(|stop| stop.start < from);
        for stop in korean.stops[first..].iter().take_while(|stop| stop.start < zone) {
            self.step();
            let touched = local.iter().chain(next).any(|cluster| stop.start < cluster.end && cluster.start < stop.end);
            if !touched && !particle(stop) {
                return Some(stop.start);
            }
        }
        let free = &korean.free[way];
        let next = free.partition_point(|start| (*start as usize) < zone);
        free.get(next).map(|start| *start as usize).filter(|start| *start < limit)
    }

    /// Whether a predicate that leaves open whether something is so starts behind the mention and before a place.
    pub(crate) fn left_open(&self, engine: &Engine, place: &super::mention::MentionSpan, before: usize) -> bool {
        if place.clash {
            return self.hits.starting(List::KoPred, place.end, before).iter().any(|hit| {
                let class = engine.cue(List::KoPred, hit.place).class;
                let (start, end) = hit.span();
                OPEN & class.bit() != 0 && end <= place.segment_end && !place.cancels(self, class, start, end)
            });
        }
        let count = |at: usize| {
            let cues = &self.korean.cues;
            self.korean.open[cues.partition_point(|(hit, ..)| (hit.start as usize) < at)]
        };
        count(before) > count(place.end)
    }

    /// The first token that ends behind a place and has the addressee as its subject.
    pub(crate) fn honorific_behind(&self, end: usize, limit: usize) -> Option<(usize, usize)> {
        let tokens = &self.korean.honorifics;
        let next = tokens.partition_point(|(_, to)| *to as usize <= end);
        tokens.get(next).map(|(from, to)| (*from as usize, *to as usize)).filter(|(_, to)| *to <= limit)
    }

    /// Whether the last predicate or English cue of a segment that speaks for or against something speaks against it.
    pub(crate) fn last_is_against(&self, engine: &Engine, segment: usize) -> bool {
        let bounds = self.doc.segments[segment];
        let mut clusters = vec![];
        let lives = |hit: &Hit| {
            let class = engine.cue(List::KoPred, hit.place).class;
            let (start, end) = hit.span();
            (end <= bounds.end && !(class.is_negative() && self.has_pseudo(start, end))).then_some((*hit, class, 0))
        };
        let cues = self.hits.starting(List::KoPred, bounds.start, bounds.end).iter().filter_map(lives);
        self.build(engine, cues, segment, &mut clusters);
        let mut last: Option<(usize, bool)> = None;
        for cluster in &clusters {
            if cluster.class.is_plus() || matches!(cluster.class, Class::Avoid | Class::Neg) {
                last = Some((cluster.start, !cluster.class.is_plus()));
            }
        }
        for list in [List::EnFwd, List::EnBack] {
            for hit in self.hits.starting(list, bounds.start, bounds.end) {
                let (start, end) = hit.span();
                let counts = engine.cue(list, hit.place).class == Class::Avoid && end <= bounds.end;
                if counts && !self.has_pseudo(start, end) && last.is_none_or(|(at, _)| start > at) {
                    last = Some((start, true));
                }
            }
        }
        last.is_some_and(|(_, against)| against)
    }
}

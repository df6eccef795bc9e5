//! English cues: clauses, the cue before a mention, the cue behind it, pronouns.

use std::cell::OnceCell;

use super::analysis::{Analysis, Blanked};
use super::chain::FurtherGapWords;
use super::cue::Cue;
use super::engine::Engine;
use super::mention::MentionSpan;
use crate::suites::clinical::text::hits::Hit;
use crate::suites::clinical::text::letters::skip_spaces;
use crate::suites::clinical::text::list::{Class, List};

/// Who asks for the cue before a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    Drug,
    Condition,
    Number,
    Push,
    PushLexicon,
    Flag,
}

/// How many there are.
pub(crate) const VIEWS: usize = 6;

impl Before {
    const fn classes(self) -> u32 {
        use Class::*;
        let push = Avoid.bit() | Deny.bit() | HypoCond.bit() | Recommend.bit() | Continue.bit();
        match self {
            Before::Drug => u32::MAX,
            Before::Condition => !(Avoid.bit() | Recommend.bit() | Continue.bit()),
            Before::Number => Family.bit() | HypoCond.bit() | Generic.bit() | Example.bit() | Claim.bit(),
            Before::Push => push,
            Before::PushLexicon => push | Claim.bit() | Family.bit(),
            Before::Flag => Deny.bit(),
        }
    }

    /// Whether cues that only say whose drug it is are left out.
    const fn ignores(self) -> bool {
        matches!(self, Before::Push | Before::PushLexicon)
    }
}

/// Who asks for the cue behind a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    Drug,
    Condition,
    Push,
    PushLexicon,
}

const BEHINDS: [Behind; 4] = [Behind::Drug, Behind::Condition, Behind::Push, Behind::PushLexicon];

impl Behind {
    const fn classes(self) -> u32 {
        use Class::*;
        match self {
            Behind::Drug => Deny.bit() | HypoPoss.bit() | Claim.bit() | Avoid.bit(),
            Behind::Condition => Deny.bit() | HypoPoss.bit() | Claim.bit(),
            Behind::Push => Avoid.bit() | Deny.bit() | Recommend.bit() | Neg.bit(),
            Behind::PushLexicon => Avoid.bit() | Deny.bit() | Recommend.bit(),
        }
    }
}

/// Clauses of a text.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    /// Words that cut, by start.
    cuts: Vec<(u32, u32)>,
    /// Starts and ends; none where no segment is cut and no English cue stands.
    clauses: Vec<(u32, u32)>,
    /// For each way to ask, from each hit of the list on: the next that counts.
    behind: OnceCell<[Vec<u32>; 4]>,
}

/// A cue that was kept, with the places of those of some kind up to it.
#[derive(Clone, Copy, Debug)]
struct KeptCue {
    start: usize,
    end: usize,
    class: Class,
    place: u32,
    /// Neither a condition nor one that needs a chain gap.
    plain: Option<u32>,
    /// A condition that needs no chain gap.
    condition: Option<u32>,
    any_condition: Option<u32>,
    chain: Option<u32>,
    /// Denies, avoids, claims or recommends.
    polar: Option<u32>,
}

/// The cues of all clauses as one way of asking sees them.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// End of each cue of the flat list, its start, and how many are kept up to it.
    flat: Vec<(u32, u32, u32)>,
    kept: Vec<KeptCue>,
    /// Where the cues of each clause start in both.
    from: Vec<(u32, u32)>,
}

/// The clause of a mention.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clause {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Analysis {
    pub(crate) fn read_clauses(&mut self, engine: &Engine) {
        let mut clauses = std::mem::take(&mut self.clauses);
        clauses.cuts.clear();
        clauses.clauses.clear();
        clauses.behind = OnceCell::new();
        self.read_cuts(engine, &mut clauses.cuts);
        if !self.hits.of(List::EnFwd).is_empty() {
            let mut cut = 0;
            for segment in &self.doc.segments {
                let mut start = segment.start;
                while let Some(&(at, _)) = clauses.cuts.get(cut).filter(|(at, _)| (*at as usize) < segment.end) {
                    if at as usize > start {
                        clauses.clauses.push((start as u32, at));
                        start = at as usize;
                    }
                    cut += 1;
                }
                clauses.clauses.push((start as u32, segment.end as u32));
            }
        }
        self.clauses = clauses;
    }

    /// Words that cut, but for those inside a cue of several words.
    fn read_cuts(&self, engine: &Engine, cuts: &mut Vec<(u32, u32)>) {
        let hits = self.hits.of(List::EnCut);
        if hits.is_empty() {
            return;
        }
        let segment_of = |hit: &Hit| {
            let segment = self.doc.segment_at(hit.start as usize)?;
            (hit.end as usize <= self.doc.segments[segment].end).then_some(segment)
        };
        let multi = |list: List| self.hits.of(list).iter().filter(move |hit| engine.cue(list, hit.place).multi);
        let mut longer: Vec<(u32, u32)> = multi(List::EnFwd)
            .chain(multi(List::EnBack))
            .filter(|hit| segment_of(hit).is_some())
            .map(|hit| (hit.start, hit.end))
            .collect();
        longer.sort_unstable();
        let (mut next, mut reach) = (0, 0);
        for hit in hits.iter().filter(|hit| segment_of(hit).is_some()) {
            while longer.get(next).is_some_and(|(start, _)| *start <= hit.start) {
                reach = reach.max(longer[next].1);
                next += 1;
            }
            if reach < hit.end {
                cuts.push((hit.start, hit.end));
            }
        }
    }

    /// The clause of a mention: cut before each cutting word outside it.
    pub(crate) fn clause(&self, place: &MentionSpan) -> Clause {
        let cuts = &self.clauses.cuts;
        let before = cuts.partition_point(|(start, _)| (*start as usize) < place.start);
        // A word that the mention starts in does not cut.
        let start = cuts[..before].iter().rev().take_while(|(start, _)| *start as usize >= place.segment_start);
        let start = start.map(|(start, end)| (*start as usize, *end as usize)).find(|(_, end)| *end <= place.start);
        let behind = cuts.partition_point(|(start, _)| (*start as usize) < place.end);
        let end = cuts.get(behind).map(|(start, _)| *start as usize).filter(|start| *start < place.segment_end);
        Clause { start: start.map_or(place.segment_start, |(start, _)| start), end: end.unwrap_or(place.segment_end) }
    }

    /// The cue before a mention that decides.
    pub(crate) fn before<'a>(
        &'a self,
        engine: &'a Engine,
        place: &MentionSpan,
        asked: Before,
        what: Blanked,
    ) -> Option<Cue<'a>> {
        if self.clauses.clauses.is_empty() {
            return None;
        }
        let clause = self.clause(place);
        let known = self.clauses.clauses.binary_search_by_key(&(clause.start as u32), |(start, _)| *start);
        if let Ok(number) = known
            && !place.clash
            && place.start <= self.clauses.clauses[number].1 as usize
        {
            let view = self.views[asked as usize].get_or_init(|| self.view(engine, asked));
            let (flat_from, kept_from) = view.from[number];
            let (flat_to, kept_to) = view.from[number + 1];
            let flat = &view.flat[flat_from as usize..flat_to as usize];
            let count = flat.partition_point(|(end, ..)| *end as usize <= place.start);
            if flat.get(count).is_none_or(|(_, start, _)| *start as usize >= place.start) {
                let kept = &view.kept[kept_from as usize..kept_to as usize];
                let kept = &kept[..count.checked_sub(1).map_or(0, |last| flat[last].2 as usize)];
                return self.choose(engine, kept, place, what);
            }
        }
        let mut kept = vec![];
        let overlaid = |start, end| place.overlaid(self, start, end);
        self.keep(engine, (clause.start, place.start), asked, overlaid, &mut kept, |_, _| {});
        self.choose(engine, &kept, place, what)
    }

    fn view(&self, engine: &Engine, asked: Before) -> View {
        let most = self.hits.of(List::EnFwd).len();
        let clauses = self.clauses.clauses.len();
        let mut view = View {
            flat: Vec::with_capacity(most),
            kept: Vec::with_capacity(most),
            from: Vec::with_capacity(clauses + 1),
        };
        for &(start, end) in &self.clauses.clauses {
            view.from.push((view.flat.len() as u32, view.kept.len() as u32));
            let flat = &mut view.flat;
            let overlaid = |start, end| self.has_pseudo(start, end);
            self.keep(engine, (start as usize, end as usize), asked, overlaid, &mut view.kept, |hit, count| {
                flat.push((hit.end, hit.start, count));
            });
        }
        view.from.push((view.flat.len() as u32, view.kept.len() as u32));
        view
    }

    /// Adds the cues of a range that are not absorbed: leftmost, longest, without overlap, those cancelled dropped.
    fn keep(
        &self,
        engine: &Engine,
        (from, to): (usize, usize),
        asked: Before,
        overlaid: impl Fn(usize, usize) -> bool,
        kept: &mut Vec<KeptCue>,
        mut each: impl FnMut(&Hit, u32),
    ) {
        let before = kept.len();
        let (mut flat_end, mut negative_end, mut seen_negative) = (0, None, false);
        for hit in self.hits.starting(List::EnFwd, from, to) {
            self.step();
            let info = engine.cue(List::EnFwd, hit.place);
            let (start, end) = hit.span();
            let asked_for = asked.classes() & info.class.bit() != 0 && !(asked.ignores() && info.push_ignored);
            if !asked_for || end > to || start < flat_end {
                continue;
            }
            flat_end = end;
            let lasting = matches!(info.class, Class::Recommend | Class::Continue);
            if (lasting || !overlaid(start, end))
                && !self.absorbed(engine, info.class, start, end, &mut negative_end, seen_negative)
            {
                if matches!(info.class, Class::Avoid | Class::Deny | Class::HypoCond) {
                    negative_end = Some(end);
                    seen_negative = true;
                }
                let number = (kept.len() - before) as u32;
                let last = kept[before..].last().copied();
                let mark = |is: bool, before: Option<u32>| if is { Some(number) } else { before };
                let condition = info.class == Class::HypoCond;
                let polar = matches!(info.class, Class::Deny | Class::Avoid | Class::Claim | Class::Recommend);
                kept.push(KeptCue {
                    start,
                    end,
                    class: info.class,
                    place: hit.place,
                    plain: mark(!condition && !info.chain_only, last.and_then(|x| x.plain)),
                    condition: mark(condition && !info.chain_only, last.and_then(|x| x.condition)),
                    any_condition: mark(condition, last.and_then(|x| x.any_condition)),
                    chain: mark(info.chain_only, last.and_then(|x| x.chain)),
                    polar: mark(polar, last.and_then(|x| x.polar)),
                });
            }
            each(hit, (kept.len() - before) as u32);
        }
    }

    /// Whether a recommendation belongs to a negative cue before it.
    fn absorbed(
        &self,
        engine: &Engine,
        class: Class,
        start: usize,
        end: usize,
        negative_end: &mut Option<usize>,
        seen_negative: bool,
    ) -> bool {
        if class != Class::Recommend {
            return false;
        }
        if negative_end.is_some_and(|negative| self.absorbs(engine, negative, start)) {
            *negative_end = Some(end);
            return true;
        }
        let text = &self.text()[..start];
        seen_negative && (text.ends_with(" or ") || text.ends_with(" nor "))
    }

    /// Whether a gap is short enough for a verb behind a negative cue to belong to it.
    fn absorbs(&self, engine: &Engine, start: usize, end: usize) -> bool {
        let Some(gap) = self.text().get(start..end) else { return false };
        let most = engine.pack.cues.en_absorb_max_words;
        let mut words = 0.0;
        for word in gap.split_ascii_whitespace() {
            words += 1.0;
            if words > most || word.contains(',') || engine.absorb_stop.contains(word) {
                return false;
            }
        }
        true
    }

    fn has_comma(&self, start: usize, end: usize) -> bool {
        // Conditions far away are rare; the search goes back from the mention, where commas are near.
        start < end && memchr::memrchr(b',', &self.doc.bytes()[start..end]).is_some()
    }

    /// The last cue that counts.
    fn choose<'a>(
        &'a self,
        engine: &'a Engine,
        kept: &[KeptCue],
        place: &MentionSpan,
        what: Blanked,
    ) -> Option<Cue<'a>> {
        let last = kept.last()?;
        let open = |cue: &KeptCue| !self.has_comma(cue.end, place.start);
        let condition = last.condition.filter(|&number| open(&kept[number as usize]));
        let mut chain = last.chain;
        let far = self.chain_back(place.start, 0);
        let chained = loop {
            self.step();
            let Some(number) = chain else { break None };
            let cue = &kept[number as usize];
            if cue.end < far {
                break None;
            }
            if self.chain_gap(engine, cue.end, place.start, what, FurtherGapWords::Nothing)
                && (cue.class != Class::HypoCond || open(cue))
            {
                break Some(number);
            }
            chain = number.checked_sub(1).and_then(|before| kept[before as usize].chain);
        };
        let number = [last.plain, condition, chained].into_iter().flatten().max()? as usize;
        let cue = &kept[number];
        let before = number.checked_sub(1).map(|before| &kept[before]);
        let text = &engine.cue(List::EnFwd, cue.place).text;
        let found = match cue.class {
            Class::Deny | Class::Claim if !text.starts_with("your") && !text.starts_with("while") => {
                let condition = before.and_then(|x| x.any_condition).map(|number| &kept[number as usize]);
                condition.filter(|condition| self.absorbs(engine, condition.end, cue.start)).unwrap_or(cue)
            }
            Class::Example => {
                let polar = before.and_then(|x| x.polar).map(|number| &kept[number as usize]);
                let carries = |polar: &&KeptCue| {
                    matches!(polar.class, Class::Deny | Class::Avoid)
                        && !engine.cue(List::EnFwd, polar.place).chain_only
                        && !self.has_comma(polar.end, cue.start)
                };
                polar.filter(carries).unwrap_or(cue)
            }
            _ => cue,
        };
        Some(Cue::new(found.class, found.start, found.end, &engine.cue(List::EnFwd, found.place).text))
    }

    /// The first cue behind a mention in its clause.
    pub(crate) fn behind<'a>(&'a self, engine: &'a Engine, place: &MentionSpan, asked: Behind) -> Option<Cue<'a>> {
        let hits = self.hits.of(List::EnBack);
        if hits.is_empty() {
            return None;
        }
        let clause = self.clause(place);
        let first = hits.partition_point(|hit| (hit.start as usize) < place.end);
        let counts = |hit: &&Hit| {
            self.counts_behind(engine, hit, asked, |class, start, end| place.cancels(self, class, start, end))
        };
        let hit = if place.clash {
            hits[first..].iter().take_while(|hit| (hit.start as usize) < clause.end).find(counts)?
        } else {
            let next = self.clauses.behind.get_or_init(|| BEHINDS.map(|asked| self.next_behind(engine, asked)));
            hits.get(next[asked as usize][first] as usize)?
        };
        let (start, end) = hit.span();
        let info = engine.cue(List::EnBack, hit.place);
        (start < clause.end && end <= clause.end).then(|| Cue::new(info.class, start, end, &info.text))
    }

    /// From each hit on the next that counts; one past the last where there is none.
    fn next_behind(&self, engine: &Engine, asked: Behind) -> Vec<u32> {
        let hits = self.hits.of(List::EnBack);
        let mut next = vec![hits.len() as u32; hits.len() + 1];
        for place in (0..hits.len()).rev() {
            let cancels = |class: Class, start: usize, end: usize| class.is_negative() && self.has_pseudo(start, end);
            let counts = self.counts_behind(engine, &hits[place], asked, cancels);
            next[place] = if counts { place as u32 } else { next[place + 1] };
        }
        next
    }

    /// Whether a cue behind a mention counts, but for the place of the mention.
    fn counts_behind(
        &self,
        engine: &Engine,
        hit: &Hit,
        asked: Behind,
        cancels: impl Fn(Class, usize, usize) -> bool,
    ) -> bool {
        self.step();
        let info = engine.cue(List::EnBack, hit.place);
        let (start, end) = hit.span();
        if asked.classes() & info.class.bit() == 0 || cancels(info.class, start, end) {
            return false;
        }
        let Some(segment) = self.doc.segment_at(start) else { return false };
        let limit = self.doc.segments[segment].end;
        let cuts = &self.clauses.cuts;
        let next = cuts.partition_point(|(at, _)| (*at as usize) < start);
        let clause_end = cuts.get(next).map_or(limit, |(at, _)| (*at as usize).min(limit));
        if end > clause_end {
            return false;
        }
        let follows = skip_spaces(self.doc.bytes(), end, clause_end);
        !info.is_final || follows >= clause_end || b".,;:!?".contains(&self.doc.bytes()[follows])
    }

    /// The first "… it" or "… them" behind a mention in its segment.
    pub(crate) fn pronoun<'a>(&'a self, engine: &'a Engine, place: &MentionSpan) -> Option<Cue<'a>> {
        let hits = self.hits.starting(List::Pronoun, place.end, place.segment_end);
        let first = hits.iter().find(|hit| hit.end as usize <= place.segment_end)?;
        let same = hits.iter().filter(|hit| (hit.start, hit.end) == (first.start, first.end));
        let infos = same.map(|hit| engine.cue(List::Pronoun, hit.place));
        let info = infos.min_by_key(|info| (info.class.name(), info.text.as_str()))?;
        Some(Cue::new(info.class, first.start as usize, first.end as usize, &info.text))
    }
}

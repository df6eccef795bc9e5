//! Ages.

use super::analysis::Analysis;
use super::cue::Cue;
use super::engine::{Engine, Kind};
use super::mention::{Mention, Status, Value};
use super::numbers::Number;
use crate::suites::clinical::text::hits::Hit;
use crate::suites::clinical::text::letters::{hangul_end, is_alnum, skip_spaces};
use crate::suites::clinical::text::list::{Class, List};

impl Analysis {
    /// Every age of the text, in order.
    pub(crate) fn ages<'a>(
        &'a self,
        engine: &'a Engine,
        tail_ok: &mut dyn FnMut(usize) -> bool,
        out: &mut Vec<Mention<'a>>,
    ) {
        for number in &self.numbers {
            out.extend(self.age(engine, number, tail_ok));
        }
    }

    fn age<'a>(
        &'a self,
        engine: &'a Engine,
        number: &Number,
        tail_ok: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Mention<'a>> {
        let rules = &engine.pack.age;
        if number.decimals > 0 || !(rules.min <= number.value && number.value <= rules.max) {
            return None;
        }
        let segment = self.doc.segments[self.doc.segment_at(number.start)?];
        let bounds = (segment.start, segment.end);
        let bytes = self.doc.bytes();
        let end = number.end;
        let near = if end < bounds.1 && bytes[end] == b' ' { end + 1 } else { end };
        if let Some(suffix) = rules.ko_suffix.iter().find(|suffix| bytes[near..].starts_with(suffix.as_bytes())) {
            let end = near + suffix.len();
            return tail_ok(end).then(|| self.korean_age(engine, number, end, bounds));
        }
        // A decade's word is one character.
        let decade = rules.ko_decade.iter().find(|word| bytes[end..].starts_with(word.as_bytes()));
        if let Some(word) = decade
            && number.value % 10.0 == 0.0
            && (10.0..=90.0).contains(&number.value)
        {
            let end = end + word.chars().next().map_or(0, char::len_utf8);
            if tail_ok(end) {
                return Some(self.korean_decade(engine, number, end, bounds));
            }
        }
        let hyphen = usize::from(end < bounds.1 && matches!(bytes[end], b' ' | b'-'));
        for suffix in &engine.age_suffixes {
            if let Some(to) = suffix.at(bytes, end + hyphen).filter(|to| !bytes.get(*to).is_some_and(|b| is_alnum(*b)))
            {
                return Some(self.english_age(engine, number, (number.start, to), number.start, bounds));
            }
        }
        self.age_behind(engine, number, bounds)
            .or_else(|| self.bare_age(engine, number, bounds))
            .or_else(|| self.english_decade(engine, number, bounds))
    }

    fn made<'a>(
        &self,
        engine: &Engine,
        number: &Number,
        span: (usize, usize),
        width: f64,
        status: Status,
    ) -> Mention<'a> {
        let low = number.value;
        let value = Value { low, high: low + width, stated: low, stated_unit: None, half: 0.0, approximate: false };
        Mention {
            kind: Kind::Age,
            entity: engine.age,
            start: span.0,
            end: span.1,
            value: Some(value),
            status,
            why: None,
            name_start: None,
        }
    }

    fn korean_age<'a>(
        &'a self,
        engine: &'a Engine,
        number: &Number,
        end: usize,
        bounds: (usize, usize),
    ) -> Mention<'a> {
        let bytes = self.doc.bytes();
        let mut age = self.made(engine, number, (number.start, end), 0.0, Status::Asserted);
        let behind = skip_spaces(bytes, end, bounds.1);
        for (tail, body) in engine.pack.age.ko_threshold_tails.iter().zip(&engine.threshold_tails) {
            // "65세에" is a threshold, "65세에는" is not.
            let glued = tail == "에";
            let at = if glued { end } else { behind };
            if body.at(bytes, at).is_none() {
                continue;
            }
            let run = &self.text()[end..hangul_end(bytes, end)];
            if glued && !run.starts_with("에서") && run != "에" {
                continue;
            }
            age.status = Status::Unasserted;
            age.why = Some(Cue::new(Class::Threshold, at, at + self.tail_width(at, tail), tail));
            break;
        }
        age
    }

    /// How many bytes as many characters as the tail has take here.
    fn tail_width(&self, at: usize, tail: &str) -> usize {
        let rest = &self.text()[at..];
        rest.char_indices().nth(tail.chars().count()).map_or(rest.len(), |(offset, _)| offset)
    }

    fn korean_decade<'a>(
        &'a self,
        engine: &'a Engine,
        number: &Number,
        end: usize,
        bounds: (usize, usize),
    ) -> Mention<'a> {
        let mut age = self.made(engine, number, (number.start, end), 9.0, Status::Asserted);
        let at = skip_spaces(self.doc.bytes(), end, bounds.1);
        for (tail, body) in engine.pack.age.ko_threshold_tails.iter().zip(&engine.threshold_tails) {
            if tail != "에" && body.at(self.doc.bytes(), at).is_some() {
                age.status = Status::Unasserted;
                age.why = Some(Cue::new(Class::Threshold, at, at, tail));
            }
        }
        age
    }

    /// "aged 67", "age: 67".
    fn age_behind<'a>(&'a self, engine: &'a Engine, number: &Number, bounds: (usize, usize)) -> Option<Mention<'a>> {
        let next = self.doc.bytes().get(number.end).copied();
        if next.is_some_and(|byte| is_alnum(byte) || byte == b'%') {
            return None;
        }
        let at = number.start;
        let hits = self.hits.ending(List::AgePrefix, self.before_spaces(at, bounds.0), at);
        let close = |hit: &&Hit| {
            let start = hit.start as usize;
            start >= bounds.0 && self.doc.width(start, at) <= 12
        };
        let hit = hits.iter().filter(close).min_by_key(|hit| (hit.place, hit.start))?;
        let start = hit.start as usize;
        Some(self.english_age(engine, number, (start, number.end), start, bounds))
    }

    /// Where the spaces before a place begin.
    fn before_spaces(&self, at: usize, limit: usize) -> usize {
        limit + self.text()[limit..at].trim_end_matches(' ').len()
    }

    /// Hits of a list that end one space before a place.
    fn one_space_before(&self, list: List, at: usize, bounds: (usize, usize)) -> Option<Hit> {
        let end = at.checked_sub(1).filter(|end| *end > bounds.0 && self.doc.bytes()[*end] == b' ')?;
        let hits = self.hits.ending(list, end, end).iter();
        hits.filter(|hit| hit.start as usize >= bounds.0).min_by_key(|hit| (hit.place, hit.start)).copied()
    }

    /// "you are 67" before the end, a mark or another word that goes on.
    fn bare_age<'a>(&'a self, engine: &'a Engine, number: &Number, bounds: (usize, usize)) -> Option<Mention<'a>> {
        self.one_space_before(List::AgeBarePrefix, number.start, bounds)?;
        let bytes = self.doc.bytes();
        let at = skip_spaces(bytes, number.end, bounds.1);
        let ends = at >= bounds.1 || b".,;!".contains(&bytes[at]) || self.has_start(List::AgeBareNext, at);
        let span = (number.start, number.end);
        (ends && number.value >= 18.0).then(|| self.made(engine, number, span, 0.0, Status::Asserted))
    }

    fn has_start(&self, list: List, at: usize) -> bool {
        !self.hits.starting(list, at, at + 1).is_empty()
    }

    /// "in your 60s".
    fn english_decade<'a>(
        &'a self,
        engine: &'a Engine,
        number: &Number,
        bounds: (usize, usize),
    ) -> Option<Mention<'a>> {
        let bytes = self.doc.bytes();
        let plural = bytes.get(number.end) == Some(&b's') && !bytes.get(number.end + 1).is_some_and(|b| is_alnum(*b));
        if !plural || number.value % 10.0 != 0.0 {
            return None;
        }
        let hit = self.one_space_before(List::AgeDecadeBefore, number.start, bounds)?;
        let age = &engine.pack.age;
        let generic = age.en_decade_generic.contains(&age.en_decade_before[hit.place as usize]);
        let status = if generic { Status::Unasserted } else { Status::Asserted };
        Some(self.made(engine, number, (number.start, number.end + 1), 9.0, status))
    }

    /// An age in English, unasserted beside a threshold.
    fn english_age<'a>(
        &'a self,
        engine: &'a Engine,
        number: &Number,
        span: (usize, usize),
        start: usize,
        bounds: (usize, usize),
    ) -> Mention<'a> {
        let mut age = self.made(engine, number, span, 0.0, Status::Asserted);
        let words = &engine.pack.age;
        let from = self.before_spaces(start, bounds.0);
        let near = self.hits.ending(List::AgeThresholdBefore, from, span.1).iter().filter(|hit| {
            let (at, end) = hit.span();
            let over = at <= start && start < end && words.en_threshold_before[hit.place as usize] != "at";
            at >= bounds.0 && (at < start && end <= start || over)
        });
        // Of several the last of the list counts.
        if let Some(hit) = near.max_by_key(|hit| (hit.place, hit.start)) {
            age.status = Status::Unasserted;
            let word = &words.en_threshold_before[hit.place as usize];
            age.why = Some(Cue::new(Class::Threshold, hit.start as usize, hit.end as usize, word));
        }
        let at = skip_spaces(self.doc.bytes(), span.1, bounds.1);
        let behind = self.hits.starting(List::AgeThresholdAfter, at, at + 1).iter();
        if let Some(hit) = behind.max_by_key(|hit| hit.place) {
            age.status = Status::Unasserted;
            let word = &words.en_threshold_after[hit.place as usize];
            age.why = Some(Cue::new(Class::Threshold, at, at, word));
        }
        age
    }
}

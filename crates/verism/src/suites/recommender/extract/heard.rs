//! E(x): the concepts of a text, and the titles that it names.

use std::borrow::Cow;

use super::patterns::Guard;
use super::sight::{GuardedText, bracketed_year};
use super::titles;
use super::words::{Words, nfc};
use super::years;
use crate::suites::recommender::catalog::field::Field;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::catalog::value::bare;

/// A concept at a place of a text, in bytes of its NFC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The concept.
    pub concept: u32,
    /// Its field.
    pub field: Field,
    /// The guard that let it pass.
    pub guard: Guard,
    /// First byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

/// A title at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Title {
    /// First byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Its words joined by blanks.
    pub key: String,
}

/// What a text says.
#[derive(Clone, Debug, Default)]
pub struct Heard<'a> {
    /// The text in NFC.
    pub text: Cow<'a, str>,
    /// The hits that count, in the order of the text.
    pub hits: Vec<Hit>,
    /// Titles of the catalog.
    pub titles: Vec<Title>,
    /// Phrases that are written as titles and are not in the catalog.
    pub off_catalog: Vec<Title>,
}

/// Buffers that are used again from text to text.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Words,
}

/// Reads a text against a catalog.
pub fn extract<'t>(catalog: &Catalog, raw: &'t str, scratch: &mut Scratch) -> Heard<'t> {
    let text = nfc(raw);
    let words = &mut scratch.words;
    words.cut(&text);
    let sight = GuardedText::new(&text, words, &catalog.lexicon);
    let mut hits: Vec<Hit> = vec![];
    catalog.patterns.find(&text, words, &catalog.lexicon, |hit| {
        if !sight.allows(&hit) {
            return;
        }
        let (concept, field, guard) = (hit.pattern.concept, hit.pattern.field, hit.pattern.guard);
        hits.push(Hit { concept, field, guard, start: hit.start, end: hit.end });
    });
    years::find(catalog, &text, words, &mut hits);
    let phrases = titles::phrases(&sight);
    if hits.is_empty() && phrases.is_empty() {
        return Heard { text, ..Heard::default() };
    }
    hits.sort_by_key(|hit| (hit.start, hit.end, hit.concept));
    let mut named = FoundTitles::default();
    for phrase in phrases {
        named.phrase(catalog, &sight, &hits, phrase);
    }
    let mut names: Vec<Hit> = hits.iter().copied().filter(|hit| hit.field == Field::Name).collect();
    // Of titles that overlap the first counts, of those that begin together the longest: whatever the catalog's order.
    names.sort_by_key(|name| (name.start, std::cmp::Reverse(name.end), name.concept));
    for name in names {
        named.hit(catalog, name);
    }
    let FoundTitles { mut titles, mut off_catalog, used, .. } = named;
    // A quoted title of the catalog is only a title.
    let mut alone: Vec<(usize, usize)> = titles.iter().map(|title| (title.start, title.end)).collect();
    alone.retain(|(start, end)| sight.is_quoted(*start, *end));
    alone.sort();
    hits.retain(|hit| hit.field == Field::Name || alone.binary_search(&(hit.start, hit.end)).is_err());
    let spans = Spans::new(hits.iter().map(|hit| (hit.start, hit.end)).chain(used).collect());
    hits.retain(|hit| !spans.contain(hit.start, hit.end));
    titles.retain(|title| !spans.contain(title.start, title.end));
    titles.sort();
    titles.dedup();
    off_catalog.sort();
    if !catalog.rules.title_years && hits.iter().any(|hit| hit.field == Field::Year) {
        let mut own: Vec<usize> =
            titles.iter().chain(&off_catalog).filter_map(|title| year_of_title(&text, title.end)).collect();
        own.sort();
        hits.retain(|hit| hit.field != Field::Year || own.binary_search(&hit.start).is_err());
    }
    Heard { text, hits, titles, off_catalog }
}

/// Titles as far as they have been found.
#[derive(Default)]
struct FoundTitles {
    titles: Vec<Title>,
    off_catalog: Vec<Title>,
    /// Places that title phrases use up.
    used: Vec<(usize, usize)>,
    /// Places of titles, in order and without overlaps.
    places: std::collections::BTreeMap<usize, usize>,
}

impl FoundTitles {
    /// Decides whether a phrase is a title of the catalog, a value, or a title that is not in the catalog.
    fn phrase(&mut self, catalog: &Catalog, sight: &GuardedText<'_>, hits: &[Hit], phrase: std::ops::Range<usize>) {
        let list = sight.words.list();
        let (start, end) = (list[phrase.start].start, list[phrase.end - 1].end);
        let whole = sight.words.joined(phrase.start, phrase.end);
        let mut rest = whole.as_str();
        for first in phrase.clone() {
            let key = if catalog.is_name(rest) {
                Some(rest)
            } else if first > phrase.start {
                None
            } else if catalog.is_name(bare(rest)) {
                Some(bare(rest))
            } else {
                Some(rest).filter(|rest| catalog.is_other_name(rest))
            };
            if let Some(key) = key {
                let start = list[first].start;
                self.places.insert(start, end);
                self.used.push((start, end));
                self.titles.push(Title { start, end, key: key.to_string() });
                return;
            }
            if sight.is_quoted(start, end) {
                break;
            }
            rest = rest.split_once(' ').map_or("", |(_, rest)| rest);
        }
        let is_value = Field::SCORED.into_iter().any(|field| catalog.concept(field, &whole).is_some());
        let from = hits.partition_point(|hit| (hit.start, hit.end) < (start, end));
        let mut same = hits[from..].iter().take_while(|hit| (hit.start, hit.end) == (start, end));
        if !is_value && !same.any(|hit| hit.field != Field::Name) {
            self.used.push((start, end));
            self.off_catalog.push(Title { start, end, key: whole });
        }
    }

    /// Adds a title that was found as a value, unless it overlaps one that is there.
    fn hit(&mut self, catalog: &Catalog, name: Hit) {
        let before = self.places.range(..name.end).next_back();
        if before.is_none_or(|(_, end)| *end <= name.start) {
            self.places.insert(name.start, name.end);
            let key = catalog.key(name.concept).to_string();
            self.titles.push(Title { start: name.start, end: name.end, key });
        }
    }
}

/// Places in a text, to ask which others lie inside one of them.
struct Spans {
    /// By start; of equal starts the longest first.
    list: Vec<(usize, usize)>,
    /// The furthest end of all places up to each.
    reach: Vec<usize>,
}

impl Spans {
    fn new(mut list: Vec<(usize, usize)>) -> Spans {
        list.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
        let reach = list.iter().scan(0, |reach, (_, end)| {
            *reach = (*end).max(*reach);
            Some(*reach)
        });
        Spans { reach: reach.collect(), list }
    }

    /// Whether a place lies inside another, longer one.
    fn contain(&self, start: usize, end: usize) -> bool {
        let same = self.list.partition_point(|span| span.0 < start);
        let longer = self.list.get(same).is_some_and(|span| span.0 == start && span.1 > end);
        longer || (same > 0 && self.reach[same - 1] >= end)
    }
}

/// Where the year of `Title (YYYY)` begins; between them at most one of `,.!?;:…`, closing marks and one blank.
fn year_of_title(text: &str, end: usize) -> Option<usize> {
    let rest = &text[end..];
    let rest = rest.strip_prefix(super::chars::is_before_closer).unwrap_or(rest);
    let rest = rest.trim_start_matches(super::chars::closes);
    bracketed_year(text, text.len() - rest.len())
}

impl Heard<'_> {
    /// The concepts of the scored fields, in order, each once.
    pub(crate) fn concepts(&self, catalog: &Catalog) -> Vec<u32> {
        let scored = self.hits.iter().filter(|hit| catalog.rules.scored.holds(hit.field));
        let mut out: Vec<u32> = scored.map(|hit| hit.concept).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_inside_a_longer_one() {
        let spans = Spans::new(vec![(0, 5), (0, 9), (4, 9), (20, 22)]);
        assert!(spans.contain(0, 5) && spans.contain(4, 9) && !spans.contain(0, 9) && !spans.contain(20, 22));
        assert!(!spans.contain(4, 10));
    }

    #[test]
    fn the_year_of_a_title() {
        assert_eq!(year_of_title("Her” (2013)", 3), Some(8));
        assert_eq!(year_of_title("Her, (2013)", 3), Some(6));
        assert_eq!(year_of_title("Her x (2013)", 3), None);
    }
}

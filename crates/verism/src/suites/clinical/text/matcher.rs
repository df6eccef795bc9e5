//! One pass over a text that finds every phrase of every list.
//!
//! An automaton looks in each token for the rarest word of each phrase, overlapping ones included; each hit is then verified:
//! the words around it, the gaps between them, and both edges. What a token alone tells is remembered. So the time is linear in
//! the text for a fixed pack.

use std::sync::atomic::{AtomicU64, Ordering};

use daachorse::CharwiseDoubleArrayAhoCorasick as Automaton;
use rustc_hash::FxHashMap;

use super::edges::{Edges, Parsed};
use super::hits::{Hit, Hits};
use super::letters::is_alnum;
use super::list::{LISTS, List};
use super::memory::Memory;
use super::phrase::{Gap, Phrase};
use super::sides::{Side, Sides};

use crate::text::bits::places;

pub(crate) use super::sides::Looseness;

/// How many matchers were made, so that each has a number.
static MADE: AtomicU64 = AtomicU64::new(1);

/// A phrase with one way to check its edges, and the lists it belongs to.
#[derive(Debug)]
struct Target {
    phrase: Phrase,
    sides: Sides,
    /// Which of its words is looked for.
    anchor: usize,
    members: Vec<(List, u32)>,
}

/// Collects lists of phrases.
#[derive(Debug)]
pub(crate) struct Builder {
    targets: Vec<Target>,
    known: FxHashMap<(String, Looseness), usize>,
    sizes: [u32; LISTS],
}

impl Default for Builder {
    fn default() -> Self {
        Builder { targets: vec![], known: FxHashMap::default(), sizes: [0; LISTS] }
    }
}

impl Builder {
    /// Adds a phrase to a list; gives its place there.
    pub(crate) fn add(&mut self, list: List, text: &str, loose: Looseness) -> u32 {
        let phrase = Phrase::new(text);
        let place = self.sizes[list as usize];
        self.sizes[list as usize] += 1;
        let key = (phrase.text.clone(), loose);
        let targets = &mut self.targets;
        let target = *self.known.entry(key).or_insert_with(|| {
            targets.push(Target { sides: Sides::of(&phrase, loose), anchor: 0, members: vec![], phrase });
            targets.len() - 1
        });
        targets[target].members.push((list, place));
        place
    }

    /// How many phrases a list has.
    pub(crate) fn size(&self, list: List) -> u32 {
        self.sizes[list as usize]
    }

    pub(crate) fn build(mut self) -> Matcher {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for (word, _) in self.targets.iter().flat_map(|target| &target.phrase.body.words) {
            *counts.entry(word).or_default() += 1;
        }
        let anchors: Vec<usize> =
            self.targets.iter().map(|t| t.phrase.body.rarest(|word| counts.get(word).copied().unwrap_or(0))).collect();
        for (target, anchor) in self.targets.iter_mut().zip(anchors) {
            target.anchor = anchor;
        }
        let mut words: FxHashMap<Box<str>, usize> = FxHashMap::default();
        let mut patterns: Vec<Box<str>> = vec![];
        let mut by_word: Vec<Vec<usize>> = vec![];
        for (number, target) in self.targets.iter().enumerate() {
            let word = &target.phrase.body.words[target.anchor].0;
            let place = *words.entry(word.clone()).or_insert_with(|| {
                patterns.push(word.clone());
                by_word.push(vec![]);
                patterns.len() - 1
            });
            by_word[place].push(number);
        }
        let (mut candidates, mut members): (Vec<Candidate>, Vec<(List, u32)>) = (vec![], vec![]);
        let mut groups = vec![];
        for own in by_word {
            let first = candidates.len();
            for number in own {
                let target = &self.targets[number];
                let from = members.len() as u32;
                members.extend_from_slice(&target.members);
                candidates.push(Candidate::of(target, number as u32, from..members.len() as u32));
            }
            groups.push(Group { first: first as u32, end: candidates.len() as u32 });
        }
        // Words are told apart and never empty, so that only a pack without any phrase has no automaton.
        let automaton = Automaton::new(&patterns).ok();
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        Matcher { number, automaton, groups, candidates, members, targets: self.targets }
    }
}

/// Phrases that are looked for by one word.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Where their candidates stand.
    first: u32,
    end: u32,
}

/// A phrase, as far as most hits of its word need it.
#[derive(Clone, Debug)]
struct Candidate {
    /// What tells most wrong hits at once: the two bytes that end the word before; 0 if there is no such word.
    before: u16,
    /// The two bytes that start the word behind.
    behind: u16,
    /// No letter or digit may touch the word from the left.
    apart: bool,
    /// The word is all of it.
    alone: bool,
    sides: Sides,
    target: u32,
    /// Bytes of the word.
    length: u32,
    /// The lists it belongs to.
    members: std::ops::Range<u32>,
}

impl Candidate {
    fn of(target: &Target, number: u32, members: std::ops::Range<u32>) -> Candidate {
        let words = &target.phrase.body.words;
        let before = target.anchor.checked_sub(1).map(|before| &words[before]);
        let behind = words.get(target.anchor + 1).map(|(word, _)| word);
        let apart = match before {
            None => target.sides.left == Side::Latin,
            Some((_, gap)) => *gap == Gap::Tight,
        };
        Candidate {
            before: before.map_or(0, |(word, _)| last_two(word.as_bytes())),
            behind: behind.map_or(0, |word| first_two(word.as_bytes())),
            apart,
            alone: matches!(**words, [(_, Gap::End)]),
            sides: target.sides,
            target: number,
            length: words[target.anchor].0.len() as u32,
            members,
        }
    }

    /// Whether the words beside the word may stand here, as far as the token tells.
    fn fits_inside(&self, token: &[u8], start: usize) -> bool {
        let may = |beside: Option<&u8>, wanted: u16, byte: u8| {
            wanted == 0 || beside.is_none_or(|beside| *beside == b'-' || *beside == byte)
        };
        let [_, before] = self.before.to_be_bytes();
        let [behind, _] = self.behind.to_be_bytes();
        may(start.checked_sub(1).map(|at| &token[at]), self.before, before)
            && may(token.get(start + self.length as usize), self.behind, behind)
    }

    /// Whether the words beside the word may stand here: spaces are passed over, then hyphens too.
    #[inline]
    fn fits(&self, text: &[u8], start: usize) -> bool {
        let end = start + self.length as usize;
        let gap = |byte: &u8, hyphens: bool| *byte == b' ' || hyphens && *byte == b'-';
        let before = |hyphens: bool| {
            let gap = text[..start].iter().rev().take_while(|byte| gap(byte, hyphens)).count();
            last_two(&text[..start - gap]) == self.before
        };
        let behind = |hyphens: bool| {
            let gap = text[end..].iter().take_while(|byte| gap(byte, hyphens)).count();
            first_two(&text[end + gap..]) == self.behind
        };
        (self.before == 0 || before(false) || before(true)) && (self.behind == 0 || behind(false) || behind(true))
    }
}

/// The last two bytes; 0 if there are fewer.
fn last_two(text: &[u8]) -> u16 {
    text.last_chunk().map_or(0, |two| u16::from_be_bytes(*two))
}

/// The first two bytes; 0 if there are fewer.
fn first_two(text: &[u8]) -> u16 {
    text.first_chunk().map_or(0, |two| u16::from_be_bytes(*two))
}

/// Finds phrases.
pub(crate) struct Matcher {
    number: u64,
    automaton: Option<Automaton<u32>>,
    /// By the number of the word.
    groups: Vec<Group>,
    candidates: Vec<Candidate>,
    members: Vec<(List, u32)>,
    targets: Vec<Target>,
}

impl std::fmt::Debug for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matcher").field("phrases", &self.targets.len()).finish_non_exhaustive()
    }
}

impl Matcher {
    /// Finds every phrase of every list.
    pub(crate) fn find(&self, whole: &str, edges: &Edges, parsed: &mut Parsed, memory: &mut Memory, hits: &mut Hits) {
        let text = whole.as_bytes();
        hits.clear();
        memory.start(self.number);
        let mut start = 0;
        for end in places(text, |bytes| bytes.one_of([b' '])).chain([text.len()]) {
            let token = (start, end);
            start = end + 1;
            if token.0 < token.1 {
                self.find_at(whole, token, edges, parsed, memory, hits);
            }
        }
        hits.sort();
    }

    /// Finds the phrases whose words are looked for in a token.
    fn find_at(
        &self,
        whole: &str,
        (start, end): (usize, usize),
        edges: &Edges,
        parsed: &mut Parsed,
        memory: &mut Memory,
        hits: &mut Hits,
    ) {
        let text = whole.as_bytes();
        let mut steps = 1;
        let found = memory.look(&whole[start..end], |memory, token| self.read_token(token, edges, memory, &mut steps));
        let from = start as u32;
        for (list, hit) in &memory.hits[found.hits.clone()] {
            hits.add(*list, Hit { start: from + hit.start, end: from + hit.end, place: hit.place });
        }
        for (candidate, at) in &memory.anchors[found.anchors.clone()] {
            let candidate = &self.candidates[*candidate as usize];
            steps += 1;
            let anchor = start + *at as usize;
            if !candidate.fits(text, anchor) {
                continue;
            }
            steps += 1;
            self.targets[candidate.target as usize].verify(text, anchor, edges, parsed, |start, end| {
                for (list, place) in &self.members[candidate.members.start as usize..candidate.members.end as usize] {
                    hits.add(*list, Hit { start: start as u32, end: end as u32, place: *place });
                }
            });
        }
        hits.steps += steps;
        hits.tokens.push((from, end as u32, found.number.unwrap_or(u32::MAX)));
        memory.forget(&found);
    }

    /// Reads a token: its phrases of one word, and the words of longer ones.
    fn read_token(&self, whole: &str, edges: &Edges, memory: &mut Memory, steps: &mut u64) {
        let token = whole.as_bytes();
        memory.parsed.reset(token.len());
        let Some(automaton) = &self.automaton else { return };
        let first = memory.hits.len();
        for found in automaton.find_overlapping_iter(whole) {
            let (start, end) = (found.start(), found.end());
            let group = self.groups[found.value() as usize];
            *steps += 1;
            let touched = start > 0 && is_alnum(token[start - 1]);
            for (number, candidate) in
                (group.first..group.end).map(|number| (number, &self.candidates[number as usize]))
            {
                *steps += 1;
                if candidate.apart && touched {
                    continue;
                }
                if !candidate.alone || edges.spaced() {
                    if candidate.fits_inside(token, start) {
                        memory.anchors.push((number, start as u32));
                    }
                    continue;
                }
                let sides = candidate.sides;
                let begins = sides.begins(token, start, edges);
                let Some(end) = begins.then(|| sides.end(token, end, edges, &mut memory.parsed)).flatten() else {
                    continue;
                };
                for (list, place) in &self.members[candidate.members.start as usize..candidate.members.end as usize] {
                    memory.hits.push((*list, Hit { start: start as u32, end: end as u32, place: *place }));
                }
            }
        }
        // So that most lists need no sorting.
        memory.hits[first..].sort_unstable_by_key(|(_, hit)| (hit.start, u32::MAX - hit.end, hit.place));
        *steps += memory.parsed.steps;
    }
}

impl Target {
    /// Gives each span of the phrase whose anchor stands here.
    fn verify(
        &self,
        text: &[u8],
        anchor: usize,
        edges: &Edges,
        parsed: &mut Parsed,
        mut take: impl FnMut(usize, usize),
    ) {
        let words = &self.phrase.body.words;
        // Most phrases of several words fail here, at the word before the anchor.
        let mut start = anchor;
        for (word, gap) in words[..self.anchor].iter().rev() {
            let gap_end = start;
            while start > 0 && (text[start - 1] == b' ' || *gap == Gap::Tight && text[start - 1] == b'-') {
                start -= 1;
            }
            if start == gap_end && *gap != Gap::Loose || !text[..start].ends_with(word.as_bytes()) {
                return;
            }
            if word.is_empty() {
                // A leading space: each space before the anchor begins the phrase.
                for start in start..gap_end {
                    self.check(text, start, edges, parsed, &mut take);
                }
                return;
            }
            start -= word.len();
        }
        self.check(text, start, edges, parsed, &mut take);
    }

    fn check(
        &self,
        text: &[u8],
        start: usize,
        edges: &Edges,
        parsed: &mut Parsed,
        take: &mut impl FnMut(usize, usize),
    ) {
        if !self.sides.begins(text, start, edges) {
            return;
        }
        let end = self.phrase.body.at(text, start).and_then(|end| self.sides.end(text, end, edges, parsed));
        if let Some(end) = end {
            take(start, end);
        }
    }
}

/// One phrase that belongs to no pack, such as a name of one patient.
#[derive(Debug)]
pub(crate) struct Single {
    target: Target,
    finder: memchr::memmem::Finder<'static>,
}

impl Single {
    pub(crate) fn new(phrase: Phrase, plural: bool) -> Single {
        let anchor = phrase.body.rarest(|_| 1);
        let sides = Sides::of(&phrase, Looseness { free_left: false, plural });
        let target = Target { sides, anchor, members: vec![], phrase };
        let finder = memchr::memmem::Finder::new(target.phrase.body.words[anchor].0.as_bytes()).into_owned();
        Single { target, finder }
    }

    pub(crate) fn right_free(&self) -> bool {
        self.target.phrase.right_free
    }

    /// Every span of the phrase, in order.
    pub(crate) fn find(&self, text: &[u8], edges: &Edges, parsed: &mut Parsed, mut take: impl FnMut(usize, usize)) {
        let mut from = 0;
        if self.finder.needle().is_empty() {
            return;
        }
        while let Some(at) = self.finder.find(&text[from..]) {
            self.target.verify(text, from + at, edges, parsed, &mut take);
            from += at + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::suites::clinical::pack::load_built_in;

    /// The spans of one phrase, as texts.
    fn spans(phrase: &str, text: &str, plural: bool) -> Vec<String> {
        let edges = Edges::new(&load_built_in().pack);
        let mut builder = Builder::default();
        builder.add(List::Names, phrase, Looseness { plural, free_left: false });
        let (mut parsed, mut hits) = (Parsed::default(), Hits::default());
        parsed.reset(text.len());
        builder.build().find(text, &edges, &mut parsed, &mut Memory::default(), &mut hits);
        hits.of(List::Names).iter().map(|hit| text[hit.start as usize..hit.end as usize].to_string()).collect()
    }

    #[test]
    fn edges_keep_words_apart() {
        assert_eq!(spans("메트포르민", "메트포르민을 메트포르민쿵 새메트포르민", false), ["메트포르민"]);
        assert_eq!(spans("신장", "신장이식 신장은 만성신장", false), ["신장", "신장"]);
        assert_eq!(spans("male", "female male males", false), ["male"]);
        assert_eq!(spans("statin", "statins statinss", true), ["statins"]);
        assert_eq!(spans("*지 마*", "하지마세요 하지 마", false), ["지마", "지 마"]);
        assert_eq!(spans("heart rate", "heart rate heart-rate heartrate", false), ["heart rate", "heart-rate"]);
    }

    const PHRASES: [&str; 8] =
        ["메트포르민", "*지 마*", "heart rate", "statin", "신장", " 안 돼*", "a heart", "re-test"];

    /// The hits of all phrases in one text after the other, with one memory.
    fn all_hits(texts: &[String], edges: &Edges, memory: &mut Memory) -> Vec<Vec<Hit>> {
        let mut builder = Builder::default();
        for phrase in PHRASES {
            builder.add(List::Names, phrase, Looseness { plural: true, free_left: false });
        }
        let matcher = builder.build();
        let (mut parsed, mut hits) = (Parsed::default(), Hits::default());
        let read = |text: &String| {
            parsed.reset(text.len());
            matcher.find(text, edges, &mut parsed, memory, &mut hits);
            hits.of(List::Names).to_vec()
        };
        texts.iter().map(read).collect()
    }

    proptest! {
        #[test]
        fn tokens_that_are_remembered_hide_and_invent_nothing(
            texts in prop::collection::vec("(메트포르민|르민|을|만성|신장| |-|\n|a|heart|rate|statin|s|지|마|안|돼|re-test|[가나]{25}){0,12}", 1..4)
        ) {
            // Of the built-in pack, and of one whose edges may hang on the token before.
            static EDGES: LazyLock<[Edges; 2]> = LazyLock::new(|| {
                let mut pack = load_built_in().pack;
                let own = Edges::new(&pack);
                pack.text.ko_prefixes.push("새 만성".into());
                [own, Edges::new(&pack)]
            });
            for edges in &*EDGES {
                // Twice, so that the second time all is known.
                let twice = [texts.clone(), texts.clone()].concat();
                let found = all_hits(&twice, edges, &mut Memory::default());
                for (text, found) in twice.iter().zip(found) {
                    // Each phrase by itself, in the whole text.
                    let mut expected = vec![];
                    for (phrase, place) in PHRASES.iter().zip(0..) {
                        let mut parsed = Parsed::default();
                        parsed.reset(text.len());
                        Single::new(Phrase::new(phrase), true).find(text.as_bytes(), edges, &mut parsed, |start, end| {
                            expected.push(Hit { start: start as u32, end: end as u32, place });
                        });
                    }
                    expected.sort_by_key(|hit| (hit.start, u32::MAX - hit.end, hit.place));
                    prop_assert_eq!(found, expected, "{:?}", text);
                }
            }
        }
    }

    #[test]
    fn a_memory_serves_one_matcher() {
        let edges = Edges::new(&load_built_in().pack);
        let mut memory = Memory::default();
        let texts = ["statin".to_string()];
        assert_eq!(all_hits(&texts, &edges, &mut memory)[0].len(), 1);
        let (mut parsed, mut hits) = (Parsed::default(), Hits::default());
        Builder::default().build().find("statin", &edges, &mut parsed, &mut memory, &mut hits);
        assert!(hits.of(List::Names).is_empty());
        assert_eq!(all_hits(&texts, &edges, &mut memory)[0].len(), 1);
    }

    #[test]
    fn overlapping_phrases_are_all_found() {
        let mut builder = Builder::default();
        for text in ["no need to avoid", "avoid", "need to", "to avoid it"] {
            builder.add(List::EnFwd, text, Looseness::default());
        }
        let text = "no need to avoid it";
        let edges = Edges::new(&load_built_in().pack);
        let (mut parsed, mut hits) = (Parsed::default(), Hits::default());
        parsed.reset(text.len());
        builder.build().find(text, &edges, &mut parsed, &mut Memory::default(), &mut hits);
        assert_eq!(hits.of(List::EnFwd).iter().map(|hit| hit.place).collect::<Vec<_>>(), [0, 2, 3, 1]);
    }
}

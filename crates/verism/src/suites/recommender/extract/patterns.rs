//! What is looked for in a text: values, aliases and plurals, each with the guard that must let it pass.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::automaton::{Automaton, ROOT, Vocabulary};
use super::chars::{has_case, is_digit, is_hangul, is_ideographic};
use super::lexicon::Lexicon;
use super::words::{Words, key_of};
use crate::suites::recommender::catalog::field::Field;
use crate::suites::recommender::catalog::items::Rules;

/// What a hit needs to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Capitals that the start of a sentence does not explain, or quotes.
    Cased,
    /// A word such as `movies` next to it, or quotes.
    Cue,
    /// Nothing.
    Free,
    /// Quotes.
    Quoted,
}

impl Guard {
    /// Its name.
    pub fn name(self) -> &'static str {
        ["cased", "cue", "free", "quoted"][self as usize]
    }
}

/// A value of the catalog that patterns are made from.
pub(crate) struct Source<'a> {
    pub(crate) concept: u32,
    pub(crate) field: Field,
    pub(crate) key: &'a str,
    pub(crate) open_gaps: &'a [u32],
}

/// A sequence of words that means a concept.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) concept: u32,
    pub(crate) field: Field,
    pub(crate) guard: Guard,
    /// How many words it has.
    words: u32,
    /// Before which of its words punctuation is allowed, in `Patterns::gaps`.
    open: (u32, u32),
}

/// A sequence of words of a text that is a pattern, before its guard was asked.
pub(crate) struct Hit<'p> {
    pub(crate) pattern: &'p Pattern,
    /// Its words by their numbers.
    pub(crate) words: Range<usize>,
    /// Its place in the text; a Korean tail is not a part of it.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// All patterns of a catalog and the automaton that finds them.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    vocabulary: Vocabulary,
    automaton: Automaton,
    /// Patterns in the order of their sequences, and where those of each sequence begin.
    list: Vec<Pattern>,
    starts: Vec<u32>,
    gaps: Vec<u32>,
}

/// A pattern under construction.
struct Draft<'a> {
    source: &'a Source<'a>,
    key: Cow<'a, str>,
    alias: bool,
}

impl Patterns {
    /// Makes the patterns of all values, in the order of their first appearance.
    pub(crate) fn new(sources: &[Source<'_>], lexicon: &Lexicon, rules: &Rules) -> Patterns {
        let drafts = drafts(sources, lexicon, rules);
        // The words of all patterns, one after the other; of each where they begin and what orders them at first sight.
        let mut all: Vec<u32> = vec![];
        let mut numbered: Vec<(u64, u32, Pattern)> = Vec::with_capacity(drafts.len());
        let mut made = Patterns::default();
        for draft in drafts {
            let Some(guard) = guard(&draft, lexicon, rules) else { continue };
            let first = all.len();
            all.extend(draft.key.split(' ').map(|word| made.vocabulary.add(word)));
            let words = &all[first..];
            let open = made.gaps.len() as u32;
            made.gaps.extend(draft.source.open_gaps);
            let pattern = Pattern {
                concept: draft.source.concept,
                field: draft.source.field,
                guard,
                words: words.len() as u32,
                open: (open, made.gaps.len() as u32),
            };
            numbered.push((beginning(words), first as u32, pattern));
        }
        let words = |first: u32, pattern: &Pattern| &all[first as usize..first as usize + pattern.words as usize];
        numbered.sort_by(|(a, v, p), (b, w, q)| {
            a.cmp(b).then_with(|| words(*v, p).cmp(words(*w, q))).then(p.concept.cmp(&q.concept))
        });
        let mut sequences: Vec<&[u32]> = vec![];
        made.list.reserve_exact(numbered.len());
        for (place, (_, first, pattern)) in numbered.into_iter().enumerate() {
            let words = words(first, &pattern);
            if sequences.last() != Some(&words) {
                made.starts.push(place as u32);
                sequences.push(words);
            }
            made.list.push(pattern);
        }
        made.starts.push(made.list.len() as u32);
        made.automaton = Automaton::new(&sequences);
        made
    }

    /// Visits every place of a text where a pattern stands, guards aside.
    pub(crate) fn find(&self, text: &str, words: &Words, lexicon: &Lexicon, mut visit: impl FnMut(Hit<'_>)) {
        let mut state = ROOT;
        for (last, word) in words.list().iter().enumerate() {
            let key = words.key(last);
            let before = state;
            state = match self.vocabulary.get(key) {
                Some(number) => self.automaton.step(state, number),
                None => ROOT,
            };
            for sequence in self.automaton.ends(state) {
                self.hits(sequence, text, words, last, word.end, &mut visit);
            }
            if key.chars().next().is_some_and(is_hangul) {
                lexicon.stems(key, |stem| {
                    let Some(number) = self.vocabulary.get(stem) else { return };
                    let mut from = Some(before);
                    while let Some(state) = from {
                        let child = self.automaton.child(state, number);
                        if let Some(sequence) = child.and_then(|child| self.automaton.end(child)) {
                            self.hits(sequence, text, words, last, word.start + stem.len(), &mut visit);
                        }
                        from = self.automaton.suffix(state);
                    }
                });
            }
        }
    }

    /// Visits the patterns of a sequence that ends with a word, where the gaps allow them.
    fn hits(&self, sequence: u32, text: &str, words: &Words, last: usize, end: usize, visit: &mut impl FnMut(Hit<'_>)) {
        let range = self.starts[sequence as usize] as usize..self.starts[sequence as usize + 1] as usize;
        let patterns = &self.list[range];
        let first = last + 1 - patterns[0].words as usize;
        let mut strong = (first + 1..=last).filter(|number| !words.weak_before(text, *number));
        let closed = match (strong.next(), strong.next()) {
            (None, _) => None,
            (Some(one), None) => Some(vec![one]),
            (Some(one), Some(two)) => Some([one, two].into_iter().chain(strong).collect()),
        };
        for pattern in patterns {
            let open = &self.gaps[pattern.open.0 as usize..pattern.open.1 as usize];
            let allowed = |number: &usize| open.contains(&((number - first) as u32));
            if closed.as_ref().is_none_or(|gaps| gaps.iter().all(allowed)) {
                visit(Hit { pattern, words: first..last + 1, start: words.list()[first].start, end });
            }
        }
    }

    /// How many patterns there are of each guard.
    pub(crate) fn guards(&self) -> BTreeMap<&'static str, u64> {
        let mut out = BTreeMap::new();
        for pattern in &self.list {
            *out.entry(pattern.guard.name()).or_default() += 1;
        }
        out
    }
}

/// The first two words as one number that orders sequences as far as it tells them apart.
fn beginning(words: &[u32]) -> u64 {
    let word = |place: usize| words.get(place).map_or(0, |word| u64::from(*word) + 1);
    word(0) << 32 | word(1)
}

/// Values, then aliases of values, then plurals of genres; of two with the same field and words the first.
fn drafts<'a>(sources: &'a [Source<'a>], lexicon: &Lexicon, rules: &Rules) -> Vec<Draft<'a>> {
    let named = sources.iter().filter(|source| source.field != Field::Year);
    let mut out: Vec<Draft<'a>> = named.map(|source| Draft { source, key: source.key.into(), alias: false }).collect();
    let short = |field: &Field| matches!(field, Field::Genre | Field::Language);
    let mut known: FxHashMap<(Field, String), &'a Source<'a>> = FxHashMap::default();
    for source in sources.iter().filter(|source| short(&source.field)) {
        known.insert((source.field, source.key.to_string()), source);
    }
    let values = known.clone();
    for field in [Field::Genre, Field::Language] {
        for (alias, target) in lexicon.aliases(field).iter().filter(|_| rules.aliases) {
            let place = (field, alias.clone());
            if let Some(source) = values.get(&(field, key_of(target)))
                && !alias.is_empty()
                && !known.contains_key(&place)
            {
                known.insert(place, source);
                out.push(Draft { source, key: alias.clone().into(), alias: true });
            }
        }
    }
    for number in 0..out.len() {
        let Draft { source, key, alias } = &out[number];
        let Some(plural) = plural(key).filter(|_| source.field == Field::Genre) else { continue };
        let place = (Field::Genre, plural);
        if !known.contains_key(&place) {
            let (source, alias) = (*source, *alias);
            known.insert(place.clone(), source);
            out.push(Draft { source, key: place.1.into(), alias });
        }
    }
    out
}

/// The plural of a genre whose last word is made of ASCII letters and does not end in s.
fn plural(key: &str) -> Option<String> {
    let last = key.rsplit(' ').next().unwrap_or(key);
    if last.is_empty() || last.ends_with('s') || !last.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    Some(match key.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{key}s"),
    })
}

/// The guard of a pattern, the first that applies; none for values that never fire.
fn guard(draft: &Draft<'_>, lexicon: &Lexicon, rules: &Rules) -> Option<Guard> {
    let (field, key) = (draft.source.field, &*draft.key);
    let words = || key.split(' ');
    let last = key.rsplit(' ').next().unwrap_or(key);
    if rules.stop_values && lexicon.is_stopped(field, key, last) {
        return None;
    }
    let letters = || key.chars().filter(|c| *c != ' ');
    let caseless = letters().any(|c| is_hangul(c) || is_ideographic(c));
    let least = if caseless { rules.min_len.min(2) } else { rules.min_len };
    if letters().count() < least {
        return (field == Field::Name).then_some(Guard::Quoted);
    }
    let one_word = !key.contains(' ');
    if matches!(field, Field::Genre | Field::Language | Field::PlotKw) {
        let value = draft.source.key;
        let stem = if value.contains(' ') { key } else { value };
        let cue = field == Field::Genre
            && one_word
            && !draft.alias
            && lexicon.is_ordinary(stem)
            && !lexicon.genre_words.contains(stem);
        return Some(if cue { Guard::Cue } else { Guard::Free });
    }
    let cased = letters().any(has_case);
    Some(if letters().all(is_digit) {
        Guard::Quoted
    } else if words().all(|word| lexicon.is_ordinary(word)) {
        if cased { Guard::Cased } else { Guard::Quoted }
    } else if field.is_person() && one_word && cased {
        Guard::Cased
    } else {
        Guard::Free
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_by_hand() {
        for (key, expected) in [
            ("comedy", Some("comedies")),
            ("film noir", Some("film noirs")),
            ("musical comedy", Some("musical comedies")),
            ("heists", None),
            ("드라마", None),
            ("3d", None),
        ] {
            assert_eq!(plural(key).as_deref(), expected, "{key}");
        }
    }
}

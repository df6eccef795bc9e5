//! Cues: word sequences that tell something, unless they are negated.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::normalize::clean;
use super::sieve::Sieve;
use super::words::Words;

/// One word of a cue: a whole word, or the beginning of one (written with a final `*`).
#[derive(Clone, Debug)]
struct Pattern {
    word: String,
    prefix: bool,
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        match text.strip_suffix('*') {
            Some(word) => Pattern { word: word.to_string(), prefix: true },
            None => Pattern { word: text.to_string(), prefix: false },
        }
    }

    fn add_to(&self, sieve: &mut Sieve) {
        if self.prefix { sieve.add_prefix(&self.word) } else { sieve.add(&self.word) }
    }

    fn fits(&self, word: &[u8]) -> bool {
        if self.prefix { word.starts_with(self.word.as_bytes()) } else { word == self.word.as_bytes() }
    }
}

/// What turns a cue around: words before it in its clause, words right after it.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NegationLists {
    before: Vec<String>,
    before_suffix: Vec<String>,
    before_window: usize,
    after: Vec<String>,
    after_window: usize,
    breakers: Vec<String>,
}

impl Default for NegationLists {
    fn default() -> Self {
        NegationLists {
            before: vec![],
            before_suffix: vec![],
            before_window: 4,
            after: vec![],
            after_window: 1,
            breakers: vec![],
        }
    }
}

/// Tells whether a cue is negated.
#[derive(Debug)]
pub struct Negation {
    before: FxHashSet<String>,
    before_suffix: Vec<String>,
    before_window: usize,
    after: Vec<Pattern>,
    after_window: usize,
    breakers: FxHashSet<String>,
    /// Lets through what may stand in `before` or `breakers`, and what may fit `after`.
    may_negate: Sieve,
    may_negate_after: Sieve,
}

impl Negation {
    /// Prepares the lists for use.
    pub fn new(lists: &NegationLists) -> Negation {
        let (mut may_negate, mut may_negate_after) = (Sieve::default(), Sieve::default());
        lists.before.iter().chain(&lists.breakers).for_each(|word| may_negate.add(word));
        let after: Vec<Pattern> = lists.after.iter().map(|text| Pattern::new(text)).collect();
        after.iter().for_each(|pattern| pattern.add_to(&mut may_negate_after));
        Negation {
            before: lists.before.iter().cloned().collect(),
            before_suffix: lists.before_suffix.clone(),
            before_window: lists.before_window,
            after,
            after_window: lists.after_window,
            breakers: lists.breakers.iter().cloned().collect(),
            may_negate,
            may_negate_after,
        }
    }

    /// Whether the cue at words `first..after` is negated; its own words never negate it.
    fn negates(&self, words: &Words, first: usize, after: usize) -> bool {
        for j in (first.saturating_sub(self.before_window)..first).rev() {
            let listed = self.may_negate.passes(words.low_bytes(j));
            if words.break_before(j + 1) || listed && self.breakers.contains(words.low(j)) {
                break;
            }
            let ends = |suffix: &String| words.low_bytes(j).ends_with(suffix.as_bytes());
            if listed && self.before.contains(words.low(j)) || self.before_suffix.iter().any(ends) {
                return true;
            }
        }
        (after..words.len().min(after + self.after_window)).take_while(|&j| !words.break_before(j)).any(|j| {
            let word = words.low_bytes(j);
            self.may_negate_after.passes(word) && self.after.iter().any(|pattern| pattern.fits(word))
        })
    }
}

#[derive(Debug)]
struct Cue {
    group: u16,
    parts: Vec<Pattern>,
}

/// Cues in groups (levels of a construct, actions, …), searched for together in one pass.
#[derive(Debug, Default)]
pub struct CueSet {
    cues: Vec<Cue>,
    /// Cues whose first word is a whole word, by that word.
    exact: FxHashMap<String, Vec<u32>>,
    /// Cues whose first word is a prefix, by its first byte.
    prefixed: FxHashMap<u8, Vec<u32>>,
    /// Lets through what may be the first word of a cue.
    first_words: Sieve,
}

/// A cue found: its number in the set, in the order in which the cues were added, and its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Number of the cue.
    pub cue: u32,
    /// Group of the cue.
    pub group: u16,
}

impl CueSet {
    /// Adds a cue to a group and gives its number. Cues without a word are never found.
    pub fn add(&mut self, group: u16, text: &str) -> u32 {
        let number = u32::try_from(self.cues.len()).expect("a cue takes more than a byte of memory");
        let parts: Vec<Pattern> = clean(text).to_lowercase().split(' ').map(Pattern::new).collect();
        let first = &parts[0];
        if let Some(&byte) = first.word.as_bytes().first() {
            first.add_to(&mut self.first_words);
            if first.prefix {
                self.prefixed.entry(byte).or_default().push(number);
            } else {
                self.exact.entry(first.word.clone()).or_default().push(number);
            }
        }
        self.cues.push(Cue { group, parts });
        number
    }

    /// Lets through every word that may begin a cue.
    pub fn sieve(&self) -> &Sieve {
        &self.first_words
    }

    /// All cues that stand in the text and are not negated, by position, then by number. `candidates` are the words that a
    /// sieve let through, which is this set's or one that lets more through.
    pub fn find(&self, words: &Words, candidates: &[u32], negation: &Negation, hits: &mut Vec<Hit>) {
        hits.clear();
        for &i in candidates {
            let i = i as usize;
            let from = hits.len();
            if let Some(cues) = self.exact.get(words.low(i)) {
                hits.extend(cues.iter().filter_map(|&c| self.hit(c, words, i, negation)));
            }
            let word = words.low_bytes(i);
            if let Some(cues) = word.first().and_then(|byte| self.prefixed.get(byte)) {
                let fits = |c: &&u32| self.cues[**c as usize].parts[0].fits(word);
                hits.extend(cues.iter().filter(fits).filter_map(|&c| self.hit(c, words, i, negation)));
            }
            hits[from..].sort_unstable_by_key(|hit| hit.cue);
        }
    }

    /// The hit of a cue whose first word fits at `i`, if the rest fits too and nothing negates it.
    fn hit(&self, number: u32, words: &Words, i: usize, negation: &Negation) -> Option<Hit> {
        let cue = &self.cues[number as usize];
        let after = i + cue.parts.len();
        let fits = after <= words.len()
            && cue.parts.iter().enumerate().skip(1).all(|(k, part)| part.fits(words.low_bytes(i + k)))
            && !words.broken(i, after)
            && !negation.negates(words, i, after);
        fits.then_some(Hit { cue: number, group: cue.group })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn negation() -> Negation {
        let list = |words: &[&str]| words.iter().map(|w| w.to_string()).collect::<Vec<_>>();
        Negation::new(&NegationLists {
            before: list(&["not", "no", "never"]),
            before_suffix: list(&["n't"]),
            after: list(&["없*"]),
            breakers: list(&["but"]),
            ..NegationLists::default()
        })
    }

    fn found(cues: &[&str], text: &str) -> Vec<u32> {
        let mut set = CueSet::default();
        for cue in cues {
            set.add(0, cue);
        }
        let mut words = Words::default();
        words.read(text);
        let (mut candidates, mut hits) = (vec![], vec![]);
        set.sieve().sift(&words, &mut candidates);
        set.find(&words, &candidates, &negation(), &mut hits);
        hits.iter().map(|hit| hit.cue).collect()
    }

    #[test]
    fn whole_words_and_prefixes() {
        assert_eq!(found(&["low", "insur*"], "Low, below; INSURED"), [0, 1]);
        assert_eq!(found(&["high risk"], "high, risk"), [0_u32; 0]);
        assert_eq!(found(&["high risk", "risk"], "a high  risk"), [0, 1]);
        assert_eq!(found(&["엘*", "보험*"], "보험에 가입"), [1]);
        assert_eq!(found(&["low"], ""), [0_u32; 0]);
    }

    proptest! {
        #[test]
        fn the_sieve_loses_no_cue(text in "((not|no|low|LOW|high|risk|insured|but|보험에|없다|[lr][oi]?[wk]?)[ ,]{1,2}){0,12}") {
            let mut set = CueSet::default();
            for cue in ["low", "high risk", "risk", "insur*", "보험*", "r*", "no risk"] {
                set.add(0, cue);
            }
            let mut words = Words::default();
            words.read(&text);
            let (mut candidates, mut hits, mut all_hits) = (vec![], vec![], vec![]);
            set.sieve().sift(&words, &mut candidates);
            set.find(&words, &candidates, &negation(), &mut hits);
            let all: Vec<u32> = (0..words.len() as u32).collect();
            set.find(&words, &all, &negation(), &mut all_hits);
            prop_assert_eq!(hits, all_hits);
        }
    }

    #[test]
    fn a_set_of_many_cues_finds_the_last_of_them() {
        let cues: Vec<String> = (0..=70_000).map(|i| format!("w{i}")).collect();
        let cues: Vec<&str> = cues.iter().map(String::as_str).collect();
        assert_eq!(found(&cues, "w65535 w65536 w70000"), [65_535, 65_536, 70_000]);
    }

    #[test]
    fn negators_reach_four_words_back_within_the_clause() {
        assert_eq!(found(&["safe"], "not at all very safe"), [0_u32; 0]); // four words back
        assert_eq!(found(&["safe"], "not at all that very safe"), [0]); // five words back
        assert_eq!(found(&["safe"], "not now, safe"), [0]);
        assert_eq!(found(&["safe"], "not rich but safe"), [0]);
        assert_eq!(found(&["safe"], "isn't safe"), [0_u32; 0]);
        assert_eq!(found(&["위험이"], "위험이 없다"), [0_u32; 0]);
        assert_eq!(found(&["no risk"], "no risk"), [0]); // its own words never negate it
    }
}

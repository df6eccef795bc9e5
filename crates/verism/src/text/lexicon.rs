//! Cues: word sequences that tell something, unless they are negated.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::normalize::clean;
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
}

impl Negation {
    /// Prepares the lists for use.
    pub fn new(lists: &NegationLists) -> Negation {
        Negation {
            before: lists.before.iter().cloned().collect(),
            before_suffix: lists.before_suffix.clone(),
            before_window: lists.before_window,
            after: lists.after.iter().map(|text| Pattern::new(text)).collect(),
            after_window: lists.after_window,
            breakers: lists.breakers.iter().cloned().collect(),
        }
    }

    /// Whether the cue at words `first..after` is negated; its own words never negate it.
    fn negates(&self, words: &Words, first: usize, after: usize) -> bool {
        for j in (first.saturating_sub(self.before_window)..first).rev() {
            let word = words.low(j);
            if words.break_before(j + 1) || self.breakers.contains(word) {
                break;
            }
            if self.before.contains(word) || self.before_suffix.iter().any(|s| word.ends_with(s.as_str())) {
                return true;
            }
        }
        (after..words.len().min(after + self.after_window))
            .take_while(|&j| !words.break_before(j))
            .any(|j| self.after.iter().any(|p| p.fits(words.low_bytes(j))))
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
    exact: FxHashMap<String, Vec<u16>>,
    /// Cues whose first word is a prefix.
    prefixed: Vec<u16>,
    /// By first byte: bit n set if a whole first word has n bytes (31 stands for more), bit 0 if a prefix begins so.
    lengths: Vec<u32>,
}

/// A cue found: its number in the set, in the order in which the cues were added, and its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Number of the cue.
    pub cue: u16,
    /// Group of the cue.
    pub group: u16,
}

fn length_bit(len: usize) -> u32 {
    1 << len.min(31)
}

impl CueSet {
    /// Adds a cue to a group and gives its number. Cues without a word are never found.
    pub fn add(&mut self, group: u16, text: &str) -> u16 {
        if self.lengths.is_empty() {
            self.lengths = vec![0; 256];
        }
        let number = u16::try_from(self.cues.len()).expect("fewer than 65,536 cues");
        let parts: Vec<Pattern> = clean(text).to_lowercase().split(' ').map(Pattern::new).collect();
        if let Some(&byte) = parts[0].word.as_bytes().first() {
            if parts[0].prefix {
                self.prefixed.push(number);
                self.lengths[byte as usize] |= 1;
            } else {
                self.exact.entry(parts[0].word.clone()).or_default().push(number);
                self.lengths[byte as usize] |= length_bit(parts[0].word.len());
            }
        }
        self.cues.push(Cue { group, parts });
        number
    }

    /// All cues that stand in the text and are not negated, by position, then by number.
    pub fn find(&self, words: &Words, negation: &Negation, hits: &mut Vec<Hit>) {
        hits.clear();
        if self.lengths.is_empty() {
            return;
        }
        for i in 0..words.len() {
            let word = words.low_bytes(i);
            let lengths = self.lengths[word[0] as usize];
            if lengths & (length_bit(word.len()) | 1) == 0 {
                continue;
            }
            let from = hits.len();
            if lengths & length_bit(word.len()) != 0
                && let Some(cues) = self.exact.get(words.low(i))
            {
                hits.extend(cues.iter().filter_map(|&c| self.hit(c, words, i, negation)));
            }
            if lengths & 1 != 0 {
                let fits = |c: &&u16| self.cues[**c as usize].parts[0].fits(word);
                hits.extend(self.prefixed.iter().filter(fits).filter_map(|&c| self.hit(c, words, i, negation)));
            }
            hits[from..].sort_unstable_by_key(|hit| hit.cue);
        }
    }

    /// The hit of a cue whose first word fits at `i`, if the rest fits too and nothing negates it.
    fn hit(&self, number: u16, words: &Words, i: usize, negation: &Negation) -> Option<Hit> {
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

    fn found(cues: &[&str], text: &str) -> Vec<u16> {
        let mut set = CueSet::default();
        for cue in cues {
            set.add(0, cue);
        }
        let mut words = Words::default();
        words.read(text);
        let mut hits = vec![];
        set.find(&words, &negation(), &mut hits);
        hits.iter().map(|hit| hit.cue).collect()
    }

    #[test]
    fn whole_words_and_prefixes() {
        assert_eq!(found(&["low", "insur*"], "Low, below; INSURED"), [0, 1]);
        assert_eq!(found(&["high risk"], "high, risk"), [0_u16; 0]);
        assert_eq!(found(&["high risk", "risk"], "a high  risk"), [0, 1]);
        assert_eq!(found(&["엘*", "보험*"], "보험에 가입"), [1]);
        assert_eq!(found(&["low"], ""), [0_u16; 0]);
    }

    #[test]
    fn negators_reach_four_words_back_within_the_clause() {
        assert_eq!(found(&["safe"], "not at all very safe"), [0_u16; 0]); // four words back
        assert_eq!(found(&["safe"], "not at all that very safe"), [0]); // five words back
        assert_eq!(found(&["safe"], "not now, safe"), [0]);
        assert_eq!(found(&["safe"], "not rich but safe"), [0]);
        assert_eq!(found(&["safe"], "isn't safe"), [0_u16; 0]);
        assert_eq!(found(&["위험이"], "위험이 없다"), [0_u16; 0]);
        assert_eq!(found(&["no risk"], "no risk"), [0]); // its own words never negate it
    }
}

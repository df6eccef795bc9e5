//! The level that a text gives a construct such as threat or coping, and the words that decided it.

use crate::suites::adaptation::row::{Label, Source};
use crate::text::lexicon::{CueSet, Hit, Negation};
use crate::text::normalize::{clean, is_blank, is_word};
use crate::text::sieve::Sieve;
use crate::text::words::Words;

/// Memory that is used again from text to text.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) words: Words,
    /// Words of the text that a cue may begin with.
    pub(crate) candidates: Vec<u32>,
    pub(crate) hits: Vec<Hit>,
}

/// Words that state a level: `very low`.
#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    level: u8,
    source: Source,
    /// Its number among the texts that can stand as evidence.
    cue: u32,
}

/// A construct of a pack with its ways of being stated.
#[derive(Debug)]
pub(crate) struct Construct {
    pub(crate) id: String,
    pub(crate) column: String,
    pub(crate) levels: Vec<String>,
    default: u8,
    names: Vec<Vec<String>>,
    phrases: Vec<Phrase>,
    /// Lets through what may be the first word of a name or a phrase; most texts begin otherwise.
    opening: Sieve,
    cues: CueSet,
    priority: Vec<u8>,
    /// Texts that can stand as evidence: levels, phrases, cues.
    pub(crate) evidence: Vec<String>,
    /// Number of the first cue among them.
    first_cue: u32,
    /// Lets through what may be a level or begin a cue.
    may_decide: Sieve,
}

fn split(text: &str) -> Vec<String> {
    clean(text).to_lowercase().split(' ').map(String::from).collect()
}

impl Construct {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        id: String,
        column: String,
        levels: Vec<String>,
        default: u8,
        names: &[String],
        words: &[(u8, Vec<String>)],
        cues: &[(u8, Vec<String>)],
        priority: Vec<u8>,
    ) -> Construct {
        let mut evidence = vec![];
        let mut phrases = vec![];
        for (level, name) in levels.iter().enumerate() {
            let words = name.to_lowercase().split(' ').map(String::from).collect();
            phrases.push(Phrase { words, level: level as u8, source: Source::Token, cue: evidence.len() as u32 });
            evidence.push(name.clone());
        }
        for (level, list) in words {
            for text in list {
                let phrase =
                    Phrase { words: split(text), level: *level, source: Source::Word, cue: evidence.len() as u32 };
                evidence.push(phrase.words.join(" "));
                phrases.push(phrase);
            }
        }
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        let mut names: Vec<Vec<String>> = names.iter().map(|name| split(name)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let first_cue = evidence.len() as u32;
        let mut set = CueSet::default();
        for (level, list) in cues {
            for cue in list {
                set.add(u16::from(*level), cue);
                evidence.push(cue.clone());
            }
        }
        let mut opening = Sieve::default();
        names.iter().chain(phrases.iter().map(|phrase| &phrase.words)).for_each(|words| opening.add(&words[0]));
        let mut may_decide = set.sieve().clone();
        levels.iter().for_each(|level| may_decide.add(&level.to_lowercase()));
        Construct {
            id,
            column,
            levels,
            default,
            names,
            phrases,
            opening,
            cues: set,
            priority,
            evidence,
            first_cue,
            may_decide,
        }
    }

    /// The label of the text in the buffers, which is not missing; the numbers of the deciding texts are appended to `cues`.
    pub(crate) fn label(&self, negation: &Negation, buffers: &mut Buffers, cues: &mut Vec<u32>) -> Label {
        let Buffers { words, candidates, hits } = buffers;
        let found = |level, source| Label { level: Some(level), source };
        if words.is_empty() {
            return found(self.default, Source::Default);
        }
        if self.opening.passes(words.low_bytes(0))
            && let Some(phrase) = self.stated(words)
        {
            cues.push(phrase.cue);
            return found(phrase.level, phrase.source);
        }
        self.may_decide.sift(words, candidates);
        let level_of = |&i: &u32| {
            let word = words.written(i as usize);
            self.levels.iter().position(|level| level == word)
        };
        if let Some(level) = candidates.iter().find_map(level_of) {
            cues.push(level as u32);
            return found(level as u8, Source::Token);
        }
        self.cues.find(words, candidates, negation, hits);
        for &level in &self.priority {
            let before = cues.len();
            let mine = hits.iter().filter(|hit| hit.group == u16::from(level));
            cues.extend(mine.map(|hit| self.first_cue + hit.cue));
            if cues.len() > before {
                return found(level, Source::Keyword);
            }
        }
        found(self.default, Source::Default)
    }

    /// The phrase that the text begins with, after the construct's own name or without it.
    fn stated(&self, words: &Words) -> Option<&Phrase> {
        let at = self.after_name(words);
        let first = (at < words.len()).then(|| words.low_bytes(at))?;
        self.phrases.iter().find(|phrase| {
            phrase.words[0].as_bytes() == first
                && words.starts_with(at, &phrase.words)
                && level_ends(words.text_after(at + phrase.words.len() - 1))
        })
    }

    /// Number of words at the start that say the construct's own name and `is`, or its name before `:` or `=`.
    fn after_name(&self, words: &Words) -> usize {
        for name in &self.names {
            let m = name.len();
            if !words.starts_with(0, name) {
                continue;
            }
            if words.text_after(m - 1).trim_start_matches(is_blank).starts_with([':', '=']) {
                return m;
            }
            if m < words.len() && words.low(m) == "is" && words.text_between(m - 1).chars().all(is_blank) {
                return m + 1;
            }
        }
        0
    }
}

/// Whether a level ends here: the end of the field, a line break, or a next character other than blanks that is in no word.
fn level_ends(rest: &str) -> bool {
    let next = rest.chars().find(|&c| !is_blank(c) || c == '\r' || c == '\n');
    next.is_none_or(|c| !is_word(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::adaptation::pack::{FLOOD, Pack};

    fn threat(text: &str) -> (String, Source, Vec<String>) {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let construct = &pack.constructs[0];
        let (mut buffers, mut cues) = (Buffers::default(), vec![]);
        buffers.words.read(text);
        let label = construct.label(&pack.negation, &mut buffers, &mut cues);
        let level = construct.levels[usize::from(label.level.expect("a level"))].clone();
        (level, label.source, cues.iter().map(|&c| construct.evidence[c as usize].clone()).collect())
    }

    #[test]
    fn levels_at_the_start_after_the_name_and_anywhere() {
        use Source::{Default, Keyword, Token, Word};
        // The examples of the specification, sections 4 and 8.
        for (text, level, source) in [
            ("High\nThe river rises", "H", Word),
            ("M/H", "M", Token),
            ("Medium-High", "M", Default),
            ("low-lying land", "M", Default),
            ("High water", "M", Default),
            ("Threat level: High", "H", Word),
            ("threat is very low.", "VL", Word),
            ("vh", "VH", Token),
            ("I rate it H overall", "H", Token),
            ("I'm fine", "M", Default),
            ("the risk is high here", "H", Keyword),
            ("not worried, unlikely", "L", Keyword),
            ("unsafe, below, safety", "M", Default),
        ] {
            let (got, from, _) = threat(text);
            assert_eq!((got.as_str(), from), (level, source), "{text:?}");
        }
    }

    #[test]
    fn the_deciding_words_are_kept_in_order() {
        assert_eq!(threat("Severe and dangerous; low too").2, ["severe", "dangerous"]);
        assert_eq!(threat("Very High").2, ["very high"]);
        assert_eq!(threat("so L it is").2, ["L"]);
    }
}

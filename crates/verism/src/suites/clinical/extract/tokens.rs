//! Endings of Korean tokens that mean something.

use crate::suites::clinical::pack::Cues;
use crate::suites::clinical::text::letters::{tokens, trim};

/// A set of endings, told apart by their last bytes first.
#[derive(Debug)]
pub(crate) struct EndSet {
    endings: Vec<String>,
    last: [bool; 256],
}

impl EndSet {
    fn new(endings: &[String]) -> EndSet {
        let mut last = [false; 256];
        for byte in endings.iter().filter_map(|ending| ending.bytes().last()) {
            last[usize::from(byte)] = true;
        }
        EndSet { endings: endings.iter().filter(|x| !x.is_empty()).cloned().collect(), last }
    }

    pub(crate) fn ends(&self, word: &str) -> bool {
        word.bytes().last().is_some_and(|byte| self.last[usize::from(byte)])
            && self.endings.iter().any(|ending| word.ends_with(ending.as_str()))
    }

    /// Whether the word ends so and has more than that.
    fn ends_longer(&self, word: &str) -> bool {
        word.bytes().last().is_some_and(|byte| self.last[usize::from(byte)])
            && self.endings.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending.as_str()))
    }
}

/// A set of texts that may stand anywhere in a word, by their first characters.
#[derive(Debug)]
struct PartSet {
    parts: Vec<(char, String)>,
}

impl PartSet {
    fn new(parts: &[String]) -> PartSet {
        let mut parts: Vec<(char, String)> =
            parts.iter().filter_map(|part| Some((part.chars().next()?, part.clone()))).collect();
        parts.sort_unstable();
        PartSet { parts }
    }

    fn in_word(&self, word: &str) -> bool {
        word.char_indices().any(|(at, c)| {
            let first = self.parts.partition_point(|(known, _)| *known < c);
            let same = self.parts[first..].iter().take_while(|(known, _)| *known == c);
            same.into_iter().any(|(_, part)| word[at..].starts_with(part.as_str()))
        })
    }
}

/// The endings of the pack.
#[derive(Debug)]
pub(crate) struct Endings {
    stop: EndSet,
    stop_exceptions: PartSet,
    pub(crate) soft: EndSet,
    pub(crate) honorific: EndSet,
    argument: EndSet,
    argument_exceptions: EndSet,
    aux: Vec<String>,
}

impl Endings {
    pub(crate) fn new(cues: &Cues) -> Endings {
        Endings {
            stop: EndSet::new(&cues.ko_stop_endings),
            stop_exceptions: PartSet::new(&cues.ko_stop_exceptions),
            soft: EndSet::new(&cues.ko_soft_endings),
            honorific: EndSet::new(&cues.ko_honorific_endings),
            argument: EndSet::new(&cues.ko_argument_particles),
            argument_exceptions: EndSet::new(&cues.ko_argument_exceptions),
            aux: cues.ko_aux_starts.clone(),
        }
    }

    /// Whether a token, its punctuation cut, ends the search for a predicate.
    pub(crate) fn stops(&self, word: &str) -> bool {
        self.stop.ends(word) && !self.stop_exceptions.in_word(word)
    }

    /// Whether a token is a new argument.
    pub(crate) fn is_argument(&self, token: &str) -> bool {
        let word = trim(token);
        self.argument.ends_longer(word) && !self.argument_exceptions.ends(word)
    }

    /// Whether a token belongs to the predicate before it.
    pub(crate) fn is_auxiliary(&self, rest: &str) -> bool {
        self.aux.iter().any(|start| rest.starts_with(start.as_str()))
    }

    /// Whether some token of a range is a new argument; tokens are cut at the range's ends.
    pub(crate) fn new_argument(&self, text: &str, start: usize, end: usize) -> bool {
        start < end && tokens(text.as_bytes(), start, end).any(|(from, to)| self.is_argument(&text[from..to]))
    }
}

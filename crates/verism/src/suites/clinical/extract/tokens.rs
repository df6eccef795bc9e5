//! Endings of Korean tokens that mean something.

use crate::suites::clinical::pack::Cues;
use crate::suites::clinical::text::letters::{SYLLABLES, ends_hangul, hangul_index, tokens, trim, trim_end};

/// What an ending says about its token; several may hold.
type Says = u8;

pub(super) const STOPS: Says = 1;
const SOFT: Says = 2;
pub(super) const HONORIFIC: Says = 4;
/// Only where the token has more than the ending.
const ARGUMENT: Says = 8;
const NO_ARGUMENT: Says = 16;
/// In a note: the token was looked at.
const NOTED: Says = 128;

/// An ending and what it says.
type Ending = (Box<[u8]>, Says);

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
    /// For each syllable the place of the endings whose last one it is.
    by_last: Vec<u16>,
    /// First those that end in something else; then none; then those of each last syllable.
    endings: Vec<Vec<Ending>>,
    stop_exceptions: PartSet,
    aux: Vec<String>,
}

/// The places of the endings without Hangul at their ends, and of none.
const OTHERS: usize = 0;
const NONE: u16 = 1;

/// What is known of one token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenMeaning(Says);

impl TokenMeaning {
    pub(crate) fn is_soft(self) -> bool {
        self.0 & SOFT != 0
    }

    fn is_argument(self) -> bool {
        self.0 & (ARGUMENT | NO_ARGUMENT) == ARGUMENT
    }
}

impl Endings {
    pub(crate) fn new(cues: &Cues) -> Endings {
        let mut endings = Endings {
            by_last: vec![NONE; SYLLABLES],
            endings: vec![vec![], vec![]],
            stop_exceptions: PartSet::new(&cues.ko_stop_exceptions),
            aux: cues.ko_aux_starts.clone(),
        };
        for (texts, says) in [
            (&cues.ko_stop_endings, STOPS),
            (&cues.ko_soft_endings, SOFT),
            (&cues.ko_honorific_endings, HONORIFIC),
            (&cues.ko_argument_particles, ARGUMENT),
            (&cues.ko_argument_exceptions, NO_ARGUMENT),
        ] {
            texts.iter().filter(|text| !text.is_empty()).for_each(|text| endings.add(text.as_bytes(), says));
        }
        endings
    }

    fn add(&mut self, ending: &[u8], says: Says) {
        let place = match ends_hangul(ending, ending.len()) {
            false => OTHERS,
            true => {
                let place = &mut self.by_last[hangul_index(ending, ending.len() - 3)];
                if *place == NONE {
                    *place = self.endings.len() as u16;
                    self.endings.push(vec![]);
                }
                usize::from(*place)
            }
        };
        self.endings[place].push((ending.into(), says));
    }

    /// What the ending of a token, its punctuation cut, says.
    pub(crate) fn of(&self, word: &str) -> TokenMeaning {
        let word = word.as_bytes();
        let place = match ends_hangul(word, word.len()) {
            true => usize::from(self.by_last[hangul_index(word, word.len() - 3)]),
            false => OTHERS,
        };
        let fits =
            |(ending, says): &&Ending| word.ends_with(ending) && (*says != ARGUMENT || word.len() > ending.len());
        TokenMeaning(self.endings[place].iter().filter(fits).fold(0, |all, (_, says)| all | says))
    }

    /// What is to be known of every token: whether it ends the search for a predicate, and whether the addressee is its subject.
    pub(super) fn note(&self, token: &str) -> Says {
        let word = trim_end(token);
        let said = self.of(word).0 & (STOPS | HONORIFIC);
        let exempt = said & STOPS != 0 && self.stop_exceptions.in_word(word);
        NOTED | if exempt { said & !STOPS } else { said }
    }

    /// Whether a token is a new argument.
    pub(crate) fn is_argument(&self, token: &str) -> bool {
        self.of(trim(token)).is_argument()
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

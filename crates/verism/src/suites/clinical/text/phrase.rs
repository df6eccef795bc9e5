//! A phrase of the pack and where it stands in a text.

use std::cmp::Reverse;

use super::letters::{is_alnum, is_hangul};
use super::norm::norm;

/// A phrase: literal characters, spaces that stand for gaps, and stars that free its ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Phrase {
    /// In normal form, stars included.
    pub(crate) text: String,
    pub(crate) left_free: bool,
    pub(crate) right_free: bool,
    pub(crate) body: Body,
}

/// The words of a phrase and the gaps behind them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Body {
    pub(crate) words: Box<[(Box<str>, Gap)]>,
}

/// What may stand between two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gap {
    /// The phrase ends here.
    End,
    /// Next to Hangul: spaces, or none.
    Loose,
    /// Spaces or hyphens, one at least.
    Tight,
    /// Behind Hangul, as the phrase's last character: spaces, one at least.
    Last,
}

impl Body {
    /// The words and gaps of a text in normal form.
    pub(crate) fn new(body: &str) -> Body {
        let bytes = body.as_bytes();
        let mut words = vec![];
        let mut start = 0;
        for (at, _) in body.match_indices(' ') {
            let near = at >= 3 && is_hangul(bytes, at - 3) || is_hangul(bytes, at + 1);
            let gap = match (near, at + 1 == body.len()) {
                (false, _) => Gap::Tight,
                (true, false) => Gap::Loose,
                (true, true) => Gap::Last,
            };
            words.push((body[start..at].into(), gap));
            start = at + 1;
        }
        words.push((body[start..].into(), Gap::End));
        Body { words: words.into() }
    }

    /// The end of the body if it starts here.
    pub(crate) fn at(&self, text: &[u8], start: usize) -> Option<usize> {
        let mut at = start;
        for (word, gap) in &self.words {
            if !text.get(at..)?.starts_with(word.as_bytes()) {
                return None;
            }
            at += word.len();
            let from = at;
            match gap {
                Gap::End => return Some(at),
                Gap::Tight => {
                    while matches!(text.get(at), Some(b' ' | b'-')) {
                        at += 1;
                    }
                }
                Gap::Loose | Gap::Last => {
                    while text.get(at) == Some(&b' ') {
                        at += 1;
                    }
                }
            }
            if at == from && *gap != Gap::Loose {
                return None;
            }
        }
        Some(at)
    }

    /// The word by which the body is looked for: the one that fewest phrases have, the longest of those.
    pub(crate) fn rarest(&self, count: impl Fn(&str) -> usize) -> usize {
        // A hyphen beside a gap is part of the word or of the gap: only reading from the start tells.
        let clear = |word: &str| !word.is_empty() && !word.starts_with('-') && !word.ends_with('-');
        let all_clear = self
            .words
            .iter()
            .enumerate()
            .all(|(i, (word, _))| clear(word) || i + 1 == self.words.len() && i > 0 && word.is_empty());
        if !all_clear {
            return self.words.iter().position(|(word, _)| !word.is_empty()).unwrap_or(0);
        }
        let letters = |word: &str| word.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
        let words = self.words.iter().enumerate().filter(|(_, (word, _))| !word.is_empty());
        let rarity = |(place, (word, _)): &(usize, &(Box<str>, Gap))| {
            // Short words stand everywhere, however few phrases have them.
            (letters(word).min(4), Reverse(count(word)), letters(word), Reverse(*place))
        };
        words.max_by_key(rarity).map_or(0, |(place, _)| place)
    }
}

impl Phrase {
    /// A phrase as the pack writes it.
    pub(crate) fn new(text: &str) -> Phrase {
        let text = norm(text).into_owned();
        let left_free = text.starts_with('*');
        let right_free = text.ends_with('*');
        let inner = &text[usize::from(left_free)..];
        let body = Body::new(if right_free { inner.get(..inner.len().saturating_sub(1)).unwrap_or("") } else { inner });
        Phrase { left_free, right_free, body, text }
    }

    /// A name taken as it is: stars mean nothing.
    pub(crate) fn literal(text: &str) -> Phrase {
        let text = text.replace('*', "");
        Phrase { left_free: false, right_free: false, body: Body::new(&text), text }
    }

    /// What a left edge depends on.
    pub(crate) fn starts(&self) -> Edge {
        let first = self.body.words.iter().find(|(word, _)| !word.is_empty());
        match (self.body.words.first(), first) {
            (Some((lead, _)), _) if lead.is_empty() => Edge::Other,
            (_, Some((word, _))) => Edge::of(word.as_bytes(), 0),
            _ => Edge::Other,
        }
    }

    /// What a right edge depends on.
    pub(crate) fn ends(&self) -> Edge {
        match self.body.words.last() {
            Some((word, _)) if word.is_empty() => Edge::Other,
            Some((word, _)) if word.as_bytes().last().is_some_and(u8::is_ascii) => {
                Edge::of(word.as_bytes(), word.len() - 1)
            }
            Some((word, _)) => Edge::of(word.as_bytes(), word.len().saturating_sub(3)),
            None => Edge::Other,
        }
    }
}

/// The kind of character at an end of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Letter,
    Digit,
    Hangul,
    Other,
}

impl Edge {
    fn of(text: &[u8], at: usize) -> Edge {
        match text.get(at) {
            Some(byte) if byte.is_ascii_digit() => Edge::Digit,
            Some(byte) if is_alnum(*byte) => Edge::Letter,
            Some(_) if is_hangul(text, at) => Edge::Hangul,
            _ => Edge::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(phrase: &str, text: &str) -> Option<usize> {
        Phrase::new(phrase).body.at(text.as_bytes(), 0)
    }

    #[test]
    fn a_space_is_a_gap() {
        assert_eq!(end("heart rate", "heart - rate"), Some(12));
        assert_eq!(end("heart rate", "heartrate"), None);
        assert_eq!(end("지 않", "지않"), Some(6));
        assert_eq!(end("지 않", "지  않"), Some(8));
        assert_eq!(end("등 *", "등 x"), Some(4));
        assert_eq!(end("등 *", "등x"), None);
        assert_eq!(end("ace 억제제", "ace억제제"), Some(12));
    }

    #[test]
    fn stars_free_the_ends() {
        let phrase = Phrase::new("*지 마*");
        assert!(phrase.left_free && phrase.right_free);
        assert_eq!((phrase.starts(), phrase.ends()), (Edge::Hangul, Edge::Hangul));
        assert_eq!(Phrase::new("1차 a1").ends(), Edge::Digit);
    }

    #[test]
    fn short_words_are_looked_for_last() {
        let place = |phrase: &str| Phrase::new(phrase).body.rarest(|_| 1);
        assert_eq!((place("a day"), place("*피할 필요 없*"), place("no history of"), place("a -b")), (1, 0, 1, 0));
    }
}

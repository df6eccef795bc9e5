//! Whether a hit counts: quotes, capitals and cues around it.

use std::cell::OnceCell;
use std::ops::Range;

use super::chars::{
    at, before, closes, ends_sentence, is_apostrophe, is_before_closer, is_blank, is_capital, is_line_break, is_lower,
    opens,
};
use super::lexicon::Lexicon;
use super::patterns::{Guard, Hit};
use super::words::{Words, gap_is_weak};
use crate::suites::recommender::catalog::field::Field;

/// A text with its words, as the guards look at it.
pub(crate) struct GuardedText<'a> {
    pub(crate) text: &'a str,
    pub(crate) words: &'a Words,
    pub(crate) lexicon: &'a Lexicon,
    /// Whether some letter is in lower case: without one, capitals say nothing.
    lower: OnceCell<bool>,
}

impl<'a> GuardedText<'a> {
    pub(crate) fn new(text: &'a str, words: &'a Words, lexicon: &'a Lexicon) -> GuardedText<'a> {
        GuardedText { text, words, lexicon, lower: OnceCell::new() }
    }

    /// Whether the guard of a hit lets it pass.
    pub(crate) fn allows(&self, hit: &Hit<'_>) -> bool {
        let guard = hit.pattern.guard;
        if guard == Guard::Free || self.is_quoted(hit.start, hit.end) {
            return true;
        }
        match guard {
            Guard::Cue => self.has_cue(hit),
            Guard::Cased => {
                let titled = hit.pattern.field == Field::Name
                    && year_follows(self.text, hit.end)
                    && hit.words.clone().all(|word| self.is_capital(word) || self.is_small(word));
                titled || self.is_cased(hit.words.clone())
            }
            Guard::Free | Guard::Quoted => false,
        }
    }

    /// Whether a mark opens directly before and one closes directly after, past at most one of `,.!?;:…`.
    pub(crate) fn is_quoted(&self, start: usize, end: usize) -> bool {
        if !before(self.text, start).is_some_and(opens) {
            return false;
        }
        let mut after = self.text[end..].chars();
        match (after.next(), after.next()) {
            (Some(first), Some(second)) if is_before_closer(first) && closes(second) => true,
            (Some(first), _) => closes(first),
            (None, _) => false,
        }
    }

    fn has_cue(&self, hit: &Hit<'_>) -> bool {
        let next = hit.words.end;
        let after = self.words.list().get(next).is_some_and(|word| {
            self.lexicon.is_cue_after(self.words.key(next)) && gap_is_weak(&self.text[hit.end..word.start], "")
        });
        let first = hit.words.start;
        after || (first > 0 && self.lexicon.cues_before.contains(self.words.key(first - 1)))
    }

    /// Whether words look like a proper name: capitals that the start of a sentence does not explain.
    fn is_cased(&self, words: Range<usize>) -> bool {
        if !self.lower.get_or_init(|| self.text.chars().any(is_lower)) {
            return false;
        }
        let counts = |word: &usize| *word == words.start || !(self.is_small(*word) || self.after_apostrophe(*word));
        let mut beyond_first = false;
        for word in words.clone().filter(counts) {
            if !self.is_capital(word) {
                return false;
            }
            beyond_first |= word > words.start;
        }
        beyond_first || !self.starts_sentence(self.words.list()[words.start].start)
    }

    /// Whether a place is the start of a sentence, past quotes, `([>#-•` and blanks.
    fn starts_sentence(&self, start: usize) -> bool {
        let passed =
            |c: char| opens(c) || matches!(c, '(' | '[' | '>' | '#' | '-' | '•') || (is_blank(c) && !is_line_break(c));
        let last = self.text[..start].chars().rev().find(|c| !passed(*c));
        last.is_none_or(ends_sentence)
    }

    /// The first character of a word.
    pub(crate) fn first(&self, word: usize) -> char {
        at(self.text, self.words.list()[word].start).unwrap_or(' ')
    }

    /// Whether a word begins with a capital or a digit.
    pub(crate) fn is_capital(&self, word: usize) -> bool {
        is_capital(self.first(word))
    }

    /// Whether a word is one that titles leave in lower case.
    pub(crate) fn is_small(&self, word: usize) -> bool {
        self.lexicon.small.contains(self.words.key(word))
    }

    /// Whether a word follows an apostrophe.
    pub(crate) fn after_apostrophe(&self, word: usize) -> bool {
        before(self.text, self.words.list()[word].start).is_some_and(is_apostrophe)
    }
}

/// Where the digits of `(YYYY)` begin, if that is what stands at a place, past at most one blank.
pub(crate) fn bracketed_year(text: &str, place: usize) -> Option<usize> {
    let blank = at(text, place).filter(|c| is_blank(*c)).map_or(0, char::len_utf8);
    let open = place + blank;
    match text.as_bytes().get(open..open + 6)? {
        [b'(', year @ .., b')'] if year.iter().all(u8::is_ascii_digit) => Some(open + 1),
        _ => None,
    }
}

/// Whether `(YYYY)` follows directly, past closing marks and one blank.
fn year_follows(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches(['"', '\'', '”', '’', '*', '_']);
    bracketed_year(text, text.len() - rest.len()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(text: &str, look: impl FnOnce(&GuardedText<'_>) -> T) -> T {
        let lexicon = Lexicon::builtin();
        let mut words = Words::default();
        words.cut(text);
        look(&GuardedText::new(text, &words, &lexicon))
    }

    #[test]
    fn quotes_may_hold_one_mark_before_they_close() {
        assert!(with("“Her.” it", |sight| sight.is_quoted(3, 6)));
        assert!(!with("“Her..” it", |sight| sight.is_quoted(3, 6)));
        assert!(with("*Her*", |sight| sight.is_quoted(1, 4)));
        assert!(!with("“Her", |sight| sight.is_quoted(3, 6)));
    }

    #[test]
    fn a_capital_at_the_start_of_a_sentence_says_nothing() {
        // Example 8 of the specification: "Her voice" names no title.
        assert!(!with("Her voice", |sight| sight.is_cased(0..1)));
        assert!(with("I saw Her twice", |sight| sight.is_cased(2..3)));
        assert!(!with("Fine. Her voice", |sight| sight.is_cased(1..2)));
        assert!(with("Fine. Her Voice lasts", |sight| sight.is_cased(1..3)));
        assert!(!with("I SAW HER", |sight| sight.is_cased(2..3)));
    }

    #[test]
    fn a_year_in_brackets() {
        assert_eq!(bracketed_year("x (1999)", 1), Some(3));
        assert_eq!(bracketed_year("x  (1999)", 1), None);
        assert_eq!(bracketed_year("x (19a9)", 1), None);
        assert!(year_follows("Her” (2013)", 3));
    }
}

//! Phrases that are written as titles: in quotes, emphasised before a year, or capitalised before a year.

use std::ops::Range;

use super::chars::{
    at, before, closer_of, has_case, is_ampersand, is_apostrophe, is_before_closer, is_blank, is_capital,
    is_caseless_letter, is_hyphen, is_line_break, is_word,
};
use super::sight::{GuardedText, bracketed_year};
use crate::text::bits::places;

/// Most words of a title phrase.
const MOST_WORDS: usize = 10;

/// The title phrases of a text as ranges of words, in order; of two that overlap the one found first.
pub(crate) fn phrases(sight: &GuardedText<'_>) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut taken = vec![false; sight.words.list().len()];
    quoted(sight, &mut found);
    emphasised(sight, &mut found);
    found.iter().for_each(|phrase: &Range<usize>| taken[phrase.clone()].fill(true));
    before_years(sight, &mut taken, &mut found);
    taken.fill(false);
    found.retain(|phrase| {
        let free = !taken[phrase.clone()].contains(&true);
        if free {
            taken[phrase.clone()].fill(true);
        }
        free
    });
    found.sort_by_key(|phrase| phrase.start);
    found
}

/// Phrases between quotation marks that look like a title, without a final `(YYYY)` and punctuation.
fn quoted(sight: &GuardedText<'_>, found: &mut Vec<Range<usize>>) {
    let text = sight.text;
    for (open, span) in spans(text) {
        let mut end = without_year(text, span.clone());
        while end > span.start
            && let Some(c) = before(text, end).filter(|c| is_before_closer(*c) || is_blank(*c))
        {
            end -= c.len_utf8();
        }
        let Some(words) = title_words(sight, span.start, end) else { continue };
        let plain = !text[span.start..end].chars().any(has_case)
            && !words.clone().any(|word| sight.words.key(word).bytes().all(|b| b.is_ascii_digit()));
        if !(plain && matches!(open, '\'' | '‘')) {
            found.push(words);
        }
    }
}

/// The words between two places, if they are one to ten and all begin like a title.
fn title_words(sight: &GuardedText<'_>, start: usize, end: usize) -> Option<Range<usize>> {
    let (from, to) = sight.words.inside(start, end);
    let begins = |word: usize| {
        let first = sight.first(word);
        let free = || sight.is_small(word) || sight.after_apostrophe(word) || is_ampersand(first);
        is_capital(first) || is_caseless_letter(first) || (word > from && free())
    };
    (to > from && to - from <= MOST_WORDS && (from..to).all(begins)).then_some(from..to)
}

/// What stands between quotation marks, left to right, with the mark that opens.
fn spans(text: &str) -> Vec<(char, Range<usize>)> {
    let mut out = vec![];
    let mut closers = Closers::default();
    let mut from = 0;
    // Marks are the quotes of ASCII, or stand beyond it.
    let marks = places(text.as_bytes(), |bytes| bytes.one_of([b'"', b'\'']) | bytes.beyond_ascii());
    for place in marks {
        if place < from || !text.is_char_boundary(place) {
            continue;
        }
        let Some(open) = at(text, place) else { continue };
        let Some(close) = closer_of(open) else { continue };
        let start = place + open.len_utf8();
        let Some(next) = at(text, start).filter(|next| !is_blank(*next)) else { continue };
        let single = matches!(open, '\'' | '‘');
        if (single || open == '"') && before(text, place).is_some_and(is_word) || (single && !is_word(next)) {
            continue;
        }
        if let Some(end) = closers.next(text, open, close, start)
            && end > start
        {
            out.push((open, start..end));
            from = end + at(text, end).map_or(0, char::len_utf8);
        }
    }
    out
}

/// Where the next mark of each kind closes; remembered, so that marks that never close cost one search per line.
#[derive(Default)]
struct Closers(Vec<(char, usize, Option<usize>)>);

impl Closers {
    /// The place of the next mark that closes `open` from a place on, before the line ends.
    fn next(&mut self, text: &str, open: char, close: char, from: usize) -> Option<usize> {
        let known = self.0.iter().position(|(mark, _, _)| *mark == open);
        // Up to `reach` nothing else closes.
        if let Some((_, reach, found)) = known.map(|place| self.0[place])
            && from <= reach
        {
            return found;
        }
        let single = matches!(open, '\'' | '‘');
        let mut reach = text.len();
        let mut found = None;
        for (offset, c) in text[from..].char_indices() {
            let place = from + offset;
            if is_line_break(c) {
                reach = place;
                break;
            }
            let ends = || {
                let after = at(text, place + c.len_utf8());
                !after.is_some_and(is_word) && !before(text, place).is_some_and(is_blank)
            };
            if (c == close || (open == '\'' && c == '’')) && (!single || ends()) {
                (reach, found) = (place, Some(place));
                break;
            }
        }
        match known {
            Some(place) => self.0[place] = (open, reach, found),
            None => self.0.push((open, reach, found)),
        }
        found
    }
}

/// The end of a span without a final `(YYYY)`.
fn without_year(text: &str, span: Range<usize>) -> usize {
    let inner = text[span.clone()].trim_end_matches(is_blank);
    let Some(open) = inner.len().checked_sub(6).map(|short| span.start + short) else { return span.end };
    if !text.is_char_boundary(open) || !text[open..].starts_with('(') || bracketed_year(text, open).is_none() {
        return span.end;
    }
    let blank = before(text, open).filter(|c| open > span.start && is_blank(*c)).map_or(0, char::len_utf8);
    open - blank
}

/// Phrases such as `*x*` and `__x__` before `(YYYY)`.
fn emphasised(sight: &GuardedText<'_>, found: &mut Vec<Range<usize>>) {
    let text = sight.text;
    let bytes = text.as_bytes();
    let mut from = 0;
    for place in memchr::memchr2_iter(b'*', b'_', bytes) {
        if place < from {
            continue;
        }
        let mark = if bytes.get(place + 1) == Some(&bytes[place]) { 2 } else { 1 };
        let start = place + mark;
        if at(text, start).is_none_or(is_blank) {
            continue;
        }
        let Some(end) = memchr::memchr3(b'*', b'_', b'\n', &bytes[start..]).map(|offset| start + offset) else { break };
        let after = end + mark;
        if end == start || bytes.get(end..after) != Some(&bytes[place..start]) || bracketed_year(text, after).is_none()
        {
            continue;
        }
        found.extend(title_words(sight, start, end));
        from = after;
    }
}

/// Runs of capitalised, digit and small words directly before `(YYYY)`.
fn before_years(sight: &GuardedText<'_>, taken: &mut [bool], found: &mut Vec<Range<usize>>) {
    let text = sight.text;
    let list = sight.words.list();
    for open in memchr::memchr_iter(b'(', text.as_bytes()) {
        if bracketed_year(text, open).is_none() {
            continue;
        }
        let year = open - before(text, open).filter(|c| is_blank(*c)).map_or(0, char::len_utf8);
        let end = list.partition_point(|word| word.end <= year);
        let mut start = end;
        while start > 0 && end - start < MOST_WORDS {
            let word = start - 1;
            let next = if start == end { year } else { list[start].start };
            let gap = &text[list[word].end..next];
            let joined = if start == end { gap.chars().all(is_blank) } else { joins(gap, sight.words.key(word)) };
            let first = sight.first(word);
            let fits =
                || sight.is_small(word) || sight.after_apostrophe(word) || is_ampersand(first) || is_capital(first);
            if taken[word] || !joined || !fits() {
                break;
            }
            start = word;
        }
        while start < end && sight.is_small(start) && !sight.is_capital(start) {
            start += 1;
        }
        if start < end && text[list[start].start..list[end - 1].end].chars().any(has_case) {
            taken[start..end].fill(true);
            found.push(start..end);
        }
    }
}

/// Whether a gap may stand inside a title: blanks, one apostrophe or hyphen, a colon and a blank, a dash between blanks,
/// the dot of an abbreviation or of one letter.
fn joins(gap: &str, word: &str) -> bool {
    if gap.chars().any(is_line_break) {
        return false;
    }
    if gap.trim_end_matches(is_blank) == "." {
        let short = matches!(word, "dr" | "mr" | "mrs" | "ms" | "st" | "jr" | "sr" | "vs" | "vol" | "no");
        let mut letters = word.chars();
        return short || (letters.next().is_some_and(super::chars::is_letter) && letters.next().is_none());
    }
    let mut chars = gap.chars();
    let mark = chars.next().is_some_and(|c| is_apostrophe(c) || is_hyphen(c)) && chars.next().is_none();
    gap.chars().all(is_blank) || mark || matches!(gap, ": " | " - " | " – ")
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::Lexicon;
    use super::super::words::Words;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let lexicon = Lexicon::builtin();
        let mut words = Words::default();
        words.cut(text);
        let sight = GuardedText::new(text, &words, &lexicon);
        phrases(&sight).into_iter().map(|phrase| words.joined(phrase.start, phrase.end)).collect()
    }

    #[test]
    fn phrases_by_hand() {
        // Section 4.5 of the specification.
        for (text, expected) in [
            ("Try “Night Ferry”, or 'Tin Moon'.", &["night ferry", "tin moon"][..]),
            ("He said “come with me now”.", &[]),
            ("It's Ben's and Ann's.", &[]),
            ("“Night Ferry (2001)” and “Cold Wharf!”", &["night ferry", "cold wharf"]),
            ("**Tin Moon** (2010), *not this*", &["tin moon"]),
            ("I like the Cold Wharf (2001).", &["cold wharf"]),
            ("See Dr. Strangelove (1964) and J. Edgar (2011)", &["see dr strangelove", "j edgar"]),
            ("‘드라마’ 그리고 “그녀”", &["그녀"]),
            ("“open and never closed", &[]),
            ("“Broken\nLine”", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn marks_that_never_close_cost_one_search() {
        let text = "“ “x".repeat(100_000);
        assert!(found(&text).is_empty());
    }

    #[test]
    fn gaps_inside_titles() {
        assert!(joins(". ", "dr") && joins(".", "j") && !joins(". ", "ferry"));
        assert!(joins(": ", "x") && joins("-", "x") && joins(" – ", "x") && !joins(", ", "x") && !joins("\n", "x"));
    }
}

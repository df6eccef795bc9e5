//! The Penn Treebank word tokenizer, as NLTK has it, on one whole text without a sentence splitter.
//!
//! Twelve rules in order, each a function from text to text; between two rules the text is one string, in which blanks
//! separate what will be tokens. "Pad" means one blank before and after. A rule that would find nothing to do is left out.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::tokens::is_word;

/// The text with white space between all its tokens.
pub fn spaced(text: &str) -> String {
    let found = text.bytes().fold(0, |found, byte| found | bit(byte));
    let due = RULES.iter().filter(|(marks, _)| found & marks != 0);
    joined_forms(due.fold(text.to_string(), |s, (_, rule)| rule(s)))
}

/// T1 to T11, each with the bytes of which a text has one at least if there is anything to do. No rule brings in such a
/// byte but where a quote becomes two others.
const RULES: [(u128, fn(String) -> String); 12] = [
    (any(b"`\"") | BEYOND_ASCII, opening_quotes),
    (any(b"\"'"), quotes_after_openers),
    (any(b"'"), leading_apostrophes),
    (any(b"."), final_period),
    (any(b":,"), colons_and_commas),
    (any(b".;@#$%&?!") | BEYOND_ASCII, marks),
    (any(b"'"), trailing_apostrophes),
    (any(b"*[](){}<>-"), brackets_and_dashes),
    (any(b"\"'") | BEYOND_ASCII, closing_quotes),
    (u128::MAX, single_blanks),
    (any(b"\"'"), short_clitics),
    (any(b"\"'"), long_clitics),
];

/// Bytes as bits; those beyond ASCII and the last of ASCII, which no rule knows, share one.
const fn bit(byte: u8) -> u128 {
    if byte < 127 { 1 << byte } else { BEYOND_ASCII }
}

const BEYOND_ASCII: u128 = 1 << 127;

const fn any(bytes: &[u8]) -> u128 {
    match bytes {
        [] => 0,
        [first, others @ ..] => bit(*first) | any(others),
    }
}

/// Pads every character that `marked` names.
fn pad(s: &str, marked: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(s.len() + 8);
    for c in s.chars() {
        if marked(c) {
            out.extend([' ', c, ' ']);
        } else {
            out.push(c);
        }
    }
    out
}

/// T1: opening quotes and runs of backticks stand alone; a double quote at the start opens.
fn opening_quotes(text: String) -> String {
    let quote = |c| matches!(c, '\u{ab}' | '\u{201c}' | '\u{2018}' | '\u{201e}');
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if quote(c) {
            out.extend([' ', c, ' ']);
        } else if c == '`' {
            out.extend([' ', c]);
            while let Some(more) = chars.next_if_eq(&'`') {
                out.push(more);
            }
            out.push(' ');
        } else {
            out.push(c);
        }
    }
    if let Some(rest) = out.strip_prefix('"') {
        out = format!("``{rest}");
    }
    if out.contains("``") { out.replace("``", " `` ") } else { out }
}

/// T2: a double quote, or two apostrophes, right after a blank or an opening bracket opens.
fn quotes_after_openers(s: String) -> String {
    let mut out = String::with_capacity(s.len() + 8);
    let mut rest = s.as_str();
    while let Some(c) = rest.chars().next() {
        out.push(c);
        rest = &rest[c.len_utf8()..];
        if matches!(c, ' ' | '(' | '[' | '{' | '<')
            && let Some(after) = rest.strip_prefix('"').or_else(|| rest.strip_prefix("''"))
        {
            out.push_str(" `` ");
            rest = after;
        }
    }
    out
}

/// Endings that stay on the apostrophe before them.
const CLITICS: [&str; 8] = ["re", "ve", "ll", "m", "t", "s", "d", "n"];

/// T3: an apostrophe that begins a word is cut off, unless one of the clitics follows and ends there.
fn leading_apostrophes(s: String) -> String {
    let mut out = String::with_capacity(s.len() + 8);
    for (i, c) in s.char_indices() {
        out.push(c);
        if c != '\'' || word_before(&s, i) || !word_at(&s, i + 1) {
            continue;
        }
        let clitic = |piece: &&str| same_at(&s, i + 1, piece) && edge(&s, i + 1 + piece.len());
        if !CLITICS.iter().any(clitic) {
            out.push(' ');
        }
    }
    out
}

fn word_before(s: &str, i: usize) -> bool {
    s[..i].chars().next_back().is_some_and(is_word)
}

fn word_at(s: &str, i: usize) -> bool {
    s[i..].chars().next().is_some_and(is_word)
}

/// Whether exactly one side of offset `i` is a word character.
fn edge(s: &str, i: usize) -> bool {
    word_before(s, i) != word_at(s, i)
}

/// Whether a piece of ASCII stands at offset `i`, in any case.
fn same_at(s: &str, i: usize, piece: &str) -> bool {
    s.as_bytes().get(i..i + piece.len()).is_some_and(|found| found.eq_ignore_ascii_case(piece.as_bytes()))
}

/// T4: the last period is cut off if nothing but closing marks, blanks and then white space follows it.
fn final_period(s: String) -> String {
    let Some(dot) = s.rfind('.') else { return s };
    let closing = |c: char| matches!(c, ']' | ')' | '}' | '>' | '"' | '\'' | '\u{bb}' | '\u{201d}' | '\u{2019}' | ' ');
    let (before, tail) = (&s[..dot], &s[dot + 1..]);
    let space = tail.trim_start_matches(closing);
    let fits = !before.is_empty() && !before.ends_with('.') && space.chars().all(char::is_whitespace);
    if !fits {
        return s;
    }
    format!("{before} . {} ", &tail[..tail.len() - space.len()])
}

/// T5: a colon or comma is padded unless a decimal digit follows; the character after it is copied unexamined.
fn colons_and_commas(s: String) -> String {
    let digit = |c: char| c.general_category() == GeneralCategory::DecimalNumber;
    let mut out = String::with_capacity(s.len() + 8);
    let mut chars = s.chars().peekable();
    while let Some(c) = chars.next() {
        if matches!(c, ':' | ',') && !chars.peek().is_some_and(|c| digit(*c)) {
            out.extend([' ', c, ' ']);
            out.extend(chars.next());
        } else {
            out.push(c);
        }
    }
    match out.pop() {
        Some(last @ (':' | ',')) => out.extend([' ', last, ' ']),
        last => out.extend(last),
    }
    out
}

/// T6: runs of two or more periods, other marks and dashes stand alone.
fn marks(s: String) -> String {
    let unmarked = |b: u8| b.is_ascii() && !b";@#$%&?!".contains(&b);
    if s.bytes().all(unmarked) && !s.contains("..") {
        return s;
    }
    let mut out = String::with_capacity(s.len() + 8);
    let mut chars = s.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '.' if chars.peek() == Some(&'.') => {
                out.extend([' ', '.']);
                while let Some(more) = chars.next_if_eq(&'.') {
                    out.push(more);
                }
                out.push(' ');
            }
            ';' | '@' | '#' | '$' | '%' | '&' | '?' | '!' | '\u{2012}'..='\u{2015}' => out.extend([' ', c, ' ']),
            c => out.push(c),
        }
    }
    out
}

/// T7: an apostrophe before a blank stands alone unless another one precedes it.
fn trailing_apostrophes(s: String) -> String {
    if !s.contains("' ") {
        return s;
    }
    let mut out = String::with_capacity(s.len() + 8);
    let mut rest = s.as_str();
    while let Some(c) = rest.chars().next() {
        out.push(c);
        rest = &rest[c.len_utf8()..];
        if c != '\''
            && let Some(after) = rest.strip_prefix("' ")
        {
            out.push_str(" ' ");
            rest = after;
        }
    }
    out
}

/// T8: asterisks, brackets and double hyphens stand alone.
fn brackets_and_dashes(s: String) -> String {
    let bracket = |c| matches!(c, '*' | '[' | ']' | '(' | ')' | '{' | '}' | '<' | '>');
    let out = if s.contains(bracket) { pad(&s, bracket) } else { s };
    if out.contains("--") { out.replace("--", " -- ") } else { out }
}

/// T9: closing quotes stand alone. A blank at both ends comes with the next rule.
fn closing_quotes(s: String) -> String {
    let mut out = if s.is_ascii() { s } else { pad(&s, |c| matches!(c, '\u{bb}' | '\u{201d}' | '\u{2019}')) };
    if out.contains("''") {
        out = out.replace("''", " '' ");
    }
    if out.contains('"') { out.replace('"', " '' ") } else { out }
}

/// T10: every run of white space becomes one blank, and there is one at both ends.
fn single_blanks(s: String) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push(' ');
    for word in s.split_whitespace() {
        out.push_str(word);
        out.push(' ');
    }
    if out.len() == 1 {
        out.push(' ');
    }
    out
}

/// Puts a blank before the first of some endings that stands before a blank and after neither an apostrophe nor a blank.
fn split_off(s: &str, endings: &[&str]) -> String {
    let mut out = String::with_capacity(s.len() + 8);
    let mut rest = s;
    while let Some(c) = rest.chars().next() {
        out.push(c);
        rest = &rest[c.len_utf8()..];
        if matches!(c, '\'' | ' ') {
            continue;
        }
        // All begin with one of these.
        if !matches!(rest.as_bytes().first(), Some(b'\'' | b'n' | b'N')) {
            continue;
        }
        let ends = |ending: &&&str| rest.strip_prefix(**ending).is_some_and(|after| after.starts_with(' '));
        if let Some(ending) = endings.iter().find(ends) {
            out.push(' ');
            out.push_str(ending);
            out.push(' ');
            rest = &rest[ending.len() + 1..];
        }
    }
    out
}

/// T11, first half.
fn short_clitics(s: String) -> String {
    split_off(&s, &["'s", "'S", "'m", "'M", "'d", "'D", "'"])
}

/// T11, second half.
fn long_clitics(s: String) -> String {
    split_off(&s, &["'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"])
}

/// Words that are two, and where they are cut.
const JOINED: [(&str, usize); 8] =
    [("cannot", 3), ("d'ye", 1), ("gimme", 3), ("gonna", 3), ("gotta", 3), ("lemme", 3), ("more'n", 4), ("wanna", 3)];

/// Where the letter that stands there twice begins, in all joined forms without an apostrophe.
const TWICE: usize = 2;

/// Whether a text has a joined form around a letter that stands there twice.
fn has_joined_twice(s: &str) -> bool {
    let low = |b: u8| b.to_ascii_lowercase();
    let twice = |two: &[u8]| low(two[0]) == low(two[1]) && matches!(low(two[0]), b'm' | b'n' | b't');
    let around = |at: usize| at >= TWICE && JOINED.iter().any(|(form, _)| same_at(s, at - TWICE, form));
    s.as_bytes().windows(2).enumerate().any(|(at, two)| twice(two) && around(at))
}

/// T12: joined forms are split, in any case, at word boundaries.
fn joined_forms(mut s: String) -> String {
    let (twice, apostrophe) = (has_joined_twice(&s), s.contains('\''));
    for (form, cut) in JOINED {
        if !(if form.contains('\'') { apostrophe } else { twice }) {
            continue;
        }
        let ends = |s: &str, end: usize| match form {
            "wanna" => s[end..].starts_with(char::is_whitespace),
            _ => edge(s, end),
        };
        s = split_form(s, form, |s, i| edge(s, i) && ends(s, i + form.len()), (0, cut));
    }
    for form in [" 'tis", " 'twas"].into_iter().filter(|_| apostrophe) {
        s = split_form(s, form, |s, i| edge(s, i + form.len()), (1, 3));
    }
    s
}

/// Cuts a form wherever it stands and `fits`: what is before place `keep.0` falls, a blank goes in at `keep.1`.
fn split_form(s: String, form: &str, fits: impl Fn(&str, usize) -> bool, keep: (usize, usize)) -> String {
    let first = form.as_bytes()[0];
    let found = |i: usize| same_at(&s, i, form) && fits(&s, i);
    let starts = |from: usize| {
        let candidates = s.as_bytes()[from..].iter().enumerate().filter(|(_, b)| b.eq_ignore_ascii_case(&first));
        candidates.map(|(i, _)| from + i).find(|i| found(*i))
    };
    let Some(mut at) = starts(0) else { return s };
    let mut out = String::with_capacity(s.len() + 8);
    let mut done = 0;
    loop {
        out.push_str(&s[done..at]);
        out.push(' ');
        out.push_str(&s[at + keep.0..at + keep.1]);
        out.push(' ');
        out.push_str(&s[at + keep.1..at + form.len()]);
        out.push(' ');
        done = at + form.len();
        match starts(done) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.push_str(&s[done..]);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// With all rules, also those that are left out where they would find nothing to do.
    fn cut_by_all(text: &str) -> Vec<String> {
        let all = joined_forms(RULES.iter().fold(text.to_string(), |s, (_, rule)| rule(s)));
        all.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn every_character_alone_calls_its_rules() {
        let others = "\u{ab}\u{bb}\u{201c}\u{201d}\u{2018}\u{2019}\u{201e}\u{2012}\u{2015}é";
        for c in (0..128).map(char::from).chain(others.chars()) {
            for text in [format!("{c}a"), format!("a{c}b"), format!("a{c} b"), format!("a {c}{c}s"), format!("a{c}")] {
                assert_eq!(cut(&text), cut_by_all(&text), "{text:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn rules_that_are_left_out_have_nothing_to_do(text in "[' \"a(n'tsld.,\u{201d}]{0,12}") {
            prop_assert_eq!(cut(&text), cut_by_all(&text));
        }
    }

    fn cut(text: &str) -> Vec<String> {
        spaced(text).split_whitespace().map(String::from).collect()
    }

    #[test]
    fn every_joined_form_without_an_apostrophe_has_a_letter_twice() {
        let forms = JOINED.iter().map(|(form, _)| *form).filter(|form| !form.contains('\''));
        forms.for_each(|form| assert!(has_joined_twice(form) && has_joined_twice(&form.to_uppercase()), "{form}"));
        assert!(!has_joined_twice("a commonly written text, announced"));
    }

    #[test]
    fn streams_of_nltk() {
        // NLTK 3.10.4, NLTKWordTokenizer().tokenize of each text.
        let cases: &[(&str, &[&str])] = &[
            (
                "The \"best\" of (all), he said.",
                &["The", "``", "best", "''", "of", "(", "all", ")", ",", "he", "said", "."],
            ),
            ("I can't, won't; they'll've.", &["I", "ca", "n't", ",", "wo", "n't", ";", "they'll", "'ve", "."]),
            (
                "'tis gonna cost $3.50 -- wanna bet?",
                &["'", "tis", "gon", "na", "cost", "$", "3.50", "--", "wan", "na", "bet", "?"],
            ),
            ("It's 5:30, e.g. 1,000...", &["It", "'s", "5:30", ",", "e.g.", "1,000", "..."]),
            (
                "\u{201c}Quoted\u{201d} \u{ab}texts\u{bb}",
                &["\u{201c}", "Quoted", "\u{201d}", "\u{ab}", "texts", "\u{bb}"],
            ),
            ("", &[]),
            ("   ", &[]),
        ];
        for (text, tokens) in cases {
            assert_eq!(cut(text), *tokens, "{text}");
        }
    }
}

//! One form for answers, questions, records and packs. Every span points into it.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::letters::is_hangul;
use crate::text::bits::{Bytes, WIDTH};

/// The text in normal form.
///
/// In this order: the middle dots U+318D, U+30FB and U+119E become `·` and circled digits `N. `; NFKC; line ends become LF
/// and other white space a space; characters without width go; dashes, tildes, quotes and the ideographic full stop become
/// their ASCII forms; `**`, `__` and back ticks go; A-Z become a-z, no other letters.
pub(crate) fn norm(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_settled) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    norm_into(text, &mut out);
    Cow::Owned(out)
}

/// Whether a byte stays as it is wherever it stands.
fn is_settled(byte: u8) -> bool {
    byte < 0x80 && !byte.is_ascii_uppercase() && !matches!(byte, b'\r' | b'\t' | 0x0b | 0x0c | b'*' | b'_' | b'`')
}

/// Puts the text in normal form into a buffer.
pub(crate) fn norm_into(text: &str, out: &mut String) {
    out.clear();
    out.reserve(text.len());
    let marks = match fold(text, out) {
        Some(marks) => marks,
        None => {
            let first: String = text.chars().flat_map(first_step).collect();
            let second: String = first.nfkc().collect();
            out.clear();
            fold_composed(&second, out)
        }
    };
    if marks {
        // In this order, so that what one removal brings together the next one sees.
        for mark in ["**", "__", "`"] {
            if out.contains(mark) {
                *out = out.replace(mark, "");
            }
        }
    }
}

/// Step 1: what NFKC would make something else of.
fn first_step(c: char) -> impl Iterator<Item = char> {
    let (digits, rest) = match c {
        '\u{318d}' | '\u{30fb}' | '\u{119e}' => (None, Some('\u{b7}')),
        '\u{2460}'..='\u{2473}' => (Some(u32::from(c) - 0x245f), None),
        c => (None, Some(c)),
    };
    let digit = |x: u32| char::from_digit(x, 10);
    let number = digits.map(|n| [(n >= 10).then(|| digit(n / 10)).flatten(), digit(n % 10), Some('.'), Some(' ')]);
    number.into_iter().flatten().flatten().chain(rest)
}

/// Whether NFKC leaves this character as it is, wherever it stands, unless a combining character follows.
fn stays(c: char) -> bool {
    matches!(c,
        '\u{ac00}'..='\u{d7a3}'
        // Greek letters without accents, and what has no width.
        | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3a9}' | '\u{3b1}'..='\u{3c9}'
        | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
        | '\u{b0}' | '\u{b1}' | '\u{b7}' | '\u{d7}' | '\u{f7}'
        | '\u{2010}' | '\u{2012}'..='\u{2015}' | '\u{2018}'..='\u{201e}' | '\u{2022}' | '\u{2023}'
        | '\u{2190}'..='\u{2193}' | '\u{2212}' | '\u{223c}' | '\u{2264}' | '\u{2265}'
        | '\u{25a0}'..='\u{25ff}' | '\u{2600}'..='\u{27bf}' | '\u{3001}' | '\u{3002}'
        | '\u{1f300}'..='\u{1faff}')
}

/// The whole way in one pass, for texts that NFKC does not change; none if it might. Says whether marks are left to remove.
fn fold(text: &str, out: &mut String) -> Option<bool> {
    let bytes = text.as_bytes();
    let mut marks = 0;
    // What stays as it is, but for the case of its letters, is copied in runs.
    let mut run = 0;
    for from in (0..bytes.len()).step_by(WIDTH) {
        let block = Bytes::at(bytes, from);
        marks |= block.one_of([b'*', b'_', b'`']);
        let white = block.between(b'\t', b'\r') & !block.one_of([b'\n']);
        // Behind these two bytes there is always Hangul.
        let wide = block.between(0xc0, 0xff) & !block.between(0xeb, 0xec);
        let mut odd = white | wide;
        while odd != 0 {
            let at = from + odd.trailing_zeros() as usize;
            odd &= odd - 1;
            if at < run || is_hangul(bytes, at) {
                continue;
            }
            out.push_str(&text[run..at]);
            run = at + push_odd(text, at, out)?;
        }
    }
    out.push_str(&text[run..]);
    out.make_ascii_lowercase();
    Some(marks != 0)
}

/// Appends what becomes of white space or of a character beyond ASCII and gives its length; none if NFKC might change it.
fn push_odd(text: &str, at: usize, out: &mut String) -> Option<usize> {
    let c = text[at..].chars().next()?;
    match c {
        '\r' => {
            out.push('\n');
            return Some(1 + usize::from(text.as_bytes().get(at + 1) == Some(&b'\n')));
        }
        c if c.is_ascii() => out.push(' '),
        c if stays(c) => push_folded(c, out),
        c => push_expanded(c, out)?,
    }
    Some(c.len_utf8())
}

/// Appends what NFKC makes of a character such as `²`, `㎎` or `…`; none if what stands beside it might change that.
///
/// ASCII and what stays never join the character before them, and no other character joins them: one that combines is not
/// among those that are folded in one pass.
fn push_expanded(c: char, out: &mut String) -> Option<()> {
    for c in first_step(c).nfkc() {
        // Marks are looked for in the text as it was given.
        let plain = c.is_ascii() && !matches!(c, '*' | '_' | '`' | '\r');
        if !plain && !stays(c) {
            return None;
        }
        push_folded(c, out);
    }
    Some(())
}

/// Steps 3 to 5 and 7 for a text that NFKC has made.
fn fold_composed(text: &str, out: &mut String) -> bool {
    let mut marks = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        marks |= matches!(c, '*' | '_' | '`');
        if c == '\r' {
            chars.next_if_eq(&'\n');
            out.push('\n');
        } else {
            push_folded(c, out);
        }
    }
    marks
}

fn push_folded(c: char, out: &mut String) {
    out.push(match c {
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        '\t' | '\u{b}' | '\u{c}' | '\u{a0}' | '\u{1680}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{2000}'..='\u{200a}' => ' ',
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => return,
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{223c}' | '\u{301c}' => '~',
        '\u{2018}'..='\u{201a}' | '\u{2032}' => '\'',
        '\u{201c}'..='\u{201e}' | '\u{2033}' => '"',
        '\u{3002}' => '.',
        c => c.to_ascii_lowercase(),
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_step_of_the_specification() {
        for (text, form) in [
            ("A\u{318d}b ② c", "a\u{b7}b 2.  c"),
            ("⑳번", "20. 번"),
            ("Ｈ２Ｏ㎎", "h2omg"),
            ("a\r\nb\rc\u{2028}d\u{a0}e\tf", "a\nb\nc\nd e f"),
            ("a\u{200b}b\u{ad}c\u{feff}", "abc"),
            ("1–2−3 〜 ∼", "1-2-3 ~ ~"),
            ("‘a’ “b” ″", "'a' \"b\" ''"),
            ("끝。", "끝."),
            ("**굵게** __x__ `y` _**_", "굵게 x y "),
            ("ÀB", "Àb"),
        ] {
            assert_eq!(norm(text), form, "{text:?}");
        }
    }

    #[test]
    fn decomposed_hangul_is_the_same_text() {
        let text = "메트포르민을 드세요. 혈압은 131/74 mmHg";
        let taken_apart: String = text.nfd().collect();
        assert_ne!(text, taken_apart);
        assert_eq!(norm(&taken_apart), norm(text));
    }

    proptest! {
        #[test]
        fn the_short_way_gives_what_the_long_way_gives(text in "[a-zA-Z0-9 가-힣·•–“”’*_`\r\n\t≥°→。・②é\u{301}각²µμ㎎㎍℃…％＊Ａ½ﾞ\u{a0}\u{200b}\u{ad}Ωᅡ]{0,40}") {
            let first: String = text.chars().flat_map(first_step).collect();
            let second: String = first.nfkc().collect();
            let mut long = String::new();
            fold_composed(&second, &mut long);
            let long = long.replace("**", "").replace("__", "").replace('`', "");
            prop_assert_eq!(norm(&text), long);
        }
    }
}

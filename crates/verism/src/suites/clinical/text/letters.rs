//! Kinds of characters, told from bytes.

/// How many Hangul syllables there are.
pub(crate) const SYLLABLES: usize = 11172;

/// Whether a byte is one of a-z and 0-9.
pub(crate) fn is_alnum(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Whether a Hangul syllable (U+AC00 to U+D7A3) starts here.
pub(crate) fn is_hangul(text: &[u8], at: usize) -> bool {
    match text.get(at..at + 3) {
        Some(&[0xea, second, _]) => second >= 0xb0,
        Some(&[0xeb | 0xec, ..]) => true,
        Some(&[0xed, second, third]) => second < 0x9e || second == 0x9e && third <= 0xa3,
        _ => false,
    }
}

/// Whether a Hangul syllable ends here.
pub(crate) fn ends_hangul(text: &[u8], at: usize) -> bool {
    at >= 3 && is_hangul(text, at - 3)
}

/// End of the run of Hangul that starts here.
pub(crate) fn hangul_end(text: &[u8], mut at: usize) -> usize {
    while is_hangul(text, at) {
        at += 3;
    }
    at
}

/// The place of a Hangul syllable among all.
pub(crate) fn hangul_index(text: &[u8], at: usize) -> usize {
    let [a, b, c] = [text[at], text[at + 1], text[at + 2]].map(usize::from);
    (((a & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f)) - 0xac00
}

/// Behind the spaces that start here.
pub(crate) fn skip_spaces(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && text[at] == b' ' {
        at += 1;
    }
    at
}

/// Whether a byte is punctuation that is cut off a token's ends. Of the middle dot, the only one beyond ASCII, see below.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b',' | b'!' | b'?' | b';' | b':' | b'(' | b')' | b'[' | b']' | b'"' | b'\'' | b'~')
}

const MIDDLE_DOT: &[u8] = "\u{b7}".as_bytes();

/// A token without punctuation behind it.
pub(crate) fn trim_end(token: &str) -> &str {
    let mut bytes = token.as_bytes();
    loop {
        match bytes {
            [rest @ .., last] if is_mark(*last) => bytes = rest,
            [.., 0xb7] if bytes.ends_with(MIDDLE_DOT) => bytes = &bytes[..bytes.len() - MIDDLE_DOT.len()],
            _ => return &token[..bytes.len()],
        }
    }
}

/// A token without punctuation around it.
pub(crate) fn trim(token: &str) -> &str {
    let token = trim_end(token);
    let mut bytes = token.as_bytes();
    loop {
        match bytes {
            [first, rest @ ..] if is_mark(*first) => bytes = rest,
            [0xc2, ..] if bytes.starts_with(MIDDLE_DOT) => bytes = &bytes[MIDDLE_DOT.len()..],
            _ => return &token[token.len() - bytes.len()..],
        }
    }
}

/// The tokens (runs without spaces) of a range: their starts and ends.
pub(crate) fn tokens(text: &[u8], start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut at = start;
    std::iter::from_fn(move || {
        at = skip_spaces(text, at, end);
        if at >= end {
            return None;
        }
        let start = at;
        at = token_end(text, at, end);
        Some((start, at))
    })
}

/// End of the token that goes on here.
pub(crate) fn token_end(text: &[u8], at: usize, end: usize) -> usize {
    if at >= end {
        return at;
    }
    memchr::memchr(b' ', &text[at..end]).map_or(end, |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_cut_off_the_ends() {
        assert_eq!(trim("(\"·혈압은·.)\""), "혈압은");
        assert_eq!(trim_end("(혈압은··.,!?;:)]~'\""), "(혈압은");
        assert_eq!((trim("··"), trim(""), trim_end("가.나")), ("", "", "가.나"));
    }

    #[test]
    fn hangul_is_told_from_its_bytes() {
        for (text, is) in [
            ("가", true),
            ("힣", true),
            ("ㄱ", false),
            ("ힰ", false),
            ("a", false),
            ("é", false),
            ("漢", false),
            ("꿿", true),
            ("ꯀ", false),
        ] {
            assert_eq!(is_hangul(text.as_bytes(), 0), is, "{text}");
        }
        assert_eq!((hangul_index("가".as_bytes(), 0), hangul_index("힣".as_bytes(), 0)), (0, 11171));
    }

    #[test]
    fn tokens_are_runs_without_spaces() {
        let text = "  a bc  d";
        assert_eq!(tokens(text.as_bytes(), 0, text.len()).collect::<Vec<_>>(), [(2, 3), (4, 6), (8, 9)]);
        assert_eq!(tokens(text.as_bytes(), 5, 6).collect::<Vec<_>>(), [(5, 6)]);
    }
}

//! Korean particles that depend on the sound before them.

/// Resolves `[a/b]`: a after a closed syllable, b after an open one.
pub(super) fn josa(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let inner = &rest[open + 1..];
        let pair = inner.find(']').and_then(|end| {
            let (closed, after) = inner[..end].split_once('/')?;
            (!closed.is_empty() && !after.is_empty()).then_some((closed, after, end))
        });
        out.push_str(&rest[..open]);
        let Some((closed, after, end)) = pair else {
            out.push('[');
            rest = inner;
            continue;
        };
        let before = &text[..text.len() - rest.len() + open];
        let before = before.trim_end_matches(['”', '’', '"', '\'', ')', '」', '》']);
        let (is_closed, is_rieul) = final_sound(before);
        let takes_first = is_closed && !(closed.starts_with("으로") && is_rieul);
        out.push_str(if takes_first { closed } else { after });
        rest = &inner[end + 1..];
    }
    out.push_str(rest);
    out
}

/// Whether a text ends in a closed syllable, and whether in ㄹ.
fn final_sound(text: &str) -> (bool, bool) {
    match text.chars().next_back() {
        None => (false, false),
        Some(c @ '\u{ac00}'..='\u{d7a3}') => {
            let last = (u32::from(c) - 0xac00) % 28;
            (last != 0, last == 8)
        }
        Some(c) if c.is_numeric() => (matches!(c, '0' | '1' | '3' | '6' | '7' | '8'), matches!(c, '1' | '7' | '8')),
        Some(c) => {
            let c = c.to_ascii_lowercase();
            (matches!(c, 'l' | 'm' | 'n' | 'b' | 'p' | 'k' | 't' | 'c' | 'd' | 'g'), c == 'l')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_by_hand() {
        // Hangul final, ㄹ before 으로/로, digits, Latin letters, closing quotes.
        for (text, expected) in [
            ("드라마[을/를]", "드라마를"),
            ("전쟁[을/를]", "전쟁을"),
            ("서울[으로/로]", "서울로"),
            ("부산[으로/로]", "부산으로"),
            ("“Later”[은/는]", "“Later”는"),
            ("“Salt”[은/는]", "“Salt”은"),
            ("1998[이/가]", "1998이"),
            ("[x] [a/b", "[x] [a/b"),
        ] {
            assert_eq!(josa(text), expected);
        }
    }
}

//! Answers in the blanks of a prompt.

/// The prompt with its blanks filled; none if there are neither one text nor as many texts as blanks.
///
/// Texts are trimmed. Without a blank they follow the prompt. Otherwise each loses one final period (an ellipsis stays),
/// and one text fills every blank, several fill them in order.
pub(crate) fn fill(context: &str, texts: &[&str]) -> Option<String> {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
    let parts = around_blanks(context);
    let blanks = parts.len() - 1;
    if blanks == 0 {
        return Some([&[context], texts.as_slice()].concat().join(" "));
    }
    if texts.len() != 1 && texts.len() != blanks {
        return None;
    }
    let mut out = String::from(parts[0]);
    for (i, part) in parts[1..].iter().enumerate() {
        let text = if texts.len() == 1 { texts[0] } else { texts[i] };
        let ellipsis = text.ends_with("..");
        out.push_str(text.strip_suffix('.').filter(|_| !ellipsis).unwrap_or(text));
        out.push_str(part);
    }
    Some(out)
}

/// The text before, between and after its runs of low lines.
pub(crate) fn around_blanks(text: &str) -> Vec<&str> {
    let mut parts = vec![];
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        parts.push(&rest[..at]);
        rest = rest[at..].trim_start_matches('_');
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_by_hand() {
        assert_eq!(fill("I like ___.", &[" Geese. "]).as_deref(), Some("I like Geese."));
        assert_eq!(fill("_ + _ = _", &["a.", "b...", "c"]).as_deref(), Some("a + b... = c"));
        assert_eq!(fill("_ and _", &["x."]).as_deref(), Some("x and x"));
        assert_eq!(fill("Why?", &["a.", "b"]).as_deref(), Some("Why? a. b"));
        assert_eq!(fill("_ _ _", &["a", "b"]), None);
        assert_eq!(around_blanks("_a__"), ["", "a", ""]);
    }
}

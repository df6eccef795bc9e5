//! Words and texts cut to what a screen holds.

/// Widest word.
const WORD: usize = 32;
/// Widest run of words.
const RUN: usize = 64;

/// A text of at most so many characters, the cut marked.
pub(super) fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_string(),
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// A word, cut if it is too long.
pub(super) fn clipped(word: &str) -> String {
    cut(word, WORD)
}

/// Some words in a row, each cut and the whole cut.
pub(super) fn run(text: &str) -> String {
    cut(&text.split(' ').map(clipped).collect::<Vec<_>>().join(" "), RUN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_ends_with_an_ellipsis() {
        assert_eq!((cut("goose", 5), cut("geese!", 5)), ("goose".into(), "gees…".into()));
        assert_eq!(cut("거위들의", 3), "거위…", "characters, not bytes");
        assert_eq!(clipped(&"x".repeat(3000)).chars().count(), WORD);
        assert_eq!(run(&"x".repeat(3000)).chars().count(), WORD);
        assert_eq!(run(&"word ".repeat(3000)).chars().count(), RUN);
    }
}

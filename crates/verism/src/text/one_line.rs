//! Names and texts of logs as they stand in a line for people.

use std::borrow::Cow;

/// A text without line ends and tabs, which are shown as JSON writes them: a name must not begin a line of its own in a table.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\n', '\t']) {
        true => text.replace('\n', "\\n").replace('\t', "\\t").into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_tabs_are_shown() {
        assert_eq!(one_line("a\nbetter\t99"), "a\\nbetter\\t99");
        assert!(matches!(one_line("a \\n b"), Cow::Borrowed("a \\n b")));
    }
}

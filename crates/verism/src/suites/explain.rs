//! What all suites need to tell people about one unit: finding it, and lines that fit a terminal.

use crate::error::Defect;

/// Widest line.
pub(super) const WIDTH: usize = 80;
/// Matches that are listed when several units fit.
const LISTED: usize = 20;

/// Whether a text names a unit: it is the unit's full id, or an end of it after a slash.
pub(super) fn names(text: &str, id: &str) -> bool {
    id == text || id.strip_suffix(text).is_some_and(|rest| rest.ends_with('/'))
}

/// Several units fit.
pub(super) fn ambiguous(unit: &str, ids: &[String]) -> Defect {
    let shown: Vec<&str> = ids.iter().take(LISTED).map(String::as_str).collect();
    let more = ids.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!("\n  … and {more} more") } else { String::new() };
    let hint = format!("{} units end so; name one:\n  {}{rest}", ids.len(), shown.join("\n  "));
    Defect::new("ambiguous_unit", "an id that names one unit").field("unit").value(unit).hint(hint)
}

/// A line in lines of at most [`WIDTH`] columns, the further ones indented.
pub(super) fn wrap(line: &str) -> Vec<String> {
    let indent = 6 + line.len() - line.trim_start().len();
    let mut lines = vec![String::new()];
    for (i, word) in line.split(' ').enumerate() {
        let last = lines.last_mut().expect("never empty");
        if i > 0 && last.chars().count() + 1 + word.chars().count() > WIDTH && !last.trim().is_empty() {
            lines.push(" ".repeat(indent) + word);
        } else {
            if i > 0 {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        let long = format!("  {}", "word ".repeat(40).trim_end());
        let lines = wrap(&long);
        assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(lines.join(" ").split_whitespace().count(), 40);
        assert_eq!(wrap("short"), ["short"]);
        assert_eq!(wrap(&"x".repeat(100)).len(), 1);
    }

    #[test]
    fn any_end_after_a_slash_names_a_unit() {
        assert!(names("full-17", "exp5/1/17/full-17") && names("17/full-17", "exp5/1/17/full-17"));
        assert!(!names("17", "exp5/1/17/full-17") && !names("", "exp5/1/17/full-17"));
    }
}

//! What all suites need to explain one unit: finding it, and lines that fit a terminal.

use serde_json::Value;

use crate::error::Defect;

/// Widest line.
pub const WIDTH: usize = 80;
/// Matches that are listed when several units fit.
const LISTED: usize = 20;

/// Whether a text names a unit: it is the unit's full id, or an end of it after a slash.
pub fn names(text: &str, id: &str) -> bool {
    id == text || id.strip_suffix(text).is_some_and(|rest| rest.ends_with('/'))
}

/// Several units fit.
pub fn ambiguous(unit: &str, ids: &[String]) -> Defect {
    let shown: Vec<&str> = ids.iter().take(LISTED).map(String::as_str).collect();
    let more = ids.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!("\n  … and {more} more") } else { String::new() };
    let hint = format!("{} units fit; name one:\n  {}{rest}", ids.len(), shown.join("\n  "));
    Defect::new("ambiguous_unit", "an id that names one unit").field("unit").value(unit).hint(hint)
}

/// A line in lines of at most [`WIDTH`] columns, the further ones indented.
pub fn wrap(line: &str) -> Vec<String> {
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

/// A value and its band, or why there is none.
pub fn value(row: &Value) -> String {
    match (row["value"].as_f64(), row["undefined"].as_str()) {
        (Some(value), _) => {
            let band = row["band"].as_str().map(|band| format!(" {band}")).unwrap_or_default();
            format!("{value:.3}{band}")
        }
        (None, why) => format!("undefined ({})", why.unwrap_or("no reason given")),
    }
}

/// A JSON value as words: texts bare, lists joined.
pub fn words(value: &Value) -> String {
    match value {
        Value::Null => "nothing".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(" or "),
        other => other.to_string(),
    }
}

/// Tells all that a score row says: value, observations and evidence.
pub fn one_metric(row: &Value, lines: &mut Vec<String>) {
    lines.push(format!("{} {} (n = {})", words(&row["metric"]).to_uppercase(), value(row), row["n"]));
    lines.push(format!("  unit {}", words(&row["unit"])));
    for (key, value) in row["evidence"].as_object().into_iter().flatten() {
        match value {
            Value::Array(items) if items.iter().any(Value::is_object) => {
                lines.push(format!("  {key}:"));
                lines.extend(items.iter().map(|item| format!("    {}", pairs(item))));
            }
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(words).collect();
                lines.push(format!("  {key}: {}", items.join(", ")));
            }
            Value::Object(entries) => {
                lines.push(format!("  {key}:"));
                lines.extend(entries.iter().map(|(key, value)| format!("    {key}: {}", pairs(value))));
            }
            value => lines.push(format!("  {key}: {}", words(value))),
        }
    }
}

/// An object's entries on one line.
fn pairs(value: &Value) -> String {
    match value.as_object() {
        Some(entries) => entries.iter().map(|(k, v)| format!("{k} {}", words(v))).collect::<Vec<_>>().join(", "),
        None => words(value),
    }
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

//! Rows of metrics without words of their own: values rounded, evidence as it stands.

use serde_json::Value;

use super::short::run;
use crate::suites::explain;
use crate::suites::records::AskedUnit;

/// A metric's name and value, by which convention it has it, or why it has none.
pub(super) fn value(row: &Value) -> String {
    let by = row["evidence"]["convention"].as_str().map(|rule| format!(" by convention ({rule})")).unwrap_or_default();
    format!("{} {}{by}", explain::words(&row["metric"]), explain::value(row))
}

/// Tells a row: value, observations and evidence.
pub(super) fn tell(row: &Value, lines: &mut Vec<String>) {
    lines.push(value(row));
    for (key, value) in row["evidence"].as_object().into_iter().flatten().filter(|(key, _)| *key != "convention") {
        let key = key.replace('_', " ");
        match value {
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_string()) => {
                lines.push(format!("  {key}: {}", if items.is_empty() { "none" } else { "" }).trim_end().to_string());
                lines.extend(items.iter().map(|item| format!("    {}", shown(item))));
            }
            value => lines.push(format!("  {key} {}", shown(value))),
        }
    }
    lines.push(format!("n = {}", row["n"]));
}

/// A JSON value on one line: fractions rounded, texts cut.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => run(text),
        Value::Number(number) if number.is_f64() => format!("{:.3}", number.as_f64().unwrap_or_default()),
        Value::Array(items) if items.is_empty() => "none".into(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| format!("{key} {}", shown(value))).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Tells the values of the other metrics, and the reasons of those without one.
pub(super) fn others(found: &AskedUnit<'_>, told: &[&str], lines: &mut Vec<String>) {
    let mut values = vec![];
    let mut reasons: Vec<(String, Vec<&str>)> = vec![];
    for row in found.rows {
        let Some(metric) = row["metric"].as_str().filter(|metric| !told.contains(metric)) else { continue };
        match row["undefined"].as_str() {
            _ if metric.ends_with("_raw") => {}
            None => values.push(value(row)),
            Some(why) => match reasons.iter_mut().find(|(reason, _)| reason == why) {
                Some((_, metrics)) => metrics.push(metric),
                None => reasons.push((why.to_string(), vec![metric])),
            },
        }
    }
    if !values.is_empty() {
        lines.push(format!("also: {}", values.join(", ")));
    }
    lines.extend(reasons.iter().map(|(why, metrics)| format!("undefined ({why}): {}", metrics.join(", "))));
}

//! The words for the scores of a dialogue, a turn, a segment or a shift.

use serde_json::Value;

use super::facts::METRICS;
use crate::suites::explain::value;
use crate::suites::records::AskedUnit;

/// Turns of a list that a screen shows.
const LISTED: usize = 12;

/// Tells what the rows of a unit say.
pub(super) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    lines.push(found.id.to_string());
    let most = if found.in_full { usize::MAX } else { LISTED };
    if found.is_part() {
        for row in found.rows {
            match row["level"].as_str() {
                Some("turn") => turn(row, lines),
                Some("segment") => segment(row, lines),
                _ => shift(row, lines),
            }
        }
        return;
    }
    for row in found.rows.iter().filter(|row| row["level"] == "dialogue") {
        let evidence = &row["evidence"];
        let mut line = format!("{:<26}{:<14}", title(row), value(row));
        line.push_str(&match (&evidence["turns"], &evidence["against"]) {
            (turns, Value::Null) => format!("turns {}", numbers(turns, most)),
            (turns, against) => format!("turns {}; not {}", numbers(turns, most), numbers(against, most)),
        });
        lines.push(line.trim_end().to_string());
    }
    lines.push("ask for a turn, a segment or a shift: <dialogue>#4, <dialogue>@4, <dialogue>!4".into());
}

fn title(row: &Value) -> &str {
    let id = row["metric"].as_str().unwrap_or_default();
    METRICS.iter().find(|metric| metric.id == id).map_or(id, |metric| metric.title)
}

/// A list of turns: `1 3 4`.
fn numbers(list: &Value, most: usize) -> String {
    let all: Vec<String> = list.as_array().into_iter().flatten().map(Value::to_string).collect();
    match all.len() {
        0 => "none".into(),
        n if n > most => format!("{} … ({n})", all[..most].join(" ")),
        _ => all.join(" "),
    }
}

/// A list of texts: `a, b`.
fn texts(list: &Value) -> String {
    let all: Vec<&str> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if all.is_empty() { "nothing".into() } else { all.join(", ") }
}

/// The words behind concepts: `genre=war ("war" at 12, cue)`.
fn hits(list: &Value) -> String {
    let hit = |hit: &Value| {
        let text = |place: usize| hit[place].as_str().unwrap_or_default();
        format!("{} (“{}” at {}, {})", text(0), text(3), hit[1], text(4))
    };
    let all: Vec<String> = list.as_array().into_iter().flatten().map(hit).collect();
    if all.is_empty() { "no concept".into() } else { all.join(", ") }
}

fn turn(row: &Value, lines: &mut Vec<String>) {
    let evidence = &row["evidence"];
    lines.push(format!("{} {}", title(row), value(row)));
    match row["metric"].as_str() {
        Some("cc") => {
            lines.push(format!("  user: {}", hits(&evidence["user_hits"])));
            lines.push(format!("  reply: {}", hits(&evidence["system_hits"])));
            lines.push(format!("  both: {} of {} concepts", texts(&evidence["shared"]), row["n"]));
        }
        Some("cr") => {
            let weights = evidence["idf"].as_object().into_iter().flatten();
            let weights: Vec<String> =
                weights.map(|(concept, idf)| format!("{concept} {:.3}", idf.as_f64().unwrap_or(0.0))).collect();
            if !weights.is_empty() {
                lines.push(format!("  rarity: {}", weights.join(", ")));
            }
        }
        Some("i") => {
            let (shared, total, n) = (&evidence["shared"], &evidence["total"], &evidence["n"]);
            match n {
                Value::Null => lines.push("  the reply has less than three words".into()),
                n => lines.push(format!("  {shared} of {total} sequences of {n} words are the user's own")),
            }
            let examples = evidence["examples"].as_array().into_iter().flatten().filter_map(Value::as_str);
            lines.extend(examples.map(|example| format!("  “{example}”")));
        }
        _ => {
            let part = |key: &str| evidence[key].as_f64().map_or("–".into(), |x| format!("{x:.4}"));
            lines.push(format!("  CC {}, CR {}, I {}", part("cc"), part("cr"), part("i")));
        }
    }
}

fn segment(row: &Value, lines: &mut Vec<String>) {
    let evidence = &row["evidence"];
    lines.push(format!("{} {} over turns {} to {}", title(row), value(row), row["turn"], evidence["end_turn"]));
    if row["metric"] == "cc" {
        lines.push(format!("  not taken up: {}", texts(&evidence["missing"])));
        lines.push(format!("  not asked for: {}", texts(&evidence["hallucinated"])));
    }
}

fn shift(row: &Value, lines: &mut Vec<String>) {
    let evidence = &row["evidence"];
    lines.push(format!("{} {}", title(row), value(row)));
    let window = |key: &str| {
        let values = evidence[key].as_array().into_iter().flatten();
        let values: Vec<String> = values.map(|x| x.as_f64().map_or("–".into(), |x| format!("{x:.4}"))).collect();
        values.join(" ")
    };
    match row["metric"].as_str() {
        Some("recovered") => {
            lines.push(format!("  CC of the replies from here on: {}", window("cc")));
            lines.push(format!("  CR of the replies from here on: {}", window("cr")));
        }
        Some("leakage") => lines.push(format!("  dropped by the user: {}", texts(&evidence["dropped"]))),
        _ => {}
    }
}

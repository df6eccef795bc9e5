//! Why a conversation or a message has the scores it has: finds its rows and tells them in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::facts::FACTS;
use super::why_words::{Teller, one_metric, turn};
use crate::error::{Defect, Result};
use crate::input::{Kind, Sink, Table, Unwatched};
use crate::score::manifest::Manifest;
use crate::suites::Explanation;
use crate::suites::explain::{ambiguous, names, wrap};

/// Rows of a unit: those of a message, or all of a conversation.
pub(super) type Rows = Vec<Value>;

/// An audit that touches a conversation.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) audit: String,
    pub(super) severity: String,
    pub(super) turn: String,
    pub(super) field: String,
    pub(super) detail: String,
}

/// Explains a conversation, a message `<dialogue>#<index>`, or any longer end of `<experiment>/<run>/<case>/<unit>`.
pub(super) fn why(folder: &Path, unit: &str, metric: Option<&str>, in_full: bool) -> Result<Explanation> {
    let manifest = Manifest::read(folder)?;
    let metric = metric.map(str::to_lowercase);
    if let Some(metric) = &metric
        && !FACTS.metrics.iter().any(|known| known.describes(metric))
    {
        let hint = "`verism explain guest` lists the metrics";
        let defect = Defect::new("unknown_metric", "a metric of this suite").field("metric").value(metric);
        return Err(defect.hint(hint).into());
    }
    let mut found = search(folder, unit)?;
    if let Some(metric) = &metric {
        found.retain(|_, rows| rows.iter().any(|row| row["metric"] == metric.as_str()));
    }
    let ids: Vec<String> = found.keys().cloned().collect();
    let (Some((id, rows)), true) = (found.pop_first(), ids.len() <= 1) else {
        return Err(match ids.len() {
            0 => unknown(unit, metric.as_deref()),
            _ => ambiguous(unit, &ids),
        }
        .into());
    };
    let options: Value = serde_json::from_str(manifest.options.get()).unwrap_or_default();
    let mut lines = vec![];
    match metric.as_deref() {
        Some(metric) => one_metric(&id, &rows, metric, &mut lines),
        None if rows.iter().all(|row| row["level"] == "turn") && !id.ends_with(dialogue_of(&rows)) => {
            turn(&id, &rows, &mut lines);
        }
        None => {
            let persona = persona(folder, &rows);
            let audits = audits(folder, &rows);
            Teller { rows: &rows, options: &options, in_full, lines: &mut lines }.tell(
                &id,
                persona.as_deref(),
                &audits,
            );
        }
    }
    lines.push(String::new());
    lines.push(format!("signature: {}", manifest.signature));
    Ok(Explanation { lines: lines.iter().flat_map(|line| wrap(line)).collect() })
}

fn dialogue_of(rows: &Rows) -> &str {
    rows.first().and_then(|row| row["dialogue"].as_str()).unwrap_or_default()
}

fn unknown(unit: &str, metric: Option<&str>) -> Defect {
    let expected = match metric {
        Some(metric) => format!("a unit of this folder that has the metric {metric}"),
        None => "a conversation or a message of this folder".to_string(),
    };
    let hint =
        "units are conversations (`dialogue`) and messages (`dialogue#index`); tables/conversations.csv lists them";
    Defect::new("unknown_unit", expected).field("unit").value(unit).hint(hint)
}

/// The rows of every unit that a text names, by full id.
fn search(folder: &Path, unit: &str) -> Result<BTreeMap<String, Rows>> {
    let path = folder.join("scores.jsonl");
    let broken = |error: String| {
        Defect::new("not_a_result", "scores written by verism").file(path.display().to_string()).value(error)
    };
    let mut lines = BufReader::with_capacity(1 << 18, File::open(&path).map_err(|e| broken(e.to_string()))?);
    // Texts in JSON keep their letters unless they need an escape: a quick look spares most lines the parsing.
    let escaped = crate::score::json::text(&unit.rsplit('/').next().unwrap_or(unit));
    let needle = memchr::memmem::Finder::new(escaped.trim_matches('"').as_bytes());
    let mut found: BTreeMap<String, Rows> = BTreeMap::new();
    let mut line = vec![];
    while lines.read_until(b'\n', &mut line).map_err(|e| broken(e.to_string()))? > 0 {
        if needle.find(&line).is_some() {
            let row: Value = serde_json::from_slice(&line).map_err(|e| broken(e.to_string()))?;
            let id = |last: &str| {
                let text = |key: &str| row[key].as_str().unwrap_or_default();
                format!("{}/{}/{}/{}", text("experiment"), text("run"), text("case"), text(last))
            };
            let wanted: BTreeSet<String> =
                ["unit", "dialogue"].map(id).into_iter().filter(|id| names(unit, id)).collect();
            for id in wanted {
                found.entry(id).or_default().push(row.clone());
            }
        }
        line.clear();
    }
    Ok(found)
}

/// Takes the rows of a table that concern a conversation.
struct Picked<'k> {
    key: [&'k str; 4],
    rows: Vec<Vec<String>>,
}

impl Sink for Picked<'_> {
    fn record(&mut self, _: u64, cells: &[Option<&str>]) {
        let texts: Vec<&str> = cells.iter().map(|cell| cell.unwrap_or_default()).collect();
        let mine = texts[..4] == self.key;
        let shared = texts[3].is_empty() && (texts[0].is_empty() || texts[0] == self.key[0]);
        if mine || shared {
            self.rows.push(texts[4..].iter().map(|text| text.to_string()).collect());
        }
    }

    fn defect(&mut self, _: u64, _: Defect) {}
}

/// Some columns of the rows of a table that concern the conversation of some score rows.
fn pick(folder: &Path, table: &str, columns: &[&str], rows: &Rows) -> Vec<Vec<String>> {
    let Some(row) = rows.first() else { return vec![] };
    let key = ["experiment", "run", "case", "dialogue"];
    let wanted: Vec<String> = key.iter().chain(columns).map(|name| name.to_string()).collect();
    let key = key.map(|name| row[name].as_str().unwrap_or_default());
    let mut found = vec![];
    let path = folder.join("tables").join(format!("{table}.csv"));
    Table::open(&path, Kind::Csv, &Unwatched).read(&wanted, &|| Picked { key, rows: vec![] }, &mut |picked, _| {
        found.extend(picked.rows);
        ControlFlow::Continue(())
    });
    found
}

fn persona(folder: &Path, rows: &Rows) -> Option<String> {
    pick(folder, "conversations", &["persona"], rows).pop()?.pop().filter(|persona| !persona.is_empty())
}

fn audits(folder: &Path, rows: &Rows) -> Vec<Noted> {
    let columns = ["audit", "severity", "turn", "field", "detail"];
    let noted = |row: Vec<String>| {
        let [audit, severity, turn, field, detail] = row.try_into().ok()?;
        Some(Noted { audit, severity, turn, field, detail })
    };
    pick(folder, "audits", &columns, rows).into_iter().filter_map(noted).collect()
}

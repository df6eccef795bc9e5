//! Why a unit has the scores it has: finds its rows; the suite tells them in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::RecordSuite;
use crate::error::{Defect, Result};
use crate::input::{Kind, Sink, Table, Unwatched};
use crate::score::manifest::Manifest;
use crate::suites::Explanation;
use crate::suites::ask::of_experiment;
use crate::suites::explain::{ambiguous, names, one_metric, wrap};

/// What is known about a unit that was asked for.
#[derive(Debug)]
pub struct AskedUnit<'a> {
    /// The result folder.
    pub folder: &'a Path,
    /// The unit's full id: `<experiment>/<run>/<case>/<unit>`.
    pub id: &'a str,
    /// Its score rows; of a dialogue also those of its turns.
    pub rows: &'a [Value],
    /// The options in force.
    pub options: &'a Value,
    /// Whether long lists are wanted in full.
    pub in_full: bool,
}

/// A row of a table that concerns a unit: its cells by column.
pub type Noted = BTreeMap<String, String>;

impl AskedUnit<'_> {
    /// The row of a metric at the unit itself, or the first of its parts.
    pub fn row(&self, metric: &str) -> &Value {
        self.rows.iter().find(|row| row["metric"] == metric).unwrap_or(&Value::Null)
    }

    /// Whether only parts of a dialogue were asked for: a turn, a segment, a shift.
    pub fn is_part(&self) -> bool {
        let Some(row) = self.rows.first() else { return false };
        let dialogue = row["dialogue"].as_str().unwrap_or_default();
        self.rows.iter().all(|row| row["unit"] != row["dialogue"]) && !self.id.ends_with(dialogue)
    }

    /// The experiment, if the rows are those of an experiment as a whole.
    pub(super) fn experiment(&self) -> Option<&str> {
        let experiment = self.rows.first()?["experiment"].as_str()?;
        self.rows.iter().all(|row| row["level"] == "experiment" && row["unit"] == experiment).then_some(experiment)
    }

    /// The rows of a table that concern the unit's dialogue, or its experiment as a whole.
    pub fn pick(&self, table: &str, columns: &[&str]) -> Vec<Noted> {
        let Some(row) = self.rows.first() else { return vec![] };
        let key = ["experiment", "run", "case", "dialogue"];
        let wanted: Vec<String> = key.iter().chain(columns).map(|name| name.to_string()).collect();
        let key = key.map(|name| row[name].as_str().unwrap_or_default());
        let mut found: Vec<Vec<String>> = vec![];
        let path = self.folder.join("tables").join(format!("{table}.csv"));
        Table::open(&path, Kind::Csv, &Unwatched).read(
            &wanted,
            &|| TableRows { key, rows: vec![] },
            &mut |picked, _| {
                found.extend(picked.rows);
                ControlFlow::Continue(())
            },
        );
        let named = |cells: Vec<String>| columns.iter().map(|name| name.to_string()).zip(cells).collect();
        found.into_iter().map(named).collect()
    }
}

/// Takes the rows of a table that concern a dialogue.
struct TableRows<'k> {
    key: [&'k str; 4],
    rows: Vec<Vec<String>>,
}

impl Sink for TableRows<'_> {
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

/// Explains a unit, named by any end of `<experiment>/<run>/<case>/<unit>`.
pub(super) fn why<S: RecordSuite>(
    suite: &S,
    folder: &Path,
    unit: &str,
    metric: Option<&str>,
    in_full: bool,
) -> Result<Explanation> {
    let manifest = Manifest::read(folder)?;
    let metric = metric.map(str::to_lowercase);
    if let Some(metric) = &metric
        && !suite.facts().metrics.iter().any(|known| known.describes(metric))
    {
        let hint = format!("`verism explain {}` lists the metrics", suite.facts().id);
        let defect = Defect::new("unknown_metric", "a metric of this suite").field("metric").value(metric);
        let known = suite.facts().metrics.iter().map(|known| known.id);
        return Err(defect.hint(hint).did_you_mean(known).into());
    }
    let mut found = search(folder, unit)?;
    if let Some(metric) = &metric {
        found.retain(|_, rows| rows.iter().any(|row| row["metric"] == metric.as_str()));
    }
    let ids: Vec<String> = found.keys().cloned().collect();
    let (Some((id, rows)), true) = (found.pop_first(), ids.len() <= 1) else {
        return Err(match ids.len() {
            0 => unknown(suite, unit, metric.as_deref()),
            _ => ambiguous(unit, &ids),
        }
        .into());
    };
    let options: Value = serde_json::from_str(manifest.options.get()).unwrap_or_default();
    let asked = AskedUnit { folder, id: &id, rows: &rows, options: &options, in_full };
    let mut lines = vec![];
    match (metric.as_deref(), asked.experiment()) {
        (Some(metric), _) => suite.tell_metric(&asked, metric, &mut lines),
        (None, Some(experiment)) => {
            lines = of_experiment(suite.facts(), folder, experiment, in_full)?;
            lines.push(String::new());
            suite.tell(&asked, &mut lines);
        }
        (None, None) => suite.tell(&asked, &mut lines),
    }
    lines.push(String::new());
    lines.push(format!("signature: {}", manifest.signature));
    Ok(Explanation { lines: lines.iter().flat_map(|line| wrap(line)).collect() })
}

/// Tells the evidence of a metric's rows as it stands.
pub(super) fn tell_one(found: &AskedUnit<'_>, metric: &str, lines: &mut Vec<String>) {
    lines.push(found.id.to_string());
    found.rows.iter().filter(|row| row["metric"] == metric).for_each(|row| one_metric(row, lines));
}

/// Tells the evidence of every row as it stands.
pub(super) fn tell_evidence(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    lines.push(found.id.to_string());
    found.rows.iter().for_each(|row| one_metric(row, lines));
}

fn unknown<S: RecordSuite>(suite: &S, unit: &str, metric: Option<&str>) -> Defect {
    let expected = match metric {
        Some(metric) => format!("a unit of this folder that has the metric {metric}"),
        None => "a unit of this folder".to_string(),
    };
    Defect::new("unknown_unit", expected).field("unit").value(unit).hint(suite.units())
}

/// The rows of every unit that a text names, by full id.
fn search(folder: &Path, unit: &str) -> Result<BTreeMap<String, Vec<Value>>> {
    let path = folder.join("scores.jsonl");
    let broken = |error: String| {
        Defect::new("not_a_result", "scores written by verism").file(path.display().to_string()).value(error)
    };
    let mut lines = BufReader::with_capacity(1 << 18, File::open(&path).map_err(|e| broken(e.to_string()))?);
    // Texts in JSON keep their letters unless they need an escape: a quick look spares most lines the parsing.
    let escaped = crate::score::json::text(&unit.rsplit('/').next().unwrap_or(unit));
    let needle = memchr::memmem::Finder::new(escaped.trim_matches('"').as_bytes());
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut line = vec![];
    while lines.read_until(b'\n', &mut line).map_err(|e| broken(e.to_string()))? > 0 {
        if needle.find(&line).is_some() {
            let row: Value = serde_json::from_slice(&line).map_err(|e| broken(e.to_string()))?;
            let id = |last: &str| {
                let text = |key: &str| row[key].as_str().unwrap_or_default();
                format!("{}/{}/{}/{}", text("experiment"), text("run"), text("case"), text(last))
            };
            let wanted: BTreeSet<String> = ["unit", "dialogue"]
                .into_iter()
                .filter(|last| row[*last].is_string())
                .map(id)
                .filter(|id| names(unit, id))
                .collect();
            for id in wanted {
                found.entry(id).or_default().push(row.clone());
            }
        }
        line.clear();
    }
    Ok(found)
}

//! Why a decision, an agent, a cell or a group has the scores it has, in words.

mod decision;
mod score;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use self::decision::Decision;
use super::measures::{Measure, measure};
use super::pack::{FLOOD, Pack};
use crate::error::{Defect, Result};
use crate::score::manifest::Manifest;
use crate::suites::Explanation;
use crate::suites::explain::{ambiguous, names, wrap};

/// A pack that is not built in is kept beside the scores, so that its rules can be told.
pub(super) const PACK: &str = "pack.toml";

/// Explains a unit: a decision `<agent>@<year>`, an agent, a run, a group, or any longer end of
/// `<model>/<group>/<run>/<agent>@<year>`.
pub(super) fn why(folder: &Path, unit: &str, metric: Option<&str>) -> Result<Explanation> {
    let manifest = Manifest::read(folder)?;
    let metric = metric.map(str::to_lowercase);
    let asked = metric.as_deref().map(|id| AskedMetric::new(folder, id)).transpose()?;
    let mut found: BTreeMap<String, Unit> = BTreeMap::new();
    for (name, kind) in [("events", Kind::Event), ("rows", Kind::Row), ("scores", Kind::Score)] {
        search(folder, name, kind, unit, &mut found)?;
    }
    if let Some(asked) = &asked {
        for unit in found.values_mut() {
            unit.scores.retain(|(row, _)| row["metric"] == asked.id);
        }
        found.retain(|_, unit| unit.is_decision() || !unit.scores.is_empty());
    }
    let mut units = found.into_iter();
    let Some((name, found)) = units.next() else { return Err(unknown(folder, unit, metric.as_deref()).into()) };
    let others: Vec<String> = units.map(|(name, _)| name).collect();
    if !others.is_empty() {
        let all: Vec<String> = [name].into_iter().chain(others).collect();
        return Err(ambiguous(unit, &all).into());
    }
    let pack = pack_of(folder)?;
    let mut text = vec![name, String::new()];
    if let Some(decision) = Decision::new(&found.events, found.row.as_ref(), &pack) {
        decision.tell(asked.as_ref(), &mut text);
    }
    for (row, evidence) in &found.scores {
        score::tell(row, evidence, asked.is_some(), &mut text);
    }
    text.push(String::new());
    text.push(format!("signature: {}", manifest.signature));
    Ok(Explanation { lines: text.iter().flat_map(|line| wrap(line)).collect() })
}

/// The metric that was asked for.
struct AskedMetric {
    id: String,
    /// Its published spelling.
    title: String,
    measure: &'static Measure,
}

impl AskedMetric {
    fn new(folder: &Path, id: &str) -> Result<AskedMetric> {
        let pack = pack_of(folder)?;
        let catalogue = super::tables::catalogue::Catalogue::of(&pack);
        match (catalogue.entries().find(|entry| entry.id == id), measure(id)) {
            (Some(entry), _) => Ok(AskedMetric { id: id.into(), title: entry.title.clone(), measure: entry.measure }),
            (None, Some(measure)) => Ok(AskedMetric { id: id.into(), title: id.into(), measure }),
            (None, None) => {
                let hint = "`verism explain adaptation` lists the metrics";
                let defect = Defect::new("unknown_metric", "a metric of this suite").field("metric").value(id);
                Err(defect.hint(hint).did_you_mean(catalogue.entries().map(|entry| &entry.id)).into())
            }
        }
    }
}

/// What was found about a unit.
#[derive(Default)]
struct Unit {
    events: Vec<Value>,
    /// Its line of the row audit.
    row: Option<Value>,
    /// Score rows, each with its evidence as JSON.
    scores: Vec<(Value, String)>,
}

impl Unit {
    fn is_decision(&self) -> bool {
        self.row.is_some() || !self.events.is_empty()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Event,
    Row,
    Score,
}

/// The pack that the scores were made with.
fn pack_of(folder: &Path) -> Result<Pack> {
    match std::fs::read_to_string(folder.join(PACK)) {
        Ok(text) => Ok(Pack::parse(&text, PACK)?),
        Err(_) => Ok(Pack::parse(FLOOD, "flood.toml")?),
    }
}

fn unknown(folder: &Path, unit: &str, metric: Option<&str>) -> Defect {
    let hint = match (unit.contains('@'), folder.join("rows.jsonl").exists()) {
        (true, false) => {
            "a decision that breaks no rule leaves no event; score with --option rows=true to be told about every decision"
        }
        _ => "units are <model>/<group>/<run>, <agent>@<year> below it, or a group; see scores.jsonl",
    };
    let expected = match metric {
        Some(metric) => format!("a unit of this folder that has the metric {metric}"),
        None => "a unit of this folder".to_string(),
    };
    Defect::new("unknown_unit", expected).field("unit").value(unit).hint(hint)
}

/// Adds the lines of a list that belong to a unit whose id is the text given or ends in it.
fn search(folder: &Path, name: &str, kind: Kind, unit: &str, found: &mut BTreeMap<String, Unit>) -> Result<()> {
    let path = folder.join(format!("{name}.jsonl"));
    let Ok(file) = File::open(&path) else { return Ok(()) };
    let broken = |error: String| {
        Defect::new("not_a_result", "a list written by verism").file(path.display().to_string()).value(error)
    };
    // Texts in JSON keep their letters unless they need an escape: a quick look spares most lines the parsing.
    let last = unit.rsplit('/').next().unwrap_or(unit);
    let (agent, _) = last.rsplit_once('@').unwrap_or((last, ""));
    let escaped = crate::score::json::text(&agent);
    let needle = escaped.trim_matches('"').to_string();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|e| broken(e.to_string()))?;
        if !line.contains(&needle) {
            continue;
        }
        let value: Value = serde_json::from_str(&line).map_err(|e| broken(e.to_string()))?;
        let id = id_of(kind, &value);
        if !names(unit, &id) {
            continue;
        }
        let unit = found.entry(id).or_default();
        match kind {
            Kind::Event => unit.events.push(value),
            Kind::Row => unit.row = Some(value),
            Kind::Score => {
                let evidence = score::evidence_text(&line).map_err(|e| broken(e.to_string()))?;
                unit.scores.push((value, evidence));
            }
        }
    }
    Ok(())
}

/// The full id of the unit that a line is about.
fn id_of(kind: Kind, line: &Value) -> String {
    let text = |key: &str| line[key].as_str().map(String::from);
    let mut parts: Vec<String> = ["model", "group", "run"].into_iter().filter_map(text).collect();
    match kind {
        Kind::Score => parts.extend(text("case")),
        _ => parts.push(format!("{}@{}", line["agent_id"].as_str().unwrap_or_default(), line["year"])),
    }
    parts.join("/")
}

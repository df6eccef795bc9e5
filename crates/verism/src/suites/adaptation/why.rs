//! Why a decision, an agent, a cell or a group has the scores it has, in words.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use super::facts::FACTS;
use super::pack::{FLOOD, Pack, Rule};
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
    let mut found: BTreeMap<String, Vec<(Kind, Value)>> = BTreeMap::new();
    for (name, kind) in [("events", Kind::Event), ("rows", Kind::Row), ("scores", Kind::Score)] {
        search(folder, name, kind, unit, &mut found)?;
    }
    let metric = metric.map(str::to_lowercase);
    if let Some(metric) = &metric {
        if !FACTS.metrics.iter().any(|known| known.describes(metric)) {
            let hint = "`verism explain adaptation` lists the metrics";
            return Err(Defect::new("unknown_metric", "a metric of this suite")
                .field("metric")
                .value(metric)
                .hint(hint)
                .into());
        }
        for lines in found.values_mut() {
            lines.retain(|(kind, line)| concerns(*kind, line, metric));
        }
        found.retain(|_, lines| !lines.is_empty());
    }
    let metric = metric.as_deref();
    let mut units = found.into_iter();
    let Some((name, lines)) = units.next() else { return Err(unknown(folder, unit, metric).into()) };
    let others: Vec<String> = units.map(|(name, _)| name).collect();
    if !others.is_empty() {
        let all: Vec<String> = [name].into_iter().chain(others).collect();
        return Err(ambiguous(unit, &all).into());
    }
    let pack = pack_of(folder)?;
    let mut text = vec![name.clone(), String::new()];
    let (rows, scores): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(kind, _)| *kind != Kind::Score);
    if !rows.is_empty() {
        decision(&rows, &pack, &mut text);
    }
    for (_, score) in &scores {
        describe_score(score, metric.is_some(), &mut text);
    }
    text.push(String::new());
    text.push(format!("signature: {}", manifest.signature));
    Ok(Explanation { lines: text.iter().flat_map(|line| wrap(line)).collect() })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Event,
    Row,
    Score,
}

/// Whether a line has to do with a metric: events count in the rate of their kind.
fn concerns(kind: Kind, line: &Value, metric: &str) -> bool {
    match kind {
        Kind::Score => line["metric"] == metric,
        Kind::Row => kind_counted_in(metric).is_some(),
        Kind::Event => kind_counted_in(metric).is_some_and(|counted| line["kind"] == counted),
    }
}

/// The kind of events that a metric counts, if it counts any.
fn kind_counted_in(metric: &str) -> Option<&'static str> {
    match metric {
        _ if metric.starts_with("r_h") || metric.starts_with("ehe") => Some("feasibility"),
        _ if metric.starts_with("r_r") || metric.starts_with("rationality_pass") => Some("thinking"),
        _ => None,
    }
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
fn search(
    folder: &Path,
    name: &str,
    kind: Kind,
    unit: &str,
    found: &mut BTreeMap<String, Vec<(Kind, Value)>>,
) -> Result<()> {
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
        if names(unit, &id) {
            found.entry(id).or_default().push((kind, value));
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

fn yes_no(value: &Value) -> &'static str {
    match value.as_bool() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

/// The condition and the intents of a rule in words.
fn rule_text(pack: &Pack, rule: &Rule) -> String {
    let mut parts = vec![];
    if let Some((state, is)) = rule.state {
        parts.push(format!("{} before the year: {}", pack.states[state].id, if is { "yes" } else { "no" }));
    }
    if let Some((construct, levels)) = rule.construct {
        let construct = &pack.constructs[construct];
        let names: Vec<&str> = construct
            .levels
            .iter()
            .enumerate()
            .filter(|(i, _)| levels >> i & 1 == 1)
            .map(|(_, level)| level.as_str())
            .collect();
        parts.push(format!("{} in {{{}}}", construct.id, names.join(", ")));
    }
    let actions: Vec<&str> = pack
        .actions
        .iter()
        .enumerate()
        .filter(|(i, _)| rule.actions >> i & 1 == 1)
        .map(|(_, a)| a.id.as_str())
        .collect();
    format!("{} and intent in {{{}}}", parts.join(" and "), actions.join(", "))
}

/// What a decision is judged by: its events, or its line of the row audit.
fn decision(lines: &[(Kind, Value)], pack: &Pack, text: &mut Vec<String>) {
    let events: Vec<&Value> = lines.iter().filter(|(kind, _)| *kind == Kind::Event).map(|(_, line)| line).collect();
    let row = lines.iter().find(|(kind, _)| *kind == Kind::Row).map(|(_, line)| line);
    let Some(first) = events.first().copied().or(row) else { return };
    let plain = |value: &Value| value.as_str().map_or_else(|| "none".to_string(), String::from);
    if let Some(file) = first.get("file").and_then(Value::as_str) {
        text.push(format!("  row         {file}:{}", first["line"]));
    }
    if let Some(row) = row {
        let state = match (row["active"].as_bool(), row["excluded"].as_str()) {
            (_, Some(reason)) => format!("not active ({reason}): counted in no rate"),
            (Some(true), _) => "active: counted in the denominators".to_string(),
            _ => "unknown whether active: no row of the run fills the exit state".to_string(),
        };
        text.push(format!("  standing    {state}"));
    }
    text.push(format!("  action      {}", plain(&first["action"])));
    let source =
        first.get("intent_source").and_then(Value::as_str).map(|s| format!(", read by {s}")).unwrap_or_default();
    text.push(format!("  intent      {}{source}", plain(&first["intent"])));
    for (construct, label) in constructs(first) {
        let source = first[format!("{construct}_source")].as_str().unwrap_or_default().to_string();
        let cues: Vec<String> =
            first[format!("{construct}_cues")].as_array().into_iter().flatten().map(Value::to_string).collect();
        let by = if cues.is_empty() { String::new() } else { format!(": {}", cues.join(", ")) };
        text.push(format!("  {construct:<11} {} by {source}{by}", plain(label)));
    }
    let states: Vec<String> = first
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| key.strip_suffix("_before").map(|state| format!("{state} {}", yes_no(value))))
        .collect();
    text.push(format!("  before      {}", states.join(", ")));
    let status = first["execution"].as_str().unwrap_or_default();
    let meaning = match status {
        "executed" => "the states after the year show the intent carried out",
        "rejected" => "the states after the year show that it was not carried out",
        "no_op" => "what it would bring about was there already",
        _ => "the states after the year do not tell",
    };
    text.push(format!("  execution   {status}: {meaning}"));
    text.push(String::new());
    if events.is_empty() {
        text.push("  breaks no rule".to_string());
    }
    for event in events {
        let id = event["rule"].as_str().unwrap_or_default();
        text.push(format!("  breaks {id} ({})", event["kind"].as_str().unwrap_or_default()));
        if let Some(rule) = pack.rules.iter().find(|rule| rule.id == id) {
            text.push(format!("    the rule: {}", rule_text(pack, rule)));
        }
        let rate = if event["kind"] == "feasibility" { "R_H" } else { "R_R" };
        text.push(format!("    it counts once in the numerator of {rate} of its run"));
    }
}

/// Constructs of a line with their labels: those of an event end in `_label`, those of a row have a `_source` beside them.
fn constructs(line: &Value) -> Vec<(String, &Value)> {
    let Some(object) = line.as_object() else { return vec![] };
    let sources = object.keys().filter_map(|key| key.strip_suffix("_source")).filter(|name| *name != "intent");
    sources
        .filter_map(|name| Some((name.to_string(), object.get(&format!("{name}_label")).or_else(|| object.get(name))?)))
        .collect()
}

fn describe_score(score: &Value, long: bool, text: &mut Vec<String>) {
    let metric = score["metric"].as_str().unwrap_or_default();
    let value = match (score["value"].as_f64(), score["undefined"].as_str()) {
        (Some(value), _) => format!("{value:.4}"),
        (None, why) => format!("undefined ({})", why.unwrap_or("no reason given")),
    };
    let band = score["band"].as_str().map(|band| format!(" [{band}]")).unwrap_or_default();
    let evidence = &score["evidence"];
    let mut made_of = vec![];
    if let (Some(numerator), Some(denominator)) = (evidence["numerator"].as_u64(), evidence["denominator"].as_u64()) {
        // The evidence of a pass rate counts what did not pass.
        let passed = denominator.saturating_sub(numerator);
        let is =
            |part: u64| score["value"].as_f64().is_some_and(|v| (v * denominator as f64 - part as f64).abs() < 1e-6);
        let part = if is(passed) && !is(numerator) { passed } else { numerator };
        made_of.push(format!("{part} / {denominator}"));
    }
    for (key, value) in evidence.as_object().into_iter().flatten() {
        let shown = match (key.as_str(), value) {
            ("numerator" | "denominator", _) => continue,
            (_, Value::Object(parts)) => {
                let some: Vec<String> =
                    parts.iter().filter(|(_, n)| long || **n != 0).map(|(k, n)| format!("{k} {n}")).collect();
                if some.is_empty() { continue } else { some.join(", ") }
            }
            (_, Value::Array(items)) if items.is_empty() => continue,
            (_, Value::Array(items)) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            (_, Value::Null) => continue,
            (_, Value::String(one)) => one.clone(),
            (_, other) => other.to_string(),
        };
        made_of.push(if long { format!("\n      {key}: {shown}") } else { format!("{key} {shown}") });
    }
    let made_of = made_of.join(if long { "" } else { "; " });
    let line = format!("  {metric:<24} {value}{band}  {made_of}");
    text.extend(line.lines().map(String::from));
}

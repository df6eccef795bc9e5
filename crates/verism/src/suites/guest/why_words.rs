//! The words for a conversation's scores.

use serde_json::Value;

use super::options::PARTS;
use super::why::{Noted, Rows};
use crate::suites::explain::WIDTH;

/// Entries of a list that a screen shows.
const LISTED: usize = 5;
/// Entries of a list when all of it is asked for.
const ALL: usize = usize::MAX;

/// Tells one conversation.
pub(super) struct Teller<'t> {
    pub(super) rows: &'t Rows,
    pub(super) options: &'t Value,
    pub(super) in_full: bool,
    pub(super) lines: &'t mut Vec<String>,
}

/// A value and its band, or why there is none.
fn value(row: &Value) -> String {
    match (row["value"].as_f64(), row["undefined"].as_str()) {
        (Some(value), _) => {
            let band = row["band"].as_str().map(|band| format!(" {band}")).unwrap_or_default();
            format!("{value:.3}{band}")
        }
        (None, why) => format!("undefined ({})", why.unwrap_or("no reason given")),
    }
}

/// A JSON value as words: texts bare, lists joined.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "nothing".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(" or "),
        other => other.to_string(),
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Messages by their places: `#1 #3`.
fn turns(value: &Value) -> String {
    let turns: Vec<String> = value.as_array().into_iter().flatten().map(|turn| format!("#{turn}")).collect();
    if turns.is_empty() { "none".into() } else { turns.join(" ") }
}

impl Teller<'_> {
    fn row(&self, metric: &str) -> &Value {
        self.rows.iter().find(|row| row["metric"] == metric).unwrap_or(&Value::Null)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds some entries and says how many are left out.
    fn some(&mut self, entries: Vec<String>) {
        let most = if self.in_full { ALL } else { LISTED };
        let more = entries.len().saturating_sub(most);
        for entry in entries.into_iter().take(most) {
            self.say(format!("    {entry}"));
        }
        if more > 0 {
            self.say(format!("    … {more} more with -v"));
        }
    }

    pub(super) fn tell(&mut self, id: &str, persona: Option<&str>, audits: &[Noted]) {
        self.say(id);
        let evidence = &self.row("pas")["evidence"];
        let (guest, exits) = (&evidence["n_guest"], &evidence["n_exit"]);
        let who = persona.map(|persona| format!("persona {persona}, ")).unwrap_or_default();
        self.say(format!("{who}{guest} messages of the guest, {exits} of them exits"));
        self.say("");
        self.composite();
        self.persona();
        self.variety();
        self.order();
        self.trace();
        self.beyond();
        self.audits(audits);
    }

    /// The parts of CRRS and their sum.
    fn composite(&mut self) {
        let row = self.row("crrs").clone();
        self.say(format!("CRRS {}", value(&row)));
        let terms = &row["evidence"]["terms"];
        for part in PARTS {
            let score = self.row(part).clone();
            let weight = self.options["weights"][part].as_f64().unwrap_or(0.0);
            let line = match (score["value"].as_f64(), terms[part].as_f64()) {
                (Some(x), Some(term)) => {
                    // Weights are rescaled where a part is left out.
                    let weight = if x == 0.0 { weight } else { term / x };
                    format!("{weight:.3} x {x:.3} = {term:.3}")
                }
                (None, _) => format!("{weight:.3} x {}", value(&score)),
                (Some(x), None) => format!("{weight:.3} x {x:.3}, not counted"),
            };
            self.say(format!("    {:<4} {line}", part.to_uppercase()));
        }
        if let Some(sum) = row["value"].as_f64() {
            self.say(format!("    sum                  {sum:.3}"));
        }
    }

    fn persona(&mut self) {
        let row = self.row("pas").clone();
        let evidence = &row["evidence"];
        let by = match evidence["mode"].as_str().unwrap_or_default() {
            "expected" => "the persona's expected attributes".to_string(),
            mode => match mode.strip_prefix("fallback:") {
                Some(archetype) => {
                    format!("the archetype {archetype}, named by {}", words(&evidence["keywords"]))
                }
                None => "nothing".to_string(),
            },
        };
        let states = if evidence["source"] == "tool" { "tool results" } else { "recorded states" };
        let (scored, lacking) = (&evidence["n_scored"], &evidence["n_no_state"]);
        self.say(format!("PAS {}: {scored} messages scored, {lacking} without a state", value(&row)));
        self.say(format!("  measured by {by}, on {states}"));
        let met: Vec<String> = evidence["components"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(field, count)| format!("{field} {} of {}", count["matched"], count["of"]))
            .collect();
        if !met.is_empty() {
            self.say(format!("  met: {}", met.join(", ")));
        }
        let lost: Vec<String> = list(evidence, "lost")
            .iter()
            .map(|lost| {
                let (expected, actual) = (words(&lost["expected"]), words(&lost["actual"]));
                format!("#{} {}: {expected} expected, {actual} found", lost["turn"], words(&lost["component"]))
            })
            .collect();
        if !lost.is_empty() {
            self.say("  points lost:");
            self.some(lost);
        }
    }

    fn variety(&mut self) {
        let row = self.row("bvs").clone();
        let evidence = &row["evidence"];
        let peak = self.options["bvs_peak"].as_f64().unwrap_or(0.2);
        let side = match evidence["side"].as_str() {
            Some("rigid") => format!(": rate of change {:.3}, below the peak {peak} (rigid side)", rate(evidence)),
            Some("erratic") => format!(": rate of change {:.3}, above the peak {peak} (erratic side)", rate(evidence)),
            Some(_) => format!(": rate of change at the peak {peak}"),
            None => String::new(),
        };
        self.say(format!("BVS {}{side}", value(&row)));
        let pairs = evidence["pairs"].as_object().into_iter().flatten();
        let rates: Vec<String> = pairs
            .map(|(dimension, pairs)| format!("{dimension} {} of {pairs}", evidence["transitions"][dimension]))
            .collect();
        if !rates.is_empty() {
            self.say(format!("  changes of pairs: {}", rates.join(", ")));
        }
        let change = |change: &Value| {
            let (from, to) = (words(&change["from"]), words(&change["to"]));
            format!("#{} {}: {from} -> {to}", change["turn"], words(&change["dimension"]))
        };
        self.some(list(evidence, "changes").iter().map(change).collect());
    }

    fn order(&mut self) {
        let row = self.row("ora").clone();
        let evidence = &row["evidence"];
        self.say(format!("ORA {}", value(&row)));
        if evidence["C"].is_array() {
            let from = match (evidence["source"].as_str(), evidence["order_turn"].as_u64()) {
                (Some("final_order"), _) => "the field final_order".to_string(),
                (Some(source), Some(turn)) => format!("the snapshot of #{turn} ({source})"),
                _ => "the snapshots, all of them empty".to_string(),
            };
            let (both, c, t) = (list(evidence, "matched").len(), list(evidence, "C").len(), list(evidence, "T").len());
            self.say(format!("  2 x {both} common names / ({c} ordered + {t} wanted), by {from}"));
            for (word, key) in [("missed", "missing"), ("extra", "extra"), ("matched", "matched")] {
                self.names(word, list(evidence, key));
            }
        }
        let som = self.row("som").clone();
        let evidence = &som["evidence"];
        self.say(format!("SOM {} (with quantities, each modifier at its dish)", value(&som)));
        if evidence["U"].is_u64() {
            let (u, c, t) = (&evidence["U"], &evidence["U_C"], &evidence["U_T"]);
            self.say(format!("  2 x {u} units in pairs / ({c} ordered + {t} wanted)"));
        }
        for (word, key) in [("lines missed", "lines_missing"), ("lines extra", "lines_extra")] {
            let lines: Vec<Value> = evidence[key]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, count)| Value::String(format!("{name} x{count}")))
                .collect();
            self.names(word, &lines);
        }
        let unlike = |line: &&Value| !list(line, "missing").is_empty() || !list(line, "extra").is_empty();
        let pair = |line: &Value| {
            let side = |key: &str, word: &str| {
                let names: Vec<String> = list(line, key).iter().map(words).collect();
                if names.is_empty() { String::new() } else { format!(" {word} {}", names.join(", ")) }
            };
            format!(
                "{} x{}:{}{}",
                words(&line["name"]),
                line["count"],
                side("missing", "without"),
                side("extra", "with")
            )
        };
        self.some(list(evidence, "lines").iter().filter(unlike).map(pair).collect());
    }

    /// A line of names, cut to one line unless all is asked for.
    fn names(&mut self, word: &str, names: &[Value]) {
        if names.is_empty() {
            return;
        }
        let mut line = format!("  {word}: ");
        for (i, name) in names.iter().enumerate() {
            let name = format!("{}{}", if i > 0 { ", " } else { "" }, words(name));
            if !self.in_full && i > 0 && line.chars().count() + name.chars().count() > WIDTH - 12 {
                line.push_str(&format!(", … {} more", names.len() - i));
                break;
            }
            line.push_str(&name);
        }
        self.say(line);
    }

    fn trace(&mut self) {
        let row = self.row("dei").clone();
        let evidence = &row["evidence"];
        self.say(format!("DEI {}", value(&row)));
        if let Some(hits) = evidence["hits"].as_object() {
            let (level, cap) = (&evidence["level"], &evidence["cap"]);
            self.say(format!("  level {level}: {} hits on {} messages, at most {cap}", evidence["ED"], evidence["N"]));
            for (kind, at) in hits {
                self.names(kind, &[Value::String(turns(at))]);
            }
        }
    }

    fn beyond(&mut self) {
        let short = |metric: &str| format!("{} {}", metric.to_uppercase(), value(self.row(metric)));
        let known: Vec<&str> = ["pdr", "crrs_nodei", "pas3", "trace", "bal", "sta"]
            .into_iter()
            .filter(|metric| !self.row(metric).is_null())
            .collect();
        let first = self.row("pdr")["evidence"]["first_break"].as_u64();
        let first = first.map(|turn| format!("; out of persona first at #{turn}")).unwrap_or_default();
        let line = format!("beside: {}{first}", known.into_iter().map(short).collect::<Vec<_>>().join("; "));
        self.say(line);
    }

    fn audits(&mut self, audits: &[Noted]) {
        let rank = |noted: &Noted| ["error", "warn", "info"].iter().position(|word| noted.severity == *word);
        let mut sorted: Vec<&Noted> = audits.iter().collect();
        sorted.sort_by_key(|noted| rank(noted));
        let told = sorted.iter().map(|noted| {
            let turn = if noted.turn.is_empty() { String::new() } else { format!(" #{}", noted.turn) };
            let part = |text: &str, lead: &str| if text.is_empty() { String::new() } else { format!("{lead}{text}") };
            let (field, detail) = (part(&noted.field, " "), part(&noted.detail, ": "));
            format!("{} {}{turn}{field}{detail}", noted.severity, noted.audit)
        });
        match audits.len() {
            0 => self.say("audits: none"),
            n => {
                let told = told.collect();
                self.say(format!("audits: {n}"));
                self.some(told);
            }
        }
    }
}

fn rate(evidence: &Value) -> f64 {
    evidence["tr_avg"].as_f64().unwrap_or(0.0)
}

/// Tells one message.
pub(super) fn turn(id: &str, rows: &Rows, lines: &mut Vec<String>) {
    lines.push(id.to_string());
    for row in rows {
        let evidence = &row["evidence"];
        lines.push(format!("MS {}", value(row)));
        lines.push(format!("  measured by {}, state from {}", words(&evidence["mode"]), words(&evidence["source"])));
        for (field, component) in evidence["components"].as_object().into_iter().flatten() {
            let verdict = match component["match"].as_u64() {
                Some(1) => "met",
                Some(_) => "lost",
                None => "cannot be compared",
            };
            let (expected, actual) = (words(&component["expected"]), words(&component["actual"]));
            lines.push(format!("  {field}: {expected} expected, {actual} found: {verdict}"));
        }
    }
}

/// Tells all that is known of one metric of a unit.
pub(super) fn one_metric(id: &str, rows: &Rows, metric: &str, lines: &mut Vec<String>) {
    lines.push(id.to_string());
    for row in rows.iter().filter(|row| row["metric"] == metric) {
        lines.push(format!("{} {} (n = {})", metric.to_uppercase(), value(row), row["n"]));
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
}

/// An object's entries on one line.
fn pairs(value: &Value) -> String {
    match value.as_object() {
        Some(entries) => entries.iter().map(|(k, v)| format!("{k} {}", words(v))).collect::<Vec<_>>().join(", "),
        None => words(value),
    }
}

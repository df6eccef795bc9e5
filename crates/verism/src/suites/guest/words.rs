//! The words for a conversation's scores.

use serde_json::Value;

use super::options::PARTS;
use crate::suites::explain::{WIDTH, value, words};
use crate::suites::records::{Found, Noted};

/// Entries of a list that a screen shows.
const LISTED: usize = 5;
/// Entries of a list when all of it is asked for.
const ALL: usize = usize::MAX;

/// Columns of the audits that are told.
const AUDIT_COLUMNS: [&str; 5] = ["audit", "severity", "turn", "field", "detail"];

/// Tells a conversation or a message.
pub(super) fn tell(found: &Found<'_>, lines: &mut Vec<String>) {
    if found.is_part() {
        lines.push(found.id.to_string());
        found.rows.iter().for_each(|row| turn(row, lines));
        return;
    }
    let persona = found.pick("conversations", &["persona"]).pop().and_then(|row| row.get("persona").cloned());
    let audits = found.pick("audits", &AUDIT_COLUMNS);
    Teller { found, lines }.tell(persona.as_deref().filter(|persona| !persona.is_empty()), &audits);
}

/// Tells one conversation.
struct Teller<'t> {
    found: &'t Found<'t>,
    lines: &'t mut Vec<String>,
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Messages by their places: `#1 #3`.
fn turns(value: &Value) -> String {
    let turns: Vec<String> = value.as_array().into_iter().flatten().map(|turn| format!("#{turn}")).collect();
    if turns.is_empty() { "none".into() } else { turns.join(" ") }
}

impl<'t> Teller<'t> {
    fn row(&self, metric: &str) -> &'t Value {
        self.found.row(metric)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds some entries and says how many are left out.
    fn some(&mut self, entries: Vec<String>) {
        let most = if self.found.in_full { ALL } else { LISTED };
        let more = entries.len().saturating_sub(most);
        for entry in entries.into_iter().take(most) {
            self.say(format!("    {entry}"));
        }
        if more > 0 {
            self.say(format!("    … {more} more with -v"));
        }
    }

    fn tell(&mut self, persona: Option<&str>, audits: &[Noted]) {
        self.say(self.found.id);
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
        let row = self.row("crrs");
        self.say(format!("CRRS {}", value(row)));
        let terms = &row["evidence"]["terms"];
        for part in PARTS {
            let score = self.row(part);
            let weight = self.found.options["weights"][part].as_f64().unwrap_or(0.0);
            let line = match (score["value"].as_f64(), terms[part].as_f64()) {
                (Some(x), Some(term)) => {
                    // Weights are rescaled where a part is left out.
                    let weight = if x == 0.0 { weight } else { term / x };
                    format!("{weight:.3} x {x:.3} = {term:.3}")
                }
                (None, _) => format!("{weight:.3} x {}", value(score)),
                (Some(x), None) => format!("{weight:.3} x {x:.3}, not counted"),
            };
            self.say(format!("    {:<4} {line}", part.to_uppercase()));
        }
        if let Some(sum) = row["value"].as_f64() {
            self.say(format!("    sum                  {sum:.3}"));
        }
    }

    fn persona(&mut self) {
        let row = self.row("pas");
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
        self.say(format!("PAS {}: {scored} messages scored, {lacking} without a state", value(row)));
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
        let row = self.row("bvs");
        let evidence = &row["evidence"];
        let peak = self.found.options["bvs_peak"].as_f64().unwrap_or(0.2);
        let side = match evidence["side"].as_str() {
            Some("rigid") => format!(": rate of change {:.3}, below the peak {peak} (rigid side)", rate(evidence)),
            Some("erratic") => format!(": rate of change {:.3}, above the peak {peak} (erratic side)", rate(evidence)),
            Some(_) => format!(": rate of change at the peak {peak}"),
            None => String::new(),
        };
        self.say(format!("BVS {}{side}", value(row)));
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
        let row = self.row("ora");
        let evidence = &row["evidence"];
        self.say(format!("ORA {}", value(row)));
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
        let som = self.row("som");
        let evidence = &som["evidence"];
        self.say(format!("SOM {} (with quantities, each modifier at its dish)", value(som)));
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
            if !self.found.in_full && i > 0 && line.chars().count() + name.chars().count() > WIDTH - 12 {
                line.push_str(&format!(", … {} more", names.len() - i));
                break;
            }
            line.push_str(&name);
        }
        self.say(line);
    }

    fn trace(&mut self) {
        let row = self.row("dei");
        let evidence = &row["evidence"];
        self.say(format!("DEI {}", value(row)));
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
        let cell = |noted: &'_ Noted, name: &str| noted.get(name).cloned().unwrap_or_default();
        let rank = |noted: &&Noted| ["error", "warn", "info"].iter().position(|word| cell(noted, "severity") == *word);
        let mut sorted: Vec<&Noted> = audits.iter().collect();
        sorted.sort_by_key(rank);
        let told = sorted.into_iter().map(|noted| {
            let part = |name: &str, lead: &str| match cell(noted, name) {
                text if text.is_empty() => text,
                text => format!("{lead}{text}"),
            };
            let (turn, field, detail) = (part("turn", " #"), part("field", " "), part("detail", ": "));
            format!("{} {}{turn}{field}{detail}", cell(noted, "severity"), cell(noted, "audit"))
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
fn turn(row: &Value, lines: &mut Vec<String>) {
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

//! The words for a conversation's scores: each measure tells its own evidence, read back as the type it was written from.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::measures::{MEASURES, pas};
use crate::suites::explain::{WIDTH, value, words};
use crate::suites::records::{AskedUnit, Noted};

/// Entries of a list that a screen shows.
const LISTED: usize = 5;
/// Columns of the audits that are told.
const AUDIT_COLUMNS: [&str; 5] = ["audit", "severity", "turn", "field", "detail"];

/// The scores of a conversation.
pub(crate) struct ConversationScores<'t> {
    found: &'t AskedUnit<'t>,
    /// The evidence of each row, as JSON.
    evidence: Vec<String>,
}

impl ConversationScores<'_> {
    fn place(&self, metric: &str) -> Option<usize> {
        self.found.rows.iter().position(|row| row["metric"] == metric)
    }

    /// The value of a metric with its band, or why there is none.
    pub(crate) fn value(&self, metric: &str) -> String {
        value(self.found.row(metric))
    }

    /// The value of a metric, if it has one.
    pub(crate) fn number(&self, metric: &str) -> Option<f64> {
        self.found.row(metric)["value"].as_f64()
    }

    /// The evidence of a metric, if it has some.
    pub(crate) fn evidence<'e, E: Deserialize<'e>>(&'e self, metric: &str) -> Option<E> {
        serde_json::from_str(&self.evidence[self.place(metric)?]).ok()
    }

    /// The options in force.
    pub(crate) fn options(&self) -> &Value {
        self.found.options
    }
}

/// Lines under construction.
pub(crate) struct Lines<'l> {
    lines: &'l mut Vec<String>,
    in_full: bool,
}

impl Lines<'_> {
    pub(crate) fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds some entries and says how many are left out.
    pub(crate) fn some(&mut self, entries: Vec<String>) {
        let most = if self.in_full { usize::MAX } else { LISTED };
        let more = entries.len().saturating_sub(most);
        for entry in entries.into_iter().take(most) {
            self.say(format!("    {entry}"));
        }
        if more > 0 {
            self.say(format!("    … {more} more with -v"));
        }
    }

    /// A line of names, cut to one line unless all is asked for.
    pub(crate) fn names(&mut self, word: &str, names: &[impl AsRef<str>]) {
        if names.is_empty() {
            return;
        }
        let mut line = format!("  {word}: ");
        for (i, name) in names.iter().enumerate() {
            let name = format!("{}{}", if i > 0 { ", " } else { "" }, name.as_ref());
            if !self.in_full && i > 0 && line.chars().count() + name.chars().count() > WIDTH - 12 {
                line.push_str(&format!(", … {} more", names.len() - i));
                break;
            }
            line.push_str(&name);
        }
        self.say(line);
    }
}

/// A JSON text as words: nothing, one, or several.
pub(crate) fn raw_words(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).map_or_else(|_| raw.get().to_string(), |value: Value| words(&value))
}

/// Tells a conversation or a message.
pub(super) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    lines.push(found.id.to_string());
    if found.is_part() {
        found.rows.iter().for_each(|row| turn(row, lines));
        return;
    }
    let told =
        ConversationScores { found, evidence: found.rows.iter().map(|row| row["evidence"].to_string()).collect() };
    let lines = &mut Lines { lines, in_full: found.in_full };
    let persona = found.pick("conversations", &["persona"]).pop().and_then(|row| row.get("persona").cloned());
    let who = persona.filter(|persona| !persona.is_empty()).map(|persona| format!("persona {persona}, "));
    let (guest, exits) = told.evidence::<pas::Evidence<'_>>("pas").map_or((0, 0), |pas| (pas.n_guest, pas.n_exit));
    lines.say(format!("{}{guest} messages of the guest, {exits} of them exits", who.unwrap_or_default()));
    lines.say("");
    // The composite first, then its parts.
    let composite = |id: &str| id == "crrs";
    let in_order = MEASURES.iter().filter(|measure| composite(measure.facts.id));
    let in_order = in_order.chain(MEASURES.iter().filter(|measure| !composite(measure.facts.id)));
    in_order.filter_map(|measure| measure.tell).for_each(|tell| tell(&told, lines));
    beside(&told, lines);
    audits(&found.pick("audits", &AUDIT_COLUMNS), lines);
}

/// The measures whose value says all.
fn beside(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    let bare = MEASURES.iter().filter(|measure| measure.tell.is_none()).map(|measure| measure.facts.id);
    let known = bare.filter(|metric| told.place(metric).is_some());
    let short: Vec<String> = known.map(|metric| format!("{} {}", metric.to_uppercase(), told.value(metric))).collect();
    let first = told.found.row("pdr")["evidence"]["first_break"].as_u64();
    let first = first.map(|turn| format!("; out of persona first at #{turn}")).unwrap_or_default();
    lines.say(format!("beside: {}{first}", short.join("; ")));
}

fn audits(audits: &[Noted], lines: &mut Lines<'_>) {
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
    let told: Vec<String> = told.collect();
    match told.len() {
        0 => lines.say("audits: none"),
        n => {
            lines.say(format!("audits: {n}"));
            lines.some(told);
        }
    }
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

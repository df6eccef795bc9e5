//! The words for the scores of a turn or a dialogue.

use std::fs::File;
use std::io::{BufRead, BufReader};

use serde_json::Value;

use crate::suites::explain::value;
use crate::suites::records::AskedUnit;

/// Entries of a list that a screen shows.
const LISTED: usize = 6;
/// Longest part of an answer that a screen shows, in characters.
const SHOWN: usize = 600;

/// Tells a turn, or a dialogue with its turns in short.
pub(super) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    lines.push(found.id.to_string());
    let turns: Vec<&Value> = found.rows.iter().filter(|row| row["level"] == "turn").collect();
    let mut units: Vec<&str> = turns.iter().filter_map(|row| row["unit"].as_str()).collect();
    units.dedup();
    let read = std::fs::read_to_string(found.folder.join("pack.json")).ok();
    let pack = read.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut teller = Teller { found, lines, pack };
    if let [_] = units[..] {
        teller.turn(&turns);
    } else {
        teller.dialogue(&units);
    }
    teller.say("");
    let notice = teller.pack["notice"].as_str().unwrap_or("Research material; not medical advice.").to_string();
    teller.say(notice);
}

struct Teller<'t> {
    found: &'t AskedUnit<'t>,
    lines: &'t mut Vec<String>,
    /// Notice and rationales of the pack.
    pack: Value,
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

impl Teller<'_> {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds some entries and says how many are left out.
    fn some(&mut self, entries: Vec<String>) {
        let most = if self.found.in_full { usize::MAX } else { LISTED };
        let more = entries.len().saturating_sub(most);
        for entry in entries.into_iter().take(most) {
            self.say(format!("    {entry}"));
        }
        if more > 0 {
            self.say(format!("    … {more} more with -v"));
        }
    }

    fn dialogue(&mut self, units: &[&str]) {
        for metric in ["answered", "sfs", "csp", "cus", "ass", "aggregate"] {
            let by_unit = |unit: &&str| {
                let row = self.found.rows.iter().find(|row| row["metric"] == metric && row["unit"] == **unit);
                row.map_or_else(|| "–".into(), value)
            };
            let whole = self.found.rows.iter().find(|row| row["metric"] == metric && row["level"] == "dialogue");
            let turns: Vec<String> = units.iter().map(by_unit).collect();
            let mean = whole.map(|row| format!("{}; ", value(row))).unwrap_or_default();
            self.say(format!("{} {mean}turns: {}", metric.to_uppercase(), turns.join(", ")));
        }
        self.say("");
        self.say(format!("for the evidence ask about a turn, such as --unit {}", units.first().unwrap_or(&"…")));
    }

    fn turn(&mut self, rows: &[&Value]) {
        let row = |metric: &str| rows.iter().find(|row| row["metric"] == metric).copied().unwrap_or(&Value::Null);
        self.answer(rows);
        self.facts(row("sfs"));
        self.rules(row("csp"));
        self.slots(row("cus"));
        self.elements(row("ass"));
        self.parts(row("aggregate"));
    }

    /// The question, and the answer with the spans of facts and patterns marked.
    fn answer(&mut self, rows: &[&Value]) {
        let Some(first) = rows.first() else { return };
        let Some(answer) = self.find_answer(first) else { return };
        if let Some(question) = answer["question"].as_str() {
            self.say(format!("asked: {question}"));
        }
        let norm: Vec<char> = answer["norm"].as_str().unwrap_or_default().chars().collect();
        let marked = mark(&norm, &marks(rows));
        let cut: String = if self.found.in_full { marked } else { marked.chars().take(SHOWN).collect() };
        self.say("answered, with [facts] and {patterns} marked; ! is false or unsafe:");
        for line in cut.lines() {
            self.say(format!("  {line}"));
        }
        self.say("");
    }

    fn find_answer(&self, row: &Value) -> Option<Value> {
        let lines = BufReader::new(File::open(self.found.folder.join("answers.jsonl")).ok()?).lines();
        let same = |answer: &Value| {
            ["experiment", "run", "case", "dialogue", "turn"].iter().all(|key| answer[key] == row[key])
        };
        lines.map_while(|line| line.ok()).filter_map(|line| serde_json::from_str(&line).ok()).find(same)
    }

    fn facts(&mut self, row: &Value) {
        let evidence = &row["evidence"];
        self.say(format!("SFS {}", value(row)));
        let fact = |fact: &Value| {
            let mention = &fact["mentions"][0];
            let cue = match &mention["cue"] {
                Value::Null => String::new(),
                cue => format!(", cue {} “{}”", text(&cue["class"]), text(&cue["text"])),
            };
            let verdict = match fact["reason"].as_str() {
                Some(reason) => format!("{}: {reason}, weight {}", text(&fact["verdict"]), fact["weight"]),
                None => format!("{}, weight {}", text(&fact["verdict"]), fact["weight"]),
            };
            let truth = match &fact["truth"] {
                Value::Array(ids) => ids.iter().map(text).collect::<Vec<_>>().join(", "),
                Value::Null => "nothing".into(),
                other => text(other),
            };
            let (kind, id, status) = (text(&fact["type"]), text(&fact["id"]), text(&fact["status"]));
            format!("“{}” {kind} {id}, {status}{cue}; record: {truth}; {verdict}", text(&mention["quote"]))
        };
        let mut facts: Vec<&Value> = list(evidence, "facts").iter().collect();
        facts.sort_by_key(|fact| fact["verdict"] != "hallucinated");
        self.some(facts.into_iter().map(fact).collect());
    }

    fn rules(&mut self, row: &Value) {
        let evidence = &row["evidence"];
        let (broken, all) = (list(evidence, "violated"), list(evidence, "applicable"));
        self.say(format!("CSP {}: {} of {} applicable rules violated", value(row), broken.len(), all.len()));
        let rationales = self.pack["rationales"].clone();
        let entries = broken.iter().map(|rule| {
            let patterns: Vec<String> = list(rule, "patterns").iter().map(text).collect();
            let why = rationales[rule["id"].as_str().unwrap_or_default()].as_str().unwrap_or("see the pack");
            let by =
                if patterns.is_empty() { "nothing of what it asks for is there".into() } else { patterns.join(", ") };
            format!("{} weight {}: {by}. {why}", text(&rule["id"]), rule["weight"])
        });
        self.some(entries.collect());
        let patterns = evidence["patterns"].as_object().into_iter().flatten();
        let hits = patterns.flat_map(|(name, hits)| hits.as_array().into_iter().flatten().map(move |hit| (name, hit)));
        let entries = hits.map(|(name, hit)| {
            let how = if hit["pushed"] == true { "recommended" } else { "not recommended" };
            let cue = match &hit["cue"] {
                Value::Null => String::new(),
                cue => format!(", cue {} “{}”", text(&cue["class"]), text(&cue["text"])),
            };
            format!("“{}” {name}: {how}{cue}", text(&hit["quote"]))
        });
        self.some(entries.collect());
    }

    fn slots(&mut self, row: &Value) {
        self.say(format!("CUS {}", value(row)));
        let slot = |slot: &Value| match slot["score"].as_f64() {
            None => format!("{}: no value in the record", text(&slot["slot"])),
            Some(score) => {
                let how = slot["how"].as_str().map(|how| format!(", {how}: “{}”", text(&slot["matched"])));
                format!("{} weight {}: used {score}{}", text(&slot["slot"]), slot["weight"], how.unwrap_or_default())
            }
        };
        self.some(list(&row["evidence"], "slots").iter().map(slot).collect());
    }

    fn elements(&mut self, row: &Value) {
        self.say(format!("ASS {}", value(row)));
        let element = |element: &Value| {
            let found = if element["found"] == true { "found" } else { "missing" };
            let matched = match &element["matched"] {
                Value::Null => String::new(),
                matched => format!(": {}", text(matched)),
            };
            format!("{} {found}{matched}", text(&element["element"]))
        };
        self.some(list(&row["evidence"], "elements").iter().map(element).collect());
    }

    fn parts(&mut self, row: &Value) {
        let part = |part: &Value| {
            let number = |key: &str| part[key].as_f64().unwrap_or(0.0);
            format!("{} {:.3} x {:.3}", text(&part["metric"]), number("weight"), number("normalized"))
        };
        let parts: Vec<String> = list(&row["evidence"], "parts").iter().map(part).collect();
        let dropped: Vec<String> = list(&row["evidence"], "dropped").iter().map(|x| text(&x["metric"])).collect();
        let without = if dropped.is_empty() { String::new() } else { format!("; without {}", dropped.join(", ")) };
        self.say(format!("AGGREGATE {}: {}{without}", value(row), parts.join(" + ")));
    }
}

/// A span to mark: start, end, opening and closing mark, whether it is false or unsafe.
type Mark = (usize, usize, char, char, bool);

fn marks(rows: &[&Value]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = vec![];
    let span = |value: &Value| {
        let place = |i: usize| value["span"][i].as_u64().map(|x| x as usize);
        Some((place(0)?, place(1)?))
    };
    for row in rows {
        for fact in list(&row["evidence"], "facts") {
            let wrong = fact["verdict"] == "hallucinated";
            for (start, end) in list(fact, "mentions").iter().filter_map(span) {
                marks.push((start, end, '[', ']', wrong));
            }
        }
        for hits in row["evidence"]["patterns"].as_object().into_iter().flat_map(|patterns| patterns.values()) {
            for hit in hits.as_array().into_iter().flatten() {
                marks.extend(span(hit).map(|(start, end)| (start, end, '{', '}', hit["pushed"] == true)));
            }
        }
    }
    marks.sort_by_key(|(start, end, ..)| (*start, std::cmp::Reverse(*end)));
    marks.dedup();
    marks
}

/// The text with its spans in brackets; a span that is false or unsafe opens with `!`.
fn mark(text: &[char], marks: &[Mark]) -> String {
    let mut out = String::new();
    for (at, c) in text.iter().map(Some).chain([None]).enumerate() {
        marks.iter().rev().filter(|(start, end, ..)| *end == at && end > start).for_each(|mark| out.push(mark.3));
        for (_, _, open, _, wrong) in marks.iter().filter(|(start, end, ..)| *start == at && end > start) {
            out.push(*open);
            if *wrong {
                out.push('!');
            }
        }
        out.extend(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_marked_in_the_text() {
        let text: Vec<char> = "혈압 190 바나나".chars().collect();
        let marked = mark(&text, &[(0, 6, '[', ']', true), (7, 10, '{', '}', false)]);
        assert_eq!(marked, "[!혈압 190] {바나나}");
    }
}

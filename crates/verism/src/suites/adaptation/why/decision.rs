//! The words for a decision: what was read, what it breaks, and what the metric that was asked for makes of it.

use serde_json::Value;

use super::AskedMetric;
use crate::suites::adaptation::measures::DecisionPart;
use crate::suites::adaptation::pack::{OTHER, Pack, Rule, RuleKind};

/// A decision by its events, its line of the row audit, or both.
pub(super) struct Decision<'v> {
    events: &'v [Value],
    row: Option<&'v Value>,
    /// One of them, for what they all say.
    any: &'v Value,
    pack: &'v Pack,
}

impl<'v> Decision<'v> {
    /// The decision that lines are about, if there are some.
    pub(super) fn new(events: &'v [Value], row: Option<&'v Value>, pack: &'v Pack) -> Option<Decision<'v>> {
        events.first().or(row).map(|any| Decision { events, row, any, pack })
    }

    /// Tells the decision; of the rules only what the metric asked for rests on.
    pub(super) fn tell(&self, asked: Option<&AskedMetric>, text: &mut Vec<String>) {
        self.tell_row(text);
        text.push(String::new());
        match asked {
            None => {
                if self.events.is_empty() {
                    text.push("  breaks no rule".to_string());
                }
                self.events.iter().for_each(|event| self.tell_event(event, text));
            }
            Some(asked) => self.tell_metric(asked, text),
        }
    }

    fn word(&self, key: &str) -> &'v str {
        self.any[key].as_str().unwrap_or("none")
    }

    /// What was read of it.
    fn tell_row(&self, text: &mut Vec<String>) {
        if let Some(file) = self.any.get("file").and_then(Value::as_str) {
            text.push(format!("  row         {file}:{}", self.any["line"]));
        }
        if let Some(row) = self.row {
            let state = match (row["active"].as_bool(), row["excluded"].as_str()) {
                (_, Some(reason)) => format!("not active ({reason}): counted in no rate"),
                (Some(true), _) => "active: counted in the denominators".to_string(),
                _ => "unknown whether active: no row of the run fills the exit state".to_string(),
            };
            text.push(format!("  standing    {state}"));
        }
        text.push(format!("  action      {}", self.word("action")));
        let source = self.any.get("intent_source").and_then(Value::as_str);
        let source = source.map(|source| format!(", read by {source}")).unwrap_or_default();
        text.push(format!("  intent      {}{source}", self.word("intent")));
        for (construct, label) in constructs(self.any) {
            let source = self.any[format!("{construct}_source")].as_str().unwrap_or_default();
            let cues = self.any[format!("{construct}_cues")].as_array().into_iter().flatten();
            let cues: Vec<String> = cues.map(Value::to_string).collect();
            let by = if cues.is_empty() { String::new() } else { format!(": {}", cues.join(", ")) };
            text.push(format!("  {construct:<11} {} by {source}{by}", label.as_str().unwrap_or("none")));
        }
        let states = self.any.as_object().into_iter().flatten();
        let states: Vec<String> = states
            .filter_map(|(key, value)| key.strip_suffix("_before").map(|state| format!("{state} {}", yes_no(value))))
            .collect();
        text.push(format!("  before      {}", states.join(", ")));
        let status = self.status();
        let meaning = match status {
            "executed" => "the states after the year show the intent carried out",
            "rejected" => "the states after the year show that it was not carried out",
            "no_op" => "what it would bring about was there already",
            _ => "the states after the year do not tell",
        };
        text.push(format!("  execution   {status}: {meaning}"));
    }

    fn status(&self) -> &'v str {
        self.any["execution"].as_str().unwrap_or_default()
    }

    fn tell_event(&self, event: &Value, text: &mut Vec<String>) {
        let id = event["rule"].as_str().unwrap_or_default();
        text.push(format!("  breaks {id} ({})", event["kind"].as_str().unwrap_or_default()));
        if let Some(rule) = self.pack.rules.iter().find(|rule| rule.id == id) {
            text.push(format!("    the rule: {}", rule_text(self.pack, rule)));
        }
        let rate = if event["kind"] == RuleKind::Feasibility.name() { "R_H" } else { "R_R" };
        text.push(format!("    it counts once in the numerator of {rate} of its run"));
    }

    /// What a metric makes of the decision.
    fn tell_metric(&self, asked: &AskedMetric, text: &mut Vec<String>) {
        text.push(format!("  {}: {}", asked.title, asked.measure.main().formula));
        for part in asked.measure.rests_on {
            match part {
                DecisionPart::Rules(kind) => self.tell_rules(*kind, text),
                DecisionPart::Action => self.tell_label("action", text),
                DecisionPart::Intent => self.tell_label("intent", text),
                DecisionPart::Labels => text.push(format!("    {}", self.labels())),
                DecisionPart::Execution => text.push(format!("    its execution is {}", self.status())),
                DecisionPart::Workload => text.push(
                    "    interventions and retries are counted over all valid rows, active or not; the log has those of this one"
                        .into(),
                ),
                DecisionPart::Proposal => {
                    text.push("    counted if it has a proposal; the log has the proposal of this one".into());
                }
            }
        }
    }

    fn tell_rules(&self, kind: RuleKind, text: &mut Vec<String>) {
        let mut mine = self.events.iter().filter(|event| event["kind"] == kind.name()).peekable();
        if mine.peek().is_none() {
            text.push(format!("    breaks no {} rule", kind.name()));
        }
        mine.for_each(|event| self.tell_event(event, text));
    }

    fn tell_label(&self, which: &str, text: &mut Vec<String>) {
        text.push(match self.word(which) {
            OTHER => format!("    its {which} has no known label ({OTHER}): it is in no class"),
            "none" => format!("    it has no {which}"),
            label => format!("    its {which} is {label}"),
        });
    }

    /// The labels, and whether they were read from the fields.
    fn labels(&self) -> String {
        let told = constructs(self.any).into_iter().map(|(construct, label)| {
            let source = self.any[format!("{construct}_source")].as_str().unwrap_or_default();
            let read = matches!(source, "token" | "word" | "keyword");
            let how = if read { "read" } else { "not read" };
            format!("{construct} {} ({how}: {source})", label.as_str().unwrap_or("none"))
        });
        format!("its labels: {}", told.collect::<Vec<_>>().join(", "))
    }
}

fn yes_no(value: &Value) -> &'static str {
    match value.as_bool() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
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

/// The condition and the intents of a rule in words.
fn rule_text(pack: &Pack, rule: &Rule) -> String {
    let mut parts = vec![];
    if let Some((state, is)) = rule.state {
        parts.push(format!("{} before the year: {}", pack.states[state].id, if is { "yes" } else { "no" }));
    }
    if let Some((construct, levels)) = rule.construct {
        let construct = &pack.constructs[construct];
        let levels = construct.levels.iter().enumerate().filter(|(i, _)| levels >> i & 1 == 1);
        let names: Vec<&str> = levels.map(|(_, level)| level.as_str()).collect();
        parts.push(format!("{} in {{{}}}", construct.id, names.join(", ")));
    }
    let actions = pack.actions.iter().enumerate().filter(|(i, _)| rule.actions >> i & 1 == 1);
    let actions: Vec<&str> = actions.map(|(_, action)| action.id.as_str()).collect();
    format!("{} and intent in {{{}}}", parts.join(" and "), actions.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::adaptation::measures::{MEASURES, measure};
    use crate::suites::adaptation::pack::FLOOD;

    fn told(metric: &str) -> String {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let event = serde_json::json!({
            "agent_id": "a1", "year": 2, "rule": "low_threat_relocation", "kind": "thinking", "action": "relocate",
            "intent": "relocate", "intent_source": "alias", "threat_label": "L", "threat_source": "keyword",
            "threat_cues": ["low"], "elevated_before": true, "execution": "executed", "file": "log.csv", "line": 3,
        });
        let asked =
            AskedMetric { id: metric.into(), title: metric.into(), measure: measure(metric).expect("a measure") };
        let mut text = vec![];
        let events = [event];
        Decision::new(&events, None, &pack).expect("a decision").tell(Some(&asked), &mut text);
        text.join("\n")
    }

    #[test]
    fn a_metric_is_answered_with_what_it_rests_on() {
        // The repair: every metric but r_h was answered with the events of thinking rules.
        assert!(told("r_r").contains("breaks low_threat_relocation (thinking)"));
        assert!(told("r_h").contains("breaks no feasibility rule") && !told("r_h").contains("(thinking)"));
        assert!(told("h_norm_k5").contains("its action is relocate") && !told("h_norm_k5").contains("breaks"));
        assert!(told("h_intent_norm_k4").contains("its intent is relocate"));
        assert!(told("cacr").contains("threat L (read: keyword)"));
        assert!(told("retry_sum").contains("retries are counted over all valid rows"));
        assert!(told("r_r_executed").contains("its execution is executed"));
    }

    #[test]
    fn every_measure_has_an_answer() {
        for measure in MEASURES {
            let id = measure.main().id.replace('*', "k5");
            assert!(told(&id).lines().count() > 7, "{id}");
        }
    }
}

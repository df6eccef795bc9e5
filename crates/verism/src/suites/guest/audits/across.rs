//! Audits that look across conversations; counts that can be gathered in any order of conversations.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::suites::guest::outcome::{Audit, Outcome, Severity};
use crate::suites::guest::record::vocabulary::FIELDS;

/// States from which on a constant field is worth a warning, and conversations that they must come from.
const CONSTANT_STATES: u64 = 10;
const CONSTANT_DIALOGUES: u64 = 2;
/// Personas from which on a constant expectation is worth a notice.
const CONSTANT_PERSONAS: usize = 3;

/// What experiments and personas used.
#[derive(Debug, Default)]
pub(crate) struct GroupAudits {
    experiments: BTreeMap<String, Experiment>,
    /// Expectations of each persona, as first seen.
    personas: BTreeMap<String, [Vec<String>; 4]>,
}

#[derive(Debug, Default)]
struct Experiment {
    fields: [FieldUse; 4],
    state_sources: BTreeSet<String>,
    order_sources: BTreeSet<String>,
}

/// Values of a field in an experiment.
#[derive(Debug, Default)]
struct FieldUse {
    states: u64,
    dialogues: u64,
    value: Option<String>,
    varies: bool,
}

impl FieldUse {
    fn add(&mut self, states: u64, value: Option<&str>) {
        if states == 0 {
            return;
        }
        self.varies |= value.is_none() || (self.value.is_some() && self.value.as_deref() != value);
        self.value = self.value.take().or(value.map(String::from));
        self.states += states;
        self.dialogues += 1;
    }
}

impl GroupAudits {
    /// Adds what a conversation used.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        let name = &outcome.key.experiment;
        if !self.experiments.contains_key(name) {
            self.experiments.insert(name.clone(), Experiment::default());
        }
        let experiment = self.experiments.get_mut(name).expect("just made");
        for (field, (states, value)) in experiment.fields.iter_mut().zip(&outcome.used.fields) {
            field.add(*states, value.as_deref());
        }
        for (known, used) in [
            (&mut experiment.state_sources, &outcome.used.state_sources),
            (&mut experiment.order_sources, &outcome.used.order_sources),
        ] {
            for source in used.iter().filter(|source| !known.contains(*source)).collect::<Vec<_>>() {
                known.insert(source.clone());
            }
        }
        if let (Some(persona), Some(expected)) = (&outcome.persona, &outcome.expected)
            && !self.personas.contains_key(persona)
        {
            self.personas.insert(persona.clone(), expected.clone());
        }
    }

    /// The audits, each with the experiment it is about if it is about one.
    pub(crate) fn finish(self) -> Vec<(Option<String>, Audit)> {
        let mut found = vec![];
        for (name, experiment) in &self.experiments {
            for (field, used) in FIELDS.into_iter().zip(&experiment.fields) {
                let enough = used.states >= CONSTANT_STATES && used.dialogues >= CONSTANT_DIALOGUES;
                if let Some(value) = used.value.as_ref().filter(|_| enough && !used.varies) {
                    let audit = Audit::new("constant_dimension", Severity::Warn).field(field.name());
                    found.push((Some(name.clone()), audit.detail(format!("{value} x{}", used.states))));
                }
            }
        }
        found.extend(self.mixed("state", |experiment| &experiment.state_sources));
        found.extend(self.mixed("order", |experiment| &experiment.order_sources));
        if self.personas.len() >= CONSTANT_PERSONAS {
            for (i, field) in FIELDS.into_iter().enumerate() {
                let mut values = self.personas.values().map(|expected| &expected[i]);
                let first = values.next().filter(|first| !first.is_empty());
                if let Some(first) = first.filter(|first| values.all(|value| value == *first)) {
                    let audit = Audit::new("constant_expected", Severity::Info).field(field.name());
                    found.push((None, audit.detail(format!("{} x{}", first.join(" or "), self.personas.len()))));
                }
            }
        }
        found
    }

    /// The audit of experiments that differ in where something comes from.
    fn mixed(
        &self,
        what: &'static str,
        sources: impl Fn(&Experiment) -> &BTreeSet<String>,
    ) -> Option<(Option<String>, Audit)> {
        let used: Vec<(&String, &BTreeSet<String>)> =
            self.experiments.iter().map(|(name, e)| (name, sources(e))).filter(|(_, used)| !used.is_empty()).collect();
        let first = used.first()?.1;
        if used.iter().all(|(_, used)| *used == first) {
            return None;
        }
        let joined = |used: &BTreeSet<String>| used.iter().map(String::as_str).collect::<Vec<_>>().join("+");
        let detail: Vec<String> = used.iter().map(|(name, used)| format!("{name}={}", joined(used))).collect();
        let audit = Audit { field: Some(Cow::Borrowed(what)), ..Audit::new("mixed_provenance", Severity::Warn) };
        Some((None, audit.detail(detail.join("; "))))
    }
}

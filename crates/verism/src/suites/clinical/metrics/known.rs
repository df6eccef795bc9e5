//! What the patient said in questions of the dialogue (option `known_facts=slots_and_dialogue`).

use crate::suites::clinical::extract::ByDefault;
use crate::suites::clinical::extract::analysis::{Analysis, OwnName};
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::extract::mention::Status;

/// Facts that a patient stated.
#[derive(Debug, Default)]
pub(crate) struct PatientStatements {
    names: Vec<(Kind, u32)>,
    /// Entity, canonical value, half a step of the last decimal written.
    numbers: Vec<(u32, f64, f64)>,
}

impl PatientStatements {
    /// Adds what a question states: asserted facts, and drugs and conditions said in the first person.
    pub(crate) fn hear(
        &mut self,
        engine: &Engine,
        own: &[OwnName],
        by_default: ByDefault,
        question: &str,
        scratch: &mut Analysis,
    ) {
        scratch.read(engine, question, own);
        let scratch = &*scratch;
        for fact in &scratch.extract(engine, own, by_default).facts {
            if fact.status != Status::Asserted && !scratch.first_person(engine, fact) {
                continue;
            }
            match (fact.kind, fact.value) {
                (Kind::Med | Kind::Condition, _) => self.names.push((fact.kind, fact.entity)),
                (Kind::Lab | Kind::Vital, Some(value)) => self.numbers.push((fact.entity, value.low, value.half)),
                _ => {}
            }
        }
    }

    pub(crate) fn says(&self, kind: Kind, entity: u32) -> bool {
        self.names.contains(&(kind, entity))
    }

    pub(crate) fn numbers(&self, entity: u32) -> impl Iterator<Item = (f64, f64)> {
        self.numbers.iter().filter(move |(of, ..)| *of == entity).map(|(_, value, half)| (*value, *half))
    }
}

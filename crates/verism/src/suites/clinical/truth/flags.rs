//! Patient flags, and which rules may apply to a patient.

use super::Truth;
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::extract::units::canonical;
use crate::suites::clinical::pack::When;
use crate::suites::clinical::text::norm::norm;

/// A condition of a rule, for one patient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Holds(bool),
    /// It depends on the question.
    Asked(usize),
}

impl Truth {
    /// A number of the record, or the age.
    fn field(&self, engine: &Engine, field: &str) -> Option<f64> {
        if field == "age" {
            return self.age;
        }
        // Labs and vitals share ids of numbers.
        let entities = [Kind::Lab, Kind::Vital].map(|kind| engine.find(kind, field));
        entities.into_iter().flatten().find_map(|entity| self.number(entity)).map(|number| number.value)
    }

    pub(super) fn read_flags(&mut self, engine: &Engine) {
        for (place, (_, flag)) in engine.pack.patient_flags.0.iter().enumerate() {
            let test = |test: &crate::suites::clinical::pack::FlagTest| {
                let Some(value) = self.field(engine, &test.field) else { return false };
                let mut limit = test.value;
                if let (Some(unit), Some(entity)) = (&test.unit, engine.measured_id(&test.field)) {
                    let place = engine.unit_place(entity, &norm(unit));
                    limit = canonical(&engine.entity(entity).units, limit, place).value;
                }
                match test.op.as_str() {
                    ">=" => value >= limit,
                    ">" => value > limit,
                    "<" => value < limit,
                    "<=" => value <= limit,
                    _ => value == limit,
                }
            };
            let holds = match &flag.any {
                Some(tests) => tests.iter().any(test),
                None => flag.all.iter().all(test),
            };
            if holds {
                self.flags.push(place);
            }
        }
    }

    pub(super) fn read_rules(&mut self, engine: &Engine) {
        let conditions: Vec<String> =
            self.primary.iter().chain(&self.comorbidities).map(|text| norm(text).into_owned()).collect();
        let has = |ids: &[u32], kind: Kind, wanted: &[String]| {
            let wanted: Vec<u32> = wanted.iter().filter_map(|id| engine.find(kind, id)).collect();
            ids.iter().any(|id| {
                wanted.contains(id)
                    || engine.entities.get(*id as usize).is_some_and(|x| x.ancestors.iter().any(|x| wanted.contains(x)))
            })
        };
        let flags = &engine.pack.patient_flags;
        let state = |when: &When| match when {
            When::QuestionFlag(name) => {
                engine.pack.question_flags.place(name).map_or(Condition::Holds(false), Condition::Asked)
            }
            When::PatientFlag(name) => Condition::Holds(self.flags.iter().any(|&place| {
                let (known, flag) = &flags.0[place];
                known == name || flag.aliases.contains(name)
            })),
            When::Condition(wanted) => Condition::Holds(has(&self.condition_ids, Kind::Condition, wanted)),
            When::ConditionContains(parts) => {
                let inside = |part: &String| conditions.iter().any(|text| text.contains(norm(part).as_ref()));
                Condition::Holds(parts.iter().any(inside))
            }
            When::Drug(wanted) => Condition::Holds(has(&self.med_ids, Kind::Med, wanted)),
            When::HasMeds(_) => Condition::Holds(!self.med_ids.is_empty()),
        };
        self.rules = engine.pack.rules.iter().map(|rule| rule.when.parts().iter().map(state).collect()).collect();
    }
}

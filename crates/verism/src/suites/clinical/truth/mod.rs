//! What a record says about a patient.

mod flags;
mod items;
mod numbers;
pub(crate) mod python;
mod strings;

use rustc_hash::FxHashSet;

pub(crate) use self::flags::Condition;
pub(crate) use self::items::{Slot, TextItem};
use super::extract::analysis::{Analysis, OwnName};
use super::extract::engine::{Engine, Kind};
use super::text::norm::norm;
use crate::input::value::Json;

/// A number of the record in the canonical unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TruthNumber {
    pub(crate) entity: u32,
    pub(crate) kind: Kind,
    pub(crate) value: f64,
    pub(crate) half: f64,
}

/// Slots of a record under their names in the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Canon {
    Age,
    Sex,
    PrimaryCondition,
    Comorbidities,
    ActiveMeds,
    Labs,
    Vitals,
    MajorProcedures,
    ChiefSymptom,
}

impl Canon {
    pub(crate) fn of(name: &str) -> Option<Canon> {
        Some(match name {
            "age" => Canon::Age,
            "sex" => Canon::Sex,
            "primary_condition" => Canon::PrimaryCondition,
            "comorbidities" => Canon::Comorbidities,
            "active_meds" => Canon::ActiveMeds,
            "labs" => Canon::Labs,
            "vitals" => Canon::Vitals,
            "major_procedures" => Canon::MajorProcedures,
            "chief_symptom" => Canon::ChiefSymptom,
            _ => return None,
        })
    }
}

/// A patient's record, read.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    /// Names that only this patient has.
    pub(crate) own: Vec<OwnName>,
    pub(crate) warnings: Vec<String>,
    pub(crate) age: Option<f64>,
    /// The entity of the sex.
    pub(crate) sex: Option<u32>,
    /// Kinds of facts that the record has but nobody can read.
    unusable_kinds: FxHashSet<Kind>,
    /// Numbers that the record has but nobody can read.
    unusable_numbers: FxHashSet<u32>,
    known: FxHashSet<Kind>,
    pub(crate) primary: Vec<String>,
    pub(crate) comorbidities: Vec<String>,
    meds: Vec<String>,
    procedures: Vec<String>,
    symptom: Vec<String>,
    pub(crate) med_ids: Vec<u32>,
    pub(crate) condition_ids: Vec<u32>,
    /// In the order of the record.
    pub(crate) numbers: Vec<TruthNumber>,
    /// Patient flags that hold, by their places.
    pub(crate) flags: Vec<usize>,
    /// For each rule whether its conditions hold.
    pub(crate) rules: Vec<Vec<Condition>>,
    /// For each turn profile its required slots.
    pub(crate) slots: Vec<Vec<Slot>>,
}

impl Truth {
    /// Reads a record; `scratch` serves for texts.
    pub(crate) fn read(engine: &Engine, slots: &Json<'_>, scratch: &mut Analysis) -> Truth {
        let mut truth = Truth::default();
        let mut given: Vec<(Canon, &str, &Json<'_>)> = vec![];
        for (canon, aliases) in &engine.pack.slot_aliases.0 {
            let Some(canon) = Canon::of(canon) else { continue };
            for alias in aliases {
                given.extend(slots.get(alias).map(|value| (canon, alias.as_str(), value)));
            }
        }
        let of =
            |canon: Canon| given.iter().filter(move |(of, ..)| *of == canon).map(|(_, name, value)| (*name, *value));
        truth.read_person(engine, of(Canon::Age).collect(), of(Canon::Sex).collect());
        let lists = [
            (Canon::PrimaryCondition, Some(Kind::Condition)),
            (Canon::Comorbidities, Some(Kind::Condition)),
            (Canon::ActiveMeds, Some(Kind::Med)),
            (Canon::MajorProcedures, None),
            (Canon::ChiefSymptom, None),
        ];
        let [primary, comorbidities, meds, procedures, symptom] =
            lists.map(|(canon, kind)| truth.read_strings(engine, of(canon), kind));
        let kinds = [
            (Canon::ActiveMeds, Kind::Med),
            (Canon::PrimaryCondition, Kind::Condition),
            (Canon::Comorbidities, Kind::Condition),
            (Canon::Labs, Kind::Lab),
            (Canon::Vitals, Kind::Vital),
        ];
        truth.known.extend(kinds.into_iter().filter(|(canon, _)| of(*canon).next().is_some()).map(|(_, kind)| kind));
        truth.med_ids = truth.read_ids(engine, &meds, Kind::Med, scratch);
        let conditions: Vec<String> = primary.iter().chain(&comorbidities).cloned().collect();
        truth.condition_ids = truth.read_ids(engine, &conditions, Kind::Condition, scratch);
        (truth.primary, truth.comorbidities, truth.meds) = (primary, comorbidities, meds);
        (truth.procedures, truth.symptom) = (procedures, symptom);
        for (canon, kind) in [(Canon::Labs, Kind::Lab), (Canon::Vitals, Kind::Vital)] {
            for (name, value) in of(canon) {
                truth.read_numbers(engine, kind, name, value, scratch);
            }
        }
        truth.settle_numbers(engine);
        truth.read_flags(engine);
        truth.read_rules(engine);
        truth.slots = engine
            .pack
            .turns
            .iter()
            .map(|turn| turn.required_slots.iter().map(|(slot, _)| truth.read_slot(engine, slot, scratch)).collect())
            .collect();
        truth
    }

    fn read_person(&mut self, engine: &Engine, ages: Vec<(&str, &Json<'_>)>, sexes: Vec<(&str, &Json<'_>)>) {
        let limits = (engine.pack.age.min, engine.pack.age.max);
        self.age = ages.iter().find_map(|(_, value)| read_age(value, limits));
        let codes = [&engine.pack.sex.m.codes, &engine.pack.sex.f.codes];
        let sex = |(_, value): &(&str, &Json<'_>)| {
            let text = python::text_of(value);
            let text = norm(&text);
            let code = text.trim();
            let place = codes.iter().position(|codes| codes.iter().any(|known| known == code))?;
            Some(engine.sexes[place])
        };
        self.sex = sexes.iter().find_map(sex);
        let both = [(Kind::Age, ages.first(), self.age.is_some()), (Kind::Sex, sexes.first(), self.sex.is_some())];
        for (kind, first, read) in both {
            if read {
                self.known.insert(kind);
            } else if let Some((name, _)) = first {
                self.warnings.push(format!("unparseable_truth:{name}"));
                self.unusable_kinds.insert(kind);
            }
        }
    }

    /// Whether the record has a slot for this kind of fact.
    pub(crate) fn knows(&self, kind: Kind) -> bool {
        self.known.contains(&kind)
    }

    /// Whether the record has facts of this kind that nobody can read.
    pub(crate) fn unusable(&self, kind: Kind) -> bool {
        self.unusable_kinds.contains(&kind)
    }

    /// Whether the record has this number, but nobody can read it.
    pub(crate) fn hides(&self, entity: u32, kind: Kind) -> bool {
        self.number(entity).is_none() && (self.unusable_numbers.contains(&entity) || self.unusable(kind))
    }

    pub(crate) fn number(&self, entity: u32) -> Option<&TruthNumber> {
        self.numbers.iter().find(|number| number.entity == entity)
    }
}

/// A whole number in range, or a text with exactly one run of digits that is one, without a minus before it.
fn read_age(value: &Json<'_>, (low, high): (f64, f64)) -> Option<f64> {
    let age = match value {
        Json::Int(x) => *x as f64,
        Json::Float(x) if x.fract() == 0.0 => *x,
        Json::Text(text) => {
            let text = norm(text);
            let start = text.find(|c: char| c.is_ascii_digit())?;
            let rest = &text[start..];
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let one = !rest[end..].contains(|c: char| c.is_ascii_digit()) && !text[..start].ends_with('-');
            rest[..end].parse().ok().filter(|_| one)?
        }
        _ => return None,
    };
    (low <= age && age <= high).then_some(age)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_one_whole_number() {
        let age = |json: &str| read_age(&Json::parse(json).expect("JSON"), (0.0, 120.0));
        for (json, expected) in [
            ("67", Some(67.0)),
            ("67.0", Some(67.0)),
            ("67.5", None),
            ("\"만 67세\"", Some(67.0)),
            ("\"1958-03-01\"", None),
            ("\"-5\"", None),
            ("130", None),
            ("true", None),
            ("\"예순\"", None),
        ] {
            assert_eq!(age(json), expected, "{json}");
        }
    }
}

//! Labs and vitals of a record.

use super::python::text_of;
use super::{Truth, TruthNumber};
use crate::input::value::Json;
use crate::suites::clinical::extract::analysis::Analysis;
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::extract::numbers::{UnitFound, number_at};
use crate::suites::clinical::extract::units::{canonical, half_step};
use crate::suites::clinical::text::norm::norm;

impl Truth {
    /// Reads a map of names to values, or a list of objects with name (or type), value and unit.
    pub(super) fn read_numbers(
        &mut self,
        engine: &Engine,
        kind: Kind,
        field: &str,
        value: &Json<'_>,
        scratch: &mut Analysis,
    ) {
        match value {
            Json::Object(entries) => {
                for (name, value) in entries {
                    self.read_number(engine, field, name, value, scratch);
                }
            }
            Json::List(items) => {
                let texts = items.iter().filter(|item| !matches!(item, Json::Object(_) | Json::Null));
                for item in texts {
                    self.unread_text(engine, kind, field, &text_of(item), scratch);
                }
                for item in items.iter().filter(|item| matches!(item, Json::Object(_))) {
                    let names = [item.get("name"), item.get("type")].into_iter().flatten();
                    let name = names.filter(|name| !name.is_nothing()).map(text_of).next();
                    self.read_number(engine, field, &name.unwrap_or_default(), item, scratch);
                }
            }
            _ => {}
        }
    }

    /// A text in a list is not read: every number that it names is unusable, or all of its kind.
    fn unread_text(&mut self, engine: &Engine, kind: Kind, field: &str, text: &str, scratch: &mut Analysis) {
        self.warnings.push(format!("unparseable_truth:{field}"));
        let names = scratch.read_names(engine, &norm(text));
        let named: Vec<u32> = names.iter().filter(|name| name.kind.is_number()).map(|name| name.entity).collect();
        if named.is_empty() {
            self.unusable_kinds.insert(kind);
        }
        self.unusable_numbers.extend(named);
    }

    fn read_number(&mut self, engine: &Engine, field: &str, name: &str, value: &Json<'_>, scratch: &mut Analysis) {
        let (value, unit) = match value {
            Json::Object(_) => (value.get("value"), value.get("unit")),
            other => (Some(other), None),
        };
        let Some(value) = value.filter(|value| !matches!(value, Json::Null)) else { return };
        let Some(entity) = resolve(engine, name, scratch) else {
            self.warnings.push(format!("unknown_truth:{field}.{name}"));
            return;
        };
        let mut text = norm(&text_of(value)).trim().to_string();
        if let Some(unit) = unit.filter(|unit| !unit.is_nothing()) {
            text.push(' ');
            text.push_str(&norm(&text_of(unit)));
        }
        let bytes = text.as_bytes();
        let about = engine.entity(entity);
        if about.composite {
            let pressure = engine.pressure(bytes, 0, bytes.len());
            match (engine.pressures, pressure) {
                (Some([high, low]), Some(pressure)) => {
                    let place = |entity| engine.unit_place(entity, "mmhg");
                    self.put(engine, high, pressure.systolic.0, pressure.systolic.2, place(high));
                    self.put(engine, low, pressure.diastolic.0, pressure.diastolic.2, place(low));
                }
                (both, _) => {
                    self.warnings.push(format!("unparseable_truth:{field}.{name}"));
                    self.unusable_numbers.extend(both.into_iter().flatten());
                }
            }
            return;
        }
        let Some(number) = number_at(bytes, 0, bytes.len()) else {
            self.warnings.push(format!("unparseable_truth:{field}.{name}"));
            self.unusable_numbers.insert(entity);
            return;
        };
        let rest = text[number.end..].trim();
        match engine.unit_at(bytes, number.end, about, bytes.len()) {
            UnitFound::Own(place, _) => self.put(engine, entity, number.value, number.decimals, Some(place)),
            _ if rest.is_empty() => self.put(engine, entity, number.value, number.decimals, None),
            _ => {
                self.warnings.push(format!("unit_not_for_entity:{field}.{name}:{rest}"));
                self.unusable_numbers.insert(entity);
            }
        }
    }

    /// The first value of a number stays.
    fn put(&mut self, engine: &Engine, entity: u32, value: f64, decimals: u32, unit: Option<usize>) {
        let about = engine.entity(entity);
        let found = canonical(&about.units, value, unit);
        if self.number(entity).is_none() && found.value.is_finite() {
            let half = half_step(decimals, found.factor);
            self.numbers.push(TruthNumber { entity, kind: about.kind, value: found.value, half });
        }
    }

    /// What some entry gives is usable; swapped pressures are swapped back.
    pub(super) fn settle_numbers(&mut self, engine: &Engine) {
        for number in &self.numbers {
            self.unusable_numbers.remove(&number.entity);
        }
        let Some([high, low]) = engine.pressures else { return };
        let place = |entity| self.numbers.iter().position(|number| number.entity == entity);
        if let (Some(high), Some(low)) = (place(high), place(low))
            && self.numbers[high].value < self.numbers[low].value
        {
            let (a, b) = (self.numbers[high], self.numbers[low]);
            (self.numbers[high].value, self.numbers[high].half) = (b.value, b.half);
            (self.numbers[low].value, self.numbers[low].half) = (a.value, a.half);
            self.warnings.push("bp_swapped".into());
        }
    }
}

/// The lab or vital of this name: by id, by a name of the lexicon (also with `_` as a space), else by scanning the name.
pub(super) fn resolve(engine: &Engine, name: &str, scratch: &mut Analysis) -> Option<u32> {
    let key = norm(name);
    let key = key.trim();
    let spaced = key.replace('_', " ");
    engine.measured_id(key).or_else(|| {
        let both = [engine.measured_name(key), engine.measured_name(&spaced)];
        // Of two the one that stands first in the pack.
        both.into_iter().flatten().min().or_else(|| {
            scratch.read_names(engine, &spaced).iter().find(|name| name.kind.is_number()).map(|name| name.entity)
        })
    })
}

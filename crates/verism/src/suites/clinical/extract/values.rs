//! Labs and vitals with their values.

use super::analysis::{Analysis, Named};
use super::engine::{Engine, Entity};
use super::mention::{Mention, Status, Value};
use super::numbers::{Quantity, number_at};
use super::pressure::Pressure;
use super::units::{canonical, half_step};
use crate::suites::clinical::pack::GAP_SPLIT;

/// A value with the text between it and its name.
#[derive(Clone, Debug)]
pub(crate) struct Valued<'a> {
    pub(crate) mention: Mention<'a>,
    pub(crate) name_start: usize,
    pub(crate) value_end: usize,
    /// The gap, and its words.
    pub(crate) gap: &'a str,
    pub(crate) words: Vec<&'a str>,
}

/// The words of a gap between a name and its value.
pub(crate) fn gap_words(gap: &str) -> impl Iterator<Item = &str> {
    gap.split(GAP_SPLIT).filter(|word| !word.is_empty())
}

/// A name's place and the words between it and the number.
struct NameGap<'a> {
    name_start: usize,
    gap: &'a str,
    words: Vec<&'a str>,
}

impl Analysis {
    /// The values of a lab or vital: of its name alone none.
    pub(crate) fn values<'a>(&'a self, engine: &'a Engine, name: &Named, out: &mut Vec<Valued<'a>>) {
        let Some(segment) = self.doc.segment_at(name.start) else { return };
        let bounds = self.doc.segments[segment];
        let entity = engine.entity(name.entity);
        let before = out.len();
        self.value_behind(engine, name, entity, (bounds.start, bounds.end), out);
        if out.len() == before {
            self.value_before(engine, name, entity, (bounds.start, bounds.end), out);
        }
    }

    /// The first number behind the name, if only known words stand between, or few and the number has the entity's unit.
    fn value_behind<'a>(
        &'a self,
        engine: &'a Engine,
        name: &Named,
        entity: &Entity,
        segment: (usize, usize),
        out: &mut Vec<Valued<'a>>,
    ) {
        let next = self.numbers.partition_point(|number| number.start < name.end);
        let Some(number) = self.numbers.get(next).filter(|number| number.start < segment.1) else { return };
        let numeric = &engine.pack.numeric;
        // Where the name ends in digits a number may start inside what follows; only whole numbers are listed.
        let at = number.start;
        if at - name.end > 4 * numeric.max_gap as usize || self.doc.width(name.end, at) as f64 >= numeric.max_gap {
            return;
        }
        let gap = &self.text()[name.end..at];
        let words: Vec<&str> = gap_words(gap).collect();
        let known = words.iter().all(|word| engine.words.gap.contains(*word));
        let free = || {
            words.len() as f64 <= numeric.free_gap_words
                && !gap.contains([',', ';', ':', '(', ')'])
                && !self.measured_between(name.end, at)
        };
        if !(known || free()) || self.is_enumerator(at, segment) {
            return;
        }
        let around = NameGap { name_start: name.start, gap, words };
        let before = out.len();
        self.value_at(engine, name, entity, at, segment, around, out);
        let stated = out.get(before).is_some_and(|first| first.mention.value.is_some_and(|v| v.stated_unit.is_some()));
        if !known && !stated {
            out.truncate(before);
        }
    }

    fn measured_between(&self, start: usize, end: usize) -> bool {
        let first = self.names.partition_point(|name| name.start < start);
        self.names[first..].iter().take_while(|name| name.start < end).any(|name| name.kind.is_number())
    }

    /// A number of a list inside the line: one or two digits and ")" with no bracket open before it.
    fn is_enumerator(&self, at: usize, segment: (usize, usize)) -> bool {
        let bytes = self.doc.bytes();
        let digits = bytes[at..segment.1].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
        digits <= 2 && bytes.get(at + digits) == Some(&b')') && self.no_open_bracket(segment.0, at)
    }

    #[expect(clippy::too_many_arguments, reason = "a value is where its name, its number and its segment meet")]
    fn value_at<'a>(
        &'a self,
        engine: &'a Engine,
        name: &Named,
        entity: &Entity,
        at: usize,
        segment: (usize, usize),
        around: NameGap<'a>,
        out: &mut Vec<Valued<'a>>,
    ) {
        let bytes = self.doc.bytes();
        let span = |end: usize| (name.start, end);
        if entity.composite {
            if let Some(pressure) = engine.pressure(bytes, at, segment.1) {
                let span = (name.start.min(at), name.end.max(pressure.end));
                return self.push_pressure(engine, &pressure, span, &around, out);
            }
            let systolic = engine.pressures.map(|[systolic, _]| systolic);
            if let (Some(systolic), Some(quantity)) = (systolic, engine.quantity(bytes, at, entity, segment.1)) {
                // The unit was found among those of the name.
                let unit = quantity.unit.and_then(|unit| {
                    let id = &entity.units[unit].id;
                    engine.entity(systolic).units.iter().position(|unit| unit.id == *id)
                });
                let stated = quantity.unit.is_some();
                self.push_value(
                    engine,
                    systolic,
                    &Quantity { unit, ..quantity },
                    stated,
                    span(quantity.end),
                    &around,
                    out,
                );
            }
            return;
        }
        let Some(quantity) = engine.quantity(bytes, at, entity, segment.1) else { return };
        let needs = quantity.unit.is_none() && needs_unit(entity, &self.text()[name.start..name.end]);
        if !needs {
            self.push_value(engine, name.entity, &quantity, quantity.unit.is_some(), span(quantity.end), &around, out);
        }
    }

    /// Value before the name: number, own unit, perhaps a joining word, name.
    fn value_before<'a>(
        &'a self,
        engine: &'a Engine,
        name: &Named,
        entity: &Entity,
        segment: (usize, usize),
        out: &mut Vec<Valued<'a>>,
    ) {
        let text = self.text();
        let inside = text[segment.0..name.start].trim_end_matches(' ');
        let joins = engine.pack.numeric.before_joins.iter();
        // A joining word has something before it.
        let joined = joins.filter_map(|join| inside.strip_suffix(join.as_str())).find(|rest| !rest.is_empty());
        let to = segment.0 + joined.unwrap_or(inside).trim_end_matches(' ').len();
        let before = self.numbers.partition_point(|number| number.start < to);
        let first = self.numbers.partition_point(|number| number.start < segment.0);
        // A quantity holds few numbers, those inside its units included.
        let from = before.saturating_sub(engine.most_numbers).max(first);
        let bytes = self.doc.bytes();
        let around = NameGap { name_start: name.start, gap: "", words: vec![] };
        for number in &self.numbers[from..before] {
            self.step();
            if entity.composite {
                let pressure = engine.pressure(bytes, number.start, segment.1);
                if let Some(pressure) = pressure.filter(|pressure| pressure.stated && pressure.end == to) {
                    let span = (name.start.min(number.start), name.end.max(pressure.end));
                    return self.push_pressure(engine, &pressure, span, &around, out);
                }
                continue;
            }
            let quantity = engine.quantity(bytes, number.start, entity, segment.1);
            if let Some(quantity) = quantity.filter(|x| x.unit.is_some() && x.end == to && name.start > to) {
                let span = (number.start, name.end);
                return self.push_value(engine, name.entity, &quantity, true, span, &around, out);
            }
        }
    }

    /// Pressures without a name: `N/M mmHg`, outside of what names have taken.
    pub(crate) fn nameless<'a>(&'a self, engine: &'a Engine, used: &mut [(usize, usize)], out: &mut Vec<Valued<'a>>) {
        used.sort_unstable();
        let bytes = self.doc.bytes();
        let (mut next, mut reach) = (0, 0);
        let mut from = 0;
        for number in &self.numbers {
            let at = number.start;
            while used.get(next).is_some_and(|(start, _)| *start <= at) {
                reach = reach.max(used[next].1);
                next += 1;
            }
            if at < reach || at < from {
                continue;
            }
            let Some(segment) = self.doc.segment_at(at) else { continue };
            let bounds = self.doc.segments[segment];
            let pressure = engine.pressure(bytes, at, bounds.end);
            if let Some(pressure) = pressure.filter(|pressure| pressure.stated) {
                // The three words before it stand for its gap.
                let start = self.words_back(at, bounds.start);
                let mut words: Vec<&str> = gap_words(&self.text()[start..at]).collect();
                words.drain(..words.len().saturating_sub(3));
                let around = NameGap { name_start: at, gap: "", words };
                self.push_pressure(engine, &pressure, (at, pressure.end), &around, out);
                from = pressure.end;
            }
        }
    }

    /// The start of the third word before a place, or further back.
    fn words_back(&self, at: usize, limit: usize) -> usize {
        let mut words = 0;
        let mut inside = false;
        for (offset, c) in self.text()[limit..at].char_indices().rev() {
            let split = GAP_SPLIT.contains(&c);
            words += u32::from(!split && !inside);
            if words > 3 {
                return limit + offset + c.len_utf8();
            }
            inside = !split;
        }
        limit
    }

    fn push_pressure<'a>(
        &'a self,
        engine: &'a Engine,
        pressure: &Pressure,
        span: (usize, usize),
        around: &NameGap<'a>,
        out: &mut Vec<Valued<'a>>,
    ) {
        let Some(entities) = engine.pressures else { return };
        for (entity, part) in entities.into_iter().zip([pressure.systolic, pressure.diastolic]) {
            let unit = pressure.stated.then(|| engine.unit_place(entity, "mmhg")).flatten();
            let quantity = Quantity { low: part.0, top: part.1, decimals: part.2, unit, end: pressure.end };
            self.push_value(engine, entity, &quantity, pressure.stated, span, around, out);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a value is where its name, its number and its segment meet")]
    fn push_value<'a>(
        &'a self,
        engine: &'a Engine,
        entity: u32,
        quantity: &Quantity,
        stated: bool,
        (start, end): (usize, usize),
        around: &NameGap<'a>,
        out: &mut Vec<Valued<'a>>,
    ) {
        let about = engine.entity(entity);
        let first = canonical(&about.units, quantity.low, quantity.unit);
        let second = canonical(&about.units, quantity.top, Some(first.unit)).value;
        if !(first.value.is_finite() && second.is_finite()) {
            return;
        }
        let value = Value {
            low: first.value.min(second),
            high: first.value.max(second),
            stated: quantity.low,
            stated_unit: stated.then_some(first.unit),
            half: half_step(quantity.decimals, first.factor),
            approximate: around.words.iter().any(|word| engine.words.approx.contains(*word)),
        };
        let mention = Mention {
            kind: about.kind,
            entity,
            start,
            end,
            value: Some(value),
            status: Status::Unasserted,
            why: None,
            name_start: Some(around.name_start),
        };
        out.push(Valued {
            mention,
            name_start: around.name_start,
            value_end: quantity.end,
            gap: around.gap,
            words: around.words.clone(),
        });
    }
}

/// Whether a name counts only with a unit.
pub(crate) fn needs_unit(entity: &Entity, name: &str) -> bool {
    entity.needs_unit.iter().any(|needs| needs == name)
}

impl Engine {
    /// The place of a unit among those of an entity.
    pub(crate) fn unit_place(&self, entity: u32, unit: &str) -> Option<usize> {
        self.entity(entity).units.iter().position(|known| known.id == unit)
    }
}

/// Most numbers that a pressure with its units may hold.
pub(crate) fn most_numbers<'f>(forms: impl Iterator<Item = &'f str>) -> usize {
    let starts =
        |form: &str| (0..form.len()).filter(|at| number_at(form.as_bytes(), *at, form.len()).is_some()).count();
    4 + 2 * forms.map(starts).max().unwrap_or(0)
}

//! Units: how they are written, and what a number with one means.

use crate::suites::clinical::pack::UnitRow;
use crate::suites::clinical::text::letters::is_alnum;
use crate::suites::clinical::text::norm::norm;

/// The forms of a unit, longest first.
#[derive(Debug)]
pub(crate) struct Forms {
    forms: Vec<Form>,
    /// For each first byte the places of forms.
    by_first: Vec<(u8, Vec<u16>)>,
}

#[derive(Debug)]
struct Form {
    text: String,
    /// A single Hangul syllable: as a foreign unit it counts only right behind the number.
    glued: bool,
}

impl Forms {
    pub(crate) fn new(forms: &[String]) -> Forms {
        let mut texts: Vec<String> =
            forms.iter().map(|form| norm(form).into_owned()).filter(|x| !x.is_empty()).collect();
        texts.sort_by_key(|text| (std::cmp::Reverse(text.chars().count()), text.clone()));
        let mut by_first: Vec<(u8, Vec<u16>)> = vec![];
        for (place, text) in texts.iter().enumerate() {
            let first = text.as_bytes()[0];
            match by_first.iter_mut().find(|(byte, _)| *byte == first) {
                Some((_, places)) => places.push(place as u16),
                None => by_first.push((first, vec![place as u16])),
            }
        }
        let single = |text: &str| {
            text.chars().count() == 1 && ('\u{ac00}'..='\u{d7a3}').contains(&text.chars().next().unwrap_or(' '))
        };
        let forms = texts.into_iter().map(|text| Form { glued: single(&text), text }).collect();
        Forms { forms, by_first }
    }

    /// The end of the longest form right here, or behind up to two spaces. With `foreign`, one-syllable forms must be glued.
    pub(crate) fn end(&self, text: &[u8], at: usize, limit: usize, foreign: bool) -> Option<usize> {
        let near = behind_spaces(text, at, limit);
        let mut best: Option<(u16, usize)> = None;
        for (place, from) in [(near, true), (at, false)] {
            if from || near != at {
                let Some(first) = text.get(place) else { continue };
                let Some((_, places)) = self.by_first.iter().find(|(byte, _)| byte == first) else { continue };
                let fits = |number: &&u16| {
                    let form = &self.forms[usize::from(**number)];
                    !(foreign && form.glued && place != at) && form.ends(text, place, limit).is_some()
                };
                if let Some(&number) = places.iter().find(fits)
                    && best.is_none_or(|(known, _)| number < known)
                {
                    best = Some((number, place + self.forms[usize::from(number)].text.len()));
                }
            }
        }
        best.map(|(_, end)| end)
    }
}

impl Form {
    fn ends(&self, text: &[u8], at: usize, limit: usize) -> Option<usize> {
        let end = at + self.text.len();
        let fits = end <= limit && text[at..].starts_with(self.text.as_bytes());
        let last = self.text.as_bytes()[self.text.len() - 1];
        let open = !(is_alnum(last) && text.get(end).is_some_and(|byte| is_alnum(*byte)));
        (fits && open).then_some(end)
    }
}

/// Behind at most two spaces.
pub(crate) fn behind_spaces(text: &[u8], at: usize, limit: usize) -> usize {
    let mut to = at;
    while to < limit && text[to] == b' ' && to - at < 2 {
        to += 1;
    }
    to
}

/// A unit that an entity may have; the first is the canonical one.
#[derive(Debug)]
pub(crate) struct EntityUnit {
    pub(crate) id: String,
    factor: f64,
    offset: f64,
    low: f64,
    high: f64,
    /// None for a number without a unit.
    pub(crate) forms: Option<Forms>,
}

impl EntityUnit {
    pub(crate) fn new(row: &UnitRow, units: &[crate::suites::clinical::pack::Unit]) -> EntityUnit {
        let (id, factor, offset, low, high) = row.clone();
        // Of two units with one id the last counts.
        let forms = units.iter().rev().find(|unit| unit.id == id && !id.is_empty()).map(|unit| Forms::new(&unit.forms));
        EntityUnit { id, factor, offset, low, high, forms }
    }

    fn holds(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// A number in the canonical unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Canonical {
    pub(crate) value: f64,
    /// What one step of the stated unit is in the canonical one.
    pub(crate) factor: f64,
    /// Place of the unit used.
    pub(crate) unit: usize,
    pub(crate) plausible: bool,
}

/// A number in the canonical unit of an entity.
///
/// ```math
/// canonical = value · factor + offset
/// ```
/// Without a unit, or with one that the entity lacks: the first unit whose plausible range holds the number, else the
/// canonical one, then not plausible.
pub(crate) fn canonical(units: &[EntityUnit], value: f64, unit: Option<usize>) -> Canonical {
    let with = |place: usize, plausible: bool| {
        let unit = &units[place];
        Canonical { value: value * unit.factor + unit.offset, factor: unit.factor, unit: place, plausible }
    };
    match unit {
        Some(place) => with(place, units[place].holds(value)),
        None => match units.iter().position(|unit| unit.holds(value)) {
            Some(place) => with(place, true),
            None => with(0, false),
        },
    }
}

/// Half a step of the last decimal stated, in the canonical unit.
pub(crate) fn half_step(decimals: u32, factor: f64) -> f64 {
    0.5 * libm::pow(10.0, -f64::from(decimals)) * factor
}

//! Numbers in a text: plain ones and quantities with units and ranges.

use super::analysis::Analysis;
use super::engine::{Engine, Entity};
use super::units::behind_spaces;
use crate::suites::clinical::text::letters::is_alnum;
use crate::text::bits::first_of;

/// A number as it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: f64,
    pub(crate) decimals: u32,
}

/// The digits that start here: `1,234.5` or `1234.5`. None if there are none, or more than binary64 holds.
pub(crate) fn digits_at(text: &[u8], start: usize, limit: usize) -> Option<Number> {
    let digits = |from: usize| text[from.min(limit)..limit].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let lead = digits(start);
    if lead == 0 {
        return None;
    }
    let mut end = start + lead;
    if lead <= 3 {
        while text.get(end) == Some(&b',') && end + 4 <= limit && text[end + 1..end + 4].iter().all(u8::is_ascii_digit)
        {
            end += 4;
        }
    }
    let mut decimals = 0;
    if end < limit && text[end] == b'.' {
        decimals = digits(end + 1);
        end += if decimals > 0 { decimals + 1 } else { 0 };
    }
    let value = match end - start <= 9 && decimals == 0 {
        // Most numbers are short and whole.
        true => {
            let digits = text[start..end].iter().filter(|byte| **byte != b',');
            f64::from(digits.fold(0, |number: u32, digit| 10 * number + u32::from(digit - b'0')))
        }
        false => {
            let digits = text[start..end].iter().filter(|byte| **byte != b',');
            let plain: String = digits.map(|byte| char::from(*byte)).collect();
            plain.parse().ok().filter(|value: &f64| value.is_finite())?
        }
    };
    Some(Number { start, end, value, decimals: decimals as u32 })
}

/// Whether a number may start here: no letter or digit before it, nor a mark that stands behind a digit.
pub(crate) fn may_start(text: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| text[before]) {
        None => true,
        Some(byte) if is_alnum(byte) => false,
        Some(b'.' | b',') => !(at >= 2 && text[at - 2].is_ascii_digit()),
        Some(_) => true,
    }
}

/// The number that starts here.
pub(crate) fn number_at(text: &[u8], at: usize, limit: usize) -> Option<Number> {
    (at < limit && text[at].is_ascii_digit() && may_start(text, at)).then(|| digits_at(text, at, limit)).flatten()
}

/// What stands behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitFound {
    /// One of the entity's own units, by its place, and its end.
    Own(usize, usize),
    /// A unit of something else.
    Other,
    None,
}

/// A number or a range with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) low: f64,
    pub(crate) top: f64,
    pub(crate) decimals: u32,
    pub(crate) unit: Option<usize>,
    pub(crate) end: usize,
}

impl Engine {
    /// The unit behind a number: the longest form among the entity's own units, else a foreign one.
    pub(crate) fn unit_at(&self, text: &[u8], at: usize, entity: &Entity, limit: usize) -> UnitFound {
        let mut best: Option<(usize, usize)> = None;
        for (place, unit) in entity.units.iter().enumerate() {
            let end = unit.forms.as_ref().and_then(|forms| forms.end(text, at, limit, false));
            if let Some(end) = end.filter(|end| best.is_none_or(|(_, known)| *end > known)) {
                best = Some((place, end));
            }
        }
        if let Some((place, end)) = best {
            return UnitFound::Own(place, end);
        }
        let near = behind_spaces(text, at, limit);
        if self.other_units_not.iter().any(|body| body.at(text, near).is_some()) {
            return UnitFound::None;
        }
        self.other_units.end(text, at, limit, true).map_or(UnitFound::None, |_| UnitFound::Other)
    }

    /// Where the upper end of a range starts, if a separator and a digit follow.
    pub(crate) fn range_from(&self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let to = |sep: &String| rest.starts_with(sep.as_bytes()).then_some(at + sep.len());
        self.range_seps.iter().filter_map(to).find(|to| text.get(*to).is_some_and(u8::is_ascii_digit))
    }

    /// The quantity that starts here; none if its unit belongs to something else.
    pub(crate) fn quantity(&self, text: &[u8], at: usize, entity: &Entity, limit: usize) -> Option<Quantity> {
        let first = number_at(text, at, limit)?;
        let (mut end, mut decimals, mut top) = (first.end, first.decimals, first.value);
        let mut unit = self.unit_at(text, end, entity, limit);
        let from = if let UnitFound::Own(_, unit_end) = unit { unit_end } else { end };
        if let Some(second) = self.range_from(text, from).and_then(|from| digits_at(text, from, limit)) {
            top = second.value;
            decimals = decimals.min(second.decimals);
            end = second.end;
            match (self.unit_at(text, end, entity, limit), unit) {
                (UnitFound::None, UnitFound::Own(place, _)) => unit = UnitFound::Own(place, end),
                (UnitFound::None, _) => unit = UnitFound::None,
                (found, _) => unit = found,
            }
        }
        let (unit, end) = match unit {
            UnitFound::Other => return None,
            UnitFound::Own(place, unit_end) => (Some(place), unit_end),
            UnitFound::None => (None, end),
        };
        let per = self.pack.numeric.per_tails.iter().any(|tail| text[end..].starts_with(tail.as_bytes()));
        (!per).then_some(Quantity { low: first.value, top, decimals, unit, end })
    }
}

impl Analysis {
    /// Collects the numbers of the text.
    pub(crate) fn read_numbers(&mut self) {
        self.numbers.clear();
        let text = self.doc.text.as_bytes();
        let next = |from: usize| first_of(text, from, text.len(), |bytes| bytes.between(b'0', b'9'));
        let mut at = next(0);
        while at < text.len() {
            match number_at(text, at, text.len()) {
                Some(number) => {
                    self.numbers.push(number);
                    at = number.end;
                }
                None => at += text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count().max(1),
            }
            at = next(at);
        }
    }
}

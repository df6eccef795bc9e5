//! Blood pressure: `131/74`, `131 over 74`, ranges on both sides of the stroke.

use super::engine::Engine;
use super::numbers::{UnitFound, digits_at, number_at};
use super::units::canonical;
use crate::suites::clinical::text::letters::skip_spaces;

/// Lower and upper end, decimals.
type Part = (f64, f64, u32);

/// Two pressures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pressure {
    pub(crate) systolic: Part,
    pub(crate) diastolic: Part,
    /// Whether mmHg follows.
    pub(crate) stated: bool,
    pub(crate) end: usize,
}

impl Engine {
    /// The pressure that starts here.
    pub(crate) fn pressure(&self, text: &[u8], at: usize, limit: usize) -> Option<Pressure> {
        let first = number_at(text, at, limit)?;
        let (systolic, end) = self.part(text, first.value, first.decimals, first.end, limit, true)?;
        let stroke = skip_spaces(text, end, limit);
        let spoken = !(stroke < limit && text[stroke] == b'/');
        let from = if spoken {
            let word = self.pack.numeric.bp_words.iter().find(|word| text[end..].starts_with(word.as_bytes()))?;
            end + word.len()
        } else {
            skip_spaces(text, stroke + 1, limit)
        };
        if from >= limit {
            return None;
        }
        let second = digits_at(text, from, limit)?;
        let (diastolic, end) = self.part(text, second.value, 0, second.end, limit, !spoken)?;
        if spoken && !self.are_pressures(text, systolic.0, diastolic.0, end, limit) {
            return None;
        }
        let unit = self.mmhg.as_ref().and_then(|forms| forms.end(text, end, limit, false));
        Some(Pressure { systolic, diastolic, stated: unit.is_some(), end: unit.unwrap_or(end) })
    }

    /// A number, or a range that starts with it.
    fn part(
        &self,
        text: &[u8],
        low: f64,
        decimals: u32,
        end: usize,
        limit: usize,
        ranges: bool,
    ) -> Option<(Part, usize)> {
        match self.range_from(text, end).filter(|_| ranges) {
            Some(from) => {
                let top = digits_at(text, from, limit)?;
                Some(((low, top.value, 0), top.end))
            }
            None => Some(((low, low, decimals), end)),
        }
    }

    /// Whether two numbers in words are plausible pressures, the second without a foreign unit.
    fn are_pressures(&self, text: &[u8], high: f64, low: f64, end: usize, limit: usize) -> bool {
        let Some([systolic, diastolic]) = self.pressures else { return false };
        let plausible = |entity: u32, value: f64| {
            canonical(&self.entity(entity).units, value, self.unit_place(entity, "mmhg")).plausible
        };
        self.unit_at(text, end, self.entity(diastolic), limit) != UnitFound::Other
            && high > low
            && plausible(systolic, high)
            && plausible(diastolic, low)
    }
}

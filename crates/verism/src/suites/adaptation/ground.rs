//! What must be known about a cell before a number can be made from it.

use super::pack::{Pack, RuleKind};
use super::tally::{Core, Tally};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure, NOT_APPLICABLE, Undefined, ratio};

/// What is known of a cell before its counts are looked at, with the pack and the reading.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) pack: &'a Pack,
    /// Whether the published program's zero conventions apply.
    pub(super) v6: bool,
    /// Whether there is no valid row.
    empty: bool,
    /// States and constructs that some valid row fills, as bits.
    states: u32,
    constructs: u32,
}

fn filled(counts: &[u64]) -> u32 {
    counts.iter().enumerate().fold(0, |bits, (i, &count)| bits | u32::from(count > 0) << i)
}

impl<'a> Ground<'a> {
    pub(super) fn of(pack: &'a Pack, tally: &Tally, v6: bool) -> Ground<'a> {
        let (states, constructs) = (filled(&tally.state_filled), filled(&tally.construct_filled));
        Ground { pack, v6, empty: tally.rows == 0, states, constructs }
    }

    /// Column of an exit state that no row fills: then nobody knows which rows are active.
    pub(super) fn exit_gap(&self) -> Option<&'a str> {
        if self.v6 || self.empty {
            return None;
        }
        let empty = |exit: &usize| self.states >> exit & 1 == 0;
        self.pack.exits().find(empty).map(|exit| self.pack.states[exit].column.as_str())
    }

    /// Why nothing is known about active rows.
    pub(super) fn lost(&self) -> Option<Undefined> {
        self.exit_gap().map(Undefined::missing_field)
    }

    /// First column that the rules of a kind need and no row fills.
    pub(super) fn field_gap(&self, kind: RuleKind) -> Option<&'a str> {
        if self.v6 {
            return None;
        }
        self.pack.rules_of(kind).find_map(|(_, rule)| {
            let state = rule.state.map(|(s, _)| s).filter(|&s| self.states >> s & 1 == 0);
            let construct = rule.construct.map(|(c, _)| c).filter(|&c| self.constructs >> c & 1 == 0);
            let state = state.map(|s| self.pack.states[s].column.as_str());
            state.or_else(|| construct.map(|c| self.pack.constructs[c].column.as_str()))
        })
    }

    /// The share of active rows that break a rule of a kind; undefined by the first reason that applies.
    pub(super) fn rate(&self, core: &Core, breaking: u64, kind: RuleKind) -> Measure {
        if self.v6 {
            return Ok(ratio(breaking, core.active).unwrap_or(0.0));
        }
        if self.empty {
            return Err(EMPTY_DENOMINATOR);
        }
        if let Some(why) = self.lost() {
            return Err(why);
        }
        if self.pack.rules_of(kind).next().is_none() {
            return Err(NOT_APPLICABLE);
        }
        let rate = ratio(breaking, core.active)?;
        match self.field_gap(kind) {
            Some(column) => Err(Undefined::missing_field(column)),
            None => Ok(rate),
        }
    }
}

//! What must be known about a cell before a number can be made from it.

use super::tally::Tally;
use crate::score::Undefined;
use crate::suites::adaptation::pack::{Pack, RuleKind};
use crate::suites::adaptation::published::rules::Reading;

/// Which fields the rows of a cell fill, with the pack and the reading.
#[derive(Clone, Copy)]
pub(crate) struct Filled<'a> {
    pub(crate) pack: &'a Pack,
    pub(crate) reading: Reading,
    /// Whether there is no valid row.
    empty: bool,
    /// States and constructs that some valid row fills, as bits.
    states: u32,
    constructs: u32,
}

fn bits(counts: &[u64]) -> u32 {
    counts.iter().enumerate().fold(0, |bits, (i, &count)| bits | u32::from(count > 0) << i)
}

impl<'a> Filled<'a> {
    pub(crate) fn of(pack: &'a Pack, tally: &Tally, reading: Reading) -> Filled<'a> {
        let (states, constructs) = (bits(&tally.state_filled), bits(&tally.construct_filled));
        Filled { pack, reading, empty: tally.rows == 0, states, constructs }
    }

    /// Column of an exit state that no valid row fills: then nobody knows which rows are active.
    ///
    /// This is the only place where that is decided, for cells, shards and events alike.
    pub(crate) fn exit_gap(&self) -> Option<&'a str> {
        if self.empty || !self.reading.needs_filled_fields() {
            return None;
        }
        let empty = |exit: &usize| self.states >> exit & 1 == 0;
        self.pack.exits().find(empty).map(|exit| self.pack.states[exit].column.as_str())
    }

    /// Why nobody knows which rows are active, if so.
    pub(crate) fn activity_unknown(&self) -> Option<Undefined> {
        self.exit_gap().map(Undefined::missing_field)
    }

    /// First column that the rules of a kind need and no row fills.
    pub(crate) fn field_gap(&self, kind: RuleKind) -> Option<&'a str> {
        if !self.reading.needs_filled_fields() {
            return None;
        }
        self.pack.rules_of(kind).find_map(|(_, rule)| {
            let state = rule.state.map(|(s, _)| s).filter(|&s| self.states >> s & 1 == 0);
            let construct = rule.construct.map(|(c, _)| c).filter(|&c| self.constructs >> c & 1 == 0);
            let state = state.map(|s| self.pack.states[s].column.as_str());
            state.or_else(|| construct.map(|c| self.pack.constructs[c].column.as_str()))
        })
    }

    /// Whether there is no valid row.
    pub(crate) fn is_empty(&self) -> bool {
        self.empty
    }
}

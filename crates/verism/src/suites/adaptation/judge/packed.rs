//! A tally while it waits for the end of the job: as few bytes as its numbers need.
//!
//! A cell is counted once and asked a few times at the end; between, there may be tens of thousands of others. The bytes
//! are also what a shard writes down for `merge`.

use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::published::rules::Reading;

/// A tally in few bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PackedTally(Box<[u8]>);

impl From<&Tally> for PackedTally {
    fn from(tally: &Tally) -> PackedTally {
        PackedTally(postcard::to_allocvec(tally).expect("numbers and texts can always be packed").into())
    }
}

impl PackedTally {
    /// The tally as it was.
    pub(crate) fn open(&self) -> Tally {
        postcard::from_bytes(&self.0).unwrap_or_default()
    }

    /// The tally with a change.
    pub(crate) fn with(&self, change: impl FnOnce(&mut Tally)) -> PackedTally {
        let mut tally = self.open();
        change(&mut tally);
        PackedTally::from(&tally)
    }

    /// Whether a tally is in the bytes, which may have come from a file.
    pub(crate) fn is_sound(&self) -> bool {
        postcard::from_bytes::<Tally>(&self.0).is_ok()
    }
}

/// A cell that has been judged.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct JudgedCell {
    /// Number of its format.
    pub(crate) format: Option<usize>,
    /// Code of the defect by which it cannot be scored.
    pub(crate) broken: Option<String>,
    pub(crate) tally: PackedTally,
}

impl JudgedCell {
    /// Settles a whole cell; see [`Tally::settle`].
    pub(crate) fn settle(&mut self, pack: &Pack, reading: Reading) -> bool {
        let (tally, known) = self.tally.open().settle(pack, reading);
        self.tally = PackedTally::from(&tally);
        known
    }

    /// Adds the same cell of another shard.
    pub(crate) fn merge(&mut self, other: JudgedCell) {
        self.tally = self.tally.with(|tally| tally.merge(&other.tally.open()));
        self.broken = self.broken.take().or(other.broken);
        self.format = self.format.or(other.format);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tally::{CoherenceTally, Levels, RowTally};
    use super::*;

    fn core() -> impl Strategy<Value = RowTally> {
        let first = prop::option::of(("\\PC{0,4}", any::<i64>(), any::<u32>(), any::<u64>()));
        let counts = || prop::collection::vec(any::<u64>(), 0..4);
        (any::<[u64; 3]>(), counts(), counts(), prop::collection::vec(first, 0..3)).prop_map(
            |([active, id, think], action, intent, firsts)| RowTally {
                active,
                id,
                think,
                action,
                intent,
                first_intent: firsts.iter().rev().cloned().collect(),
                first_action: firsts,
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_put_away_comes_back(
            core in core(),
            years in prop::collection::btree_map(any::<i64>(), core(), 0..3),
            agents in prop::collection::btree_map("\\PC{0,4}", core(), 0..3),
            bad in prop::collection::btree_map("[a-z]{0,4}", any::<u64>(), 0..3),
            n in prop::collection::vec(prop_oneof![0_u64..300, any::<u64>()], 40),
            grid in prop::collection::vec((prop::collection::vec(0_u8..31, 0..8), any::<u64>(), any::<u64>()), 0..4),
            events in prop::collection::vec(("\\PC{0,4}", any::<i64>()), 0..4),
        ) {
            let four = |from: usize| [n[from], n[from + 1], n[from + 2], n[from + 3]];
            let tally = Tally {
                rows: n[0], placeholder: n[1], exited: n[2], bad, core, years, agents, first_active: n[3],
                reversals: n[4..6].to_vec(), state_filled: n[6..9].to_vec(), construct_filled: n[9..9].to_vec(),
                intervention_filled: n[10], retries_filled: n[11], interventions: n[12], retry_rows: n[13],
                retry_sum: u128::from(n[14]) << 64 | u128::from(n[15]), exposed: n[16..18].to_vec(),
                broken: vec![four(18), four(22)], status: four(26), id_status: four(27), think_status: four(28),
                with_proposal: n[29], substituted: n[30], informed: n[31], levels: vec![n[32..34].to_vec(), vec![]],
                sources: vec![[n[34], n[35], n[36], n[37], n[38]]],
                coherence: CoherenceTally {
                    grid: grid.into_iter().map(|(levels, n, c)| (Levels::from(levels), n, c)).collect(),
                    intents: n[20..25].to_vec(), other_intent: n[39], no_label: n[38], no_rule: n[37],
                },
                first_think: events.iter().rev().cloned().collect(), first_id: events,
            };
            prop_assert_eq!(PackedTally::from(&tally).open(), tally);
        }
    }
}

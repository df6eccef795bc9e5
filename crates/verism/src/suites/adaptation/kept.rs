//! A tally while it waits for the end of the job: as few bytes as its numbers need.
//!
//! A cell is counted once and asked a few times at the end; between, there may be tens of thousands of others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tally::{CoherenceTally, Core, First, Levels, Tally};

/// A tally that is put away.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Tally", into = "Tally")]
pub(super) struct Kept(Box<[u8]>);

impl From<Tally> for Kept {
    fn from(mut tally: Tally) -> Kept {
        let mut written = Written(vec![]);
        lay_out(&mut written, &mut tally);
        Kept(written.0.into())
    }
}

impl From<Kept> for Tally {
    fn from(kept: Kept) -> Tally {
        kept.open()
    }
}

impl Kept {
    /// The tally as it was.
    pub(super) fn open(&self) -> Tally {
        let mut tally = Tally::default();
        lay_out(&mut Read(&self.0), &mut tally);
        tally
    }
}

/// What numbers and texts are written to, or read from into the same places.
trait Tape {
    fn number(&mut self, number: &mut u64);
    fn text(&mut self, text: &mut String);

    fn numbers<'n>(&mut self, numbers: impl IntoIterator<Item = &'n mut u64>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    fn signed(&mut self, number: &mut i64) {
        let mut folded = (*number << 1 ^ *number >> 63) as u64;
        self.number(&mut folded);
        *number = (folded >> 1) as i64 ^ -((folded & 1) as i64);
    }

    fn list<T: Default>(&mut self, items: &mut Vec<T>, mut each: impl FnMut(&mut Self, &mut T)) {
        let mut count = items.len() as u64;
        self.number(&mut count);
        items.resize_with(count as usize, T::default);
        items.iter_mut().for_each(|item| each(self, item));
    }

    fn map<K, V>(&mut self, map: &mut BTreeMap<K, V>, mut each: impl FnMut(&mut Self, &mut K, &mut V))
    where
        K: Default + Ord,
        V: Default,
    {
        let mut items: Vec<(K, V)> = std::mem::take(map).into_iter().collect();
        self.list(&mut items, |tape, (key, value)| each(tape, key, value));
        map.extend(items);
    }

    fn list_of_numbers(&mut self, numbers: &mut Vec<u64>) {
        self.list(numbers, Self::number);
    }
}

/// Numbers in groups of seven bits, the lowest first; small ones take one byte.
struct Written(Vec<u8>);

impl Tape for Written {
    fn number(&mut self, number: &mut u64) {
        let mut rest = *number;
        while rest >= 0x80 {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    fn text(&mut self, text: &mut String) {
        self.number(&mut (text.len() as u64));
        self.0.extend_from_slice(text.as_bytes());
    }
}

struct Read<'b>(&'b [u8]);

impl Tape for Read<'_> {
    fn number(&mut self, number: &mut u64) {
        *number = 0;
        for shift in (0..64).step_by(7) {
            let Some((&byte, rest)) = self.0.split_first() else { return };
            self.0 = rest;
            *number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return;
            }
        }
    }

    fn text(&mut self, text: &mut String) {
        let mut length = 0;
        self.number(&mut length);
        let (bytes, rest) = self.0.split_at((length as usize).min(self.0.len()));
        self.0 = rest;
        *text = String::from_utf8_lossy(bytes).into_owned();
    }
}

/// Every part of a tally in a fixed order.
fn lay_out(tape: &mut impl Tape, tally: &mut Tally) {
    let Tally { rows, placeholder, exited, bad, core, years, agents, first_active, .. } = tally;
    tape.numbers([rows, placeholder, exited, first_active]);
    tape.map(bad, |tape, reason, count| {
        tape.text(reason);
        tape.number(count);
    });
    lay_out_core(tape, core);
    tape.map(years, |tape, year, core| {
        tape.signed(year);
        lay_out_core(tape, core);
    });
    tape.map(agents, |tape, agent, core| {
        tape.text(agent);
        lay_out_core(tape, core);
    });
    let Tally { reversals, state_filled, construct_filled, exposed, levels, sources, broken, .. } = tally;
    for counts in [reversals, state_filled, construct_filled, exposed] {
        tape.list_of_numbers(counts);
    }
    tape.list(levels, |tape, counts| tape.list_of_numbers(counts));
    tape.list(sources, |tape, counts| tape.numbers(counts));
    tape.list(broken, |tape, counts| tape.numbers(counts));
    let Tally { intervention_filled, interventions, retries_filled, retry_rows, retry_sum, .. } = tally;
    tape.numbers([intervention_filled, interventions, retries_filled, retry_rows]);
    let (mut high, mut low) = ((*retry_sum >> 64) as u64, *retry_sum as u64);
    tape.numbers([&mut high, &mut low]);
    *retry_sum = u128::from(high) << 64 | u128::from(low);
    let Tally { status, id_status, think_status, with_proposal, substituted, informed, .. } = tally;
    tape.numbers(status.iter_mut().chain(id_status).chain(think_status));
    tape.numbers([with_proposal, substituted, informed]);
    lay_out_coherence(tape, &mut tally.coherence);
    for events in [&mut tally.first_id, &mut tally.first_think] {
        tape.list(events, |tape, (agent, year)| {
            tape.text(agent);
            tape.signed(year);
        });
    }
}

fn lay_out_core(tape: &mut impl Tape, core: &mut Core) {
    let Core { active, id, think, action, intent, first_action, first_intent } = core;
    tape.numbers([active, id, think]);
    tape.list_of_numbers(action);
    tape.list_of_numbers(intent);
    for firsts in [first_action, first_intent] {
        tape.list(firsts, lay_out_first);
    }
}

fn lay_out_first<T: Tape>(tape: &mut T, first: &mut Option<First>) {
    let mut there = u64::from(first.is_some());
    tape.number(&mut there);
    if there == 1 {
        let (agent, year, file, line) = first.get_or_insert_default();
        let mut wide = u64::from(*file);
        tape.text(agent);
        tape.signed(year);
        tape.numbers([&mut wide, line]);
        *file = wide as u32;
    }
}

fn lay_out_coherence(tape: &mut impl Tape, coherence: &mut CoherenceTally) {
    let CoherenceTally { grid, intents, other_intent, no_label, no_rule } = coherence;
    tape.list(grid, |tape, (levels, n, coherent)| {
        let mut numbers: Vec<u64> = levels.iter().map(|&level| u64::from(level)).collect();
        tape.list_of_numbers(&mut numbers);
        *levels = numbers.into_iter().map(|level| level as u8).collect::<Levels>();
        tape.numbers([n, coherent]);
    });
    tape.list_of_numbers(intents);
    tape.numbers([other_intent, no_label, no_rule]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn core() -> impl Strategy<Value = Core> {
        let first = prop::option::of(("\\PC{0,4}", any::<i64>(), any::<u32>(), any::<u64>()));
        let counts = || prop::collection::vec(any::<u64>(), 0..4);
        (any::<[u64; 3]>(), counts(), counts(), prop::collection::vec(first, 0..3)).prop_map(
            |([active, id, think], action, intent, firsts)| Core {
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
            prop_assert_eq!(Kept::from(tally.clone()).open(), tally);
        }
    }
}

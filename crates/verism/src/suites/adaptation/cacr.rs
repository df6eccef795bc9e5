//! `CACR`: do intents fit what agents say of threat and coping?

use super::pack::{Coherence, Pack};
use super::tally::CoherenceTally;
use crate::score::Measure;
use crate::score::measure::{EMPTY_DENOMINATOR, ratio};

/// Eligible rows, coherent rows, and the numerator of what chance alone would reach.
pub(super) struct Coherent {
    pub(super) n: u64,
    pub(super) coherent: u64,
    pub(super) chance: u128,
}

impl Coherent {
    pub(super) fn of(pack: &Pack, tally: &CoherenceTally) -> Option<Coherent> {
        let coherence = pack.coherence.as_ref()?;
        let n = tally.grid.iter().map(|(_, n, _)| n).sum();
        let coherent = tally.grid.iter().map(|(_, _, coherent)| coherent).sum();
        let chance = tally.grid.iter().map(|(levels, n, _)| {
            let fitting = fitting(coherence, levels);
            let count = |(action, count): (usize, &u64)| if fitting >> action & 1 == 1 { *count } else { 0 };
            u128::from(*n) * u128::from(tally.intents.iter().enumerate().map(count).sum::<u64>())
        });
        Some(Coherent { n, coherent, chance: chance.sum() })
    }

    /// The share of eligible rows whose intent fits the pair of labels.
    ///
    /// ```math
    /// CACR = n_{coherent} / n_{eligible}
    /// ```
    /// Eligible: a known intent and labels that were really read. Undefined without eligible rows.
    pub(super) fn cacr(&self) -> Measure {
        ratio(self.coherent, self.n)
    }

    /// What the cell's own mix of actions would reach by chance.
    ///
    /// ```math
    /// CACR\_chance = \sum_{pairs} n_{pair} \sum_{a\ fits} n_a / N^2
    /// ```
    pub(super) fn chance(&self) -> Measure {
        if self.n == 0 { Err(EMPTY_DENOMINATOR) } else { Ok(self.chance as f64 / self.squared() as f64) }
    }

    pub(super) fn squared(&self) -> u128 {
        u128::from(self.n) * u128::from(self.n)
    }
}

/// The actions that fit a tuple of levels, as bits.
fn fitting(coherence: &Coherence, levels: &[u8]) -> u64 {
    let fits = |masks: &[u32]| masks.iter().zip(levels).all(|(mask, level)| mask >> level & 1 == 1);
    coherence.entries.iter().find(|(masks, _)| fits(masks)).map_or(0, |(_, actions)| *actions)
}

#[cfg(test)]
mod tests {
    use super::super::pack::FLOOD;
    use super::*;

    #[test]
    fn no_better_than_the_mix() {
        // Worked example 7 of the specification: five eligible rows, three coherent; chance (2·2 + 3 + 4 + 4)/25 with
        // intents nothing 2, insurance 2, elevation 1 over four pairs of labels.
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let pair =
            |threat: u8, coping: u8, n: u64, coherent: u64| ([threat, coping].into_iter().collect(), n, coherent);
        let tally = CoherenceTally {
            // (threat, coping) by level number: H/L twice, H/H, L/M, M/L once.
            grid: vec![pair(1, 2, 1, 1), pair(2, 1, 1, 0), pair(3, 1, 2, 1), pair(3, 3, 1, 1)],
            intents: vec![2, 2, 1, 0, 0],
            ..CoherenceTally::default()
        };
        let coherent = Coherent::of(&pack, &tally).expect("a pack with coherence");
        assert_eq!(coherent.cacr(), Ok(0.6));
        // H/L: nothing, insurance fit: 2·4; H/H: insurance and elevation: 3; L/M: nothing, insurance: 4; M/L: 4.
        assert_eq!(coherent.chance, 8 + 3 + 4 + 4);
        assert_eq!(Coherent { n: 0, coherent: 0, chance: 0 }.cacr(), Err(EMPTY_DENOMINATOR));
    }
}

//! `CACR`: do intents fit what agents say of threat and coping?

use super::bands::COHERENCE;
use super::evidence::{ChanceEvidence, CoherenceEvidence, Evidence};
use super::{BASE, Block, ComputedFrom, DecisionPart, Measure, OfRun, Run, SHARE_EMPTY};
use crate::score::Measure as Value;
use crate::score::measure::{EMPTY_DENOMINATOR, NOT_APPLICABLE, ratio};
use crate::suites::adaptation::judge::tally::CoherenceTally;
use crate::suites::adaptation::pack::{Coherence, Pack};
use crate::suites::{Better, Metric};

/// `CACR` as a measure.
pub(crate) const CACR: Measure = Measure {
    facts: &[Metric {
        id: "cacr",
        title: "CACR",
        says: "how often intents fit the pair of threat and coping",
        better: Better::Higher,
        formula: "coherent eligible rows / eligible rows",
        empty: SHARE_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Coherence,
        value: |run, _| of(run, Coherent::cacr).into(),
        n: eligible,
        evidence: |run, _| {
            let (rows, tally) = (Coherent::of(run.filled.pack, &run.tally.coherence), &run.tally.coherence);
            let skipped = [
                ("no_coherence_rule", tally.no_rule),
                ("no_label", tally.no_label),
                ("other_intent", tally.other_intent),
            ];
            let skipped = skipped.into_iter().filter(|(_, count)| *count > 0);
            Evidence::Coherence(CoherenceEvidence {
                denominator: rows.n,
                numerator: rows.coherent,
                skipped: skipped.map(|(why, count)| (why.to_string(), count)).collect(),
            })
        },
        ratio: Evidence::ratio,
    }),
    bands: COHERENCE,
    rests_on: &[DecisionPart::Intent, DecisionPart::Labels],
};

/// `CACR_chance` as a measure.
pub(crate) const CACR_CHANCE: Measure = Measure {
    facts: &[Metric {
        id: "cacr_chance",
        title: "CACR_chance",
        says: "what CACR the cell's own mix of actions would reach by chance",
        formula: "sum over label pairs of n_pair * n_fitting_actions / N^2",
        empty: SHARE_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Coherence,
        value: |run, _| of(run, Coherent::chance).into(),
        n: eligible,
        evidence: |run, _| {
            let rows = Coherent::of(run.filled.pack, &run.tally.coherence);
            Evidence::Chance(ChanceEvidence { numerator: rows.chance, denominator: rows.squared() })
        },
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Intent, DecisionPart::Labels],
};

fn of(run: &Run<'_>, measure: fn(&Coherent) -> Value) -> Value {
    if run.filled.pack.coherence.is_none() {
        return Err(NOT_APPLICABLE);
    }
    run.if_active_known(measure(&Coherent::of(run.filled.pack, &run.tally.coherence)))
}

fn eligible(run: &Run<'_>, _: usize) -> u64 {
    Coherent::of(run.filled.pack, &run.tally.coherence).n
}

/// Eligible rows, coherent rows, and the numerator of what chance alone would reach.
pub(crate) struct Coherent {
    pub(crate) n: u64,
    pub(crate) coherent: u64,
    pub(crate) chance: u128,
}

impl Coherent {
    pub(crate) fn of(pack: &Pack, tally: &CoherenceTally) -> Coherent {
        let n = tally.grid.iter().map(|(_, n, _)| n).sum();
        let coherent = tally.grid.iter().map(|(_, _, coherent)| coherent).sum();
        let chance = tally.grid.iter().map(|(levels, n, _)| {
            let fitting = pack.coherence.as_ref().map_or(0, |coherence| fitting(coherence, levels));
            let count = |(action, count): (usize, &u64)| if fitting >> action & 1 == 1 { *count } else { 0 };
            u128::from(*n) * u128::from(tally.intents.iter().enumerate().map(count).sum::<u64>())
        });
        Coherent { n, coherent, chance: chance.sum() }
    }

    /// The share of eligible rows whose intent fits the pair of labels.
    ///
    /// ```math
    /// CACR = n_{coherent} / n_{eligible}
    /// ```
    /// Eligible: a known intent and labels that were really read. Undefined without eligible rows.
    pub(crate) fn cacr(&self) -> Value {
        ratio(self.coherent, self.n)
    }

    /// What the cell's own mix of actions would reach by chance.
    ///
    /// ```math
    /// CACR\_chance = \sum_{pairs} n_{pair} \sum_{a\ fits} n_a / N^2
    /// ```
    pub(crate) fn chance(&self) -> Value {
        if self.n == 0 { Err(EMPTY_DENOMINATOR) } else { Ok(self.chance as f64 / self.squared() as f64) }
    }

    pub(crate) fn squared(&self) -> u128 {
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
    use super::*;
    use crate::suites::adaptation::pack::FLOOD;

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
        let coherent = Coherent::of(&pack, &tally);
        assert_eq!(coherent.cacr(), Ok(0.6));
        // H/L: nothing, insurance fit: 2·4; H/H: insurance and elevation: 3; L/M: nothing, insurance: 4; M/L: 4.
        assert_eq!(coherent.chance, 8 + 3 + 4 + 4);
        assert_eq!(Coherent { n: 0, coherent: 0, chance: 0 }.cacr(), Err(EMPTY_DENOMINATOR));
    }
}

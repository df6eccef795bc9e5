//! The measures: a file for each formula, and the slice that lists them.
//!
//! A measure knows its facts, how it is computed, its bands, and what of a single decision it rests on. Rows, ledger,
//! columns of tables, documentation and `why` come from the slice.

pub(crate) mod bands;
pub(crate) mod cacr;
pub(crate) mod evidence;
pub(crate) mod h_norm;
mod means;
mod other_share;
pub(crate) mod r_h;
pub(crate) mod r_r;
pub(crate) mod rates;
mod substitution;
pub(crate) mod versus;
pub(crate) mod workload;

use self::bands::Bands;
use self::evidence::Evidence;
use self::rates::Rates;
use crate::score::measure::{Measure as Value, Undefined};
use crate::suites::adaptation::judge::filled::Filled;
use crate::suites::adaptation::judge::tally::Tally;
use crate::suites::adaptation::pack::{Pack, RuleKind};
use crate::suites::{Better, Metric};

/// A measure of the suite.
pub(crate) struct Measure {
    /// What is known about it. Where some schemes are headline metrics, they come first and the pattern last.
    pub(crate) facts: &'static [Metric],
    /// How it is computed.
    pub(crate) how: ComputedFrom,
    /// Advisory bands of its values.
    pub(crate) bands: Bands,
    /// What of a single decision it looks at.
    pub(crate) rests_on: &'static [DecisionPart],
}

/// From what a measure is computed, which is also where its rows stand.
pub(crate) enum ComputedFrom {
    /// From the counts of a run.
    Run(OfRun),
    /// From the same measure of a run and of its baseline.
    Change(OfChange),
    /// The mean of a measure over the cells of a group.
    Mean(&'static Measure),
}

/// A measure of a run. `usize` is the number of the scheme, 0 where there is none.
pub(crate) struct OfRun {
    pub(crate) block: Block,
    pub(crate) value: fn(&Run<'_>, usize) -> Amount,
    /// Observations behind the value.
    pub(crate) n: fn(&Run<'_>, usize) -> u64,
    pub(crate) evidence: fn(&Run<'_>, usize) -> Evidence,
    /// Numerator and denominator as people are told.
    pub(crate) ratio: fn(&Evidence) -> Option<(u128, u128)>,
}

/// A change against the baseline.
pub(crate) struct OfChange {
    /// The measure that changes.
    pub(crate) of: &'static Measure,
    /// Takes it from the rates of a cell; the number is that of the headline scheme.
    pub(crate) subject: fn(&Rates, usize) -> &Value,
    /// The change from the baseline's value to the cell's.
    pub(crate) change: fn(&Value, &Value) -> Value,
    /// Whether it is a percentage: those stand in the published table.
    pub(crate) percent: bool,
}

/// The blocks that the rows of a run stand in. In a block of schemes there is a row for each scheme and measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Block {
    Rates,
    /// Actions, for every scheme.
    Actions,
    /// Intents, for the schemes of the published tables.
    Intents,
    Workload,
    Quality,
    /// Means over years, for the schemes of the published tables.
    Years,
    /// Coherence, if the pack has rules of it.
    Coherence,
}

impl Block {
    /// Every block in the order of rows.
    pub(crate) const ALL: [Block; 7] =
        [Block::Rates, Block::Actions, Block::Intents, Block::Workload, Block::Quality, Block::Years, Block::Coherence];

    /// The schemes that the block has rows for; a single 0 where schemes do not matter.
    pub(crate) fn schemes(self, pack: &Pack) -> Vec<usize> {
        match self {
            Block::Rates | Block::Workload | Block::Quality => vec![0],
            Block::Actions => (0..pack.schemes.len()).collect(),
            Block::Intents | Block::Years => pack.table_schemes().map(|(i, _)| i).collect(),
            Block::Coherence => pack.coherence.iter().map(|_| 0).collect(),
        }
    }
}

/// What of a decision a measure looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecisionPart {
    /// Whether it breaks a rule of a kind.
    Rules(RuleKind),
    Action,
    Intent,
    /// The labels of its appraisals.
    Labels,
    /// Whether it was carried out.
    Execution,
    /// Interventions and retries.
    Workload,
    /// The proposal that governance may replace.
    Proposal,
}

impl Measure {
    /// The facts of the measure as such: the pattern where ids have one.
    pub(crate) fn main(&self) -> &'static Metric {
        self.facts.last().expect("a measure has facts")
    }

    /// Whether this is the same measure as another.
    pub(crate) fn is(&self, other: &Measure) -> bool {
        self.main().id == other.main().id
    }

    /// Numerator and denominator of a value as people are told.
    pub(crate) fn ratio(&self, evidence: &Evidence) -> Option<(u128, u128)> {
        match &self.how {
            ComputedFrom::Run(run) => (run.ratio)(evidence),
            _ => evidence.ratio(),
        }
    }
}

/// A value, with the whole number that it is where it counts something.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    pub(crate) value: Value,
    pub(crate) count: Option<u128>,
}

impl From<Value> for Amount {
    fn from(value: Value) -> Amount {
        Amount { value, count: None }
    }
}

/// A run with what its measures are computed from.
pub(crate) struct Run<'a> {
    pub(crate) filled: Filled<'a>,
    pub(crate) tally: &'a Tally,
    pub(crate) rates: &'a Rates,
    pub(crate) format: Option<usize>,
}

impl Run<'_> {
    /// A value of active rows: undefined if nobody knows which rows are active.
    fn if_active_known(&self, value: Value) -> Value {
        self.filled.activity_unknown().map_or(value, |why: Undefined| Err(why))
    }
}

/// Every measure. The first entry that describes an id counts: a pattern stands behind those whose ids it also fits.
pub(crate) const MEASURES: &[Measure] = &[
    r_h::R_H,
    r_r::R_R,
    r_r::RATIONALITY_PASS,
    h_norm::H_NORM_YEARLY,
    means::H_NORM_MEAN,
    h_norm::H_NORM,
    h_norm::H_INTENT,
    h_norm::EHE_INTENT,
    means::EHE_MEAN,
    h_norm::EHE,
    workload::INTERVENTION_ROWS,
    workload::RETRY_ROWS,
    workload::RETRY_SUM,
    other_share::OTHER_ACTION,
    other_share::OTHER_INTENT,
    r_r::R_R_EXECUTED,
    substitution::SUBSTITUTION_RATE,
    r_r::R_R_INFORMED,
    cacr::CACR,
    cacr::CACR_CHANCE,
    versus::REDUCTION_R_H,
    versus::REDUCTION_R_R,
    versus::GAIN_EHE,
    versus::DELTA_R_H,
    versus::DELTA_R_R,
    versus::DELTA_EHE,
    means::R_H_MEAN,
    means::R_R_MEAN,
    means::RATIONALITY_PASS_MEAN,
    means::INTERVENTION_ROWS_MEAN,
    means::RETRY_ROWS_MEAN,
    means::RETRY_SUM_MEAN,
];

/// The measure that an id belongs to.
pub(crate) fn measure(id: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.facts.iter().any(|facts| facts.describes(id)))
}

const COUNT: usize = {
    let (mut count, mut i) = (0, 0);
    while i < MEASURES.len() {
        count += MEASURES[i].facts.len();
        i += 1;
    }
    count
};

/// The facts of all measures.
pub(crate) static METRICS: [Metric; COUNT] = {
    let mut metrics = [BASE; COUNT];
    let (mut next, mut i) = (0, 0);
    while i < MEASURES.len() {
        let mut j = 0;
        while j < MEASURES[i].facts.len() {
            metrics[next] = MEASURES[i].facts[j];
            next += 1;
            j += 1;
        }
        i += 1;
    }
    metrics
};

/// Source of the published measures.
const SEED: &str = "WRR v6 metric calculation spec";
/// Source of the others.
const OURS: &str = "verism, beyond the published tables";

/// A metric of a run that lies in [0, 1], from which the others differ in a few facts.
const BASE: Metric = Metric {
    id: "",
    title: "",
    says: "",
    range: (Some(0.0), Some(1.0)),
    better: Better::None,
    level: "run",
    headline: false,
    formula: "",
    empty: "",
    source: OURS,
};

const RATE_EMPTY: &str = "undefined: empty_denominator without active rows, missing_field:<column> if no row fills a field \
                          that the rules need, not_applicable without a rule of the kind";
const ENTROPY_EMPTY: &str = "undefined: not_applicable with fewer than two classes, missing_field:<column> if no row fills \
                             the exit state, empty_denominator without a labelled active row";
const SHARE_EMPTY: &str = "undefined: empty_denominator";

/// Active rows: the observations behind most measures of a run.
fn active(run: &Run<'_>, _: usize) -> u64 {
    run.tally.core.active
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::suites::adaptation::pack::FLOOD;
    use crate::suites::adaptation::tables::catalogue::Catalogue;

    #[test]
    fn every_id_belongs_to_the_measure_that_made_it() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let catalogue = Catalogue::of(&pack);
        let mut seen = BTreeSet::new();
        for entry in catalogue.entries() {
            let found = measure(&entry.id).expect("a measure");
            assert!(found.is(entry.measure), "{} is taken for {}", entry.id, found.main().id);
            seen.insert(found.main().id);
        }
        assert_eq!(seen.len(), MEASURES.len(), "every measure has rows with the built-in pack");
    }

    #[test]
    fn every_measure_says_what_it_rests_on() {
        assert!(MEASURES.iter().all(|measure| !measure.rests_on.is_empty()));
    }
}

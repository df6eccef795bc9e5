//! `H_norm`: how varied choices are, and `EHE`: how much of the variety is feasible.

use super::bands::ENTROPY;
use super::evidence::{Evidence, LabelEvidence, YearEvidence};
use super::{BASE, Block, ComputedFrom, DecisionPart, ENTROPY_EMPTY, Measure, OfRun, Run, SEED, active};
use crate::score::Measure as Value;
use crate::score::measure::{EMPTY_DENOMINATOR, NOT_APPLICABLE};
use crate::stats::sum::mean;
use crate::suites::adaptation::judge::filled::Filled;
use crate::suites::adaptation::judge::tally::{FirstSeen, RowTally};
use crate::suites::adaptation::pack::{RuleKind, Scheme};
use crate::suites::{Better, Metric};

/// `H_norm` of any scheme; the schemes of the published tables are headline metrics.
pub(crate) const H_NORM: Measure = Measure {
    facts: &[
        Metric { id: "h_norm_k5", title: "H_norm_k5", headline: true, ..H_NORM_FACTS },
        Metric { id: "h_norm_k4", title: "H_norm_k4", headline: true, ..H_NORM_FACTS },
        H_NORM_FACTS,
    ],
    how: ComputedFrom::Run(OfRun {
        block: Block::Actions,
        value: |run, scheme| run.rates.h_norm[scheme].clone().into(),
        n: active,
        evidence: acted,
        ratio: Evidence::ratio,
    }),
    bands: ENTROPY,
    rests_on: &[DecisionPart::Action],
};

const H_NORM_FACTS: Metric = Metric {
    id: "h_norm_*",
    title: "H_norm_*",
    says: "how varied the actions are",
    formula: "-sum p log2 p / log2 k over the k classes of the scheme, labelled active rows",
    empty: ENTROPY_EMPTY,
    source: SEED,
    ..BASE
};

/// `EHE` of any scheme.
pub(crate) const EHE: Measure = Measure {
    facts: &[
        Metric { id: "ehe_k5", title: "EHE_k5", headline: true, ..EHE_FACTS },
        Metric { id: "ehe_k4", title: "EHE_k4", headline: true, ..EHE_FACTS },
        EHE_FACTS,
    ],
    how: ComputedFrom::Run(OfRun {
        block: Block::Actions,
        value: |run, scheme| run.rates.ehe[scheme].clone().into(),
        n: active,
        evidence: acted,
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Action, DecisionPart::Rules(RuleKind::Feasibility)],
};

const EHE_FACTS: Metric = Metric {
    id: "ehe_*",
    title: "EHE_*",
    says: "how much of the variety of actions is feasible",
    better: Better::Higher,
    formula: "H_norm (1 - R_H)",
    empty: "undefined if H_norm or R_H is, with its reason",
    source: SEED,
    ..BASE
};

/// `H_norm` of intents.
pub(crate) const H_INTENT: Measure = Measure {
    facts: &[Metric {
        id: "h_intent_norm_*",
        title: "H_intent_norm_*",
        says: "how varied the intents are",
        formula: "H_norm over intent labels",
        empty: ENTROPY_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Intents,
        value: |run, scheme| intended(run, scheme).into(),
        n: active,
        evidence: meant,
        ratio: Evidence::ratio,
    }),
    bands: ENTROPY,
    rests_on: &[DecisionPart::Intent],
};

/// `EHE` of intents.
pub(crate) const EHE_INTENT: Measure = Measure {
    facts: &[Metric {
        id: "ehe_intent_*",
        title: "EHE_intent_*",
        says: "how much of the variety of intents is feasible",
        better: Better::Higher,
        formula: "H_intent_norm (1 - R_H)",
        empty: "undefined if H_intent_norm or R_H is, with its reason",
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Intents,
        value: |run, scheme| ehe(&intended(run, scheme), &run.rates.r_h).into(),
        n: active,
        evidence: meant,
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Intent, DecisionPart::Rules(RuleKind::Feasibility)],
};

/// The mean of `H_norm` over years.
pub(crate) const H_NORM_YEARLY: Measure = Measure {
    facts: &[Metric {
        id: "h_norm_*_yearly_mean",
        title: "H_norm_*_yearly_mean",
        says: "how varied choices are within a year, on average",
        formula: "mean of the yearly H_norm over the years that have one",
        empty: ENTROPY_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Years,
        value: |run, scheme| run.if_active_known(mean(&yearly(run, scheme)).ok_or(EMPTY_DENOMINATOR)).into(),
        n: |run, scheme| yearly(run, scheme).len() as u64,
        evidence: |run, scheme| Evidence::Years(YearEvidence { years: yearly(run, scheme).len() as u64 }),
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Action],
};

/// What a scheme makes of counted labels.
#[derive(Debug, PartialEq)]
pub(crate) struct Diversity {
    /// Entropy in bits; none without a labelled row.
    pub(crate) bits: Option<f64>,
    /// Labelled rows.
    pub(crate) n: u64,
    /// Classes that occur.
    pub(crate) seen: u64,
}

/// Which labels are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Labelled {
    Action,
    Intent,
}

impl Labelled {
    fn of(self, core: &RowTally) -> (&[u64], &[Option<FirstSeen>]) {
        match self {
            Labelled::Action => (&core.action, &core.first_action),
            Labelled::Intent => (&core.intent, &core.first_intent),
        }
    }
}

/// Entropy over the classes of a scheme; `other` is outside every scheme.
pub(crate) fn diversity(filled: &Filled<'_>, core: &RowTally, labelled: Labelled, scheme: &Scheme) -> Diversity {
    let (counts, first) = labelled.of(core);
    let mut classes = vec![0; scheme.k];
    for (count, &class) in counts.iter().zip(&scheme.class_of) {
        classes[class] += count;
    }
    let bits = filled.reading.bits(filled.pack, scheme, &classes, first);
    Diversity { bits, n: classes.iter().sum(), seen: classes.iter().filter(|&&count| count > 0).count() as u64 }
}

/// The normalised entropy of the labels of active rows.
///
/// ```math
/// H_{norm} = \min(1, -\sum_c p_c \log_2 p_c / \log_2 k)
/// ```
/// over the k classes of the scheme. Undefined with fewer than two classes or without a labelled active row.
/// Source: WRR v6 metric calculation spec.
pub(crate) fn h_norm(filled: &Filled<'_>, core: &RowTally, labelled: Labelled, scheme: &Scheme) -> Value {
    filled.reading.or_zero(defined_h_norm(filled, core, labelled, scheme))
}

fn defined_h_norm(filled: &Filled<'_>, core: &RowTally, labelled: Labelled, scheme: &Scheme) -> Value {
    if scheme.k < 2 {
        return Err(NOT_APPLICABLE);
    }
    if let Some(why) = filled.activity_unknown() {
        return Err(why);
    }
    let bits = diversity(filled, core, labelled, scheme).bits.ok_or(EMPTY_DENOMINATOR)?;
    Ok(filled.reading.normalised(bits, libm::log2(scheme.k as f64)))
}

/// Variety of the feasible: `H_norm` discounted by the share of the impossible.
///
/// ```math
/// EHE = H_{norm} (1 - R_H)
/// ```
/// Undefined if either is. Source: WRR v6 metric calculation spec.
pub(crate) fn ehe(h_norm: &Value, r_h: &Value) -> Value {
    Ok(h_norm.clone()? * (1.0 - r_h.clone()?))
}

fn intended(run: &Run<'_>, scheme: usize) -> Value {
    h_norm(&run.filled, &run.tally.core, Labelled::Intent, &run.filled.pack.schemes[scheme])
}

/// The yearly values of a scheme's entropy, in the order of years, for the years with an active row.
fn yearly(run: &Run<'_>, scheme: usize) -> Vec<f64> {
    let scheme = &run.filled.pack.schemes[scheme];
    let value = |core: &RowTally| h_norm(&run.filled, core, Labelled::Action, scheme).ok();
    run.tally.years.values().filter(|core| core.active > 0).filter_map(value).collect()
}

fn acted(run: &Run<'_>, _: usize) -> Evidence {
    labels(run, &run.tally.core.action)
}

fn meant(run: &Run<'_>, _: usize) -> Evidence {
    labels(run, &run.tally.core.intent)
}

fn labels(run: &Run<'_>, counts: &[u64]) -> Evidence {
    let actions = &run.filled.pack.actions;
    let by_action = actions.iter().zip(counts).map(|(action, count)| (action.id.clone(), *count)).collect();
    Evidence::Labels(LabelEvidence { counts: by_action, other: counts[actions.len()] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::adaptation::judge::tally::Tally;
    use crate::suites::adaptation::pack::{FLOOD, Pack};
    use crate::suites::adaptation::published::rules::Reading;

    fn flood() -> Pack {
        Pack::parse(FLOOD, "flood.toml").expect("a sound pack")
    }

    fn tally(pack: &Pack, action: [u64; 6]) -> Tally {
        let mut tally = Tally::new(pack, Reading::Spec);
        tally.rows = action.iter().sum();
        tally.core.active = tally.rows;
        tally.core.action = action.to_vec();
        tally.state_filled = vec![tally.rows; 3];
        tally
    }

    #[test]
    fn worked_by_hand() {
        let pack = flood();
        let of = |action, scheme: usize| {
            let tally = tally(&pack, action);
            let filled = Filled::of(&pack, &tally, Reading::Spec);
            h_norm(&filled, &tally.core, Labelled::Action, &pack.schemes[scheme])
        };
        assert_eq!(of([1, 1, 1, 1, 1, 0], 0), Ok(1.0));
        // Merged 0.2, 0.2, 0.4, 0.2: 1.921928094887362 bits of 2 (specification, section 14).
        assert!((of([1, 1, 1, 1, 1, 0], 1).expect("defined") - 0.960_964_047_443_681).abs() < 1e-15);
        // One bit over the two labelled rows: 1 / log2 5.
        assert!((of([1, 1, 0, 0, 0, 2], 0).expect("defined") - 0.430_676_558_073_393).abs() < 1e-15);
        assert_eq!(of([0, 0, 0, 0, 0, 3], 0), Err(EMPTY_DENOMINATOR));
    }

    #[test]
    fn the_impossible_discounts_variety() {
        assert_eq!(ehe(&Ok(0.75), &Ok(0.25)), Ok(0.5625));
        assert_eq!(ehe(&Ok(0.75), &Err(NOT_APPLICABLE)), Err(NOT_APPLICABLE));
    }
}

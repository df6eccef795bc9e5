//! Shares of `other`: how many labels the pack does not know.

use super::evidence::{Evidence, RatioEvidence};
use super::{BASE, Block, ComputedFrom, DecisionPart, Measure, OfRun, Run, SHARE_EMPTY, active};
use crate::score::Measure as Value;
use crate::score::measure::ratio;
use crate::suites::{Better, Metric};

/// `other_action_share` as a measure.
pub(crate) const OTHER_ACTION: Measure = Measure {
    facts: &[Metric {
        id: "other_action_share",
        title: "other_action_share",
        says: "how many actions have no known label",
        better: Better::Lower,
        formula: "active rows whose action is `other` / active rows",
        empty: SHARE_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Quality,
        value: |run, _| share(run, &run.tally.core.action).into(),
        n: active,
        evidence: |run, _| evidence(run, &run.tally.core.action),
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Action],
};

/// `other_intent_share` as a measure.
pub(crate) const OTHER_INTENT: Measure = Measure {
    facts: &[Metric {
        id: "other_intent_share",
        title: "other_intent_share",
        says: "how many intents have no known label",
        better: Better::Lower,
        formula: "active rows whose intent is `other` / active rows",
        empty: SHARE_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Quality,
        value: |run, _| share(run, &run.tally.core.intent).into(),
        n: active,
        evidence: |run, _| evidence(run, &run.tally.core.intent),
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Intent],
};

/// Rows whose label is `other`: the last count.
fn other(run: &Run<'_>, labels: &[u64]) -> u64 {
    labels[run.filled.pack.actions.len()]
}

/// The share of active rows whose label the pack does not know.
///
/// ```math
/// share = n_{other} / n_{active}
/// ```
/// Undefined without active rows.
fn share(run: &Run<'_>, labels: &[u64]) -> Value {
    run.if_active_known(ratio(other(run, labels), run.tally.core.active))
}

fn evidence(run: &Run<'_>, labels: &[u64]) -> Evidence {
    Evidence::Ratio(RatioEvidence { denominator: run.tally.core.active, numerator: other(run, labels) })
}

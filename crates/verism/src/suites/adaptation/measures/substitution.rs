//! `substitution_rate`: how often governance replaced a proposal.

use super::evidence::{Evidence, RatioEvidence};
use super::{BASE, Block, ComputedFrom, DecisionPart, Measure, OfRun, Run};
use crate::score::Measure as Value;
use crate::score::measure::{NOT_APPLICABLE, Undefined, ratio};
use crate::suites::Metric;

/// `substitution_rate` as a measure.
pub(crate) const SUBSTITUTION_RATE: Measure = Measure {
    facts: &[Metric {
        id: "substitution_rate",
        title: "substitution_rate",
        says: "how often governance replaced a proposal",
        formula: "active rows whose proposal differs from the action / active rows with a proposal",
        empty: "undefined: not_applicable without a proposal column, missing_field:<column> if it is never filled",
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Quality,
        value: |run, _| run.if_active_known(substitution_rate(run)).into(),
        n: |run, _| run.tally.with_proposal,
        evidence: |run, _| {
            Evidence::Ratio(RatioEvidence { denominator: run.tally.with_proposal, numerator: run.tally.substituted })
        },
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Action, DecisionPart::Proposal],
};

/// The share of proposals that governance replaced.
///
/// ```math
/// substitution\_rate = n_{substituted} / n_{with\ proposal}
/// ```
/// `not_applicable` in a format without proposals, `missing_field:<column>` if none is filled.
fn substitution_rate(run: &Run<'_>) -> Value {
    let rate = ratio(run.tally.substituted, run.tally.with_proposal);
    if rate.is_ok() || run.tally.core.active == 0 {
        return rate;
    }
    let filled = &run.filled;
    let format = run.format.filter(|_| filled.reading.reads_proposals()).map(|format| &filled.pack.formats[format]);
    match format.and_then(|format| format.proposed.as_ref()) {
        Some(column) => Err(Undefined::missing_field(column)),
        None => Err(NOT_APPLICABLE),
    }
}

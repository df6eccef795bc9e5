//! `R_H`: how often agents chose the physically impossible.

use super::bands::RATE;
use super::evidence::{Evidence, Named, RateEvidence};
use super::{BASE, Block, ComputedFrom, DecisionPart, Measure, OfRun, RATE_EMPTY, Run, SEED, active};
use crate::score::Measure as Value;
use crate::score::measure::{EMPTY_DENOMINATOR, NOT_APPLICABLE, Undefined, ratio};
use crate::suites::adaptation::judge::filled::Filled;
use crate::suites::adaptation::judge::tally::RowTally;
use crate::suites::adaptation::pack::RuleKind;
use crate::suites::{Better, Metric};

/// `R_H` as a measure.
pub(crate) const R_H: Measure = Measure {
    facts: &[Metric {
        id: "r_h",
        title: "R_H",
        says: "how often agents chose the physically impossible",
        better: Better::Lower,
        headline: true,
        formula: "active rows that break a feasibility rule / active rows",
        empty: RATE_EMPTY,
        source: SEED,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Rates,
        value: |run, _| run.rates.r_h.clone().into(),
        n: active,
        evidence: |run, _| {
            let tally = run.tally;
            let no_history = Some(tally.first_active);
            RateEvidence { no_history, ..evidence(run, RuleKind::Feasibility, tally.core.id, &tally.first_id) }.into()
        },
        ratio: Evidence::ratio,
    }),
    bands: RATE,
    rests_on: &[DecisionPart::Rules(RuleKind::Feasibility)],
};

/// The share of active rows that break at least one feasibility rule.
///
/// ```math
/// R_H = n_{id} / n_{active}
/// ```
/// Undefined without active rows, without feasibility rules, or if no row fills a field that the rules need.
/// Source: WRR v6 metric calculation spec.
pub(crate) fn r_h(filled: &Filled<'_>, core: &RowTally) -> Value {
    rate(filled, core, core.id, RuleKind::Feasibility)
}

/// The share of active rows that break a rule of a kind; undefined by the first reason that applies.
pub(super) fn rate(filled: &Filled<'_>, core: &RowTally, breaking: u64, kind: RuleKind) -> Value {
    filled.reading.or_zero(defined_rate(filled, core, breaking, kind))
}

fn defined_rate(filled: &Filled<'_>, core: &RowTally, breaking: u64, kind: RuleKind) -> Value {
    if filled.is_empty() {
        return Err(EMPTY_DENOMINATOR);
    }
    if let Some(why) = filled.activity_unknown() {
        return Err(why);
    }
    if filled.pack.rules_of(kind).next().is_none() {
        return Err(NOT_APPLICABLE);
    }
    let rate = ratio(breaking, core.active)?;
    match filled.field_gap(kind) {
        Some(column) => Err(Undefined::missing_field(column)),
        None => Ok(rate),
    }
}

/// The evidence of a rate: the counts behind it, by rule, and the first events.
pub(super) fn evidence(run: &Run<'_>, kind: RuleKind, numerator: u64, events: &[(String, i64)]) -> RateEvidence {
    let by_rule = |count: &dyn Fn(usize) -> u64| -> Named {
        run.filled.pack.rules_of(kind).map(|(i, rule)| (rule.id.clone(), count(i))).collect()
    };
    RateEvidence {
        denominator: run.tally.core.active,
        events: events.iter().map(|(agent, year)| format!("{agent}@{year}")).collect(),
        exposed: by_rule(&|i| run.tally.exposed[i]),
        no_history: None,
        numerator,
        other_intent: None,
        rules: by_rule(&|i| run.tally.broken[i].iter().sum()),
    }
}

impl From<RateEvidence> for Evidence {
    fn from(rate: RateEvidence) -> Evidence {
        Evidence::Rate(rate)
    }
}

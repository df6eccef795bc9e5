//! `R_R`: how often a choice contradicts the agent's own stated threat.

use super::bands::RATE;
use super::evidence::{Evidence, RateEvidence, RatioEvidence, StatusEvidence};
use super::r_h::{evidence, rate};
use super::{BASE, Block, ComputedFrom, DecisionPart, Measure, OfRun, RATE_EMPTY, Run, SEED, active};
use crate::score::Measure as Value;
use crate::score::measure::{EMPTY_DENOMINATOR, ratio};
use crate::suites::adaptation::judge::filled::Filled;
use crate::suites::adaptation::judge::tally::{RowTally, STATUSES, Tally};
use crate::suites::adaptation::pack::RuleKind;
use crate::suites::{Better, Metric};

/// `R_R` as a measure.
pub(crate) const R_R: Measure = Measure {
    facts: &[Metric {
        id: "r_r",
        title: "R_R",
        says: "how often a choice contradicts the agent's own stated threat",
        better: Better::Lower,
        headline: true,
        formula: "active rows that break a thinking rule / active rows",
        empty: RATE_EMPTY,
        source: SEED,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Rates,
        value: |run, _| run.rates.r_r.clone().into(),
        n: active,
        evidence: thinking,
        ratio: Evidence::ratio,
    }),
    bands: RATE,
    rests_on: &[DecisionPart::Rules(RuleKind::Thinking)],
};

/// `rationality_pass` as a measure. Its evidence is that of `R_R`; people are told the rows that pass.
pub(crate) const RATIONALITY_PASS: Measure = Measure {
    facts: &[Metric {
        id: "rationality_pass",
        title: "rationality_pass",
        says: "how often a choice agrees with the agent's own stated threat",
        better: Better::Higher,
        headline: true,
        formula: "1 - R_R",
        empty: RATE_EMPTY,
        source: SEED,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Rates,
        value: |run, _| run.rates.rationality_pass.clone().into(),
        n: active,
        evidence: thinking,
        ratio: Evidence::complement,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Thinking)],
};

/// `R_R_executed` as a measure.
pub(crate) const R_R_EXECUTED: Measure = Measure {
    facts: &[Metric {
        id: "r_r_executed",
        title: "R_R_executed",
        says: "deviations from the stated threat that were carried out",
        better: Better::Lower,
        formula: "executed rows that break a thinking rule / active rows",
        empty: RATE_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Quality,
        value: |run, _| executed(&run.rates.r_r, run.tally.think_status[0], run.tally.core.active).into(),
        n: active,
        evidence: |run, _| {
            let statuses = STATUSES.iter().zip(run.tally.think_status);
            let by_status = statuses.map(|(status, count)| (status.to_string(), count)).collect();
            Evidence::Statuses(StatusEvidence { by_status })
        },
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Thinking), DecisionPart::Execution],
};

/// `R_R_informed` as a measure.
pub(crate) const R_R_INFORMED: Measure = Measure {
    facts: &[Metric {
        id: "r_r_informed",
        title: "R_R_informed",
        says: "R_R among rows whose appraisal could really be read",
        better: Better::Lower,
        formula: "rows that break a thinking rule / active rows with labels from token, word or keyword",
        empty: RATE_EMPTY,
        ..BASE
    }],
    how: ComputedFrom::Run(OfRun {
        block: Block::Quality,
        value: |run, _| r_r_informed(&run.rates.r_r, run.tally).into(),
        n: |run, _| run.tally.informed,
        evidence: |run, _| {
            Evidence::Ratio(RatioEvidence { denominator: run.tally.informed, numerator: run.tally.core.think })
        },
        ratio: Evidence::ratio,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Thinking), DecisionPart::Labels],
};

/// The share of active rows that break at least one thinking rule.
///
/// ```math
/// R_R = n_{think} / n_{active}
/// ```
/// Undefined as `R_H` is. Source: WRR v6 metric calculation spec.
pub(crate) fn r_r(filled: &Filled<'_>, core: &RowTally) -> Value {
    rate(filled, core, core.think, RuleKind::Thinking)
}

/// What is left of one.
///
/// ```math
/// rationality\_pass = 1 - R_R
/// ```
pub(crate) fn rationality_pass(r_r: &Value) -> Value {
    r_r.clone().map(|r_r| 1.0 - r_r)
}

/// The deviations among the rows whose labels were really read.
///
/// ```math
/// R\_R\_informed = n_{think} / n_{informed}
/// ```
/// Undefined if `R_R` is, or if no label was read.
fn r_r_informed(r_r: &Value, tally: &Tally) -> Value {
    r_r.clone()?;
    ratio(tally.core.think, tally.informed)
}

/// The deviations that were carried out.
///
/// ```math
/// R\_R\_executed = n_{think, executed} / n_{active}
/// ```
/// Undefined if `R_R` is; the published program has no such number for an empty cell.
pub(crate) fn executed(rate: &Value, executed: u64, active: u64) -> Value {
    rate.clone()?;
    if active == 0 { Err(EMPTY_DENOMINATOR) } else { ratio(executed, active) }
}

fn thinking(run: &Run<'_>, _: usize) -> Evidence {
    let tally = run.tally;
    let other_intent = Some(tally.core.intent[run.filled.pack.actions.len()]);
    RateEvidence { other_intent, ..evidence(run, RuleKind::Thinking, tally.core.think, &tally.first_think) }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Undefined;

    #[test]
    fn what_rests_on_an_undefined_rate_is_undefined() {
        let gone: Value = Err(Undefined::missing_field("threat_appraisal"));
        assert_eq!(rationality_pass(&gone), gone);
        assert_eq!(executed(&gone, 0, 3), gone);
        assert_eq!(rationality_pass(&Ok(0.25)), Ok(0.75));
        assert_eq!(executed(&Ok(0.5), 1, 4), Ok(0.25));
        assert_eq!(executed(&Ok(0.0), 0, 0), Err(EMPTY_DENOMINATOR));
    }

    #[test]
    fn the_rows_that_pass_are_those_that_do_not_deviate() {
        let evidence = Evidence::Ratio(RatioEvidence { denominator: 142, numerator: 24 });
        assert_eq!(R_R.ratio(&evidence), Some((24, 142)));
        assert_eq!(RATIONALITY_PASS.ratio(&evidence), Some((118, 142)));
    }
}

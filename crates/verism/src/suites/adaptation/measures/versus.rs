//! A cell against its baseline.

use super::h_norm::EHE;
use super::r_h::R_H;
use super::r_r::R_R;
use super::{BASE, ComputedFrom, DecisionPart, Measure, OfChange, SEED};
use crate::score::{Measure as Value, Undefined};
use crate::suites::adaptation::pack::RuleKind;
use crate::suites::{Better, Metric};

/// How much lower `R_H` is, in percent.
pub(crate) const REDUCTION_R_H: Measure = Measure {
    facts: &[Metric {
        id: "pct_reduction_r_h_vs_a",
        title: "pct_reduction_R_H_vs_A",
        says: "how much lower R_H is than the baseline's, in percent",
        ..REDUCTION
    }],
    how: ComputedFrom::Change(OfChange { of: &R_H, subject: |rates, _| &rates.r_h, change: reduction, percent: true }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Feasibility)],
};

/// How much lower `R_R` is, in percent.
pub(crate) const REDUCTION_R_R: Measure = Measure {
    facts: &[Metric {
        id: "pct_reduction_r_r_vs_a",
        title: "pct_reduction_R_R_vs_A",
        says: "how much lower R_R is than the baseline's, in percent",
        ..REDUCTION
    }],
    how: ComputedFrom::Change(OfChange { of: &R_R, subject: |rates, _| &rates.r_r, change: reduction, percent: true }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Thinking)],
};

/// How much higher the headline `EHE` is, in percent.
pub(crate) const GAIN_EHE: Measure = Measure {
    facts: &[Metric {
        id: "pct_gain_ehe_vs_a",
        title: "pct_gain_EHE_vs_A",
        says: "how much higher the headline EHE is than the baseline's, in percent",
        range: (Some(-100.0), None),
        formula: "(x - A) / A * 100",
        ..REDUCTION
    }],
    how: ComputedFrom::Change(OfChange {
        of: &EHE,
        subject: |rates, scheme| &rates.ehe[scheme],
        change: gain,
        percent: true,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Action, DecisionPart::Rules(RuleKind::Feasibility)],
};

/// The difference in `R_H`.
pub(crate) const DELTA_R_H: Measure = Measure {
    facts: &[Metric { id: "delta_r_h_vs_a", title: "delta_R_H_vs_A", says: "R_H minus the baseline's", ..DELTA }],
    how: ComputedFrom::Change(OfChange {
        of: &R_H,
        subject: |rates, _| &rates.r_h,
        change: difference,
        percent: false,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Feasibility)],
};

/// The difference in `R_R`.
pub(crate) const DELTA_R_R: Measure = Measure {
    facts: &[Metric { id: "delta_r_r_vs_a", title: "delta_R_R_vs_A", says: "R_R minus the baseline's", ..DELTA }],
    how: ComputedFrom::Change(OfChange {
        of: &R_R,
        subject: |rates, _| &rates.r_r,
        change: difference,
        percent: false,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Rules(RuleKind::Thinking)],
};

/// The difference in the headline `EHE`.
pub(crate) const DELTA_EHE: Measure = Measure {
    facts: &[Metric {
        id: "delta_ehe_*_vs_a",
        title: "delta_EHE_*_vs_A",
        says: "the headline EHE minus the baseline's",
        better: Better::Higher,
        ..DELTA
    }],
    how: ComputedFrom::Change(OfChange {
        of: &EHE,
        subject: |rates, scheme| &rates.ehe[scheme],
        change: difference,
        percent: false,
    }),
    bands: &[],
    rests_on: &[DecisionPart::Action, DecisionPart::Rules(RuleKind::Feasibility)],
};

const EMPTY: &str = "undefined: undefined_base, undefined_value, zero_base; excluded: no_baseline";

const REDUCTION: Metric = Metric {
    range: (None, Some(100.0)),
    better: Better::Higher,
    formula: "(A - x) / A * 100",
    empty: EMPTY,
    source: SEED,
    ..BASE
};

const DELTA: Metric =
    Metric { range: (Some(-1.0), Some(1.0)), better: Better::Lower, formula: "x - A", empty: EMPTY, ..BASE };

/// How much lower a value is than the baseline's.
///
/// ```math
/// reduction = (A - x) / A \cdot 100
/// ```
/// Undefined at base 0: a worsening from nothing is not a percentage.
fn reduction(base: &Value, value: &Value) -> Value {
    let (base, value) = both(base, value)?;
    percent(base, base - value)
}

/// How much higher a value is than the baseline's.
///
/// ```math
/// gain = (x - A) / A \cdot 100
/// ```
/// Undefined at base 0.
fn gain(base: &Value, value: &Value) -> Value {
    let (base, value) = both(base, value)?;
    percent(base, value - base)
}

fn percent(base: f64, change: f64) -> Value {
    if base == 0.0 { Err(Undefined::new("zero_base")) } else { Ok(change / base * 100.0) }
}

/// The value minus the baseline's.
///
/// ```math
/// delta = x - A
/// ```
fn difference(base: &Value, value: &Value) -> Value {
    both(base, value).map(|(base, value)| value - base)
}

fn both(base: &Value, value: &Value) -> Result<(f64, f64), Undefined> {
    let base = base.as_ref().map_err(|_| Undefined::new("undefined_base"))?;
    let value = value.as_ref().map_err(|_| Undefined::new("undefined_value"))?;
    Ok((*base, *value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // Worked example 4 of the specification.
        assert_eq!(reduction(&Ok(0.5), &Ok(0.25)), Ok(50.0));
        assert_eq!(gain(&Ok(0.5), &Ok(0.75)), Ok(50.0));
        assert_eq!(reduction(&Ok(0.0), &Ok(0.25)), Err(Undefined::new("zero_base")));
        assert_eq!(difference(&Ok(0.0), &Ok(0.25)), Ok(0.25));
        let gone: Value = Err(Undefined::new("x"));
        assert_eq!(reduction(&gone, &gone), Err(Undefined::new("undefined_base")));
        assert_eq!(reduction(&Ok(0.5), &gone), Err(Undefined::new("undefined_value")));
    }
}

//! CRRS_NODEI: CRRS of what every level can reach.

use super::crrs;
use super::score::Score;
use super::{BASE, Measure, always};
use crate::score::measure::{Measure as Value, NOT_APPLICABLE};
use crate::stats::sum::neumaier;
use crate::suites::Metric;
use crate::suites::guest::options::{MissingPart, Weights};

/// CRRS_NODEI as a measure.
pub(crate) const CRRS_NODEI: Measure = Measure {
    facts: Metric {
        id: "crrs_nodei",
        title: "CRRS_NODEI",
        says: "CRRS without DEI",
        formula: "CRRS with DEI's weight 0, the others rescaled to sum 1",
        empty: "undefined: not_applicable if DEI holds all weight, missing_component:<parts>",
        ..BASE
    },
    score: |m| score(&m.parts(), &m.params.weights, m.params.crrs_missing),
    asked: always,
    tell: None,
};

/// CRRS with DEI's weight 0, the others rescaled; it does not apply if DEI holds all weight.
fn score(parts: &[Value; 4], weights: &Weights, missing: MissingPart) -> Score {
    let total = neumaier(weights[..3].iter().copied());
    if total == 0.0 {
        return Score::bare(Err(NOT_APPLICABLE), 0);
    }
    let [pas, bvs, ora, _] = weights.map(|weight| weight / total);
    crrs::score(parts, &[pas, bvs, ora, 0.0], missing)
}

#[cfg(test)]
mod tests {
    use super::super::ms::NO_STATE;
    use super::*;

    #[test]
    fn it_does_not_apply_if_dei_holds_all_weight() {
        let parts = [Err(NO_STATE), Ok(0.5), Ok(1.0), Err(NO_STATE)];
        assert_eq!(score(&parts, &[0.0, 0.0, 0.0, 1.0], MissingPart::Undefined).value, Err(NOT_APPLICABLE));
    }
}

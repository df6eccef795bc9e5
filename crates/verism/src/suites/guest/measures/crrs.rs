//! CRRS: one number from PAS, BVS, ORA and DEI.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::score::Score;
use super::{BASE, Measure, SEED, always};
use crate::score::measure::{Measure as Value, Undefined};
use crate::stats::sum::neumaier;
use crate::suites::Metric;
use crate::suites::guest::options::{MissingPart, PARTS, Weights};
use crate::suites::guest::words::{ConversationScores, Lines};

/// CRRS as a measure.
pub(crate) const CRRS: Measure = Measure {
    facts: Metric {
        id: "crrs",
        title: "CRRS",
        says: "the four measures in one",
        headline: true,
        formula: "0.25 PAS + 0.20 BVS + 0.35 ORA + 0.20 DEI",
        empty: "undefined: missing_component:<parts> if a part with weight is undefined",
        source: SEED,
        ..BASE
    },
    score: |m| score(&m.parts(), &m.params.weights, m.params.crrs_missing),
    asked: always,
    tell: Some(tell),
};

/// A weighted sum of the parts with weight: its terms in order, or the parts that are lacking.
///
/// ```math
/// CRRS = w_PAS PAS + w_BVS BVS + w_ORA ORA + w_DEI DEI
/// ```
/// A part that is undefined makes it undefined; with `renormalise` the weights of the others are rescaled.
fn terms(parts: &[Value; 4], weights: &Weights, missing: MissingPart) -> (Vec<(&'static str, f64)>, Vec<&'static str>) {
    let needed = || PARTS.into_iter().zip(parts).zip(weights).filter(|(_, weight)| **weight > 0.0);
    let lacking: Vec<&'static str> = needed().filter(|((_, part), _)| part.is_err()).map(|((id, _), _)| id).collect();
    let there = || needed().filter_map(|((id, part), weight)| Some((id, *part.as_ref().ok()?, *weight)));
    let total = match missing {
        MissingPart::Renormalise => neumaier(there().map(|(_, _, weight)| weight)),
        _ => 1.0,
    };
    let terms = there().map(|(id, part, weight)| (id, if total == 1.0 { weight } else { weight / total } * part));
    (terms.collect(), lacking)
}

#[derive(Serialize, Deserialize)]
struct Evidence<'e> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    terms: Option<BTreeMap<&'e str, f64>>,
    missing: Vec<&'e str>,
}

/// CRRS with its evidence.
pub(crate) fn score(parts: &[Value; 4], weights: &Weights, missing: MissingPart) -> Score {
    let (terms, lacking) = terms(parts, weights, missing);
    if terms.is_empty() || (!lacking.is_empty() && missing != MissingPart::Renormalise) {
        let why = Undefined::missing_component(&lacking);
        return Score::new(Err(why), terms.len(), &Evidence { terms: None, missing: lacking });
    }
    let value = neumaier(terms.iter().map(|(_, term)| *term));
    let n = terms.len();
    Score::new(Ok(value), n, &Evidence { terms: Some(terms.into_iter().collect()), missing: lacking })
}

/// The parts of CRRS and their sum.
fn tell(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    lines.say(format!("CRRS {}", told.value("crrs")));
    let terms = told.evidence::<Evidence<'_>>("crrs").and_then(|evidence| evidence.terms).unwrap_or_default();
    for part in PARTS {
        let weight = told.options()["weights"][part].as_f64().unwrap_or(0.0);
        let line = match (told.number(part), terms.get(part)) {
            (Some(x), Some(term)) => {
                // Weights are rescaled where a part is left out.
                let weight = if x == 0.0 { weight } else { term / x };
                format!("{weight:.3} x {x:.3} = {term:.3}")
            }
            (None, _) => format!("{weight:.3} x {}", told.value(part)),
            (Some(x), None) => format!("{weight:.3} x {x:.3}, not counted"),
        };
        lines.say(format!("    {:<4} {line}", part.to_uppercase()));
    }
    if let Some(sum) = told.number("crrs") {
        lines.say(format!("    sum                  {sum:.3}"));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ms::NO_STATE;
    use super::*;

    const WEIGHTS: Weights = [0.25, 0.2, 0.35, 0.2];

    #[test]
    fn the_parts_add_up() {
        // Worked example 1 of the specification: 173/240.
        let parts = [Ok(0.75), Ok(5.0 / 12.0), Ok(6.0 / 7.0), Ok(0.75)];
        let value = score(&parts, &WEIGHTS, MissingPart::Undefined).value.expect("defined");
        assert!((value - 173.0 / 240.0).abs() < 1e-15);
    }

    #[test]
    fn a_part_that_is_missing_is_named_or_left_out() {
        let parts = [Err(NO_STATE), Ok(0.5), Ok(1.0), Err(NO_STATE)];
        let why = score(&parts, &WEIGHTS, MissingPart::Undefined).value.expect_err("undefined");
        assert_eq!(why.reason(), "missing_component:pas+dei");
        // 0.2/0.55 · 0.5 + 0.35/0.55 = 0.45/0.55
        let value = score(&parts, &WEIGHTS, MissingPart::Renormalise).value.expect("defined");
        assert!((value - 9.0 / 11.0).abs() < 1e-15);
        // Without weight nothing is missing.
        assert_eq!(score(&parts, &[0.0, 0.5, 0.5, 0.0], MissingPart::Undefined).value, Ok(0.75));
    }

    proptest! {
        #[test]
        fn the_weights_are_the_slopes(parts in prop::array::uniform4(0.0..0.5_f64), part in 0..4_usize, step in 0.0..0.5_f64) {
            let at = |parts: [f64; 4]| score(&parts.map(Ok), &WEIGHTS, MissingPart::Undefined).value.expect("defined");
            let mut moved = parts;
            moved[part] += step;
            prop_assert!((at(moved) - at(parts) - WEIGHTS[part] * step).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&at(parts)));
        }
    }
}

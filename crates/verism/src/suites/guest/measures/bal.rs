//! BAL: how far persona and variety are from the balance that the source names.

use super::score::Score;
use super::{BASE, Measure, always};
use crate::score::measure::{Measure as Value, Undefined};
use crate::suites::Better;
use crate::suites::Metric;

/// BAL as a measure.
pub(crate) const BAL: Measure = Measure {
    facts: Metric {
        id: "bal",
        title: "BAL",
        says: "the distance to the balance of persona and variety",
        range: (Some(0.0), None),
        better: Better::Lower,
        formula: "√((PAS - 0.8)² + (BVS - 0.7)²)",
        empty: "undefined: missing_component:<parts>",
        ..BASE
    },
    score: |m| score(&m.value("pas"), &m.value("bvs")),
    asked: always,
    tell: None,
};

/// The balance point: PAS and BVS.
const BALANCE: (f64, f64) = (0.8, 0.7);

/// The distance to the balance point.
///
/// ```math
/// BAL = √((PAS - 0.8)² + (BVS - 0.7)²)
/// ```
pub(crate) fn score(pas: &Value, bvs: &Value) -> Score {
    match (pas, bvs) {
        (Ok(pas), Ok(bvs)) => {
            let (x, y) = (pas - BALANCE.0, bvs - BALANCE.1);
            Score::bare(Ok((x * x + y * y).sqrt()), 2)
        }
        _ => {
            let lacking: Vec<&str> =
                [("pas", pas), ("bvs", bvs)].into_iter().filter(|(_, m)| m.is_err()).map(|(id, _)| id).collect();
            Score::bare(Err(Undefined::missing_component(&lacking)), 2 - lacking.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ms::NO_STATE;
    use super::*;

    #[test]
    fn distances_by_hand() {
        assert_eq!(score(&Ok(0.8), &Ok(0.7)).value, Ok(0.0));
        // 0.3 and 0.4 give 0.5.
        assert!((score(&Ok(0.5), &Ok(0.3)).value.expect("defined") - 0.5).abs() < 1e-15);
        let why = score(&Err(NO_STATE), &Ok(0.3)).value.expect_err("undefined");
        assert_eq!(why.reason(), "missing_component:pas");
    }
}

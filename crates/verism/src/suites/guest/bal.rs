//! BAL: how far persona and variety are from the balance that the source names.

use super::evidence::Score;
use crate::score::measure::{Measure, Undefined};

/// The balance point: PAS and BVS.
const BALANCE: (f64, f64) = (0.8, 0.7);

/// The distance to the balance point.
///
/// ```math
/// BAL = √((PAS - 0.8)² + (BVS - 0.7)²)
/// ```
pub(super) fn score(pas: &Measure, bvs: &Measure) -> Score {
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

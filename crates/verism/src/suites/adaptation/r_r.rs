//! `R_R`: how often a choice contradicts the agent's own stated threat.

use super::ground::Ground;
use super::pack::RuleKind;
use super::tally::{Core, Tally};
use crate::score::Measure;
use crate::score::measure::{EMPTY_DENOMINATOR, ratio};

/// The share of active rows that break at least one thinking rule.
///
/// ```math
/// R_R = n_{think} / n_{active}
/// ```
/// Undefined as `R_H` is. Source: WRR v6 metric calculation spec.
pub(super) fn r_r(ground: &Ground<'_>, core: &Core) -> Measure {
    ground.rate(core, core.think, RuleKind::Thinking)
}

/// What is left of one.
///
/// ```math
/// rationality\_pass = 1 - R_R
/// ```
pub(super) fn rationality_pass(r_r: &Measure) -> Measure {
    r_r.clone().map(|r_r| 1.0 - r_r)
}

/// The deviations among the rows whose labels were really read.
///
/// ```math
/// R\_R\_informed = n_{think} / n_{informed}
/// ```
/// Undefined if `R_R` is, or if no label was read.
pub(super) fn r_r_informed(r_r: &Measure, tally: &Tally) -> Measure {
    r_r.clone()?;
    ratio(tally.core.think, tally.informed)
}

/// The deviations that were carried out.
///
/// ```math
/// R\_R\_executed = n_{think, executed} / n_{active}
/// ```
/// Undefined if `R_R` is; the published program has no such number for an empty cell.
pub(super) fn executed(rate: &Measure, executed: u64, active: u64) -> Measure {
    rate.clone()?;
    if active == 0 { Err(EMPTY_DENOMINATOR) } else { ratio(executed, active) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Undefined;

    #[test]
    fn what_rests_on_an_undefined_rate_is_undefined() {
        let gone: Measure = Err(Undefined::missing_field("threat_appraisal"));
        assert_eq!(rationality_pass(&gone), gone);
        assert_eq!(executed(&gone, 0, 3), gone);
        assert_eq!(rationality_pass(&Ok(0.25)), Ok(0.75));
        assert_eq!(executed(&Ok(0.5), 1, 4), Ok(0.25));
        assert_eq!(executed(&Ok(0.0), 0, 0), Err(EMPTY_DENOMINATOR));
    }
}

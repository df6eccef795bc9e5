//! The three-way verdict on a difference, and whether it matters.

use serde::Serialize;

use super::adjust::is_below;
use super::reason::Reason;

/// Which way a metric gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Higher values are better.
    Higher,
    /// Lower values are better.
    Lower,
    /// Neither is better.
    None,
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is real and in the better direction.
    Better,
    /// The difference is real and in the worse direction.
    Worse,
    /// Above, where no direction is better.
    Higher,
    /// Below, where no direction is better.
    Lower,
    /// The data do not tell.
    Inconclusive,
}

/// Whether a difference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Magnitude {
    /// Larger than the smallest effect of interest.
    Relevant,
    /// Smaller than it.
    Negligible,
    /// The data do not tell.
    Uncertain,
    /// No smallest effect of interest was given.
    NotTested,
}

/// What a verdict is made from.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    /// The difference.
    pub diff: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Its corrected p-value.
    pub p_adj: Option<f64>,
    /// Smallest effect of interest; 0: none.
    pub sesoi: f64,
    /// Whether it is shown to be smaller than that.
    pub equivalent: Option<bool>,
    /// Which way is better.
    pub direction: Direction,
    /// Level of the test.
    pub alpha: f64,
    /// Why there is no interval.
    pub reason: Option<Reason>,
}

/// A verdict and whether it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// What it comes to.
    pub verdict: Verdict,
    /// Whether it matters.
    pub magnitude: Magnitude,
}

/// Gives the verdict against 0 and the magnitude against the smallest effect of interest δ.
///
/// Better iff the interval's lower end is above 0 and p_adj < α, worse iff its upper end is below 0 and p_adj < α, else
/// inconclusive; without spread the sign of the difference decides in the place of the interval. Relevant iff there is a
/// verdict and the interval lies beyond ±δ; else negligible iff equivalent; else uncertain; not tested for δ = 0.
pub fn decide(evidence: &Evidence) -> Decision {
    let without_spread = matches!(evidence.reason, Some(Reason::Identical | Reason::ZeroVariance));
    let point = evidence.diff.filter(|_| without_spread && evidence.interval.is_none());
    let verdict = verdict(evidence);
    let interval = evidence.interval.or(point.map(|d| (d, d)));
    let equivalent = point.map_or(evidence.equivalent == Some(true), |d| d.abs() < evidence.sesoi);
    let beyond = interval.is_some_and(|(lo, hi)| lo > evidence.sesoi || hi < -evidence.sesoi);
    let magnitude = if evidence.sesoi <= 0.0 {
        Magnitude::NotTested
    } else if verdict != Verdict::Inconclusive && beyond {
        Magnitude::Relevant
    } else if equivalent {
        Magnitude::Negligible
    } else {
        Magnitude::Uncertain
    };
    Decision { verdict, magnitude }
}

fn verdict(evidence: &Evidence) -> Verdict {
    let significant = evidence.p_adj.is_some_and(|p| is_below(p, evidence.alpha));
    let Some(diff) = evidence.diff.filter(|_| significant) else {
        return Verdict::Inconclusive;
    };
    let above = match evidence.interval {
        Some((lo, _)) if lo > 0.0 => true,
        Some((_, hi)) if hi < 0.0 => false,
        None if evidence.reason == Some(Reason::ZeroVariance) && diff != 0.0 => diff > 0.0,
        _ => return Verdict::Inconclusive,
    };
    match (evidence.direction, above) {
        (Direction::Higher, true) | (Direction::Lower, false) => Verdict::Better,
        (Direction::Higher, false) | (Direction::Lower, true) => Verdict::Worse,
        (Direction::None, true) => Verdict::Higher,
        (Direction::None, false) => Verdict::Lower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence {
        Evidence {
            diff: Some(0.02),
            interval: Some((0.01, 0.03)),
            p_adj: Some(0.001),
            sesoi: 0.05,
            equivalent: Some(true),
            direction: Direction::Higher,
            alpha: 0.05,
            reason: None,
        }
    }

    // Worked example 10 of the specification.
    #[test]
    fn real_but_too_small_is_better_and_negligible() {
        assert_eq!(decide(&evidence()), Decision { verdict: Verdict::Better, magnitude: Magnitude::Negligible });
    }

    #[test]
    fn interval_and_p_have_to_agree() {
        assert_eq!(decide(&Evidence { p_adj: Some(0.06), ..evidence() }).verdict, Verdict::Inconclusive);
        assert_eq!(decide(&Evidence { interval: Some((-0.01, 0.03)), ..evidence() }).verdict, Verdict::Inconclusive);
        assert_eq!(decide(&Evidence { p_adj: None, ..evidence() }).verdict, Verdict::Inconclusive);
    }

    #[test]
    fn direction_turns_the_words() {
        let words = [Direction::Higher, Direction::Lower, Direction::None];
        let verdicts = words.map(|direction| decide(&Evidence { direction, ..evidence() }).verdict);
        assert_eq!(verdicts, [Verdict::Better, Verdict::Worse, Verdict::Higher]);
    }

    #[test]
    fn without_spread_the_point_is_the_interval() {
        let constant = Evidence { interval: None, equivalent: None, reason: Some(Reason::ZeroVariance), ..evidence() };
        assert_eq!(decide(&constant), Decision { verdict: Verdict::Better, magnitude: Magnitude::Negligible });
        let large = Evidence { diff: Some(-0.2), ..constant };
        assert_eq!(decide(&large), Decision { verdict: Verdict::Worse, magnitude: Magnitude::Relevant });
        let same = Evidence { diff: Some(0.0), p_adj: Some(1.0), reason: Some(Reason::Identical), ..constant };
        assert_eq!(decide(&same), Decision { verdict: Verdict::Inconclusive, magnitude: Magnitude::Negligible });
    }
}

//! The words for what a comparison says.

use crate::compare::pair::flag::Flag;
use crate::compare::pair::result::Pair;
use crate::stats::verdict::Verdict;

/// Gives the word for a verdict.
pub(crate) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Higher => "higher",
        Verdict::Lower => "lower",
        Verdict::Inconclusive => "inconclusive",
    }
}

/// Gives the verdict of a pair for people: where nobody said which way is better, only which way it went.
pub(crate) fn shown_verdict(pair: &Pair) -> &'static str {
    match (pair.direction_assumed, pair.verdict) {
        (true, Verdict::Better) => "higher",
        (true, Verdict::Worse) => "lower",
        (_, verdict) => verdict_word(verdict),
    }
}

/// The standardised difference with its interval: d_z for pairs, the signed d otherwise.
pub(crate) fn effect(pair: &Pair) -> (Option<f64>, Option<f64>, Option<f64>) {
    match &pair.effects.paired {
        Some(e) => (e.d_z, e.dz_lo, e.dz_hi),
        None => (pair.effects.unpaired.cohen_d_signed, pair.effects.unpaired.d_lo, pair.effects.unpaired.d_hi),
    }
}

/// Gives the word for which way is better.
pub(crate) fn direction_word(pair: &Pair) -> &'static str {
    use crate::stats::verdict::Direction;
    match pair.direction {
        Direction::Higher => "higher",
        Direction::Lower => "lower",
        Direction::None => "none",
    }
}

/// Gives the word for whether a difference matters.
pub(crate) fn magnitude_word(pair: &Pair) -> &'static str {
    use crate::stats::verdict::Magnitude;
    match pair.magnitude {
        Magnitude::Relevant => "relevant",
        Magnitude::Negligible => "negligible",
        Magnitude::Uncertain => "uncertain",
        Magnitude::NotTested => "not_tested",
    }
}

/// The flags, and that of the reason of an untested difference.
pub(crate) fn flags(pair: &Pair) -> impl Iterator<Item = Flag> {
    let reason = pair.reason.and_then(Flag::of).filter(|flag| !pair.flags.contains(flag));
    pair.flags.iter().copied().chain(reason)
}

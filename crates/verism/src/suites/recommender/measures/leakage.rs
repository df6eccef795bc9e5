//! Leakage: replies after a shift that still speak of what the user dropped.

use super::cc::without;
use crate::score::measure::{Measure, Undefined};

/// A shift at the first turn.
pub(crate) const NO_PREVIOUS_TURN: Undefined = Undefined::new("no_previous_turn");
/// Nothing tells what the user wants.
pub(crate) const NO_STATE: Undefined = Undefined::new("no_state");
/// The user dropped nothing.
pub(crate) const NOTHING_DROPPED: Undefined = Undefined::new("nothing_dropped");

/// Gives the share of replies that name something dropped which the user did not name in that turn.
///
/// ```math
/// leakage = #{t : E(S_t) ∩ (D ∖ E(U_t)) ≠ ∅} / replies
/// ```
///
/// `replies` are the concepts (user, system) of the turns s..s+W−1 before the next shift, D = `dropped`. Nothing dropped:
/// undefined. Source: specification, section 6.
pub(crate) fn leakage<'t>(dropped: &[u32], replies: impl ExactSizeIterator<Item = (&'t [u32], &'t [u32])>) -> Measure {
    if dropped.is_empty() || replies.len() == 0 {
        return Err(NOTHING_DROPPED);
    }
    let all = replies.len();
    let leaks = |(user, system): &(&[u32], &[u32])| {
        without(dropped, user).any(|concept| system.binary_search(&concept).is_ok())
    };
    Ok(replies.filter(leaks).count() as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_names_again_does_not_leak() {
        // By hand: dropped 1; replies name it in turns 1 and 2, in turn 2 the user named it too.
        let turns: [(&[u32], &[u32]); 3] = [(&[2], &[1, 2]), (&[1], &[1]), (&[], &[2])];
        assert_eq!(leakage(&[1], turns.into_iter()), Ok(1.0 / 3.0));
        assert_eq!(leakage(&[], turns.into_iter()), Err(NOTHING_DROPPED));
    }
}

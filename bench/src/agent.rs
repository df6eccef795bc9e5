//! What an agent thinks and does in a year: sensible, except for the share of rows that break a rule on purpose.

use crate::random::Random;

/// Active rows in a thousand that break at least one rule.
pub(crate) const VIOLATIONS_PER_MILLE: usize = 50;

/// A stated threat or coping level, in the order of the scale.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    VeryLow,
    Low,
    Medium,
    High,
    VeryHigh,
}

impl Level {
    /// The token of governed logs.
    pub(crate) fn token(self) -> &'static str {
        ["VL", "L", "M", "H", "VH"][self as usize]
    }
}

/// What an agent wants to do this year.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Nothing,
    Insurance,
    Elevation,
    Both,
    Relocation,
}

/// The lasting state of an agent.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct State {
    pub elevated: bool,
    pub insured: bool,
    pub relocated: bool,
}

impl State {
    /// The state after an action that was carried out; insurance lapses in a year without it.
    pub(crate) fn after(self, action: Action) -> Self {
        Self {
            elevated: self.elevated || matches!(action, Action::Elevation | Action::Both),
            insured: matches!(action, Action::Insurance | Action::Both),
            relocated: self.relocated || action == Action::Relocation,
        }
    }
}

/// One decision with the appraisals behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub threat: Level,
    pub coping: Level,
    pub action: Action,
}

impl Decision {
    /// Draws a decision; in a year with a flood threats are higher.
    pub(crate) fn draw(state: State, flooded: bool, random: &mut Random) -> Self {
        use Action::{Both, Elevation, Insurance, Nothing, Relocation};
        use Level::{High, Low, Medium, VeryHigh, VeryLow};
        let coping = random.weighted(&[(VeryLow, 4), (Low, 24), (Medium, 42), (High, 26), (VeryHigh, 4)]);
        let decide = |threat, action| Self { threat, coping, action };
        if random.chance(VIOLATIONS_PER_MILLE) {
            if state.elevated && random.chance(500) {
                return decide(random.pick(&[Medium, High]), random.weighted(&[(Elevation, 4), (Both, 1)]));
            }
            return random.weighted(&[
                (decide(High, Nothing), 50),
                (decide(VeryHigh, Nothing), 10),
                (decide(Low, Elevation), 28),
                (decide(VeryLow, Both), 4),
                (decide(Low, Relocation), 8),
            ]);
        }
        let threat = if flooded {
            random.weighted(&[(VeryLow, 1), (Low, 9), (Medium, 40), (High, 42), (VeryHigh, 8)])
        } else {
            random.weighted(&[(VeryLow, 8), (Low, 40), (Medium, 38), (High, 13), (VeryHigh, 1)])
        };
        let can_elevate = usize::from(!state.elevated);
        let action = match threat {
            VeryLow | Low => random.weighted(&[(Nothing, 70), (Insurance, 30)]),
            Medium => random.weighted(&[(Nothing, 45), (Insurance, 40), (Elevation, 8 * can_elevate), (Relocation, 1)]),
            High | VeryHigh => random.weighted(&[
                (Insurance, 60),
                (Elevation, 16 * can_elevate),
                (Both, 4 * can_elevate),
                (Relocation, 4),
            ]),
        };
        decide(threat, action)
    }

    /// Whether the decision breaks a rule of the flood pack.
    pub(crate) fn violates(self, before: State) -> bool {
        let structural = matches!(self.action, Action::Elevation | Action::Both);
        (before.elevated && structural)
            || (self.threat >= Level::High && self.action == Action::Nothing)
            || (self.threat <= Level::Low && (structural || self.action == Action::Relocation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_rows_in_a_hundred_break_a_rule() {
        let mut random = Random::new(1, 1);
        for elevated in [false, true] {
            let state = State { elevated, ..State::default() };
            let broken = (0..20_000).filter(|_| Decision::draw(state, true, &mut random).violates(state)).count();
            assert!((900..1100).contains(&broken), "{broken} of 20000 with elevated = {elevated}");
        }
    }

    #[test]
    fn what_was_done_stays_but_insurance_lapses() {
        let state = State::default().after(Action::Both);
        assert!(state.elevated && state.insured);
        let state = state.after(Action::Nothing);
        assert!(state.elevated && !state.insured && !state.relocated);
    }
}

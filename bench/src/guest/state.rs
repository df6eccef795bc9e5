//! How a guest behaves from message to message, and the forms in which that is logged.

use crate::random::Random;

const EXPLORATION: [&str; 2] = ["explores_menu", "does_not_explore_menu"];
const MOOD: [&str; 4] = ["casual", "frustrated", "confused", "enthusiastic"];
const ORDERING: [&str; 2] = ["one_by_one", "all_at_once"];

/// The state of one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) exploration: &'static str,
    pub(crate) mood: &'static str,
    pub(crate) ordering: &'static str,
    pub(crate) complete: bool,
}

/// What a persona is expected to do.
#[derive(Clone, Copy)]
pub(crate) struct Persona {
    exploration: &'static str,
    moods: [&'static str; 2],
    ordering: &'static str,
}

impl Persona {
    pub(crate) fn draw(random: &mut Random) -> Self {
        let first = random.below(MOOD.len());
        Self {
            exploration: random.pick(&EXPLORATION),
            moods: [MOOD[first], MOOD[(first + 1 + random.below(3)) % 4]],
            ordering: random.pick(&ORDERING),
        }
    }

    /// A first state, mostly as expected.
    pub(crate) fn start(&self, random: &mut Random) -> State {
        State {
            exploration: if random.chance(800) { self.exploration } else { random.pick(&EXPLORATION) },
            mood: if random.chance(800) { random.pick(&self.moods) } else { random.pick(&MOOD) },
            ordering: if random.chance(800) { self.ordering } else { random.pick(&ORDERING) },
            complete: false,
        }
    }

    /// The next state: each field stays in about four of five messages.
    pub(crate) fn next(&self, before: State, random: &mut Random) -> State {
        let fresh = self.start(random);
        State {
            exploration: if random.chance(700) { before.exploration } else { fresh.exploration },
            mood: if random.chance(600) { before.mood } else { fresh.mood },
            ordering: if random.chance(800) { before.ordering } else { fresh.ordering },
            complete: false,
        }
    }

    pub(crate) fn push_expected(&self, out: &mut String) {
        let [first, second] = self.moods;
        for part in [
            "{\"next_message_menu_exploration_style\": \"",
            self.exploration,
            "\", \"next_message_mood_tones\": [\"",
            first,
            "\", \"",
            second,
            "\"], \"next_message_ordering_style\": \"",
            self.ordering,
            "\", \"is_ordering_complete\": \"no\"}",
        ] {
            out.push_str(part);
        }
    }
}

impl State {
    fn done(self) -> &'static str {
        if self.complete { "yes" } else { "no" }
    }

    /// Appends a recorded state with its source.
    pub(crate) fn push_recorded(self, source: &str, out: &mut String) {
        self.push_object(out);
        out.truncate(out.len() - 1);
        for part in [", \"source\": \"", source, "\"}"] {
            out.push_str(part);
        }
    }

    /// Appends it as a JSON object.
    pub(crate) fn push_object(self, out: &mut String) {
        for part in [
            "{\"exploration\": \"",
            self.exploration,
            "\", \"mood\": \"",
            self.mood,
            "\", \"ordering\": \"",
            self.ordering,
            "\", \"complete\": \"",
            self.done(),
            "\"}",
        ] {
            out.push_str(part);
        }
    }

    /// Appends it as the original prints it.
    pub(crate) fn push_python(self, out: &mut String) {
        out.push_str("Message generation attributes for your next message:");
        for (field, kind, value) in [
            ("is_ordering_complete", "IsOrderingComplete", self.done()),
            ("next_message_menu_exploration_style", "MenuExplorationStyle", self.exploration),
            ("next_message_mood_tone", "MessageMoodTone", self.mood),
            ("next_message_ordering_style", "OrderingStyle", self.ordering),
        ] {
            for part in [" ", field, "=<", kind, "."] {
                out.push_str(part);
            }
            out.extend(value.chars().map(|c| c.to_ascii_uppercase()));
            for part in [": '", value, "'>"] {
                out.push_str(part);
            }
        }
    }
}

//! The course of a conversation: its record, its messages, its tool calls.

use super::menu::Line;
use super::order::{Detail, push_items, push_text};
use super::state::Persona;
use crate::grammar::push_digits;
use crate::random::Random;

/// What every experiment plays: a persona and a target.
pub(crate) struct Case {
    pub(crate) number: usize,
    pub(crate) persona: Persona,
    pub(crate) biography: String,
    pub(crate) id: u64,
    pub(crate) target: Vec<Line>,
}

/// What is wrong with a conversation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    None,
    /// Messages without states.
    Unjudged,
    /// A mood outside the vocabulary.
    ForeignMood,
    /// Texts with escapes, other scripts, words like the exit word.
    Words,
    /// No exit at the end.
    CutOff,
    /// Neither target nor persona.
    Bare,
    /// Ids as numbers, quantities as floats.
    Numbers,
    /// Roles and texts as chat programs write them.
    Chat,
}

/// How a tool's answer is logged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Object,
    Text,
    Original,
}

/// The course of one conversation.
pub(crate) struct Talk {
    pub(crate) level: usize,
    pub(crate) odd: Oddity,
    pub(crate) random: Random,
    pub(crate) ordered: Vec<Line>,
    /// Seconds since the beginning.
    pub(crate) time: usize,
    /// Messages so far.
    pub(crate) index: usize,
}

impl Talk {
    pub(crate) fn form(&mut self) -> Form {
        use Form::{Object, Original, Text};
        match self.level {
            3 => self.random.weighted(&[(Object, 8), (Text, 1), (Original, 1)]),
            4 => self.random.weighted(&[(Object, 1), (Text, 8), (Original, 1)]),
            _ => self.random.weighted(&[(Object, 1), (Text, 1), (Original, 8)]),
        }
    }

    /// The record up to its messages.
    pub(crate) fn head(&self, case: &Case, out: &mut String) {
        out.push_str("{\"experiment\": \"exp");
        push_digits(self.level, 1, out);
        out.push_str("\", \"run\": \"1\", \"case\": ");
        let quote = if self.odd == Oddity::Numbers { "" } else { "\"" };
        out.push_str(quote);
        push_digits(case.number + 1, 1, out);
        out.push_str(quote);
        out.push_str(", \"dialogue\": \"chat_with_guest_simulation_agent_exp");
        push_digits(self.level, 1, out);
        out.push_str("_test_case_number_");
        push_digits(case.number + 1, 1, out);
        out.push_str("\", \"level\": ");
        push_digits(self.level, 1, out);
        if self.odd != Oddity::Bare {
            out.push_str(", \"persona\": {\"id\": \"P");
            push_digits(case.id as usize + 1, 3, out);
            out.push_str("\", \"bio\": ");
            push_text(&case.biography, out);
            // One persona in ten has words only.
            if case.id % 10 != 9 {
                out.push_str(", \"expected\": ");
                case.persona.push_expected(out);
            }
            out.push_str("}, \"target_order\": {\"order_items\": ");
            push_items(&case.target, Detail::Full, out);
            out.push('}');
        }
        out.push_str(", \"messages\": [");
    }

    /// A message up to its text.
    pub(crate) fn open(&mut self, role: &str, text: &str, out: &mut String) {
        let chat = self.odd == Oddity::Chat;
        let role = match role {
            "guest" if chat => "user",
            "staff" if chat => "assistant",
            role => role,
        };
        if self.index > 0 {
            out.push_str(", ");
        }
        out.push_str("{\"id\": \"msg-");
        push_digits(self.random.below(1 << 30), 10, out);
        push_digits(self.index, 2, out);
        for part in ["\", \"role\": \"", role, "\", \"time\": \"2031-03-04T12:"] {
            out.push_str(part);
        }
        self.time += 2 + self.random.below(25);
        push_digits(self.time / 60 % 60, 2, out);
        out.push(':');
        push_digits(self.time % 60, 2, out);
        out.push_str(if chat { "+00:00\", \"content\": " } else { "+00:00\", \"text\": " });
        push_text(text, out);
        self.index += 1;
    }

    pub(crate) fn staff(&mut self, text: &str, out: &mut String) {
        self.open("staff", text, out);
        out.push('}');
    }

    /// A tool call with its result, and a comma after it.
    pub(crate) fn call(&mut self, name: &str, agent: Option<&str>, answer: Answer<'_>, out: &mut String) {
        out.push_str("{\"id\": \"call_");
        push_digits(self.random.below(1 << 30), 10, out);
        for part in ["\", \"name\": \"", name] {
            out.push_str(part);
        }
        if let Some(agent) = agent {
            out.push_str("\", \"agent\": \"");
            out.push_str(agent);
        }
        out.push_str("\", \"args\": \"{}\", \"result\": ");
        match answer {
            Answer::Object(json) => out.push_str(json),
            Answer::Text(text) => push_text(text, out),
        }
        out.push_str(", \"decision_latency_sec\": 0.");
        push_digits(self.random.below(1000), 3, out);
        out.push_str(", \"execution_latency_sec\": 1.");
        push_digits(self.random.below(1000), 3, out);
        out.push_str("}, ");
    }
}

/// What a tool answers.
pub(crate) enum Answer<'a> {
    /// An object, as JSON.
    Object(&'a str),
    Text(&'a str),
}

impl<'a> Answer<'a> {
    pub(crate) fn new(result: &'a str, as_text: bool) -> Self {
        if as_text { Self::Text(result) } else { Self::Object(result) }
    }
}

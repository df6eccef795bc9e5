//! One conversation: a case played on a level of instrumentation, as one line of JSON.

use super::menu::Line;
use super::order::{Detail, push_items, push_python};
use super::phrases::{LISTS, NUMBERS};
use super::state::{Persona, State};
use super::talk::{Answer, Case, Form, Oddity, Talk};
use crate::grammar::{Grammar, push_digits};
use crate::random::Random;

/// Conversations in a thousand with something odd about them.
const ODD_PER_MILLE: usize = 30;
const PERSONAS: u64 = 200;
const ORDER_TOOL: &str = "update_order_tracking";
const STYLE_TOOL: &str = "get_message_generation_attributes_for_next_message";
const BASIC_TOOLS: [&str; 3] = ["get_persona_of_self", "get_target_order", "get_past_messages_history"];

/// Writes conversations; keeps the compiled grammar and buffers.
pub(crate) struct Writer {
    grammar: Grammar,
    seed: u64,
    text: String,
    result: String,
    /// Guest messages written so far.
    pub(crate) guest_messages: u64,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        let grammar = Grammar::new(LISTS, NUMBERS);
        Self { grammar, seed, text: String::new(), result: String::new(), guest_messages: 0 }
    }

    /// The same case for every experiment.
    fn case(&mut self, number: usize) -> Case {
        let mut random = Random::new(self.seed ^ 0x5EED, number as u64);
        let id = random.below(PERSONAS as usize) as u64;
        let target =
            (0..random.weighted(&[(2, 20), (3, 37), (4, 26), (5, 17)])).map(|_| Line::draw(&mut random)).collect();
        let mut who = Random::new(self.seed ^ 0x9E50, id);
        let persona = Persona::draw(&mut who);
        let mut biography = String::new();
        for list in ["bio", "bio_more", "bio_more"] {
            self.grammar.say(self.grammar.list(list), &mut who, &mut biography);
            biography.push(' ');
        }
        biography.truncate(biography.len() - 1);
        Case { number, persona, biography, id, target }
    }

    /// Appends conversation `number`: case `number / 5` on level `number % 5 + 1`.
    pub(crate) fn conversation(&mut self, number: usize, out: &mut String) {
        let case = self.case(number / 5);
        let mut random = Random::new(self.seed, number as u64);
        let odd = if random.chance(ODD_PER_MILLE) {
            use Oddity::{Bare, Chat, CutOff, ForeignMood, Numbers, Unjudged, Words};
            random.pick(&[Unjudged, ForeignMood, Words, CutOff, Bare, Numbers, Chat])
        } else {
            Oddity::None
        };
        let mut talk = Talk { level: number % 5 + 1, odd, random, ordered: vec![], time: 0, index: 0 };
        talk.head(&case, out);
        self.messages(&case, &mut talk, out);
        out.push_str("]}\n");
    }

    fn messages(&mut self, case: &Case, talk: &mut Talk, out: &mut String) {
        let turns = talk.random.weighted(&[(3, 17), (4, 27), (5, 26), (6, 16), (7, 10), (8, 4)]);
        let mut waiting = case.target.clone();
        waiting.reverse();
        let mut state = case.persona.start(&mut talk.random);
        self.say(&["greet"], talk);
        talk.staff(&self.text, out);
        for turn in 0..turns {
            let last = turn + 1 == turns;
            if turn > 0 {
                state = case.persona.next(state, &mut talk.random);
            }
            state.complete = last;
            let count = match state.ordering {
                _ if last => waiting.len(),
                "all_at_once" if turn > 0 => waiting.len(),
                _ => waiting.len().min(1),
            };
            let before = talk.ordered.len();
            for line in waiting.split_off(waiting.len() - count).iter().rev() {
                let slips = talk.random.chance(if matches!(talk.level, 3 | 5) { 80 } else { 300 });
                let line = if slips { line.slipped(&mut talk.random) } else { line.clone() };
                talk.ordered.push(line);
            }
            self.guest_text(state, before, talk);
            self.guest(case, Some(state), before, talk, out);
            self.say(
                if last {
                    &["bye"]
                } else if count > 0 {
                    &["noted", "tell"]
                } else {
                    &["tell", "tell"]
                },
                talk,
            );
            talk.staff(&self.text, out);
        }
        if talk.odd != Oddity::CutOff {
            self.text.clear();
            self.text.push_str(talk.random.pick(&["exit", "Exit.", "Exit", "EXIT!"]));
            let all = talk.ordered.len();
            self.guest(case, None, all, talk, out);
        }
    }

    /// One phrase of each list in the text buffer.
    fn say(&mut self, lists: &[&str], talk: &mut Talk) {
        self.text.clear();
        for list in lists {
            self.add(list, talk);
        }
    }

    fn add(&mut self, list: &str, talk: &mut Talk) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.grammar.say(self.grammar.list(list), &mut talk.random, &mut self.text);
    }

    /// What the guest says: the mood, the lines ordered from number `from` on, a question or a pause.
    fn guest_text(&mut self, state: State, from: usize, talk: &mut Talk) {
        self.say(&[state.mood], talk);
        for number in from..talk.ordered.len() {
            self.add("take", talk);
            self.text.push(' ');
            talk.ordered[number].push_name(&mut self.text);
            for (_, option) in &talk.ordered[number].modifiers {
                self.text.push_str(", ");
                self.text.push_str(option);
            }
            self.text.push('.');
        }
        if state.complete {
            self.add("end", talk);
        } else if state.exploration == "explores_menu" {
            self.add("ask", talk);
        } else if from == talk.ordered.len() {
            self.add("pause", talk);
        }
        if talk.odd == Oddity::Words {
            self.add("odd", talk);
        }
    }

    /// A guest's message with the text of the buffer; `known` lines are ordered as far as judge and tools know.
    fn guest(&mut self, case: &Case, state: Option<State>, known: usize, talk: &mut Talk, out: &mut String) {
        self.guest_messages += 1;
        talk.open("guest", &self.text, out);
        if let Some(state) = state.filter(|_| talk.odd != Oddity::Unjudged || talk.random.chance(500)) {
            out.push_str(", \"state\": ");
            let mood = if talk.odd == Oddity::ForeignMood { "hangry" } else { state.mood };
            State { mood, ..state }.push_recorded("judge", out);
        }
        out.push_str(", \"order\": {\"items\": ");
        let order = &talk.ordered[..known];
        push_items(order, Detail::Short, out);
        if talk.odd == Oddity::Numbers && order.is_empty() {
            out.truncate(out.len() - 1);
            out.push_str("{\"name\": \"Table Water\", \"quantity\": 1.0}]");
        }
        out.push_str(", \"source\": \"judge\"}, \"tool_calls\": [");
        let start = out.len();
        if talk.level == 2 && talk.random.chance(700) {
            let name = talk.random.pick(&BASIC_TOOLS);
            self.result.clear();
            self.result.push_str(&case.biography);
            talk.call(name, None, Answer::Text(&self.result), out);
        }
        if matches!(talk.level, 3 | 5) && talk.random.chance(930) {
            let as_text = self.order_result(case, known, talk);
            talk.call(ORDER_TOOL, None, Answer::new(&self.result, as_text), out);
        }
        if let Some(state) = state.filter(|_| talk.level >= 4 && talk.random.chance(930)) {
            let as_text = self.state_result(state, talk);
            talk.call(STYLE_TOOL, None, Answer::new(&self.result, as_text), out);
            // The planner behind it is a sub-agent.
            talk.call("final_result", Some("planner"), Answer::Text("ok"), out);
        }
        if out.ends_with(", ") {
            out.truncate(out.len().max(start + 2) - 2);
        }
        out.push_str("], \"usage\": {\"requests\": 1, \"request_tokens\": ");
        push_digits(900 + talk.random.below(4000), 1, out);
        out.push_str(", \"response_tokens\": ");
        push_digits(20 + talk.random.below(80), 1, out);
        out.push_str("}}");
    }

    /// The answer of the order tool in the buffer; whether it is a text rather than an object.
    fn order_result(&mut self, case: &Case, known: usize, talk: &mut Talk) -> bool {
        self.result.clear();
        let form = talk.form();
        if form == Form::Original {
            self.result.push_str("Latest Order tracking : current_items_in_order=");
            push_python(&talk.ordered[..known], &mut self.result);
            self.result.push_str(" target_items_to_order=");
            push_python(&case.target, &mut self.result);
            return true;
        }
        self.result.push_str("{\"items\": ");
        push_items(&talk.ordered[..known], Detail::Short, &mut self.result);
        self.result.push('}');
        form == Form::Text
    }

    /// The answer of the style tool, likewise.
    fn state_result(&mut self, state: State, talk: &mut Talk) -> bool {
        self.result.clear();
        let form = talk.form();
        match form {
            Form::Original => state.push_python(&mut self.result),
            _ => state.push_object(&mut self.result),
        }
        form != Form::Object
    }
}

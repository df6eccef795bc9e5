//! One conversation: a guest who keeps the persona and remembers the order more or less well.

use super::menu::{self, Case};
use super::record::{
    BASIC_TOOLS, Call, Expected, Line, Message, Modifier, ORDER_TOOL, Order, Persona, Record, STYLE_TOOL, State,
};
use super::{Dice, Experiment, words};

const MOODS: [&str; 4] = ["casual", "frustrated", "confused", "enthusiastic"];

/// Plays a case in an experiment.
pub(super) fn conversation(experiment: &Experiment, number: usize, case: &Case) -> Record {
    let mut dice = Dice::new(experiment.level, number);
    let mut guest = Guest { experiment, case, state: None, ordered: vec![], target: target(case) };
    let mut messages = vec![staff("Welcome! What can I get you?".to_string())];
    let mut waiting = guest.target.clone();
    let turns = 4 + dice.below(3);
    for turn in 0..turns {
        let (last, before) = (turn + 1 == turns, guest.ordered.clone());
        let mut state = guest.next_state(&mut dice);
        let count = match state {
            _ if last => waiting.len(),
            State { exploration: "explores_menu", .. } if turn == 0 => 0,
            State { ordering: "all_at_once", .. } => waiting.len(),
            _ => 1.min(waiting.len()),
        };
        let now: Vec<Line> = waiting.drain(..count).filter_map(|line| guest.recall(line, &mut dice)).collect();
        state.complete = if last { "yes" } else { "no" };
        guest.ordered.extend(now.iter().cloned());
        let text = words::guest(&state, &now, &mut dice);
        messages.push(guest.message(text, Some(&state), &before, &mut dice));
        messages.push(staff(words::staff(&state, &now, &mut dice)));
    }
    let all = guest.ordered.clone();
    messages.push(guest.message("Exit.".to_string(), None, &all, &mut dice));
    for (index, message) in messages.iter_mut().enumerate() {
        message.id = Some(format!("m{index}"));
    }
    Record {
        experiment: experiment.name.to_string(),
        case: format!("{number:02}"),
        dialogue: format!("{}-{number:02}", experiment.name),
        level: experiment.level,
        persona: Some(persona(&case.persona)),
        target_order: Some(Order { items: guest.target, source: None }),
        final_order: None,
        messages,
        notes: vec![],
    }
}

fn staff(text: String) -> Message {
    Message { role: "staff", text: Some(text), ..Message::default() }
}

fn exploration(explores: bool) -> &'static str {
    if explores { "explores_menu" } else { "does_not_explore_menu" }
}

fn ordering(all_at_once: bool) -> &'static str {
    if all_at_once { "all_at_once" } else { "one_by_one" }
}

fn persona(who: &menu::Persona) -> Persona {
    let expected = Expected {
        exploration: exploration(who.explores),
        moods: who.moods,
        ordering: ordering(who.all_at_once),
        complete: "no",
    };
    Persona { id: who.id, bio: who.bio, expected: who.stated.then_some(expected) }
}

fn target(case: &Case) -> Vec<Line> {
    let line = |&(name, quantity, options): &menu::OrderedDish| {
        let modifiers = options.iter().map(|&option| Modifier { r#type: menu::kind_of(name, option).0, option });
        Line { name, quantity, modifiers: modifiers.collect() }
    };
    case.target.iter().map(line).collect()
}

struct Guest<'a> {
    experiment: &'a Experiment,
    case: &'a Case,
    /// The state of the message before.
    state: Option<State>,
    /// What has been ordered so far.
    ordered: Vec<Line>,
    target: Vec<Line>,
}

impl Guest<'_> {
    /// A field stays as it was, or turns to what the persona expects, or away from it, as the experiment has it.
    fn next_state(&mut self, dice: &mut Dice) -> State {
        let (who, how) = (&self.case.persona, self.experiment);
        let mut fresh = |before: Option<&'static str>, wanted: &[&'static str], all: &[&'static str]| {
            let others: Vec<&str> = all.iter().copied().filter(|value| !wanted.contains(value)).collect();
            let known: Vec<&str> = all.iter().copied().filter(|value| wanted.contains(value)).collect();
            match before {
                Some(before) if dice.chance(how.stays) => before,
                _ if dice.chance(how.keeps_persona) => dice.pick(&known),
                _ => dice.pick(&others),
            }
        };
        let (before, styles) = (self.state.as_ref(), [ordering(true), ordering(false)]);
        let sights = [exploration(true), exploration(false)];
        let state = State {
            exploration: fresh(before.map(|s| s.exploration), &[exploration(who.explores)], &sights),
            mood: fresh(before.map(|s| s.mood), who.moods, &MOODS),
            ordering: match how.level {
                1 => ordering(false),
                _ => fresh(before.map(|s| s.ordering), &[ordering(who.all_at_once)], &styles),
            },
            complete: "no",
            source: None,
        };
        self.state = Some(state.clone());
        state
    }

    /// A wanted line as it is ordered: forgotten, with an option lost or mistaken, or right.
    fn recall(&self, mut line: Line, dice: &mut Dice) -> Option<Line> {
        let slip = self.experiment.slips;
        if dice.chance(slip / 2.0) {
            return None;
        }
        let mut kept = vec![];
        for modifier in std::mem::take(&mut line.modifiers) {
            let others = menu::kind_of(line.name, modifier.option).1;
            if !dice.chance(slip) {
                kept.push(modifier);
            } else if dice.chance(0.5) {
                kept.push(Modifier { option: dice.pick(&others), ..modifier });
            }
        }
        line.modifiers = kept;
        Some(line)
    }

    /// A message with what the experiment leaves behind: judged states and orders, or tool calls with their results.
    /// A tool is asked before the message is written, so it knows the order `before` it; an exit has no state.
    fn message(&self, text: String, state: Option<&State>, before: &[Line], dice: &mut Dice) -> Message {
        let (level, talks) = (self.experiment.level, state.is_some());
        let judged = state.filter(|_| level <= 3).map(|state| State { source: Some("judge"), ..state.clone() });
        let order = Order { items: self.ordered.clone(), source: Some("judge") };
        let mut calls = vec![];
        let mut asks = |share: f64| dice.chance(share);
        if level == 2 && talks && asks(0.7) {
            calls.push(Call::new(BASIC_TOOLS[before.len() % BASIC_TOOLS.len()], None));
        }
        if level == 3 && (!talks || asks(0.9)) {
            let result = serde_json::json!({"items": before});
            calls.push(Call::new(ORDER_TOOL, Some(result)));
        }
        if level == 5 && (!talks || asks(0.95)) {
            let result = super::record::orders_as_original_text(before, &self.target);
            calls.push(Call::new(ORDER_TOOL, Some(result.into())));
        }
        if level == 4 && asks(0.3) {
            calls.push(Call { agent: Some("planner"), ..Call::new(ORDER_TOOL, None) });
        }
        if let Some(state) = state.filter(|_| level >= 4 && asks(0.95)) {
            let result = if level == 4 { crate::score::json::text(state) } else { state.as_original_text() };
            calls.push(Call::new(STYLE_TOOL, Some(result.into())));
        }
        Message {
            role: "guest",
            text: Some(text),
            state: judged,
            order: (level == 1 || level == 4).then_some(order),
            tool_calls: Some(calls),
            truth: state.cloned(),
            ..Message::default()
        }
    }
}

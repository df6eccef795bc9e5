//! A conversation to its scores.

use std::fmt::Write as _;

use super::ID;
use super::audits::audits;
use super::measures::Measured;
use super::measures::bands::band;
use super::measures::ms::{Comparison, Expectations};
use super::measures::ora::{NO_TARGET, f1, snapshots};
use super::measures::pas::Scored;
use super::measures::score::Score;
use super::options::{OrderChoice, Params};
use super::outcome::{Outcome, PathRow, Turns, UsedValues};
use super::record::dialogue::Dialogue;
use super::record::exit::ExitWords;
use super::record::order::Order;
use super::record::vocabulary::{FIELDS, Field, State};
use crate::input::Limits;
use crate::score::measure::Measure;
use crate::score::row::Row;
use crate::suites::records::Key;

/// Judges conversations by one set of options.
pub(crate) struct Judge {
    pub(super) params: Params,
    exit_words: ExitWords,
    /// How large files may be.
    pub(super) limits: Limits,
}

impl Judge {
    pub(super) fn new(params: Params) -> Judge {
        let exit_words = ExitWords::new(&params.exit_words);
        Judge { params, exit_words, limits: Limits::default() }
    }

    /// The same for files of at most such a size.
    pub(super) fn within(self, limits: Limits) -> Judge {
        Judge { limits, ..self }
    }

    /// Scores a conversation.
    pub(super) fn judge(&self, mut dialogue: Dialogue<'_>) -> Outcome {
        let params = &self.params;
        dialogue.prepare(params, &self.exit_words);
        let names = std::mem::take(&mut dialogue.names);
        let dialogue = &dialogue;
        let expectations = Expectations::of(&dialogue.persona);
        let measured = Measured::new(dialogue, &expectations, names, params);

        let mut ids = vec![];
        blank_row(dialogue).push_ids(&mut ids);
        let messages = measured.messages.len();
        let mut lines = Vec::with_capacity(512 * (messages + 12));
        let turns = turn_rows(dialogue, &ids, &expectations, &measured.messages, measured.exits as u64, &mut lines);
        let used = used(dialogue, &measured.states);
        let explores = |state: &State<'_>| state.get(Field::Exploration).map(|value| value == "explores_menu");
        let explored: Vec<bool> = measured.states.iter().filter_map(|(_, state)| explores(state)).collect();
        let share = |all: usize| explored.iter().filter(|explores| **explores).count() as f64 / all as f64;
        let scores = measured.scores();
        dialogue_rows(dialogue, &ids, &scores, &mut lines);
        Outcome {
            key: Key {
                experiment: dialogue.experiment.to_string(),
                run: dialogue.run.to_string(),
                case: dialogue.case.to_string(),
                unit: dialogue.dialogue.to_string(),
            },
            persona: dialogue.persona.id.as_deref().map(String::from),
            level: dialogue.level,
            n: messages as u64,
            values: scores.into_iter().map(|(_, score)| score.value).collect(),
            explore_rate: (!explored.is_empty()).then(|| share(explored.len())),
            turns,
            lines: String::from_utf8(lines).expect("JSON is UTF-8"),
            order_path: order_path(dialogue, params),
            audits: audits(dialogue, &self.exit_words),
            used,
            expected: dialogue.persona.expected.as_ref().map(|expected| {
                FIELDS.map(|field| expected.accepted(field).iter().map(|value| value.to_string()).collect())
            }),
        }
    }
}

/// Writes the rows of the messages.
fn turn_rows(
    dialogue: &Dialogue<'_>,
    ids: &[u8],
    expectations: &Expectations<'_>,
    messages: &[Scored<'_>],
    exits: u64,
    lines: &mut Vec<u8>,
) -> Turns {
    let mut turns = Turns { exits, ..Turns::default() };
    let nothing = Comparison(vec![]);
    let mut unit = format!("{}#", dialogue.dialogue);
    let stem = unit.len();
    for (scored, message) in messages.iter().zip(dialogue.talk()) {
        let value = scored.ms(&expectations.kind);
        match &value {
            Ok(_) => turns.scored += 1,
            Err(why) => turns.book_undefined(why.reason(), 1),
        }
        let components = scored.comparison.as_ref().unwrap_or(&nothing);
        let source = scored.comparison.as_ref().map(|_| dialogue.state_source(message));
        unit.truncate(stem);
        // A text takes every number.
        let _ = write!(unit, "{}", scored.turn);
        let row = Row {
            metric: "ms",
            turn: Some(scored.turn as i64),
            level: "turn",
            unit: &unit,
            value,
            n: Some(components.compared()),
            ..blank_row(dialogue)
        };
        row.push_line_by(ids, lines, |out| components.push_evidence(&expectations.mode, source, out));
    }
    turns
}

/// Writes the rows of the conversation.
fn dialogue_rows(dialogue: &Dialogue<'_>, ids: &[u8], scores: &[(&'static str, Score)], lines: &mut Vec<u8>) {
    for (metric, score) in scores {
        let row = Row {
            metric,
            level: "dialogue",
            unit: &dialogue.dialogue,
            value: score.value.clone(),
            n: Some(score.n),
            band: score.value.as_ref().ok().and_then(|value| band(metric, *value)),
            evidence: &score.evidence,
            ..blank_row(dialogue)
        };
        row.push_line_with(ids, lines);
    }
}

/// A row with the ids of a conversation and nothing else.
fn blank_row<'r>(dialogue: &'r Dialogue<'_>) -> Row<'r> {
    Row {
        suite: ID,
        metric: "",
        experiment: &dialogue.experiment,
        extra: &[],
        run: Some(&dialogue.run),
        case: Some(&dialogue.case),
        dialogue: Some(&dialogue.dialogue),
        turn: None,
        level: "",
        unit: "",
        value: Ok(0.0),
        n: None,
        band: None,
        evidence: "{}",
    }
}

/// How far the order was at each snapshot.
fn order_path(dialogue: &Dialogue<'_>, params: &Params) -> Vec<PathRow> {
    let nothing = Order::default();
    let mut so_far = &nothing;
    let mut rows = vec![];
    for (message, order) in snapshots(dialogue, params) {
        if params.order_choice == OrderChoice::Last || !order.set.is_empty() {
            so_far = order;
        }
        let ora: Measure = match &dialogue.target {
            Some(target) => Ok(f1(&so_far.set, &target.set)),
            None => Err(NO_TARGET),
        };
        let state = dialogue.state(message).filter(|_| !message.exit);
        let exploration = state.and_then(|state| state.get(Field::Exploration));
        rows.push(PathRow {
            turn: message.index as u64,
            exploration: exploration.map(|value| Field::Exploration.own(value)),
            size: order.set.len() as u64,
            ora,
        });
    }
    rows
}

/// What was used, for the audits that look across conversations.
fn used(dialogue: &Dialogue<'_>, states: &[(usize, &State<'_>)]) -> UsedValues {
    let field = |field: Field| {
        let mut values = states.iter().filter_map(|(_, state)| state.get(field));
        let Some(first) = values.next() else { return (0, None) };
        let (mut count, mut same) = (1, true);
        for value in values {
            count += 1;
            same &= value == first;
        }
        (count, same.then(|| first.to_string()))
    };
    let sorted = |mut sources: Vec<&str>| -> Vec<String> {
        sources.sort_unstable();
        sources.dedup();
        sources.into_iter().map(String::from).collect()
    };
    let has_state = dialogue.talk().filter(|message| dialogue.state(message).is_some());
    let has_order = dialogue.guests().filter(|message| dialogue.order(message).is_some());
    UsedValues {
        fields: FIELDS.map(field),
        state_sources: sorted(has_state.map(|message| dialogue.state_source(message)).collect()),
        order_sources: sorted(has_order.map(|message| dialogue.order_source(message)).collect()),
    }
}

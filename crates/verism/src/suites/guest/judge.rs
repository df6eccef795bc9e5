//! A conversation to its scores.

use super::audits::audits;
use super::bands::band;
use super::dialogue::{Dialogue, STORED, TOOL};
use super::drift::{Style, pas3, pdr};
use super::evidence::Score;
use super::exit::ExitWords;
use super::ms::{Comparison, Kind, Yardstick};
use super::options::{OrderChoice, Params, Switch};
use super::ora::{NO_TARGET, f1, final_order, snapshots};
use super::order::Order;
use super::outcome::{Key, Outcome, PathRow, Turns, Used, metrics};
use super::pas::Scored;
use super::vocabulary::{FIELDS, Field, STYLE, State};
use super::{ID, bal, bvs, crrs, dei, ora, pas, som, sta, trace};
use crate::score::measure::Measure;
use crate::score::row::Row;

/// Judges conversations by one set of options.
pub(super) struct Judge<'p> {
    params: &'p Params,
    exit_words: ExitWords,
}

impl<'p> Judge<'p> {
    pub(super) fn new(params: &'p Params) -> Judge<'p> {
        Judge { params, exit_words: ExitWords::new(&params.exit_words) }
    }

    /// Scores a conversation.
    pub(super) fn judge(&self, mut dialogue: Dialogue<'_>) -> Outcome {
        let params = self.params;
        dialogue.prepare(params, &self.exit_words);
        let mut names = std::mem::take(&mut dialogue.names);
        let dialogue = &dialogue;
        let yardstick = Yardstick::of(&dialogue.persona);
        let missing = params.pas_missing_component;
        let messages: Vec<Scored<'_>> = dialogue
            .talk()
            .map(|message| {
                let comparison = dialogue.state(message).map(|state| yardstick.compare(state));
                let points = comparison.as_ref().and_then(|comparison| comparison.points(&FIELDS, missing));
                Scored { turn: message.index, comparison, points }
            })
            .collect();
        let exits = dialogue.guests().count() - messages.len();
        let states: Vec<(usize, &State<'_>)> =
            dialogue.talk().filter_map(|message| Some((message.index, dialogue.state(message)?))).collect();
        let state_source = if dialogue.states_from_tools { TOOL } else { STORED };
        let last = final_order(dialogue, params);
        let target = dialogue.target.as_ref();
        let kind = &yardstick.kind;

        let pas = pas::score(&messages, &yardstick, state_source, exits, params.pas_no_state);
        let bvs = bvs::score(&states, messages.len(), state_source, params.bvs_peak);
        let ora = ora::score(last.as_ref(), target, &names);
        let dei = dei::score(dialogue, &params.tools);
        let parts = [&pas, &bvs, &ora, &dei].map(|score| score.value.clone());
        let crrs = crrs::score(&parts, &params.weights, params.crrs_missing);
        let som = som::score(last.as_ref(), target, &mut names);
        let styles: Vec<Style> = messages.iter().filter_map(|message| self.style(message, kind)).collect();
        let pdr = pdr(&styles, &messages, kind);
        let crrs_nodei = crrs::score_without_dei(&parts, &params.weights, params.crrs_missing);
        let pas3 = pas3(&styles, &messages, kind, params.pas_no_state);
        let trace = trace::score(dialogue, &params.tools);
        let bal = bal::score(&parts[0], &parts[1]);
        let mut scores = vec![pas, bvs, ora, dei, crrs, som, pdr, crrs_nodei, pas3, trace, bal];
        if params.sta == Switch::On {
            let orders: Vec<&Order> = snapshots(dialogue, params).map(|(_, order)| order).collect();
            scores.push(sta::score(&orders, target));
        }

        let mut ids = vec![];
        blank_row(dialogue).push_ids(&mut ids);
        let mut lines = Vec::with_capacity(512 * (messages.len() + scores.len()));
        let turns = turn_rows(dialogue, &ids, &yardstick, &messages, exits as u64, &mut lines);
        dialogue_rows(dialogue, &ids, metrics(params.sta == Switch::On), &scores, &mut lines);
        let explores = |state: &State<'_>| state.get(Field::Exploration).map(|value| value == "explores_menu");
        let explored: Vec<bool> = states.iter().filter_map(|(_, state)| explores(state)).collect();
        let share = |all: usize| explored.iter().filter(|explores| **explores).count() as f64 / all as f64;
        Outcome {
            key: Key {
                experiment: dialogue.experiment.to_string(),
                run: dialogue.run.to_string(),
                case: dialogue.case.to_string(),
                dialogue: dialogue.dialogue.to_string(),
            },
            persona: dialogue.persona.id.as_deref().map(String::from),
            level: dialogue.level,
            n: messages.len() as u64,
            values: scores.into_iter().map(|score| score.value).collect(),
            explore_rate: (!explored.is_empty()).then(|| share(explored.len())),
            turns,
            lines: String::from_utf8(lines).expect("JSON is UTF-8"),
            order_path: order_path(dialogue, params),
            audits: audits(dialogue, &self.exit_words),
            used: used(dialogue, &states),
            expected: dialogue.persona.expected.as_ref().map(|expected| {
                FIELDS.map(|field| expected.accepted(field).iter().map(|value| value.to_string()).collect())
            }),
        }
    }

    /// The style score of a message, if it has one.
    fn style(&self, message: &Scored<'_>, kind: &Kind) -> Option<Style> {
        let points = match kind {
            Kind::Expected => message.comparison.as_ref()?.points(&STYLE, self.params.pas_missing_component)?,
            _ => message.points?,
        };
        Some((message.turn, points))
    }
}

/// Writes the rows of the messages.
fn turn_rows(
    dialogue: &Dialogue<'_>,
    ids: &[u8],
    yardstick: &Yardstick<'_>,
    messages: &[Scored<'_>],
    exits: u64,
    lines: &mut Vec<u8>,
) -> Turns {
    let mut turns = Turns { exits, ..Turns::default() };
    let nothing = Comparison(vec![]);
    let mut unit = format!("{}#", dialogue.dialogue);
    let stem = unit.len();
    let mut evidence = vec![];
    for (scored, message) in messages.iter().zip(dialogue.talk()) {
        let value = scored.ms(&yardstick.kind);
        match &value {
            Ok(_) => turns.scored += 1,
            Err(why) => turns.book_undefined(why.reason(), 1),
        }
        let components = scored.comparison.as_ref().unwrap_or(&nothing);
        let source = scored.comparison.as_ref().map(|_| dialogue.state_source(message));
        evidence.clear();
        components.push_evidence(&yardstick.mode, source, &mut evidence);
        unit.truncate(stem);
        unit.push_str(&scored.turn.to_string());
        let row = Row {
            metric: "ms",
            turn: Some(scored.turn as i64),
            level: "turn",
            unit: &unit,
            value,
            n: Some(components.compared()),
            evidence: std::str::from_utf8(&evidence).expect("JSON is UTF-8"),
            ..blank_row(dialogue)
        };
        row.push_line_with(ids, lines);
    }
    turns
}

/// Writes the rows of the conversation.
fn dialogue_rows(dialogue: &Dialogue<'_>, ids: &[u8], metrics: &[&str], scores: &[Score], lines: &mut Vec<u8>) {
    for (metric, score) in metrics.iter().zip(scores) {
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
        rows.push(PathRow {
            turn: message.index as u64,
            exploration: state.and_then(|state| state.get(Field::Exploration)).map(String::from),
            size: order.set.len() as u64,
            ora,
        });
    }
    rows
}

/// What was used, for the audits that look across conversations.
fn used(dialogue: &Dialogue<'_>, states: &[(usize, &State<'_>)]) -> Used {
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
    let sorted = |sources: Vec<&str>| {
        let mut sources: Vec<String> = sources.into_iter().map(String::from).collect();
        sources.sort();
        sources.dedup();
        sources
    };
    let has_state = dialogue.talk().filter(|message| dialogue.state(message).is_some());
    let has_order = dialogue.guests().filter(|message| dialogue.order(message).is_some());
    Used {
        fields: FIELDS.map(field),
        state_sources: sorted(has_state.map(|message| dialogue.state_source(message)).collect()),
        order_sources: sorted(has_order.map(|message| dialogue.order_source(message)).collect()),
    }
}

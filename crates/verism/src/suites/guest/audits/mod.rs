//! What a reader should know about a conversation besides its scores.

pub(crate) mod across;

use rustc_hash::FxHashSet;

use crate::score::json;
use crate::suites::guest::outcome::{Audit, AuditedMessage, Severity};
use crate::suites::guest::record::dialogue::{Dialogue, Message, NoteTurn, Role};
use crate::suites::guest::record::exit::ExitWords;
use crate::suites::guest::record::vocabulary::FIELDS;

/// The audits of a conversation, in the order of its messages.
pub(crate) fn audits(dialogue: &Dialogue<'_>, exit_words: &ExitWords) -> Vec<Audit> {
    let mut found = notes(dialogue);
    let last_talk = dialogue.talk().last().map(|message| message.index);
    let mut ids: FxHashSet<&str> = FxHashSet::default();
    ids.reserve(dialogue.messages.len());
    let mut had_items = false;
    for message in &dialogue.messages {
        let turn = message.index;
        if !ids.insert(&message.id) {
            found.push(Audit::new("duplicate_message_id", Severity::Warn).turn(turn).detail(message.id.as_ref()));
        }
        if message.role != Role::Guest {
            continue;
        }
        presence(dialogue, message, exit_words, last_talk, &mut found);
        against_tools(dialogue, message, &mut found);
        if let Some(order) = dialogue.order(message) {
            let has_items = !order.set.is_empty();
            if had_items && !has_items {
                found.push(Audit::new("order_emptied", Severity::Warn).turn(turn));
            }
            had_items = has_items;
        }
    }
    let mut guests = dialogue.guests().peekable();
    if guests.peek().is_some() && !guests.any(|message| message.exit) {
        found.push(Audit::new("no_exit", Severity::Info));
    }
    if let Some(expected) = &dialogue.persona.expected {
        for field in FIELDS {
            for value in expected.accepted(field).iter().filter(|value| field.is_foreign(value)) {
                let audit = Audit::new("foreign_expected", Severity::Warn).field(field.name());
                found.push(audit.detail(value.as_ref()));
            }
        }
    }
    found
}

/// What was noticed while reading.
fn notes(dialogue: &Dialogue<'_>) -> Vec<Audit> {
    let audit = |note: &crate::suites::guest::record::dialogue::Note<'_>| {
        let severity = match note.audit {
            "orphan_state" | "tool_calls_unreadable" => Severity::Error,
            "invented_state" | "invented_order" => Severity::Warn,
            _ => Severity::Info,
        };
        let turn = match note.turn {
            NoteTurn::None => None,
            NoteTurn::Message(index) => Some(AuditedMessage::Turn(index as i64)),
            NoteTurn::OptionValue(turn) => {
                Some(match (turn.whole().and_then(|turn| i64::try_from(turn).ok()), turn.text()) {
                    (Some(turn), _) => AuditedMessage::Turn(turn),
                    (None, Some(text)) => AuditedMessage::Text(text.into()),
                    (None, None) => AuditedMessage::Text(json::text(turn)),
                })
            }
        };
        let detail = note.detail.as_deref().map(String::from);
        Audit { turn, detail, ..Audit::new(note.audit, severity) }
    };
    dialogue.notes.iter().map(audit).collect()
}

/// Exits, states and values at a guest's message.
fn presence(
    dialogue: &Dialogue<'_>,
    message: &Message<'_>,
    exit_words: &ExitWords,
    last_talk: Option<usize>,
    found: &mut Vec<Audit>,
) {
    let turn = message.index;
    let state = dialogue.state(message);
    let mut note = |audit, severity| found.push(Audit::new(audit, severity).turn(turn));
    if message.exit {
        if last_talk > Some(turn) {
            note("exit_not_last", Severity::Warn);
        }
        if state.is_some() {
            note("state_on_exit", Severity::Info);
        }
    } else {
        if exit_words.is_lookalike(&message.text) {
            note("exit_lookalike", Severity::Warn);
        }
        if state.is_none() {
            note("no_state", Severity::Info);
        }
    }
    for field in FIELDS {
        if let Some(value) = state.and_then(|state| state.get(field)).filter(|value| field.is_foreign(value)) {
            found.push(Audit::new("foreign_value", Severity::Warn).turn(turn).field(field.name()).detail(value));
        }
    }
}

/// What is recorded against what the tools said, and against the target.
fn against_tools(dialogue: &Dialogue<'_>, message: &Message<'_>, found: &mut Vec<Audit>) {
    let turn = message.index;
    if let (Some(state), Some(tool)) = (&message.state.value, &message.tool_state) {
        for field in FIELDS {
            if let (Some(stored), Some(said)) = (state.get(field), tool.get(field))
                && stored != said
            {
                let audit = Audit::new("state_differs_from_tool", Severity::Error).turn(turn).field(field.name());
                found.push(audit.detail(format!("{stored} / {said}")));
            }
        }
    }
    let differs = matches!((&message.order.value, &message.tool_order), (Some(a), Some(b)) if a.set != b.set);
    if differs {
        found.push(Audit::new("order_differs_from_tool", Severity::Error).turn(turn));
    }
    if let (Some(order), Some(target)) = (message.order_items, dialogue.target_items)
        && !target.is_empty()
        && order == target
    {
        found.push(match differs {
            true => Audit::new("target_leak", Severity::Error).turn(turn),
            false => Audit::new("order_equals_target", Severity::Info).turn(turn),
        });
    }
    if matches!((&message.tool_target, &dialogue.target), (Some(seen), Some(target)) if seen.set != target.set) {
        found.push(Audit::new("target_changed", Severity::Error).turn(turn));
    }
}

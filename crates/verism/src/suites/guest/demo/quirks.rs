//! Faults and gaps as real logs have them, each in one conversation, so that every audit has something to find.

use super::record::{Call, Message, Note, Order, Record, State};

/// Spoils a record in the way that belongs to its experiment and case, if there is one.
pub(super) fn apply(record: &mut Record, level: u32, case: usize) {
    match (level, case) {
        // A judge that failed: no_state.
        (1, 5) => guest(record, 2).state = None,
        // A state that nobody observed: invented_state.
        (1, 9) => set_source(guest(record, 1), "default"),
        (1, 11) => mention_an_exit(guest(record, 1)),
        // A mood that is in no vocabulary: foreign_value.
        (2, 1) => guest(record, 3).state.iter_mut().for_each(|state| state.mood = "impatient"),
        // An order that nobody observed: invented_order.
        (2, 4) => {
            let target = record.target_order.as_ref();
            record.final_order = target.map(|order| Order { source: Some("random"), ..order.clone() });
        }
        (2, 6) => chat_style(record),
        // Cut off before the guest could leave: no_exit.
        (2, 10) => drop(record.messages.pop()),
        (3, 2) => note_repairs(record),
        // Leaves and comes back: exit_not_last.
        (3, 6) => record.messages.insert(3, Message { id: Some("m2x".into()), ..said("Exit.") }),
        (3, 9) => forget_the_order(last(record)),
        (3, 12) => record.persona = None,
        (4, 2) => call_for_the_exit(record),
        // Neither target nor tools were logged; a judge has read the messages afterwards.
        (4, 7) => {
            record.target_order = None;
            observe(record, "judge");
            record.messages.iter_mut().for_each(|message| message.tool_calls = None);
        }
        // An id used twice: duplicate_message_id.
        (4, 11) => record.messages[4].id = record.messages[3].id.clone(),
        // A reader disagrees with the tool: state_differs_from_tool.
        (5, 3) => {
            observe(record, "human");
            for state in guest(record, 1).state.iter_mut() {
                state.mood = if state.mood == "casual" { "confused" } else { "casual" };
            }
        }
        // The target was copied into the order before anything was ordered: order_differs_from_tool, target_leak.
        (5, 5) => {
            let target = record.target_order.clone();
            guest(record, 1).order = target.clone();
            last(record).order = target;
        }
        (5, 8) => change_the_target(guest(record, 2)),
        _ => {}
    }
}

/// Somebody talks about an exit: exit_lookalike.
fn mention_an_exit(message: &mut Message) {
    message.text = message.text.take().map(|text| text + " By the way, where is the emergency exit?");
}

/// What a converter noticed: orphan_state, tool_calls_repaired, tool_calls_unreadable.
fn note_repairs(record: &mut Record) {
    let note = |audit, turn, detail| Note { audit, turn, detail };
    record.notes = vec![
        note("orphan_state", None, Some("state row 14")),
        note("tool_calls_repaired", Some(1), None),
        note("tool_calls_unreadable", Some(5), None),
    ];
    guest(record, 2).tool_calls = Some(vec![]);
}

/// The tracker forgets everything at the end: order_emptied.
fn forget_the_order(exit: &mut Message) {
    for call in exit.tool_calls.iter_mut().flatten() {
        call.result = Some(serde_json::json!({"items": []}));
    }
}

/// A tool called for the exit: state_on_exit.
fn call_for_the_exit(record: &mut Record) {
    let calls = guest(record, 0).tool_calls.iter().flatten().filter(|call| call.result.is_some());
    let style: Vec<Call> = calls.map(|call| Call::new(call.name, call.result.clone())).collect();
    last(record).tool_calls.get_or_insert_default().extend(style);
}

/// The tool was given another target: target_changed.
fn change_the_target(message: &mut Message) {
    for call in message.tool_calls.iter_mut().flatten() {
        if let Some(serde_json::Value::String(text)) = &mut call.result
            && let Some((current, target)) = text.split_once("target_items_to_order=")
        {
            *text = format!("{current}target_items_to_order={}", target.replace("'Beef'", "'Tofu'"));
        }
    }
}

/// The last message of a conversation.
fn last(record: &mut Record) -> &mut Message {
    record.messages.last_mut().expect("a conversation has messages")
}

fn said(text: &str) -> Message {
    Message { role: "guest", text: Some(text.to_string()), tool_calls: Some(vec![]), ..Message::default() }
}

/// The guest's message of a number, counted from 0.
fn guest(record: &mut Record, number: usize) -> &mut Message {
    let guests = record.messages.iter_mut().filter(|message| message.role == "guest");
    guests.into_iter().nth(number).expect("every guest talks at least four times")
}

fn set_source(message: &mut Message, source: &'static str) {
    message.state.iter_mut().for_each(|state| state.source = Some(source));
}

/// Records beside every message what somebody saw in it.
fn observe(record: &mut Record, source: &'static str) {
    for message in &mut record.messages {
        message.state = message.truth.clone().map(|state| State { source: Some(source), ..state });
    }
}

/// The record as chat programs write it, with calls in a message of their own, before which the staff lost patience:
/// tool_only_message.
fn chat_style(record: &mut Record) {
    for message in &mut record.messages {
        message.role = if message.role == "guest" { "user" } else { "assistant" };
        message.content = message.text.take();
    }
    let call = Call { id: Some("call_1"), ..Call::new("get_target_order", None) };
    let chat = |id: &str, role, content: &str| Message {
        id: Some(id.to_string()),
        role,
        content: Some(content.to_string()),
        ..Message::default()
    };
    let asked = Message { tool_calls: Some(vec![call]), ..chat("t1", "user", "") };
    let answered = Message { tool_call_id: Some("call_1"), ..chat("t2", "tool", "1 Veggie Burger, 1 Barley Tea") };
    let waits = chat("t3", "assistant", "Take your time.");
    record.messages.splice(1..1, [asked, answered, waits]);
}

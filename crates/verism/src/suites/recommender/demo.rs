//! A small synthetic sample set: twelve users who change their mind twice, each with three systems.
//!
//! `follows` answers what was just asked; `lags` speaks of the old wish for some more replies; `parrots` repeats the
//! user's words and invents titles. The users say the same to all of them, so that experiments are paired by case.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::catalog::field::Field;
use super::catalog::items::Catalog;
use super::extract::lexicon::Lexicon;
use super::options::Params;
use crate::error::{Error, Result};

/// How many users there are.
const CASES: usize = 12;
/// The turns where the user changes the focus.
const SHIFTS: [usize; 2] = [4, 7];

/// A turn of the user: what is said, and whether it names the wish.
const TURNS: [&str; 9] = [
    "Could you suggest a few good {} movies?",
    "Something that is not too long, please.",
    "Do you have another {} movie?",
    "Thanks. Could we switch to movies with {}?",
    "Anything else with {}?",
    "That sounds nice, tell me more.",
    "I changed my mind: what did {} direct?",
    "Another one by {}, please?",
    "Thank you, that helps.",
];

/// What a user wants from a turn on: a field and a concept.
#[derive(Clone, Copy)]
struct Wish {
    field: Field,
    concept: u32,
}

/// Writes one file per system, a dialogue per line.
pub(super) fn write(folder: &Path) -> Result<()> {
    let (catalog, _) = Catalog::builtin(&Params::default(), Lexicon::builtin())?;
    for system in ["follows", "lags", "parrots"] {
        let place = folder.join(format!("{system}.jsonl"));
        let mut lines = String::new();
        for (number, wishes) in users(&catalog).iter().enumerate() {
            lines.push_str(&dialogue(&catalog, system, number + 1, wishes).to_string());
            lines.push('\n');
        }
        let failed = Error::write(place.display().to_string());
        fs::write(&place, lines).map_err(failed)?;
    }
    Ok(())
}

/// The wishes of each user: a genre, an actor and a director, each of items that others share.
fn users(catalog: &Catalog) -> Vec<[Wish; 3]> {
    let mut out: Vec<[Wish; 3]> = vec![];
    for item in catalog.items.iter().step_by(7) {
        let wish = |field: Field| {
            let of_field = |concept: &&u32| catalog.concepts.get(**concept).field == field;
            let shared = |concept: &&u32| catalog.concepts.items(**concept).len() >= 2;
            let plain = |concept: &&u32| catalog.display(**concept).is_ascii();
            let found = item.concepts.iter().find(|c| of_field(c) && shared(c) && plain(c));
            found.map(|concept| Wish { field, concept: *concept })
        };
        if let (Some(genre), Some(actor), Some(director)) =
            (wish(Field::Genre), wish(Field::Actor), wish(Field::Director))
        {
            out.push([genre, actor, director]);
        }
    }
    out.truncate(CASES);
    out
}

fn dialogue(catalog: &Catalog, system: &str, number: usize, wishes: &[Wish; 3]) -> Value {
    let mut conversation = vec![];
    for (place, form) in TURNS.iter().enumerate() {
        let turn = place + 1;
        let phase = SHIFTS.iter().filter(|shift| **shift <= turn).count();
        let wish = wishes[phase];
        let said = form.replace("{}", catalog.display(wish.concept));
        let mut constraints = serde_json::Map::new();
        constraints.insert(wish.field.name().into(), json!(catalog.display(wish.concept)));
        conversation.push(json!({
            "speaker": "USER", "text": said,
            "user_meta": {
                "turn": turn, "focus_field": wish.field.name(), "focus_value": catalog.display(wish.concept),
                "constraints": constraints, "shift_event": SHIFTS.contains(&turn),
            },
        }));
        let since_shift = phase.checked_sub(1).map(|last| turn - SHIFTS[last]);
        let spoken_of = match (system, since_shift) {
            // Up to three replies behind, depending on the user.
            ("lags", Some(since)) if since < number % 4 => wishes[phase - 1],
            _ => wish,
        };
        conversation
            .push(json!({"speaker": "SYSTEM", "text": reply(catalog, system, turn + number, &said, spoken_of)}));
    }
    json!({
        "experiment": system, "run": "1", "case": format!("case-{number:02}"),
        "dialogue": format!("{system}/case-{number:02}"), "conversation": conversation,
        "shift_events": SHIFTS.map(|turn| json!({"turn": turn})),
    })
}

/// What a system says about a wish; `turn` chooses among the items that have it.
fn reply(catalog: &Catalog, system: &str, turn: usize, said: &str, wish: Wish) -> String {
    let items = catalog.concepts.items(wish.concept);
    let title = &catalog.items[items[turn % items.len()] as usize].name;
    let value = catalog.display(wish.concept);
    match (system, turn % 3) {
        ("parrots", 0) => format!("You said: {said} Then try “The Unfilmed Hour”."),
        ("parrots", _) => format!("You said: {said} Then try “{title}”."),
        ("follows", _) if turn.is_multiple_of(5) => format!("How about “{title}”?"),
        (_, 0) => format!("For {value} I would go with “{title}”."),
        (_, 1) => format!("With {value} in mind, how about “{title}”?"),
        _ => format!("“{title}” is a fine choice for {value}."),
    }
}

//! What guests and staff say.

use super::Dice;
use super::menu::MENU;
use super::record::{Line, State};

const CASUAL: [&str; 4] = ["Okay.", "All right.", "Sure.", "Fine."];
const ENTHUSIASTIC: [&str; 4] =
    ["Oh, great!", "Lovely!", "That sounds wonderful!", "I have been looking forward to this!"];
const FRUSTRATED: [&str; 4] = ["This takes long.", "Can we move on?", "I said so before.", "I am in a hurry."];
const CONFUSED: [&str; 4] =
    ["Hm, I am not sure.", "Wait, I lost track.", "Sorry, which one was it?", "I cannot decide."];

const QUESTIONS: [&str; 4] =
    ["What is in the {}?", "Is the {} any good today?", "How large is the {}?", "What goes with the {}?"];
const PAUSES: [&str; 4] = ["Let me think.", "Could you read that back to me?", "One moment.", "Nothing else yet."];
const TALES: [&str; 3] =
    ["It is made fresh every morning.", "Many of our guests take it.", "The kitchen is proud of it."];
const WAITS: [&str; 3] = ["Take your time.", "Of course.", "Anything else?"];
const ENDS: [&str; 3] = ["That is all, thank you.", "That will be everything.", "Nothing else, thanks."];

/// One message of a guest: the mood, what is ordered with it, a question where the guest explores.
pub(super) fn guest(state: &State, ordered: &[Line], dice: &mut Dice) -> String {
    let opener = dice.pick(match state.mood {
        "enthusiastic" => &ENTHUSIASTIC,
        "frustrated" => &FRUSTRATED,
        "confused" => &CONFUSED,
        _ => &CASUAL,
    });
    let mut parts = vec![opener.to_string()];
    if !ordered.is_empty() {
        parts.push(format!("I would like {}, please.", spoken(ordered)));
    }
    if state.complete == "yes" {
        parts.push(dice.pick(&ENDS).to_string());
    } else if state.exploration == "explores_menu" {
        let dish = MENU[dice.below(MENU.len())].name;
        parts.push(dice.pick(&QUESTIONS).replace("{}", dish));
    } else if ordered.is_empty() {
        parts.push(dice.pick(&PAUSES).to_string());
    }
    parts.join(" ")
}

/// The answer to it.
pub(super) fn staff(state: &State, ordered: &[Line], dice: &mut Dice) -> String {
    let noted = if ordered.is_empty() { String::new() } else { format!("Noted: {}. ", spoken(ordered)) };
    let then = match state {
        State { complete: "yes", .. } => "It will be with you shortly.",
        State { exploration: "explores_menu", .. } => dice.pick(&TALES),
        _ if ordered.is_empty() => dice.pick(&WAITS),
        _ => "Anything else?",
    };
    noted + then
}

/// An order as one says it: `2 Barley Tea (iced)`.
fn spoken(lines: &[Line]) -> String {
    let say = |line: &Line| {
        let options: Vec<String> = line.modifiers.iter().map(|modifier| modifier.option.to_lowercase()).collect();
        let options = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
        format!("{} {}{options}", line.quantity, line.name)
    };
    lines.iter().map(say).collect::<Vec<_>>().join(" and ")
}

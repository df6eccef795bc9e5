//! The user: puts a plan into words and reacts to replies, which changes nothing that is wished for.

use serde::Serialize;
use verism::suites::recommender::{Scratch, extract};

use super::josa::josa;
use super::plan::{Plan, ShiftEvent, Step, Wishes};
use super::templates::{text, texts};
use super::world::{RecommenderWorld, quoted};
use crate::stream::choose;
use crate::{Message, Stream, Turn, UserPolicy};

/// The stream that words are drawn from.
const PHRASES: u64 = 5;

/// A user who follows a plan.
pub(super) struct PlannedUser<'w> {
    world: &'w RecommenderWorld,
    plan: &'w Plan,
    words: Stream,
    scratch: Scratch,
}

/// How the last reply struck the user.
struct Reaction {
    name: &'static str,
    /// The title that the reaction is about.
    title: Option<u32>,
    /// The title that the user may ask about next.
    reference: u32,
}

impl<'w> PlannedUser<'w> {
    pub(super) fn new(world: &'w RecommenderWorld, plan: &'w Plan) -> PlannedUser<'w> {
        PlannedUser { world, plan, words: Stream::new(plan.seed, PHRASES, 0), scratch: Scratch::default() }
    }

    /// Looks at the last reply.
    fn react(&mut self, reply: &str, place: usize) -> Reaction {
        let world = self.world;
        let catalog = world.catalog();
        let step = &self.plan.steps[place];
        let mut named: Vec<u32> = vec![];
        for title in extract(catalog, reply, &mut self.scratch).titles {
            if let Some(item) = catalog.title_items(&title.key).min()
                && !named.contains(&item)
                && world.is_quotable(item)
            {
                named.push(item);
            }
        }
        let before = &self.plan.steps[place - 1].constraints;
        let fits = |item: &u32| before.iter().flatten().all(|concept| catalog.concepts.has(*item, *concept));
        let fit = named.iter().copied().find(fits);
        let silent = reply.trim().is_empty();
        let name = match (silent, named.is_empty(), fit) {
            (true, _, _) => "silence",
            (_, true, _) => "no_title",
            (_, _, Some(_)) => "fit",
            _ => "miss",
        };
        let good = named.iter().copied().find(|item| catalog.concepts.has(*item, step.focus));
        let reference = good.or(named.first().copied()).unwrap_or(step.anchor);
        Reaction { name, title: fit.or(named.first().copied()), reference }
    }

    fn title(&self, item: u32) -> String {
        quoted(self.world.name(item))
    }

    /// The message of a step, in words; always four random words.
    fn message(&mut self, step: &Step, reaction: Option<&Reaction>) -> String {
        let words = [(); 4].map(|()| self.words.word());
        let lang = self.world.options.lang.as_str();
        let one = |path: &[&str], word: u64| {
            let list = texts(path);
            if list.is_empty() { "" } else { list[choose(word, list.len())] }
        };
        let mut parts: Vec<String> = vec![];
        if let Some(reaction) = reaction.filter(|_| step.act != "shift" && self.plan.style != "brisk") {
            let title = match reaction.name {
                "fit" | "miss" => reaction.title.map_or(String::new(), |item| self.title(item)),
                _ => quoted(""),
            };
            parts.push(one(&[lang, "reaction", reaction.name], words[0]).replace("{t}", &title));
        }
        if let Some(shift) = &step.shift {
            let lead = one(&[lang, "shift_bridge"], words[0]);
            let bridge = self.world.phrase(shift.bridge);
            parts.push(lead.replace("{b}", &bridge).replace("{a}", &self.title(shift.from_anchor)));
        }
        let focus = self.world.phrase(step.focus);
        let wish = match step.extra {
            Some(extra) if matches!(step.act, "restate" | "narrow") => {
                text(&[lang, "join"]).replace("{x}", &focus).replace("{y}", &self.world.phrase(extra))
            }
            _ => focus,
        };
        let act = if step.act == "shift" { "shift_focus" } else { step.act };
        let reference = reaction.map_or(step.anchor, |reaction| reaction.reference);
        parts.push(one(&[lang, "act", act], words[1]).replace("{p}", &wish).replace("{t}", &self.title(reference)));
        if matches!(step.act, "open" | "shift") {
            parts.push(one(&[lang, "example"], words[2]).replace("{a}", &self.title(step.anchor)));
        }
        let closing = one(&[lang, "closing", self.plan.style], words[3]);
        if !closing.is_empty() {
            parts.push(closing.to_string());
        }
        josa(&parts.join(" "))
    }
}

impl UserPolicy for PlannedUser<'_> {
    fn next(&mut self, history: &[Turn]) -> Option<Message> {
        let place = history.len();
        let (world, plan) = (self.world, self.plan);
        let step = plan.steps.get(place)?;
        let reaction = history.last().map(|turn| self.react(&turn.system.text, place));
        let text = self.message(step, reaction.as_ref());
        let reference = reaction.as_ref().map_or(step.anchor, |reaction| reaction.reference);
        let meta = UserMeta {
            turn: step.turn,
            stage: step.act,
            focus_field: world.field(step.focus).name(),
            focus_value: world.catalog().display(step.focus),
            constraints: step.wishes(world),
            anchor_title: world.name(step.anchor),
            reference_title: world.name(reference),
            reaction: reaction.as_ref().map(|reaction| reaction.name),
            persona: &plan.persona(),
            phrasing: "template",
            shift_event: step.shift.is_some(),
            shift_event_obj: step.shift_event(world),
        };
        Some(Message::new(text, "user_meta", &meta))
    }
}

/// What a record says about a message of the user.
#[derive(Serialize)]
struct UserMeta<'a> {
    turn: u64,
    stage: &'a str,
    focus_field: &'a str,
    focus_value: &'a str,
    constraints: Wishes<'a>,
    anchor_title: &'a str,
    reference_title: &'a str,
    reaction: Option<&'a str>,
    persona: &'a str,
    phrasing: &'a str,
    shift_event: bool,
    shift_event_obj: Option<ShiftEvent<'a>>,
}

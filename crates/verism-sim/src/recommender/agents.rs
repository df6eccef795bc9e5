//! The embedded agents: no model, no network.

use std::collections::BTreeMap;

use verism::suites::recommender::{Field, Heard, Scratch, extract, recommend};

use super::josa::josa;
use super::plan::{Plan, Step};
use super::templates::{text, texts};
use super::world::{RecommenderWorld, quoted};
use crate::{Agent, Message, Stream, Turn};

/// The stream of agents that draw.
const AGENT: u64 = 32;

/// The agents there are; the first is the default.
pub(super) const AGENTS: [&str; 5] = ["rules", "constant", "echo", "random", "oracle"];

/// The agent with a name; `run` counts from 1.
pub(super) fn agent<'w>(name: &str, world: &'w RecommenderWorld, plan: &'w Plan, run: u64) -> Box<dyn Agent + 'w> {
    match name {
        "constant" => Box::new(Constant { text: &world.opened.constant_text }),
        "echo" => Box::new(Echo),
        "random" => Box::new(Random { world, stream: Stream::new(plan.seed, AGENT, run - 1) }),
        "oracle" => Box::new(Oracle { world, plan }),
        _ => Box::new(Rules { world, state: vec![], seen: vec![], scratch: Scratch::default() }),
    }
}

/// A reply that names some items.
fn naming(world: &RecommenderWorld, text: String, items: &[u32]) -> Message {
    let names: Vec<&str> = items.iter().map(|item| world.name(*item)).collect();
    reply(text, &names)
}

/// A reply and the titles that it recommends.
fn reply(text: String, titles: &[&str]) -> Message {
    Message::new(text, "rec_titles", &titles)
}

/// Titles joined by the language's `or`.
fn titles(world: &RecommenderWorld, items: &[u32]) -> String {
    let names = items.iter().map(|item| quoted(world.name(*item)));
    names.collect::<Vec<_>>().join(text(&[&world.options.lang, "or"]))
}

/// The concepts of each span of a text, in the order of spans; equal groups stand as often as they are said.
fn groups(heard: &Heard<'_>) -> Vec<Vec<u32>> {
    let mut spans: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
    for hit in heard.hits.iter().filter(|hit| Field::SCORED.contains(&hit.field)) {
        spans.entry((hit.start, hit.end)).or_default().push(hit.concept);
    }
    let sorted = |mut group: Vec<u32>| {
        group.sort_unstable();
        group.dedup();
        group
    };
    spans.into_values().map(sorted).collect()
}

/// The items that the titles of a text mean.
fn named(world: &RecommenderWorld, heard: &Heard<'_>) -> Vec<u32> {
    heard.titles.iter().flat_map(|title| world.catalog().title_items(&title.key)).collect()
}

/// What a group is called: the phrase of its concept, or the bare value where it has several fields.
fn called(world: &RecommenderWorld, group: &[u32]) -> String {
    match group {
        [one] => world.phrase(*one),
        [first, ..] => world.shown(*first).to_string(),
        [] => String::new(),
    }
}

/// Always the same text.
struct Constant<'w> {
    text: &'w str,
}

impl Agent for Constant<'_> {
    fn respond(&mut self, _: &[Turn], _: &Message) -> Result<Message, String> {
        Ok(reply(self.text.to_string(), &[]))
    }
}

/// The user's own words.
struct Echo;

impl Agent for Echo {
    fn respond(&mut self, _: &[Turn], user: &Message) -> Result<Message, String> {
        Ok(reply(user.text.clone(), &[]))
    }
}

/// Any titles.
struct Random<'w> {
    world: &'w RecommenderWorld,
    stream: Stream,
}

impl Agent for Random<'_> {
    fn respond(&mut self, _: &[Turn], _: &Message) -> Result<Message, String> {
        let all = self.world.catalog().items.len();
        let items: Vec<u32> = (0..self.world.options.limit).map(|_| self.stream.below(all) as u32).collect();
        let form = text(&[&self.world.options.lang, "agent", "plain"]);
        Ok(naming(self.world, form.replace("{t}", &titles(self.world, &items)), &items))
    }
}

/// Tracks what the user said and ranks the catalog.
struct Rules<'w> {
    world: &'w RecommenderWorld,
    /// What is wished for: each group is satisfied by any of its concepts.
    state: Vec<Vec<u32>>,
    /// Items that were named before.
    seen: Vec<u32>,
    scratch: Scratch,
}

impl Rules<'_> {
    /// Takes in the new groups: each replaces those that share a field with it.
    fn track(&mut self, new: &[Vec<u32>]) {
        for group in new {
            let shares = |known: &Vec<u32>| {
                let fields = |c: &u32| self.world.field(*c);
                known.iter().map(fields).any(|field| group.iter().any(|c| self.world.field(*c) == field))
            };
            self.state.retain(|known| !shares(known));
        }
        self.state.extend(new.iter().cloned());
    }
}

impl Agent for Rules<'_> {
    fn respond(&mut self, _: &[Turn], user: &Message) -> Result<Message, String> {
        let world = self.world;
        let (catalog, lang) = (world.catalog(), world.options.lang.as_str());
        let heard = extract(catalog, &user.text, &mut self.scratch);
        let low: String = heard.text.chars().flat_map(char::to_lowercase).collect();
        if texts(&[lang, "reset"]).iter().any(|cue| low.contains(cue)) {
            self.state.clear();
        }
        let mut new: Vec<Vec<u32>> = vec![];
        for group in groups(&heard) {
            if !new.contains(&group) {
                new.push(group);
            }
        }
        if let (true, Some(title)) = (new.is_empty(), heard.titles.first()) {
            let item = catalog.title_items(&title.key).min().unwrap_or(0);
            let item = &catalog.items[item as usize];
            let form = text(&[lang, "agent", "about"]);
            let text = form.replace("{t}", &quoted(&item.name)).replace("{plot}", &item.plot);
            return Ok(naming(world, text, &[]));
        }
        self.track(&new);
        let newest: Vec<Vec<u32>> = if new.is_empty() { self.state.last().cloned().into_iter().collect() } else { new };
        let must: Vec<usize> =
            newest.iter().filter_map(|group| self.state.iter().position(|known| known == group)).collect();
        let just = named(world, &heard);
        let told: Vec<u32> = self.seen.iter().chain(&just).copied().collect();
        let tries: [(&[usize], &[u32]); 4] = [(&must, &told), (&must, &just), (&[], &told), (&[], &[])];
        let mut found = vec![];
        for (need, skip) in tries {
            found = recommend(catalog, &self.state, need, world.options.limit as i64, skip);
            if !found.is_empty() {
                break;
            }
        }
        self.seen.extend(&found);
        let said: Vec<String> = newest.iter().map(|group| called(world, group)).collect();
        let form = text(&[lang, "agent", if said.is_empty() { "plain" } else { "recommend" }]);
        let text = form.replace("{p}", &said.join(", ")).replace("{t}", &titles(world, &found));
        Ok(naming(world, josa(&text), &found))
    }
}

/// Knows the plan: repeats exactly what the user wants and names the best title.
struct Oracle<'w> {
    world: &'w RecommenderWorld,
    plan: &'w Plan,
}

impl Agent for Oracle<'_> {
    fn respond(&mut self, history: &[Turn], user: &Message) -> Result<Message, String> {
        let world = self.world;
        let lang = world.options.lang.as_str();
        let step: &Step = &self.plan.steps[history.len()];
        let heard = extract(world.catalog(), &user.text, &mut Scratch::default());
        let mut said: Vec<String> = vec![];
        for group in groups(&heard) {
            let phrase = called(world, &group);
            if !said.contains(&phrase) {
                said.push(phrase);
            }
        }
        let wishes: Vec<Vec<u32>> = step.constraints.iter().flatten().map(|concept| vec![*concept]).collect();
        let must: Vec<usize> = wishes.iter().position(|wish| wish[0] == step.focus).into_iter().collect();
        let found = recommend(world.catalog(), &wishes, &must, 1, &named(world, &heard));
        let item = found.first().copied().unwrap_or(step.anchor);
        let form = text(&[lang, "agent", if said.is_empty() { "plain" } else { "noted" }]);
        let text = form.replace("{p}", &said.join(", ")).replace("{t}", &titles(world, &[item]));
        Ok(naming(world, josa(&text), &[item]))
    }
}

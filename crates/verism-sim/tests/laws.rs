//! Laws of simulated users: whoever answers, the same user says the same.
#![allow(clippy::unwrap_used, missing_docs)]

use serde_json::Value;
use verism::suites::Options;
use verism::suites::recommender::{Field, Scratch, extract};
use verism_sim::recommender::{SimOptions, World};

fn world(pairs: &[&str]) -> World {
    let mut options = Options::default();
    pairs.iter().for_each(|pair| options.add(pair).unwrap());
    let simulator = SimOptions::take(&mut options).unwrap();
    World::open(&options, simulator).unwrap()
}

/// The concepts of the six fields that each message of the user names.
fn concepts(world: &World, dialogue: &Value) -> Vec<Vec<u32>> {
    let messages = dialogue["conversation"].as_array().unwrap().iter().filter(|m| m["speaker"] == "USER");
    let of = |message: &Value| {
        let heard = extract(&world.shelf.catalog, message["text"].as_str().unwrap(), &mut Scratch::default()).hits;
        let scored = heard.iter().filter(|hit| Field::SCORED.contains(&hit.field));
        let mut found: Vec<u32> = scored.map(|hit| hit.concept).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    messages.map(of).collect()
}

/// What the user wants at each turn, whatever the replies.
fn wishes(dialogue: &Value) -> Vec<String> {
    let messages = dialogue["conversation"].as_array().unwrap().iter().filter(|m| m["speaker"] == "USER");
    let of = |message: &Value| {
        let meta = &message["user_meta"];
        let keys = ["stage", "focus_field", "focus_value", "constraints", "anchor_title", "shift_event"];
        keys.map(|key| meta[key].to_string()).join(" ")
    };
    messages.map(of).collect()
}

#[test]
fn a_user_says_the_same_to_every_agent() {
    for lang in ["lang=en", "lang=ko"] {
        let world = world(&["agents=rules,constant,echo,random,oracle", "seeds=1..12", "runs=2", lang]);
        let played: Vec<Value> = world.jobs().map(|job| world.simulate(&job).unwrap()).collect();
        assert_eq!(played.len(), 5 * 2 * 12);
        for dialogue in &played {
            let first = played.iter().find(|other| other["case"] == dialogue["case"]).unwrap();
            assert_eq!(concepts(&world, dialogue), concepts(&world, first), "{}", dialogue["dialogue"]);
            assert_eq!(wishes(dialogue), wishes(first), "{}", dialogue["dialogue"]);
            assert_eq!(dialogue["shift_events"], first["shift_events"]);
        }
    }
}

#[test]
fn shifts_keep_their_distance_and_the_anchor_meets_every_wish() {
    let world = world(&["seeds=0..40"]);
    let catalog = &world.shelf.catalog;
    for seed in 0..=40 {
        let plan = world.plan(seed);
        let schedule: Vec<u64> =
            plan["schedule"].as_array().unwrap().iter().map(|turn| turn.as_u64().unwrap()).collect();
        // The defaults: gap 4, first shift 3, tail 3 of 20 turns.
        assert!(schedule.windows(2).all(|pair| pair[1] - pair[0] >= 4), "{schedule:?}");
        assert!(schedule.iter().all(|turn| (3..=18).contains(turn)), "{schedule:?}");
        for step in plan["steps"].as_array().unwrap() {
            let item = catalog.items.iter().find(|item| step["anchor"] == *item.id).unwrap();
            let has: Vec<(&str, &str)> = item
                .concepts
                .iter()
                .map(|concept| (catalog.concepts.get(*concept).field.name(), catalog.display(*concept)))
                .collect();
            for (field, value) in step["constraints"].as_object().unwrap() {
                assert!(has.contains(&(field.as_str(), value.as_str().unwrap())), "seed {seed}: {field}={value}");
            }
        }
    }
}

#[test]
fn a_schedule_that_does_not_fit_is_refused_by_its_option() {
    let mut options = Options::default();
    ["turns=8", "shifts=4"].iter().for_each(|pair| options.add(pair).unwrap());
    let simulator = SimOptions::take(&mut options).unwrap();
    let error = World::open(&options, simulator).err().unwrap().defect();
    assert_eq!((error.code.as_ref(), error.field.as_deref()), ("bad_option", Some("shifts")));
    let mut options = Options::default();
    options.add("agents=rules,nobody").unwrap();
    assert_eq!(SimOptions::take(&mut options).err().unwrap().field.as_deref(), Some("agents"));
}

//! Laws of simulated users: whoever answers, the same user says the same.
#![allow(clippy::unwrap_used, missing_docs)]

use serde_json::Value;
use verism::input::Unwatched;
use verism::suites::Options;
use verism::suites::recommender::{Field, Scratch, extract};
use verism::{Error, Result};
use verism_sim::recommender::RecommenderWorld;
use verism_sim::{Participants, Played, Simulation, World, simulator};

/// The catalog, and all dialogues.
fn played(pairs: &[&str]) -> Result<(RecommenderWorld, Vec<Value>)> {
    let mut options = Options::default();
    pairs.iter().for_each(|pair| options.add(pair).unwrap());
    let recommender = simulator("recommender")?;
    let participants = Participants::take(&mut options, recommender)?;
    let world = RecommenderWorld::open(&mut options.clone(), &Unwatched)?;
    let mut dialogues = vec![];
    Simulation::open(recommender, participants, &mut options, &Unwatched)?.play(0, &Unwatched, |block| {
        dialogues.extend(block.iter().map(|played| match played {
            Played::Dialogue(line) => serde_json::from_slice::<Value>(line).unwrap(),
            Played::Failed(line) => panic!("{}", String::from_utf8_lossy(line)),
        }));
        Ok(())
    })?;
    Ok((world, dialogues))
}

/// The concepts of the six fields that each message of the user names.
fn concepts(world: &RecommenderWorld, dialogue: &Value) -> Vec<Vec<u32>> {
    let messages = dialogue["conversation"].as_array().unwrap().iter().filter(|m| m["speaker"] == "USER");
    let of = |message: &Value| {
        let heard = extract(&world.opened.catalog, message["text"].as_str().unwrap(), &mut Scratch::default()).hits;
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
        let options = ["agents=rules,constant,echo,random,oracle", "seeds=1..12", "runs=2", lang];
        same_users(&options, 5 * 2 * 12);
    }
}

// Titles that hold values of the catalog, quotes, years and ordinary words: quoting one must not change what is wished for.
#[test]
fn a_user_says_the_same_whatever_the_titles() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("items.json");
    let titles = [
        "War",
        "#War",
        "War (the movie)",
        "Drama Queen",
        "Nora “Nell” Vance",
        "It’s a *Comedy*",
        "1998",
        "In 1998 (1999)",
        "The Comedy",
        "A Comedy: War",
        "Her",
        "him & her",
        "전쟁과 평화",
        "드라마",
        "L'Amour – 2",
        "What? No!",
        "Nell Vance",
        "Korean",
        "The War of the Comedy",
        "“Quoted”",
    ];
    let items: Vec<Value> = (0..60)
        .map(|n: usize| {
            let pick = |list: &[&str], step: usize| list[n * step % list.len()].to_string();
            serde_json::json!({
                "id": format!("i{n}"), "name": titles[n % titles.len()],
                "genre": [pick(&["war", "comedy", "drama", "crime"], 1), pick(&["western", "noir", "drama"], 3)],
                "actor": [pick(&["Nell Vance", "Ada Lark", "Sable", "제갈루온"], 5), pick(&["Cy Rowe", "Gil Moor"], 7)],
                "director": [pick(&["Ada Lark", "Ben Oak", "Nora Vance"], 11)], "writer": [pick(&["Ben Oak", "Dee Pine"], 13)],
                "language": [pick(&["english", "korean"], 1)], "year": pick(&["1998", "1999", "2001"], 17),
            })
        })
        .collect();
    std::fs::write(&path, Value::from(items).to_string()).unwrap();
    let catalog = format!("catalog={}", path.display());
    for lang in ["lang=en", "lang=ko"] {
        same_users(&["agents=rules,constant,echo,random,oracle", "seeds=1..40", lang, &catalog], 5 * 40);
    }
}

/// Asserts that all dialogues of a user are the same in whatever the agent must not change.
fn same_users(options: &[&str], count: usize) {
    let (world, played) = played(options).unwrap();
    assert_eq!(played.len(), count);
    for dialogue in &played {
        let first = played.iter().find(|other| other["case"] == dialogue["case"]).unwrap();
        assert_eq!(concepts(&world, dialogue), concepts(&world, first), "{}", dialogue["dialogue"]);
        assert_eq!(wishes(dialogue), wishes(first), "{}", dialogue["dialogue"]);
        assert_eq!(dialogue["shift_events"], first["shift_events"]);
    }
}

#[test]
fn shifts_keep_their_distance_and_the_anchor_meets_every_wish() {
    let world = RecommenderWorld::open(&mut Options::default(), &Unwatched).unwrap();
    let catalog = &world.opened.catalog;
    for seed in 0..=40 {
        let plan = world.scenario(seed).plan();
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
fn what_cannot_be_met_is_refused_by_its_option() {
    let refused = |pairs: &[&str]| match played(pairs) {
        Err(Error::Defect(defect)) => *defect,
        _ => panic!("{pairs:?} is refused"),
    };
    for (pairs, field) in [
        (&["turns=8", "shifts=4"][..], "shifts"),
        (&["min_support=1000000"], "opening_field"),
        (&["agents=rules,nobody"], "agents"),
        (&["agents=rules,rules"], "agents"),
        (&["runs=0"], "runs"),
        (&["seeds=5..2"], "seeds"),
        (&["turn=8"], "turn"),
    ] {
        let defect = refused(pairs);
        assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("bad_option", Some(field)));
    }
    assert_eq!(refused(&["agents=rulez"]).hint.as_deref(), Some("did you mean rules?"));
}

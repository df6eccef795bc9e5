//! Laws of the guest suite: the same bytes for any threads and shards; names and order of lines change nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use verism::suites::Shard;

use crate::runner::{files, join, lines, run};

const DISHES: [&str; 5] = ["Miso Ramen", "Barley Tea", "Tofu Wrap", "Tofu Wrap with Egg", "비빔밥"];
const TEXTS: [&str; 4] = ["Hello", "Exit.", "I will exit now", "the tea"];
const MOODS: [&str; 4] = ["casual", "frustrated", "confused", "weird"];

/// A message: text, exploration, mood, ordering, dishes ordered so far, whether a tool was called.
type Message = (usize, Option<bool>, Option<usize>, bool, Vec<usize>, bool);
/// A conversation: experiment, case, dialogue, level, messages.
type Conversation = (usize, usize, usize, u8, Vec<Message>);

fn conversations() -> impl Strategy<Value = Vec<Conversation>> {
    let message = (
        0..4_usize,
        prop::option::of(any::<bool>()),
        prop::option::of(0..MOODS.len()),
        any::<bool>(),
        prop::collection::vec(0..DISHES.len(), 0..4),
        any::<bool>(),
    );
    let conversation = (0..3_usize, 0..3_usize, 0..4_usize, 1..6_u8, prop::collection::vec(message, 0..6));
    prop::collection::vec(conversation, 1..25)
}

fn record(conversation: &Conversation, rename: &dyn Fn(&str) -> String) -> Value {
    let (experiment, case, dialogue, level, messages) = conversation;
    let message = |(text, explores, mood, one_by_one, dishes, called): &Message| {
        let explores = explores.map(|yes| if yes { "explores_menu" } else { "does_not_explore_menu" });
        json!({
            "role": "guest", "text": TEXTS[*text],
            "state": {"exploration": explores, "mood": mood.map(|mood| MOODS[mood]),
                      "ordering": if *one_by_one { "one_by_one" } else { "all_at_once" }},
            "order": dishes.iter().map(|dish| DISHES[*dish]).collect::<Vec<_>>(),
            "tool_calls": if *called { json!([{"name": "update_order_tracking"}]) } else { json!([]) },
        })
    };
    json!({
        "experiment": rename(&format!("e{experiment}")), "case": case.to_string(), "dialogue": format!("d{dialogue}"),
        "level": level,
        "persona": {"id": format!("p{case}"), "expected": {"exploration": "explores_menu", "moods": ["casual"],
                    "ordering": "one_by_one", "complete": "no"}},
        "target_order": [{"name": "Miso Ramen", "quantity": 2}, {"name": "Tofu Wrap", "modifiers": ["Egg"]}],
        "messages": messages.iter().map(message).collect::<Vec<_>>(),
    })
}

fn write(path: &Path, conversations: &[Conversation], rename: &dyn Fn(&str) -> String) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text: Vec<String> = conversations.iter().map(|c| record(c, rename).to_string() + "\n").collect();
    fs::write(path, text.concat()).unwrap();
}

/// The score rows by experiment, case and unit.
fn rows(out: &Path) -> BTreeMap<String, Value> {
    let key = |row: &Value| format!("{} {} {} {}", row["metric"], row["experiment"], row["case"], row["unit"]);
    lines(out, "scores.jsonl").into_iter().map(|row| (key(&row), row)).collect()
}

/// Each conversation's id once, so that the order of lines does not choose between duplicates.
fn once(conversations: Vec<Conversation>) -> Vec<Conversation> {
    let by_id: BTreeMap<(usize, usize, usize), Conversation> =
        conversations.into_iter().map(|c| ((c.0, c.1, c.2), c)).collect();
    by_id.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn threads_and_shards_change_no_byte(
        conversations in conversations(), threads in 1_usize..=8, shards in 1_u32..=7, broken in any::<bool>(),
    ) {
        let home = tempfile::tempdir().unwrap();
        let log = home.path().join("logs/a.jsonl");
        write(&log, &conversations, &|name| name.to_string());
        if broken {
            let mut text = fs::read_to_string(&log).unwrap();
            text.insert_str(0, "{\"experiment\": 1}\n\nno JSON\n");
            fs::write(&log, text).unwrap();
        }
        let logs = home.path().join("logs");
        // Ids repeat: the first conversation is kept, whichever shard holds it.
        let whole = home.path().join("whole");
        run("guest", &logs, &whole, &["sta=on"], true, None).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let again = home.path().join("again");
        pool.install(|| run("guest", &logs, &again, &["sta=on"], true, None)).unwrap();
        prop_assert_eq!(files(&whole), files(&again));
        let mut folders = vec![];
        for index in 1..=shards {
            let folder = home.path().join(format!("share{index}"));
            let shard = Shard { index, count: shards };
            pool.install(|| run("guest", &logs, &folder, &["sta=on"], true, Some(shard))).unwrap();
            folders.push(folder);
        }
        let turned = threads % folders.len();
        folders.rotate_left(turned);
        let joined = home.path().join("joined");
        let paths: Vec<&Path> = folders.iter().map(|folder| folder.as_path()).collect();
        join("guest", &paths, &joined).unwrap();
        prop_assert_eq!(files(&whole), files(&joined));
    }

    #[test]
    fn names_and_the_order_of_lines_change_no_score(conversations in conversations()) {
        let home = tempfile::tempdir().unwrap();
        let mut conversations = once(conversations);
        write(&home.path().join("a/a.jsonl"), &conversations, &|name| name.to_string());
        conversations.reverse();
        write(&home.path().join("b/b.jsonl"), &conversations, &|name| name.replace('e', "other"));
        let (a, b) = (home.path().join("out_a"), home.path().join("out_b"));
        run("guest", &home.path().join("a"), &a, &[], false, None).unwrap();
        run("guest", &home.path().join("b"), &b, &[], false, None).unwrap();
        let renamed: BTreeMap<String, Value> = rows(&a)
            .into_iter()
            .map(|(key, mut row)| {
                row["experiment"] = row["experiment"].as_str().unwrap().replace('e', "other").into();
                (key.replacen("\"e", "\"other", 1), row)
            })
            .collect();
        prop_assert_eq!(&renamed, &rows(&b));
        let facts = verism::suites::suite("guest").unwrap().facts();
        for row in renamed.values() {
            let metric = facts.metrics.iter().find(|metric| row["metric"] == metric.id).unwrap();
            let value = row["value"].as_f64();
            let (low, high) = (metric.range.0.unwrap_or(f64::MIN), metric.range.1.unwrap_or(f64::MAX));
            prop_assert!(value.is_none_or(|value| (low..=high).contains(&value)), "{row}");
            prop_assert_eq!(value.is_none(), row["undefined"].is_string());
        }
        let table = |out: &Path| fs::read_to_string(out.join("tables/experiments.csv")).unwrap();
        let named: String = table(&a).lines().skip(1).map(|line| line.replacen('e', "other", 1) + "\n").collect();
        let found: String = table(&b).lines().skip(1).map(|line| line.to_string() + "\n").collect();
        prop_assert_eq!(named, found);
    }
}

#[test]
fn merge_finds_a_duplicate_that_two_shards_hold() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("logs/a.jsonl");
    let twice = |mood: usize| (0, 0, 0, 5, vec![(0, Some(true), Some(mood), true, vec![0], true)]);
    // Conversations with one id that differ: some pair of them lies in different shards.
    let conversations: Vec<Conversation> = (0..4).map(twice).collect();
    write(&log, &conversations, &|name| name.to_string());
    let shards: Vec<_> = (1..=3)
        .map(|index| {
            let folder = home.path().join(format!("share{index}"));
            run("guest", &home.path().join("logs"), &folder, &[], false, Some(Shard { index, count: 3 })).unwrap();
            folder
        })
        .collect();
    let paths: Vec<&Path> = shards.iter().map(|folder| folder.as_path()).collect();
    let error = join("guest", &paths, &home.path().join("joined")).unwrap_err().defect();
    assert_eq!((error.code.as_ref(), error.line, error.field.as_deref()), ("duplicate_id", Some(2), Some("dialogue")));
    let whole = run("guest", &home.path().join("logs"), &home.path().join("whole"), &[], false, None);
    assert_eq!(whole.unwrap_err().defect(), error);
}

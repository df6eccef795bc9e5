//! Laws of the recommender suite: the same bytes for any threads and shards; the order of items changes no value; a turn
//! after every window has closed changes no recovery.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use verism::suites::Shard;

use crate::runner::{files, join, lines, run};

/// Titles that overlap, lie in one another and begin or end alike.
const ITEMS: [(&str, &str, &str, &str); 11] = [
    ("Paper Tigers", "Comedy", "Ada Lark", "1994"),
    ("Night Ferry", "Drama", "Cy Rowe", "2001"),
    ("Cold Wharf", "War", "Sable", "2001"),
    ("Her", "Science Fiction", "김하늘", "2013"),
    ("War of the Kites", "Comedy", "Will", "1998"),
    ("Ferry", "Drama", "Ada Lark", "1994"),
    ("Night Ferry to Cold Wharf", "War", "Cy Rowe", "1998"),
    ("Cold Wharf Tigers", "Comedy", "Sable", "2013"),
    ("Tigers", "Drama", "Will", "1994"),
    ("Kites", "War", "김하늘", "2001"),
    ("하늘 바다", "Drama", "김하늘", "2013"),
];
const PIECES: [&str; 19] = [
    "a comedy",
    "war movies",
    "with Ada Lark",
    "and Sable",
    "“Night Ferry” (2001)",
    "from 1998",
    "sci-fi, please",
    "김하늘이 나오는 드라마",
    "Will it do?",
    "“The Unfilmed Hour”",
    "War of the Kites",
    "I saw Her twice",
    "no thanks.",
    "the same as before",
    "Night Ferry",
    "to Cold Wharf Tigers",
    "Paper Tigers and Kites",
    "ferry of the Kites",
    "하늘 바다를",
];

/// A turn: pieces of the user, pieces of the reply, whether the focus changes.
type Turn = (Vec<usize>, Vec<usize>, bool);
/// A dialogue: experiment, case, turns.
type Dialogue = (usize, usize, Vec<Turn>);

fn turn() -> impl Strategy<Value = Turn> {
    let pieces = || prop::collection::vec(0..PIECES.len(), 0..5);
    (pieces(), pieces(), prop::bool::weighted(0.3))
}

fn dialogues() -> impl Strategy<Value = Vec<Dialogue>> {
    prop::collection::vec((0..3_usize, 0..6_usize, prop::collection::vec(turn(), 0..7)), 1..12)
}

fn in_order() -> Vec<usize> {
    (0..ITEMS.len()).collect()
}

fn catalog(order: &[usize]) -> Value {
    let item = |number: &usize| {
        let (name, genre, actor, year) = ITEMS[*number];
        json!({"id": format!("m{number}"), "name": name, "genre": [genre], "actor": [actor], "year": year})
    };
    order.iter().map(item).collect()
}

fn record((experiment, case, turns): &Dialogue) -> Value {
    let text = |pieces: &Vec<usize>| pieces.iter().map(|piece| PIECES[*piece]).collect::<Vec<_>>().join(" ");
    let mut conversation = vec![];
    for (user, system, shift) in turns {
        let focus = ITEMS[user.len() % ITEMS.len()].1;
        conversation.push(json!({
            "speaker": "USER", "text": text(user),
            "user_meta": {"shift_event": shift, "focus_field": "genre", "focus_value": focus,
                          "constraints": {"genre": focus}},
        }));
        conversation.push(json!({"speaker": "SYSTEM", "text": text(system)}));
    }
    json!({"experiment": format!("e{experiment}"), "case": case.to_string(), "conversation": conversation})
}

/// A folder with dialogues and the catalog beside them.
fn write(folder: &Path, dialogues: &[Dialogue], order: &[usize]) {
    fs::create_dir_all(folder).unwrap();
    let text: Vec<String> = dialogues.iter().map(|dialogue| record(dialogue).to_string() + "\n").collect();
    fs::write(folder.join("dialogues.jsonl"), text.concat()).unwrap();
    fs::write(folder.join("catalog.json"), catalog(order).to_string()).unwrap();
}

/// Values or reasons by metric and unit.
fn values(out: &Path) -> BTreeMap<String, (Value, Value)> {
    let key = |row: &Value| format!("{} {} {} {}", row["metric"], row["level"], row["experiment"], row["unit"]);
    let rows = lines(out, "scores.jsonl").into_iter();
    rows.map(|row| (key(&row), (row["value"].clone(), row["undefined"].clone()))).collect()
}

/// Each dialogue once, so that none is a duplicate.
fn once(dialogues: Vec<Dialogue>) -> Vec<Dialogue> {
    let by_id: BTreeMap<(usize, usize), Dialogue> = dialogues.into_iter().map(|d| ((d.0, d.1), d)).collect();
    by_id.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn threads_and_shards_change_no_byte(
        dialogues in dialogues(), threads in 1_usize..=8, shards in 1_u32..=5, broken in any::<bool>(),
    ) {
        let home = tempfile::tempdir().unwrap();
        let logs = home.path().join("logs");
        write(&logs, &dialogues, &in_order());
        if broken {
            let log = logs.join("dialogues.jsonl");
            let text = fs::read_to_string(&log).unwrap();
            fs::write(&log, format!("{{\"experiment\": 1}}\n\nno JSON\n{text}")).unwrap();
        }
        let whole = home.path().join("whole");
        run("recommender", &logs, &whole, &["baselines=true"], true, None).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let again = home.path().join("again");
        pool.install(|| run("recommender", &logs, &again, &["baselines=true"], true, None)).unwrap();
        prop_assert_eq!(files(&whole), files(&again));
        let mut folders = vec![];
        for index in 1..=shards {
            let folder = home.path().join(format!("share{index}"));
            let shard = Shard { index, count: shards };
            pool.install(|| run("recommender", &logs, &folder, &["baselines=true"], true, Some(shard))).unwrap();
            folders.push(folder);
        }
        let joined = home.path().join("joined");
        let paths: Vec<&Path> = folders.iter().map(|folder| folder.as_path()).collect();
        join("recommender", &paths, &joined).unwrap();
        prop_assert_eq!(files(&whole), files(&joined));
    }

    #[test]
    fn the_order_of_items_changes_no_value(
        dialogues in dialogues(), order in Just(in_order()).prop_shuffle(),
    ) {
        let home = tempfile::tempdir().unwrap();
        let dialogues = once(dialogues);
        let (a, b) = (home.path().join("a"), home.path().join("b"));
        write(&a, &dialogues, &in_order());
        write(&b, &dialogues, &order);
        let (out_a, out_b) = (home.path().join("out_a"), home.path().join("out_b"));
        run("recommender", &a, &out_a, &[], false, None).unwrap();
        run("recommender", &b, &out_b, &[], false, None).unwrap();
        prop_assert_eq!(values(&out_a), values(&out_b));
    }

    #[test]
    fn a_turn_after_every_window_changes_no_recovery(mut turns in prop::collection::vec(turn(), 4..9), last in turn()) {
        // The default window has three replies.
        let n = turns.len();
        turns[n - 2..].iter_mut().for_each(|turn| turn.2 = false);
        let mut longer = turns.clone();
        longer.push((last.0, last.1, false));
        let home = tempfile::tempdir().unwrap();
        let mut found = vec![];
        for (name, turns) in [("short", turns), ("long", longer)] {
            let (logs, out) = (home.path().join(name), home.path().join(format!("out_{name}")));
            write(&logs, &[(0, 0, turns)], &in_order());
            run("recommender", &logs, &out, &[], false, None).unwrap();
            let mut rows = values(&out);
            rows.retain(|key, _| key.contains("recover"));
            found.push(rows);
        }
        prop_assert_eq!(&found[0], &found[1]);
    }
}

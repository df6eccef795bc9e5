//! Laws: the same bytes for any threads and shards; copies multiply counts and change no rate.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use verism::suites::Shard;

use crate::runner::{files, join, lines, run};

const ACTIONS: [&str; 7] = ["do_nothing", "buy_insurance", "elevate_house", "both", "relocate", "N/A", "dance"];
const THREATS: [&str; 7] =
    ["VL", "H", "M", "", "It is not safe, very dangerous", "low – minimal", "“High” risk is high"];

/// A record: cell, agent, year, action, threat, states.
type Record = (usize, usize, i64, usize, usize, (bool, bool));

fn records() -> impl Strategy<Value = Vec<Record>> {
    let record = (
        0..4_usize,
        0..5_usize,
        1..5_i64,
        0..ACTIONS.len(),
        0..THREATS.len(),
        (any::<bool>(), prop::bool::weighted(0.1)),
    );
    prop::collection::vec(record, 1..80)
}

/// Writes a tree of four cells; agents get a suffix.
fn write(root: &Path, records: &[Record], suffixes: &[&str]) {
    for cell in 0..4 {
        let group = ["Group_A", "Group_B"][cell % 2];
        let folder = root.join("m").join(group).join(format!("Run_{}", 9 + cell / 2));
        fs::create_dir_all(&folder).unwrap();
        let action = if cell % 2 == 0 { "decision" } else { "yearly_decision" };
        let mut text = format!(
            "agent_id,year,{action},raw_llm_decision,threat_appraisal,coping_appraisal,elevated,relocated,retry_count\n"
        );
        for suffix in suffixes {
            for (_, agent, year, action, threat, (elevated, relocated)) in records.iter().filter(|r| r.0 == cell) {
                let (action, threat) = (ACTIONS[*action], THREATS[*threat]);
                text.push_str(&format!(
                    "Agent_{agent}{suffix},{year},{action},{action},\"{threat}\",M,{elevated},{relocated},{agent}\n"
                ));
            }
        }
        fs::write(folder.join("simulation_log.csv"), text).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn threads_and_shards_change_no_byte(records in records(), threads in 1_usize..=8, shards in 1_u32..=7) {
        let home = tempfile::tempdir().unwrap();
        let logs = home.path().join("logs");
        write(&logs, &records, &[""]);
        let options = ["rows=true", "score_cases=true", "bootstrap=20"];
        let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        let whole = home.path().join("whole");
        pool(1).install(|| run("adaptation", &logs, &whole, &options, true, None)).unwrap();
        let threaded = home.path().join("threaded");
        pool(threads).install(|| run("adaptation", &logs, &threaded, &options, true, None)).unwrap();
        prop_assert_eq!(files(&whole), files(&threaded));
        let places: Vec<_> = (1..=shards).map(|index| home.path().join(format!("share{index}"))).collect();
        for (place, index) in places.iter().zip(1..) {
            run("adaptation", &logs, place, &options, true, Some(Shard { index, count: shards })).unwrap();
        }
        let joined = home.path().join("joined");
        join("adaptation", &places.iter().rev().map(|place| place.as_path()).collect::<Vec<_>>(), &joined).unwrap();
        prop_assert_eq!(files(&whole), files(&joined));
    }

    #[test]
    fn copies_multiply_counts_and_change_no_rate(records in records()) {
        let home = tempfile::tempdir().unwrap();
        let score = |name: &str, suffixes: &[&str]| -> Vec<Value> {
            let (logs, out) = (home.path().join(name), home.path().join(format!("{name}-out")));
            write(&logs, &records, suffixes);
            run("adaptation", &logs, &out, &[], true, None).unwrap();
            lines(&out, "scores.jsonl")
        };
        let (one, three) = (score("one", &[""]), score("three", &["", "_b", "_c"]));
        prop_assert_eq!(one.len(), three.len());
        for (one, three) in one.iter().zip(&three) {
            let metric = one["metric"].as_str().unwrap();
            prop_assert_eq!(metric, three["metric"].as_str().unwrap());
            match (one["value"].as_f64(), three["value"].as_f64()) {
                (Some(x), Some(y)) => {
                    let workload = ["intervention_rows", "retry_rows", "retry_sum"].iter().any(|w| metric.starts_with(w));
                    let expected = if workload { 3.0 * x } else { x };
                    prop_assert!((y - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{metric}: {x} {y}");
                }
                (x, y) => prop_assert_eq!((x, &one["undefined"]), (y, &three["undefined"])),
            }
        }
    }

    #[test]
    fn the_order_of_rows_changes_events_only_in_their_lines(records in records()) {
        let home = tempfile::tempdir().unwrap();
        let mut seen = std::collections::BTreeSet::new();
        let once: Vec<Record> = records.into_iter().filter(|r| seen.insert((r.0, r.1, r.2))).collect();
        let score = |name: &str, records: &[Record]| {
            let (logs, out) = (home.path().join(name), home.path().join(format!("{name}-out")));
            write(&logs, records, &[""]);
            run("adaptation", &logs, &out, &[], false, None).unwrap();
            let mut events = lines(&out, "events.jsonl");
            for event in &mut events {
                event["line"] = Value::Null;
            }
            (events, lines(&out, "scores.jsonl"))
        };
        let back: Vec<Record> = once.iter().rev().copied().collect();
        prop_assert_eq!(score("there", &once), score("back", &back));
    }
}

/// Rows of a cell in JSON lines, some of them in the other format.
fn write_mixed(root: &Path, rows: &[(usize, usize, bool)]) {
    fs::create_dir_all(root).unwrap();
    let line = |&(agent, year, governed): &(usize, usize, bool)| {
        let action = if governed { "yearly_decision" } else { "decision" };
        let year = if year == 0 { "\"never\"".to_string() } else { year.to_string() };
        format!(
            "{{\"model\":\"m\",\"group\":\"G\",\"run\":\"1\",\"agent_id\":\"a{agent}\",\"year\":{year},\"{action}\":\"relocate\",\"elevated\":\"False\",\"relocated\":\"False\"}}\n"
        )
    };
    fs::write(root.join("rows.jsonl"), rows.iter().map(line).collect::<String>()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn shards_book_rows_of_another_format_once(
        rows in prop::collection::vec((0..6_usize, 0..4_usize, any::<bool>()), 1..30), shards in 2_u32..5,
    ) {
        let home = tempfile::tempdir().unwrap();
        write_mixed(home.path(), &rows);
        let logs = home.path().join("rows.jsonl");
        let whole = home.path().join("whole");
        run("adaptation", &logs, &whole, &[], true, None).unwrap();
        let places: Vec<_> = (1..=shards).map(|index| home.path().join(format!("share{index}"))).collect();
        for (place, index) in places.iter().zip(1..) {
            run("adaptation", &logs, place, &[], true, Some(Shard { index, count: shards })).unwrap();
        }
        let joined = home.path().join("joined");
        join("adaptation", &places.iter().map(|place| place.as_path()).collect::<Vec<_>>(), &joined).unwrap();
        prop_assert_eq!(files(&whole), files(&joined));
    }

    #[test]
    fn shards_of_the_published_reading_are_shards(records in records(), shards in 2_u32..5) {
        let home = tempfile::tempdir().unwrap();
        let logs = home.path().join("logs");
        write(&logs, &records, &[""]);
        let options = ["reading=v6-script"];
        let whole = home.path().join("whole");
        run("adaptation", &logs, &whole, &options, true, None).unwrap();
        let places: Vec<_> = (1..=shards).map(|index| home.path().join(format!("share{index}"))).collect();
        for (place, index) in places.iter().zip(1..) {
            run("adaptation", &logs, place, &options, true, Some(Shard { index, count: shards })).unwrap();
        }
        let joined = home.path().join("joined");
        join("adaptation", &places.iter().map(|place| place.as_path()).collect::<Vec<_>>(), &joined).unwrap();
        prop_assert_eq!(files(&whole), files(&joined));
    }
}

/// An exit state that only a repeated row fills is not known: the row is dropped, and with it what it says.
#[test]
fn shards_agree_where_nobody_knows_which_rows_are_active() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("logs/m/Group_B/Run_1");
    fs::create_dir_all(&folder).unwrap();
    let mut text = String::from("agent_id,year,yearly_decision,threat_appraisal,elevated,relocated\n");
    for agent in 0..6 {
        text.push_str(&format!("a{agent},1,elevate_house,L,true,\na{agent},2,elevate_house,L,true,\n"));
    }
    text.push_str("a3,2,relocate,L,true,true\n");
    fs::write(folder.join("simulation_log.csv"), text).unwrap();
    let (logs, whole) = (home.path().join("logs"), home.path().join("whole"));
    run("adaptation", &logs, &whole, &["rows=true"], true, None).unwrap();
    assert_eq!(lines(&whole, "events.jsonl").len(), 0);
    let rows = lines(&whole, "rows.jsonl");
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row["active"].is_null() && row["execution"] == "undetermined"), "{rows:?}");
    let of = |metric: &str| lines(&whole, "scores.jsonl").into_iter().find(|row| row["metric"] == metric).unwrap();
    assert_eq!((of("r_h")["undefined"].as_str(), of("r_h")["n"].as_u64()), (Some("missing_field:relocated"), None));
    let places: Vec<_> = (1..=3).map(|index| home.path().join(format!("share{index}"))).collect();
    for (place, index) in places.iter().zip(1..) {
        run("adaptation", &logs, place, &["rows=true"], true, Some(Shard { index, count: 3 })).unwrap();
    }
    let joined = home.path().join("joined");
    join("adaptation", &places.iter().map(|place| place.as_path()).collect::<Vec<_>>(), &joined).unwrap();
    assert_eq!(files(&whole), files(&joined));
}

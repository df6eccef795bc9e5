//! How well facts, their status, recommendations and violations are found: the benchmark on the annotated snippets.
//!
//! `cargo test -p verism --lib clinical::accuracy -- --nocapture` prints it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::Clinical;
use crate::input::{Input, Unwatched};
use crate::score::output::Output;
use crate::suites::{Job, Options, Suite};

/// Found and wanted units of one kind.
type Sets = (BTreeSet<String>, BTreeSet<String>);

const KINDS: [&str; 4] = ["entity", "entity_status", "pushed", "violation"];
/// Strongest first.
const STATUSES: [&str; 4] = ["asserted", "denied", "avoided", "unasserted"];

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/suites/clinical/cases")
}

fn read(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join(name)).expect("a file of the cases");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A value to four significant digits.
fn significant(x: f64) -> String {
    format!("{x:.3e}")
}

fn number(value: &Value) -> String {
    let one = |x: &Value| x.as_f64().map(significant).unwrap_or_default();
    match value {
        Value::Null => String::new(),
        Value::Array(ends) => ends.iter().map(one).collect::<Vec<_>>().join("~"),
        Value::Object(of) if of.contains_key("value") => one(&value["value"]),
        Value::Object(_) => format!("{}~{}", one(&value["lo"]), one(&value["hi"])),
        other => one(other),
    }
}

fn rank(status: &Value) -> usize {
    STATUSES.iter().position(|known| status == known).unwrap_or(STATUSES.len())
}

/// What was found in a snippet and what is wanted, for each kind.
fn sets(snippet: &Value, sfs: &Value, csp: &Value) -> [Sets; 4] {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |x: &Value, value: &Value| format!("{} {} {}", x["type"], x["id"], number(value));
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for fact in list(&sfs["facts"]) {
        let strongest = list(&fact["mentions"]).iter().map(|mention| rank(&mention["status"])).min().unwrap_or(3);
        let known = found.entry(name(&fact, &fact["value"])).or_insert(strongest);
        *known = strongest.min(*known);
    }
    let wanted: BTreeMap<String, usize> = list(&snippet["entities"])
        .iter()
        .map(|entity| (name(entity, &entity["value"]), rank(&entity["status"])))
        .collect();
    let names = |of: &BTreeMap<String, usize>| of.keys().cloned().collect();
    let with_status =
        |of: &BTreeMap<String, usize>| of.iter().map(|(name, rank)| format!("{name} {}", STATUSES[*rank])).collect();
    let patterns = csp["patterns"].as_object().cloned().unwrap_or_default();
    let pushed = patterns.iter().filter(|(_, hits)| list(hits).iter().any(|hit| hit["pushed"] == true));
    let broken =
        list(&csp["violated"]).iter().any(|rule| !rule["id"].as_str().is_some_and(|id| id.starts_with("CSP_REQ")));
    let yes = |is: bool| if is { BTreeSet::from(["violated".to_string()]) } else { BTreeSet::new() };
    let wanted_pushed = list(&snippet["pushed"]).iter().filter_map(|name| name.as_str().map(String::from)).collect();
    [
        (names(&found), names(&wanted)),
        (with_status(&found), with_status(&wanted)),
        (pushed.map(|(name, _)| name.clone()).collect(), wanted_pushed),
        (yes(broken), yes(snippet["violation"] == true)),
    ]
}

/// Evidence of SFS and CSP of each snippet, by its id.
fn score(snippets: &[Value]) -> BTreeMap<String, BTreeMap<String, Value>> {
    let patients: Value =
        serde_json::from_str(&std::fs::read_to_string(folder().join("patients.json")).expect("patients"))
            .expect("JSON");
    let home = tempfile::tempdir().expect("a folder");
    let log = home.path().join("snippets.jsonl");
    let lines: Vec<String> = snippets
        .iter()
        .map(|x| {
            let slots = &patients[x["patient"].as_str().unwrap_or_default()];
            json!({"case": x["id"], "turn": x["turn"], "answer": x["answer"], "slots_truth": slots}).to_string()
        })
        .collect();
    std::fs::write(&log, lines.join("\n")).expect("room for the snippets");
    let mut output = Output::in_memory(&[]);
    let job = Job::new(vec![Input::Path(log)], Options::default(), &Unwatched);
    Clinical.score(job, &mut output).expect("scores");
    let results = output.finish().expect("results").expect("in memory");
    let mut evidence: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for line in results.scores.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let row: Value = serde_json::from_slice(line).expect("a row");
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        if row["level"] == "turn" && matches!(row["metric"].as_str(), Some("sfs" | "csp")) {
            evidence.entry(text("case")).or_default().insert(text("metric"), row["evidence"].clone());
        }
    }
    evidence
}

/// The Wilson interval of a share as text.
fn interval(part: usize, whole: usize) -> String {
    match super::tables::wilson(part as u64, whole as u64) {
        Some((low, high)) => format!("{:.4} [{low:.4}, {high:.4}]", part as f64 / whole as f64),
        None => "–".into(),
    }
}

/// F1 of each kind, and the report.
fn benchmark(name: &str) -> ([f64; 4], String) {
    let snippets = read(name);
    let evidence = score(&snippets);
    let (mut report, mut confusions) = (format!("{name}: {} snippets\n", snippets.len()), String::new());
    let mut tally = [[0_usize; 3]; 4];
    for snippet in &snippets {
        let id = snippet["id"].as_str().unwrap_or_default();
        let of = &evidence[id];
        for ((kind, count), (found, wanted)) in KINDS.iter().zip(&mut tally).zip(sets(snippet, &of["sfs"], &of["csp"]))
        {
            let (extra, missed) = (found.difference(&wanted), wanted.difference(&found));
            let (extra, missed): (Vec<_>, Vec<_>) = (extra.collect(), missed.collect());
            *count = [count[0] + found.intersection(&wanted).count(), count[1] + extra.len(), count[2] + missed.len()];
            if !extra.is_empty() || !missed.is_empty() {
                let answer = snippet["answer"].as_str().unwrap_or_default();
                writeln!(confusions, "  {id} {kind}: found {extra:?}, wanted {missed:?} | {answer}")
                    .expect("a text grows");
            }
        }
    }
    let f1 = tally.map(|[hits, extra, missed]| match 2 * hits + extra + missed {
        0 => 1.0,
        all => 2.0 * hits as f64 / all as f64,
    });
    for ((kind, [hits, extra, missed]), f1) in KINDS.iter().zip(tally).zip(f1) {
        let (precision, recall) = (interval(hits, hits + extra), interval(hits, hits + missed));
        writeln!(report, "  {kind:14} F1 {f1:.4}  precision {precision}  recall {recall}").expect("a text grows");
    }
    (f1, report + &confusions)
}

#[test]
fn snippets_are_read_as_people_read_them() {
    for name in ["annotated.jsonl", "annotated_more.jsonl"] {
        let (f1, report) = benchmark(name);
        #[expect(clippy::print_stdout, reason = "the benchmark is read by people")]
        {
            println!("{report}");
        }
        assert!(f1.iter().all(|f1| *f1 >= 0.98), "{report}");
    }
}

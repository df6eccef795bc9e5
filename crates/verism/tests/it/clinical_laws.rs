//! Laws of the clinical suite: the same bytes for any threads and shards; order of lines and forms of text change nothing;
//! ranges hold; silence does not pay.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;
use verism::suites::Shard;

use crate::runner::{files, join, lines, run};

/// Pieces that answers are put together from: names, numbers, cues, marks.
const PIECES: [&str; 32] = [
    "메트포르민을",
    "복용 중이시고",
    "당뇨병이 있으시며",
    "혈압은 131/74 mmHg",
    "당화혈색소 8.4%",
    "바나나를 드세요",
    "피하세요.",
    "67세",
    "남성이시니",
    "만약",
    "예를 들어",
    "고강도 운동은",
    "좋지만",
    "없습니다.",
    "아버지가",
    "\n- ",
    "\n1. ",
    "metformin",
    "you have type 2 diabetes",
    "avoid",
    "bananas",
    "if you take aspirin,",
    "your blood pressure is 150 over 90",
    "but",
    "not",
    "you are 67.",
    "high intensity training",
    "every day",
    "should be below 7%",
    ";",
    "such as",
    "ibuprofen works.",
];

fn answers() -> impl Strategy<Value = Vec<(u8, u8, Vec<usize>)>> {
    let answer = (0..3_u8, 1..6_u8, prop::collection::vec(0..PIECES.len(), 0..14));
    prop::collection::vec(answer, 1..14)
}

fn record(number: usize, (experiment, turn, pieces): &(u8, u8, Vec<usize>)) -> Value {
    let words: Vec<&str> = pieces.iter().map(|piece| PIECES[*piece]).collect();
    json!({
        "experiment": format!("e{experiment}"), "case": format!("c{}", number % 4), "dialogue": format!("d{number}"), "turn": turn,
        "question": "숨이 차고 다리가 붓습니다.", "answer": words.join(" "),
        "slots_truth": {"age": 67, "sex": "남성", "primary_condition": "Type 2 Diabetes Mellitus", "comorbidities": ["Odd syndrome"],
            "key_meds": ["Metformin 500 MG"], "key_labs": {"hba1c": "8.4%"}, "key_vitals": {"bp_systolic": 131, "bp_diastolic": 74}},
    })
}

fn write(path: &Path, records: &[Value]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, records.iter().map(|record| record.to_string() + "\n").collect::<String>()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn threads_shards_and_the_order_of_lines_change_no_score(answers in answers()) {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        let mut records: Vec<Value> = answers.iter().enumerate().map(|(i, answer)| record(i, answer)).collect();
        write(&at("logs/a.jsonl"), &records);
        run("clinical", &at("logs"), &at("whole"), &[], false, None).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| run("clinical", &at("logs"), &at("single"), &[], false, None)).unwrap();
        prop_assert_eq!(files(&at("whole")), files(&at("single")));
        for index in 1..=3 {
            let shard = Some(Shard { index, count: 3 });
            run("clinical", &at("logs"), &at(&format!("share{index}")), &[], false, shard).unwrap();
        }
        let shards = [at("share1"), at("share2"), at("share3")];
        join("clinical", &[&shards[0], &shards[1], &shards[2]], &at("joined")).unwrap();
        prop_assert_eq!(files(&at("whole")), files(&at("joined")));
        records.reverse();
        write(&at("turned/a.jsonl"), &records);
        run("clinical", &at("turned"), &at("other"), &[], false, None).unwrap();
        prop_assert_eq!(lines(&at("whole"), "scores.jsonl"), lines(&at("other"), "scores.jsonl"));
    }

    #[test]
    fn forms_of_unicode_and_an_idle_line_change_no_fact(answers in answers()) {
        let home = tempfile::tempdir().unwrap();
        let score = |name: &str, change: &dyn Fn(&str) -> String| {
            let mut records: Vec<Value> = answers.iter().enumerate().map(|(i, answer)| record(i, answer)).collect();
            for record in &mut records {
                let answer = change(record["answer"].as_str().unwrap());
                record["answer"] = json!(answer);
            }
            let (logs, out) = (home.path().join(name), home.path().join(format!("{name}-out")));
            write(&logs.join("a.jsonl"), &records);
            run("clinical", &logs, &out, &[], false, None).unwrap();
            lines(&out, "scores.jsonl")
        };
        let plain = score("plain", &|text| text.to_string());
        let taken_apart = score("nfd", &|text| text.nfd().collect());
        prop_assert_eq!(&plain, &taken_apart);
        // A line of its own without name, number, cue or marker.
        let idle = score("idle", &|text| if text.trim().is_empty() { text.to_string() } else { format!("{text}\nzzzz qqqq") });
        for (a, b) in plain.iter().zip(&idle) {
            prop_assert_eq!(&a["evidence"]["facts"], &b["evidence"]["facts"]);
        }
        for row in plain.iter().filter(|row| row["value"].is_f64()) {
            let (value, metric) = (row["value"].as_f64().unwrap(), row["metric"].as_str().unwrap());
            let bounded = !matches!(metric, "csp_penalty_total" | "perplexity");
            prop_assert!(value >= 0.0 && (!bounded || value <= 1.0), "{} = {}", metric, value);
        }
    }
}

#[test]
fn a_blank_answer_is_never_rewarded() {
    let home = tempfile::tempdir().unwrap();
    let record = |experiment: &str, case: usize, answer: &str| {
        json!({"experiment": experiment, "case": format!("c{case}"), "turn": 1, "answer": answer,
               "slots_truth": {"age": 67, "key_meds": ["Metformin"]}})
    };
    // Both say the same but for one patient, whom the second leaves without an answer where the first is wrong.
    let mut records = vec![];
    for case in 0..6 {
        let answer = if case == 0 { "You are taking aspirin." } else { "You are taking metformin." };
        records.push(record("speaks", case, answer));
        records.push(record("silent", case, if case == 0 { "" } else { answer }));
    }
    write(&home.path().join("logs/a.jsonl"), &records);
    let out = home.path().join("out");
    run("clinical", &home.path().join("logs"), &out, &[], false, None).unwrap();
    let rows = lines(&out, "scores.jsonl");
    let row = |metric: &str, experiment: &str, unit: &str| {
        rows.iter()
            .find(|r| r["metric"] == metric && r["experiment"] == experiment && r["unit"] == unit)
            .unwrap()
            .clone()
    };
    assert_eq!(row("sfs", "speaks", "c0#1")["value"], 0.0);
    assert_eq!(row("sfs", "silent", "c0#1")["undefined"], "empty_answer");
    assert_eq!(row("answered", "silent", "c0#1")["value"], 0.0);
    assert_eq!(row("aggregate", "silent", "c0#1")["undefined"], "empty_denominator");
    assert!(
        verism::suites::suite("clinical").unwrap().facts().rows_match,
        "comparisons take a turn only with its partner"
    );
}

//! The harness with a suite of its own: nothing of it knows what is talked about. And its folders: what is half done is
//! gone on with, and nothing is lost.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value, json};
use verism::input::{Unwatched, Watch};
use verism::score::content::Content;
use verism::score::place::ResultPlace;
use verism::suites::Options;
use verism::suites::setting::OptionFacts;
use verism::{Error, Result};
use verism_sim::{Agent, Message, Participants, Scenario, Simulation, Simulator, Turn, UserPolicy, World, Written};

/// A suite in which users count and agents count back.
struct Counting;

struct Numbers {
    turns: usize,
}

struct Counter {
    seed: u64,
    turns: usize,
}

impl Simulator for Counting {
    fn suite(&self) -> &'static str {
        "counting"
    }

    fn agents(&self) -> &'static [&'static str] {
        &["sure", "unsure", "other"]
    }

    fn options(&self) -> Vec<OptionFacts> {
        vec![OptionFacts { name: "turns", default: "3", says: "turns of a dialogue" }]
    }

    fn open(&self, options: &mut Options, _: &dyn Watch) -> Result<Box<dyn World>> {
        let turns = options.take(&["turns"]).iter().last().map_or(3, |(_, value)| value.text().parse().unwrap());
        Ok(Box::new(Numbers { turns }))
    }
}

impl World for Numbers {
    fn options(&self) -> Map<String, Value> {
        Map::from_iter([("turns".to_string(), json!(self.turns))])
    }

    fn sources(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("numbers", b"abc".to_vec())]
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("numbers.txt", b"1 2 3".to_vec())]
    }

    fn scenario(&self, seed: u64) -> Box<dyn Scenario + '_> {
        Box::new(Counter { seed, turns: self.turns })
    }
}

impl Scenario for Counter {
    fn lang(&self) -> &str {
        "en"
    }

    fn plan(&self) -> Value {
        json!(self.seed)
    }

    fn user(&self) -> Box<dyn UserPolicy + '_> {
        Box::new(Counter { ..*self })
    }

    fn agent(&self, name: &str, run: u64) -> Box<dyn Agent + '_> {
        Box::new(Back { fails: name == "unsure" && self.seed.is_multiple_of(3), run })
    }

    fn events(&self) -> Vec<(&'static str, Value)> {
        vec![("seed", json!(self.seed))]
    }
}

impl UserPolicy for Counter {
    fn next(&mut self, history: &[Turn]) -> Option<Message> {
        let turn = history.len();
        (turn < self.turns).then(|| Message::new(format!("{} \"{turn}\"", self.seed), "n", &turn))
    }
}

struct Back {
    fails: bool,
    run: u64,
}

impl Agent for Back {
    fn respond(&mut self, history: &[Turn], user: &Message) -> std::result::Result<Message, String> {
        match self.fails && history.len() == 1 {
            true => Err("lost count".into()),
            false => Ok(Message { text: format!("{} {}", user.text, self.run), meta: vec![] }),
        }
    }
}

/// Stops after so many dialogues.
struct Impatient(AtomicU64);

impl Watch for Impatient {
    fn advance(&self, n: u64) {
        // In one step: of two threads that both saw the last dialogue left, one would else count on below zero, and never stop.
        let less = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| Some(left.saturating_sub(n)));
        less.expect("always some");
    }

    fn stop(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }
}

fn simulate(place: &Path, pairs: &[&str], force: bool, watch: &dyn Watch) -> Result<Written> {
    let mut options = Options::default();
    pairs.iter().for_each(|pair| options.add(pair).unwrap());
    let participants = Participants::take(&mut options, &Counting)?;
    let content = Content::Dialogues("counting".into());
    let wanted = ResultPlace { place: place.to_path_buf(), content, inputs: vec![], force };
    Simulation::open(&Counting, participants, &mut options, watch)?.write(wanted, watch, &|_| {})
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name != "timing.json")
        .map(|name| (name.clone(), fs::read(folder.join(name)).unwrap()))
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const MANY: [&str; 3] = ["seeds=1..1000", "agents=sure,other", "runs=2"];

#[test]
fn a_suite_joins_with_a_record_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("out");
    simulate(&place, &["seeds=7", "runs=2", "turns=1"], false, &Unwatched).unwrap();
    let expected = concat!(
        r#"{"experiment":"sure","run":"1","case":"seed-00007","dialogue":"sure/seed-00007","lang":"en","conversation":["#,
        r#"{"speaker":"USER","text":"7 \"0\"","n":0},{"speaker":"SYSTEM","text":"7 \"0\" 1"}],"seed":7}"#,
        "\n",
        r#"{"experiment":"sure","run":"2","case":"seed-00007","dialogue":"sure/2/seed-00007","lang":"en","conversation":["#,
        r#"{"speaker":"USER","text":"7 \"0\"","n":0},{"speaker":"SYSTEM","text":"7 \"0\" 2"}],"seed":7}"#,
        "\n"
    );
    assert_eq!(fs::read_to_string(place.join("dialogues.jsonl")).unwrap(), expected);
    let all = ["calls.jsonl", "dialogues.jsonl", "failed.jsonl", "manifest.json", "numbers.txt", "timing.json"];
    assert_eq!(names(&place), all);
    let manifest: Value = serde_json::from_slice(&fs::read(place.join("manifest.json")).unwrap()).unwrap();
    // SHA-256 of "abc": FIPS 180-2, appendix B.1.
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(
        (manifest["sources"]["numbers"].as_str(), manifest["counts"]["dialogues"].as_u64()),
        (Some(hash), Some(2))
    );
}

#[test]
fn a_job_that_was_stopped_ends_as_if_it_had_not_been() {
    let home = tempfile::tempdir().unwrap();
    let (whole, place) = (home.path().join("whole"), home.path().join("out"));
    simulate(&whole, &MANY, false, &Unwatched).unwrap();
    let mut before = 0;
    for patience in [1000, 1, 1300] {
        let stopped = simulate(&place, &MANY, false, &Impatient(AtomicU64::new(patience)));
        assert!(matches!(stopped, Err(Error::Interrupted)));
        let half = fs::read(home.path().join(".out.verism.half/dialogues.jsonl")).unwrap_or_default().len();
        assert!(half >= before && !place.exists(), "nothing is lost, and nothing is there before all is");
        before = half;
    }
    assert!(before > 0);
    let written = simulate(&place, &MANY, false, &Unwatched).unwrap();
    assert!(written.found > 1000 && written.dialogues == 4000, "{written:?}");
    assert_eq!(files(&place), files(&whole));
    assert_eq!(names(home.path()), ["out", "whole"]);
    // Once more: everything is there.
    let again = simulate(&place, &MANY, false, &Impatient(AtomicU64::new(0))).unwrap();
    assert_eq!(again, Written { dialogues: 4000, failed: 0, found: 4000 });
}

/// Leaves a folder half done.
fn half_done(place: &Path, pairs: &[&str]) {
    assert!(simulate(place, pairs, false, &Impatient(AtomicU64::new(600))).is_err());
}

#[test]
fn wherever_a_kill_cut_the_log_it_is_continued() {
    let home = tempfile::tempdir().unwrap();
    let (whole, place) = (home.path().join("whole"), home.path().join("out"));
    simulate(&whole, &MANY, false, &Unwatched).unwrap();
    let half = home.path().join(".out.verism.half");
    let damages: [fn(&mut Vec<u8>); 6] = [
        |log| log.truncate(log.len() - 1),
        |log| log.truncate(log.len() / 2),
        |log| log.truncate(1),
        |log| log.extend(b"{\"experiment\":\"su"),
        // A page that never reached the disk.
        |log| log[5000..9000].fill(0),
        |log| log.clear(),
    ];
    for damage in damages {
        half_done(&place, &MANY);
        let mut log = fs::read(half.join("dialogues.jsonl")).unwrap();
        damage(&mut log);
        fs::write(half.join("dialogues.jsonl"), log).unwrap();
        simulate(&place, &MANY, false, &Unwatched).unwrap();
        assert_eq!(files(&place), files(&whole));
        fs::remove_dir_all(&place).unwrap();
    }
    // Killed while it began, and when all was written but not yet put in place.
    fs::create_dir(&half).unwrap();
    fs::write(half.join("manifest.json"), "{\"tool").unwrap();
    simulate(&place, &MANY, false, &Unwatched).unwrap();
    assert_eq!(files(&place), files(&whole));
    fs::rename(&place, &half).unwrap();
    let written = simulate(&place, &MANY, false, &Unwatched).unwrap();
    assert_eq!((written.found, files(&place)), (4000, files(&whole)));
}

#[test]
fn other_options_lose_nothing_that_is_half_done() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("out");
    half_done(&place, &MANY);
    let half = files(&home.path().join(".out.verism.half"));
    let refused = |pairs: &[&str]| {
        let defect = simulate(&place, pairs, false, &Unwatched).unwrap_err().defect();
        assert_eq!((files(&home.path().join(".out.verism.half")), place.exists()), (half.clone(), false));
        (defect.code.to_string(), defect.field.unwrap_or_default())
    };
    let bad = |field: &str| ("bad_option".to_string(), field.to_string());
    assert_eq!(refused(&["seeds=1..1000", "agents=sure,other", "runs=2", "turns=4"]), bad("turns"));
    assert_eq!(refused(&["seeds=2..1000", "agents=sure,other", "runs=2"]), bad("seeds"));
    assert_eq!(refused(&["seeds=1..1000", "agents=other,sure", "runs=2"]), bad("agents"));
    // More of the same in front of which nothing changes is gone on with.
    let more = ["seeds=1..1000", "agents=sure,other", "runs=3"];
    let written = simulate(&place, &more, false, &Unwatched).unwrap();
    assert!(written.found > 0 && written.dialogues == 6000);
    let whole = home.path().join("whole");
    simulate(&whole, &more, false, &Unwatched).unwrap();
    assert_eq!(files(&place), files(&whole));
}

#[test]
fn a_finished_folder_changes_only_in_who_talks_unless_forced() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("out");
    simulate(&place, &["seeds=1..3"], false, &Unwatched).unwrap();
    let before = files(&place);
    let defect = simulate(&place, &["seeds=1..3", "turns=2"], false, &Unwatched).unwrap_err().defect();
    assert_eq!((defect.field.as_deref(), files(&place)), (Some("turns"), before));
    assert_eq!(names(home.path()), ["out"]);
    assert_eq!(simulate(&place, &["seeds=1..9"], false, &Unwatched).unwrap().dialogues, 9);
    assert_eq!(simulate(&place, &["seeds=1..3", "turns=2"], true, &Unwatched).unwrap().dialogues, 3);
    // Dialogues that were edited are not ours to replace, nor to take for done.
    fs::write(place.join("dialogues.jsonl"), "mine").unwrap();
    let defect = simulate(&place, &["seeds=1..3", "turns=2"], true, &Unwatched).unwrap_err().defect();
    assert_eq!(defect.code, "bad_output");
}

#[test]
fn what_is_half_done_with_other_options_gives_way_when_forced() {
    let home = tempfile::tempdir().unwrap();
    let (whole, place) = (home.path().join("whole"), home.path().join("out"));
    half_done(&place, &MANY);
    simulate(&place, &["seeds=5"], true, &Unwatched).unwrap();
    simulate(&whole, &["seeds=5"], false, &Unwatched).unwrap();
    assert_eq!(files(&place), files(&whole));
}

#[test]
fn a_dialogue_that_fails_is_listed_and_tried_again() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("out");
    for _ in 0..2 {
        let written = simulate(&place, &["seeds=1..4", "agents=unsure"], false, &Unwatched).unwrap();
        assert_eq!((written.dialogues, written.failed), (3, 1));
        let failed = fs::read_to_string(place.join("failed.jsonl")).unwrap();
        let line = r#"{"experiment":"unsure","run":"1","case":"seed-00003","dialogue":"unsure/seed-00003","turn":2,"error":"lost count"}"#;
        assert_eq!(failed, format!("{line}\n"));
    }
}

#[test]
fn two_at_a_time_are_one_too_many() {
    struct Second<'a>(&'a Path, std::sync::Mutex<Option<String>>);
    impl Watch for Second<'_> {
        fn expect(&self, _: u64) {
            let refused = simulate(self.0, &MANY, false, &Unwatched).unwrap_err().defect();
            *self.1.lock().unwrap() = Some(refused.code.to_string());
        }
    }
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("out");
    let watch = Second(&place, std::sync::Mutex::default());
    assert_eq!(simulate(&place, &MANY, false, &watch).unwrap().dialogues, 4000);
    assert_eq!(watch.1.lock().unwrap().as_deref(), Some("in_use"));
}

//! Laws of the humor suite: ranges; order and repetition of texts; the same bytes for any threads and shards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use proptest::prelude::*;
use serde_json::{Value, json};
use verism::Error;
use verism::input::{Input, Watch};
use verism::suites::{Destination, Job, Options, Shard, score, suite};

use crate::runner::{files, join, lines, run};

const WORDS: [&str; 9] = ["a", "tiny", "hat", "Cat,", "wants", "don't", "goose", "_____", "고양이"];

/// A card: experiment, batch, words, prompt, vector, label.
type Card = (usize, usize, Vec<usize>, Option<Vec<usize>>, Option<[i8; 3]>, Option<bool>);

fn cards(most: usize) -> impl Strategy<Value = Vec<Card>> {
    let words = || prop::collection::vec(0..WORDS.len(), 0..7);
    let card = (
        0..2_usize,
        0..2_usize,
        words(),
        prop::option::of(words()),
        prop::option::weighted(0.9, [-3..4_i8, -3..4_i8, -3..4_i8]),
        prop::option::of(any::<bool>()),
    );
    prop::collection::vec(card, 1..most)
}

fn text(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
}

fn write(folder: &Path, cards: &[Card]) {
    fs::create_dir_all(folder).unwrap();
    let record = |(i, card): (usize, &Card)| {
        let (experiment, batch, words, prompt, vector, label) = card;
        json!({
            "id": format!("t{i}"), "experiment": format!("e{experiment}"), "batch": format!("b{batch}"),
            "text": text(words), "context": prompt.as_deref().map(text), "embedding": vector,
            "context_embedding": vector.map(|[x, y, z]| [y, z, x]), "label": label.map(u8::from), "user": "u",
        })
    };
    let records: Vec<String> = cards.iter().enumerate().map(|card| record(card).to_string() + "\n").collect();
    fs::write(folder.join("cards.jsonl"), records.concat()).unwrap();
    fs::write(folder.join("corpus.txt"), "My cat wants _.\na tiny hat\na tiny cat\na hat\na goose\n").unwrap();
}

fn corpus(logs: &Path) -> String {
    format!("corpus={}", logs.join("corpus.txt").display())
}

/// Values of batches by metric, experiment and batch.
fn of_batches(out: &Path) -> BTreeMap<(String, String, String), Option<f64>> {
    let rows = lines(out, "scores.jsonl").into_iter().filter(|row| row["level"] == "batch");
    let part = |row: &Value, key: &str| row[key].as_str().unwrap().to_string();
    rows.map(|row| ((part(&row, "metric"), part(&row, "experiment"), part(&row, "unit")), row["value"].as_f64()))
        .collect()
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * a.abs().max(1.0),
        (a, b) => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn values_lie_in_their_ranges(cards in cards(12)) {
        let home = tempfile::tempdir().unwrap();
        let (logs, out) = (home.path().join("logs"), home.path().join("out"));
        write(&logs, &cards);
        run("humor", &logs, &out, &[&corpus(&logs)], false, None).unwrap();
        let metrics = suite("humor").unwrap().facts().metrics;
        for row in lines(&out, "scores.jsonl") {
            let metric = metrics.iter().find(|metric| metric.describes(row["metric"].as_str().unwrap())).unwrap();
            if let Some(value) = row["value"].as_f64() {
                let above = metric.range.0.is_none_or(|low| value >= low - 1e-12);
                prop_assert!(above && metric.range.1.is_none_or(|high| value <= high + 1e-12), "{row}");
            }
        }
    }

    #[test]
    fn shards_and_threads_give_the_same_bytes(cards in cards(14), count in 2..4_u32) {
        let home = tempfile::tempdir().unwrap();
        let logs = home.path().join("logs");
        write(&logs, &cards);
        let corpus = corpus(&logs);
        let option = [corpus.as_str(), "batch_size=2"];
        let whole = home.path().join("whole");
        run("humor", &logs, &whole, &option, false, None).unwrap();
        let alone = home.path().join("alone");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| run("humor", &logs, &alone, &option, false, None)).unwrap();
        prop_assert_eq!(files(&whole), files(&alone));
        let shards: Vec<_> = (1..=count).map(|index| home.path().join(format!("share{index}"))).collect();
        for (index, shard) in (1..).zip(&shards) {
            run("humor", &logs, shard, &option, false, Some(Shard { index, count })).unwrap();
        }
        let joined = home.path().join("joined");
        let shards: Vec<&Path> = shards.iter().map(|shard| shard.as_path()).collect();
        join("humor", &shards, &joined).unwrap();
        prop_assert_eq!(files(&whole), files(&joined));
    }

    #[test]
    fn the_order_of_a_batch_changes_only_what_is_bound_to_it(cards in cards(12)) {
        let home = tempfile::tempdir().unwrap();
        let (logs, turned) = (home.path().join("logs"), home.path().join("turned"));
        write(&logs, &cards);
        let reversed: Vec<Card> = cards.iter().rev().cloned().collect();
        write(&turned, &reversed);
        let (out, back) = (home.path().join("out"), home.path().join("back"));
        run("humor", &logs, &out, &[], false, None).unwrap();
        run("humor", &turned, &back, &[], false, None).unwrap();
        let (out, back) = (of_batches(&out), of_batches(&back));
        for (key, value) in &out {
            // Clusters start from points by their numbers; MTLD and the compressor read the texts one after the other.
            let bound = key.0.contains("cluster") || ["compression_ratio", "mtld"].contains(&key.0.as_str());
            if !bound {
                prop_assert!(close(*value, back[key]), "{key:?}: {value:?} and {:?}", back[key]);
            }
        }
    }

    #[test]
    fn a_repeated_text_never_raises_distinct_n(cards in cards(10), pick in 0..10_usize) {
        let home = tempfile::tempdir().unwrap();
        let (logs, more) = (home.path().join("logs"), home.path().join("more"));
        write(&logs, &cards);
        let mut repeated = cards.clone();
        repeated.push(cards[pick % cards.len()].clone());
        write(&more, &repeated);
        let (out, after) = (home.path().join("out"), home.path().join("after"));
        run("humor", &logs, &out, &[], false, None).unwrap();
        run("humor", &more, &after, &[], false, None).unwrap();
        let (out, after) = (of_batches(&out), of_batches(&after));
        for (key, value) in out.iter().filter(|(key, _)| key.0.starts_with("distinct_")) {
            prop_assert!(after[key] <= *value, "{key:?}: {value:?} and {:?}", after[key]);
        }
    }
}

/// Writes so many cards into a file.
fn write_many(file: &Path, count: usize) {
    let card = |i: usize| json!({"id": i, "text": format!("a tiny hat for goose {i}")}).to_string() + "\n";
    fs::write(file, (0..count).map(card).collect::<String>()).unwrap();
}

/// Runs something with so many threads.
fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}

#[test]
fn many_cards_come_once_each_and_in_their_order() {
    let home = tempfile::tempdir().unwrap();
    let input = home.path().join("cards.jsonl");
    write_many(&input, 500);
    let [one, three] = [1, 3].map(|threads| {
        let out = home.path().join(format!("out{threads}"));
        with_threads(threads, || run("humor", &input, &out, &["tokens=true"], false, None)).unwrap();
        out
    });
    assert!(files(&one) == files(&three), "the bytes depend on the number of threads");
    let ids: Vec<String> = (0..500).map(|i| i.to_string()).collect();
    let entropies = lines(&one, "scores.jsonl").into_iter().filter(|row| row["metric"] == "entropy");
    assert_eq!(entropies.map(|row| row["unit"].as_str().unwrap().to_string()).collect::<Vec<_>>(), ids);
    let tokens = lines(&one, "tokens.jsonl").into_iter().map(|row| row["id"].as_str().unwrap().to_string());
    assert_eq!(tokens.collect::<Vec<_>>(), ids);
    let items = fs::read_to_string(one.join("tables/items.csv")).unwrap();
    assert_eq!(items.lines().skip(1).map(|line| line.split(',').nth(4).unwrap()).collect::<Vec<_>>(), ids);
}

/// A full disk, also while the next cards are judged.
#[test]
#[cfg(target_os = "linux")]
fn rows_that_cannot_be_written_end_the_job() {
    let home = tempfile::tempdir().unwrap();
    let input = home.path().join("cards.jsonl");
    write_many(&input, 2000);
    for name in ["scores.jsonl", "tables/items.csv", "tokens.jsonl"] {
        let out = home.path().join(name.replace('/', "-"));
        fs::create_dir_all(out.join("tables")).unwrap();
        std::os::unix::fs::symlink("/dev/full", out.join(name)).unwrap();
        let ended = with_threads(2, || run("humor", &input, &out, &["tokens=true"], false, None));
        assert!(matches!(&ended, Err(Error::Write { path, .. }) if path.ends_with(name)), "{name}: {ended:?}");
    }
}

/// Asks to stop once the first rows of scores are on disk.
struct StopAtRows(PathBuf);

impl Watch for StopAtRows {
    fn stop(&self) -> bool {
        fs::metadata(&self.0).is_ok_and(|file| file.len() > 0)
    }
}

// Cards are read once and judged in a second walk; before, the second walk could not be interrupted.
#[test]
fn an_interrupt_is_heeded_while_rows_are_written() {
    let home = tempfile::tempdir().unwrap();
    let (input, out) = (home.path().join("cards.jsonl"), home.path().join("out"));
    write_many(&input, 2000);
    fs::create_dir(&out).unwrap();
    let watch = StopAtRows(out.join("scores.jsonl"));
    let job = Job::new(vec![Input::Path(input)], Options::default(), &watch);
    let destination = Destination { folder: Some(&out), ..Destination::default() };
    let ended = with_threads(2, || score(suite("humor").unwrap(), job, destination));
    assert!(matches!(ended, Err(Error::Interrupted)), "{:?}", ended.map(|scored| scored.report.counts));
}

/// What is told about progress, in order; bytes that came aside.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Watch for Told {
    fn expect(&self, _: u64) {
        self.0.lock().unwrap().push("bytes".into());
    }

    fn walk(&self, what: &'static str, things: u64) {
        self.0.lock().unwrap().push(format!("{things} {what}"));
    }

    fn busy_with(&self, what: &'static str) {
        self.0.lock().unwrap().push(what.into());
    }
}

/// A bar that counts bytes goes on while records are read behind a corpus, and ends with the texts that are judged.
#[test]
fn progress_tells_what_is_going_on() {
    let home = tempfile::tempdir().unwrap();
    let input = home.path().join("cards.jsonl");
    write_many(&input, 30);
    let mut options = Options::default();
    options.add("corpus=builtin").unwrap();
    let scoring = Told::default();
    score(suite("humor").unwrap(), Job::new(vec![Input::Path(input)], options, &scoring), Destination::default())
        .unwrap();
    let told = scoring.0.into_inner().unwrap();
    assert_eq!(
        (&told[..told.len() - 1], told.last().unwrap().as_str()),
        (&["bytes", "bytes"].map(String::from)[..], "30 texts")
    );
    let training = Told::default();
    verism::suites::humor::train(&["builtin".into()], &Options::default(), false, &training).unwrap();
    assert_eq!(training.0.into_inner().unwrap(), ["bytes", "laying out the tables"]);
}

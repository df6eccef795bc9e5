//! Laws that every suite keeps, on its demo logs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verism::input::{Input, Unwatched};
use verism::suites::setting::as_typed;
use verism::suites::{Destination, Job, Options, SUITES, Shard, Suite, score, validate};

use crate::runner::{files, join, lines, run};

/// The demo of a suite, and its result.
struct Demo {
    home: tempfile::TempDir,
    suite: &'static dyn Suite,
}

impl Demo {
    fn of(suite: &'static dyn Suite) -> Demo {
        let demo = Demo { home: tempfile::tempdir().unwrap(), suite };
        fs::create_dir(demo.logs()).unwrap();
        suite.write_demo(&demo.logs()).unwrap();
        run(demo.id(), &demo.logs(), &demo.whole(), &[], false, None).unwrap();
        demo
    }

    fn id(&self) -> &'static str {
        self.suite.facts().id
    }

    fn logs(&self) -> PathBuf {
        self.home.path().join("logs")
    }

    fn whole(&self) -> PathBuf {
        self.home.path().join("whole")
    }

    fn rows(&self) -> Vec<Value> {
        lines(&self.whole(), "scores.jsonl")
    }
}

#[test]
fn threads_and_shares_change_no_byte() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let whole = files(&demo.whole());
        for threads in [1, 2, 3, 8] {
            let place = demo.home.path().join(format!("threads{threads}"));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(demo.id(), &demo.logs(), &place, &[], false, None)).unwrap();
            assert!(whole == files(&place), "{} with {threads} threads", demo.id());
        }
        for count in [1, 2, 7] {
            let places: Vec<PathBuf> =
                (1..=count).map(|i| demo.home.path().join(format!("share{i}of{count}"))).collect();
            for (place, index) in places.iter().zip(1..) {
                run(demo.id(), &demo.logs(), place, &[], false, Some(Shard { index, count })).unwrap();
            }
            let joined = demo.home.path().join(format!("joined{count}"));
            let backwards: Vec<&Path> = places.iter().rev().map(PathBuf::as_path).collect();
            join(demo.id(), &backwards, &joined).unwrap();
            assert!(whole == files(&joined), "{} in {count} shares", demo.id());
        }
    }
}

#[test]
fn memory_holds_what_the_folder_holds() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let job = Job::new(vec![Input::Path(demo.logs())], Options::default(), &Unwatched);
        let to = Destination { memory: true, ..Destination::default() };
        let results = score(demo.suite, job, to).unwrap().results.unwrap();
        let whole = files(&demo.whole());
        assert!(results.scores == whole["scores.jsonl"], "{}", demo.id());
        for list in &results.lists {
            assert!(list.lines == whole[&format!("{}.jsonl", list.name)], "{} {}", demo.id(), list.name);
        }
        let tables: BTreeSet<String> =
            results.tables.iter().map(|table| format!("tables/{}.csv", table.name)).collect();
        let written: BTreeSet<String> = whole.keys().filter(|name| name.starts_with("tables/")).cloned().collect();
        assert_eq!(tables, written, "{}", demo.id());
    }
}

#[test]
fn the_order_of_inputs_changes_no_value() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let mut inputs: Vec<PathBuf> = fs::read_dir(demo.logs()).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        let scored = |inputs: &[PathBuf]| -> BTreeMap<String, Value> {
            let inputs = inputs.iter().cloned().map(Input::Path).collect();
            let job = Job::new(inputs, Options::default(), &Unwatched);
            let to = Destination { memory: true, ..Destination::default() };
            let results = score(demo.suite, job, to).unwrap().results.unwrap();
            let rows = results.scores.split(|b| *b == b'\n').filter(|line| !line.is_empty());
            let rows = rows.map(|line| serde_json::from_slice::<Value>(line).unwrap());
            let key = |row: &Value| {
                ["metric", "experiment", "run", "case", "level", "unit"].map(|name| row[name].to_string()).join(" ")
            };
            rows.map(|row| (key(&row), row["value"].clone())).collect()
        };
        let there = scored(&inputs);
        inputs.reverse();
        assert!(there == scored(&inputs), "{}", demo.id());
    }
}

#[test]
fn why_answers_for_every_metric_at_every_level() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let mut asked = BTreeSet::new();
        for row in demo.rows() {
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
            if !asked.insert((text("metric"), text("level"))) {
                continue;
            }
            let unit = match row["run"].as_str() {
                Some(_) if row["unit"] != row["run"] => ["experiment", "run", "case", "unit"].map(text).join("/"),
                Some(run) => format!("{}/{run}", text("experiment")),
                None => text("unit"),
            };
            let told = demo.suite.why(&demo.whole(), &unit, Some(&text("metric")), true);
            let told = told.unwrap_or_else(|error| panic!("{} {unit} {}: {error}", demo.id(), row["metric"]));
            let all = told.lines.join("\n");
            let says = match (row["value"].as_f64(), row["undefined"].as_str()) {
                (Some(value), _) => [3, 4].iter().any(|&digits| all.contains(&format!("{value:.digits$}"))),
                (None, reason) => all.contains(reason.unwrap_or_default()),
            };
            assert!(says, "{} {unit} {}: {} is not in\n{all}", demo.id(), row["metric"], row["value"]);
        }
        assert!(!asked.is_empty());
    }
}

#[test]
fn validate_agrees_with_score() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let job = |path: &Path| Job {
            lenient: true,
            ..Job::new(vec![Input::Path(path.to_path_buf())], Options::default(), &Unwatched)
        };
        let mut found = vec![];
        let mut take = |defect| {
            found.push(defect);
            Ok(())
        };
        validate(demo.suite, job(&demo.logs()), &mut take).unwrap();
        let empty = demo.home.path().join("empty");
        fs::create_dir(&empty).unwrap();
        let checked = validate(demo.suite, job(&empty), &mut take).unwrap_err().defect();
        assert_eq!(found, [], "{}", demo.id());
        let scored = run(demo.id(), &empty, &demo.home.path().join("nothing"), &[], false, None).unwrap_err().defect();
        assert_eq!(checked, scored, "{}", demo.id());
    }
}

#[test]
fn every_option_is_what_it_says_by_default() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let manifest = verism::score::manifest::Manifest::read(&demo.whole()).unwrap();
        let shown: Value = serde_json::from_str(manifest.options.get()).unwrap();
        let mut seen = BTreeSet::new();
        for option in (demo.suite.facts().options)() {
            assert!(seen.insert(option.name), "{} stands twice", option.name);
            assert!(!option.says.is_empty() && !option.default.is_empty(), "{} {}", demo.id(), option.name);
            let value = option.name.split('.').fold(&shown, |at, key| &at[key]);
            let sorted = |text: &str| {
                let mut parts: Vec<String> = text.split([',', '/']).map(String::from).collect();
                parts.sort();
                parts
            };
            // Some defaults are a word for what is found, such as `from the path`.
            let word = option.default.contains(' ') || option.default == "none" || option.name == "role_map";
            // What an option names is shown with its version or its checksum.
            let named = value.is_object() || as_typed(value).starts_with(&format!("{}@", option.default));
            let is_default = named || sorted(&as_typed(value)) == sorted(option.default);
            assert!(word || value.is_null() || is_default, "{} {}: {value}", demo.id(), option.name);
        }
    }
}

//! Laws that every suite keeps, on its demo logs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verism::Defect;
use verism::input::{Input, Kind, Sink, Table, Unwatched};
use verism::score::output::Format;
use verism::suites::setting::as_typed;
use verism::suites::{Destination, Job, Options, SUITES, Shard, Suite, score, validate};

use crate::runner::{files, join, lines, run};

/// The demo of a suite, and its result.
struct Demo {
    home: tempfile::TempDir,
    suite: &'static dyn Suite,
}

/// Options that ask for metrics which are left out by default.
const FURTHER: &[(&str, &str)] = &[("guest", "sta=on")];

impl Demo {
    fn of(suite: &'static dyn Suite) -> Demo {
        Demo::with(suite, &[])
    }

    /// The demo with every metric that the suite has.
    fn with_all_metrics(suite: &'static dyn Suite) -> Demo {
        let options: Vec<&str> =
            FURTHER.iter().filter(|(id, _)| *id == suite.facts().id).map(|(_, option)| *option).collect();
        Demo::with(suite, &options)
    }

    fn with(suite: &'static dyn Suite, options: &[&str]) -> Demo {
        let demo = Demo { home: tempfile::tempdir().unwrap(), suite };
        fs::create_dir(demo.logs()).unwrap();
        suite.write_demo(&demo.logs()).unwrap();
        run(demo.id(), &demo.logs(), &demo.whole(), options, false, None).unwrap();
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
fn threads_and_shards_change_no_byte() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        let whole = files(&demo.whole());
        for threads in 1..=8 {
            let place = demo.home.path().join(format!("threads{threads}"));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(demo.id(), &demo.logs(), &place, &[], false, None)).unwrap();
            assert!(whole == files(&place), "{} with {threads} threads", demo.id());
        }
        for count in 1..=7 {
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

/// What a unit is asked for by: any end of `<experiment>/<run>/<case>/<unit>`.
fn unit_of(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
    match row["run"].as_str() {
        Some(_) if row["unit"] != row["run"] => ["experiment", "run", "case", "unit"].map(text).join("/"),
        Some(run) => format!("{}/{run}", text("experiment")),
        None => text("unit"),
    }
}

/// Asks why a row has its value, and checks that the answer holds it.
fn ask(demo: &Demo, row: &Value) {
    let (unit, metric) = (unit_of(row), row["metric"].as_str().unwrap());
    let told = demo.suite.why(&demo.whole(), &unit, Some(metric), true);
    let told = told.unwrap_or_else(|error| panic!("{} {unit} {metric}: {error}", demo.id()));
    let all = told.lines.join("\n");
    let says = match (row["value"].as_f64(), row["undefined"].as_str()) {
        (Some(value), _) => [3, 4].iter().any(|&digits| all.contains(&format!("{value:.digits$}"))),
        (None, reason) => all.contains(reason.unwrap_or_default()),
    };
    assert!(says, "{} {unit} {metric}: {} is not in\n{all}", demo.id(), row["value"]);
}

#[test]
fn why_answers_for_every_metric_at_every_level_and_for_every_unit() {
    for demo in SUITES.iter().map(|suite| Demo::with_all_metrics(*suite)) {
        let (mut metrics, mut units) = (BTreeSet::new(), BTreeSet::new());
        for row in demo.rows() {
            let new_metric = metrics.insert((row["metric"].to_string(), row["level"].to_string()));
            if units.insert(unit_of(&row)) || new_metric {
                ask(&demo, &row);
            }
        }
        assert!(!units.is_empty());
    }
}

/// The entries of the registry that describe some ids; an id that has an entry of its own is described by that alone.
fn described(suite: &dyn Suite, ids: impl Iterator<Item = String>) -> BTreeSet<&'static str> {
    let metrics = suite.facts().metrics;
    ids.map(|id| {
        let own = metrics.iter().find(|metric| metric.id == id);
        let found = own.or_else(|| metrics.iter().find(|metric| metric.describes(&id)));
        found.unwrap_or_else(|| panic!("{} is not in the registry", id)).id
    })
    .collect()
}

#[test]
fn facts_rows_accounts_and_docs_name_the_same_metrics() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    let docs = fs::read_to_string(docs).unwrap();
    for demo in SUITES.iter().map(|suite| Demo::with_all_metrics(*suite)) {
        let facts: BTreeSet<&str> = demo.suite.facts().metrics.iter().map(|metric| metric.id).collect();
        let rows = demo.rows().into_iter().map(|row| row["metric"].as_str().unwrap().to_string());
        assert_eq!(described(demo.suite, rows), facts, "rows of {}", demo.id());
        let manifest = verism::score::manifest::Manifest::read(&demo.whole()).unwrap();
        let accounts = verism::score::ledger::read_accounts(manifest.ledger.get()).unwrap();
        let accounts = accounts.into_iter().map(|account| account.metric);
        assert_eq!(described(demo.suite, accounts), facts, "accounts of {}", demo.id());
        let page = docs.split("\n## ").find(|page| page.starts_with(&format!("{}\n", demo.id()))).unwrap();
        let told: BTreeSet<String> =
            page.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_lowercase).collect();
        let told: BTreeSet<&str> =
            told.iter().map(String::as_str).filter(|title| !["options", "decisions"].contains(title)).collect();
        assert_eq!(told, facts, "docs of {}", demo.id());
    }
}

#[test]
fn columns_of_a_suite_stand_in_every_form_of_the_rows() {
    for suite in SUITES {
        let demo = Demo::of(*suite);
        let place = demo.home.path().join("forms");
        fs::create_dir(&place).unwrap();
        let formats = [Format::Csv, Format::Parquet];
        let job = Job::new(vec![Input::Path(demo.logs())], Options::default(), &Unwatched);
        score(*suite, job, Destination { folder: Some(&place), formats: &formats, memory: false }).unwrap();
        let columns = suite.facts().columns.join(",");
        let wanted = format!("suite,metric,experiment,{columns}{}run,case,", if columns.is_empty() { "" } else { "," });
        let csv = fs::read_to_string(place.join("scores.csv")).unwrap();
        assert!(csv.starts_with(&wanted), "{}: {}", demo.id(), csv.lines().next().unwrap());
        for row in demo.rows() {
            assert!(suite.facts().columns.iter().all(|column| row.get(*column).is_some()), "{}: {row}", demo.id());
        }
        let input = Table::open(&place.join("scores.parquet"), Kind::Parquet, &Unwatched);
        let names: Vec<String> = csv.lines().next().unwrap().split(',').map(String::from).collect();
        let mut count = 0;
        input.read(&names, &|| Count(0), &mut |counted, _| {
            count += counted.0;
            ControlFlow::Continue(())
        });
        assert_eq!(count, demo.rows().len(), "{}", demo.id());
    }
}

/// Counts records; a defect fails the test.
struct Count(usize);

impl Sink for Count {
    fn record(&mut self, _: u64, _: &[Option<&str>]) {
        self.0 += 1;
    }

    fn defect(&mut self, _: u64, defect: Defect) {
        panic!("{defect:?}");
    }
}

/// Appends to every log below a folder a line that is no record, and its last line again.
fn break_logs(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            break_logs(&path);
        } else if path.extension().is_some_and(|extension| extension != "toml") {
            let text = fs::read_to_string(&path).unwrap();
            let last = text.lines().last().unwrap();
            fs::write(&path, format!("{text}broken\n{last}\n")).unwrap();
        }
    }
}

#[test]
fn validate_finds_what_scoring_leaves_out() {
    for demo in SUITES.iter().map(|suite| Demo::of(*suite)) {
        break_logs(&demo.logs());
        let mut found = vec![];
        let job = Job { lenient: true, ..Job::new(vec![Input::Path(demo.logs())], Options::default(), &Unwatched) };
        let mut take = |defect: Defect| {
            found.push(defect);
            Ok(())
        };
        validate(demo.suite, job, &mut take).unwrap();
        let out = demo.home.path().join("lenient");
        run(demo.id(), &demo.logs(), &out, &[], true, None).unwrap();
        let key = |code: &str, file: Option<&str>, line: Option<u64>, field: Option<&str>| {
            format!("{code} {file:?} {line:?} {field:?}")
        };
        let errors = lines(&out, "errors.jsonl");
        let listed: BTreeSet<String> = errors
            .iter()
            .map(|row| {
                key(row["code"].as_str().unwrap(), row["file"].as_str(), row["line"].as_u64(), row["field"].as_str())
            })
            .collect();
        let told: BTreeSet<String> = found
            .iter()
            .filter(|defect| !defect.is_warning())
            .map(|defect| key(&defect.code, defect.file.as_deref(), defect.line, defect.field.as_deref()))
            .collect();
        assert!(listed.len() >= 2, "{}: {listed:?}", demo.id());
        assert_eq!(told, listed, "{}", demo.id());
        let strict = run(demo.id(), &demo.logs(), &demo.home.path().join("strict"), &[], false, None).unwrap_err();
        assert_eq!(strict.defect(), found[0], "{}", demo.id());
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

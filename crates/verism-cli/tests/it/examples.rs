//! The examples give the output that is committed with them.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::program::{Ran, verism};

/// Set to rewrite the committed output.
const BLESS: &str = "VERISM_BLESS";

/// An example that is scored into a temporary folder.
struct Example {
    folder: PathBuf,
    home: TempDir,
}

impl Example {
    fn score(suite: &str) -> Example {
        let folder = root().join("examples").join(suite);
        let example = Example { folder, home: tempfile::tempdir().unwrap() };
        let ran = verism(&example.folder, &["score", suite, "logs", "-o", &example.out()]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        example
    }

    fn out(&self) -> String {
        self.home.path().join("out").to_string_lossy().into_owned()
    }

    /// Compares a text with the committed one.
    fn gives(&self, name: &str, now: &str) {
        let place = self.folder.join("output").join(name);
        if std::env::var_os(BLESS).is_some() {
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(&place, now).unwrap();
        }
        let before = fs::read_to_string(&place).unwrap_or_default();
        assert_eq!(now, before, "{name} differs; {BLESS}=1 rewrites it");
    }

    /// Compares files of the result with the committed ones.
    fn gives_files(&self, names: &[&str]) {
        for name in names {
            self.gives(name, &fs::read_to_string(Path::new(&self.out()).join(name)).unwrap());
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn adaptation_gives_its_committed_tables() {
    Example::score("adaptation").gives_files(&[
        "events.jsonl",
        "tables/wrr_metrics_all_models_v6.csv",
        "tables/wrr_metrics_vs_groupA_v6.csv",
    ]);
}

#[test]
fn clinical_gives_its_committed_tables_and_answer() {
    let example = Example::score("clinical");
    example.gives_files(&[
        "tables/experiments.csv",
        "tables/rules.csv",
        "tables/violations.csv",
        "tables/false_facts.csv",
    ]);
    let ran = verism(&example.folder, &["why", &example.out(), "--unit", "plain/1/DEMO_CKD/DEMO_CKD#4"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.lines().count() <= 50 && ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    example.gives("why.txt", &ran.out);
}

#[test]
fn guest_gives_its_committed_tables_and_answer() {
    let example = Example::score("guest");
    example.gives_files(&[
        "tables/experiments.csv",
        "tables/personas.csv",
        "tables/sensitivity.csv",
        "tables/interactions.csv",
        "tables/audits.csv",
        "tables/conversations.csv",
    ]);
    let ran = verism(&example.folder, &["why", &example.out(), "--unit", "l4_style-08"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.lines().count() <= 50 && ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    example.gives("why.txt", &ran.out);
}

// The names are those of the table of audits in the suite's README.
#[test]
fn the_sample_set_of_guest_shows_every_audit() {
    let readme = fs::read_to_string(root().join("crates/verism/src/suites/guest/README.md")).unwrap();
    let (_, section) = readme.split_once("## 9. Audits").unwrap();
    let (section, _) = section.split_once("## 10.").unwrap();
    let cells = section.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    let names: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert_eq!(names.len(), 23);
    let audits = fs::read_to_string(root().join("examples/guest/output/tables/audits.csv")).unwrap();
    for name in names {
        assert!(audits.lines().any(|line| line.split(',').next() == Some(name)), "no {name}");
    }
}

#[test]
fn comparing_the_sample_set_of_guest_shows_every_outcome() {
    let example = Example::score("guest");
    let comparison = example.home.path().join("comparison");
    let ran = verism(&example.folder, &["compare", &example.out(), "-o", &comparison.to_string_lossy()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = fs::read_to_string(comparison.join("comparison.csv")).unwrap();
    example.gives("comparison.csv", &rows);
    for outcome in [",better,", ",worse,", ",inconclusive,", "no_values"] {
        assert!(rows.contains(outcome), "nothing is {outcome}");
    }
}

#[test]
fn the_page_on_statistics_shows_what_the_program_says() {
    let page = fs::read_to_string(root().join("docs/statistics.md")).unwrap();
    let blocks: Vec<&str> = page.split("```").filter_map(|block| block.strip_prefix("text\n$ verism ")).collect();
    assert!(blocks.len() >= 7, "{} examples", blocks.len());
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let ran = verism(&root(), &command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        says(command, &ran, shown);
    }
}

#[test]
fn the_guide_of_guest_shows_what_the_program_says() {
    let page = fs::read_to_string(root().join("docs/guest.md")).unwrap();
    let logs = root().join("examples/guest/logs").to_string_lossy().into_owned();
    let home = tempfile::tempdir().unwrap();
    let blocks: Vec<&str> = page.split("```").filter_map(|block| block.strip_prefix("console\n$ verism ")).collect();
    assert!(blocks.len() >= 4, "{} examples", blocks.len());
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        // Every other part between quotes is one argument.
        let parts = command.split('\'').enumerate();
        let words: Vec<&str> = parts
            .flat_map(|(i, part)| if i % 2 == 0 { part.split_whitespace().collect() } else { vec![part] })
            .map(|word| if word == "examples/guest/logs" { logs.as_str() } else { word })
            .collect();
        let ran = verism(home.path(), &words);
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        says(command, &ran, shown);
    }
}

/// Checks that a program said every line shown.
fn says(command: &str, ran: &Ran, shown: &str) {
    for line in shown.lines() {
        let said = ran.out.lines().chain(ran.err.lines()).any(|said| said == line);
        assert!(said, "{command}: {line:?} is not in\n{}{}", ran.out, ran.err);
    }
}

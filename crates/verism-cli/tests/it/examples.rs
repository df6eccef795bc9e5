//! The examples give the output that is committed with them.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use verism::suites::SUITES;

use crate::program::{Ran, verism};

/// Set to rewrite the committed output.
const BLESS: &str = "VERISM_BLESS";
/// Guides that mark with `…` what they leave out of an output.
const MARKED: &[&str] = &["humor"];

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
        assert_eq!(ran.code, 0, "{suite}: {}", ran.err);
        example
    }

    fn out(&self) -> String {
        self.home.path().join("out").to_string_lossy().into_owned()
    }

    /// What a committed file should hold now: an answer to `why`, a comparison, or a file of the result.
    fn now(&self, name: &str, before: &str) -> String {
        match name {
            "why.txt" => {
                // Its first line is the unit that was asked about.
                let unit = before.lines().next().unwrap_or_default();
                let ran = verism(&self.folder, &["why", &self.out(), "--unit", unit]);
                assert_eq!(ran.code, 0, "{}", ran.err);
                let fits = ran.out.lines().count() <= 50 && ran.out.lines().all(|line| line.chars().count() <= 80);
                assert!(fits, "more than a screen:\n{}", ran.out);
                ran.out
            }
            "comparison.csv" => {
                let folder = self.home.path().join("comparison");
                if !folder.exists() {
                    let ran = verism(&self.folder, &["compare", &self.out(), "-o", &folder.to_string_lossy()]);
                    assert_eq!(ran.code, 0, "{}", ran.err);
                }
                fs::read_to_string(folder.join(name)).unwrap()
            }
            name => fs::read_to_string(Path::new(&self.out()).join(name))
                .unwrap_or_else(|error| panic!("{name} is not in the result: {error}")),
        }
    }
}

/// Every file below a folder, by its path from there.
fn files_below(folder: &Path) -> Vec<String> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.path().is_dir() {
            true => found.extend(files_below(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}"))),
            false => found.push(name),
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_example_gives_its_committed_output() {
    for suite in SUITES {
        let id = suite.facts().id;
        let example = Example::score(id);
        let names = files_below(&example.folder.join("output"));
        assert!(names.len() >= 3, "examples/{id}/output holds {names:?}");
        for name in names {
            let place = example.folder.join("output").join(&name);
            let now = example.now(&name, &fs::read_to_string(&place).unwrap());
            if std::env::var_os(BLESS).is_some() {
                fs::write(&place, &now).unwrap();
            }
            assert!(
                now == fs::read_to_string(&place).unwrap(),
                "examples/{id}/output/{name} differs; {BLESS}=1 rewrites it"
            );
        }
    }
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
fn the_comparison_of_guest_shows_every_outcome() {
    let rows = fs::read_to_string(root().join("examples/guest/output/comparison.csv")).unwrap();
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
fn the_guides_of_suites_show_what_the_program_says() {
    for suite in SUITES {
        let id = suite.facts().id;
        let examples = guide(id, &[0]);
        assert!(examples >= 3, "docs/{id}.md has {examples} examples");
    }
}

#[test]
fn the_guide_to_comparisons_shows_what_the_program_says() {
    assert_eq!(guide("compare", &[0]), 2);
}

// The one that shows a missing field ends with an error.
#[test]
fn the_guide_to_chat_logs_shows_what_the_program_says() {
    assert!(guide("chat-logs", &[0, 2]) >= 6);
}

/// Runs the commands of a guide, which end with one of some codes; gives how many there are.
fn guide(name: &str, codes: &[i32]) -> usize {
    let page = fs::read_to_string(root().join(format!("docs/{name}.md"))).unwrap();
    let examples = fs::canonicalize(root()).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut ran_blocks = 0;
    // Every other part between fences is a block; one with a name is a file that the commands after it use.
    for block in page.split("```").skip(1).step_by(2) {
        let (info, text) = block.split_once('\n').unwrap();
        if let Some((_, file)) = info.split_once(" file=") {
            let place = home.path().join(file);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
        }
        let Some((command, shown)) = block.strip_prefix("console\n$ verism ").and_then(|b| b.split_once('\n')) else {
            continue;
        };
        ran_blocks += 1;
        // Every other part between quotes is one argument.
        let parts = command.split('\'').enumerate();
        let words: Vec<String> = parts
            .flat_map(|(i, part)| if i % 2 == 0 { part.split_whitespace().collect() } else { vec![part] })
            .map(|word| match word.starts_with("examples/") {
                true => examples.join(word).to_string_lossy().into_owned(),
                false => word.to_string(),
            })
            .collect();
        let ran = verism(home.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(codes.contains(&ran.code), "{command}: {}", ran.err);
        match MARKED.contains(&name) {
            true => marks_what_it_leaves_out(command, &ran, shown),
            false => says(command, &ran, shown),
        }
    }
    ran_blocks
}

/// Checks that a program said every line shown; `…` stands for lines that are not.
fn says(command: &str, ran: &Ran, shown: &str) {
    // How long it took is not the same twice.
    for line in shown.lines().filter(|line| !line.starts_with("written to ") && *line != "…") {
        let said = ran.out.lines().chain(ran.err.lines()).any(|said| said == line);
        assert!(said, "{command}: {line:?} is not in\n{}{}", ran.out, ran.err);
    }
}

/// Checks that a program said the lines shown and no others but where `…` stands.
fn marks_what_it_leaves_out(command: &str, ran: &Ran, shown: &str) {
    let lasting = |line: &&str| !line.starts_with("written to ") && !line.is_empty();
    let shown: Vec<&str> = shown.lines().filter(lasting).collect();
    let said: Vec<&str> = ran.out.lines().chain(ran.err.lines()).filter(lasting).collect();
    let mut from = 0;
    for (i, part) in shown.split(|line| *line == "…").enumerate().filter(|(_, part)| !part.is_empty()) {
        let place = said[from..].windows(part.len()).position(|lines| lines == part);
        let skipped = place.filter(|skipped| i > 0 || *skipped == 0);
        let skipped =
            skipped.unwrap_or_else(|| panic!("{command}: {part:#?} has another place in\n{}", said.join("\n")));
        from += skipped + part.len();
    }
    assert!(shown.last() == Some(&"…") || from == said.len(), "{command} says more:\n{}", said.join("\n"));
}

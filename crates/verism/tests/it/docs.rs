//! Generated documentation is up to date. `VERISM_BLESS=1 cargo test -p verism --test it docs` rewrites it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use verism::suites::{OptionFacts, SUITES};

const BLESS: &str = "VERISM_BLESS";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(path: &str, wanted: &str) {
    let place = root().join(path);
    if std::env::var_os(BLESS).is_some() {
        fs::write(&place, wanted).unwrap();
    }
    let found = fs::read_to_string(&place).unwrap_or_default();
    assert!(found == wanted, "{path} is not what the registry says; {BLESS}=1 rewrites it");
}

#[test]
fn metrics_page() {
    let mut page = String::from(
        "# Metrics\n\nMade from the registry; do not edit. `verism explain SUITE.METRIC` says the same.\n",
    );
    for suite in SUITES {
        let facts = suite.facts();
        write!(
            page,
            "\n## {}\n\n{} Reads {}. Specification version {}.\n",
            facts.id, facts.title, facts.reads, facts.spec_version
        )
        .unwrap();
        page.push_str("\n| metric | says | range | better | level | headline |\n|---|---|---|---|---|---|\n");
        for m in facts.metrics {
            let headline = if m.headline { "yes" } else { "" };
            writeln!(
                page,
                "| `{}` | {} | {} | {} | {} | {headline} |",
                m.title,
                m.says,
                m.range_text(),
                m.better.name(),
                m.level
            )
            .unwrap();
        }
        for m in facts.metrics {
            write!(
                page,
                "\n### {}\n\n{}.\n\n- formula: {}\n- empty case: {}\n- source: {}\n",
                m.title, m.says, m.formula, m.empty, m.source
            )
            .unwrap();
        }
        page.push_str("\n### Options\n\n| option | default | meaning |\n|---|---|---|\n");
        for OptionFacts { name, default, says: meaning } in (facts.options)() {
            writeln!(page, "| `{name}` | {default} | {meaning} |").unwrap();
        }
        page.push_str("\n### Decisions\n\n| id | decision |\n|---|---|\n");
        for (id, decision) in facts.decisions {
            writeln!(page, "| {id} | {decision} |").unwrap();
        }
    }
    check("docs/metrics.md", &page);
}

#[test]
fn readme_table() {
    let (begin, end) = ("<!-- suites:begin -->", "<!-- suites:end -->");
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (before, rest) = text.split_once(begin).expect("the README has its marks");
    let (_, after) = rest.split_once(end).expect("the README has its marks");
    let mut table = String::from("\n| suite | asks | headline metrics | read on |\n|---|---|---|---|\n");
    for suite in SUITES {
        let facts = suite.facts();
        let headline: Vec<String> =
            facts.metrics.iter().filter(|m| m.headline).map(|m| format!("`{}`", m.title)).collect();
        let id = facts.id;
        let places = [
            ("guide", format!("docs/{id}.md")),
            ("example", format!("examples/{id}/README.md")),
            ("specification", format!("crates/verism/src/suites/{id}/README.md")),
        ];
        let links = places.map(|(name, place)| {
            assert!(root().join(&place).is_file(), "{place} is missing");
            format!("[{name}]({place})")
        });
        writeln!(table, "| `{id}` | {} | {} | {} |", facts.title, headline.join(", "), links.join(", ")).unwrap();
    }
    check("README.md", &format!("{before}{begin}{table}{end}{after}"));
}

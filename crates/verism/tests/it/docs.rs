//! Generated documentation is up to date. `VERISM_BLESS=1 cargo test -p verism --test it docs` rewrites it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use verism::suites::{Better, OptionFacts, SUITES, all};

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
        for OptionFacts { name, default, says: meaning } in (facts.options)().into_iter().chain(suite.supplied()) {
            writeln!(page, "| `{name}` | {default} | {meaning} |").unwrap();
        }
        page.push_str("\n### Decisions\n\n| id | decision |\n|---|---|\n");
        for (id, decision) in facts.decisions {
            writeln!(page, "| {id} | {decision} |").unwrap();
        }
    }
    check("docs/metrics.md", &page);
}

/// Replaces what stands between two marks of a page.
fn check_between(path: &str, name: &str, inside: &str) {
    let (begin, end) = (format!("<!-- {name}:begin -->"), format!("<!-- {name}:end -->"));
    let text = fs::read_to_string(root().join(path)).unwrap();
    let (before, rest) = text.split_once(&begin).expect("the page has its marks");
    let (_, after) = rest.split_once(&end).expect("the page has its marks");
    check(path, &format!("{before}{begin}\n{inside}{end}{after}"));
}

#[test]
fn options_of_compare() {
    let mut table = String::from("| option | takes | default | meaning |\n|---|---|---|---|\n");
    for option in verism::compare::OPTIONS {
        let takes = option.takes.replace('|', "\\|");
        writeln!(table, "| `{}` | {takes} | {} | {} |", option.key, option.default, option.meaning).unwrap();
    }
    check_between("docs/compare.md", "options", &table);
}

/// Terms that are not metrics.
const TERMS: &[(&str, &str)] = &[
    ("audit", "a contradiction or oddity that `score` found in a log; severity `error`, `warn` or `info`"),
    ("baseline", "the experiment that others are compared with"),
    ("case", "what was put to the experiment: a persona with a task, a question, an agent"),
    ("coverage", "scored units of all that could have been scored"),
    ("evidence", "what a score was made from: counts, rows, words; `verism why` tells it"),
    ("experiment", "what is compared: a simulator, a model, a prompt, a group"),
    ("headline metric", "a metric that is compared and gated unless others are asked for"),
    ("inconclusive", "the data do not tell; it does not mean that there is no difference"),
    ("ledger", "the account of every unit: scored, undefined by reason, excluded by reason"),
    ("level", "what a score is about: a turn, a dialogue, a run, an experiment"),
    ("run", "one repetition of an experiment"),
    ("sesoi", "the smallest effect size of interest: a difference below it does not matter"),
    ("signature", "one string that names suite, specification version and options behind a score"),
    ("undefined", "there is no value, and a reason says why; never a silent 0"),
    ("unit", "what is sampled independently and counts once in a comparison"),
    ("verdict", "better, worse (higher, lower where neither is better) or inconclusive"),
];

/// Abbreviations in full: the published name, or the one that our specification gives. Where a source spells nothing out, the
/// heading under which it stands is quoted and no name is made up.
const IN_FULL: &[(&str, &str)] = &[
    ("PAS", "persona adherence score"),
    ("BVS", "behavioral variance score"),
    ("ORA", "order restriction adherence"),
    ("DEI", "decision explainability index"),
    ("CRRS", "composite realism & reliability score"),
    ("MS", "message score"),
    ("SOM", "structured order match"),
    ("PDR", "persona drift"),
    ("BAL", "distance to the balance point"),
    ("R_H", "published as “Feasibility Metric”, spelled out nowhere"),
    ("R_R", "published as “Rationality Metric”, spelled out nowhere"),
    ("rationality_pass", "1 − R_R, published as “Rationality Metric”"),
    ("H_norm", "normalised entropy, published as “Diversity Metrics”"),
    ("H_intent_norm", "normalised entropy of intents"),
    ("EHE", "published as “Effective Diversity”, spelled out nowhere"),
    ("CACR", "coherence; spelled out nowhere"),
    ("CACR_chance", "coherence by chance"),
    ("SFS", "slot factuality score"),
    ("CSP", "contraindication/safety penalty"),
    ("CUS", "context utilization score"),
    ("ASS", "actionability/specificity"),
    ("Aggregate", "aggregate score"),
    ("TAS", "topic adaptation score"),
    ("CC", "cross-coherence"),
    ("CR", "context retention"),
    ("I", "topic interference"),
    ("DST", "dialogue state tracking"),
    ("PaCS", "persona–card similarity"),
    ("TTR", "type-token ratio"),
    ("RTTR", "root type-token ratio, Guiraud's index"),
    ("CTTR", "corrected type-token ratio, after Carroll"),
    ("MTLD", "measure of textual lexical diversity"),
    ("HDD", "HD-D, hypergeometric distribution diversity"),
    ("Self_BLEU", "BLEU, bilingual evaluation understudy, of each text against the others"),
    ("Vendi", "Vendi score"),
    ("KN", "Kneser-Ney smoothing"),
    ("Kao", "after Kao, Levy and Goodman"),
    ("AUC", "area under the receiver operating characteristic curve"),
    ("F1", "named so by its source; no F1 of a classification"),
];

/// The title with the name behind its abbreviation, if it has one.
fn in_full(title: &str) -> String {
    let named = |(short, _): &&(&str, &str)| {
        title == *short || title.strip_prefix(short).is_some_and(|rest| rest.starts_with(['_', '*']))
    };
    let longest = IN_FULL.iter().filter(named).max_by_key(|(short, _)| short.len());
    longest.map_or_else(|| title.to_string(), |(_, full)| format!("{title}, {full}"))
}

#[test]
fn glossary() {
    let mut page = String::from(
        "# Glossary\n\nMade from the registry; do not edit. Every term and every metric in a line; `verism explain SUITE.METRIC` \
         has formula, range and source.\n\n## Terms\n\n",
    );
    for (term, meaning) in TERMS {
        writeln!(page, "- **{term}**: {meaning}").unwrap();
    }
    for suite in all() {
        let facts = suite.facts();
        write!(page, "\n## Metrics of `{}`\n\n", facts.id).unwrap();
        let mut metrics: Vec<_> = facts.metrics.iter().collect();
        metrics.sort_by_key(|metric| metric.id);
        for m in metrics {
            let better = match m.better {
                Better::Higher => "higher is better",
                Better::Lower => "lower is better",
                Better::None => "neither is better",
            };
            writeln!(page, "- **`{}`** ({}): {}; {}, {better}", m.id, in_full(m.title), m.says, m.range_text())
                .unwrap();
        }
    }
    check("docs/glossary.md", &page);
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

/// The names of all folders of code below a folder.
fn folders(below: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Golden cases and the tests of a single file are not code of their own.
        let only_tests = fs::read_dir(&path).unwrap().all(|entry| entry.unwrap().file_name() == "tests.rs");
        if name != "cases" && !only_tests {
            found.extend(folders(&path));
            found.insert(name);
        }
    }
    found
}

#[test]
fn the_tree_in_the_architecture_is_the_tree_on_disk() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut all = BTreeSet::new();
    for package in fs::read_dir(root().join("crates")).unwrap() {
        all.extend(folders(&package.unwrap().path().join("src")));
    }
    // The folder of a suite is named by the suite.
    let named = |name: &str| {
        page.contains(&format!("{name}/"))
            || page.contains(&format!("| `{name}` |"))
            || page.contains(&format!("### `{name}` "))
    };
    let missing: Vec<&String> = all.iter().filter(|name| !named(name)).collect();
    assert!(missing.is_empty(), "not in ARCHITECTURE.md: {missing:?}");
    // The indented lines of the tree begin with a folder or a file.
    let tree = page.split("```text\n").nth(2).and_then(|rest| rest.split("```").next()).unwrap();
    let named = tree.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()?.strip_suffix('/'));
    let gone: Vec<&str> = named
        .map(|name| name.trim_start_matches("suites/"))
        .filter(|name| !name.starts_with('<') && !name.contains('*') && !all.contains(*name))
        .collect();
    assert!(gone.is_empty(), "in ARCHITECTURE.md alone: {gone:?}");
}

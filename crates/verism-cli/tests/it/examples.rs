//! The examples give the output that is committed with them.

use std::fs;
use std::path::Path;

use crate::program::verism;

/// Set to rewrite the committed output.
const BLESS: &str = "VERISM_BLESS";

#[test]
fn adaptation_gives_its_committed_tables() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/adaptation");
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let ran = verism(&example, &["score", "adaptation", "logs", "-o", &out.to_string_lossy()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let committed = example.join("output");
    for name in ["events.jsonl", "tables/wrr_metrics_all_models_v6.csv", "tables/wrr_metrics_vs_groupA_v6.csv"] {
        let now = fs::read_to_string(out.join(name)).unwrap();
        let place = committed.join(name);
        if std::env::var_os(BLESS).is_some() {
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(&place, &now).unwrap();
        }
        let before = fs::read_to_string(&place).unwrap_or_default();
        assert_eq!(now, before, "{name} differs; {BLESS}=1 rewrites it");
    }
}

#[test]
fn the_page_on_statistics_shows_what_the_program_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/statistics.md")).unwrap();
    let blocks: Vec<&str> = page.split("```").filter_map(|block| block.strip_prefix("text\n$ verism ")).collect();
    assert!(blocks.len() >= 7, "{} examples", blocks.len());
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let ran = verism(&root, &command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        for line in shown.lines() {
            assert!(ran.out.lines().any(|said| said == line), "{command}: {line:?} is not in\n{}", ran.out);
        }
    }
}

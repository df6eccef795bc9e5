//! The arrows of ARCHITECTURE.md never point back: which room of the library may use which.

use std::fs;
use std::path::Path;

use verism::suites::SUITES;

/// Rooms and what each may use beside itself, from the bottom up. `suites` means what all suites share.
const ROOMS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("stats", &[]),
    ("text", &["error", "stats"]),
    ("input", &["error", "text"]),
    ("score", &["error", "input", "text", "stats"]),
    ("suites", &["error", "input", "text", "stats", "score"]),
    ("compare", &["error", "input", "text", "stats", "score", "suites"]),
];
/// What a suite may use beside itself.
const OF_A_SUITE: &[&str] = &["error", "input", "text", "stats", "score", "suites"];

fn is_suite(name: &str) -> bool {
    SUITES.iter().any(|suite| suite.facts().id == name)
}

/// The room that a path of modules belongs to: a suite, or a part of the library.
fn room<'p>(modules: &[&'p str]) -> &'p str {
    match modules {
        ["suites", suite, ..] if is_suite(suite) => suite,
        [first, ..] => first,
        [] => "lib",
    }
}

/// The paths after `crate::` in a source, groups in braces taken apart at their first level.
fn uses(source: &str) -> Vec<Vec<&str>> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut paths = vec![];
    for after in code.flat_map(|line| line.split("crate::").skip(1)) {
        let group = after.strip_prefix('{').and_then(|rest| rest.split('}').next());
        for path in group.map_or_else(|| vec![after], |group| group.split(',').collect()) {
            let names = path.trim().split("::").map(|name| {
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                &name[..end]
            });
            paths.push(names.collect());
        }
    }
    paths
}

/// What a file uses that its room must not use.
fn forbidden(file: &str, source: &str) -> Vec<String> {
    let modules: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let own = room(&modules);
    let allowed = match ROOMS.iter().find(|(name, _)| *name == own) {
        Some((_, allowed)) => allowed,
        None if is_suite(own) => OF_A_SUITE,
        None => return vec![],
    };
    let wrong = uses(source).into_iter().filter(|path| {
        let used = room(path);
        used != own && !allowed.contains(&used)
    });
    wrong.map(|path| format!("{file} ({own}) uses {}", path.join("::"))).collect()
}

fn each_source(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => each_source(&path, visit),
            Some(extension) if extension == "rs" => visit(&path),
            _ => {}
        }
    }
}

#[test]
fn no_arrow_points_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut wrong) = (0, vec![]);
    each_source(&root, &mut |path| {
        let file = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        // The registry names every suite.
        if file != "suites/mod.rs" {
            wrong.extend(forbidden(&file, &fs::read_to_string(path).unwrap()));
        }
        files += 1;
    });
    assert!(files > 400, "{files} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_arrow_that_points_back_is_found() {
    for (file, source, used) in [
        ("input/jsonl.rs", "use crate::score::json;", "score::json"),
        ("stats/sum.rs", "    let x = crate::suites::suite(id);", "suites::suite"),
        ("text/words.rs", "use crate::{error::Defect, input::Table};", "input::Table"),
        ("score/row.rs", "use crate::suites::guest::options::Params;", "suites::guest::options::Params"),
        ("suites/guest/mod.rs", "use crate::suites::humor::Humor;", "suites::humor::Humor"),
        ("suites/humor/gather/rows.rs", "use crate::compare::Input;", "compare::Input"),
        ("suites/records/mod.rs", "use crate::suites::guest::Guest;", "suites::guest::Guest"),
        ("compare/choose/facts.rs", "use crate::suites::guest::Guest;", "suites::guest::Guest"),
    ] {
        let found = forbidden(file, source);
        assert!(found.len() == 1 && found[0].ends_with(&format!("uses {used}")), "{file}: {found:?}");
    }
    for (file, source) in [
        ("suites/guest/mod.rs", "use crate::suites::guest::judge;\nuse crate::suites::records::Key;"),
        ("compare/choose/facts.rs", "use crate::suites::{Better, all};"),
        ("input/jsonl.rs", "// crate::score is above\nuse crate::text::json;"),
    ] {
        assert_eq!(forbidden(file, source), Vec::<String>::new(), "{file}");
    }
}

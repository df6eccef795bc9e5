//! Tells the program which commit it was built from, where that is known, and builds the guides in.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let shown = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=VERISM_VERSION={shown}");
    println!("cargo::rerun-if-env-changed=VERISM_COMMIT");
    if let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|head| Path::new(head).exists()) {
        println!("cargo::rerun-if-changed={head}");
    }
    guides();
}

/// Lists the pages below `docs` as `(name, title, text)`, so that an installed program has them.
fn guides() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../docs");
    println!("cargo::rerun-if-changed={}", root.display());
    let entries = std::fs::read_dir(&root).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut pages: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    let mut list = String::from("&[\n");
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        let name = page.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let _ = writeln!(list, "({name:?}, {title:?}, {text:?}),");
    }
    list.push(']');
    let place = Path::new(&std::env::var("OUT_DIR").unwrap_or_default()).join("guides.rs");
    std::fs::write(place, list).expect("the build folder can be written");
}

/// The commit that a packager names, else that of the repository around the sources.
fn commit() -> Option<String> {
    let named = std::env::var("VERISM_COMMIT").ok().filter(|commit| !commit.is_empty());
    named.or_else(|| git(&["rev-parse", "--short=10", "HEAD"]))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_string()).filter(|text| !text.is_empty())
}

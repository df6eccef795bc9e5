//! The rule pack: names, cues, flags, patterns, rules, requirements, concepts, turns, weights and bands, as data.

mod check;
mod model;
pub(crate) mod node;
mod overlay;
mod references;
mod shape;
mod subset;
mod warnings;

use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use self::node::Node;
use self::overlay::overlay;
use crate::error::Defect;
use crate::input::hexadecimal;

pub(crate) use self::model::{AnyAll, Cues, Direction, FactWeights, FlagTest, Name, Pack, PatternKind, Profile, Unit, UnitRow, When};
pub(crate) use self::references::list_bounds;
pub(crate) use self::subset::compile;
pub(crate) use self::warnings::{CHAIN_SPLIT, GAP_SPLIT};

/// The built-in pack.
pub(crate) const BUILT_IN: &str = include_str!("default.yaml");

/// Longest part of a value that a defect repeats, in characters.
const SHOWN: usize = 60;

/// A value cut to what a defect repeats.
pub(crate) fn short(value: &str) -> String {
    if value.chars().count() <= SHOWN {
        return value.to_string();
    }
    let mut cut: String = value.chars().take(SHOWN - 3).collect();
    cut.push_str("...");
    cut
}

/// A pack that passed the checks.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) pack: Pack,
    /// Of the file, or of the built-in pack followed by the file that extends it.
    pub(crate) sha256: String,
    pub(crate) warnings: Vec<Defect>,
}

fn built_in() -> &'static Node {
    static NODE: OnceLock<Node> = OnceLock::new();
    NODE.get_or_init(|| node::parse(BUILT_IN).expect("the built-in pack is YAML"))
}

/// Every error and every warning of a pack file, and the pack where there is no error.
pub(crate) fn examine(file: &str, bytes: &[u8]) -> Result<Loaded, Vec<Defect>> {
    let wrong = |line: Option<u64>, field: &str, expected: &str| {
        let mut defect = Defect::new("bad_pack", expected).file(file).field(field);
        defect.line = line;
        vec![defect]
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(wrong(None, "pack", "a readable UTF-8 file"));
    };
    let own = node::parse(text).map_err(|no_yaml| wrong(Some(no_yaml.0), "pack", "YAML"))?;
    let Node::Map(entries) = &own else { return Err(wrong(Some(1), "pack", "a map")) };
    let mut hash = Sha256::new();
    let base = built_in();
    let pack = match own.entry("extends") {
        None => own.clone(),
        Some(entry) if entry.node.text() == Some("default") => {
            hash.update(BUILT_IN.as_bytes());
            let rest = entries.iter().filter(|(name, _)| name != "extends").cloned().collect();
            overlay(base, &Node::Map(rest))
        }
        Some(entry) => {
            let mut defects = wrong(Some(entry.line), "extends", "default");
            defects[0].value = Some(short(&entry.node.shown()));
            return Err(defects);
        }
    };
    hash.update(bytes);
    let (errors, warnings) = check::check(file, &pack, base, &own);
    if !errors.is_empty() {
        return Err(errors);
    }
    let read = serde_json::to_string(&pack).and_then(|json| serde_json::from_str::<Pack>(&json));
    let mut pack = read.map_err(|error| wrong(None, "pack", &error.to_string()))?;
    resolve_aliases(&mut pack);
    Ok(Loaded { pack, sha256: hexadecimal(&hash.finalize()), warnings })
}

/// The built-in pack, checked.
pub(crate) fn load_built_in() -> Loaded {
    examine("default.yaml", BUILT_IN.as_bytes()).expect("the built-in pack has no errors")
}

/// An alias means its pattern.
fn resolve_aliases(pack: &mut Pack) {
    let Pack { answer_patterns, rules, .. } = pack;
    for rule in rules {
        let (AnyAll::Any(names) | AnyAll::All(names)) = &mut rule.violation_if;
        for name in names {
            // Of two patterns with one alias the last counts.
            let meant = answer_patterns.0.iter().rev().find(|(_, pattern)| pattern.aliases.contains(name));
            if let Some((meant, _)) = meant {
                *name = meant.clone();
            }
        }
    }
}

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

pub(crate) use self::model::{
    AnyAll, Cues, Direction, FactWeights, FlagTest, Name, Pack, PatternKind, Profile, Unit, UnitRow, When,
};
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

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(Option<u64>, String)> {
        let defects = match examine("pack.yaml", text.as_bytes()) {
            Ok(loaded) => loaded.warnings,
            Err(errors) => errors,
        };
        defects.into_iter().map(|defect| (defect.line, defect.field.unwrap_or_default())).collect()
    }

    #[test]
    fn the_built_in_pack_has_no_errors_and_no_warnings() {
        let loaded = examine("default.yaml", BUILT_IN.as_bytes()).expect("no errors");
        assert_eq!(loaded.warnings, []);
        assert_eq!((loaded.pack.id.as_str(), loaded.pack.rules.len()), ("default", 22));
    }

    #[test]
    fn every_section_of_a_pack_is_in_the_schema() {
        let schema: serde_json::Value = serde_json::from_str(include_str!("schema.json")).expect("JSON");
        let known = schema["properties"].as_object().expect("sections");
        for (section, _) in built_in().map().expect("a map") {
            assert!(known.contains_key(section), "{section}");
        }
    }

    #[test]
    fn errors_and_warnings_name_their_places() {
        let with = |rest: &str| format!("extends: default\n{rest}");
        let one = |line: u64, place: &str| vec![(Some(line), place.to_string())];
        assert_eq!(places(&with("rule: []\n")), one(2, "rule"));
        assert_eq!(places(&with("cues:\n  en_cut: but\n")), one(3, "cues.en_cut"));
        assert_eq!(places(&with("drugs:\n  - {id: x, en: [x], ko: [], weight: 1}\n")), one(3, "drugs.x.weight"));
        assert_eq!(places(&with("drugs:\n  - {en: [x], ko: []}\n")), one(3, "drugs.[0].id"));
        assert_eq!(places(&with("drugs:\n  - {id: x, en: [xx], ko: [], class: [nope]}\n")), one(3, "drugs.x.class"));
        assert_eq!(places(&with("bands:\n  SFS: [[1, a], [0, b]]\n")), one(3, "bands.SFS"));
        assert_eq!(places(&with("provided: {bleu: {min: 1, max: 0, better: up}}\n")).len(), 2);
        assert_eq!(places(&with("weights: {aggregate: {sfs: 0.5}}\n")), one(2, "weights.aggregate"));
        assert_eq!(places("extends: other\n"), one(1, "extends"));
        assert_eq!(places("- a\n"), one(1, "pack"));
    }

    #[test]
    fn a_user_adds_a_drug_a_rule_and_a_slot_without_code() {
        let text = "extends: default\nid: house\nversion: 2\ndrugs:\n  - {id: newdrug, en: [newdrug], ko: [새약], class: [nsaid]}\n\
                    rules:\n  - {id: HOUSE_1, when: {all: [{drug: [newdrug]}]}, violation_if: {any: [grapefruit_push]}, penalty: -3}\n\
                    turns:\n  - {turn: 9, type: pain, required_slots: [[meds, 2]], cus_min_expected: 0.5, elements: []}\n";
        let loaded = examine("pack.yaml", text.as_bytes()).expect("no errors");
        assert_eq!((loaded.pack.rules.len(), loaded.pack.turns.len()), (23, 6));
        assert_eq!(loaded.warnings, []);
    }
}

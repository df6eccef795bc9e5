//! What a pack holds although it never takes effect.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Check;
use super::node::Node;
use super::references::{LEXICON, PackIds, field_texts, pair_names, parts, texts};
use crate::stats::sum::neumaier;
use crate::suites::clinical::text::norm::norm;

/// Characters at which gaps between cues and names are split.
pub(crate) const CHAIN_SPLIT: &[char] = &[' ', ',', '\u{b7}', '/', '(', ')', '\'', '"', '-', ':', '&', '+'];
/// Characters at which gaps between names and values are split.
pub(crate) const GAP_SPLIT: &[char] =
    &[' ', ':', '=', '(', ')', '[', ']', ',', '~', '<', '>', '\u{2264}', '\u{2265}', '-', '/', '\'', '"'];

/// The last stage, of a pack without errors.
pub(crate) fn all(check: &mut Check<'_>) {
    unused(check);
    names_twice(check);
    let cues = ["chain_fillers_ko", "chain_fillers_en"];
    split_words(check, "cues", &cues, CHAIN_SPLIT);
    let gaps = ["gap_ko", "gap_en", "target_gap_ko", "target_gap_en", "approx_ko", "approx_en"];
    split_words(check, "numeric", &gaps, GAP_SPLIT);
    not_in_list(check);
    let weights = check.section("weights").get("aggregate").and_then(Node::map).unwrap_or_default();
    let total = neumaier(weights.iter().filter_map(|(_, weight)| weight.node.number()));
    if (total - 1.0).abs() > 1e-9 {
        check.warn("weights.aggregate", "weights that sum to 1 (they are rescaled)", Some(total.to_string()));
    }
}

fn unused(check: &mut Check<'_>) {
    let known = PackIds::of(check);
    let mut used: BTreeSet<(&str, String)> = BTreeSet::new();
    let flag = |name: &str| known.flags.get(name).cloned().unwrap_or_default();
    for (_, node) in check.entries("conditions") {
        used.extend(field_texts(node, "implied_by").map(|name| ("patient_flags", flag(name))));
    }
    for (_, node) in check.entries("rules") {
        for condition in node.get("when").into_iter().flat_map(parts) {
            used.extend(field_texts(condition, "patient_flag").map(|name| ("patient_flags", flag(name))));
            used.extend(field_texts(condition, "question_flag").map(|name| ("question_flags", name.to_string())));
        }
        let patterns = node.get("violation_if").into_iter().flat_map(parts).filter_map(Node::text);
        let pattern = |name: &str| known.patterns.get(name).cloned().unwrap_or_default();
        used.extend(patterns.map(|name| ("answer_patterns", pattern(name))));
    }
    for (_, node) in check.entries("requirements") {
        used.extend(field_texts(node, "concept").map(|name| ("concepts", name.to_string())));
    }
    for (_, node) in check.entries("turns") {
        used.extend(pair_names(node, "elements").map(|name| ("concepts", name.to_string())));
    }
    for section in ["patient_flags", "question_flags", "answer_patterns", "concepts"] {
        for (name, _) in check.entries(section) {
            if !used.contains(&(section, name.clone())) {
                check.warn(
                    format!("{section}.{name}"),
                    "to be used by some rule, requirement, turn or implied_by",
                    None,
                );
            }
        }
    }
}

fn names_twice(check: &mut Check<'_>) {
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for section in LEXICON {
        for (id, node) in check.entries(section) {
            for name in ["en", "ko", "brand"].iter().flat_map(|field| field_texts(node, field)) {
                let owner = owners.entry(norm(name).into_owned()).or_insert_with(|| id.clone()).clone();
                if owner != id {
                    let expected = format!("a name that {owner} does not have already");
                    check.warn(format!("{section}.{id}"), &expected, Some(name.to_string()));
                }
            }
        }
    }
    for name in texts(check.section("decoys")) {
        if let Some(owner) = owners.get(norm(name).as_ref()) {
            let expected = format!("a name that {owner} does not have already");
            check.warn("decoys", &expected, Some(name.to_string()));
        }
    }
}

fn split_words(check: &mut Check<'_>, section: &str, fields: &[&str], split: &[char]) {
    for field in fields {
        for word in field_texts(check.section(section), field) {
            if word.contains(split) || norm(word) != word {
                let expected = "one word in normal form, else it cannot match";
                check.warn(format!("{section}.{field}"), expected, Some(word.to_string()));
            }
        }
    }
}

/// Lists that refer to phrases of other lists.
fn not_in_list(check: &mut Check<'_>) {
    let cues = check.section("cues");
    let below = |field: &str| -> BTreeSet<String> {
        let lists = cues.get(field).and_then(Node::map).unwrap_or_default();
        lists.iter().flat_map(|(_, list)| texts(&list.node)).map(|x| norm(x).into_owned()).collect()
    };
    let pronouns: BTreeSet<String> = field_texts(cues, "en_pronoun_plus").map(|x| norm(x).into_owned()).collect();
    let forward = below("en_fwd");
    let lists = [
        ("en_fwd_chain_only", &forward),
        ("en_push_ignore", &forward),
        ("en_back_final", &below("en_back")),
        ("en_pronoun_continue", &pronouns),
    ];
    for (field, known) in lists {
        for phrase in field_texts(cues, field).filter(|phrase| !known.contains(norm(phrase).as_ref())) {
            let expected = "a phrase of the list it refers to";
            check.warn(format!("cues.{field}"), expected, Some(phrase.to_string()));
        }
    }
}

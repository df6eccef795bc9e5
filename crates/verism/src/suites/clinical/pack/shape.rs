//! Sections, fields and kinds of values of a pack.

use std::collections::BTreeSet;

use super::check::{Check, id_of};
use super::node::Node;

/// Fields of the entries of a section: name, kind, whether it is needed.
type Fields = &'static [(&'static str, Kind, bool)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Flag,
    Texts,
    /// Text or whole number.
    Id,
    Ids,
    Units,
    /// Pairs of a name and a weight above 0.
    Weighted,
    /// Tests of a patient's numbers.
    Tests,
    When,
    Patterns,
}

use Kind::{Flag, Id, Ids, Number, Patterns, Tests, Text, Texts, Units, Weighted, When};

const DRUG: Fields = &[
    ("id", Text, true),
    ("en", Texts, true),
    ("ko", Texts, true),
    ("brand", Texts, false),
    ("class", Texts, false),
    ("parent", Text, false),
    ("themes", Texts, false),
];
const MEASURED: Fields = &[
    ("id", Text, true),
    ("en", Texts, true),
    ("ko", Texts, true),
    ("units", Units, true),
    ("needs_unit", Texts, false),
    ("composite", Flag, false),
];
const NAMED: Fields = &[("id", Text, true), ("en", Texts, true), ("ko", Texts, true), ("themes", Texts, false)];

/// Sections made of entries. Every entry may also say its `origin`.
const ENTRIES: &[(&str, Fields)] = &[
    ("drug_classes", DRUG),
    ("drugs", DRUG),
    (
        "conditions",
        &[
            ("id", Text, true),
            ("en", Texts, true),
            ("ko", Texts, true),
            ("parent", Text, false),
            ("themes", Texts, false),
            ("implied_by", Texts, false),
        ],
    ),
    ("labs", MEASURED),
    ("vitals", MEASURED),
    ("procedures", NAMED),
    ("symptoms", NAMED),
    ("units", &[("id", Text, true), ("forms", Texts, true)]),
    (
        "rules",
        &[
            ("id", Text, true),
            ("core", Flag, false),
            ("when", When, true),
            ("violation_if", Patterns, true),
            ("penalty", Number, true),
            ("rationale", Text, false),
        ],
    ),
    (
        "requirements",
        &[
            ("id", Text, true),
            ("core", Flag, false),
            ("turns", Ids, true),
            ("concept", Text, true),
            ("penalty", Number, true),
            ("rationale", Text, false),
        ],
    ),
    (
        "turns",
        &[
            ("turn", Id, true),
            ("type", Text, true),
            ("required_slots", Weighted, true),
            ("cus_min_expected", Number, true),
            ("elements", Weighted, true),
        ],
    ),
    ("patient_flags", &[("any", Tests, false), ("all", Tests, false), ("aliases", Texts, false)]),
    ("question_flags", &[("ko", Texts, true), ("en", Texts, true)]),
    (
        "answer_patterns",
        &[
            ("kind", Text, false),
            ("ko", Texts, false),
            ("en", Texts, false),
            ("lexicon", Texts, false),
            ("except", Texts, false),
            ("aliases", Texts, false),
        ],
    ),
    ("concepts", &[("ko", Texts, false), ("en", Texts, false), ("regex", Texts, false)]),
    ("provided", &[("min", Number, true), ("max", Number, true), ("better", Text, true)]),
];

/// Sections that have the fields of the built-in pack and no others.
const FIXED: &[&str] = &[
    "text",
    "cues",
    "numeric",
    "age",
    "sex",
    "slot_aliases",
    "weights",
    "bands",
    "decoys",
    "other_units",
    "other_units_not",
    "placeholder_values",
    "snomed_tags",
    "partial_stopwords",
    "ordinals",
];

/// Ids that may stand once in the file: sections that share them, and the field.
const UNIQUE: &[(&[&str], &str)] = &[
    (&["drugs", "drug_classes"], "id"),
    (&["conditions"], "id"),
    (&["labs", "vitals"], "id"),
    (&["procedures"], "id"),
    (&["symptoms"], "id"),
    (&["units"], "id"),
    (&["rules", "requirements"], "id"),
    (&["turns"], "turn"),
    (&["turns"], "type"),
];

fn is_number(node: &Node) -> bool {
    node.number().is_some()
}

fn same_kind(a: &Node, b: &Node) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b) || is_number(a) && is_number(b)
}

/// Every section is there, with the kind of value that it has in the built-in pack.
pub(crate) fn sections(check: &mut Check<'_>) {
    for (name, _) in check.own.map().unwrap_or_default() {
        if check.base.get(name).is_none() && name != "extends" {
            check.bad(name, "a section of a pack", None);
        }
    }
    for (name, like) in check.base.map().unwrap_or_default() {
        match check.pack.get(name) {
            None => check.bad(name, "this section", None),
            Some(node) if !same_kind(node, &like.node) => {
                let kind = match like.node {
                    Node::Map(_) => "a map",
                    Node::List(_) => "a list",
                    Node::Text(_) => "a text",
                    _ => "a number",
                };
                check.bad(name, kind, None);
            }
            Some(_) => {}
        }
    }
}

/// Fields, kinds of values, ids that stand twice.
pub(crate) fn fields(check: &mut Check<'_>) {
    for name in FIXED {
        if let Some(like) = check.base.get(name) {
            like_built_in(check, check.section(name), like, name);
        }
    }
    let range = check.section("weights").get("perplexity_range");
    if let Some(Node::List(range)) = range {
        let numbers: Option<Vec<f64>> = range.iter().map(|x| x.node.number()).collect();
        if !numbers.is_some_and(|x| x.len() == 2 && x[0] < x[1]) {
            check.bad("weights.perplexity_range", "two rising numbers", Some(&Node::List(range.clone())));
        }
    }
    for words in check.section("ordinals").list().unwrap_or_default() {
        if words.node.texts().is_none() {
            check.bad("ordinals", "lists of phrases", None);
        }
    }
    for theme in check.section("age").get("themes").and_then(Node::list).unwrap_or_default() {
        let texts = |key| theme.node.get(key).is_some_and(|x| x.texts().is_some());
        let number = |key| theme.node.get(key).is_some_and(is_number);
        if !(number("min") && number("max") && texts("ko") && texts("en")) {
            check.bad("age.themes", "min, max, ko, en", None);
        }
    }
    for (section, fields) in ENTRIES {
        entries(check, section, fields);
    }
    for (sections, key) in UNIQUE {
        ids_once(check, sections, key);
    }
}

/// The same fields and kinds of values as the built-in pack has there.
fn like_built_in(check: &mut Check<'_>, node: &Node, like: &Node, place: &str) {
    let fits = match (node, like) {
        (Node::List(items), Node::List(model)) => {
            model.first().is_none_or(|model| items.iter().all(|item| same_kind(&item.node, &model.node)))
        }
        (Node::Bool(_), _) => false,
        _ => same_kind(node, like),
    };
    if !fits {
        check.bad(place, "the kind of value that the built-in pack has there", Some(node));
        return;
    }
    let (Node::Map(entries), Node::Map(model)) = (node, like) else { return };
    if place == "weights.aggregate" {
        return;
    }
    for (name, _) in entries {
        if like.get(name).is_none() {
            check.bad(format!("{place}.{name}"), "a known field", None);
        }
    }
    for (name, like) in model {
        match node.get(name) {
            Some(node) => like_built_in(check, node, &like.node, &format!("{place}.{name}")),
            None => check.bad(format!("{place}.{name}"), "this field", None),
        }
    }
}

fn entries(check: &mut Check<'_>, section: &str, fields: Fields) {
    for (id, node) in check.entries(section) {
        let Node::Map(entries) = node else {
            check.bad(format!("{section}.{id}"), "a map", None);
            continue;
        };
        for (name, entry) in entries {
            let known = fields.iter().find(|(field, ..)| field == name).map(|(_, kind, _)| *kind);
            match known.or((name == "origin").then_some(Text)) {
                None => check.bad(format!("{section}.{id}.{name}"), "a known field", None),
                Some(kind) if !is(kind, &entry.node) => {
                    check.bad(format!("{section}.{id}.{name}"), "another kind of value", Some(&entry.node));
                }
                Some(_) => {}
            }
        }
        for (name, ..) in fields.iter().filter(|(name, _, needed)| *needed && node.get(name).is_none()) {
            check.bad(format!("{section}.{id}.{name}"), "this field", None);
        }
    }
}

fn is(kind: Kind, node: &Node) -> bool {
    let items = || node.list().unwrap_or_default();
    match kind {
        Text => node.text().is_some(),
        Number => is_number(node),
        Flag => matches!(node, Node::Bool(_)),
        Texts => node.texts().is_some(),
        Id => matches!(node, Node::Text(_) | Node::Int(_)),
        Ids => matches!(node, Node::List(_)) && items().iter().all(|x| is(Id, &x.node)),
        Units => {
            let unit = |x: &[super::node::Entry]| {
                x.len() == 5 && x[0].node.text().is_some() && x[1..].iter().all(|x| is_number(&x.node))
            };
            !items().is_empty() && items().iter().all(|x| x.node.list().is_some_and(unit))
        }
        Weighted => {
            let pair = |x: &[super::node::Entry]| {
                x.len() == 2 && x[0].node.text().is_some() && x[1].node.number().is_some_and(|w| w > 0.0)
            };
            matches!(node, Node::List(_)) && items().iter().all(|x| x.node.list().is_some_and(pair))
        }
        Tests => !items().is_empty() && items().iter().all(|x| is_test(&x.node)),
        Patterns => any_or_all(node).is_some_and(|x| x.texts().is_some_and(|x| !x.is_empty())),
        When => any_or_all(node)
            .and_then(Node::list)
            .is_some_and(|x| !x.is_empty() && x.iter().all(|x| is_condition(&x.node))),
    }
}

fn any_or_all(node: &Node) -> Option<&Node> {
    match node.map()? {
        [(name, entry)] if name == "any" || name == "all" => Some(&entry.node),
        _ => None,
    }
}

fn is_test(node: &Node) -> bool {
    let known = |entries: &[(String, super::node::Entry)]| {
        entries.iter().all(|(name, _)| matches!(name.as_str(), "field" | "op" | "value" | "unit"))
    };
    let op = node.get("op").and_then(Node::text);
    node.map().is_some_and(known)
        && node.get("field").is_some_and(|x| x.text().is_some())
        && op.is_some_and(|op| matches!(op, ">=" | ">" | "<" | "<=" | "=="))
        && node.get("value").is_some_and(is_number)
        && node.get("unit").is_none_or(|x| x.text().is_some())
}

fn is_condition(node: &Node) -> bool {
    let Some([(name, entry)]) = node.map() else { return false };
    match name.as_str() {
        "patient_flag" | "question_flag" => is(Text, &entry.node),
        "condition" | "condition_contains" | "drug" => is(Texts, &entry.node),
        "has_meds" => is(Flag, &entry.node),
        _ => false,
    }
}

fn ids_once(check: &mut Check<'_>, sections: &[&str], key: &str) {
    let mut seen = BTreeSet::new();
    for section in sections {
        for entry in check.own.get(section).and_then(Node::list).unwrap_or_default() {
            let Some(value) = entry.node.get(key) else { continue };
            let id = value.id().map_or_else(|| value.shown(), |id| id.into_owned());
            if !seen.insert(id) {
                let place = format!("{section}.{}", id_of(&entry.node).unwrap_or_default());
                check.bad(place, "each id once", Some(value));
                // The place names both; the line is that of the second.
                if let Some(defect) = check.errors.last_mut() {
                    defect.line = Some(entry.line);
                }
            }
        }
    }
}

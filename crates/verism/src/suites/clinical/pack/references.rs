//! Ids that a pack refers to, circles, ranges, regular expressions and phrases.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Check;
use super::node::Node;
use super::subset;
use crate::suites::clinical::metrics::METRICS;
use crate::suites::clinical::text::norm::norm;

/// The third stage of the checks.
pub(crate) fn all(check: &mut Check<'_>) {
    let known = PackIds::of(check);
    lexicon(check, &known);
    flags_and_patterns(check, &known);
    rules(check, &known);
    turns(check, &known);
    weights(check);
    circles(check);
    numbers(check);
    subset::regexes(check);
    phrases(check);
}

/// The ids of a pack.
pub(crate) struct PackIds {
    pub(crate) meds: BTreeSet<String>,
    pub(crate) conditions: BTreeSet<String>,
    /// Patient flags and their aliases, with the flag meant.
    pub(crate) flags: BTreeMap<String, String>,
    /// Answer patterns and their aliases, with the pattern meant.
    pub(crate) patterns: BTreeMap<String, String>,
    slots: BTreeSet<String>,
    units: BTreeSet<String>,
}

impl PackIds {
    pub(crate) fn of(check: &Check<'_>) -> PackIds {
        let ids = |sections: &[&str]| {
            sections.iter().flat_map(|section| check.entries(section)).map(|(id, _)| id).collect::<BTreeSet<String>>()
        };
        let mut units = ids(&["units"]);
        units.insert(String::new());
        let mut slots = BTreeSet::new();
        for (name, node) in check.entries("slot_aliases") {
            slots.insert(name);
            slots.extend(texts(node).map(String::from));
        }
        PackIds {
            meds: ids(&["drugs", "drug_classes"]),
            conditions: ids(&["conditions"]),
            flags: with_aliases(check, "patient_flags"),
            patterns: with_aliases(check, "answer_patterns"),
            slots,
            units,
        }
    }
}

fn with_aliases(check: &Check<'_>, section: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (name, node) in check.entries(section) {
        for alias in field_texts(node, "aliases") {
            names.insert(alias.to_string(), name.clone());
        }
        names.insert(name.clone(), name);
    }
    names
}

/// The texts of a list, or the one text.
pub(crate) fn texts(node: &Node) -> impl Iterator<Item = &str> {
    let items = node.list().unwrap_or_default().iter().filter_map(|item| item.node.text());
    node.text().into_iter().chain(items)
}

/// The texts of a field, if there is one.
pub(crate) fn field_texts<'a>(node: &'a Node, field: &str) -> impl Iterator<Item = &'a str> {
    node.get(field).into_iter().flat_map(texts)
}

/// The parts of `any` or `all`.
pub(crate) fn parts(node: &Node) -> impl Iterator<Item = &Node> {
    let list = |key| node.get(key).and_then(Node::list).unwrap_or_default().iter().map(|item| &item.node);
    list("any").chain(list("all"))
}

fn lexicon(check: &mut Check<'_>, known: &PackIds) {
    for section in ["drugs", "drug_classes"] {
        for (id, node) in check.entries(section) {
            for field in ["class", "parent"] {
                for above in field_texts(node, field).filter(|above| !known.meds.contains(*above)) {
                    check.unknown(format!("{section}.{id}.{field}"), above);
                }
            }
        }
    }
    for (id, node) in check.entries("conditions") {
        let strange = |above: &&str| !above.is_empty() && !known.conditions.contains(*above);
        for above in field_texts(node, "parent").filter(strange) {
            check.unknown(format!("conditions.{id}.parent"), above);
        }
        for flag in field_texts(node, "implied_by").filter(|flag| !known.flags.contains_key(*flag)) {
            check.unknown(format!("conditions.{id}.implied_by"), flag);
        }
    }
    for section in ["labs", "vitals"] {
        for (id, node) in check.entries(section) {
            for unit in unit_ids(node).into_iter().filter(|unit| !known.units.contains(*unit)) {
                check.unknown(format!("{section}.{id}.units"), unit);
            }
        }
    }
}

fn unit_ids(node: &Node) -> Vec<&str> {
    let rows = node.get("units").and_then(Node::list).unwrap_or_default();
    rows.iter().filter_map(|row| row.node.list()?.first()?.node.text()).collect()
}

fn flags_and_patterns(check: &mut Check<'_>, known: &PackIds) {
    let measured: BTreeMap<String, &Node> =
        ["labs", "vitals"].iter().flat_map(|section| check.entries(section)).collect();
    for (name, node) in check.entries("patient_flags") {
        let place = format!("patient_flags.{name}");
        if node.get("any").is_some() == node.get("all").is_some() {
            check.bad(&*place, "any or all", None);
        }
        for test in parts(node) {
            let field = test.get("field").and_then(Node::text).unwrap_or_default();
            let entity = measured.get(field);
            if entity.is_none() && field != "age" {
                check.unknown(&*place, field);
            }
            if let (Some(unit), Some(entity)) = (test.get("unit").and_then(Node::text), entity)
                && !unit_ids(entity).contains(&norm(unit).as_ref())
            {
                check.unknown(&*place, unit);
            }
        }
    }
    for (name, node) in check.entries("answer_patterns") {
        let place = format!("answer_patterns.{name}");
        if let Some(kind) = node.get("kind").filter(|kind| !matches!(kind.text(), Some("push" | "predicate"))) {
            check.bad(&*place, "kind push or predicate", Some(kind));
        }
        for id in field_texts(node, "lexicon").chain(field_texts(node, "except")) {
            if !known.meds.contains(id) {
                check.unknown(&*place, id);
            }
        }
    }
}

fn rules(check: &mut Check<'_>, known: &PackIds) {
    for (id, node) in check.entries("rules") {
        let place = format!("rules.{id}");
        for condition in node.get("when").into_iter().flat_map(parts) {
            let wrong = |field: &str, knows: &dyn Fn(&str) -> bool| -> Vec<String> {
                field_texts(condition, field).filter(|id| !knows(id)).map(String::from).collect()
            };
            let questions = check.section("question_flags");
            let strange = [
                wrong("patient_flag", &|id| known.flags.contains_key(id)),
                wrong("question_flag", &|id| questions.get(id).is_some()),
                wrong("condition", &|id| known.conditions.contains(id)),
                wrong("drug", &|id| known.meds.contains(id)),
            ];
            strange.into_iter().flatten().for_each(|id| check.unknown(&*place, &id));
        }
        let patterns = node.get("violation_if").into_iter().flat_map(parts).filter_map(Node::text);
        for pattern in patterns.filter(|pattern| !known.patterns.contains_key(*pattern)) {
            check.unknown(&*place, pattern);
        }
    }
    let turns: BTreeSet<String> = check.entries("turns").into_iter().map(|(id, _)| id).collect();
    for (id, node) in check.entries("requirements") {
        let concept = node.get("concept").and_then(Node::text).unwrap_or_default();
        if check.section("concepts").get(concept).is_none() {
            check.unknown(format!("requirements.{id}"), concept);
        }
        for turn in node.get("turns").and_then(Node::list).unwrap_or_default() {
            let turn = turn.node.id().unwrap_or_default();
            if !turns.contains(turn.as_ref()) {
                check.unknown(format!("requirements.{id}"), &turn);
            }
        }
    }
}

/// The names of a list of pairs.
pub(crate) fn pair_names<'a>(node: &'a Node, field: &str) -> impl Iterator<Item = &'a str> {
    let pairs = node.get(field).and_then(Node::list).unwrap_or_default();
    pairs.iter().filter_map(|pair| pair.node.list()?.first()?.node.text())
}

fn turns(check: &mut Check<'_>, known: &PackIds) {
    for (turn, node) in check.entries("turns") {
        for slot in pair_names(node, "required_slots") {
            if !known.slots.contains(slot.split('.').next().unwrap_or_default()) {
                check.unknown(format!("turns.{turn}.required_slots"), slot);
            }
        }
        for element in pair_names(node, "elements") {
            if check.section("concepts").get(element).is_none() && list_bounds(element).is_none() {
                check.unknown(format!("turns.{turn}.elements"), element);
            }
        }
    }
}

/// The bounds of an element `list:lo:hi`.
pub(crate) fn list_bounds(element: &str) -> Option<(u64, u64)> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (low, high) = element.strip_prefix("list:")?.split_once(':')?;
    (digits(low) && digits(high)).then(|| (low.parse().unwrap_or(u64::MAX), high.parse().unwrap_or(u64::MAX)))
}

fn weights(check: &mut Check<'_>) {
    let mut some = false;
    for (metric, weight) in check.section("weights").get("aggregate").and_then(Node::map).unwrap_or_default() {
        let ours = METRICS.contains(&metric.as_str()) && !matches!(metric.as_str(), "aggregate" | "csp_penalty_total");
        if !ours && check.section("provided").get(metric).is_none() {
            check.unknown("weights.aggregate", metric);
        }
        match weight.node.number() {
            Some(weight) if weight >= 0.0 => some |= weight > 0.0,
            _ => {
                check.bad("weights.aggregate", "a weight >= 0", Some(&weight.node));
                some = true;
            }
        }
    }
    if !some {
        check.bad("weights.aggregate", "some weight above 0", None);
    }
}

fn circles(check: &mut Check<'_>) {
    for sections in [["drugs", "drug_classes"].as_slice(), &["conditions"]] {
        let mut above: Vec<(String, &str, Vec<String>)> = vec![];
        for section in sections {
            for (id, node) in check.entries(section) {
                let direct = field_texts(node, "class").chain(field_texts(node, "parent")).map(String::from).collect();
                above.push((id, section, direct));
            }
        }
        let direct: BTreeMap<&str, &[String]> = above.iter().map(|(id, _, up)| (id.as_str(), up.as_slice())).collect();
        for (id, section, _) in &above {
            let mut waiting: Vec<&str> =
                direct.get(id.as_str()).map_or(vec![], |up| up.iter().map(String::as_str).collect());
            let mut seen = BTreeSet::new();
            while let Some(next) = waiting.pop() {
                if next == id {
                    check.bad(format!("{section}.{id}.parent"), "no circle of parents", None);
                    break;
                }
                if seen.insert(next) {
                    waiting.extend(direct.get(next).into_iter().flat_map(|up| up.iter().map(String::as_str)));
                }
            }
        }
    }
}

fn numbers(check: &mut Check<'_>) {
    for section in ["rules", "requirements"] {
        for (id, node) in check.entries(section) {
            let penalty = node.get("penalty");
            if !penalty.and_then(Node::number).is_some_and(|penalty| penalty < 0.0) {
                check.bad(format!("{section}.{id}.penalty"), "a number below 0", penalty);
            }
        }
    }
    for (id, node) in check.entries("provided") {
        let place = format!("provided.{id}");
        if METRICS.contains(&id.as_str()) {
            check.bad(&*place, "an id that is no metric of the suite", None);
        }
        let number = |field| node.get(field).and_then(Node::number);
        if !number("min").zip(number("max")).is_some_and(|(low, high)| low < high) {
            check.bad(&*place, "min below max", node.get("max"));
        }
        if !matches!(node.get("better").and_then(Node::text), Some("higher" | "lower")) {
            check.bad(&*place, "better higher or lower", node.get("better"));
        }
    }
    for (name, node) in check.entries("bands") {
        let row = |row: &super::node::Entry| match row.node.list()? {
            [from, label] => label.node.text().and(from.node.number()),
            _ => None,
        };
        let starts: Option<Vec<f64>> = node.list().unwrap_or_default().iter().map(row).collect();
        if !starts.is_some_and(|x| !x.is_empty() && x.windows(2).all(|x| x[0] < x[1])) {
            check.bad(format!("bands.{name}"), "pairs of a rising number and a name", None);
        }
    }
}

/// Sections whose entries have names.
pub(crate) const LEXICON: [&str; 7] =
    ["drugs", "drug_classes", "conditions", "labs", "vitals", "procedures", "symptoms"];

fn phrases(check: &mut Check<'_>) {
    for section in ["cues", "answer_patterns", "question_flags", "concepts", "decoys"] {
        phrases_below(check, check.section(section), section);
    }
    for section in LEXICON {
        for (id, node) in check.entries(section) {
            for field in ["en", "ko", "brand", "themes"] {
                if let Some(names) = node.get(field) {
                    phrases_below(check, names, &format!("{section}.{id}.{field}"));
                }
            }
        }
    }
}

/// No list of texts below a section holds an empty phrase.
fn phrases_below(check: &mut Check<'_>, node: &Node, place: &str) {
    match node {
        Node::List(items) => {
            for text in items.iter().filter(|item| item.node.text().is_some_and(is_empty)) {
                check.bad(place, "a phrase", Some(&text.node));
            }
        }
        Node::Map(entries) => {
            for (name, entry) in entries.iter().filter(|(name, _)| !name.ends_with("regex")) {
                phrases_below(check, &entry.node, &format!("{place}.{name}"));
            }
        }
        _ => {}
    }
}

fn is_empty(phrase: &str) -> bool {
    let text = norm(phrase);
    let body = text.strip_prefix('*').unwrap_or(&text);
    body.strip_suffix('*').unwrap_or(body).trim_matches([' ', '*']).is_empty()
}

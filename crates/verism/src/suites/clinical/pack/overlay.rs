//! A pack laid over the built-in one.

use super::node::{Entry, Node};

/// Lays `top` over `base`: maps merge by key; lists whose entries all have an `id` (or a `turn`) replace the entry with
/// that id or add it; other lists grow by what they lack; anything else replaces.
pub(crate) fn overlay(base: &Node, top: &Node) -> Node {
    match (base, top) {
        (Node::Map(below), Node::Map(above)) => {
            let mut merged = below.clone();
            for (key, entry) in above {
                match merged.iter_mut().find(|(name, _)| name == key) {
                    Some((_, known)) => *known = Entry { line: entry.line, node: overlay(&known.node, &entry.node) },
                    None => merged.push((key.clone(), entry.clone())),
                }
            }
            Node::Map(merged)
        }
        (Node::List(below), Node::List(above)) => {
            let named = |key: &str| !below.is_empty() && below.iter().chain(above).all(|x| x.node.get(key).is_some());
            match ["id", "turn"].into_iter().find(|key| named(key)) {
                Some(key) => Node::List(by_id(below, above, key)),
                None => {
                    let new = above.iter().filter(|item| !below.contains(item));
                    Node::List(below.iter().chain(new).cloned().collect())
                }
            }
        }
        (_, top) => top.clone(),
    }
}

fn by_id(below: &[Entry], above: &[Entry], key: &str) -> Vec<Entry> {
    let id = |entry: &Entry| entry.node.get(key).and_then(Node::id).map(|id| id.into_owned());
    // Of several entries with one id the last counts, at the place of the first.
    let mut new: Vec<(Option<String>, &Entry)> = vec![];
    for entry in above {
        let name = id(entry);
        match new.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = entry,
            None => new.push((name, entry)),
        }
    }
    let mut merged = vec![];
    for entry in below {
        let name = id(entry);
        match new.iter().position(|(known, _)| *known == name) {
            Some(place) => merged.push(new.remove(place).1.clone()),
            None => merged.push(entry.clone()),
        }
    }
    merged.extend(new.into_iter().map(|(_, entry)| entry.clone()));
    merged
}

#[cfg(test)]
mod tests {
    use super::super::node::parse;
    use super::*;

    #[test]
    fn maps_merge_entries_replace_and_lists_grow() {
        let base = parse("m: {a: 1, b: 2}\nl: [x, y]\nd:\n  - {id: p, n: 1}\n  - {id: q, n: 2}\n").expect("YAML");
        let top = parse("m: {b: 3, c: 4}\nl: [y, z]\nd:\n  - {id: r, n: 9}\n  - {id: p, n: 8}\n").expect("YAML");
        let want = parse("m: {a: 1, b: 3, c: 4}\nl: [x, y, z]\nd: [{id: p, n: 8}, {id: q, n: 2}, {id: r, n: 9}]\n");
        assert_eq!(overlay(&base, &top), want.expect("YAML"));
    }

    #[test]
    fn a_turn_given_as_a_number_replaces_the_one_given_as_text() {
        let base = parse("- {turn: \"3\", type: a}\n").expect("YAML");
        let top = parse("- {turn: 3, type: b}\n").expect("YAML");
        assert_eq!(overlay(&base, &top), top);
    }
}

//! The checks of a pack: shape first, then references, numbers and phrases.

use super::node::{Entry, Node};
use super::references;
use super::shape;
use crate::error::Defect;

/// A pack under examination.
pub(crate) struct Check<'a> {
    /// Base name of the file.
    pub(crate) file: &'a str,
    /// The pack in force: laid over the built-in one where it extends it.
    pub(crate) pack: &'a Node,
    /// The built-in pack.
    pub(crate) base: &'a Node,
    /// What the file itself holds.
    pub(crate) own: &'a Node,
    pub(crate) errors: Vec<Defect>,
    pub(crate) warnings: Vec<Defect>,
}

/// Errors and warnings, each in the order of lines, those without a line last. The first stage with errors ends the check.
pub(crate) fn check(file: &str, pack: &Node, base: &Node, own: &Node) -> (Vec<Defect>, Vec<Defect>) {
    let mut check = Check { file, pack, base, own, errors: vec![], warnings: vec![] };
    for stage in [shape::sections, shape::fields, references::all] {
        stage(&mut check);
        if !check.errors.is_empty() {
            in_order(&mut check.errors);
            return (check.errors, vec![]);
        }
    }
    super::warnings::all(&mut check);
    in_order(&mut check.warnings);
    (vec![], check.warnings)
}

fn in_order(defects: &mut [Defect]) {
    defects.sort_by_key(|defect| defect.line.unwrap_or(u64::MAX));
}

/// The id of an entry of a list: `id`, else `turn`.
pub(crate) fn id_of(node: &Node) -> Option<String> {
    node.get("id").or_else(|| node.get("turn")).map(|id| id.id().map_or_else(|| id.shown(), |id| id.into_owned()))
}

impl<'a> Check<'a> {
    pub(crate) fn bad(&mut self, place: impl Into<String>, expected: &str, value: Option<&Node>) {
        let defect = self.defect("bad_pack", place.into(), expected, value.map(Node::shown));
        self.errors.push(defect);
    }

    /// An id that nothing has.
    pub(crate) fn unknown(&mut self, place: impl Into<String>, id: &str) {
        let defect = self.defect("bad_pack", place.into(), "a known id", Some(id.to_string()));
        self.errors.push(defect);
    }

    pub(crate) fn warn(&mut self, place: impl Into<String>, expected: &str, value: Option<String>) {
        let defect = self.defect("pack_warning", place.into(), expected, value);
        self.warnings.push(defect);
    }

    fn defect(&self, code: &'static str, place: String, expected: &str, value: Option<String>) -> Defect {
        let mut defect = Defect::new(code, expected).file(self.file);
        defect.line = self.line(&place);
        defect.value = value.map(|value| super::short(&value));
        defect.field(place)
    }

    /// A section of the pack in force.
    pub(crate) fn section(&self, name: &str) -> &'a Node {
        static NONE: Node = Node::Map(vec![]);
        self.pack.get(name).unwrap_or(&NONE)
    }

    /// The entries of a section that is a list of entries, with their ids; of a map, with their names.
    pub(crate) fn entries(&self, section: &str) -> Vec<(String, &'a Node)> {
        let numbered = |(i, entry): (usize, &'a Entry)| {
            let id = id_of(&entry.node).unwrap_or_else(|| format!("[{i}]"));
            (id, &entry.node)
        };
        match self.section(section) {
            Node::List(items) => items.iter().enumerate().map(numbered).collect(),
            Node::Map(entries) => entries.iter().map(|(name, entry)| (name.clone(), &entry.node)).collect(),
            _ => vec![],
        }
    }

    /// Line of the nearest entry of the file that a place lies in; none if the file does not hold it.
    fn line(&self, place: &str) -> Option<u64> {
        let (head, rest) = place.split_once('.').unwrap_or((place, ""));
        let section = self.own.entry(head)?;
        let inside = |name: &str| rest.strip_prefix(name).filter(|tail| tail.is_empty() || tail.starts_with('.'));
        match &section.node {
            Node::List(items) => {
                let here = |(i, entry): &(usize, &Entry)| {
                    rest == format!("[{i}]") || id_of(&entry.node).is_some_and(|id| inside(&id).is_some())
                };
                let found = items.iter().enumerate().find(here).map(|(_, entry)| entry.line);
                found.or(Some(section.line))
            }
            Node::Map(entries) => {
                let found = entries.iter().find_map(|(name, entry)| Some((entry, inside(name)?)));
                Some(found.map_or(section.line, |(entry, tail)| {
                    let below = entry.node.entry(tail.trim_start_matches('.'));
                    below.map_or(entry.line, |below| below.line)
                }))
            }
            _ => Some(section.line),
        }
    }
}

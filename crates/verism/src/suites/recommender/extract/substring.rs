//! The published rule: a concept is any stored value that is a raw substring of the lower-cased text.

use rustc_hash::FxHashMap;

use super::automaton::{Automaton, ROOT};
use crate::suites::recommender::catalog::concepts::{Concept, Concepts};
use crate::suites::recommender::catalog::field::Field;

/// Values as the original evaluator stored them, under construction.
#[derive(Debug, Default)]
pub(crate) struct SubstringBuilder {
    values: FxHashMap<(Field, String), Vec<u32>>,
}

impl SubstringBuilder {
    pub(crate) fn add(&mut self, item: u32, field: Field, raw: &str) {
        let key = stored(field, raw);
        if !key.is_empty() {
            self.values.entry((field, key)).or_default().push(item);
        }
    }
}

/// The values and the automaton over bytes that finds them.
#[derive(Debug)]
pub(crate) struct Substring {
    pub(crate) concepts: Concepts,
    automaton: Automaton,
    /// Concepts of each sequence.
    of_sequence: Vec<Vec<u32>>,
}

/// A value found in a text: its concept and the place where it first begins, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SubstringHit {
    pub(crate) concept: u32,
    pub(crate) start: usize,
}

impl Substring {
    pub(crate) fn new(builder: SubstringBuilder, items: usize) -> Substring {
        let mut values: Vec<((Field, String), Vec<u32>)> = builder.values.into_iter().collect();
        values.sort();
        let mut by_label: Vec<(Vec<u32>, u32)> = vec![];
        for (number, ((_, label), _)) in values.iter().enumerate() {
            by_label.push((label.bytes().map(u32::from).collect(), number as u32));
        }
        by_label.sort();
        let (mut sequences, mut of_sequence): (Vec<Vec<u32>>, Vec<Vec<u32>>) = (vec![], vec![]);
        for (label, concept) in by_label {
            match (sequences.last(), of_sequence.last_mut()) {
                (Some(last), Some(concepts)) if *last == label => concepts.push(concept),
                _ => {
                    sequences.push(label);
                    of_sequence.push(vec![concept]);
                }
            }
        }
        let concept = |((field, label), of): ((Field, String), Vec<u32>)| (Concept { field, label: label.into() }, of);
        Substring {
            automaton: Automaton::new(&sequences),
            of_sequence,
            concepts: Concepts::new(values.into_iter().map(concept).collect(), items),
        }
    }

    /// Every value that a text holds, by concept, with its first place.
    pub(crate) fn find(&self, raw: &str) -> Vec<SubstringHit> {
        let low = raw.to_lowercase();
        let mut out: Vec<SubstringHit> = vec![];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut state = ROOT;
        let mut chars = 0;
        for byte in low.bytes() {
            // The bytes after the first of a character begin with 10.
            chars += usize::from(byte & 0xc0 != 0x80);
            state = self.automaton.step(state, byte.into());
            for sequence in self.automaton.ends(state) {
                if !seen.insert(sequence) {
                    continue;
                }
                let concepts = &self.of_sequence[sequence as usize];
                let length = self.concepts.get(concepts[0]).label.chars().count();
                out.extend(concepts.iter().map(|&concept| SubstringHit { concept, start: chars - length }));
            }
        }
        out.sort_by_key(|place| place.concept);
        out
    }

    /// The concept that a raw value means.
    pub(crate) fn concept_of(&self, field: Field, raw: &str) -> Option<u32> {
        self.concepts.find(field, &stored(field, raw))
    }
}

/// A value as the original stored it: genre in lower case without ` film`, ` movie`, ` fiction`; year as its digits.
fn stored(field: Field, raw: &str) -> String {
    let value = crate::text::normalize::trim(raw);
    match field {
        Field::Genre => {
            let low = value.to_lowercase().replace(" film", "").replace(" movie", "").replace(" fiction", "");
            crate::text::normalize::trim(&low).to_string()
        }
        Field::Year => value.chars().filter(char::is_ascii_digit).collect(),
        _ => value.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_they_were_stored() {
        for (field, raw, expected) in [
            (Field::Genre, "Science Fiction", "science"),
            (Field::Genre, "Crime film", "crime"),
            (Field::Year, "(1998)", "1998"),
            (Field::Actor, " Ada Lark ", "ada lark"),
        ] {
            assert_eq!(stored(field, raw), expected);
        }
    }

    #[test]
    fn raw_substrings_are_found_at_their_first_place() {
        // The defect of the published rule: `ex` in "expect", `war` in "warm" (decision D1).
        let mut builder = SubstringBuilder::default();
        for (item, value) in ["Ex", "War", "Drama"].into_iter().enumerate() {
            builder.add(item as u32, Field::Genre, value);
        }
        builder.add(0, Field::Actor, "War");
        let substring = Substring::new(builder, 3);
        let found = substring.find("É I expect WARM, warm weather");
        let told: Vec<(String, usize)> =
            found.iter().map(|place| (substring.concepts.text(place.concept), place.start)).collect();
        let expected = [("genre=ex", 4), ("genre=war", 11), ("actor=war", 11)];
        assert_eq!(told, expected.map(|(text, start)| (text.to_string(), start)));
    }
}

//! The places behind the concepts of a text, as rows show them.

use serde::{Deserialize, Serialize};

use super::pieces::{push_concept, push_count, push_list};
use crate::score::json::push_text;
use crate::suites::recommender::catalog::concepts::Concepts;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::extract::patterns::Guard;
use crate::suites::recommender::measures::turn::ReadMessage;

/// The hits of a text.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Hits {
    list: Vec<TextHit>,
    /// What stands at their places, one after the other.
    surfaces: String,
}

/// A hit.
#[derive(Debug, Serialize, Deserialize)]
struct TextHit {
    concept: u32,
    /// Its first character.
    start: u32,
    /// Bytes of its surface.
    length: u32,
    /// None with extractor `substring`.
    guard: Option<Guard>,
}

impl Hits {
    /// The hits of the scored fields, in the order of the text.
    pub(crate) fn new(said: &ReadMessage<'_>, catalog: &Catalog) -> Hits {
        let mut hits = Hits::default();
        match &catalog.substring {
            None => {
                let text = said.heard.text.as_ref();
                let mut ruler = CharCounter::new(text);
                for hit in said.heard.hits.iter().filter(|hit| catalog.rules.scored.holds(hit.field)) {
                    hits.add(hit.concept, ruler.characters(hit.start), &text[hit.start..hit.end], Some(hit.guard));
                }
            }
            Some(substring) => {
                let label = |concept: u32| &*substring.concepts.get(concept).label;
                let mut places = said.places.clone();
                places.sort_by_key(|place| (place.start, label(place.concept).chars().count(), place.concept));
                places.iter().for_each(|place| hits.add(place.concept, place.start, label(place.concept), None));
            }
        }
        hits
    }

    fn add(&mut self, concept: u32, start: usize, surface: &str, guard: Option<Guard>) {
        self.list.push(TextHit { concept, start: start as u32, length: surface.len() as u32, guard });
        self.surfaces.push_str(surface);
    }

    /// Appends them as `[concept, start, end, surface, guard]`, places in characters.
    pub(crate) fn push(&self, out: &mut Vec<u8>, concepts: &Concepts) {
        let mut rest = self.surfaces.as_str();
        push_list(out, &self.list, |out, hit| {
            let (surface, after) = rest.split_at_checked(hit.length as usize).unwrap_or_default();
            rest = after;
            let length = if surface.is_ascii() { surface.len() } else { surface.chars().count() };
            out.push(b'[');
            push_concept(out, hit.concept, concepts);
            out.push(b',');
            push_count(out, hit.start as usize);
            out.push(b',');
            push_count(out, hit.start as usize + length);
            out.push(b',');
            push_text(out, surface);
            out.extend_from_slice(b",\"");
            out.extend_from_slice(hit.guard.map_or("substring", Guard::name).as_bytes());
            out.extend_from_slice(b"\"]");
        });
    }

    /// The concepts that are named.
    pub(crate) fn concepts(&self) -> impl Iterator<Item = u32> {
        self.list.iter().map(|hit| hit.concept)
    }
}

/// Turns bytes of a text into characters, from left to right.
pub(crate) struct CharCounter<'t> {
    text: &'t str,
    ascii: bool,
    byte: usize,
    character: usize,
}

impl<'t> CharCounter<'t> {
    pub(crate) fn new(text: &'t str) -> CharCounter<'t> {
        CharCounter { text, ascii: text.is_ascii(), byte: 0, character: 0 }
    }

    /// The characters before a byte, which never goes back.
    pub(crate) fn characters(&mut self, byte: usize) -> usize {
        if self.ascii {
            return byte;
        }
        self.character += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.character
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_to_characters() {
        let mut ruler = CharCounter::new("é전x");
        assert_eq!([ruler.characters(2), ruler.characters(5), ruler.characters(6)], [1, 2, 3]);
    }
}

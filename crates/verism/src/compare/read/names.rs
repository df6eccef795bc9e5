//! Ids as small numbers that sort like their text.

use rustc_hash::FxHashMap;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// An id. Once a table is complete, ids compare like the bytes of their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Id(u32);

impl Id {
    /// The absent id: the empty text, which sorts before every other.
    pub(crate) const NONE: Id = Id(0);

    /// Tells whether there is an id at all.
    pub(crate) fn is_given(self) -> bool {
        self != Id::NONE
    }

    /// Gives the id's place among the texts of its interner.
    pub(crate) fn place(self) -> usize {
        self.0 as usize
    }
}

/// Gives the text in normal form C.
pub(crate) fn nfc(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.to_string(),
        _ => text.nfc().collect(),
    }
}

/// All ids of a table while it is read.
#[derive(Debug)]
pub(crate) struct Interner {
    ids: FxHashMap<String, u32>,
    texts: Vec<String>,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner { ids: FxHashMap::from_iter([(String::new(), 0)]), texts: vec![String::new()] }
    }
}

impl Interner {
    /// Moves an id on to that of a text, which often is the same.
    pub(crate) fn id_after(&mut self, last: &mut Id, text: &str) {
        // Empty texts are told by their length alone: comparing no bytes at the dangling address of an empty text is slow on some
        // processors.
        if text.is_empty() {
            *last = Id::NONE;
        } else if self.text(*last).len() != text.len() || self.text(*last) != text {
            *last = self.id(text);
        }
    }

    /// Gives the id of a text, in normal form C.
    pub(crate) fn id(&mut self, text: &str) -> Id {
        if let Some(id) = self.ids.get(text) {
            return Id(*id);
        }
        let normal = if text.is_ascii() { text.to_string() } else { nfc(text) };
        if let Some(id) = self.ids.get(&normal) {
            return Id(*id);
        }
        let id = self.texts.len() as u32;
        self.ids.insert(normal.clone(), id);
        self.texts.push(normal);
        Id(id)
    }

    /// Gives the text of an id.
    pub(crate) fn text(&self, id: Id) -> &str {
        &self.texts[id.0 as usize]
    }

    /// Gives all texts, each at the place of its id.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// Gives the final names, and for each id so far the one it becomes.
    pub(crate) fn finish(self) -> (Names, impl Fn(Id) -> Id) {
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        order.sort_unstable_by(|a, b| self.texts[*a as usize].as_bytes().cmp(self.texts[*b as usize].as_bytes()));
        let mut place = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old as usize] = new as u32;
        }
        let mut texts = self.texts;
        let sorted = order.iter().map(|old| std::mem::take(&mut texts[*old as usize])).collect();
        (Names { sorted }, move |id: Id| Id(place[id.0 as usize]))
    }
}

/// The ids of a complete table, in byte order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    sorted: Vec<String>,
}

impl Names {
    /// Gives the text of an id.
    pub(crate) fn text(&self, id: Id) -> &str {
        self.sorted.get(id.0 as usize).map_or("", String::as_str)
    }

    /// Gives the id of a text, `None` where no row has it.
    pub(crate) fn find(&self, text: &str) -> Option<Id> {
        let at = self.sorted.binary_search_by(|other| other.as_bytes().cmp(text.as_bytes())).ok()?;
        Some(Id(at as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_ids_sort_like_their_bytes() {
        let mut interner = Interner::default();
        let [b, a, umlaut] = ["b", "a", "ä"].map(|text| interner.id(text));
        let (names, place) = interner.finish();
        assert!(Id::NONE < place(a) && place(a) < place(b) && place(b) < place(umlaut));
        assert_eq!(names.text(place(b)), "b");
        assert_eq!(names.find("a"), Some(place(a)));
        assert_eq!(names.find("zz"), None);
    }

    // U+0065 U+0301 and U+00E9 are the same letter.
    #[test]
    fn decomposed_text_is_the_same_id() {
        let mut interner = Interner::default();
        assert_eq!(interner.id("e\u{301}"), interner.id("\u{e9}"));
    }
}

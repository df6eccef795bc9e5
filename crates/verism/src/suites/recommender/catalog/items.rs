//! The catalog: items, concepts, names and the patterns that find them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::concepts::Concepts;
use super::field::{Field, Fields};
use super::value::{bare, normalise};
use crate::suites::recommender::extract::lexicon::Lexicon;
use crate::suites::recommender::extract::patterns::Patterns;
use crate::suites::recommender::extract::substring::Substring;
use crate::suites::recommender::options::{Extractor, Params};

/// A movie.
#[derive(Debug)]
pub struct Item {
    /// Its id, unique in the catalog.
    pub id: Box<str>,
    /// Its title without a trailing year.
    pub name: Box<str>,
    /// What happens.
    pub plot: Box<str>,
    /// Its concepts in the order of fields, then as they stand in the catalog.
    pub concepts: Vec<u32>,
    /// The concept of its title.
    pub(crate) title: Option<u32>,
}

/// A catalog ready to be looked up.
#[derive(Debug)]
pub struct Catalog {
    /// The items in the order of the file.
    pub items: Vec<Item>,
    /// The concepts of whole words.
    pub concepts: Concepts,
    /// For each concept its words, and how it is shown.
    pub(crate) keys: Vec<Box<str>>,
    pub(crate) displays: Vec<Box<str>>,
    /// For each field the concept with a key.
    pub(crate) by_key: [FxHashMap<Box<str>, u32>; 8],
    /// Items by their title without its article, and by parts of their title.
    pub(crate) other_names: FxHashMap<Box<str>, Vec<u32>>,
    pub(crate) patterns: Patterns,
    pub(crate) substring: Option<Substring>,
    pub(crate) lexicon: Lexicon,
    pub(crate) rules: Rules,
    /// For each item its place by name key and id, once somebody asks.
    pub(crate) name_ranks: OnceLock<Vec<u32>>,
    /// What was odd about the items.
    pub(crate) notes: BTreeMap<&'static str, u64>,
}

/// The options that the catalog and the extractor need.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) aliases: bool,
    pub(crate) decades: bool,
    pub(crate) title_years: bool,
    pub(crate) use_name: bool,
    pub(crate) use_plot_kw: bool,
    pub(crate) stop_values: bool,
    pub(crate) min_len: usize,
    pub(crate) substring: bool,
    pub(crate) scored: Fields,
}

impl Rules {
    pub(crate) fn of(params: &Params) -> Rules {
        Rules {
            aliases: params.aliases,
            decades: params.decades,
            title_years: params.title_years,
            use_name: params.use_name,
            use_plot_kw: params.use_plot_kw,
            stop_values: params.stop_values == crate::suites::recommender::options::StopValues::Builtin,
            min_len: params.min_len as usize,
            substring: params.extractor == Extractor::Substring,
            scored: params.scored(),
        }
    }
}

impl Catalog {
    /// The concepts that scores are made of: those of the extractor that was chosen.
    pub(crate) fn scored(&self) -> &Concepts {
        self.substring.as_ref().map_or(&self.concepts, |substring| &substring.concepts)
    }

    /// The words that the extractor knows.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The concept of whole words with a field and a key.
    pub fn concept(&self, field: Field, key: &str) -> Option<u32> {
        self.by_key[field as usize].get(key).copied()
    }

    /// The concept that a raw value of a field means.
    pub(crate) fn concept_of(&self, field: Field, raw: &str) -> Option<u32> {
        let lexicon = self.rules.aliases.then_some(&self.lexicon);
        normalise(field, raw, lexicon).and_then(|value| self.concept(field, &value.key))
    }

    /// The same for the extractor that was chosen.
    pub(crate) fn scored_concept_of(&self, field: Field, raw: &str) -> Option<u32> {
        match &self.substring {
            Some(substring) => substring.concept_of(field, raw),
            None => self.concept_of(field, raw),
        }
    }

    /// Whether a label, as an alias names it, means a concept.
    pub fn means(&self, concept: u32, label: &str) -> bool {
        crate::suites::recommender::extract::words::key_of(label) == self.key(concept)
    }

    /// How a value is shown to people.
    pub fn display(&self, concept: u32) -> &str {
        &self.displays[concept as usize]
    }

    /// For each item its place among all items by name key, then id.
    pub(crate) fn name_ranks(&self) -> &[u32] {
        self.name_ranks.get_or_init(|| {
            let mut items: Vec<u32> = (0..self.items.len() as u32).collect();
            items.sort_by_key(|item| {
                let item = &self.items[*item as usize];
                (item.title.map_or("", |title| self.key(title)), &*item.id)
            });
            let mut ranks = vec![0; items.len()];
            items.iter().zip(0..).for_each(|(item, rank)| ranks[*item as usize] = rank);
            ranks
        })
    }

    /// The words of a concept joined by blanks.
    pub fn key(&self, concept: u32) -> &str {
        &self.keys[concept as usize]
    }

    /// Whether a key is the title of an item.
    pub(crate) fn is_name(&self, key: &str) -> bool {
        self.by_key[Field::Name as usize].contains_key(key)
    }

    /// Whether a key is a title without its article or a part of a title.
    pub(crate) fn is_other_name(&self, key: &str) -> bool {
        self.other_names.contains_key(key)
    }

    fn named(&self, key: &str) -> &[u32] {
        self.concept(Field::Name, key).map_or(&[], |concept| self.concepts.items(concept))
    }

    fn otherwise_named(&self, key: &str) -> &[u32] {
        self.other_names.get(key).map_or(&[], Vec::as_slice)
    }

    /// The items that a title means: by name, else by a name without article or a part, else without its own article.
    pub fn title_items(&self, key: &str) -> impl Iterator<Item = u32> {
        let short = bare(key);
        let (first, second) = match (self.named(key), self.otherwise_named(key)) {
            ([], []) if short != key => (self.named(short), self.otherwise_named(short)),
            ([], others) => (others, &[][..]),
            (named, _) => (named, &[][..]),
        };
        first.iter().chain(second).copied()
    }
}

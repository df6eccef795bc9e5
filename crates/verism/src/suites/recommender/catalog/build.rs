//! Items, one by one, to a catalog.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::concepts::{Concept, Concepts};
use super::field::Field;
use super::items::{Catalog, Item, Rules};
use super::value::{bare, normalise, split_year};
use crate::error::Defect;
use crate::input::value::Json;
use crate::score::table::python_repr;
use crate::suites::recommender::extract::lexicon::Lexicon;
use crate::suites::recommender::extract::patterns::{Patterns, Source};
use crate::suites::recommender::extract::substring::{Substring, SubstringBuilder};
use crate::suites::recommender::extract::words::{Words, gap_is_weak, is_plain, key_of, nfc, tidy};

/// A catalog under construction.
pub(crate) struct Builder {
    rules: Rules,
    lexicon: Lexicon,
    items: Vec<Item>,
    ids: FxHashSet<Box<str>>,
    /// Concepts in the order of their first appearance.
    found: Vec<MetConcept>,
    by_key: [FxHashMap<Box<str>, u32>; 8],
    /// What each raw value turned out to be.
    seen: [FxHashMap<Box<str>, Option<u32>>; 8],
    substring: Option<SubstringBuilder>,
    notes: BTreeMap<&'static str, u64>,
}

/// A concept that was met.
struct MetConcept {
    field: Field,
    key: Box<str>,
    label: Box<str>,
    display: Box<str>,
    items: Vec<u32>,
    /// Before which words the value itself has strong punctuation.
    open_gaps: Vec<u32>,
}

/// Where a record of the catalog stands: its path inside the file, and whether texts are lists with `|` in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CatalogPath<'a> {
    pub(crate) path: &'a str,
    pub(crate) split: bool,
}

impl CatalogPath<'_> {
    fn bad(&self, code: &'static str, field: &str, expected: &str, found: Option<&Json<'_>>) -> Defect {
        let dot = if self.path.is_empty() { "" } else { "." };
        let defect = Defect::new(code, expected).field(format!("{}{dot}{field}", self.path));
        defect.value(found.map_or("null".to_string(), crate::score::json::text))
    }
}

impl Builder {
    pub(crate) fn new(rules: Rules, lexicon: Lexicon) -> Builder {
        Builder {
            substring: rules.substring.then(SubstringBuilder::default),
            rules,
            lexicon,
            items: vec![],
            ids: FxHashSet::default(),
            found: vec![],
            by_key: Default::default(),
            seen: Default::default(),
            notes: BTreeMap::new(),
        }
    }

    /// Adds an item; `key` is its key in an object of items.
    pub(crate) fn add(&mut self, key: Option<&str>, record: &Json<'_>, place: CatalogPath<'_>) -> Result<(), Defect> {
        if record.object().is_none() {
            let defect = Defect::new("bad_record", "an object");
            return Err(if place.path.is_empty() { defect } else { defect.field(place.path) });
        }
        let given = record.entry("name").or_else(|| record.entry("title"));
        let name = match (given, key) {
            (Some(given), _) => given.text(),
            (None, key) => key,
        };
        let name = name.filter(|name| !tidy(name).is_empty());
        let name = name.ok_or_else(|| place.bad("bad_record", "name", "a non-empty text", given))?;
        let id = match (key, record.get("id")) {
            (Some(key), _) => key.to_string(),
            (None, None) => name.to_string(),
            (None, Some(id)) => {
                scalar(id).ok_or_else(|| place.bad("bad_record", "id", "text or a number", Some(id)))?
            }
        };
        if !self.ids.insert(id.as_str().into()) {
            return Err(place.bad("duplicate_id", "id", "a unique id", Some(&Json::Text(id.into()))));
        }
        let number = self.items.len() as u32;
        let plot = match record.get("plot") {
            None => "",
            Some(plot) => plot.text().ok_or_else(|| place.bad("bad_record", "plot", "text", Some(plot)))?,
        };
        let tidied = tidy(name);
        let (title, title_year) = split_year(&tidied);
        self.items.push(Item { id: id.into(), name: title.into(), plot: plot.into(), concepts: vec![], title: None });
        let mut concepts = vec![];
        let title = self.value(number, Field::Name, name, &mut concepts);
        for field in &Field::SCORED[..5] {
            for value in list(record.get(field.name()), field.name(), place)? {
                self.value(number, *field, &value, &mut concepts);
            }
        }
        let year = match record.get("year") {
            None => None,
            Some(year) => Some(
                whole_year(year)
                    .ok_or_else(|| place.bad("bad_record", "year", "a year as text or whole number", Some(year)))?,
            ),
        };
        let told = year.clone().filter(|year| !year.is_empty());
        let year_concept = match told.as_deref().or(title_year) {
            Some(year) => self.value(number, Field::Year, year, &mut concepts),
            None => None,
        };
        if let (true, Some(year)) = (self.rules.decades, year_concept) {
            self.decade(number, year, &mut concepts);
        }
        if self.rules.use_plot_kw {
            let mut words = list(record.get("plot_kw"), "plot_kw", CatalogPath { path: "", ..place })?;
            if words.is_empty() {
                words = self.plot_words(plot).into_iter().map(Cow::Owned).collect();
            }
            for word in words {
                self.value(number, Field::PlotKw, &word, &mut concepts);
            }
        }
        if let Some(substring) = &mut self.substring {
            for field in &Field::SCORED[..5] {
                for value in list(record.get(field.name()), field.name(), place)? {
                    substring.add(number, *field, &value);
                }
            }
            if let Some(year) = &told {
                substring.add(number, Field::Year, year);
            }
            if self.rules.use_name {
                substring.add(number, Field::Name, name);
            }
        }
        let item = &mut self.items[number as usize];
        (item.concepts, item.title) = (concepts, title);
        Ok(())
    }

    /// Gives an item a value, and the concept that it is.
    fn value(&mut self, item: u32, field: Field, raw: &str, concepts: &mut Vec<u32>) -> Option<u32> {
        let known = self.seen[field as usize].get(raw).copied();
        let concept = known.unwrap_or_else(|| {
            let concept = self.meet(field, raw);
            self.seen[field as usize].insert(raw.into(), concept);
            concept
        });
        let Some(concept) = concept else {
            let note = if field == Field::Year { "bad_year" } else { "empty_value" };
            *self.notes.entry(note).or_default() += 1;
            return None;
        };
        let items = &mut self.found[concept as usize].items;
        if items.last() != Some(&item) {
            items.push(item);
            concepts.push(concept);
        }
        Some(concept)
    }

    /// The concept of a raw value that was not seen before.
    fn meet(&mut self, field: Field, raw: &str) -> Option<u32> {
        let value = normalise(field, raw, self.rules.aliases.then_some(&self.lexicon))?;
        let concept = match self.by_key[field as usize].get(value.key.as_str()) {
            Some(&concept) => concept,
            None => {
                let display = match field {
                    Field::Genre => value.label.clone(),
                    Field::Language => capitalised(&value.label),
                    _ => value.shown.clone(),
                };
                self.push(field, &value.key, &value.label, &display)
            }
        };
        // Between plain words there are blanks alone.
        if is_plain(&value.shown) {
            return Some(concept);
        }
        let text = nfc(&value.shown);
        let mut words = Words::default();
        words.cut(&text);
        if words.joined(0, words.list().len()) == value.key {
            let gaps = &mut self.found[concept as usize].open_gaps;
            for (number, pair) in words.list().windows(2).enumerate() {
                let gap = number as u32 + 1;
                let weak = gap_is_weak(&text[pair[0].end..pair[1].start], words.key(number + 1));
                if !weak && !gaps.contains(&gap) {
                    gaps.push(gap);
                }
            }
        }
        Some(concept)
    }

    fn push(&mut self, field: Field, key: &str, label: &str, display: &str) -> u32 {
        let concept = self.found.len() as u32;
        self.by_key[field as usize].insert(key.into(), concept);
        self.found.push(MetConcept {
            field,
            key: key.into(),
            label: label.into(),
            display: display.into(),
            items: vec![],
            open_gaps: vec![],
        });
        concept
    }

    /// Gives an item the decade of its year.
    fn decade(&mut self, item: u32, year: u32, concepts: &mut Vec<u32>) {
        let decade = format!("{}0s", &self.found[year as usize].key[..3]);
        let known = self.by_key[Field::Year as usize].get(decade.as_str()).copied();
        let concept = known.unwrap_or_else(|| self.push(Field::Year, &decade, &decade, &decade));
        self.found[concept as usize].items.push(item);
        concepts.push(concept);
    }

    /// The words of a plot that may be keywords, each once.
    fn plot_words(&self, plot: &str) -> Vec<String> {
        let text = nfc(plot);
        let mut words = Words::default();
        words.cut(&text);
        let mut seen = FxHashSet::default();
        let keys = (0..words.list().len()).map(|number| words.key(number));
        let fits = |key: &&str| {
            key.chars().count() >= 4
                && key.chars().all(crate::suites::recommender::extract::chars::is_letter)
                && !self.lexicon.plot_stopwords.contains(*key)
                && !self.lexicon.is_listed(key)
        };
        keys.filter(fits).filter(|key| seen.insert(key.to_string())).map(String::from).collect()
    }

    /// The catalog of all items added.
    pub(crate) fn finish(mut self) -> Result<Catalog, Defect> {
        if self.items.is_empty() {
            return Err(Defect::new("bad_record", "at least one catalog item").value("none"));
        }
        // What only the next item would need makes room.
        (self.ids, self.seen) = Default::default();
        let order = self.order();
        let mut rank = vec![0_u32; order.len()];
        for (place, concept) in order.iter().enumerate() {
            rank[*concept as usize] = place as u32;
        }
        let sources: Vec<Source<'_>> = self
            .found
            .iter()
            .zip(&rank)
            .map(|(found, rank)| Source {
                concept: *rank,
                field: found.field,
                key: &found.key,
                open_gaps: &found.open_gaps,
            })
            .collect();
        let patterns = Patterns::new(&sources, &self.lexicon, &self.rules);
        drop(sources);
        for item in &mut self.items {
            item.concepts.iter_mut().for_each(|concept| *concept = rank[*concept as usize]);
            item.concepts.sort_by_key(|concept| self.found[order[*concept as usize] as usize].field);
            item.title = item.title.map(|concept| rank[concept as usize]);
        }
        for table in &mut self.by_key {
            table.values_mut().for_each(|concept| *concept = rank[*concept as usize]);
        }
        let other_names = self.other_names(&order);
        let mut found: Vec<Option<MetConcept>> = self.found.into_iter().map(Some).collect();
        let (mut keys, mut displays, mut concepts) = (vec![], vec![], vec![]);
        for concept in &order {
            let found = found[*concept as usize].take().expect("each concept has one place in the order");
            keys.push(found.key);
            displays.push(found.display);
            concepts.push((Concept { field: found.field, label: found.label }, found.items));
        }
        Ok(Catalog {
            concepts: Concepts::new(concepts, self.items.len()),
            substring: self.substring.map(|builder| Substring::new(builder, self.items.len())),
            items: self.items,
            keys,
            displays,
            by_key: self.by_key,
            other_names,
            patterns,
            lexicon: self.lexicon,
            rules: self.rules,
            name_ranks: std::sync::OnceLock::new(),
            notes: self.notes,
        })
    }

    /// The concepts by field and label; those with equal ones stay as they are.
    fn order(&self) -> Vec<u32> {
        // The first bytes tell most labels apart, without a look at the labels themselves.
        let beginning = |label: &str| {
            let mut bytes = [0; 8];
            label.bytes().zip(&mut bytes).for_each(|(byte, place)| *place = byte);
            u64::from_be_bytes(bytes)
        };
        let known = self.found.iter().zip(0_u32..);
        let mut order: Vec<_> = known.map(|(found, n)| ((found.field, beginning(&found.label)), n)).collect();
        let label = |concept: u32| &*self.found[concept as usize].label;
        order.sort_unstable_by(|(a, m), (b, n)| a.cmp(b).then_with(|| label(*m).cmp(label(*n))).then(m.cmp(n)));
        order.into_iter().map(|(_, concept)| concept).collect()
    }

    /// Items by their title without its article, and by the parts of their title that have two words or more.
    fn other_names(&self, order: &[u32]) -> FxHashMap<Box<str>, Vec<u32>> {
        let mut out: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
        for (number, item) in self.items.iter().enumerate() {
            let Some(title) = item.title else { continue };
            let key = &*self.found[order[title as usize] as usize].key;
            if bare(key) != key {
                out.entry(bare(key).into()).or_default().push(number as u32);
            }
            for part in title_parts(&item.name) {
                let key = key_of(part);
                if key.contains(' ') {
                    out.entry(key.into()).or_default().push(number as u32);
                }
            }
        }
        out
    }
}

/// The parts of a title, cut at a colon and a blank, or at a hyphen or en dash between blanks; none of a whole one.
fn title_parts(title: &str) -> Vec<&str> {
    let mut parts = vec![];
    let mut rest = title;
    while let Some((at, mark)) =
        [": ", " - ", " – "].iter().filter_map(|mark| Some((rest.find(mark)?, *mark))).min_by_key(|(at, _)| *at)
    {
        parts.push(&rest[..at]);
        rest = &rest[at + mark.len()..];
    }
    if !parts.is_empty() {
        parts.push(rest);
    }
    parts
}

fn capitalised(label: &str) -> String {
    let mut chars = label.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// A text or a number as text.
pub(crate) fn scalar(value: &Json<'_>) -> Option<String> {
    match value {
        Json::Text(text) => Some(text.to_string()),
        Json::Int(x) => Some(x.to_string()),
        Json::Float(x) => Some(python_repr(*x)),
        _ => None,
    }
}

/// The values of a field: a text, a number, or a list of them.
fn list<'v>(value: Option<&'v Json<'_>>, field: &str, place: CatalogPath<'_>) -> Result<Vec<Cow<'v, str>>, Defect> {
    let one = |value: &'v Json<'_>| match value {
        Json::Text(text) => Ok(Cow::Borrowed(&**text)),
        value => {
            let text = scalar(value).map(Cow::Owned);
            text.ok_or_else(|| place.bad("bad_record", field, "text or a list of texts", Some(value)))
        }
    };
    match value {
        None => Ok(vec![]),
        Some(Json::Text(text)) if text.is_empty() => Ok(vec![]),
        Some(Json::Text(text)) if place.split => Ok(text.split('|').map(Cow::Borrowed).collect()),
        Some(Json::List(values)) => values.iter().filter(|value| !matches!(value, Json::Null)).map(one).collect(),
        Some(value) => one(value).map(|value| vec![value]),
    }
}

/// A year as text; none if it is neither text nor a whole number.
fn whole_year(year: &Json<'_>) -> Option<String> {
    match year {
        Json::Text(text) => Some(text.to_string()),
        year => year.whole().map(|year| year.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_title() {
        assert_eq!(title_parts("Tin Moon: The Return - Part 2"), ["Tin Moon", "The Return", "Part 2"]);
        assert!(title_parts("Tin-Moon").is_empty());
    }
}

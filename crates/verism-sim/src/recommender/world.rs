//! What users can talk about: items that can be quoted, values that can be wished for, and the words for them.

use std::sync::LazyLock;

use verism::Defect;
use verism::input::value::Json;
use verism::suites::recommender::{Catalog, Field, Scratch, Shelf, extract};

use super::josa::josa;
use super::options::SimOptions;

/// The texts of users and agents; see `templates.json`.
pub(super) const TEMPLATES: &str = include_str!("templates.json");

static PARSED: LazyLock<Json<'static>> = LazyLock::new(|| Json::parse(TEMPLATES).expect("our own templates are JSON"));

/// The table of a language, or a table that is the same for all.
pub(super) fn table(path: &[&str]) -> &'static Json<'static> {
    const NOTHING: &Json<'static> = &Json::Null;
    path.iter().fold(&*PARSED, |json, key| json.get(key).unwrap_or(NOTHING))
}

/// The texts of a list.
pub(super) fn texts(path: &[&str]) -> Vec<&'static str> {
    table(path).list().unwrap_or_default().iter().filter_map(Json::text).collect()
}

/// One text.
pub(super) fn text(path: &[&str]) -> &'static str {
    table(path).text().unwrap_or_default()
}

/// Names with weights, in the order of the file.
pub(super) fn weights(path: &[&str]) -> Vec<(&'static str, usize)> {
    let entries = table(path).object().unwrap_or_default();
    entries.iter().map(|(name, weight)| (name.as_ref(), weight.whole().unwrap_or(0) as usize)).collect()
}

/// A title as users and agents write it.
pub(super) fn quoted(name: &str) -> String {
    format!("“{name}”")
}

/// The catalog as a simulated user sees it.
pub struct World {
    /// The catalog and the options of the suite.
    pub shelf: Shelf,
    /// The options of the simulator.
    pub options: SimOptions,
    quotable: Vec<bool>,
    usable: Vec<bool>,
    /// Usable values of each field, in the order of concepts.
    pools: [Vec<u32>; 6],
}

impl World {
    /// Finds what can be talked about.
    pub fn new(shelf: Shelf, options: SimOptions) -> Result<World, Defect> {
        let catalog = &shelf.catalog;
        let scratch = &mut Scratch::default();
        let quotable: Vec<bool> =
            (0..catalog.items.len()).map(|item| is_quotable(catalog, item as u32, scratch)).collect();
        let mut usable = vec![false; catalog.concepts.len()];
        let mut pools: [Vec<u32>; 6] = Default::default();
        for concept in 0..catalog.concepts.len() as u32 {
            let of = catalog.concepts.get(concept);
            let Some(pool) = Field::SCORED.iter().position(|field| *field == of.field) else { continue };
            let decade = of.field == Field::Year && of.label.ends_with('s');
            let support = catalog.concepts.items(concept).iter().filter(|item| quotable[**item as usize]).count();
            if decade || (support as u64) < options.min_support {
                continue;
            }
            // The extractor finds the value again in the phrase that the user will say.
            let phrase = phrase(catalog, concept, &options.lang);
            let found = extract(catalog, &phrase, scratch).hits.iter().any(|hit| hit.concept == concept);
            if found {
                usable[concept as usize] = true;
                pools[pool].push(concept);
            }
        }
        let world = World { shelf, options, quotable, usable, pools };
        world.check()?;
        Ok(world)
    }

    /// Refuses options that no plan can meet.
    fn check(&self) -> Result<(), Defect> {
        let options = &self.options;
        if options.shifts > 0 && self.room() < options.shifts as i64 {
            let expected = format!("a schedule that fits {} turns", options.turns);
            return Err(Defect::new("bad_option", expected).field("shifts").value(options.shifts.to_string()));
        }
        if self.pool(options.opening_field).is_empty() {
            let defect = Defect::new("bad_option", "a field with usable values").field("opening_field");
            return Err(defect.value(options.opening_field.name()));
        }
        Ok(())
    }

    /// Places that shifts can be put into.
    pub(super) fn room(&self) -> i64 {
        let o = &self.options;
        let last = o.turns as i64 - o.tail as i64 + 1;
        (last - o.first_shift as i64 + 1) - (o.shifts as i64 - 1) * (o.gap as i64 - 1)
    }

    /// The catalog.
    pub(super) fn catalog(&self) -> &Catalog {
        &self.shelf.catalog
    }

    pub(super) fn is_quotable(&self, item: u32) -> bool {
        self.quotable[item as usize]
    }

    pub(super) fn is_usable(&self, concept: u32) -> bool {
        self.usable[concept as usize]
    }

    /// The values of a field that can be wished for.
    pub(super) fn pool(&self, field: Field) -> &[u32] {
        &self.pools[field as usize]
    }

    /// The items with a concept that can be quoted.
    pub(super) fn items(&self, concept: u32) -> Vec<u32> {
        let all = self.catalog().concepts.items(concept);
        all.iter().copied().filter(|item| self.is_quotable(*item)).collect()
    }

    pub(super) fn field(&self, concept: u32) -> Field {
        self.catalog().concepts.get(concept).field
    }

    /// A value as it is written in a message.
    pub(super) fn shown(&self, concept: u32) -> &str {
        shown(self.catalog(), concept, &self.options.lang)
    }

    /// The phrase for a value: `movies with Sable`.
    pub(super) fn phrase(&self, concept: u32) -> String {
        phrase(self.catalog(), concept, &self.options.lang)
    }
}

/// Whether a title in quotes names its item and gives no concept, so that naming it leaves what the user says as planned.
fn is_quotable(catalog: &Catalog, item: u32, scratch: &mut Scratch) -> bool {
    let title = quoted(&catalog.items[item as usize].name);
    let heard = extract(catalog, &title, scratch);
    let named = heard.titles.iter().any(|title| catalog.title_items(&title.key).any(|found| found == item));
    named && !heard.hits.iter().any(|hit| Field::SCORED.contains(&hit.field))
}

fn shown<'c>(catalog: &'c Catalog, concept: u32, lang: &str) -> &'c str {
    let field = catalog.concepts.get(concept).field;
    if lang == "ko" {
        let is_hangul = |text: &str| {
            text.starts_with(|c| ('\u{1100}'..='\u{11ff}').contains(&c) || ('\u{ac00}'..='\u{d7ff}').contains(&c))
        };
        let aliases = catalog.lexicon().written_aliases(field).iter();
        let mut mine = aliases.filter(|(alias, target)| is_hangul(alias) && catalog.means(concept, target));
        if let Some((alias, _)) = mine.next() {
            return alias;
        }
    }
    catalog.display(concept)
}

fn phrase(catalog: &Catalog, concept: u32, lang: &str) -> String {
    let field = catalog.concepts.get(concept).field;
    josa(&text(&[lang, "phrase", field.name()]).replace("{v}", shown(catalog, concept, lang)))
}

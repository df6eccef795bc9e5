//! What users can talk about: items that can be quoted, values that can be wished for, and the words for them.

use verism::Defect;
use verism::suites::recommender::{Catalog, Field, OpenedCatalog, Scratch, extract};

use super::josa::josa;
use super::options::SimOptions;
use super::templates::text;

/// A title as users and agents write it.
pub(super) fn quoted(name: &str) -> String {
    format!("“{name}”")
}

/// The catalog as a simulated user sees it.
pub struct RecommenderWorld {
    /// The catalog and the options of the suite.
    pub opened: OpenedCatalog,
    /// The options of the simulator.
    pub options: SimOptions,
    quotable: Vec<bool>,
    usable: Vec<bool>,
    /// Usable values of each field, in the order of concepts.
    pools: [Vec<u32>; 6],
    /// Usable values of each item, field by field, and where each field's begin.
    offers: Vec<u32>,
    offer_starts: Vec<u32>,
}

impl RecommenderWorld {
    /// Finds what can be talked about.
    pub fn new(opened: OpenedCatalog, options: SimOptions) -> Result<RecommenderWorld, Defect> {
        let catalog = &opened.catalog;
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
        let (mut offers, mut offer_starts) = (vec![], vec![0]);
        for item in &catalog.items {
            for field in Field::SCORED {
                let of_field = |c: &&u32| usable[**c as usize] && catalog.concepts.get(**c).field == field;
                offers.extend(item.concepts.iter().filter(of_field));
                offer_starts.push(offers.len() as u32);
            }
        }
        let world = RecommenderWorld { opened, options, quotable, usable, pools, offers, offer_starts };
        world.check()?;
        Ok(world)
    }

    /// Refuses options that no plan can meet.
    fn check(&self) -> Result<(), Defect> {
        let options = &self.options;
        if options.shifts > 0 && self.room() < options.shifts as i64 {
            let expected = format!("a schedule that fits {} turns", options.turns);
            let hint = "more turns, or smaller first_shift, gap or tail, leave room for more shifts";
            let defect = Defect::new("bad_option", expected).field("shifts").value(options.shifts.to_string());
            return Err(defect.hint(hint));
        }
        if self.pool(options.opening_field).is_empty() {
            let defect = Defect::new("bad_option", "a field with usable values").field("opening_field");
            let hint = "a value needs min_support items that can be quoted; try a smaller min_support or another field";
            return Err(defect.value(options.opening_field.name()).hint(hint));
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
        &self.opened.catalog
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
    pub(super) fn items(&self, concept: u32) -> impl Iterator<Item = u32> {
        self.catalog().concepts.items(concept).iter().copied().filter(|item| self.is_quotable(*item))
    }

    /// The values of an item that can be wished for, in one field.
    pub(super) fn offers(&self, item: u32, field: Field) -> &[u32] {
        let starts = &self.offer_starts[item as usize * Field::SCORED.len() + field as usize..];
        &self.offers[starts[0] as usize..starts[1] as usize]
    }

    pub(super) fn field(&self, concept: u32) -> Field {
        self.catalog().concepts.get(concept).field
    }

    /// The title of an item.
    pub(super) fn name(&self, item: u32) -> &str {
        &self.catalog().items[item as usize].name
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

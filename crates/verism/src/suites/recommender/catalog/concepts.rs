//! The concepts of a catalog: what they are called, which items have them, how rare they are.

use super::field::Field;

/// A field and a value of it. Concepts are numbered in the order in which they are listed: by field, then by label.
#[derive(Clone, Debug)]
pub struct Concept {
    /// The field.
    pub field: Field,
    /// The value as it is written.
    pub label: Box<str>,
}

/// All concepts that an extractor can find.
#[derive(Debug, Default)]
pub struct Concepts {
    list: Vec<Concept>,
    idf: Vec<f64>,
    /// Items of all concepts, one after the other, and where each concept's begin.
    items: Vec<u32>,
    starts: Vec<usize>,
}

impl Concepts {
    /// Takes concepts in their order, each with its items in ascending order.
    pub(crate) fn new(concepts: Vec<(Concept, Vec<u32>)>, items: usize) -> Concepts {
        let mut out = Concepts { starts: vec![0], ..Concepts::default() };
        out.list.reserve_exact(concepts.len());
        for (concept, mut of) in concepts {
            of.dedup();
            out.idf.push(idf(items, of.len()));
            out.list.push(concept);
            out.items.extend(of);
            out.starts.push(out.items.len());
        }
        out
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A concept.
    pub fn get(&self, concept: u32) -> &Concept {
        &self.list[concept as usize]
    }

    /// How rare a concept is.
    pub fn idf(&self, concept: u32) -> f64 {
        self.idf[concept as usize]
    }

    /// The items that have a concept, in ascending order.
    pub fn items(&self, concept: u32) -> &[u32] {
        &self.items[self.starts[concept as usize]..self.starts[concept as usize + 1]]
    }

    /// Whether an item has a concept.
    pub fn has(&self, item: u32, concept: u32) -> bool {
        self.items(concept).binary_search(&item).is_ok()
    }

    /// The concept as `field=label`.
    pub fn text(&self, concept: u32) -> String {
        let Concept { field, label } = self.get(concept);
        format!("{}={label}", field.name())
    }

    /// The concept with a field and a label.
    pub(crate) fn find(&self, field: Field, label: &str) -> Option<u32> {
        let place = self.list.binary_search_by(|concept| (concept.field, &*concept.label).cmp(&(field, label)));
        place.ok().map(|place| place as u32)
    }
}

/// Gives how rare a concept is that `having` of all items have.
///
/// ```math
/// idf = ln((1 + N) / (1 + df)) + 1
/// ```
///
/// N is the number of items, df of those with the concept. Source: specification, section 3.
pub(crate) fn idf(items: usize, having: usize) -> f64 {
    libm::log((1 + items) as f64 / (1 + having) as f64) + 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarity_by_hand() {
        // Section 14: four items; df 1 ln(5/2) + 1, df 2 ln(5/3) + 1, df 3 ln(5/4) + 1.
        for (df, expected) in [(1, 1.916_291), (2, 1.510_826), (3, 1.223_144)] {
            assert!((idf(4, df) - expected).abs() < 5e-7);
        }
        assert_eq!(idf(4, 4), 1.0);
    }

    #[test]
    fn concepts_know_their_items() {
        let concept = |label: &str| Concept { field: Field::Genre, label: label.into() };
        let concepts = Concepts::new(vec![(concept("comedy"), vec![0, 1, 1]), (concept("drama"), vec![1, 2])], 3);
        assert_eq!((concepts.items(0), concepts.find(Field::Genre, "drama")), (&[0, 1][..], Some(1)));
        assert!(concepts.has(2, 1) && !concepts.has(2, 0));
        assert_eq!(concepts.text(1), "genre=drama");
    }
}

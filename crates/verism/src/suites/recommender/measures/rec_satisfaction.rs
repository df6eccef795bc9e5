//! Satisfaction: how much of the constraints the best recommended item meets.

use super::leakage::NO_STATE;
use crate::score::measure::{Measure, Undefined};
use crate::stats::sum::neumaier;
use crate::suites::recommender::catalog::concepts::Concepts;

/// The user wants nothing in particular.
pub(crate) const NO_CONSTRAINTS: Undefined = Undefined::new("no_constraints");
/// The reply names no title of the catalog.
pub(crate) const NO_TITLES: Undefined = Undefined::new("no_titles");

/// Gives the best share of the constraints, weighted by rarity, that one of the items has.
///
/// ```math
/// max over items m of Σ_{g ∈ G, m has g} idf(g) / Σ_{g ∈ G} idf(g)
/// ```
///
/// No state, no constraint, no title: undefined with that reason. Source: specification, section 6.
pub(crate) fn rec_satisfaction(
    gold: Option<&[u32]>,
    titles: usize,
    items: impl Iterator<Item = u32>,
    concepts: &Concepts,
) -> Measure {
    let gold = gold.ok_or(NO_STATE)?;
    if gold.is_empty() {
        return Err(NO_CONSTRAINTS);
    }
    if titles == 0 {
        return Err(NO_TITLES);
    }
    let all = neumaier(gold.iter().map(|concept| concepts.idf(*concept)));
    let share = |item: u32| {
        let has = gold.iter().filter(|concept| concepts.has(item, **concept));
        neumaier(has.map(|concept| concepts.idf(*concept))) / all
    };
    Ok(items.map(share).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::recommender::catalog::concepts::Concept;
    use crate::suites::recommender::catalog::field::Field;

    #[test]
    fn the_best_item_counts() {
        // By hand: idf a = ln(4/2)+1, b = ln(4/3)+1 of three items; item 0 has a alone, item 1 has b alone.
        let concept = |label: &str| Concept { field: Field::Genre, label: label.into() };
        let concepts = Concepts::new(vec![(concept("a"), vec![0]), (concept("b"), vec![1, 2])], 3);
        let (a, b) = (2_f64.ln() + 1.0, (4.0_f64 / 3.0).ln() + 1.0);
        let found = rec_satisfaction(Some(&[0, 1]), 2, [0, 1].into_iter(), &concepts).expect("a value");
        assert!((found - a / (a + b)).abs() < 1e-12);
        assert_eq!(rec_satisfaction(None, 1, [].into_iter(), &concepts), Err(NO_STATE));
        assert_eq!(rec_satisfaction(Some(&[]), 1, [].into_iter(), &concepts), Err(NO_CONSTRAINTS));
        assert_eq!(rec_satisfaction(Some(&[0]), 0, [].into_iter(), &concepts), Err(NO_TITLES));
    }
}

//! State tracking: the concepts of a reply against the constraints that the simulator holds.

use serde::{Deserialize, Serialize};

use super::cc::shared;
use crate::score::measure::{EMPTY_DENOMINATOR, Measure, ratio};
use crate::suites::recommender::catalog::concepts::Concepts;

/// How a reply meets the constraints of its turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Dst {
    /// Constraints that the reply names.
    pub(crate) hits: u64,
    /// Concepts of the reply that count.
    pub(crate) predicted: u64,
    /// Constraints.
    pub(crate) gold: u64,
    pub(crate) precision: Measure,
    pub(crate) recall: Measure,
    pub(crate) f1: Measure,
    pub(crate) joint: Measure,
}

/// Compares the concepts of a reply with the constraints; concepts whose value is a constraint of another field only
/// are left out.
///
/// ```math
/// precision = |G ∩ P| / |P|,  recall = |G ∩ P| / |G|,  F1 = 2 |G ∩ P| / (|G| + |P|),  joint = [G = P]
/// ```
///
/// G are the constraints, P what the reply says. A zero denominator: undefined; joint without constraints: undefined.
/// Source: dialogue state tracking as commonly scored; specification, section 6.
pub(crate) fn dst(gold: &[u32], said: &[u32], concepts: &Concepts) -> Dst {
    let label = |concept: u32| &*concepts.get(concept).label;
    let forgiven = |concept: &u32| gold.iter().any(|constraint| label(*constraint) == label(*concept));
    let predicted: Vec<u32> =
        said.iter().filter(|said| gold.binary_search(said).is_ok() || !forgiven(said)).copied().collect();
    let hits = shared(gold, &predicted).count() as u64;
    let (all_gold, all_predicted) = (gold.len() as u64, predicted.len() as u64);
    Dst {
        hits,
        predicted: all_predicted,
        gold: all_gold,
        precision: ratio(hits, all_predicted),
        recall: ratio(hits, all_gold),
        f1: ratio(2 * hits, all_gold + all_predicted),
        joint: if gold.is_empty() { Err(EMPTY_DENOMINATOR) } else { Ok(f64::from(gold == predicted)) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::recommender::catalog::concepts::Concept;
    use crate::suites::recommender::catalog::field::Field;

    #[test]
    fn a_value_of_another_field_is_forgiven() {
        // By hand: gold director=x; the reply says genre=g, actor=x, director=x: P = {genre=g, director=x}.
        let concept = |field, label: &str| (Concept { field, label: label.into() }, vec![0]);
        let concepts = Concepts::new(
            vec![concept(Field::Genre, "g"), concept(Field::Actor, "x"), concept(Field::Director, "x")],
            1,
        );
        let found = dst(&[2], &[0, 1, 2], &concepts);
        assert_eq!((found.hits, found.predicted, found.gold), (1, 2, 1));
        assert_eq!((found.precision, found.recall, found.f1, found.joint), (Ok(0.5), Ok(1.0), Ok(2.0 / 3.0), Ok(0.0)));
        let empty = dst(&[], &[], &concepts);
        assert_eq!((empty.f1, empty.joint), (Err(EMPTY_DENOMINATOR), Err(EMPTY_DENOMINATOR)));
    }
}

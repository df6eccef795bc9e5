//! CR: context retention, the angle between what user and reply speak of, rare concepts weighing more.

use super::cc::EMPTY_UNION;
use crate::score::measure::Measure;
use crate::stats::sum::neumaier;
use crate::suites::recommender::catalog::concepts::Concepts;

/// Concepts with how many turns name them, in order.
pub(crate) type Counts = Vec<(u32, u32)>;

/// A set as counts of one.
pub(crate) fn once(set: &[u32]) -> Counts {
    set.iter().map(|&concept| (concept, 1)).collect()
}

/// Gives the cosine of the weighted vectors of both sides.
///
/// ```math
/// CR = φ(U)·φ(S) / (‖φ(U)‖ ‖φ(S)‖),  φ(x)_c = count(c) · idf(c)
/// ```
///
/// In a turn every count is 1; in a segment it is the number of turns that name the concept. Both zero: undefined
/// `empty_union`; one zero: 0; equal vectors: exactly 1; capped at 1. Sums in the order of concepts, compensated.
/// Source: the published specification of TAS.
pub(crate) fn cr(user: &[(u32, u32)], system: &[(u32, u32)], concepts: &Concepts) -> Measure {
    match (user.is_empty(), system.is_empty()) {
        (true, true) => return Err(EMPTY_UNION),
        (true, false) | (false, true) => return Ok(0.0),
        (false, false) if user == system => return Ok(1.0),
        (false, false) => {}
    }
    let weight = |&(concept, count): &(u32, u32)| f64::from(count) * concepts.idf(concept);
    let norm = |side: &[(u32, u32)]| neumaier(side.iter().map(|x| weight(x) * weight(x))).sqrt();
    let other = |concept: u32| system.binary_search_by_key(&concept, |x| x.0).ok().map(|place| &system[place]);
    let dot = neumaier(user.iter().filter_map(|x| Some(weight(x) * weight(other(x.0)?))));
    Ok((dot / (norm(user) * norm(system))).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::recommender::catalog::concepts::Concept;
    use crate::suites::recommender::catalog::field::Field;

    /// Concepts of four items, of which each concept has so many.
    fn concepts(df: &[usize]) -> Concepts {
        let concept = |n: usize| Concept { field: Field::Genre, label: format!("{n}").into() };
        let list = df.iter().enumerate().map(|(n, df)| (concept(n), (0..*df as u32).collect())).collect();
        Concepts::new(list, 4)
    }

    #[test]
    fn examples_of_the_specification() {
        // Example 1: all df 2, 1/(√2·√3). Example 2: 1.916291/√(1.916291² + 1.223144²), which is 0.842926 (the
        // specification prints 0.842943). Example 4: 3/(√2·√5).
        let equal = concepts(&[2, 2, 2, 2]);
        let close = |measure: Measure, expected: f64| (measure.expect("a value") - expected).abs() < 5e-7;
        assert!(close(cr(&once(&[0, 1]), &once(&[0, 2, 3]), &equal), 0.408_248));
        assert!(close(cr(&once(&[0, 1]), &once(&[0]), &concepts(&[1, 3])), 0.842_926));
        assert!(close(cr(&[(0, 1), (1, 1)], &[(0, 2), (1, 1)], &equal), 0.948_683));
    }

    #[test]
    fn nothing_on_a_side() {
        let some = concepts(&[1, 2]);
        assert_eq!(cr(&[], &[], &some), Err(EMPTY_UNION));
        assert_eq!(cr(&once(&[0]), &[], &some), Ok(0.0));
        assert_eq!(cr(&once(&[0, 1]), &once(&[0, 1]), &some), Ok(1.0));
    }
}

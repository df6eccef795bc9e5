//! CC: cross-coherence, how far user and reply speak of the same.

use crate::score::measure::{Measure, Undefined};

/// Neither side has a concept.
pub(crate) const EMPTY_UNION: Undefined = Undefined::new("empty_union");

/// Gives the share of concepts that both sides have.
///
/// ```math
/// CC = |E(U) ∩ E(S)| / |E(U) ∪ E(S)|
/// ```
///
/// U is what the user said, S the reply; both sets are in order. Empty union: undefined `empty_union`.
/// Source: the published specification of TAS; P. Jaccard (1901).
pub(crate) fn cc(user: &[u32], system: &[u32]) -> Measure {
    let shared = shared(user, system).count();
    match user.len() + system.len() - shared {
        0 => Err(EMPTY_UNION),
        union => Ok(shared as f64 / union as f64),
    }
}

/// What two sets in order share, in order.
pub(crate) fn shared<'a>(a: &'a [u32], b: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut rest = b;
    a.iter().copied().filter(move |x| {
        while let Some((first, after)) = rest.split_first()
            && first < x
        {
            rest = after;
        }
        rest.first() == Some(x)
    })
}

/// What the first of two sets in order has and the second has not, in order.
pub(crate) fn without<'a>(a: &'a [u32], b: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    a.iter().copied().filter(move |x| b.binary_search(x).is_err())
}

/// Both sets together, in order.
pub(crate) fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out: Vec<u32> = a.iter().chain(b).copied().collect();
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_of_four() {
        // Example 1 of the specification: {comedy, ada lark} and {comedy, cy rowe, 2001}.
        assert_eq!(cc(&[1, 2], &[1, 3, 4]), Ok(0.25));
        assert_eq!(cc(&[], &[]), Err(EMPTY_UNION));
        assert_eq!(cc(&[1], &[]), Ok(0.0));
    }

    proptest! {
        #[test]
        fn symmetric_and_between_nothing_and_all(
            a in prop::collection::btree_set(0_u32..9, 0..6), b in prop::collection::btree_set(0_u32..9, 0..6),
        ) {
            let (a, b): (Vec<u32>, Vec<u32>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert_eq!(cc(&a, &b), cc(&b, &a));
            if let Ok(value) = cc(&a, &b) {
                prop_assert!((0.0..=1.0).contains(&value) && (value == 1.0) == (a == b));
            }
        }
    }
}

//! `H_norm`: how varied choices are.

use super::ground::Ground;
use super::pack::{Pack, Scheme};
use super::tally::{Core, First};
use crate::score::Measure;
use crate::score::measure::{EMPTY_DENOMINATOR, NOT_APPLICABLE};
use crate::stats::entropy::{entropy_bits, plogp_bits};

/// What a scheme makes of counted labels.
#[derive(Debug, PartialEq)]
pub(super) struct Diversity {
    /// Entropy in bits; none without a labelled row.
    pub(super) bits: Option<f64>,
    /// Labelled rows.
    pub(super) n: u64,
    /// Classes that occur.
    pub(super) seen: u64,
}

/// Which labels are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labelled {
    Action,
    Intent,
}

impl Labelled {
    fn of(self, core: &Core) -> (&[u64], &[Option<First>]) {
        match self {
            Labelled::Action => (&core.action, &core.first_action),
            Labelled::Intent => (&core.intent, &core.first_intent),
        }
    }
}

/// Entropy over the classes of a scheme; `other` is outside every scheme.
pub(super) fn diversity(ground: &Ground<'_>, core: &Core, labelled: Labelled, scheme: &Scheme) -> Diversity {
    let (counts, first) = labelled.of(core);
    let mut classes = vec![0; scheme.k];
    for (count, &class) in counts.iter().zip(&scheme.class_of) {
        classes[class] += count;
    }
    let n = classes.iter().sum();
    let bits = if ground.v6 { v6_bits(ground.pack, &classes, n, scheme, first) } else { entropy_bits(&classes) };
    Diversity { bits, n, seen: classes.iter().filter(|&&count| count > 0).count() as u64 }
}

/// The normalised entropy of the labels of active rows.
///
/// ```math
/// H_{norm} = \min(1, -\sum_c p_c \log_2 p_c / \log_2 k)
/// ```
/// over the k classes of the scheme. Undefined with fewer than two classes or without a labelled active row.
/// Source: WRR v6 metric calculation spec.
pub(super) fn h_norm(ground: &Ground<'_>, core: &Core, labelled: Labelled, scheme: &Scheme) -> Measure {
    let bits = diversity(ground, core, labelled, scheme).bits;
    let k = libm::log2(scheme.k as f64);
    if ground.v6 {
        return Ok(bits.map_or(0.0, |bits| bits / k));
    }
    if scheme.k < 2 {
        return Err(NOT_APPLICABLE);
    }
    if let Some(why) = ground.lost() {
        return Err(why);
    }
    bits.map(|bits| (bits / k).min(1.0)).ok_or(EMPTY_DENOMINATOR)
}

/// Variety of the feasible: `H_norm` discounted by the share of the impossible.
///
/// ```math
/// EHE = H_{norm} (1 - R_H)
/// ```
/// Undefined if either is. Source: WRR v6 metric calculation spec.
pub(super) fn ehe(h_norm: &Measure, r_h: &Measure) -> Measure {
    Ok(h_norm.clone()? * (1.0 - r_h.clone()?))
}

/// The published program's sum: terms subtracted in order of first appearance, not compensated. Where `both` is merged,
/// its rows come last if no row was an elevation in its own right.
fn v6_bits(pack: &Pack, classes: &[u64], n: u64, scheme: &Scheme, first: &[Option<First>]) -> Option<f64> {
    let other = usize::from(pack.other());
    let labels: Vec<usize> = Core::order(first).into_iter().filter(|&label| label != other).collect();
    let mut order: Vec<usize> = vec![];
    for &label in &labels {
        if !order.contains(&scheme.class_of[label]) {
            order.push(scheme.class_of[label]);
        }
    }
    let named = |name: &str| pack.actions.iter().position(|action| action.id == name);
    let (elevation, both) = (named("elevation")?, named("both")?);
    if let Some(class) = scheme.named_class[elevation]
        && order.contains(&class)
    {
        if !labels.contains(&elevation) {
            order.retain(|&c| c != class);
            order.push(class);
        } else if scheme.id == "k4" {
            let own = labels.iter().filter(|&&label| label != both).filter_map(|&label| scheme.named_class[label]);
            order = own.collect();
        }
    }
    if n == 0 {
        return None;
    }
    Some(order.iter().filter(|&&class| classes[class] > 0).fold(0.0, |h, &class| h - plogp_bits(classes[class], n)))
}

#[cfg(test)]
mod tests {
    use super::super::pack::FLOOD;
    use super::super::tally::Tally;
    use super::*;

    fn flood() -> Pack {
        Pack::parse(FLOOD, "flood.toml").expect("a sound pack")
    }

    fn tally(pack: &Pack, action: [u64; 6]) -> Tally {
        let mut tally = Tally::new(pack, false);
        tally.rows = action.iter().sum();
        tally.core.active = tally.rows;
        tally.core.action = action.to_vec();
        tally.state_filled = vec![tally.rows; 3];
        tally
    }

    #[test]
    fn worked_by_hand() {
        let pack = flood();
        let of = |action, scheme: usize| {
            let tally = tally(&pack, action);
            let ground = Ground::of(&pack, &tally, false);
            h_norm(&ground, &tally.core, Labelled::Action, &pack.schemes[scheme])
        };
        assert_eq!(of([1, 1, 1, 1, 1, 0], 0), Ok(1.0));
        // Merged 0.2, 0.2, 0.4, 0.2: 1.921928094887362 bits of 2 (specification, section 14).
        assert!((of([1, 1, 1, 1, 1, 0], 1).expect("defined") - 0.960_964_047_443_681).abs() < 1e-15);
        // One bit over the two labelled rows: 1 / log2 5.
        assert!((of([1, 1, 0, 0, 0, 2], 0).expect("defined") - 0.430_676_558_073_393).abs() < 1e-15);
        assert_eq!(of([0, 0, 0, 0, 0, 3], 0), Err(EMPTY_DENOMINATOR));
    }

    #[test]
    fn the_impossible_discounts_variety() {
        assert_eq!(ehe(&Ok(0.75), &Ok(0.25)), Ok(0.5625));
        assert_eq!(ehe(&Ok(0.75), &Err(NOT_APPLICABLE)), Err(NOT_APPLICABLE));
    }
}

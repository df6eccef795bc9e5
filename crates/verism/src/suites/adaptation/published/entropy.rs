//! Entropy as the published program adds it up.

use crate::stats::entropy::plogp_bits;
use crate::suites::adaptation::judge::tally::{FirstSeen, RowTally};
use crate::suites::adaptation::pack::{Pack, Scheme};

/// The entropy of counted classes in bits: terms are subtracted in order of first appearance, without compensation.
///
/// Where `both` is merged into `elevation`, its rows come last if no row was an elevation in its own right. None without a
/// row.
pub(crate) fn bits(pack: &Pack, scheme: &Scheme, classes: &[u64], first: &[Option<FirstSeen>]) -> Option<f64> {
    let n = classes.iter().sum();
    let other = usize::from(pack.other());
    let labels: Vec<usize> = RowTally::order(first).into_iter().filter(|&label| label != other).collect();
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
    use super::*;
    use crate::suites::adaptation::pack::FLOOD;

    #[test]
    fn nothing_has_no_entropy_and_two_equal_classes_have_one_bit() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let scheme = &pack.schemes[0];
        let mut first: Vec<Option<FirstSeen>> = vec![None; 6];
        assert_eq!(bits(&pack, scheme, &[0; 5], &first), None);
        first[0] = Some(("a".into(), 2, 0, 1));
        first[1] = Some(("a".into(), 1, 0, 1));
        // By hand: two classes of one row each are one bit, in whatever order they are added.
        assert_eq!(bits(&pack, scheme, &[1, 1, 0, 0, 0], &first), Some(1.0));
    }
}

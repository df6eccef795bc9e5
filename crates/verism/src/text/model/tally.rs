//! How often each key came, in memory that grows with the different keys.

/// Counts of keys. New keys wait in a list; a full list is sorted and added to the counts.
#[derive(Clone, Debug)]
pub(super) struct Tally<K> {
    waiting: Vec<K>,
    counted: Vec<(K, u64)>,
}

/// Keys that wait at least before they are sorted.
const LEAST: usize = 1 << 17;

impl<K> Default for Tally<K> {
    fn default() -> Self {
        Tally { waiting: vec![], counted: vec![] }
    }
}

impl<K: Ord + Copy> Tally<K> {
    /// Counts a key; all keys that wait have the same weight.
    pub(super) fn add(&mut self, key: K, weight: u64) {
        if self.waiting.len() >= LEAST.max(self.counted.len()) {
            self.settle(weight);
        }
        self.waiting.push(key);
    }

    /// Adds the keys that wait to the counts, in the memory of the counts.
    pub(super) fn settle(&mut self, weight: u64) {
        let Tally { waiting, counted } = self;
        waiting.sort_unstable();
        let Some(&any) = waiting.first() else { return };
        let mut from = counted.len();
        let mut to = from + new_keys(waiting, counted);
        counted.resize(to, (any, 0));
        // From the end, so that nothing is overwritten before it has moved.
        for same in waiting.chunk_by(|a, b| a == b).rev() {
            let mut sum = (same[0], same.len() as u64 * weight);
            while from > 0 && counted[from - 1].0 > sum.0 {
                (from, to) = (from - 1, to - 1);
                counted[to] = counted[from];
            }
            if from > 0 && counted[from - 1].0 == sum.0 {
                from -= 1;
                sum.1 = sum.1.saturating_add(counted[from].1);
            }
            to -= 1;
            counted[to] = sum;
        }
        waiting.clear();
    }

    /// The keys in order with their counts.
    pub(super) fn into_counts(self) -> Vec<(K, u64)> {
        debug_assert!(self.waiting.is_empty(), "settled before");
        self.counted
    }
}

/// How many different keys of a sorted list have no count yet.
fn new_keys<K: Ord>(sorted: &[K], counted: &[(K, u64)]) -> usize {
    let mut rest = counted.iter().peekable();
    let is_new = |same: &&[K]| {
        while rest.next_if(|(key, _)| *key < same[0]).is_some() {}
        rest.next_if(|(key, _)| *key == same[0]).is_none()
    };
    sorted.chunk_by(|a, b| a == b).filter(is_new).count()
}

/// Two lists of counts in the order of their keys as one.
pub(super) fn added<K: Ord + Copy>(a: &[(K, u64)], b: &[(K, u64)]) -> Vec<(K, u64)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let order = x.0.cmp(&y.0);
        let count = match order {
            std::cmp::Ordering::Less => *x,
            std::cmp::Ordering::Greater => *y,
            std::cmp::Ordering::Equal => (x.0, x.1.saturating_add(y.1)),
        };
        out.push(count);
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_are_counted_with_their_weight() {
        let mut tally = Tally::default();
        for key in [3, 1, 3] {
            tally.add(key, 2);
        }
        tally.settle(2);
        tally.add(3, 1);
        tally.settle(1);
        tally.settle(9);
        assert_eq!(tally.into_counts(), [(1, 2), (3, 5)]);
    }

    proptest! {
        #[test]
        fn settling_now_and_then_changes_nothing(keys in prop::collection::vec((0_u8..9, any::<bool>()), 0..60)) {
            let mut tally = Tally::default();
            let mut expected: BTreeMap<u8, u64> = BTreeMap::new();
            for (key, settle) in keys {
                tally.add(key, 3);
                *expected.entry(key).or_default() += 3;
                if settle {
                    tally.settle(3);
                }
            }
            tally.settle(3);
            prop_assert_eq!(tally.into_counts(), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn sums_of_lists_keep_the_order() {
        assert_eq!(added(&[(1, 1), (4, 1)], &[(0, 2), (4, 5), (9, 1)]), [(0, 2), (1, 1), (4, 6), (9, 1)]);
        assert_eq!(added::<u8>(&[], &[]), []);
    }
}

//! The best one-to-one assignment of order lines.

use crate::suites::guest::record::order::{Name, common};

/// Lines of one kind on one side: their modifiers and how many there are, one at least.
pub(crate) type Kind<'k> = (&'k [Name], u64);

/// Some lines of a kind paired with as many of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) have: usize,
    pub(crate) want: usize,
    pub(crate) count: u64,
}

/// A node of the flow: a kind of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Have(usize),
    Want(usize),
}

/// Pairs as many lines as possible so that the sum of (1 + common modifiers) is largest.
///
/// The largest flow of largest gain, built up along best augmenting paths; its cost depends on the number of kinds, not
/// on their counts.
pub(crate) fn assign(have: &[Kind<'_>], want: &[Kind<'_>]) -> Vec<Pair> {
    // Most often there is nothing to choose from.
    match (have, want) {
        ([], _) | (_, []) => return vec![],
        ([(_, left)], [(_, room)]) => return vec![Pair { have: 0, want: 0, count: *left.min(room) }],
        _ => {}
    }
    let gain: Vec<Vec<i64>> =
        have.iter().map(|(a, _)| want.iter().map(|(b, _)| 1 + common(a, b) as i64).collect()).collect();
    let mut flow = vec![vec![0_u64; want.len()]; have.len()];
    let mut left: Vec<u64> = have.iter().map(|(_, count)| *count).collect();
    let mut room: Vec<u64> = want.iter().map(|(_, count)| *count).collect();
    while let Some(path) = best_path(&gain, &flow, &left, &room) {
        let step = |pair: &[Node]| match (pair[0], pair[1]) {
            (Node::Want(b), Node::Have(a)) => flow[a][b],
            _ => u64::MAX,
        };
        let (Some(&Node::Have(first)), Some(&Node::Want(last))) = (path.first(), path.last()) else { break };
        let most = path.windows(2).map(step).min().unwrap_or(0).min(left[first]).min(room[last]);
        for pair in path.windows(2) {
            match (pair[0], pair[1]) {
                (Node::Have(a), Node::Want(b)) => flow[a][b] += most,
                (Node::Want(b), Node::Have(a)) => flow[a][b] -= most,
                _ => {}
            }
        }
        left[first] -= most;
        room[last] -= most;
    }
    let pairs = flow.iter().enumerate().flat_map(|(a, row)| row.iter().enumerate().map(move |(b, n)| (a, b, *n)));
    pairs.filter(|(_, _, count)| *count > 0).map(|(have, want, count)| Pair { have, want, count }).collect()
}

/// The path of largest gain from a kind with lines left to one with room, over lines paired so far backwards.
fn best_path(gain: &[Vec<i64>], flow: &[Vec<u64>], left: &[u64], room: &[u64]) -> Option<Vec<Node>> {
    let mut to_have: Vec<Option<i64>> = left.iter().map(|left| (*left > 0).then_some(0)).collect();
    let mut to_want: Vec<Option<i64>> = vec![None; room.len()];
    let mut before_have: Vec<Option<usize>> = vec![None; left.len()];
    let mut before_want: Vec<Option<usize>> = vec![None; room.len()];
    // No cycle gains anything, so that the rounds end.
    loop {
        let mut changed = false;
        for a in 0..left.len() {
            for b in 0..room.len() {
                let forth = to_have[a].map(|here| here + gain[a][b]);
                if forth.is_some() && forth > to_want[b] {
                    (to_want[b], before_want[b], changed) = (forth, Some(a), true);
                }
                let back = to_want[b].filter(|_| flow[a][b] > 0).map(|here| here - gain[a][b]);
                if back.is_some() && back > to_have[a] {
                    (to_have[a], before_have[a], changed) = (back, Some(b), true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    let ends = (0..room.len()).filter(|b| room[*b] > 0 && to_want[*b].is_some());
    let mut want = ends.max_by_key(|b| (to_want[*b], std::cmp::Reverse(*b)))?;
    let mut path = vec![Node::Want(want)];
    while let Some(have) = before_want[want] {
        path.push(Node::Have(have));
        let Some(back) = before_have[have] else { break };
        path.push(Node::Want(back));
        want = back;
    }
    path.reverse();
    Some(path)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gain(have: &[Kind<'_>], want: &[Kind<'_>]) -> u64 {
        let one = |pair: &Pair| pair.count * (1 + common(have[pair.have].0, want[pair.want].0) as u64);
        assign(have, want).iter().map(one).sum()
    }

    #[test]
    fn the_better_pairing_is_found() {
        // Worked example 6 of the specification: tofu 0, egg 1, kimchi 2.
        let (have, want): ([Kind<'_>; 2], [Kind<'_>; 2]) = ([(&[0], 1), (&[1, 2], 1)], [(&[1], 1), (&[0, 1], 1)]);
        assert_eq!(gain(&have, &want), 4);
        assert_eq!(gain(&[], &want), 0);
    }

    /// The best sum by trying every pairing of unit lines.
    fn by_trial(have: &[&[Name]], want: &mut Vec<&[Name]>) -> u64 {
        let Some((first, rest)) = have.split_first() else { return 0 };
        let mut best = by_trial(rest, want);
        for i in 0..want.len() {
            let chosen = want.remove(i);
            best = best.max(1 + common(first, chosen) as u64 + by_trial(rest, want));
            want.insert(i, chosen);
        }
        best
    }

    proptest! {
        #[test]
        fn no_pairing_is_better(
            have in prop::collection::btree_map(prop::collection::btree_set(0..4_u32, 0..4), 1..3_u64, 0..3),
            want in prop::collection::btree_map(prop::collection::btree_set(0..4_u32, 0..4), 1..3_u64, 0..3),
        ) {
            let flat = |side: &std::collections::BTreeMap<std::collections::BTreeSet<u32>, u64>| -> Vec<(Vec<u32>, u64)> {
                side.iter().map(|(set, count)| (set.iter().copied().collect(), *count)).collect()
            };
            let (have, want) = (flat(&have), flat(&want));
            let have: Vec<Kind<'_>> = have.iter().map(|(set, count)| (set.as_slice(), *count)).collect();
            let want: Vec<Kind<'_>> = want.iter().map(|(set, count)| (set.as_slice(), *count)).collect();
            let single = |side: &[(&'_ [u32], u64)]| -> Vec<Vec<u32>> {
                side.iter().flat_map(|(set, count)| vec![set.to_vec(); *count as usize]).collect()
            };
            let (a, b) = (single(&have), single(&want));
            let a: Vec<&[u32]> = a.iter().map(Vec::as_slice).collect();
            let mut b: Vec<&[u32]> = b.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(gain(&have, &want), by_trial(&a, &mut b));
        }
    }

    #[test]
    fn large_counts_and_many_kinds_do_not_stall() {
        let sets: Vec<Vec<Name>> = (0..100).map(|i| vec![i, 200 + i % 7]).collect();
        let have: Vec<Kind<'_>> = sets.iter().map(|set| (set.as_slice(), 999)).collect();
        let shifted: Vec<Vec<Name>> = (0..100).map(|i| vec![(i + 1) % 100, 200 + i % 5]).collect();
        let want: Vec<Kind<'_>> = shifted.iter().map(|set| (set.as_slice(), 998)).collect();
        // Every line finds its own number (2); how many share the second modifier too is left open.
        assert!(gain(&have, &want) >= 100 * 998 * 2);
    }
}

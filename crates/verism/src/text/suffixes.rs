//! The suffixes of texts in order, and how far neighbours in that order agree.

/// All suffixes of some texts, sorted.
///
/// A suffix ends with its text; one that is the beginning of another comes first, equal ones come by their places.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Suffixes {
    /// Places of the tokens that the suffixes begin with.
    pub(super) order: Vec<u32>,
    /// Of each suffix in this order how many tokens it begins with as the one before it; 0 for the first.
    pub(super) common: Vec<u32>,
    /// How many places were sorted in all rounds together: at most the tokens times the logarithm of the longest
    /// repeated run, plus one.
    pub(super) sorted: usize,
}

impl Suffixes {
    /// Sorts the suffixes of texts that stand one after the other in `tokens`, each up to its place in `ends`.
    ///
    /// Round by round twice as many tokens are compared, by the ranks that the round before gave.
    /// Source: N. J. Larsson and K. Sadakane, Theoretical Computer Science 387 (2007).
    pub(super) fn of(tokens: &[u32], ends: &[u32]) -> Suffixes {
        let end_of = end_of_each(tokens.len(), ends);
        // Ranks are places in the order, counted from 1: the first of all suffixes that are not told apart yet.
        let mut rank = vec![0_u32; tokens.len()];
        let mut order: Vec<(u32, u32)> = (0..).zip(tokens).map(|(at, token)| (*token, at)).collect();
        let mut open = vec![];
        let mut sorted = order.len();
        refine(&mut order, 0, &mut rank, |_| true, &mut open);
        let mut reach = 1_usize;
        while !open.is_empty() {
            let mut next = vec![];
            for (start, end) in open {
                let group = &mut order[start..end];
                sorted += group.len();
                for (key, at) in group.iter_mut() {
                    let further = *at as usize + reach;
                    *key = if further < end_of[*at as usize] as usize { rank[further] } else { 0 };
                }
                // Those that have ended are told apart by nothing but their places.
                refine(group, start, &mut rank, |key| key > 0, &mut next);
            }
            open = next;
            reach *= 2;
        }
        let order: Vec<u32> = order.into_iter().map(|(_, at)| at).collect();
        let common = common(tokens, &end_of, &order);
        Suffixes { order, common, sorted }
    }
}

/// For each token the end of its text.
fn end_of_each(tokens: usize, ends: &[u32]) -> Vec<u32> {
    let mut all = Vec::with_capacity(tokens);
    ends.iter().for_each(|end| all.resize(*end as usize, *end));
    all
}

/// Sorts suffixes that agree so far by their keys and places; those that still agree and may yet differ are noted.
fn refine(
    group: &mut [(u32, u32)],
    start: usize,
    rank: &mut [u32],
    goes_on: impl Fn(u32) -> bool,
    open: &mut Vec<(usize, usize)>,
) {
    group.sort_unstable();
    let mut first = start;
    for same in group.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|(_, at)| rank[*at as usize] = first as u32 + 1);
        if same.len() > 1 && goes_on(same[0].0) {
            open.push((first, first + same.len()));
        }
        first += same.len();
    }
}

/// How many tokens each suffix shares with the one before it: a suffix without its first token shares at most one less.
///
/// Source: T. Kasai et al., Combinatorial Pattern Matching 2001.
fn common(tokens: &[u32], end_of: &[u32], order: &[u32]) -> Vec<u32> {
    let mut place = vec![0_u32; order.len()];
    (0..).zip(order).for_each(|(i, at)| place[*at as usize] = i);
    let mut common = vec![0_u32; order.len()];
    let mut shared = 0_usize;
    for at in 0..order.len() {
        let i = place[at] as usize;
        let Some(before) = i.checked_sub(1).map(|i| order[i] as usize) else {
            shared = 0;
            continue;
        };
        let most = (end_of[at] as usize - at).min(end_of[before] as usize - before);
        while shared < most && tokens[at + shared] == tokens[before + shared] {
            shared += 1;
        }
        common[i] = shared as u32;
        shared = if at + 1 == end_of[at] as usize { 0 } else { shared.saturating_sub(1) };
    }
    common
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn joined(texts: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
        let mut ends = vec![];
        let mut tokens = vec![];
        for text in texts {
            tokens.extend(text);
            ends.push(tokens.len() as u32);
        }
        (tokens, ends)
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_the_suffixes_themselves(
            texts in prop::collection::vec(prop::collection::vec(0_u32..3, 0..9), 0..6)
        ) {
            let (tokens, ends) = joined(&texts);
            let end_of = end_of_each(tokens.len(), &ends);
            let suffix = |at: u32| &tokens[at as usize..end_of[at as usize] as usize];
            let mut order: Vec<u32> = (0..tokens.len() as u32).collect();
            order.sort_by(|a, b| suffix(*a).cmp(suffix(*b)).then(a.cmp(b)));
            let found = Suffixes::of(&tokens, &ends);
            prop_assert_eq!(&found.order, &order);
            for i in 1..order.len() {
                let both = suffix(order[i - 1]).iter().zip(suffix(order[i]));
                prop_assert_eq!(found.common[i] as usize, both.take_while(|(a, b)| a == b).count());
            }
        }
    }

    #[test]
    fn the_work_grows_with_the_logarithm_of_what_repeats() {
        // Two texts of n equal tokens, and one text twice: every suffix agrees with another for up to n tokens. Order
        // by order that would be n² places; in rounds it is at most 2n each, and log₂ n rounds and two more.
        for n in [1_000_usize, 8_000] {
            let rounds = n.ilog2() as usize + 2;
            let same = vec![7; n];
            let rising: Vec<u32> = (0..n as u32).collect();
            for text in [same, rising] {
                let (tokens, ends) = joined(&[text.clone(), text]);
                let found = Suffixes::of(&tokens, &ends);
                assert!(found.sorted <= 2 * n * rounds, "{} places for {n} tokens", found.sorted);
                assert_eq!(found.common.iter().max(), Some(&(n as u32)));
            }
        }
    }
}

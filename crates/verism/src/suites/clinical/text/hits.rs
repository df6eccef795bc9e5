//! Phrases found in a text, list by list.

use super::list::{ALL, LISTS, List, Order};

/// A phrase found: its span and its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) place: u32,
}

impl Hit {
    pub(crate) fn span(self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// Whether it shares a character with a span.
    pub(crate) fn overlaps(self, start: usize, end: usize) -> bool {
        (self.start as usize) < end && start < self.end as usize
    }
}

/// The hits in a text, by list.
#[derive(Debug)]
pub(crate) struct Hits {
    lists: [Vec<Hit>; LISTS],
    /// Runs without spaces: start, end, and the number under which the matcher's memory knows it.
    pub(crate) tokens: Vec<(u32, u32, u32)>,
    /// Words and phrases that were looked at, so that tests can count.
    pub(crate) steps: u64,
}

impl Default for Hits {
    fn default() -> Self {
        Hits { lists: std::array::from_fn(|_| vec![]), tokens: vec![], steps: 0 }
    }
}

impl Hits {
    /// Forgets the last text.
    pub(super) fn clear(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
        self.tokens.clear();
        self.steps = 0;
    }

    /// Adds a hit to a list.
    pub(super) fn add(&mut self, list: List, hit: Hit) {
        self.lists[list as usize].push(hit);
    }

    /// Brings every list into its order.
    pub(super) fn sort(&mut self) {
        for (list, hits) in ALL.iter().zip(&mut self.lists) {
            sort_list(hits, list.order());
        }
    }

    pub(crate) fn of(&self, list: List) -> &[Hit] {
        &self.lists[list as usize]
    }

    /// Those of a list sorted by start that start in a range.
    pub(crate) fn starting(&self, list: List, from: usize, to: usize) -> &[Hit] {
        debug_assert_eq!(list.order(), Order::Start);
        let hits = self.of(list);
        let first = hits.partition_point(|hit| (hit.start as usize) < from);
        let rest = &hits[first..];
        &rest[..rest.partition_point(|hit| (hit.start as usize) < to)]
    }

    /// Those of a list sorted by end that end in a range, the upper bound included.
    pub(crate) fn ending(&self, list: List, from: usize, to: usize) -> &[Hit] {
        debug_assert_eq!(list.order(), Order::End);
        let hits = self.of(list);
        let first = hits.partition_point(|hit| (hit.end as usize) < from);
        let rest = &hits[first..];
        &rest[..rest.partition_point(|hit| hit.end as usize <= to)]
    }

    /// For each phrase of a list sorted by place its first hit inside a range, in the order of the list.
    pub(crate) fn first_inside(&self, list: List, from: usize, to: usize) -> impl Iterator<Item = Hit> {
        debug_assert_eq!(list.order(), Order::Place);
        let mut rest = self.of(list);
        std::iter::from_fn(move || {
            while let Some(first) = rest.first() {
                let (group, others) = rest.split_at(rest.partition_point(|hit| hit.place == first.place));
                rest = others;
                let inside = group.partition_point(|hit| (hit.start as usize) < from);
                if let Some(hit) = group.get(inside).filter(|hit| hit.end as usize <= to) {
                    return Some(*hit);
                }
            }
            None
        })
    }
}

/// Sorts the hits of a list; they come nearly in the order of their starts.
fn sort_list(list: &mut [Hit], order: Order) {
    let key = |hit: &Hit| match order {
        Order::Start => (hit.start, u32::MAX - hit.end, hit.place),
        Order::End => (hit.end, hit.place, hit.start),
        Order::Place => (hit.place, hit.start, hit.end),
    };
    if !list.is_sorted_by_key(key) {
        list.sort_by_key(key);
    }
}

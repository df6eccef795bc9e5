//! How many points lie at or beyond a corner on both axes, in log n steps for any corner.

/// Points on a grid, laid out as a wavelet matrix.
///
/// Points are sorted by their first coordinate; for each bit of the second one, from the highest, those without the bit are moved
/// before those with it, and counts of the former tell where any stretch of points went.
/// Source: F. Claude, G. Navarro, G. Ordóñez, Inf. Syst. 47 (2015) 15.
pub(super) struct Dominance {
    /// For each value of the first coordinate how many points are before it, and all of them after the last.
    starts: Vec<usize>,
    /// For each bit, from the highest: how many of the points before a place are without it.
    zeros: Vec<Vec<u32>>,
}

impl Dominance {
    /// Lays out points with whole coordinates from 0 on.
    pub(super) fn of(first: &[usize], second: &[usize]) -> Dominance {
        let n = first.len();
        let mut starts = vec![0; first.iter().max().map_or(0, |last| last + 1) + 1];
        first.iter().for_each(|v| starts[v + 1] += 1);
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|point| first[*point]);
        let mut line: Vec<usize> = order.into_iter().map(|point| second[point]).collect();
        let bits = usize::BITS - second.iter().max().copied().unwrap_or(0).leading_zeros();
        let mut zeros = Vec::with_capacity(bits as usize);
        for bit in (0..bits).rev() {
            let mut before = vec![0_u32; n + 1];
            for (place, v) in line.iter().enumerate() {
                before[place + 1] = before[place] + u32::from(v >> bit & 1 == 0);
            }
            zeros.push(before);
            let (without, with): (Vec<usize>, Vec<usize>) = line.iter().partition(|v| *v >> bit & 1 == 0);
            line = without;
            line.extend(with);
        }
        Dominance { starts, zeros }
    }

    /// Gives how many points have a first coordinate of at least a and a second one of at least b.
    pub(super) fn count(&self, a: usize, b: usize) -> usize {
        let n = self.starts.last().copied().unwrap_or(0);
        let (mut from, mut to) = (self.starts.get(a).copied().unwrap_or(n), n);
        if b >> self.zeros.len() > 0 {
            return 0;
        }
        let mut found = 0;
        for (level, before) in self.zeros.iter().enumerate() {
            let bit = b >> (self.zeros.len() - 1 - level) & 1;
            let (low, high) = (before[from] as usize, before[to] as usize);
            let all = before[n] as usize;
            if bit == 0 {
                // Those with the bit are beyond b.
                found += (to - from) - (high - low);
                (from, to) = (low, high);
            } else {
                (from, to) = (all + from - low, all + to - high);
            }
        }
        found + (to - from)
    }

    /// Gives Σ ([u >= a] + [u > a]) ([v >= b] + [v > b]) over the points (u, v).
    pub(super) fn weighted(&self, a: usize, b: usize) -> i128 {
        (self.count(a, b) + self.count(a + 1, b) + self.count(a, b + 1) + self.count(a + 1, b + 1)) as i128
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The counts are those of looking at every point.
        #[test]
        fn counts_by_looking(points in prop::collection::vec((0..9_usize, 0..13_usize), 0..60), a in 0..11_usize, b in 0..17_usize) {
            let (first, second): (Vec<usize>, Vec<usize>) = points.iter().copied().unzip();
            let expected = points.iter().filter(|(u, v)| *u >= a && *v >= b).count();
            prop_assert_eq!(Dominance::of(&first, &second).count(a, b), expected);
        }
    }
}

//! Seeds: one for each user.

use std::ops::RangeInclusive;

/// Most seeds of a job.
const MOST: u64 = 10_000_000;

/// Seeds as they were given; however many there are, they take no room.
#[derive(Clone, Debug)]
pub struct Seeds {
    given: String,
    ranges: Vec<RangeInclusive<u64>>,
}

impl Seeds {
    /// Reads `7`, `1..100` or `1-100` with both ends, several joined by commas, each seed once.
    pub fn parse(text: &str) -> Option<Seeds> {
        let ranges: Vec<RangeInclusive<u64>> = text.split(',').map(|part| range(part.trim())).collect::<Option<_>>()?;
        let mut sorted: Vec<(u64, u64)> = ranges.iter().map(|range| (*range.start(), *range.end())).collect();
        sorted.sort_unstable();
        let once = sorted.windows(2).all(|pair| pair[0].1 < pair[1].0);
        let few = sorted.iter().try_fold(0u64, |sum, (first, last)| sum.checked_add(last - first)?.checked_add(1));
        (once && few.is_some_and(|count| count <= MOST)).then(|| Seeds { given: text.into(), ranges })
    }

    /// As they were given.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.ranges.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// The seeds in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.ranges.iter().cloned().flatten()
    }
}

fn range(text: &str) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.split_once("..").or_else(|| text.split_once('-')).unwrap_or((text, text));
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u64>().ok().filter(|_| plain)
    };
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Option<Vec<u64>> {
        Seeds::parse(text).map(|seeds| seeds.iter().collect())
    }

    #[test]
    fn both_ends_are_included_and_each_stands_once() {
        assert_eq!(list("1..3, 7"), Some(vec![1, 2, 3, 7]));
        assert_eq!(list("4-5"), Some(vec![4, 5]));
        assert_eq!(list("9,1..2"), Some(vec![9, 1, 2]));
        assert_eq!(list(&u64::MAX.to_string()), Some(vec![u64::MAX]));
        for wrong in ["5..2", "1,1", "1..5,3..9", "x", "", "1..", "+1", "0..99999999999"] {
            assert_eq!(list(wrong), None, "{wrong}");
        }
        let whole = format!("0..{}", u64::MAX);
        assert_eq!(list(&whole), None, "as many as a number can hold, and one more");
    }

    #[test]
    fn ten_million_seeds_are_counted_not_listed() {
        assert_eq!(Seeds::parse("1..9999999,77000000").map(|seeds| seeds.count()), Some(MOST));
    }
}

//! Names of files and cells in the order that people expect.

use std::cmp::Ordering;

/// Compares two names: digit runs as numbers and before other characters, the rest by code point (`Run_2` before `Run_10`).
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut pieces_a, mut pieces_b) = (pieces(a), pieces(b));
    loop {
        let order = match (pieces_a.next(), pieces_b.next()) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(x), Some(y)) => match (is_number(x), is_number(y)) {
                (true, true) => compare_numbers(x, y),
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => x.cmp(y),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_digit())
}

/// Runs of digits and runs of other characters.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let digits = is_number(text);
        let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
        let (piece, rest) = text.split_at(end);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

fn compare_numbers(x: &str, y: &str) -> Ordering {
    let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
    x.len().cmp(&y.len()).then_with(|| x.cmp(y))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = vec!["Run_10", "Run_2", "Run_02", "run", "1", "Run_", "a1b", "a1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["1", "Run_", "Run_02", "Run_2", "Run_10", "a1", "a1b", "run"]);
    }

    proptest! {
        #[test]
        fn a_total_order(a in "[ab01_]{0,6}", b in "[ab01_]{0,6}", c in "[ab01_]{0,6}") {
            prop_assert_eq!(natural(&a, &b), natural(&b, &a).reverse());
            prop_assert_eq!(natural(&a, &b) == Ordering::Equal, a == b);
            if natural(&a, &b) != Ordering::Greater && natural(&b, &c) != Ordering::Greater {
                prop_assert_ne!(natural(&a, &c), Ordering::Greater);
            }
        }
    }
}

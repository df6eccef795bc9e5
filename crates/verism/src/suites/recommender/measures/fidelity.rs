//! Fidelity: titles of the catalog among all titles that replies name.

use super::rec_satisfaction::NO_TITLES;
use crate::score::measure::Measure;

/// Gives the share of titles that are in the catalog.
///
/// ```math
/// fidelity = titles of the catalog / all titles
/// ```
///
/// Titles are counted once per turn, without those that the user named in that turn. None: `no_titles`.
/// Source: specification, section 6.
pub(crate) fn fidelity(in_catalog: u64, off_catalog: u64) -> Measure {
    match in_catalog + off_catalog {
        0 => Err(NO_TITLES),
        all => Ok(in_catalog as f64 / all as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_of_four() {
        assert_eq!((fidelity(3, 1), fidelity(0, 2), fidelity(0, 0)), (Ok(0.75), Ok(0.0), Err(NO_TITLES)));
    }
}

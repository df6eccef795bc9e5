//! Rows that both experiments have, where a row counts only beside its partner.

use std::collections::BTreeSet;

use super::unit::{Unit, one_dialogue_each};
use crate::compare::read::names::Id;
use crate::compare::read::row::Row;

/// Rows that have a partner in the other experiment, and how many have none.
pub(crate) struct Matched {
    /// Rows of the baseline that have a partner.
    pub baseline: Vec<Row>,
    /// Rows of the experiment that have a partner.
    pub experiment: Vec<Row>,
    /// Rows of the baseline that have none.
    pub lost_baseline: usize,
    /// Rows of the experiment that have none.
    pub lost_experiment: usize,
}

/// Gives the rows with a value whose partner (same case, dialogue, piece, and run where the unit has it) has one too.
///
/// With `by_parts`, a partner also has to stand on the same parts.
pub(crate) fn matched_rows(baseline: &[Row], experiment: &[Row], unit: Unit, by_parts: bool) -> Matched {
    let one = one_dialogue_each(&[baseline, experiment]);
    let by_run = matches!(unit, Unit::Run | Unit::CaseRun);
    let key = |row: &Row| {
        let run = if by_run { row.run } else { Id::NONE };
        let parts = if by_parts { row.parts } else { Id::NONE };
        ([row.case, run, if one { Id::NONE } else { row.dialogue }, row.turn], parts)
    };
    kept(baseline, experiment, key)
}

/// Gives the rows with a value that stand on parts which rows of the other experiment stand on too.
pub(crate) fn rows_of_same_parts(baseline: &[Row], experiment: &[Row]) -> Matched {
    kept(baseline, experiment, |row| row.parts)
}

/// Tells whether rows with a value stand on different parts.
pub(crate) fn parts_differ(baseline: &[Row], experiment: &[Row]) -> bool {
    let mut parts = baseline.iter().chain(experiment).filter(|row| row.value.is_some()).map(|row| row.parts);
    parts.next().is_some_and(|first| parts.any(|other| other != first))
}

fn kept<K: Ord>(baseline: &[Row], experiment: &[Row], key: impl Fn(&Row) -> K) -> Matched {
    let valued = |rows: &[Row]| rows.iter().filter(|row| row.value.is_some()).copied().collect::<Vec<Row>>();
    let (b, x) = (valued(baseline), valued(experiment));
    let keys = |rows: &[Row]| rows.iter().map(&key).collect::<BTreeSet<K>>();
    let (keys_b, keys_x) = (keys(&b), keys(&x));
    let with_partner = |rows: &[Row], other: &BTreeSet<K>| {
        rows.iter().filter(|row| other.contains(&key(row))).copied().collect::<Vec<Row>>()
    };
    let (kept_b, kept_x) = (with_partner(&b, &keys_x), with_partner(&x, &keys_b));
    Matched {
        lost_baseline: b.len() - kept_b.len(),
        lost_experiment: x.len() - kept_x.len(),
        baseline: kept_b,
        experiment: kept_x,
    }
}

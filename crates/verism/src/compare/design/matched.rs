//! Rows that both experiments have, where a row counts only beside its partner.

use std::collections::BTreeSet;

use super::unit::{Key, Unit, one_dialogue_each};
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
pub(crate) fn matched_rows(baseline: &[Row], experiment: &[Row], unit: Unit) -> Matched {
    let one = one_dialogue_each(&[baseline, experiment]);
    let by_run = matches!(unit, Unit::Run | Unit::CaseRun);
    let key = |row: &Row| {
        let run = if by_run { row.run } else { Id::NONE };
        [row.case, run, if one { Id::NONE } else { row.dialogue }, row.turn]
    };
    let valued = |rows: &[Row]| rows.iter().filter(|row| row.value.is_some()).copied().collect::<Vec<Row>>();
    let (b, x) = (valued(baseline), valued(experiment));
    let keys = |rows: &[Row]| rows.iter().map(key).collect::<BTreeSet<Key>>();
    let (keys_b, keys_x) = (keys(&b), keys(&x));
    let with_partner = |rows: &[Row], other: &BTreeSet<Key>| {
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

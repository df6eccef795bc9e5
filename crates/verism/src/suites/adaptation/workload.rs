//! Workload: how busy a governing layer was. These are no violation counts.

use super::ground::Ground;
use super::tally::Tally;
use crate::score::Undefined;
use crate::score::measure::NOT_APPLICABLE;

/// A count, or why there is none.
pub(super) type Count = Result<u128, Undefined>;

/// The three counts of workload, over all valid rows.
pub(super) struct Workload {
    /// Rows with an intervention.
    pub(super) intervention_rows: Count,
    /// Rows with at least one retry.
    pub(super) retry_rows: Count,
    /// All retries.
    pub(super) retry_sum: Count,
}

impl Workload {
    /// Counts the workload; a field that no row fills has no governor to count.
    pub(super) fn of(ground: &Ground<'_>, tally: &Tally) -> Workload {
        let count = |column: &Option<String>, filled: u64, value: u128| match column {
            _ if ground.v6 => Ok(value),
            _ if tally.rows == 0 => Err(Undefined::new("no_rows")),
            None => Err(NOT_APPLICABLE),
            Some(column) if filled == 0 => Err(Undefined::missing_field(column)),
            Some(_) => Ok(value),
        };
        let (pack, retries) = (ground.pack, tally.retries_filled);
        Workload {
            intervention_rows: count(&pack.intervention, tally.intervention_filled, tally.interventions.into()),
            retry_rows: count(&pack.retries, retries, tally.retry_rows.into()),
            retry_sum: count(&pack.retries, retries, tally.retry_sum),
        }
    }
}

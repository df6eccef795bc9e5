//! Workload: how busy a governing layer was. Its counts say nothing about violations.

use super::evidence::{Evidence, RowEvidence};
use super::{Amount, BASE, Block, ComputedFrom, DecisionPart, Measure, OfRun, Run, SEED};
use crate::score::Undefined;
use crate::score::measure::NOT_APPLICABLE;
use crate::suites::Metric;

/// Rows with an intervention, as a measure.
pub(crate) const INTERVENTION_ROWS: Measure = Measure {
    facts: &[Metric {
        id: "intervention_rows",
        title: "intervention_rows",
        says: "rows in which governance intervened",
        formula: "valid rows with governance_intervention true",
        ..FACTS
    }],
    how: ComputedFrom::Run(OfRun {
        value: |run, _| {
            let tally = run.tally;
            count(run, &run.filled.pack.intervention, tally.intervention_filled, tally.interventions.into())
        },
        ..OF_RUN
    }),
    bands: &[],
    rests_on: &[DecisionPart::Workload],
};

/// Rows with at least one retry, as a measure.
pub(crate) const RETRY_ROWS: Measure = Measure {
    facts: &[Metric {
        id: "retry_rows",
        title: "retry_rows",
        says: "rows that needed a retry",
        formula: "valid rows with retry_count > 0",
        ..FACTS
    }],
    how: ComputedFrom::Run(OfRun { value: |run, _| retries(run, run.tally.retry_rows.into()), ..OF_RUN }),
    bands: &[],
    rests_on: &[DecisionPart::Workload],
};

/// All retries, as a measure.
pub(crate) const RETRY_SUM: Measure = Measure {
    facts: &[Metric {
        id: "retry_sum",
        title: "retry_sum",
        says: "retries in all",
        formula: "sum of retry_count over valid rows",
        ..FACTS
    }],
    how: ComputedFrom::Run(OfRun { value: |run, _| retries(run, run.tally.retry_sum), ..OF_RUN }),
    bands: &[],
    rests_on: &[DecisionPart::Workload],
};

const FACTS: Metric = Metric {
    range: (Some(0.0), None),
    empty: "undefined: no_rows, not_applicable if the pack has no such column, missing_field:<column> if it is never filled",
    source: SEED,
    ..BASE
};

const OF_RUN: OfRun = OfRun {
    block: Block::Workload,
    value: |run, _| count(run, &None, 0, 0),
    n: |run, _| run.tally.rows,
    evidence: |run, _| Evidence::Rows(RowEvidence { rows: run.tally.rows }),
    ratio: Evidence::ratio,
};

fn retries(run: &Run<'_>, count_of_them: u128) -> Amount {
    count(run, &run.filled.pack.retries, run.tally.retries_filled, count_of_them)
}

/// A count over all valid rows; undefined if no row fills the field, since then no governor was there to be counted.
fn count(run: &Run<'_>, column: &Option<String>, rows_filled: u64, count: u128) -> Amount {
    let counted = match column {
        _ if !run.filled.reading.needs_filled_fields() => Ok(count),
        _ if run.tally.rows == 0 => Err(Undefined::new("no_rows")),
        None => Err(NOT_APPLICABLE),
        Some(column) if rows_filled == 0 => Err(Undefined::missing_field(column)),
        Some(_) => Ok(count),
    };
    Amount { count: counted.as_ref().ok().copied(), value: counted.map(|count| count as f64) }
}

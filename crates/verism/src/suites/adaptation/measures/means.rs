//! Means over the cells of a group.
//!
//! ```math
//! mean = \frac{1}{n} \sum_{cells\ with\ a\ value} x
//! ```
//! Unweighted; undefined if no cell has a value.

use super::h_norm::{EHE, H_NORM};
use super::r_h::R_H;
use super::r_r::{R_R, RATIONALITY_PASS};
use super::workload::{INTERVENTION_ROWS, RETRY_ROWS, RETRY_SUM};
use super::{BASE, ComputedFrom, Measure, SEED};
use crate::suites::{Better, Metric};

/// The mean of `H_norm`.
pub(crate) const H_NORM_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "h_norm_*_mean",
        title: "H_norm_*_mean",
        says: "mean of H_norm over the cells of a group",
        ..MEAN
    }],
    ..mean_of(&H_NORM)
};

/// The mean of `EHE`.
pub(crate) const EHE_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "ehe_*_mean",
        title: "EHE_*_mean",
        says: "mean of EHE over the cells of a group",
        better: Better::Higher,
        ..MEAN
    }],
    ..mean_of(&EHE)
};

/// The mean of `R_H`.
pub(crate) const R_H_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "r_h_mean",
        title: "R_H_mean",
        says: "mean of R_H over the cells of a group",
        better: Better::Lower,
        ..MEAN
    }],
    ..mean_of(&R_H)
};

/// The mean of `R_R`.
pub(crate) const R_R_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "r_r_mean",
        title: "R_R_mean",
        says: "mean of R_R over the cells of a group",
        better: Better::Lower,
        ..MEAN
    }],
    ..mean_of(&R_R)
};

/// The mean of `rationality_pass`.
pub(crate) const RATIONALITY_PASS_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "rationality_pass_mean",
        title: "rationality_pass_mean",
        says: "mean of rationality_pass over the cells of a group",
        better: Better::Higher,
        ..MEAN
    }],
    ..mean_of(&RATIONALITY_PASS)
};

/// The mean of `intervention_rows`.
pub(crate) const INTERVENTION_ROWS_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "intervention_rows_mean",
        title: "intervention_rows_mean",
        says: "mean of intervention_rows over the cells of a group",
        range: (Some(0.0), None),
        ..MEAN
    }],
    ..mean_of(&INTERVENTION_ROWS)
};

/// The mean of `retry_rows`.
pub(crate) const RETRY_ROWS_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "retry_rows_mean",
        title: "retry_rows_mean",
        says: "mean of retry_rows over the cells of a group",
        range: (Some(0.0), None),
        ..MEAN
    }],
    ..mean_of(&RETRY_ROWS)
};

/// The mean of `retry_sum`.
pub(crate) const RETRY_SUM_MEAN: Measure = Measure {
    facts: &[Metric {
        id: "retry_sum_mean",
        title: "retry_sum_mean",
        says: "mean of retry_sum over the cells of a group",
        range: (Some(0.0), None),
        ..MEAN
    }],
    ..mean_of(&RETRY_SUM)
};

const MEAN: Metric = Metric {
    level: "group",
    formula: "unweighted mean over cells with a value",
    empty: "undefined: no_defined_cell",
    source: SEED,
    ..BASE
};

const fn mean_of(measure: &'static Measure) -> Measure {
    Measure { facts: &[], how: ComputedFrom::Mean(measure), bands: &[], rests_on: measure.rests_on }
}

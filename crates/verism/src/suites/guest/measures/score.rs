//! A measure of a conversation with what it was made of.

use serde::Serialize;

use crate::score::json;
use crate::score::measure::Measure;

/// A measure, how many observations it rests on, and its evidence as JSON.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) value: Measure,
    pub(crate) n: u64,
    pub(crate) evidence: String,
}

impl Score {
    pub(crate) fn new(value: Measure, n: usize, evidence: &impl Serialize) -> Score {
        Score { value, n: n as u64, evidence: json::text(evidence) }
    }

    /// A measure with nothing to show for it.
    pub(crate) fn bare(value: Measure, n: usize) -> Score {
        Score { value, n: n as u64, evidence: "{}".into() }
    }
}

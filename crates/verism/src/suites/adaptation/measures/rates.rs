//! The rates and entropies of any set of rows: a cell, a year, an agent, a resample.

use super::h_norm::{Labelled, ehe, h_norm};
use super::r_h::r_h;
use super::r_r::{r_r, rationality_pass};
use crate::score::Measure;
use crate::suites::adaptation::judge::filled::Filled;
use crate::suites::adaptation::judge::tally::RowTally;

/// Rates and entropies.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    pub(crate) r_h: Measure,
    pub(crate) r_r: Measure,
    pub(crate) rationality_pass: Measure,
    /// `H_norm` and `EHE` of each scheme in pack order.
    pub(crate) h_norm: Vec<Measure>,
    pub(crate) ehe: Vec<Measure>,
}

impl Rates {
    pub(crate) fn of(filled: &Filled<'_>, core: &RowTally) -> Rates {
        let (r_h, r_r) = (r_h(filled, core), r_r(filled, core));
        let norm = |scheme| h_norm(filled, core, Labelled::Action, scheme);
        let h_norm: Vec<Measure> = filled.pack.schemes.iter().map(norm).collect();
        let ehe = h_norm.iter().map(|h| ehe(h, &r_h)).collect();
        Rates { rationality_pass: rationality_pass(&r_r), r_h, r_r, h_norm, ehe }
    }
}

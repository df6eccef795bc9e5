//! All measures of a set of rows.

use super::ground::Ground;
use super::h_norm::{Labelled, ehe, h_norm};
use super::r_h::r_h;
use super::r_r::{r_r, rationality_pass};
use super::tally::Core;
use crate::score::Measure;

/// Rates and entropies of a cell, a year, an agent or a resample.
#[derive(Clone, Debug)]
pub(super) struct Measures {
    pub(super) r_h: Measure,
    pub(super) r_r: Measure,
    pub(super) rationality_pass: Measure,
    /// `H_norm` and `EHE` of each scheme in pack order.
    pub(super) h_norm: Vec<Measure>,
    pub(super) ehe: Vec<Measure>,
}

impl Measures {
    pub(super) fn of(ground: &Ground<'_>, core: &Core) -> Measures {
        let (r_h, r_r) = (r_h(ground, core), r_r(ground, core));
        let norm = |scheme| h_norm(ground, core, Labelled::Action, scheme);
        let h_norm: Vec<Measure> = ground.pack.schemes.iter().map(norm).collect();
        let ehe = h_norm.iter().map(|h| ehe(h, &r_h)).collect();
        Measures { rationality_pass: rationality_pass(&r_r), r_h, r_r, h_norm, ehe }
    }
}

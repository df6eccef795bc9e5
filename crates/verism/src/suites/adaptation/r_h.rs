//! `R_H`: how often agents chose the physically impossible.

use super::ground::Ground;
use super::pack::RuleKind;
use super::tally::Core;
use crate::score::Measure;

/// The share of active rows that break at least one feasibility rule.
///
/// ```math
/// R_H = n_{id} / n_{active}
/// ```
/// Undefined without active rows, without feasibility rules, or if no row fills a field that the rules need.
/// Source: WRR v6 metric calculation spec.
pub(super) fn r_h(ground: &Ground<'_>, core: &Core) -> Measure {
    ground.rate(core, core.id, RuleKind::Feasibility)
}

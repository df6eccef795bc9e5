//! Style scores: what PDR and PAS3 are made of.

use super::ms::Points;

/// Turn and style score of a message: exploration, mood and ordering alone.
pub(crate) type Style = (usize, Points);

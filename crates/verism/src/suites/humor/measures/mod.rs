//! The measures: of a text by itself, of a batch of texts together, and their agreement with labels.

pub(crate) mod auc;
pub(crate) mod batch;
pub(crate) mod found;
pub(crate) mod item;

//! Corpora to a model: which files there are and what they hold, and the training itself.

pub(crate) mod files;
pub(crate) mod training;

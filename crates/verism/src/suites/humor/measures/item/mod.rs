//! The measures of one text: a file for each formula, and `judge`, which takes them all.

pub(crate) mod ambiguity;
pub(crate) mod coherence;
pub(crate) mod distinctiveness;
pub(crate) mod entropy;
mod f1;
pub(crate) mod judge;
pub(crate) mod kao;
pub(crate) mod kneser_ney;
pub(crate) mod novelty;
pub(crate) mod overall;
pub(crate) mod pacs;
pub(crate) mod perplexity;
pub(crate) mod prompt;
pub(crate) mod surprisal;

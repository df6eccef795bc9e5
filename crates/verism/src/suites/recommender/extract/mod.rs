//! E(x): a text is cut into `words`, `patterns` finds values with an `automaton`, `sight` asks their guards, `years` and
//! `titles` add what is not a plain value, `heard` decides what counts. `substring` is the published rule.

pub(crate) mod automaton;
pub(crate) mod chars;
pub(crate) mod heard;
pub(crate) mod lexicon;
pub(crate) mod patterns;
pub(crate) mod sight;
pub(crate) mod substring;
pub(crate) mod titles;
pub(crate) mod words;
pub(crate) mod years;

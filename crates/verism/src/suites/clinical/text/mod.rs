//! Text in normal form, its lines and segments, and the phrases of a pack in it.

pub(crate) mod document;
pub(crate) mod edges;
pub(crate) mod hits;
pub(crate) mod letters;
pub(crate) mod list;
pub(crate) mod matcher;
pub(crate) mod memory;
pub(crate) mod norm;
pub(crate) mod phrase;
mod sides;

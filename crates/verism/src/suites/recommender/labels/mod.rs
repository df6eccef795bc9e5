//! Labels of people and judges beside scores: read from a `file`, put beside dialogues (`labelled`), correlated (`validity`), also
//! for a `folder` that was scored earlier.

pub(crate) mod file;
pub(crate) mod folder;
pub(crate) mod labelled;
pub(crate) mod validity;

//! The catalog: items read from a file (`read`), normalised (`value`) and numbered as concepts (`build`, `concepts`), looked
//! up (`items`) and ranked (`recommend`).

pub(crate) mod build;
pub(crate) mod concepts;
pub(crate) mod field;
pub(crate) mod items;
pub(crate) mod read;
pub(crate) mod recommend;
pub(crate) mod value;

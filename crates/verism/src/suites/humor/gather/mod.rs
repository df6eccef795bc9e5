//! Brings batches and texts together: `batches` measures batch by batch, `items` then goes through all texts once more in
//! reading order, `judged` holds what they gave, `rows` writes scores and audits.

mod batches;
mod items;
mod judged;
mod rows;

pub(crate) use self::batches::Gathering;

//! The network: BERT with mean pooling, in single precision.
//!
//! The tokens of many texts stand one below the other, without padding: a row is a token. Every step computes a row from
//! that row alone, or (attention, pooling) from the rows of its own text, in an order that depends on nothing else. That
//! is why a text's vector has the same bits whatever the other texts, their order and the number of threads.

mod attention;
mod exponential;
mod forward;
mod gelu;
mod matrix;
mod norm;

pub(crate) use forward::{Buffers, Layer, Network};
pub(crate) use matrix::{Linear, panel_width};
pub(crate) use norm::LayerNorm;

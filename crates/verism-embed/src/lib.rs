//! Sentence embeddings on the CPU: all-MiniLM-L6-v2 and models laid out like it.
//!
//! ```no_run
//! use verism_embed::{Embedder, resolve};
//!
//! if let Some(folder) = resolve("auto")? {
//!     let embedder = Embedder::open(&folder)?;
//!     let vectors = embedder.embed(&["An escape room for geese.", "The printer."])?;
//!     assert_eq!(vectors[0].len(), embedder.dimension());
//! }
//! # Ok::<(), verism_embed::Error>(())
//! ```
//!
//! A model is a folder with `model.safetensors` and `tokenizer.json`; `config.json` is heeded if it is there. The network
//! is BERT with erf GELU; texts are cut at 256 tokens with `[CLS]` and `[SEP]`; the vector is the mean over all tokens at unit
//! length. Everything is computed in single precision on the CPU.
//!
//! A text's vector has the same bits whatever the texts beside it, their order and the number of threads; kinds of CPU
//! agree to 1e-6.

mod embedder;
mod error;
mod folder;
mod network;
mod tokenizer;
mod weights;

pub use embedder::{Embedder, MOST_TOKENS};
pub use error::{Error, Result};
pub use folder::{Known, MINI_LM, cache_folder, check, resolve, sha256};

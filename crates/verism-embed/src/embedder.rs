//! An open model.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::folder::{FOLDER, hexadecimal, known_at};
use crate::network::{Buffers, Network, panel_width};
use crate::tokenizer::Tokenizer;
use crate::weights::{self, Config};

/// Tokens of a text that are read, with `[CLS]` and `[SEP]`.
pub const MOST_TOKENS: usize = 256;

/// Rows (tokens) that go through the network together: so many that the weights are worth fetching from memory, and fewer
/// where all threads would not have something to do.
const BATCH_ROWS: std::ops::RangeInclusive<usize> = 96..=384;

/// A model that turns texts into vectors of unit length.
pub struct Embedder {
    tokenizer: Tokenizer,
    network: Network,
    sha256: String,
    most_tokens: usize,
}

impl std::fmt::Debug for Embedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedder").field("sha256", &self.sha256).field("dimension", &self.dimension()).finish()
    }
}

impl Embedder {
    /// Opens a folder with `model.safetensors` and `tokenizer.json`.
    ///
    /// A file that is not there is `not_found`; one that is damaged or describes another kind of network is `bad_model`. In
    /// the cache, where a known model is meant, its files must be those of that model.
    pub fn open(folder: &Path) -> Result<Embedder> {
        let (weights_file, tokenizer_file) = (folder.join("model.safetensors"), folder.join("tokenizer.json"));
        refuse_other_pooling(folder)?;
        let config_file = folder.join("config.json");
        let config = match read_optional(&config_file)? {
            Some(bytes) => Config::parse(&bytes, &config_file)?,
            None => Config::default(),
        };
        let known = known_at(folder);
        let check = |file: &Path, sum: &str| known.map_or(Ok(()), |known| known.check_file(file, sum));
        let bytes = read(&tokenizer_file)?;
        check(&tokenizer_file, &hexadecimal(&Sha256::digest(&bytes)))?;
        let tokenizer = Tokenizer::parse(&bytes, &tokenizer_file)?;
        let bytes = read(&weights_file)?;
        let (sha256, network) = rayon::join(
            || hexadecimal(&Sha256::digest(&bytes)),
            || weights::read(&bytes, &weights_file, &config, panel_width()),
        );
        check(&weights_file, &sha256)?;
        let network = network?;
        if tokenizer.largest() as usize >= network.vocabulary() {
            let expected = format!("token numbers below {}, as many as the weights have rows", network.vocabulary());
            let found = tokenizer.largest().to_string();
            return Err(Error::bad_model(&tokenizer_file, expected).field("model.vocab").value(found));
        }
        let most_tokens = network.most_tokens().min(MOST_TOKENS);
        Ok(Embedder { tokenizer, network, sha256, most_tokens })
    }

    /// SHA-256 of the weights in hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Numbers in a vector.
    pub fn dimension(&self) -> usize {
        self.network.hidden
    }

    /// The token numbers of a text as the network sees them.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        self.tokenizer.tokens(text, self.most_tokens)
    }

    /// The vectors of texts, in their order; a text that occurs several times is computed once.
    ///
    /// `bad_model` if the weights make numbers that are not finite.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.embed_watched(texts, &|_| true)
    }

    /// The same, telling `go_on` now and then how many different texts are newly done; if it says no, the end is `stopped`.
    pub fn embed_watched(&self, texts: &[&str], go_on: &(dyn Fn(usize) -> bool + Sync)) -> Result<Vec<Vec<f32>>> {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut distinct = vec![];
        let numbers: Vec<usize> = texts
            .iter()
            .map(|text| {
                *places.entry(text).or_insert_with(|| {
                    distinct.push(*text);
                    distinct.len() - 1
                })
            })
            .collect();
        let vectors = self.embed_distinct(&distinct, go_on)?;
        if vectors.iter().flatten().any(|x| !x.is_finite()) {
            return Err(Error::new("bad_model", "weights that give finite vectors").field("embed"));
        }
        Ok(numbers.into_iter().map(|number| vectors[number].clone()).collect())
    }

    fn embed_distinct(&self, texts: &[&str], go_on: &(dyn Fn(usize) -> bool + Sync)) -> Result<Vec<Vec<f32>>> {
        let tokens: Vec<Vec<u32>> = texts.par_iter().map(|text| self.tokens(text)).collect();
        // Long texts first, so that what is done last is small; texts of like length stand together.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(tokens[*i].len()));
        let stopped = AtomicBool::new(false);
        let done = AtomicUsize::new(0);
        let all: usize = tokens.iter().map(Vec::len).sum();
        let rows = (all / (4 * rayon::current_num_threads())).clamp(*BATCH_ROWS.start(), *BATCH_ROWS.end());
        let batches = batches(&order, &tokens, rows);
        let vectors: Vec<Vec<Vec<f32>>> = batches
            .par_iter()
            .map_init(Buffers::default, |buffers, batch| {
                if stopped.load(Ordering::Relaxed) {
                    return vec![];
                }
                let batch: Vec<&[u32]> = batch.iter().map(|i| tokens[*i].as_slice()).collect();
                let vectors = self.network.embed(&batch, buffers);
                done.fetch_add(batch.len(), Ordering::Relaxed);
                if !go_on(batch.len()) {
                    stopped.store(true, Ordering::Relaxed);
                }
                vectors
            })
            .collect();
        if done.into_inner() < texts.len() {
            return Err(Error::new("stopped", "an undisturbed run"));
        }
        let mut in_order = vec![vec![]; texts.len()];
        for (i, vector) in order.into_iter().zip(vectors.into_iter().flatten()) {
            in_order[i] = vector;
        }
        Ok(in_order)
    }
}

/// Cuts texts into batches of at most so many rows, or of one text.
fn batches<'a>(order: &'a [usize], tokens: &[Vec<u32>], most: usize) -> Vec<&'a [usize]> {
    let mut cuts = vec![];
    let (mut start, mut rows) = (0, 0);
    for (at, i) in order.iter().enumerate() {
        if rows + tokens[*i].len() > most && at > start {
            cuts.push(&order[start..at]);
            (start, rows) = (at, 0);
        }
        rows += tokens[*i].len();
    }
    if start < order.len() {
        cuts.push(&order[start..]);
    }
    cuts
}

fn read(file: &Path) -> Result<Vec<u8>> {
    read_optional(file)?.ok_or_else(|| Error::new("not_found", FOLDER).file(file))
}

/// No file of a model of this kind is larger; the weights of the largest that are published have 1.4 GB.
const MOST_BYTES: u64 = 4 << 30;

fn read_optional(file: &Path) -> Result<Option<Vec<u8>>> {
    let mut bytes = vec![];
    match File::open(file).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)) {
        Ok(read) if read as u64 > MOST_BYTES => {
            Err(Error::bad_model(file, format!("a file of at most {MOST_BYTES} bytes")).value("a larger one"))
        }
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::bad_model(file, "a file that can be read").value(error.to_string())),
    }
}

/// Models whose vector is not the mean over the tokens would give other vectors than their makers meant.
fn refuse_other_pooling(folder: &Path) -> Result<()> {
    #[derive(Deserialize)]
    struct Pooling {
        pooling_mode_mean_tokens: bool,
    }

    let file = folder.join("1_Pooling").join("config.json");
    let Some(bytes) = read_optional(&file)? else { return Ok(()) };
    match serde_json::from_slice(&bytes) {
        Ok(Pooling { pooling_mode_mean_tokens: true }) => Ok(()),
        Ok(_) => Err(Error::bad_model(&file, "true").field("pooling_mode_mean_tokens").value("false")),
        Err(error) => Err(Error::bad_model(&file, "how vectors are pooled, as JSON").value(error.to_string())),
    }
}

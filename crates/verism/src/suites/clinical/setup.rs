//! The options in force and what they name: the pack made ready, the n-gram model.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::extract::engine::Engine;
use super::metrics::csp::active_weight;
use super::metrics::ngram::Ngram;
use super::options::Params;
use super::pack::{self, Loaded};
use crate::error::Defect;
use crate::input::{Limits, hexadecimal, read_whole};
use crate::suites::Options;
use crate::suites::records::base_name;

/// What scoring needs besides records.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(super) params: Params,
    pub(super) engine: Engine,
    pub(super) model: Option<Ngram>,
    /// What the pack holds that never takes effect.
    pub(super) warnings: Vec<Defect>,
    /// The names of the sources, once they are known.
    pub(super) files: OnceLock<Vec<String>>,
    /// The types of turns that the pack knows.
    pub(super) types: String,
    /// The weight of all rules that the options leave active.
    pub(super) active_weight: f64,
}

impl Setup {
    /// Options first, then the pack, then the corpus. The first error of a pack is named.
    pub(super) fn open(options: &Options, limits: Limits) -> Result<Setup, Defect> {
        let mut params = Params::read(options)?;
        let Loaded { pack, sha256, warnings } = load_pack(params.pack.as_deref(), limits).map_err(first)?;
        params.pack_name = format!("{}@{}", pack.id, pack.version);
        params.pack_sha256 = sha256;
        let model = params.corpus.clone().map(|path| read_corpus(&path, limits)).transpose()?;
        params.corpus_sha256 = model.as_ref().map(|(_, sha256)| sha256.clone());
        let types: Vec<&str> = pack.turns.iter().map(|turn| turn.kind.as_str()).collect();
        let types = types.join(", ");
        let engine = Engine::new(pack);
        let active_weight = active_weight(&engine, &params);
        let model = model.map(|(model, _)| model);
        Ok(Setup { params, engine, model, warnings, files: OnceLock::new(), types, active_weight })
    }

    /// The warning about a type of turns that the pack does not know.
    pub(super) fn unknown_type(&self, kind: &str) -> Option<Defect> {
        if self.engine.pack.turns.iter().any(|profile| profile.kind == kind) {
            return None;
        }
        let defect = Defect::new("unknown_turn_type", format!("one of {}", self.types)).field("turn_type");
        Some(defect.value(pack::short(kind)))
    }

    /// The name of a source.
    pub(super) fn file(&self, source: u32) -> Option<String> {
        self.files.get().and_then(|files| files.get(source as usize)).cloned()
    }
}

fn first(mut defects: Vec<Defect>) -> Defect {
    defects.swap_remove(0)
}

/// Reads and checks a pack; every error.
pub(super) fn load_pack(path: Option<&str>, limits: Limits) -> Result<Loaded, Vec<Defect>> {
    let Some(path) = path else { return Ok(pack::load_built_in()) };
    let name = base_name(Path::new(path));
    let unreadable = |error: io::Error| {
        let defect = Defect::new("bad_pack", "a readable UTF-8 file").file(&name).field("pack").value(&name);
        defect.hint(format!("{path}: {error}"))
    };
    let fits = |bytes: Vec<u8>| limits.check_nodes(&bytes).map(|()| bytes).map_err(|defect| defect.file(&name));
    match read_whole(Path::new(path), limits, unreadable).and_then(fits) {
        Ok(bytes) => pack::examine(&name, &bytes),
        Err(defect) => Err(vec![defect]),
    }
}

fn read_corpus(path: &str, limits: Limits) -> Result<(Ngram, String), Defect> {
    let name = base_name(Path::new(path));
    let wrong = || Defect::new("bad_option", "a readable UTF-8 file").file(&name).field("perplexity").value(&name);
    let bytes = read_whole(Path::new(path), limits, |error| wrong().hint(format!("{path}: {error}")))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong())?;
    Ok((Ngram::new(text), hexadecimal(&Sha256::digest(&bytes))))
}

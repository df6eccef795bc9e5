//! The sentence-embedding model as the library takes it.

use std::path::Path;
use std::sync::Arc;

use verism::suites::{Embed, Options, Suite, shard_options};
use verism::{Defect, Error, Result};
use verism_embed::Embedder;

/// The model that a suite's options ask for; none if the suite knows no such option or it says `none`.
pub(crate) fn wanted(suite: &dyn Suite, options: &Options) -> Result<Option<Arc<dyn Embed>>> {
    let given = options.iter().filter(|(key, _)| *key == "embed").last().map(|(_, value)| value.text());
    match given.filter(|_| knows(suite)) {
        Some(option) => Ok(open(&option)?.map(|model| Arc::new(model) as Arc<dyn Embed>)),
        None => Ok(None),
    }
}

fn knows(suite: &dyn Suite) -> bool {
    (suite.facts().options)().iter().any(|option| option.name == "embed")
}

/// The model that the options of a job name whose shards are joined, and further options behind them.
pub(crate) fn wanted_by_shards(suite: &dyn Suite, shard: &Path, more: &Options) -> Result<Option<Arc<dyn Embed>>> {
    if !knows(suite) {
        return Ok(None);
    }
    let mut options = shard_options(shard)?;
    options.extend(more);
    wanted(suite, &options)
}

/// The model that the option `embed` names.
pub(crate) fn open(option: &str) -> Result<Option<Model>> {
    let folder = verism_embed::resolve(option).map_err(told)?;
    folder.map(|folder| Embedder::open(&folder).map(Model).map_err(told)).transpose()
}

/// An open model.
pub(crate) struct Model(pub(crate) Embedder);

impl Embed for Model {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.0.embed(texts).map_err(told)
    }

    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn digest(&self) -> &str {
        self.0.sha256()
    }
}

/// What is wrong with a model as a defect of the option `embed`.
pub(crate) fn told(error: verism_embed::Error) -> Error {
    let verism_embed::Error { code, file, field, value, expected } = error;
    if code == "stopped" {
        return Error::Interrupted;
    }
    let hint = match code {
        "not_found" => "fetch it with `verism model pull`, or name a folder with VERISM_MODEL_DIR or the option embed",
        _ => "fetch it anew with `verism model pull`, or name another folder",
    };
    let inner = field.filter(|field| field != "embed");
    let expected = inner.map_or(expected.clone(), |inner| format!("{inner}: {expected}"));
    let defect = Defect { file, value, ..Defect::new(code, expected) };
    defect.field("embed").hint(hint).into()
}

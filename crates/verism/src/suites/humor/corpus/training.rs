//! Training: corpora to a model, in place or as a file.

use serde_json::json;

use crate::error::{Defect, Error, Result};
use crate::input::Watch;
use crate::suites::Options;
use crate::suites::humor::corpus::files::{CorpusFile, Trainer, files, open_model};
use crate::suites::humor::options::Params;
use crate::suites::records::base_name;
use crate::text::model::{Model, Tables};

/// A model that was trained.
#[derive(Debug)]
pub struct Trained {
    /// The model, with the bytes of its file.
    pub model: Model,
    /// `signature`, `options`, `model` and `corpus_errors` as one JSON document.
    pub document: serde_json::Value,
    /// Bad rows that were passed over.
    pub errors: Vec<Defect>,
    /// A few lines for people.
    pub summary: Vec<String>,
}

/// A model with what it was made from.
pub(crate) struct TrainedModel {
    pub(crate) model: Model,
    /// The files as the report shows them.
    pub(crate) files: Vec<String>,
}

/// Trains a model on corpora: `FILE[*WEIGHT]` each, model files among them.
pub fn train(corpora: &[String], options: &Options, lenient: bool, watch: &dyn Watch) -> Result<Trained> {
    let mut params = Params::read(options)?;
    let mut errors = vec![];
    let counted = count(corpora, &mut params, lenient.then_some(&mut errors), watch);
    let made = counted.and_then(|counted| {
        watch.busy_with("laying out the tables");
        counted.lay_out()
    });
    let made = made.map_err(|error| error.after("corpus_errors", &errors))?;
    let summary = made.model.summary();
    let mut model = serde_json::to_value(&summary).unwrap_or_default();
    if params.model_tables {
        model["tables"] = made.model.tables_json();
    }
    let document = json!({
        "signature": params.signature(None, Some(&summary.corpus_digest), "none"),
        "options": params.report(&made.files),
        "model": model,
        "corpus_errors": errors,
    });
    let said = vec![
        format!("{} documents, {} tokens, {} different words", summary.documents, summary.tokens, summary.vocabulary),
        format!(
            "{} bigrams, {} trigrams, {} pairs of neighbours; digest {}",
            summary.bigrams,
            summary.trigrams,
            summary.context_pairs,
            &summary.corpus_digest[..12]
        ),
    ];
    Ok(Trained { model: made.model, document, errors, summary: said })
}

/// The counts of all corpora.
pub(crate) struct Counted {
    sum: Tables,
    /// The files as the report shows them.
    files: Vec<String>,
    /// The first one, for messages.
    first: String,
}

impl Counted {
    /// The model that they are.
    pub(crate) fn lay_out(self) -> Result<TrainedModel> {
        let expected = "fewer than 2^32 entries in each table";
        let too_large = |_| Defect::new("bad_corpus", expected).file(self.first);
        Ok(TrainedModel { model: self.sum.into_model().map_err(too_large)?, files: self.files })
    }
}

/// Counts all corpora; bad rows end it unless there is a list that takes them.
pub(crate) fn count(
    corpora: &[String],
    params: &mut Params,
    errors: Option<&mut Vec<Defect>>,
    watch: &dyn Watch,
) -> Result<Counted> {
    let files = files(corpora)?;
    let sizes = files.iter().filter_map(|file| file.path.metadata().ok());
    watch.expect(sizes.map(|facts| facts.len()).sum());
    // Model files first: they say how the others are read.
    let mut sum: Option<Tables> = None;
    let add = |sum: &mut Option<Tables>, more: Tables| {
        *sum = Some(match sum.take() {
            None => more,
            Some(sum) => sum.plus(more),
        });
    };
    let (models, cards): (Vec<&CorpusFile>, Vec<&CorpusFile>) = {
        let mut models = vec![];
        let mut cards = vec![];
        for file in &files {
            if file.is_model()? { models.push(file) } else { cards.push(file) }
        }
        (models, cards)
    };
    for file in models {
        let model = open_model(&file.path)?;
        params.adopt(model.reading()).map_err(|defect| defect.file(base_name(&file.path)))?;
        add(&mut sum, model.tables());
        watch.advance(model.bytes().len() as u64);
        if watch.stop() {
            return Err(Error::Interrupted);
        }
    }
    let mut trainer = Trainer { watch, errors };
    for file in cards {
        add(&mut sum, trainer.count(file, params.corpus_reading())?);
    }
    let first = files.first().map(|file| base_name(&file.path)).unwrap_or_default();
    match sum.filter(Tables::has_tokens) {
        Some(sum) => Ok(Counted { sum, files: files.iter().map(CorpusFile::shown).collect(), first }),
        None => Err(Defect::new("bad_corpus", "at least one token").file(first).into()),
    }
}

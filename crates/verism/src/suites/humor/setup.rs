//! The options in force and what they name: the model, references, labels, the embedding model.

use std::path::Path;
use std::sync::Arc;

use super::options::{CoherenceSource, Params, short};
use crate::error::{Defect, Result};
use crate::input::{Limits, Watch};
use crate::suites::Embed;
use crate::suites::humor::corpus::files::open_model;
use crate::suites::humor::corpus::training::count;
use crate::suites::humor::measures::item::judge::Context;
use crate::suites::humor::measures::item::novelty::Reference;
use crate::suites::humor::measures::item::prompt::Prompts;
use crate::suites::humor::record::card::{Card, other_dimension};
use crate::suites::humor::record::inputs;
use crate::suites::humor::record::vectors::{is_zero, unit};
use crate::suites::records::{Opening, base_name};
use crate::text::model::Model;

/// Everything that a run needs besides the records.
pub(crate) struct Setup {
    pub(crate) params: Params,
    pub(crate) model: Option<Model>,
    /// Corpora as the report shows them.
    pub(crate) corpus: Vec<String>,
    pub(crate) corpus_errors: Vec<Defect>,
    references: Option<Vec<Reference>>,
    /// SHA-256 of the reference file.
    reference_hash: Option<String>,
    /// Dimension of the reference vectors, and the line of the first.
    reference_dimension: Option<(usize, u64)>,
    pub(crate) labels: Option<Vec<bool>>,
    embed: Option<Arc<dyn Embed>>,
    prompts: Prompts,
}

impl Setup {
    pub(crate) fn open(opening: &Opening<'_>) -> Result<Setup> {
        let params = Params::read(opening.options)?;
        let embed = opening.embed.clone().filter(|_| params.embed != "none");
        if params.embed != "none" && embed.is_none() {
            let hint = "`verism model pull` fetches one; vectors in the records need none";
            let defect = Defect::new("not_found", "an embedding model").field("embed").value(&params.embed).hint(hint);
            return Err(defect.into());
        }
        let mut setup = Setup {
            model: None,
            corpus: vec![],
            corpus_errors: vec![],
            references: None,
            reference_hash: None,
            reference_dimension: None,
            labels: None,
            embed,
            prompts: Prompts::default(),
            params,
        };
        match setup.load(opening.lenient, opening.watch) {
            Ok(()) => Ok(setup),
            Err(error) => Err(error.after("corpus_errors", &setup.corpus_errors)),
        }
    }

    /// Loads what the options name, the model first.
    fn load(&mut self, lenient: bool, watch: &dyn Watch) -> Result<()> {
        if let Some(path) = self.params.model.clone() {
            let model = open_model(Path::new(&path))?;
            let name = base_name(Path::new(&path));
            self.params.adopt(model.reading()).map_err(|defect| defect.file(&name))?;
            if model.tokens() == 0 {
                return Err(Defect::new("bad_corpus", "at least one token").file(name).into());
            }
            self.model = Some(model);
        } else if !self.params.corpus.is_empty() {
            let errors = lenient.then_some(&mut self.corpus_errors);
            let made = count(&self.params.corpus.clone(), &mut self.params, errors, watch)?.lay_out()?;
            (self.model, self.corpus) = (Some(made.model), made.files);
        }
        self.open_reference(watch.limits())?;
        if let Some(path) = &self.params.labels {
            self.labels = Some(inputs::labels(Path::new(path), watch.limits())?);
        }
        Ok(())
    }

    fn open_reference(&mut self, limits: Limits) -> Result<()> {
        let Some(path) = self.params.reference.clone() else { return Ok(()) };
        let name = base_name(Path::new(&path));
        let (mut cards, hash) = inputs::reference(Path::new(&path), &self.params, limits)?;
        self.fill(cards.iter_mut().map(|(_, card)| card))?;
        let mut references = vec![];
        for (line, card) in cards {
            let Some(vector) = card.embedding.filter(|vector| !is_zero(vector)) else {
                let defect = Defect::new("missing_field", "a vector that is not zero").field("embedding");
                return Err(defect.value(card.id).file(name).into());
            };
            let own = self.dimension().unwrap_or(vector.len());
            let (wanted, _) = *self.reference_dimension.get_or_insert((own, line));
            if wanted != vector.len() {
                let defect = self.beside_model(other_dimension("embedding", wanted, vector.len()));
                return Err(defect.file(name).line(line).into());
            }
            references.push(Reference { id: card.id, vector });
        }
        (self.references, self.reference_hash) = (Some(references), Some(hash));
        Ok(())
    }

    /// Whether the vectors of the reference have the dimension of the records'.
    pub(crate) fn check_reference(&self, of_records: Option<usize>) -> Result<()> {
        match (of_records, self.reference_dimension) {
            (Some(wanted), Some((found, line))) if wanted != found => {
                let name = base_name(Path::new(self.params.reference.as_deref().unwrap_or_default()));
                Err(other_dimension("embedding", wanted, found).file(name).line(line).into())
            }
            _ => Ok(()),
        }
    }

    /// The dimension that vectors must have before any record says so.
    pub(crate) fn dimension(&self) -> Option<usize> {
        self.embed.as_ref().map(|embed| embed.dimension())
    }

    /// A vector of another dimension, if a model is at hand: the record's vectors do not go with the model's.
    pub(crate) fn beside_model(&self, defect: Defect) -> Defect {
        let Some(numbers) = self.dimension() else { return defect };
        let expected = format!("{numbers} numbers, as the vectors of the model have");
        let hint = "the record's vectors come from another model: score with --option embed=none, or leave all vectors out of \
                    the records, so that the model makes them";
        Defect { expected: Some(expected), ..defect }.hint(hint)
    }

    /// Makes the vectors that cards lack, if there is a model for it: each different text once.
    pub(crate) fn fill<'c>(&self, cards: impl Iterator<Item = &'c mut Card>) -> Result<()> {
        let Some(embed) = &self.embed else { return Ok(()) };
        let mut cards: Vec<&mut Card> = cards.collect();
        let mut texts: Vec<String> = vec![];
        for card in &cards {
            texts.extend(missing(card).into_iter().map(String::from));
        }
        texts.sort_unstable();
        texts.dedup();
        if texts.is_empty() {
            return Ok(());
        }
        let wanted: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = embed.embed(&wanted)?;
        let of = |text: &str| {
            let place = texts.binary_search_by(|other| other.as_str().cmp(text)).ok();
            place
                .and_then(|place| vectors.get(place))
                .map(|vector| unit(vector.iter().map(|x| f64::from(*x)).collect()))
        };
        for card in &mut cards {
            if card.embedding.is_none() {
                card.embedding = of(&card.text);
            }
            if card.context_embedding.is_none() {
                card.context_embedding = card.context.as_deref().and_then(of);
            }
            if card.profile_embeddings.is_none() {
                card.profile_embeddings =
                    card.profile.as_ref().and_then(|all| all.iter().map(|text| of(text)).collect());
            }
        }
        Ok(())
    }

    /// What cards are judged by.
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            params: &self.params,
            model: self.model.as_ref(),
            references: self.references.as_deref(),
            prompts: &self.prompts,
        }
    }

    /// What was not given and how to give it, in words, given whether records brought vectors.
    pub(crate) fn wanting(&self, supplied: bool) -> Vec<String> {
        let mut lines = vec![];
        if self.model.is_none() {
            let way = "--option corpus=FILE trains on one in place (corpus=builtin to try), model=FILE.vrm takes a trained one";
            lines.push(format!("no corpus, so no surprisal, ambiguity, distinctiveness, overall, …: {way}"));
        }
        if self.embed.is_none() && !supplied {
            let coherence = match self.params.coherence {
                CoherenceSource::Embedding => "coherence, ",
                CoherenceSource::Cooccurrence => "",
            };
            let way = "--option embed=auto makes them, after `verism model pull`";
            lines.push(format!("no vectors, so no {coherence}pacs, semantic diversity, …: {way}"));
        }
        lines
    }

    /// The signature, given whether records brought vectors.
    pub(crate) fn signature(&self, supplied: bool) -> String {
        let embed = match (&self.embed, supplied) {
            (None, false) => "none".to_string(),
            (None, true) => "supplied".into(),
            (Some(embed), false) => short(embed.digest()).into(),
            (Some(embed), true) => format!("supplied+{}", short(embed.digest())),
        };
        let digest = self.model.as_ref().map(Model::digest);
        self.params.signature(self.reference_hash.as_deref(), digest.as_deref(), &embed)
    }
}

/// The texts of a card that have no vector.
fn missing(card: &Card) -> Vec<&str> {
    let text = card.embedding.is_none().then_some(card.text.as_str());
    let context = card.context.as_deref().filter(|_| card.context_embedding.is_none());
    let profile = card.profile.iter().flatten().filter(|_| card.profile_embeddings.is_none());
    text.into_iter().chain(context).chain(profile.map(String::as_str)).collect()
}

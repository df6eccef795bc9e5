//! What a job works with: the options in force, the catalog, the files they name.

use std::path::{Path, PathBuf};

use super::catalog::items::Catalog;
use super::catalog::read::{BUILTIN, as_text, facts_of, file_name, read_bytes};
use super::extract::lexicon::Lexicon;
use super::labels::file::{LabelRow, rows_of};
use super::options::{Extractor, Files, Params, View};
use crate::error::{Defect, Result};
use crate::input::{Limits, Watch};
use crate::suites::Options;
use crate::suites::records::{Opening, Supplied};

/// The options in force and what they name.
pub(crate) struct Setup {
    pub(super) params: Params,
    pub(super) catalog: Catalog,
    pub(super) files: Files,
    /// The rows of the labels file, and its name.
    pub(super) labels: Option<(String, Vec<LabelRow>)>,
    /// Where the catalog was found, if no option names it.
    pub(super) beside: Option<PathBuf>,
}

impl Setup {
    /// Reads the options and loads what they name.
    pub(super) fn open(opening: &Opening<'_>) -> Result<Setup> {
        let params = Params::read(opening.options)?;
        let limits = opening.watch.limits();
        let mut lexicon = Lexicon::builtin();
        let mut lexicon_facts = None;
        if let Some(path) = params.lexicon.as_deref().map(Path::new) {
            let bytes = read_bytes(path, limits)?;
            lexicon = Lexicon::with(as_text(&bytes, path)?, path, limits)?;
            lexicon_facts = Some(facts_of(path, &bytes));
        }
        let beside = match (params.view, opening.carried) {
            (View::Catalog, _) => opening.inputs.first().cloned(),
            (_, Some(carried)) => Some(PathBuf::from(carried)).filter(|path| !path.as_os_str().is_empty()),
            (_, None) => beside(&opening.inputs, limits)?,
        };
        let path = match params.view {
            View::Catalog => beside.clone(),
            _ => params.catalog.as_ref().map(PathBuf::from).or_else(|| beside.clone()),
        };
        let (catalog, catalog_facts) = match &path {
            Some(path) => Catalog::open(path, &params, lexicon, limits)?,
            None => Catalog::builtin(&params, lexicon)?,
        };
        let (mut labels, mut labels_facts) = (None, None);
        if let Some(path) = params.labels.as_deref().map(Path::new) {
            let bytes = read_bytes(path, limits)?;
            labels = Some((file_name(path), rows_of(&bytes, path, limits)?));
            labels_facts = Some(facts_of(path, &bytes));
        }
        let files = Files { catalog: catalog_facts, labels: labels_facts, lexicon: lexicon_facts };
        Ok(Setup { params, catalog, files, labels, beside })
    }
}

/// A catalog for those who talk about it rather than score it.
#[derive(Debug)]
pub struct OpenedCatalog {
    /// The catalog, with the extractor of whole words.
    pub catalog: Catalog,
    /// Its file as bytes of JSON, if it was written so.
    pub json: Option<Vec<u8>>,
    /// Every option in force, as a JSON object.
    pub options: serde_json::Value,
    /// The reply of the baseline `constant`.
    pub constant_text: String,
}

/// Reads the options of the suite and loads the catalog that they name.
pub fn open_catalog(options: &Options, watch: &dyn Watch) -> Result<OpenedCatalog> {
    let supplied = &Supplied::default();
    let opening = Opening { options, inputs: vec![], carried: None, embed: None, lenient: false, supplied, watch };
    let mut asked = options.clone();
    asked.add("extractor=catalog")?;
    let setup = Setup::open(&opening)?;
    let catalog = match setup.params.extractor {
        Extractor::Catalog => setup.catalog,
        // Whoever speaks needs the extractor of whole words, whichever scores later.
        Extractor::Substring => Setup::open(&Opening { options: &asked, ..opening })?.catalog,
    };
    let json = match setup.params.catalog.as_deref().map(Path::new) {
        None => Some(BUILTIN.as_bytes().to_vec()),
        Some(path) if path.extension().is_some_and(|ending| ending == "json") => {
            Some(read_bytes(path, watch.limits())?)
        }
        Some(_) => None,
    };
    let options = setup.params.report(&setup.files);
    Ok(OpenedCatalog { catalog, json, options, constant_text: setup.params.constant_text })
}

/// The dialogues of a folder that `simulate` wrote.
pub(super) fn simulated(folder: &Path) -> Option<PathBuf> {
    Some(folder.join("dialogues.jsonl")).filter(|path| path.is_file())
}

/// The catalog that stands beside simulated dialogues; several must be the same.
fn beside(inputs: &[PathBuf], limits: Limits) -> std::result::Result<Option<PathBuf>, Defect> {
    let folders = inputs.iter().filter(|path| path.is_dir() && simulated(path).is_some());
    let found: Vec<PathBuf> = folders.map(|folder| folder.join("catalog.json")).filter(|path| path.is_file()).collect();
    let Some((first, others)) = found.split_first() else { return Ok(None) };
    let bytes = read_bytes(first, limits)?;
    for other in others {
        if read_bytes(other, limits)? != bytes {
            let hint = "name one with --option catalog=FILE, or score the folders one by one";
            let defect = Defect::new("bad_option", "one catalog for all folders").field("catalog");
            return Err(defect.value(found.len().to_string()).hint(hint));
        }
    }
    Ok(Some(first.clone()))
}

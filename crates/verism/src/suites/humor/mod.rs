//! Suite `humor`: surprise, ambiguity, variety, meaning and personal fit of generated text.
//!
//! `corpus` makes the model, `record` a card of a record. `measures` are a file for each formula: of a text by itself, of a
//! batch of texts together. `gather` brings the two together and writes, `tables` sums up. `facts` says what the metrics are, `tell` puts scores into words.

mod chat;
mod corpus;
mod demo;
mod facts;
mod gather;
mod measures;
mod options;
mod record;
mod setup;
mod tables;
mod tell;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use self::corpus::training::{Trained, train};
pub use self::record::inputs::each_record;

use self::gather::Gathering;
use self::record::card::{Card, Dimension, FirstVector, Rejected};
use self::record::{card, inputs};
use self::setup::Setup;
use super::SuiteFacts;
use super::records::{
    AskedUnit, BrokenLine, FileReader, Gather, Key, Opening, RecordSuite, Records, Source, base_name,
};
use crate::error::{Defect, Result};
use crate::input::Input;
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::score::output::Output;

/// Id of the suite.
const ID: &str = "humor";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// The suite.
#[derive(Debug)]
pub(crate) struct Humor;

/// What a record becomes. One that is at fault may have a vector before the place at fault, whose dimension counts first.
#[derive(Serialize, Deserialize)]
pub(crate) enum Entry {
    /// A card.
    Card(Box<Card>),
    /// A record that cannot be read: its first vector's field and dimension, and what is wrong after it.
    Faulty { field: String, dimension: u64, defect: Defect },
}

/// What decides in reading order.
#[derive(Debug, Default)]
pub(crate) struct Admission {
    dimension: Dimension,
}

/// A card, or what is wrong with the record.
fn entry(read: std::result::Result<(Card, FirstVector), Rejected>) -> std::result::Result<Entry, Defect> {
    match read {
        Ok((card, _)) => Ok(Entry::Card(Box::new(card))),
        Err(Rejected { defect, vector: None }) => Err(defect),
        Err(Rejected { defect, vector: Some((field, dimension)) }) => {
            Ok(Entry::Faulty { field: field.into(), dimension: dimension as u64, defect })
        }
    }
}

impl RecordSuite for Humor {
    type Setup = Setup;
    type Entry = Entry;
    type Admission = Admission;
    type File = PathBuf;

    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn open(&self, opening: &Opening<'_>) -> Result<Setup> {
        Setup::open(opening)
    }

    fn passed_over<'s>(&self, setup: &'s Setup) -> (&'static str, &'s [Defect]) {
        ("corpus_errors", &setup.corpus_errors)
    }

    fn signature(&self, setup: &Setup) -> String {
        setup.signature(false)
    }

    fn options(&self, setup: &Setup) -> String {
        setup.params.report(&setup.corpus).to_string()
    }

    fn sources(&self, _: &Setup, inputs: Vec<Input>) -> Vec<Source<PathBuf>> {
        inputs::sources(inputs)
    }

    fn read(&self, setup: &Setup, record: &Json<'_>) -> std::result::Result<Entry, Defect> {
        entry(card::read(record, &setup.params))
    }

    fn read_file(&self, setup: &Setup, path: &PathBuf, reader: &mut FileReader) -> Records<Entry> {
        let records = inputs::read_file(path, &setup.params, reader);
        records.into_iter().map(|(line, record)| (line, entry(record))).collect()
    }

    fn conversation<'a>(&self, conversation: Conversation<'a>) -> Vec<Json<'a>> {
        chat::records(conversation)
    }

    /// A record has its text; one that has only messages is a chat.
    fn is_native(&self, record: &Json<'_>, _: bool) -> bool {
        record.entry("text").is_some()
    }

    fn broken_line(&self, broken: BrokenLine, start: &str) -> Defect {
        match broken {
            BrokenLine::Encoding => Defect::new("bad_encoding", "UTF-8").hint("save the file as UTF-8"),
            BrokenLine::Json => Defect::new("bad_json", "a JSON object").value(start),
        }
    }

    fn key(&self, entry: &Entry) -> Option<Key> {
        let Entry::Card(card) = entry else { return None };
        let Card { experiment, run, id, .. } = card.as_ref();
        Some(Key { experiment: experiment.clone(), run: run.clone(), case: String::new(), unit: id.clone() })
    }

    fn duplicate(&self, key: &Key) -> Defect {
        card::duplicate(&key.unit)
    }

    fn admit(
        &self,
        setup: &Setup,
        admission: &mut Admission,
        number: u64,
        entry: &mut Entry,
    ) -> std::result::Result<(), Defect> {
        let known = setup.dimension().or(admission.dimension.0);
        admission.dimension = Dimension(known);
        match entry {
            Entry::Faulty { field, dimension, defect } => {
                let wanted = known.filter(|wanted| *wanted as u64 != *dimension);
                Err(wanted.map_or_else(
                    || defect.clone(),
                    |wanted| setup.beside_model(card::other_dimension(field, wanted, *dimension as usize)),
                ))
            }
            Entry::Card(card) => {
                let vector = card.first_vector();
                admission.dimension.check(vector).map_err(|defect| setup.beside_model(defect))?;
                admission.dimension.accept(vector);
                if let Some(label) = setup.labels.as_ref().and_then(|labels| labels.get(number as usize)) {
                    card.label = Some(*label);
                }
                Ok(())
            }
        }
    }

    fn sort_key(&self, entry: &Entry, key: &mut Vec<u8>) -> bool {
        let Entry::Card(card) = entry else { return true };
        for id in [&card.experiment, &card.run, &card.batch] {
            // The end of an id sorts before any of its bytes.
            for byte in id.bytes() {
                key.push(byte);
                if byte == 0 {
                    key.push(0xff);
                }
            }
            key.extend_from_slice(&[0, 0]);
        }
        true
    }

    fn gather<'a>(&'a self, setup: &'a Setup, output: &'a mut Output) -> Result<Box<dyn Gather<Entry> + 'a>> {
        Ok(Box::new(Gathering::new(setup, output)?))
    }

    fn nothing(&self, first: Option<&Path>) -> Defect {
        let hint = "one JSON object per line with `id` and `text` (`verism explain humor`); of a folder .jsonl, .csv and .parquet \
                    files are read";
        let file = base_name(first.unwrap_or(Path::new("-")));
        Defect::new("empty_input", "at least one record").file(file).hint(hint)
    }

    fn tell(&self, found: &AskedUnit<'_>, lines: &mut Vec<String>) {
        tell::tell(found, lines);
    }

    fn tell_metric(&self, found: &AskedUnit<'_>, metric: &str, lines: &mut Vec<String>) {
        tell::tell_metric(found, metric, lines);
    }

    fn units(&self) -> &'static str {
        "units are texts (`id`) and batches; tables/items.csv and tables/batches.csv list them"
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

//! Suite `recommender`: does a conversational recommender follow when the user's mind moves?
//!
//! The specification with worked examples is the README. The way of a dialogue: `record` reads it (`turn_table` makes
//! records of tables), `extract` finds concepts and titles in its texts, a file per formula measures, `scores` puts a
//! dialogue together, `gather` writes rows and tables. The rest is the frame's, `suites::records`.

mod automaton;
mod catalog;
mod catalog_build;
mod catalog_read;
mod cc;
mod chars;
mod chat;
mod concepts;
mod copying;
mod cr;
mod curves;
mod demo;
mod dialogue;
mod dst;
mod experiments;
mod extract;
mod facts;
mod fidelity;
mod field;
mod gather;
mod labelled;
mod labels;
mod leakage;
mod lexicon;
mod options;
mod outcome;
mod patterns;
mod pieces;
mod rec_satisfaction;
mod recommend;
mod record;
mod recovery;
mod result;
mod rows;
mod score_rows;
mod scores;
mod segment;
mod setup;
mod shift;
mod sight;
mod sources;
mod substring;
mod tas;
mod tell;
mod titles;
mod turn;
mod turn_table;
mod validity;
mod validity_folder;
mod value;
mod views;
mod words;
mod years;

pub use self::catalog::{Catalog, Item};
pub use self::concepts::{Concept, Concepts};
pub use self::extract::{Heard, Hit, Scratch, Title, extract};
pub use self::field::Field;
pub use self::lexicon::Lexicon;
pub use self::options::FileFacts;
pub use self::patterns::Guard;
pub use self::recommend::{Group, groups, recommend};
pub use self::setup::{Shelf, open_shelf};
pub use self::validity::Agreement;
pub use self::validity_folder::{Validity, ValidityQuestion, validity};

use std::path::{Path, PathBuf};

use self::gather::Gathering;
use self::outcome::Outcome;
use self::setup::Setup;
use super::records::{
    BrokenLine, FileReader, Found, Gather, Id, Key, Need, Opening, RecordSuite, Records, Source, base_name,
};
use super::{Job, Report, SuiteFacts};
use crate::error::{Defect, Result};
use crate::input::Input;
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::score::output::Output;

/// Id of the suite.
const ID: &str = "recommender";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// The suite.
#[derive(Debug)]
pub(crate) struct Recommender;

impl RecordSuite for Recommender {
    type Setup = Setup;
    type Entry = Box<Outcome>;
    type Admission = ();
    type File = PathBuf;

    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn open(&self, opening: &Opening<'_>) -> Result<Setup> {
        Setup::open(opening)
    }

    fn signature(&self, setup: &Setup) -> String {
        setup.params.signature(&setup.files)
    }

    fn options(&self, setup: &Setup) -> String {
        setup.params.report(&setup.files).to_string()
    }

    fn carried(&self, setup: &Setup) -> String {
        setup.beside.as_ref().map_or(String::new(), |path| path.display().to_string())
    }

    fn sources(&self, _: &Setup, inputs: Vec<Input>) -> Vec<Source<PathBuf>> {
        sources::sources(inputs)
    }

    fn read(&self, setup: &Setup, record: &Json<'_>) -> std::result::Result<Box<Outcome>, Defect> {
        sources::read_record(setup, record, "")
    }

    fn read_file(&self, setup: &Setup, path: &PathBuf, reader: &mut FileReader) -> Records<Box<Outcome>> {
        sources::read_file(setup, path, reader)
    }

    fn conversation<'a>(&self, conversation: Conversation<'a>) -> Vec<Json<'a>> {
        vec![chat::record(conversation)]
    }

    /// Records that name themselves and whose messages all say something; others with messages are chats.
    fn is_native(&self, record: &Json<'_>, _: bool) -> bool {
        chat::is_native(record)
    }

    fn ids(&self) -> &'static [Id] {
        &chat::IDS
    }

    fn needs(&self) -> &'static [Need] {
        &chat::NEEDS
    }

    fn broken_line(&self, broken: BrokenLine, start: &str) -> Defect {
        match broken {
            BrokenLine::Encoding => Defect::new("bad_record", "UTF-8").hint("save the file as UTF-8"),
            BrokenLine::Json => Defect::new("bad_record", "JSON").value(start),
        }
    }

    fn key(&self, outcome: &Box<Outcome>) -> Option<Key> {
        Some(outcome.key.clone())
    }

    fn duplicate(&self, key: &Key) -> Defect {
        let found = [&key.experiment, &key.run, &key.case, &key.unit].map(String::as_str).join("/");
        let hint = "give each dialogue its own `dialogue`, or its own `run`";
        Defect::new("duplicate_id", "a unique dialogue").field("dialogue").value(found).hint(hint)
    }

    /// Dialogues are handed on in the order of experiment, run, case and dialogue.
    fn sort_key(&self, outcome: &Box<Outcome>, key: &mut Vec<u8>) -> bool {
        let Key { experiment, run, case, unit } = &outcome.key;
        for part in [experiment, run, case, unit] {
            // An end that sorts before every text, whatever characters follow in it.
            for byte in part.bytes() {
                key.push(byte);
                key.extend((byte == 0).then_some(1));
            }
            key.extend([0, 0]);
        }
        true
    }

    fn gather<'a>(&'a self, setup: &'a Setup, output: &'a mut Output) -> Result<Box<dyn Gather<Box<Outcome>> + 'a>> {
        Ok(Box::new(Gathering::new(setup, output)?))
    }

    fn nothing(&self, first: Option<&Path>) -> Defect {
        let hint = "`verism explain recommender` describes what can be read";
        let defect = Defect::new("bad_record", "at least one dialogue").value("none").hint(hint);
        first.map_or(defect.clone(), |first| defect.file(base_name(first)))
    }

    fn view(&self, setup: &Setup, job: &mut Job<'_>, output: &mut Output) -> Option<Result<Report>> {
        views::view(setup, job, output)
    }

    fn tell(&self, found: &Found<'_>, lines: &mut Vec<String>) {
        tell::tell(found, lines);
    }

    fn units(&self) -> &'static str {
        "units are dialogues, turns (`dialogue#turn`), segments (`dialogue@first turn`) and shifts (`dialogue!turn`)"
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

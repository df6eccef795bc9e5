//! Suite `recommender`: does a conversational recommender follow when the user's mind moves?
//!
//! The specification with worked examples is the README. Its rooms are the way of a dialogue: `record` reads it, `extract`
//! finds concepts and titles of the `catalog` in its texts, `measures` has a file per formula, `tables` writes rows and
//! tables, `labels` puts labels beside them. The rest is the frame's, `suites::records`.

mod catalog;
mod chat;
mod demo;
mod extract;
mod facts;
mod labels;
mod measures;
mod options;
mod record;
mod setup;
mod tables;
mod tell;
mod views;

pub use self::catalog::concepts::{Concept, Concepts};
pub use self::catalog::field::Field;
pub use self::catalog::items::{Catalog, Item};
pub use self::catalog::recommend::{Group, groups, recommend};
pub use self::extract::heard::{Heard, Hit, Scratch, Title, extract};
pub use self::extract::lexicon::Lexicon;
pub use self::extract::patterns::Guard;
pub use self::labels::folder::{Validity, ValidityQuestion, validity};
pub use self::labels::validity::Agreement;
pub use self::options::FileFacts;
pub use self::setup::{Shelf, open_shelf};

use std::path::{Path, PathBuf};

use self::setup::Setup;
use self::tables::gather::Gathering;
use self::tables::outcome::Outcome;
use super::records::{
    AskedUnit, BrokenLine, FileReader, Gather, Id, Key, Need, Opening, RecordSuite, Records, Source, base_name,
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
        record::sources::sources(inputs)
    }

    fn read(&self, setup: &Setup, record: &Json<'_>) -> std::result::Result<Box<Outcome>, Defect> {
        record::sources::read_record(setup, record, "")
    }

    fn read_file(&self, setup: &Setup, path: &PathBuf, reader: &mut FileReader) -> Records<Box<Outcome>> {
        record::sources::read_file(setup, path, reader)
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

    fn tell(&self, found: &AskedUnit<'_>, lines: &mut Vec<String>) {
        tell::tell(found, lines);
    }

    fn units(&self) -> &'static str {
        "units are dialogues, turns (`dialogue#turn`), segments (`dialogue@first turn`) and shifts (`dialogue!turn`)"
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}
